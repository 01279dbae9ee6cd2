// Reads eight digits at once, in one register.

/// Eight bytes of text, the first in the lowest byte, each XORed with '0': a digit becomes its value, any other byte is above 9.
/// A left shift adds zero digits in front of the text, a right shift adds them after it.
struct DigitWord {
    var bits: UInt64

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// Reads eight bytes from `text` on.
    @inline(__always)
    init(_ text: UnsafePointer<UInt8>) {
        bits = unsafe UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self)) ^ 0x3030_3030_3030_3030
    }

    /// Reads `count` bytes, 1...8, from `text` on, with zero digits in front to make it eight. Reads no other byte.
    @inline(__always)
    init(last count: Int, of text: UnsafePointer<UInt8>) {
        assert((1...8).contains(count))
        // Safe: the shift is 0...56.
        let blank = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let raw: UInt64
        if count >= 4 {
            // Four bytes from each end; where they overlap, both have the same bytes.
            let raws = unsafe UnsafeRawPointer(text)
            let first = unsafe UInt32(littleEndian: raws.loadUnaligned(as: UInt32.self))
            let last = unsafe UInt32(littleEndian: (raws + (count &- 4)).loadUnaligned(as: UInt32.self))
            raw = UInt64(first) &<< blank | UInt64(last) &<< 32
        } else {
            // The first, middle and last of one to three bytes; some of them may be the same byte, which then lands in the same position.
            let middle = count &>> 1
            let tail = unsafe UInt64(text[0]) | UInt64(text[middle]) &<< UInt64(truncatingIfNeeded: 8 &* middle)
            raw = unsafe tail &<< blank | UInt64(text[count &- 1]) &<< 56
        }
        bits = raw ^ 0x3030_3030_3030_3030 &<< blank
    }

    /// Bit 7 of every byte that is not a digit, up to and including the first such byte. The marks of later bytes may be wrong.
    @inline(__always)
    var marks: UInt64 {
        // 0x76 + 10 is 0x80. Only a byte that is marked already can carry into the next one.
        (bits &+ 0x7676_7676_7676_7676 | bits) & 0x8080_8080_8080_8080
    }

    @inline(__always)
    var isDigits: Bool { marks == 0 }

    /// How many digits the word begins with, 0...8.
    @inline(__always)
    var leadingDigits: Int { marks.trailingZeroBitCount &>> 3 }

    /// Only the first `count` digits, 1...8, moved to the end of the word.
    @inline(__always)
    func keepingFirst(_ count: Int) -> DigitWord {
        DigitWord(bits: bits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// The last `count` digits, 1...8, at their positions; the other bytes are zero.
    @inline(__always)
    func keepingLast(_ count: Int) -> DigitWord {
        DigitWord(bits: bits & UInt64.max &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// The number that the eight digits spell.
    @inline(__always)
    var value: UInt64 {
        // Neighbours are joined: digits to pairs, pairs to fours, fours to eight. One multiplication does all joins of a round.
        // Safe: callers have checked the digits; other bytes give a wrong value, not a trap.
        let pairs = bits &* 10 &+ bits &>> 8
        let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* (100 &<< 16 &+ 1)) &>> 16
        return ((fours & 0x0000_FFFF_0000_FFFF) &* (10_000 &<< 32 &+ 1)) &>> 32
    }
}
