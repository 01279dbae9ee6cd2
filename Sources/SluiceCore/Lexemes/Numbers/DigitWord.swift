// Eight digits at once, in one register.

/// Eight bytes of text, the first lowest, each XORed with '0': a digit is its value, anything else is above 9. Shifting
/// zeros in puts zero digits in front (from below) or behind (from above).
struct DigitWord {
    var bits: UInt64

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// Eight bytes from `text` on.
    @inline(__always)
    init(_ text: UnsafePointer<UInt8>) {
        bits = unsafe UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self)) ^ 0x3030_3030_3030_3030
    }

    /// The `count` bytes from `text` on, 1...8, behind as many zero digits as make it eight. Reads no other byte.
    @inline(__always)
    init(last count: Int, of text: UnsafePointer<UInt8>) {
        assert((1...8).contains(count))
        // Safe: a shift of 0...56.
        let blank = UInt64(truncatingIfNeeded: 64 &- 8 &* count)
        let raw: UInt64
        if count >= 4 {
            // Four bytes from either end; where they overlap they agree.
            let raws = unsafe UnsafeRawPointer(text)
            let first = unsafe UInt32(littleEndian: raws.loadUnaligned(as: UInt32.self))
            let last = unsafe UInt32(littleEndian: (raws + (count &- 4)).loadUnaligned(as: UInt32.self))
            raw = UInt64(first) &<< blank | UInt64(last) &<< 32
        } else {
            // The first, the middle and the last of one to three: some of them the same byte in the same place.
            let middle = count &>> 1
            let tail = unsafe UInt64(text[0]) | UInt64(text[middle]) &<< UInt64(truncatingIfNeeded: 8 &* middle)
            raw = unsafe tail &<< blank | UInt64(text[count &- 1]) &<< 56
        }
        bits = raw ^ 0x3030_3030_3030_3030 &<< blank
    }

    /// Bit 7 of every byte that is no digit, up to and including the first such byte; what follows it may be marked
    /// wrongly.
    @inline(__always)
    var marks: UInt64 {
        // 0x76 + 10 is 0x80. A carry can only come out of a byte that is marked already.
        (bits &+ 0x7676_7676_7676_7676 | bits) & 0x8080_8080_8080_8080
    }

    @inline(__always)
    var isDigits: Bool { marks == 0 }

    /// How many digits the word begins with, 0...8.
    @inline(__always)
    var leadingDigits: Int { marks.trailingZeroBitCount &>> 3 }

    /// The first `count` digits alone, 1...8, moved to the end.
    @inline(__always)
    func keepingFirst(_ count: Int) -> DigitWord {
        DigitWord(bits: bits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// The last `count` digits alone, 1...8, where they are.
    @inline(__always)
    func keepingLast(_ count: Int) -> DigitWord {
        DigitWord(bits: bits & UInt64.max &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
    }

    /// The number that eight digits spell.
    @inline(__always)
    var value: UInt64 {
        // Neighbours join: digits to pairs, pairs to fours, fours to eight. One multiplication does every join of a round.
        // Safe: callers have checked the digits; other bytes give a wrong value, not a trap.
        let pairs = bits &* 10 &+ bits &>> 8
        let fours = ((pairs & 0x00FF_00FF_00FF_00FF) &* (100 &<< 16 &+ 1)) &>> 16
        return ((fours & 0x0000_FFFF_0000_FFFF) &* (10_000 &<< 32 &+ 1)) &>> 32
    }
}
