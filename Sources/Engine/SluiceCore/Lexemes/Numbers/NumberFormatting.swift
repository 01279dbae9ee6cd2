// Formats integers and floats as JSON text.

internal import CScan

/// Formats numbers: takes an integer or a finite float and a pointer to free memory, writes the text and returns its count of bytes.
///
/// A float is written with the fewest digits that read back as the same float, and of those the digits closest to it. The form is
/// that of ECMA-262 Number::toString, which RFC 8785 (canonical JSON) also prescribes: `43`, `0.000001`, `1e-7`,
/// `100000000000000000000`, `1e+21`. One exception: negative zero is written `-0`, because JSON can represent it and it reads back
/// as negative zero.
enum NumberFormatting {
    /// How many bytes must be free at `out`. The longest number has 40; text is stored eight bytes at a time, so some bytes after it
    /// are overwritten too.
    static let maximumLength = 48

    // MARK: Integers

    @inline(__always)
    static func write(_ value: Int64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe out[0] = .minus
        let sign = value < 0 ? 1 : 0
        return unsafe sign &+ writeMagnitude(value.magnitude, to: out + sign)
    }

    static func write(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe writeMagnitude(value, to: out)
    }

    static func write(_ value: Int128, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe out[0] = .minus
        let sign = value < 0 ? 1 : 0
        return unsafe sign &+ write(value.magnitude, to: out + sign)
    }

    static func write(_ value: UInt128, to out: UnsafeMutablePointer<UInt8>) -> Int {
        if let small = UInt64(exactly: value) { return unsafe writeMagnitude(small, to: out) }
        // 39 digits at most: the last sixteen, and the digits before them by a recursive call.
        let (rest, low) = value.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
        let count = unsafe write(rest, to: out)
        let (high8, low8) = UInt64(truncatingIfNeeded: low).quotientAndRemainder(dividingBy: 100_000_000)
        unsafe store(EightDigits(high8).text, to: out + count)
        unsafe store(EightDigits(low8).text, to: out + count + 8)
        return count &+ 16
    }

    @inline(__always)
    private static func writeMagnitude(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        if value < CSCAN_SMALL_INTEGERS {
            let digits = cscan_small_integer(value)
            unsafe UnsafeMutableRawPointer(out).storeBytes(of: digits.littleEndian, as: UInt32.self)
            return Int(digits &>> 24)
        }
        if value < 100_000_000 { return unsafe writeFirst(value, to: out) }
        return unsafe writeLong(value, to: out)
    }

    /// Writes a number of nine digits or more.
    @inline(never)
    private static func writeLong(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
        if high < 100_000_000 {
            let count = unsafe writeFirst(high, to: out)
            unsafe store(EightDigits(low).text, to: out + count)
            return count &+ 8
        }
        let (first, middle) = high.quotientAndRemainder(dividingBy: 100_000_000)
        let count = unsafe writeFirst(first, to: out)
        unsafe store(EightDigits(middle).text, to: out + count)
        unsafe store(EightDigits(low).text, to: out + count + 8)
        return count &+ 16
    }

    /// Writes a number below 10^8 without leading zeros.
    @inline(__always)
    private static func writeFirst(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let digits = EightDigits(value)
        // Zero has one digit: setting the lowest bit limits the count of leading zeros to seven.
        let zeros = (digits.bits | 1).leadingZeroBitCount &>> 3
        unsafe store(digits.text &>> UInt64(truncatingIfNeeded: 8 &* zeros), to: out)
        return 8 &- zeros
    }

    // MARK: Floats

    /// Writes a finite value. For infinities and NaN, which the caller must refuse, it writes nothing and returns 0.
    @inline(never)
    static func write(_ value: Double, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe writeShortest(value, to: out)
    }

    /// Writes a finite value, with the fewest digits that distinguish it from other `Float`s. For infinities and NaN it returns 0.
    @inline(never)
    static func write(_ value: Float, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe writeShortest(value, to: out)
    }

    /// Writes a finite value as `write` does, inside a loop of the caller's, which saves the call and its registers.
    @inline(__always)
    static func writeHere(_ value: Double, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe writeShortest(value, to: out)
    }

    @inline(__always)
    private static func writeShortest<Format: WrittenFloat>(_ value: Format, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let bits = value.bits
        let fraction = bits & (1 &<< Format.storedBits &- 1)
        let biased = Int(truncatingIfNeeded: bits &>> Format.storedBits) & (2 &* Format.bias &+ 1)
        unsafe out[0] = .minus
        let text = unsafe out + (value.sign == .minus ? 1 : 0)
        // One comparison finds zero, subnormals, infinities and NaN. Every rare path is a tail call, so the common path needs no
        // stack.
        guard UInt(bitPattern: biased &- 1) < UInt(bitPattern: 2 &* Format.bias) else {
            return unsafe writeCarefully(value, text, from: out)
        }
        // The value is significand × 2^exponent.
        let significand = fraction | 1 &<< Format.storedBits
        let exponent = biased &- Format.bias &- Int(truncatingIfNeeded: Format.storedBits)

        // Integers below 2^53 (2^24 for `Float`): their neighbours are at most one away on either side, so no shorter decimal reads back
        // as the same value.
        // A positive exponent becomes, as an unsigned number, more places than there can be trailing zeros.
        let places = UInt(bitPattern: 0 &- exponent)
        if places <= UInt(bitPattern: significand.trailingZeroBitCount) {
            return unsafe writeInteger(significand &>> UInt64(places), text, from: out)
        }
        // The neighbour below a power of two is nearer than the one above.
        guard fraction != 0, let shortest = ShortestDecimal(significand, exponent) else {
            return unsafe writeCarefully(value, text, from: out)
        }
        return unsafe layOut(shortest, text, from: out, as: Format.self)
    }

    @inline(never)
    private static func writeInteger(
        _ value: UInt64, _ text: UnsafeMutablePointer<UInt8>, from out: UnsafeMutablePointer<UInt8>
    ) -> Int {
        unsafe text - out + writeMagnitude(value, to: text)
    }

    /// Writes zero, subnormals, powers of two, and values for which 64 bits of fraction cannot exclude a tie.
    @inline(never)
    private static func writeCarefully<Format: WrittenFloat>(
        _ value: Format, _ text: UnsafeMutablePointer<UInt8>, from out: UnsafeMutablePointer<UInt8>
    ) -> Int {
        guard value.isFinite else { return 0 }
        let fraction = value.bits & (1 &<< Format.storedBits &- 1)
        let biased = Int(truncatingIfNeeded: value.bits &>> Format.storedBits) & (2 &* Format.bias &+ 1)
        if biased == 0 && fraction == 0 {
            unsafe text[0] = .digitZero
            return unsafe text - out + 1
        }
        // The neighbour below a power of two is nearer than the one above, except for the smallest normal value.
        var shortest = ShortestDecimal(
            exactly: biased == 0 ? fraction : fraction | 1 &<< Format.storedBits,
            max(biased, 1) &- Format.bias &- Int(truncatingIfNeeded: Format.storedBits),
            isUneven: fraction == 0 && biased > 1)
        // A subnormal may have fewer digits; zeros are appended until it has as many as a normal value. Safe: a positive value has a
        // positive significand.
        while shortest.leading < Format.leastSignificand / 10 {
            shortest.leading = shortest.leading &* 10 &+ shortest.last
            shortest.last = 0
            shortest.exponent &-= 1
        }
        return unsafe layOut(shortest, text, from: out, as: Format.self)
    }

    /// Writes a decimal whose significand has as many digits as a normal value's. Returns the count of bytes from `start` on.
    @inline(__always)
    private static func layOut<Format: WrittenFloat>(
        _ decimal: ShortestDecimal, _ out: UnsafeMutablePointer<UInt8>, from start: UnsafeMutablePointer<UInt8>,
        as _: Format.Type
    ) -> Int {
        // Scale to 16 digits before the last one, from 15 or 16; a `Float` can also be one digit shorter than that.
        var (leading, last) = (decimal.leading, decimal.last)
        // The count of digits before the point.
        var point = decimal.exponent &+ 17 &- Format.scaleDigits
        if Format.scaleDigits > 0 {
            leading = leading &* Format.scale &+ last &* (Format.scale / 10)
            last = 0
            let isShorter = leading < 100_000_000_000_000
            leading = isShorter ? leading &* 10 : leading
            point = point &- (isShorter ? 1 : 0)
        }
        let isShort = leading < 1_000_000_000_000_000
        leading = cscan_select(isShort, leading &* 10 &+ last, leading)
        last = cscan_select(isShort, 0, last)
        point = point &- (isShort ? 1 : 0)

        let high = UInt32(truncatingIfNeeded: leading / 100_000_000)
        let low = UInt32(truncatingIfNeeded: leading &- UInt64(high) &* 100_000_000)
        let digits = cscan_digits16(high, low)
        let lastDigit = UInt8(truncatingIfNeeded: last | 0x30)
        // The count of digits without trailing zeros: the sum has bit 16 if the last digit is not 0. The first digit never is.
        let isLast = UInt32(truncatingIfNeeded: last &+ 0xFFFF) & 0x10000
        let count = Int(cscan_bit_width(digits.nonzero | isLast))

        if point > 0, point < count, point < 8 {
            // The first eight digits as they are, those of them after the point once more after it, and then all others.
            unsafe store(digits.first, to: out)
            let after = digits.first &>> UInt64(truncatingIfNeeded: 8 &* point)
            unsafe store(after &<< 8 | 0x2E, to: out + point)
            unsafe store(digits.second, to: out + 9)
            unsafe out[17] = lastDigit
            return unsafe out - start + count + 1
        }
        // The digits begin after zero, point and zeros; or else one place to the right, where `layOutRarely` looks for them.
        let isFraction = point <= 0 && point > -6
        let text = unsafe out + (isFraction ? 2 &- point : 1)
        unsafe store(0x3030_3030_3030_2E30, to: out)
        unsafe store(digits.first, to: text)
        unsafe store(digits.second, to: text + 8)
        unsafe text[16] = lastDigit
        return unsafe isFraction ? text - start + count : layOutRarely(count, point: point, out, from: start)
    }

    /// Writes the forms that need loops: long integers, a point after many digits, exponents. The digits are at `out + 1`.
    @inline(never)
    private static func layOutRarely(
        _ count: Int, point: Int, _ out: UnsafeMutablePointer<UInt8>, from start: UnsafeMutablePointer<UInt8>
    ) -> Int {
        let sign = unsafe out - start
        if point > 0, point <= 21 {
            for index in 0..<min(point, count) { unsafe out[index] = unsafe out[index &+ 1] }
            if point < count {
                unsafe out[point] = .point
                return sign &+ count &+ 1
            }
            for index in count..<point { unsafe out[index] = .digitZero }
            return sign &+ point
        }
        unsafe out[0] = unsafe out[1]
        unsafe out[1] = .point
        var length = count == 1 ? 1 : count &+ 1
        let exponent = point &- 1
        unsafe out[length] = 0x65  // e
        unsafe out[length &+ 1] = exponent < 0 ? .minus : .plus
        length &+= 2
        return unsafe sign &+ length &+ writeFirst(UInt64(exponent.magnitude), to: out + length)
    }

    @inline(__always)
    fileprivate static func store(_ word: UInt64, to out: UnsafeMutablePointer<UInt8>) {
        // Safe: callers have maximumLength bytes, and the last word starts at byte 40 at most.
        unsafe UnsafeMutableRawPointer(out).storeBytes(of: word.littleEndian, as: UInt64.self)
    }
}

/// A number below 10^8 as eight digit values, the last digit in the lowest byte.
private struct EightDigits {
    let bits: UInt64

    @inline(__always)
    init(_ value: UInt64) {
        bits = cscan_digits8(value)
    }

    /// The digits as text in memory order, for a little-endian store.
    @inline(__always)
    var text: UInt64 { (bits | 0x3030_3030_3030_3030).byteSwapped }
}

/// The properties of a binary format that formatting needs.
private protocol WrittenFloat: BinaryFloatingPoint {
    /// Fraction bits.
    static var storedBits: UInt64 { get }
    static var bias: Int { get }
    /// The least significand that the shortest decimal of a normal value can have.
    static var leastSignificand: UInt64 { get }
    /// 10^scaleDigits; multiplying by it brings this format's digits to 16 or 17.
    static var scale: UInt64 { get }
    static var scaleDigits: Int { get }
    var bits: UInt64 { get }
}

extension Double: WrittenFloat {
    @inline(__always) fileprivate static var storedBits: UInt64 { 52 }
    @inline(__always) fileprivate static var bias: Int { 1023 }
    @inline(__always) fileprivate static var leastSignificand: UInt64 { 1_000_000_000_000_000 }
    @inline(__always) fileprivate static var scale: UInt64 { 1 }
    @inline(__always) fileprivate static var scaleDigits: Int { 0 }
    @inline(__always) fileprivate var bits: UInt64 { bitPattern }
}

extension Float: WrittenFloat {
    @inline(__always) fileprivate static var storedBits: UInt64 { 23 }
    @inline(__always) fileprivate static var bias: Int { 127 }
    @inline(__always) fileprivate static var leastSignificand: UInt64 { 1_000_000 }
    @inline(__always) fileprivate static var scale: UInt64 { 100_000_000 }
    @inline(__always) fileprivate static var scaleDigits: Int { 8 }
    @inline(__always) fileprivate var bits: UInt64 { UInt64(bitPattern) }
}
