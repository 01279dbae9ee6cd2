/// Parses numbers: takes a JSON number lexeme as yajl passes it (bytes and a length, no terminator), returns the integer or the
/// correctly rounded float, or nil when the lexeme does not denote one.
///
/// The grammar is `-?digits[.digits][(e|E)[+-]digits]`. yajl has checked it already, but converters of string values also pass
/// unchecked text, so a malformed lexeme gives nil. For those converters leading zeros are accepted (`007` is 7).
///
/// Digits are read eight at a time (`DigitWord`). A float is then significand × 10^exponent, and Eisel–Lemire turns that
/// into the nearest double with one or two multiplications (Lemire 2021, "Number Parsing at a Gigabyte per Second",
/// https://arxiv.org/abs/2101.11408).
enum NumberParsing {
    // MARK: Integers

    /// The integer that the lexeme spells; nil if it has a fraction or exponent, or is out of range.
    @inline(__always)
    static func int64(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
        guard count > 0 else { return nil }
        let isNegative = unsafe bytes[0] == .minus
        guard let magnitude = unsafe magnitude64(bytes + (isNegative ? 1 : 0), count &- (isNegative ? 1 : 0)) else {
            return nil
        }
        if isNegative {
            guard magnitude <= 1 << 63 else { return nil }
            // Safe: at most 2^63, so wrapping negation gives the value, Int64.min included.
            return 0 &- Int64(truncatingIfNeeded: magnitude)
        }
        return Int64(exactly: magnitude)
    }

    /// The integer that the lexeme spells; nil if it has a fraction or exponent, or is out of range.
    static func int128(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int128? {
        guard count > 0 else { return nil }
        let isNegative = unsafe bytes[0] == .minus
        guard let magnitude = unsafe magnitude128(bytes + (isNegative ? 1 : 0), count &- (isNegative ? 1 : 0)) else {
            return nil
        }
        return signed(magnitude, isNegative)
    }

    /// The integer that the lexeme spells; nil if it has a fraction or exponent, or is out of range. `-0` is 0.
    static func uint128(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt128? {
        guard count > 0 else { return nil }
        let isNegative = unsafe bytes[0] == .minus
        guard let magnitude = unsafe magnitude128(bytes + (isNegative ? 1 : 0), count &- (isNegative ? 1 : 0)) else {
            return nil
        }
        return isNegative && magnitude != 0 ? nil : magnitude
    }

    /// The integer that the lexeme equals, however it is spelled (`1.0`, `1e3`, `12.50e1`); nil if it is not an integer or is out
    /// of range.
    ///
    /// The work is one pass over the text and at most 39 digits, however large the exponent is.
    @inline(never)
    static func exactInteger(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int128? {
        unsafe DecimalLexeme(bytes, count)?.integer()
    }

    /// The value of a run of digits without a sign; nil if it does not fit 64 bits.
    @inline(__always)
    private static func magnitude64(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt64? {
        if count <= 8 {
            guard count > 0 else { return nil }
            let word = unsafe DigitWord(last: count, of: text)
            return word.isDigits ? word.value : nil
        }
        // Safe: the text has more than eight bytes, so both words below lie in it.
        let first = unsafe DigitWord(text)
        // The second word ends with the text; the digits that it shares with the first word are blanked.
        if count <= 16 {
            let second = unsafe DigitWord(text + (count &- 8)).keepingLast(count &- 8)
            guard first.marks | second.marks == 0 else { return nil }
            // Safe: at most 16 digits.
            return first.value &* PowersOfTen.small(count &- 8) &+ second.value
        }
        return unsafe longMagnitude64(text, count)
    }

    /// Reads 17 digits or more. Identifiers have 17 to 19 digits, which fit 64 bits.
    @inline(never)
    private static func longMagnitude64(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt64? {
        guard count <= 19 else {
            guard let magnitude = unsafe magnitude128(text, count) else { return nil }
            return UInt64(exactly: magnitude)
        }
        // Safe: callers have checked that there are more than sixteen bytes.
        let first = unsafe DigitWord(text)
        let second = unsafe DigitWord(text + 8)
        let third = unsafe DigitWord(text + (count &- 8)).keepingLast(count &- 16)
        guard first.marks | second.marks | third.marks == 0 else { return nil }
        return (first.value &* 100_000_000 &+ second.value) &* PowersOfTen.small(count &- 16) &+ third.value
    }

    @inline(never)
    private static func magnitude128(_ text: UnsafePointer<UInt8>, _ count: Int) -> UInt128? {
        guard count > 0 else { return nil }
        var index = 0
        var low: UInt64 = 0
        // 16 digits fit 64 bits; the rest is added in 128 bits, each step with an overflow check.
        let word = min(count, 16)
        while index < word {
            let digit = unsafe text[index] &- .digitZero
            guard digit <= 9 else { return nil }
            low = low &* 10 &+ UInt64(digit)
            index &+= 1
        }
        var magnitude = UInt128(low)
        while index < count {
            let digit = unsafe text[index] &- .digitZero
            guard digit <= 9, let next = appending(digit, to: magnitude) else { return nil }
            magnitude = next
            index &+= 1
        }
        return magnitude
    }

    @inline(__always)
    static func appending(_ digit: UInt8, to magnitude: UInt128) -> UInt128? {
        let (shifted, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, carry) = shifted.addingReportingOverflow(UInt128(digit))
        return overflow || carry ? nil : sum
    }

    static func signed(_ magnitude: UInt128, _ isNegative: Bool) -> Int128? {
        guard isNegative else { return Int128(exactly: magnitude) }
        guard magnitude <= 1 << 127 else { return nil }
        // Safe: at most 2^127, so wrapping negation gives the value, Int128.min included.
        return 0 &- Int128(truncatingIfNeeded: magnitude)
    }

    /// Reads the integer at the start of the text, and finds its end, in one pass; nil unless it has the common shape: at most 15
    /// digits, neither fraction nor exponent. The text must have 24 bytes from `start` on, so that words can be loaded freely.
    @inline(__always)
    static func leadingInt64(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> (value: Int64, end: UnsafePointer<UInt8>)? {
        guard unsafe end - start >= 24 else { return nil }
        let isNegative = unsafe start[0] == .minus
        // Safe: a sign and two words are 17 bytes, and there are at least 24.
        let digits = unsafe isNegative ? start + 1 : start
        let word = unsafe DigitWord(digits)
        var count = word.leadingDigits
        guard count > 0 else { return nil }
        var magnitude: UInt64
        if count < 8 {
            magnitude = word.keepingFirst(count).value
        } else {
            let more = unsafe DigitWord(digits + 8).leadingDigits
            guard more < 8 else { return nil }
            magnitude = word.value
            if more > 0 {
                // The last eight digits overlap the first word, so only its digits before the overlap count.
                magnitude = unsafe word.keepingFirst(more).value &* 100_000_000 &+ DigitWord(digits + more).value
            }
            count &+= more
        }
        let next = unsafe digits[count]
        // JSON allows no leading zero, and with a fraction or an exponent this is not an integer.
        if unsafe digits[0] == .digitZero && count > 1 || next == .point || next | 0x20 == .e { return nil }
        let value = Int64(truncatingIfNeeded: magnitude)
        return unsafe (isNegative ? 0 &- value : value, digits + count)
    }

    // MARK: Floats

    /// The double nearest to the lexeme, ties to even. Too large a number gives infinity, too small a one zero; `-0` keeps its sign.
    /// Nil only when the text is not a number.
    @inline(never)
    static func double(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Double? {
        unsafe nearest(bytes, count)
    }

    /// Reads the double at the start of the text, and finds its end, in one pass; nil unless it has the common shape: no exponent and
    /// at most 19 digits. The text must have 40 bytes from `start` on, so that words can be loaded freely.
    @inline(__always)
    static func leadingDouble(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> (value: Double, end: UnsafePointer<UInt8>)? {
        guard unsafe end - start >= 40 else { return nil }
        var address = unsafe start
        var sign = 0
        if unsafe address[0] == .minus {
            sign = 1
            unsafe address += 1
        }
        // Safe: `address` moves by at most 1 + 10 + 1 + 16 bytes, each load is of 8 bytes, and there are at least 40.
        var significand = unsafe UInt64(address[0] &- .digitZero)
        guard significand <= 9 else { return nil }
        let first = unsafe address
        unsafe address += 1
        if significand != 0 {
            while true {
                let digit = unsafe UInt64(address[0] &- .digitZero)
                if digit > 9 { break }
                significand = significand &* 10 &+ digit
                unsafe address += 1
                if unsafe address - first > 10 { return nil }
            }
        }
        let integerDigits = unsafe address - first
        guard unsafe address[0] == .point else {
            // An error (another digit after a leading zero), or an exponent.
            let next = unsafe address[0]
            if next &- .digitZero <= 9 || next | 0x20 == .e { return nil }
            return unsafe (signed(Double(significand), sign), address)
        }
        unsafe address += 1
        let word = unsafe DigitWord(address)
        var fractionDigits = word.leadingDigits
        if fractionDigits == 8 {
            significand = significand &* 100_000_000 &+ word.value
            let second = unsafe DigitWord(address + 8)
            let more = second.leadingDigits
            if more == 8 { return nil }
            if more > 0 { significand = significand &* PowersOfTen.small(more) &+ second.keepingFirst(more).value }
            fractionDigits = 8 &+ more
        } else {
            if fractionDigits == 0 { return nil }
            significand = significand &* PowersOfTen.small(fractionDigits) &+ word.keepingFirst(fractionDigits).value
        }
        unsafe address += fractionDigits
        guard integerDigits &+ fractionDigits <= 19, unsafe address[0] | 0x20 != .e else { return nil }
        if fractionDigits <= 22, significand &>> 53 == 0 {
            // Both operands are exact, so the one division rounds correctly (Clinger 1990).
            return unsafe (signed(Double(significand) / Double.power(fractionDigits), sign), address)
        }
        return unsafe (Double(bits: rounding(significand, 0 &- fractionDigits, Double.self), sign: sign), address)
    }

    /// The float nearest to the lexeme, rounded once (not by way of a double); limits as in `double`.
    @inline(never)
    static func float(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Float? {
        unsafe nearest(bytes, count)
    }

    @inline(__always)
    private static func nearest<Format: ParsedFloat>(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Format? {
        guard count > 1 else { return unsafe scanned(bytes, count) }
        // Test the sign and the first digit with a branch: the code after it need not wait for the comparison.
        var whole = unsafe UInt64(bytes[0] &- .digitZero)
        var sign = 0
        if whole > 9 {
            guard unsafe bytes[0] == .minus else { return nil }
            whole = unsafe UInt64(bytes[1] &- .digitZero)
            guard whole <= 9 else { return nil }
            sign = 1
        }
        let length = count &- sign
        if length <= 8 {
            guard let value: Format = unsafe short(bytes + sign, length) else { return unsafe scanned(bytes, count) }
            return signed(value, sign)
        }
        // The common shape: a point, no exponent and at most 19 digits, which fit 64 bits.
        guard length <= 20 else { return unsafe scanned(bytes, count) }
        // A loop that the branch predictor knows is faster than counting the digits of a word: the loads after it start at once.
        // Safe: at most 20 bytes; where all 20 are digits, the significand wraps but is not used.
        var index = sign &+ 1
        while index < count {
            let digit = unsafe UInt64(bytes[index] &- .digitZero)
            if digit > 9 { break }
            whole = whole &* 10 &+ digit
            index &+= 1
        }
        // Safe: 18 digits do not reach the sign bit.
        if index == count, length <= 18 { return signed(Format(integer: whole), sign) }
        guard index < count, unsafe bytes[index] == .point else { return unsafe scanned(bytes, count) }
        let fractionDigits = count &- index &- 1
        let end = unsafe bytes + count
        let significand: UInt64
        if fractionDigits > 8, fractionDigits <= 16 {
            // Safe: the fraction has at least nine bytes: one word at its start, and one at its end, in which the digits shared with the
            // first are blanked.
            let first = unsafe DigitWord(end - fractionDigits)
            let second = unsafe DigitWord(end - 8).keepingLast(fractionDigits &- 8)
            guard first.marks | second.marks == 0 else { return unsafe scanned(bytes, count) }
            significand = (whole &* 100_000_000 &+ first.value) &* PowersOfTen.small(fractionDigits &- 8) &+ second.value
        } else if fractionDigits <= 8 {
            guard fractionDigits > 0 else { return nil }
            // Safe: the text has more than eight bytes.
            let only = unsafe DigitWord(end - 8).keepingLast(fractionDigits)
            guard only.isDigits else { return unsafe scanned(bytes, count) }
            significand = whole &* PowersOfTen.small(fractionDigits) &+ only.value
            // As in `short`, the operands are usually exact in the format.
            if significand &>> (Format.storedBits &+ 1) == 0 {
                return signed(Format(integer: significand) / Format.power(fractionDigits), sign)
            }
        } else {
            guard let long = unsafe longFraction(end - fractionDigits, fractionDigits, whole) else {
                return unsafe scanned(bytes, count)
            }
            significand = long
        }
        return Format(bits: rounding(significand, 0 &- fractionDigits, Format.self), sign: sign)
    }

    /// The significand of a number whose fraction has 17 or 18 bytes; nil if one of them is not a digit.
    @inline(__always)
    private static func longFraction(_ fraction: UnsafePointer<UInt8>, _ count: Int, _ whole: UInt64) -> UInt64? {
        // Safe: two words at the start, and one at the end of the fraction, in which the digits shared with the others are blanked.
        let first = unsafe DigitWord(fraction)
        let second = unsafe DigitWord(fraction + 8)
        let third = unsafe DigitWord(fraction + count - 8).keepingLast(count &- 16)
        guard first.marks | second.marks | third.marks == 0 else { return nil }
        return (whole &* 10_000_000_000_000_000 &+ first.value &* 100_000_000 &+ second.value)
            &* PowersOfTen.small(count &- 16) &+ third.value
    }

    @inline(__always)
    private static func signed<Format: ParsedFloat>(_ value: Format, _ sign: Int) -> Format {
        sign == 0 ? value : -value
    }

    /// Reads a number of at most eight bytes without an exponent; nil for any other. Its digits are exact in the format, and so is
    /// the power of ten to divide by, so the one division rounds correctly (Clinger 1990, "How to Read Floating Point Numbers
    /// Accurately").
    @inline(__always)
    private static func short<Format: ParsedFloat>(_ text: UnsafePointer<UInt8>, _ length: Int) -> Format? {
        guard length > 0 else { return nil }
        let word = unsafe DigitWord(last: length, of: text)
        let marks = word.marks
        // Converting an integer rounds only once, so eight digits need not be exact in the format.
        if marks == 0 { return Format(integer: word.value) }
        let pointBit = marks & (0 &- marks)
        // There must be one mark, and it must be the point, with a digit on both sides.
        let address = marks.trailingZeroBitCount &>> 3
        guard marks == pointBit, address < 7, address > 8 &- length,
            UInt8(truncatingIfNeeded: word.bits &>> UInt64(8 &* address)) == .point ^ .digitZero
        else { return nil }
        let below = word.bits & (pointBit &>> 7 &- 1)
        let above = word.bits & (0 &- (pointBit << 1))
        let digits = DigitWord(bits: below << 8 | above)
        return Format(integer: digits.value) / Format.power(7 &- address)
    }

    /// Reads a lexeme of at most 19 digits word by word: long integers, exponents. Longer ones go to `careful`.
    @inline(never)
    private static func scanned<Format: ParsedFloat>(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Format? {
        let sign = unsafe count > 0 && bytes[0] == .minus ? 1 : 0
        var significand: UInt64 = 0
        let integerDigits = unsafe readDigits(bytes + sign, count &- sign, &significand)
        guard integerDigits > 0 else { return nil }
        var index = sign &+ integerDigits
        var fractionDigits = 0
        if index < count, unsafe bytes[index] == .point {
            fractionDigits = unsafe readDigits(bytes + (index &+ 1), count &- index &- 1, &significand)
            guard fractionDigits > 0 else { return nil }
            index &+= 1 &+ fractionDigits
        }
        guard let exponent = unsafe readExponent(bytes + index, count &- index) else { return nil }
        // With more than 19 digits the significand has wrapped.
        if integerDigits &+ fractionDigits > 19 { return unsafe careful(bytes, count) }
        return Format(bits: rounding(significand, exponent &- fractionDigits, Format.self), sign: sign)
    }

    /// Appends the digits at the start of the text to a significand, and returns their count.
    @inline(__always)
    private static func readDigits(_ text: UnsafePointer<UInt8>, _ count: Int, _ significand: inout UInt64) -> Int {
        var index = 0
        while count &- index >= 8 {
            let word = unsafe DigitWord(text + index)
            guard word.isDigits else { break }
            significand = significand &* 100_000_000 &+ word.value
            index &+= 8
        }
        while index < count {
            let digit = unsafe UInt64(text[index] &- .digitZero)
            if digit > 9 { break }
            significand = significand &* 10 &+ digit
            index &+= 1
        }
        return index
    }

    /// The value of `(e|E)[+-]digits`, 0 for empty text, nil for any other. From 2^55 on the value no longer grows, and it stays below
    /// 2^59: no count of digits can bring such a number back into range.
    @inline(__always)
    static func readExponent(_ text: UnsafePointer<UInt8>, _ count: Int) -> Int? {
        if count == 0 { return 0 }
        // 0x20 folds the case of a letter.
        guard count > 1, unsafe text[0] | 0x20 == .e else { return nil }
        let isBelow = unsafe text[1] == .minus
        let first = unsafe isBelow || text[1] == .plus ? 2 : 1
        guard first < count else { return nil }
        var exponent = 0
        for index in first..<count {
            let digit = unsafe text[index] &- .digitZero
            guard digit <= 9 else { return nil }
            if exponent < 1 &<< 55 { exponent = exponent &* 10 &+ Int(digit) }
        }
        return isBelow ? 0 &- exponent : exponent
    }

    /// Reads a lexeme of any length, digit by digit.
    @inline(never)
    private static func careful<Format: ParsedFloat>(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Format? {
        guard let lexeme = unsafe DecimalLexeme(bytes, count) else { return nil }
        // 19 digits always fit 64 bits.
        var index = lexeme.significant.lowerBound
        let end = min(index &+ 19, lexeme.significant.upperBound)
        var significand: UInt64 = 0
        while index < end {
            significand = significand &* 10 &+ UInt64(lexeme.known(index))
            index &+= 1
        }
        let exponent = lexeme.point &- index
        let bits = rounding(significand, exponent, Format.self)
        // The remaining digits put the value between this significand and the next. If both round to the same float, so does the
        // value.
        if index < lexeme.significant.upperBound, bits != rounding(significand &+ 1, exponent, Format.self) {
            return unsafe standardLibrary(bytes, count)
        }
        return Format(bits: bits, sign: lexeme.isNegative ? 1 : 0)
    }

    /// For the one number in a few quintillion whose first 19 digits lie next to the middle between two floats. The standard library's
    /// conversion rounds correctly for any length and does not depend on the locale.
    @inline(never)
    private static func standardLibrary<Format: ParsedFloat>(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Format? {
        Format(unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    }

    /// Breaks a tie to even. Not inlined, so that the caller has a branch that is hardly ever taken.
    @inline(never)
    private static func tieBroken(_ bits: UInt64, _ isTie: Bool) -> UInt64 { isTie && bits & 3 == 1 ? bits & ~1 : bits }

    /// The bits of the float nearest to significand × 10^exponent, by Eisel–Lemire. The numbers are the steps in section 5 of the
    /// paper.
    @inline(__always)
    private static func rounding<Format: ParsedFloat>(_ significand: UInt64, _ exponent: Int, _: Format.Type) -> UInt64 {
        // 1–2. Outside this range of exponents every 19-digit significand gives zero or infinity.
        if significand == 0 || exponent < Format.leastPower { return 0 }
        if exponent > Format.greatestPower { return Format.infinityBits }
        // 3–5. Multiply by the first 64 bits of the power. The other 64 bits matter only if the bits to be rounded off are all ones.
        let zeros = significand.leadingZeroBitCount
        let normalized = significand &<< UInt64(truncatingIfNeeded: zeros)
        let power = PowersOfTen.significand(exponent)
        var (high, low) = normalized.multipliedFullWidth(by: power.high)
        let rest = UInt64.max &>> (Format.storedBits &+ 3)
        if high & rest == rest {
            let more = normalized.multipliedFullWidth(by: power.low).high
            let (sum, carry) = low.addingReportingOverflow(more)
            low = sum
            if carry { high &+= 1 }
        }
        // 6–7. Keep the stored bits, the hidden bit and one bit for rounding; compute the biased exponent.
        let upper = high &>> 63
        let shift = upper &+ 61 &- Format.storedBits
        var bits = high &>> shift
        // Safe: the significand is not zero and the exponent is in the table, so every term is below 2^12.
        let biased = PowersOfTen.binaryExponent(exponent) &+ 63 &+ Int(truncatingIfNeeded: upper) &- zeros &+ Format.bias
        if biased <= 0 {
            // 8. Subnormal or zero: the hidden bit moves down into the fraction. No tie is possible here with 19 digits.
            if biased < -62 { return 0 }
            bits &>>= UInt64(truncatingIfNeeded: 1 &- biased)
            // Rounding up to the least normal number sets the exponent's first bit automatically.
            return (bits &+ (bits & 1)) &>> 1
        }
        // 9. Exactly in the middle, which happens only with small powers of five: round to even, that is, do not round up an even one.
        if low <= 1 { bits = tieBroken(bits, high == bits &<< shift && Format.tiePowers.contains(exponent)) }
        // 10. Round up. Adding the hidden bit adds one to the exponent; if all bits were ones, the carry adds another.
        bits = (bits &+ (bits & 1)) &>> 1
        bits &+= UInt64(truncatingIfNeeded: biased &- 1) &<< Format.storedBits
        return min(bits, Format.infinityBits)
    }
}

/// The properties of a binary format that parsing needs.
private protocol ParsedFloat: BinaryFloatingPoint, LosslessStringConvertible {
    /// Fraction bits.
    static var storedBits: UInt64 { get }
    static var bias: Int { get }
    static var infinityBits: UInt64 { get }
    /// Below and above these powers of ten, every number of 19 digits becomes zero or infinity.
    static var leastPower: Int { get }
    static var greatestPower: Int { get }
    /// The powers of ten at which a value of 64 bits can lie in the middle between two floats (section 8.1 of the paper).
    static var tiePowers: ClosedRange<Int> { get }
    init(bits: UInt64, sign: Int)
    init(integer: UInt64)
    /// 10^exponent, exactly; the exponent is 0...22 for `Double`, 0...10 for `Float`.
    static func power(_ exponent: Int) -> Self
}

extension Double: ParsedFloat {
    @inline(__always) fileprivate static var storedBits: UInt64 { 52 }
    @inline(__always) fileprivate static var bias: Int { 1023 }
    @inline(__always) fileprivate static var infinityBits: UInt64 { 0x7FF0_0000_0000_0000 }
    @inline(__always) fileprivate static var leastPower: Int { -342 }
    @inline(__always) fileprivate static var greatestPower: Int { 308 }
    @inline(__always) fileprivate static var tiePowers: ClosedRange<Int> { -4...23 }
    @inline(__always) fileprivate init(bits: UInt64, sign: Int) {
        self.init(bitPattern: bits | UInt64(truncatingIfNeeded: sign) &<< 63)
    }
    // Safe: signed conversion takes one instruction, and callers pass at most 18 digits or a power of ten below 2^63.
    @inline(__always) fileprivate init(integer: UInt64) { self.init(Int64(truncatingIfNeeded: integer)) }
    @inline(__always) fileprivate static func power(_ exponent: Int) -> Double {
        Double(integer: PowersOfTen.small(exponent))
    }
}

extension Float: ParsedFloat {
    @inline(__always) fileprivate static var storedBits: UInt64 { 23 }
    @inline(__always) fileprivate static var bias: Int { 127 }
    @inline(__always) fileprivate static var infinityBits: UInt64 { 0x7F80_0000 }
    @inline(__always) fileprivate static var leastPower: Int { -64 }
    @inline(__always) fileprivate static var greatestPower: Int { 38 }
    @inline(__always) fileprivate static var tiePowers: ClosedRange<Int> { -17...10 }
    @inline(__always) fileprivate init(bits: UInt64, sign: Int) {
        self.init(bitPattern: UInt32(truncatingIfNeeded: bits) | UInt32(truncatingIfNeeded: sign) &<< 31)
    }
    @inline(__always) fileprivate init(integer: UInt64) { self.init(Int64(truncatingIfNeeded: integer)) }
    @inline(__always) fileprivate static func power(_ exponent: Int) -> Float {
        Float(integer: PowersOfTen.small(exponent))
    }
}
