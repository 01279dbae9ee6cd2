/// Numbers to text: in goes an integer or a finite float and a pointer to free memory, out come its bytes and their count.
///
/// A float is written with the fewest digits that read back as the same float, and of those the closest to it. The form is
/// that of ECMA-262 Number::toString, which RFC 8785 (canonical JSON) prescribes too: `43`, `0.000001`, `1e-7`,
/// `100000000000000000000`, `1e+21`. One exception: negative zero is written `-0`, because JSON can say it and reading
/// gives it back.
enum NumberFormatting {
    /// How many bytes must be free at `out`. The longest number has 40; eight at a time are stored, so some bytes after the
    /// text are overwritten too.
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
        // 39 digits at most: sixteen at the end, and what is before them once more.
        let (rest, low) = value.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
        let count = unsafe write(rest, to: out)
        let (high8, low8) = UInt64(truncatingIfNeeded: low).quotientAndRemainder(dividingBy: 100_000_000)
        unsafe store(EightDigits(high8).text, to: out + count)
        unsafe store(EightDigits(low8).text, to: out + count + 8)
        return count &+ 16
    }

    @inline(__always)
    private static func writeMagnitude(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        if value < 100_000_000 { return unsafe writeFirst(value, to: out) }
        return unsafe writeLong(value, to: out)
    }

    /// A number of nine digits or more.
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

    /// A number below 10^8 without leading zeros.
    @inline(__always)
    private static func writeFirst(_ value: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let digits = EightDigits(value)
        // Zero has one digit: the bit stops the count at seven.
        let zeros = (digits.bits | 1).leadingZeroBitCount &>> 3
        unsafe store(digits.text &>> UInt64(truncatingIfNeeded: 8 &* zeros), to: out)
        return 8 &- zeros
    }

    // MARK: Floats

    /// Writes a finite value; infinities and NaN are the caller's to refuse, and write nothing.
    @inline(never)
    static func write(_ value: Double, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe writeShortest(value, to: out)
    }

    /// Writes a finite value, with the fewest digits that tell it from other `Float`s; infinities and NaN write nothing.
    @inline(never)
    static func write(_ value: Float, to out: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe writeShortest(value, to: out)
    }

    @inline(__always)
    private static func writeShortest<Format: WrittenFloat>(_ value: Format, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let bits = value.bits
        let fraction = bits & (1 &<< Format.storedBits &- 1)
        let biased = Int(truncatingIfNeeded: bits &>> Format.storedBits) & (2 &* Format.bias &+ 1)
        unsafe out[0] = .minus
        let text = unsafe out + (value.sign == .minus ? 1 : 0)
        // One comparison for zero, subnormals, infinities and NaN. Every rare path is a tail call, so that this one needs
        // no stack.
        guard UInt(bitPattern: biased &- 1) < UInt(bitPattern: 2 &* Format.bias) else {
            return unsafe writeCarefully(value, text, from: out)
        }
        // The value is significand × 2^exponent.
        let significand = fraction | 1 &<< Format.storedBits
        let exponent = biased &- Format.bias &- Int(truncatingIfNeeded: Format.storedBits)

        // Integers below 2^53 (2^24): their neighbours are less than one away on either side, so no shorter decimal is
        // nearer.
        if exponent <= 0, exponent >= 0 &- Int(truncatingIfNeeded: Format.storedBits) {
            let places = UInt64(truncatingIfNeeded: 0 &- exponent)
            if significand & (1 &<< places &- 1) == 0 { return unsafe writeInteger(significand &>> places, text, from: out) }
        }
        guard let shortest = ShortestDecimal(significand, exponent) else {
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

    /// Zero, subnormals, powers of two, and what 64 bits of fraction cannot tell from a tie.
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
        // Powers of two have a nearer neighbour below, but for the least normal one.
        var shortest = ShortestDecimal(
            exactly: biased == 0 ? fraction : fraction | 1 &<< Format.storedBits,
            max(biased, 1) &- Format.bias &- Int(truncatingIfNeeded: Format.storedBits),
            isUneven: fraction == 0 && biased > 1)
        // A subnormal has fewer digits: up to as many as a normal value has. Safe: a positive value has a positive
        // significand.
        while shortest.significand < Format.leastSignificand {
            shortest.significand &*= 10
            shortest.exponent &-= 1
        }
        return unsafe layOut(shortest, text, from: out, as: Format.self)
    }

    /// Writes significand × 10^exponent, where the significand has the digits of a normal value, and counts from `out`.
    @inline(__always)
    private static func layOut<Format: WrittenFloat>(
        _ decimal: ShortestDecimal, _ out: UnsafeMutablePointer<UInt8>, from start: UnsafeMutablePointer<UInt8>,
        as _: Format.Type
    ) -> Int {
        // 16 or 17 digits, to 17; a `Float` has one length more (7, 8 or 9 before they are scaled).
        var significand = decimal.significand &* Format.scale
        // How many digits stand before the point.
        var point = decimal.exponent &+ 17 &- Format.scaleDigits
        if Format.scaleDigits > 0 {
            let isShorter = significand < 1_000_000_000_000_000
            significand = isShorter ? significand &* 10 : significand
            point = isShorter ? point &- 1 : point
        }
        let isShort = significand < 10_000_000_000_000_000
        significand = isShort ? significand &* 10 : significand
        point = isShort ? point &- 1 : point

        let first = significand / 10_000_000_000_000_000
        let rest = significand &- first &* 10_000_000_000_000_000
        let middle = rest / 100_000_000
        let middleDigits = EightDigits(middle)
        let lowDigits = EightDigits(rest &- middle &* 100_000_000)
        // Digits without the zeros at the end.
        let isLowZero = lowDigits.bits == 0
        let trailing = (isLowZero ? middleDigits.bits : lowDigits.bits).trailingZeroBitCount &>> 3
        let count = (isLowZero ? 9 : 17) &- trailing
        let middleText = middleDigits.text
        let lowText = lowDigits.text

        if point > 0, point < count, point < 8 {
            // All digits one place to the right; then the first eight once more from a register, those before the point in
            // their place.
            unsafe store(middleText, to: out + 2)
            unsafe store(lowText, to: out + 10)
            let front = middleText &<< 8 | first | 0x30
            let pointBit = UInt64(truncatingIfNeeded: 8 &* point)
            let after = UInt64.max &<< pointBit
            unsafe store(front & ~after | 0x2E &<< pointBit | (front & after) &<< 8, to: out)
            return unsafe out - start + count + 1
        }
        if point <= 0, point > -6 {
            // Zero, point, zeros, digits.
            unsafe store(0x3030_3030_3030_2E30, to: out)
            let digits = unsafe out + (2 &- point)
            unsafe digits[0] = UInt8(truncatingIfNeeded: first | 0x30)
            unsafe store(middleText, to: digits + 1)
            unsafe store(lowText, to: digits + 9)
            return unsafe digits - start + count
        }
        unsafe out[1] = UInt8(truncatingIfNeeded: first | 0x30)
        unsafe store(middleText, to: out + 2)
        unsafe store(lowText, to: out + 10)
        return unsafe layOutRarely(count, point: point, out, from: start)
    }

    /// The forms that need loops: long integers, a point far back, exponents. The digits are at `out + 1`.
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
        // Safe: callers have maximumLength bytes, and the last word starts at 40 at most.
        unsafe UnsafeMutableRawPointer(out).storeBytes(of: word.littleEndian, as: UInt64.self)
    }
}

/// The fewest decimal digits between the middles to a float's two neighbours, the closest to the float among those.
///
/// Let the float be v and 10^k the power of ten just below the distance to its neighbour. Multiples of 10^(k+1) are farther
/// apart than that, so at most one lies in the interval; if one does, it is the shortest, its trailing zeros dropped.
/// Otherwise v is rounded to a multiple of 10^k (Giulietti, "The Schubfach way to render doubles",
/// https://drive.google.com/file/d/1IEeATSVnEE6TkrHlCYNY2GjaraBjOT4f).
///
/// One multiplication gives v / 10^k, its integer part in one word and 64 bits of fraction in another. Half the neighbour
/// distance in the same unit is the power of ten itself, shifted. Comparing these decides all but the cases where two sides
/// agree to 60 bits, which are mostly exact ties; those go to Schubfach proper, whose three products are rounded so that
/// comparisons are exact.
private struct ShortestDecimal {
    var significand: UInt64
    var exponent: Int

    /// For binarySignificand × 2^binaryExponent; nil if that is for `init(exactly:)` to decide.
    @inline(__always)
    init?(_ binarySignificand: UInt64, _ binaryExponent: Int) {
        // ⌊log10(2^e)⌋; holds for every exponent of a double.
        let k = (binaryExponent &* 315_653) &>> 20
        let power = PowersOfTen.significand(0 &- k)
        // 0...3, as 2^e / 10^k is in 1 ..< 10.
        let shift = UInt64(truncatingIfNeeded: binaryExponent &+ PowersOfTen.binaryExponent(0 &- k))
        let scaled = binarySignificand &<< (shift &+ 1)
        let product = scaled.multipliedFullWidth(by: power.high)
        let (fraction, carry) = product.low.addingReportingOverflow(scaled.multipliedFullWidth(by: power.low).high)
        let whole = product.high &+ (carry ? 1 : 0)

        // Distances in units of 2^-60, each less than two units off: v from the multiple of ten below, from the one above,
        // and half a gap.
        let last = whole % 10
        let below = last &<< 60 | fraction &>> 4
        let above = 10 &<< 60 &- below
        let half = power.high &>> (4 &- shift)
        let nearer = min(below, above)
        let middle: UInt64 = 1 &<< 63
        // A power of two has a nearer neighbour below.
        if nearer &- half &+ 2 <= 4 || fraction &- middle &+ 4 <= 8 || binarySignificand & (binarySignificand &- 1) == 0 {
            return nil
        }
        // Which one it is cannot be predicted, so both are computed and one is selected.
        let tens = whole &- last &+ (above < below ? 10 : 0)
        let rounded = whole &+ fraction &>> 63
        significand = nearer < half ? tens : rounded
        exponent = k
    }

    /// Schubfach: everything in quarters, products rounded to odd (sections 9.4 to 9.9 of the paper).
    @inline(never)
    init(exactly binarySignificand: UInt64, _ binaryExponent: Int, isUneven: Bool) {
        // ⌊log10(2^e)⌋, or ⌊log10(3/4 × 2^e)⌋ where the interval is that much narrower.
        let k = (binaryExponent &* 1_262_611 &- (isUneven ? 524_031 : 0)) &>> 22
        let power = PowersOfTen.significand(0 &- k)
        // The proof wants the power rounded up always; the table does that for negative exponents. Safe: no positive entry
        // ends in all ones.
        let low = power.low &+ (k <= 0 ? 1 : 0)
        let shift = UInt64(truncatingIfNeeded: binaryExponent &+ PowersOfTen.binaryExponent(0 &- k) &+ 1)

        func product(_ quarters: UInt64) -> UInt64 {
            let scaled = quarters &<< shift
            let high = scaled.multipliedFullWidth(by: power.high)
            let (rest, carry) = high.low.addingReportingOverflow(scaled.multipliedFullWidth(by: low).high)
            return (high.high &+ (carry ? 1 : 0)) | (rest > 1 ? 1 : 0)
        }
        let quarters = binarySignificand &<< 2
        // An odd significand loses the tie when its bound is read back, so the bounds themselves are out.
        let open = binarySignificand & 1
        let lower = product(quarters &- (isUneven ? 1 : 2)) &+ open
        let upper = product(quarters &+ 2) &- open
        let value = product(quarters)

        exponent = k
        let whole = value &>> 2
        let tens = whole / 10 &* 10
        let hasTensBelow = lower <= tens &<< 2
        if hasTensBelow != ((tens &+ 10) &<< 2 <= upper) {
            significand = hasTensBelow ? tens : tens &+ 10
            return
        }
        let hasBelow = lower <= whole &<< 2
        if hasBelow != ((whole &+ 1) &<< 2 <= upper) {
            significand = hasBelow ? whole : whole &+ 1
            return
        }
        // Both or none: the closer one, the even one of two equally close.
        let middle = whole &<< 2 &+ 2
        significand = value > middle || (value == middle && whole & 1 == 1) ? whole &+ 1 : whole
    }
}

/// A number below 10^8 as eight digit values, the last in the lowest byte.
private struct EightDigits {
    let bits: UInt64

    @inline(__always)
    init(_ value: UInt64) {
        // Eight digits split into fours, fours into pairs, pairs into digits: in each lane n becomes q × 2^bits + (n - q ×
        // 10^i), all of it n + q × (2^bits - 10^i). The quotients by 100 and by 10 are exact over their ranges (0...9999
        // and 0...99). Safe: callers pass less than 10^8, so no lane carries into the next.
        let fours = value &+ (value / 10_000) &* (1 &<< 32 &- 10_000)
        let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007F_0000_007F
        let pairs = fours &+ hundreds &* (1 &<< 16 &- 100)
        let tens = ((pairs &* 103) &>> 10) & 0x000F_000F_000F_000F
        bits = pairs &+ tens &* (1 &<< 8 &- 10)
    }

    /// The digits as text in the order of memory, for a little-endian store.
    @inline(__always)
    var text: UInt64 { (bits | 0x3030_3030_3030_3030).byteSwapped }
}

/// What writing has to know about a binary format.
private protocol WrittenFloat: BinaryFloatingPoint {
    /// Fraction bits.
    static var storedBits: UInt64 { get }
    static var bias: Int { get }
    /// What a normal value's shortest significand is never below.
    static var leastSignificand: UInt64 { get }
    /// 10^scaleDigits, which brings this format's digits to 16 or 17.
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
