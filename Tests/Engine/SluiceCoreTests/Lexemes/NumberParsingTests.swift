import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Numbers are compared with the C library and the Swift standard library, two other implementations, and with decimals
/// worked out here by long multiplication where both could share a mistake.
@Suite struct NumberParsingTests {
    // MARK: Integers

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("42", 42), ("100", 100), ("1234567", 1_234_567), ("12345678", 12_345_678),
        ("123456789", 123_456_789), ("-1234567890123456", -1_234_567_890_123_456),
        ("12345678901234567", 12_345_678_901_234_567),
        ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("007", 7),
        ("000000000000000000000000000012", 12),
    ])
    func integerReadsExactly(_ text: String, _ value: Int64) {
        #expect(int64(text) == value)
        #expect(int128(text) == Int128(value))
        #expect(uint64(text) == UInt64(exactly: value))
        #expect(exactInteger(text) == Int128(value))
    }

    @Test func integersOfEveryLengthReadBack() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let value = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
            #expect(int64("\(value)") == value)
            #expect(uint64("\(value.magnitude)") == value.magnitude)
            let wide = Int128(value) * Int128(Int64(bitPattern: random.next()))
            #expect(int128("\(wide)") == wide)
            #expect(uint128("\(wide.magnitude)") == wide.magnitude)
            #expect(exactInteger("\(wide)") == wide)
        }
    }

    @Test func integerOutsideItsTypeIsNil() {
        #expect(int64("9223372036854775808") == nil)
        #expect(int64("-9223372036854775809") == nil)
        #expect(int64("99999999999999999999999") == nil)
        #expect(uint64("18446744073709551615") == UInt64.max)
        #expect(uint64("18446744073709551616") == nil)
        #expect(uint64("28446744073709551616") == nil)
        #expect(uint64("-1") == nil)
        #expect(uint64("-0") == 0)
        #expect(int128("\(Int128.max)") == Int128.max)
        #expect(int128("\(Int128.min)") == Int128.min)
        #expect(int128("170141183460469231731687303715884105728") == nil)
        #expect(int128("-170141183460469231731687303715884105729") == nil)
        #expect(uint128("\(UInt128.max)") == UInt128.max)
        #expect(uint128("340282366920938463463374607431768211456") == nil)
        #expect(uint128("-5") == nil)
        #expect(uint128("-0") == 0)
        #expect(exactInteger("\(Int128.min)") == Int128.min)
        #expect(exactInteger("170141183460469231731687303715884105728") == nil)
    }

    @Test(arguments: ["1.0", "1e3", "1E3", "-1.5", "0.0", "10e-1"])
    func integerWithFractionOrExponentSyntaxIsNotTheFastPath(_ text: String) {
        #expect(int64(text) == nil)
        #expect(uint64(text) == nil)
        #expect(int128(text) == nil)
        #expect(uint128(text) == nil)
    }

    @Test func exactIntegerReadsEverySpellingOfAnInteger() {
        let spellings: [(String, Int128)] = [
            ("1.0", 1), ("1e3", 1000), ("12.50e1", 125), ("-12.5e1", -125), ("1200e-2", 12), ("0.0", 0), ("-0.0e5", 0),
            ("0e999999999999", 0),
            ("0.0001e4", 1), ("1e+05", 100_000), ("1" + String(repeating: "0", count: 5000) + "e-5000", 1),
            ("0." + String(repeating: "0", count: 5000) + "7e5001", 7),
            ("1e38", 100_000_000_000_000_000_000_000_000_000_000_000_000),
            ("1.70141183460469231731687303715884105727e38", Int128.max),
        ]
        for (text, value) in spellings { #expect(exactInteger(text) == value, "\(text.prefix(40))") }
    }

    @Test(arguments: [
        "1.5", "1e-1", "0.1", "1e39", "1e99999999999999999999999999", "1e-99999999999999999999999999", "12e-2", "1.", "e5",
    ])
    func exactIntegerRefusesFractionsAndExcess(_ text: String) {
        #expect(exactInteger(text) == nil)
    }

    // MARK: Doubles

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func everyCanadaNumberEqualsStrtod() throws {
        let lexemes = try numberLexemes(in: Corpus.bytes("canada.json"))
        #expect(lexemes.count == 111_126)
        for lexeme in lexemes { expectLikeC(lexeme) }
    }

    @Test func randomBitPatternsReadBackFromBothPrintedForms() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<60_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            for text in [value.description, printed("%.17g", value)] {
                if double(text)?.bitPattern != value.bitPattern {
                    Issue.record("\(text) read as \(String(describing: double(text)))")
                }
            }
        }
    }

    @Test func randomDecimalsEqualStrtodAndSwift() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<80_000 {
            var text = random.next() % 2 == 0 ? "-" : ""
            text += random.digits(1...12, leadingZero: false)
            if random.next() % 4 != 0 { text += "." + random.digits(1...14, leadingZero: true) }
            if random.next() % 2 == 0 { text += "e\(Int(random.next() % 680) - 350)" }
            expectLikeC(text)
        }
    }

    @Test func numbersOfEveryLengthEqualStrtod() {
        var random = SplitMix64(seed: 4)
        for length in 1...800 {
            let digits = random.digits(length...length, leadingZero: false)
            expectLikeC(digits)
            expectLikeC(digits + "e-\(length)")
            expectLikeC("-0.\(digits)")
            expectLikeC("0.000\(digits)e\(Int(random.next() % 600) - 300)")
            let cut = digits.index(digits.startIndex, offsetBy: 1 + Int(random.next() % UInt64(length)))
            if cut < digits.endIndex { expectLikeC("\(digits[..<cut]).\(digits[cut...])") }
        }
    }

    @Test func decimalsInTheMiddleBetweenTwoDoublesRoundToEven() {
        var random = SplitMix64(seed: 5)
        for round in 0..<400 {
            // 0 is the middle below the least subnormal.
            let lower = round == 0 ? 0 : random.next() % 0x7FEF_FFFF_FFFF_FFFF
            let biased = Int(lower >> 52)
            let significand = lower & 0xF_FFFF_FFFF_FFFF | (biased == 0 ? 0 : 1 << 52)
            let middle = ExactDecimal(significand * 2 + 1, times2ToThe: max(biased, 1) - 1076)
            let even = Double(bitPattern: lower + lower % 2)
            #expect(double(middle.text)?.bitPattern == even.bitPattern, "\(middle.text.prefix(40))")
            #expect(double(middle.textALittleAbove)?.bitPattern == lower + 1)
            #expect(double(middle.textALittleBelow)?.bitPattern == lower)
            expectLikeC(middle.text)
        }
    }

    @Test func shortDecimalsInTheMiddleRoundToEven() {
        // Ties within 64 bits are decided without the digits: 2^53 + 1 and its like, and 5^n fractions.
        for text in [
            "9007199254740993", "9007199254740995", "18014398509481986", "18014398509481990", "9007199254740993e1",
            "9007199254740993e0",
            "4503599627370496.5", "4503599627370497.5", "2251799813685248.25", "2251799813685248.75", "1125899906842624.125",
            "1125899906842624.375", "562949953421312.0625", "562949953421312.1875", "9007199254740993000",
            "900719925474099300e-2",
            "8.5899346590000000e9", "36893488147419107329", "36893488147419107328",
        ] {
            expectLikeC(text)
            expectLikeC("-" + text)
        }
    }

    @Test func theEndsOfTheRangeReadAsTheyShould() {
        let cases: [(String, UInt64)] = [
            ("1.7976931348623157e308", Double.greatestFiniteMagnitude.bitPattern),
            ("1.7976931348623158e308", Double.greatestFiniteMagnitude.bitPattern),
            ("1.7976931348623159e308", Double.infinity.bitPattern),
            ("-1e309", (-Double.infinity).bitPattern), ("1e99999999999999999999999999", Double.infinity.bitPattern),
            ("2.2250738585072014e-308", Double.leastNormalMagnitude.bitPattern),
            ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
            ("5e-324", 1), ("4.9406564584124654e-324", 1), ("2.4703282292062328e-324", 1), ("2.4703282292062327e-324", 0),
            ("1e-400", 0), ("-1e-400", 1 << 63), ("1e-99999999999999999999999999", 0), ("0", 0), ("-0", 1 << 63),
            ("-0.0", 1 << 63),
            ("-0e5", 1 << 63), ("0.000000000000", 0), ("-0.0000000000000000000000000", 1 << 63), ("0e99999", 0),
        ]
        for (text, bits) in cases { #expect(double(text)?.bitPattern == bits, "\(text.prefix(40))") }
        // 2^1024 - 2^970, the middle between the greatest double and what would be the next.
        let end = ExactDecimal((1 << 54) - 1, times2ToThe: 970)
        #expect(double(end.textALittleBelow) == Double.greatestFiniteMagnitude)
        #expect(double(end.text) == .infinity)
        #expect(double(end.textALittleAbove) == .infinity)
        #expect(float("340282356779733661637539395458142568447") == Float.greatestFiniteMagnitude)
        #expect(float("340282356779733661637539395458142568448") == .infinity)
    }

    @Test func longExponentsAndLongRunsOfZerosCancel() {
        let zeros = String(repeating: "0", count: 5000)
        #expect(double("1e" + zeros + "5") == 1e5)
        #expect(double("1e-" + zeros + "5") == 1e-5)
        #expect(double("1e" + String(repeating: "9", count: 5000)) == .infinity)
        #expect(double("1e-" + String(repeating: "9", count: 5000)) == 0)
        #expect(double("1" + zeros + "e-5000") == 1)
        #expect(double("0." + zeros + "25e5001") == 2.5)
        #expect(double(zeros + "12.5") == 12.5)
        #expect(double("1" + zeros) == .infinity)
        #expect(double("0." + zeros + "1") == 0)
        #expect(double("3.25" + zeros) == 3.25)
    }

    @Test func eightByteBoundariesAreSeamless() {
        // Every split of 1...19 digits by a point goes through another combination of words.
        let digits = "9182736450192837465"
        for length in 1...19 {
            let some = String(digits.prefix(length))
            expectLikeC(some)
            for point in 1..<max(length, 2) where point < length {
                let cut = some.index(some.startIndex, offsetBy: point)
                for sign in ["", "-"] {
                    for tail in ["", "e3", "E-07"] { expectLikeC("\(sign)\(some[..<cut]).\(some[cut...])\(tail)") }
                }
            }
        }
    }

    // MARK: Floats

    @Test func floatsReadBackFromTheirDescription() {
        for bits in stride(from: UInt32(0), to: UInt32.max - 200_000, by: 171_717) {
            let value = Float(bitPattern: bits)
            guard value.isFinite else { continue }
            if float(value.description)?.bitPattern != bits { Issue.record("\(value)") }
        }
    }

    @Test func floatsAreRoundedOnce() {
        // Just off the middle between two floats: as doubles these are the middle, and rounding again goes the wrong way.
        #expect(float("1.000000178813934326171874")?.bitPattern == 0x3F80_0001)
        #expect(float("1.000000178813934326171875")?.bitPattern == 0x3F80_0002)
        #expect(float("1.000000178813934326171876")?.bitPattern == 0x3F80_0002)
        #expect(float("1.00000017881393432617187499")?.bitPattern == 0x3F80_0001)
        #expect(Float(double("1.00000017881393432617187499")!).bitPattern == 0x3F80_0002)
        var random = SplitMix64(seed: 6)
        for _ in 0..<2000 {
            let lower = UInt32(random.next() % 0x7F7F_FFFF)
            let biased = Int(lower >> 23)
            let significand = UInt64(lower & 0x7F_FFFF) | (biased == 0 ? 0 : 1 << 23)
            let middle = ExactDecimal(significand * 2 + 1, times2ToThe: max(biased, 1) - 151)
            #expect(float(middle.text)?.bitPattern == lower + lower % 2, "\(middle.text)")
            #expect(float(middle.textALittleAbove)?.bitPattern == lower + 1)
            #expect(float(middle.textALittleBelow)?.bitPattern == lower)
        }
    }

    @Test func randomDecimalsReadAsFloatsLikeStrtof() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<40_000 {
            var text = random.digits(1...10, leadingZero: false) + "."
            text += random.digits(1...12, leadingZero: true) + "e\(Int(random.next() % 120) - 70)"
            if float(text)?.bitPattern != cFloat(text).bitPattern { Issue.record("\(text)") }
        }
        #expect(float("3.4028235e38") == Float.greatestFiniteMagnitude)
        #expect(float("3.4028236e38") == .infinity)
        #expect(float("-1e39") == -.infinity)
        #expect(float("1e-45")?.bitPattern == 1)
        #expect(float("7e-46") == 0)
        #expect(float("-0.0")?.bitPattern == 0x8000_0000)
    }

    // MARK: Robustness

    @Test(arguments: [
        "", "-", "+1", "--1", ".5", "-.5", "1.", "1.e5", "1e", "1e+", "1e-", "1e5.", "1e5x", "x", "1x", "1..2", "1.2.3",
        "12345678.", "123456789.",
        "1234567890123456789012.", "1.23456789x", "1.234567890123456x", "1.23456789012345678x", "12345678x",
        "1234567890123456x", "nan", "inf",
        "Infinity", "0x10", "1,5", " 1", "1 ", "1e5e5", "1-2", "1.-2", "123456789e", "1\u{0}", "-1234567.8-", "１",
    ])
    func malformedLexemesAreNil(_ text: String) {
        #expect(double(text) == nil)
        #expect(float(text) == nil)
        #expect(int64(text) == nil)
        #expect(uint64(text) == nil)
        #expect(int128(text) == nil)
        #expect(uint128(text) == nil)
        #expect(exactInteger(text) == nil)
    }

    @Test func whatIsANumberIsDecidedByTheGrammarAlone() {
        var random = SplitMix64(seed: 8)
        let alphabet = Array("0123456789012345678901234567890123456789..eE+-/:\u{1}~".utf8)
        var accepted = 0
        for _ in 0..<60_000 {
            let bytes = (0..<Int(1 + random.next() % 26)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
            let text = String(decoding: bytes, as: UTF8.self)
            let isNumber = isNumberLexeme(bytes)
            accepted += isNumber ? 1 : 0
            if (double(text) != nil) != isNumber { Issue.record("\(text)") }
            if (float(text) != nil) != isNumber { Issue.record("\(text)") }
            if !isNumber && (int64(text) != nil || exactInteger(text) != nil) { Issue.record("\(text)") }
            if isNumber { expectLikeC(text) }
        }
        #expect(accepted > 5000 && accepted < 55_000)
    }

    @Test func nothingOutsideTheLexemeIsRead() throws {
        // A page on either side that must not be touched: a stray read ends the process.
        let page = try GuardedPage()
        let digits = "-9182736450192837.465019283746501928e-17"
        for text in (1...digits.count).map({ String(digits.prefix($0)) }) + [
            "12", "1.5", "1234567.8", "0.25", "12345678", "123456789",
        ] {
            for isAtStart in [true, false] {
                let bytes = unsafe isAtStart ? page.atStart(text) : page.atEnd(text)
                let count = text.utf8.count
                let value = unsafe NumberParsing.double(bytes, count)
                #expect(value?.bitPattern == (isNumberLexeme(Array(text.utf8)) ? cDouble(text).bitPattern : nil))
                let single = unsafe NumberParsing.float(bytes, count)
                #expect((single != nil) == (value != nil))
                #expect(unsafe NumberParsing.int64(bytes, count) == Int64(text))
                #expect(unsafe NumberParsing.int128(bytes, count) == Int128(text))
                #expect(unsafe NumberParsing.uint128(bytes, count) == UInt128(text))
                if let whole = Int128(text) { #expect(unsafe NumberParsing.exactInteger(bytes, count) == whole) }
            }
        }
    }
}

// MARK: - Calls

private func double(_ text: String) -> Double? { unsafe call(text) { unsafe NumberParsing.double($0, $1) } }
private func float(_ text: String) -> Float? { unsafe call(text) { unsafe NumberParsing.float($0, $1) } }
private func int64(_ text: String) -> Int64? { unsafe call(text) { unsafe NumberParsing.int64($0, $1) } }
private func uint64(_ text: String) -> UInt64? { uint128(text).flatMap { UInt64(exactly: $0) } }
private func int128(_ text: String) -> Int128? { unsafe call(text) { unsafe NumberParsing.int128($0, $1) } }
private func uint128(_ text: String) -> UInt128? { unsafe call(text) { unsafe NumberParsing.uint128($0, $1) } }
private func exactInteger(_ text: String) -> Int128? { unsafe call(text) { unsafe NumberParsing.exactInteger($0, $1) } }

private func call<Value>(_ text: String, _ read: (UnsafePointer<UInt8>, Int) -> Value?) -> Value? {
    var text = text
    return text.withUTF8 { bytes in
        guard let base = bytes.baseAddress else { return nil }
        return unsafe read(base, bytes.count)
    }
}

/// strtod in the C locale, which no test process leaves, and Swift's own conversion must both agree to the last bit.
private func expectLikeC(_ text: String, _ location: SourceLocation = #_sourceLocation) {
    let value = double(text)
    // Swift refuses nothing that is a number; it would refuse leading zeros no more than strtod does.
    if value?.bitPattern != cDouble(text).bitPattern || value?.bitPattern != Double(text)?.bitPattern {
        Issue.record("\(text.prefix(60)) read as \(String(describing: value))", sourceLocation: location)
    }
}

private func cDouble(_ text: String) -> Double { unsafe strtod(text, nil) }
private func cFloat(_ text: String) -> Float { unsafe strtof(text, nil) }

private func printed(_ format: String, _ value: Double) -> String {
    String(format: format, value)
}

/// The grammar once more, by hand: `-?digits[.digits][(e|E)[+-]digits]`.
private func isNumberLexeme(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    func eat(_ set: String) -> Bool {
        guard let first = rest.first, set.utf8.contains(first) else { return false }
        rest.removeFirst()
        return true
    }
    func eatDigits() -> Bool {
        guard eat("0123456789") else { return false }
        while eat("0123456789") {}
        return true
    }
    _ = eat("-")
    guard eatDigits() else { return false }
    if eat(".") { guard eatDigits() else { return false } }
    if eat("eE") {
        _ = eat("+-")
        guard eatDigits() else { return false }
    }
    return rest.isEmpty
}

// MARK: - Material

extension SplitMix64 {
    fileprivate mutating func digits(_ counts: ClosedRange<Int>, leadingZero: Bool) -> String {
        let count = counts.lowerBound + Int(next() % UInt64(counts.count))
        var bytes = (0..<count).map { _ in UInt8(0x30 + next() % 10) }
        if !leadingZero && bytes[0] == 0x30 { bytes[0] = 0x31 }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A binary fraction in full, by long multiplication: significand × 2^exponent has a finite decimal expansion, as 2^-n is
/// 5^n × 10^-n.
private struct ExactDecimal {
    /// Least significant digit first.
    private var digits: [UInt8]
    private let exponent: Int

    init(_ significand: UInt64, times2ToThe exponent: Int) {
        // Nine digits to a limb.
        var limbs: [UInt64] = []
        var rest = significand
        while rest > 0 {
            limbs.append(rest % 1_000_000_000)
            rest /= 1_000_000_000
        }
        func multiply(by factor: UInt64) {
            var carry: UInt64 = 0
            for index in limbs.indices {
                let product = limbs[index] * factor + carry
                limbs[index] = product % 1_000_000_000
                carry = product / 1_000_000_000
            }
            if carry > 0 { limbs.append(carry) }
        }
        var left = abs(exponent)
        while left > 0 {
            let step = min(left, 12)
            multiply(by: exponent > 0 ? 1 << UInt64(step) : (0..<step).reduce(1) { product, _ in product * 5 })
            left -= step
        }
        digits = []
        for limb in limbs {
            var limb = limb
            for _ in 0..<9 {
                digits.append(UInt8(limb % 10))
                limb /= 10
            }
        }
        while digits.last == 0 { digits.removeLast() }
        self.exponent = min(exponent, 0)
    }

    var text: String { spell(digits) + "e\(exponent)" }
    var textALittleAbove: String { spell(digits) + "00000000001e\(exponent - 11)" }
    var textALittleBelow: String {
        // One less in the last place, and nines after it.
        var less = digits
        var index = 0
        while less[index] == 0 {
            less[index] = 9
            index += 1
        }
        less[index] -= 1
        return spell(less) + "99999999999e\(exponent - 11)"
    }

    private func spell(_ digits: [UInt8]) -> String {
        String(decoding: digits.reversed().map { $0 + 0x30 }, as: UTF8.self)
    }
}

/// A page of memory between two that cannot be read.
@safe
private final class GuardedPage {
    private let base: UnsafeMutableRawPointer
    private let size = Int(sysconf(Int32(_SC_PAGESIZE)))

    init() throws {
        let flags = MAP_PRIVATE | MAP_ANON
        let memory = unsafe mmap(nil, 3 * size, PROT_READ | PROT_WRITE, flags, -1, 0)
        try #require(unsafe memory != MAP_FAILED)
        unsafe base = unsafe try #require(memory)
        try #require(unsafe mprotect(base, size, PROT_NONE) == 0)
        try #require(unsafe mprotect(base + 2 * size, size, PROT_NONE) == 0)
    }

    deinit { unsafe _ = munmap(base, 3 * size) }

    func atStart(_ text: String) -> UnsafePointer<UInt8> { unsafe store(text, at: base + size) }
    func atEnd(_ text: String) -> UnsafePointer<UInt8> { unsafe store(text, at: base + 2 * size - text.utf8.count) }

    private func store(_ text: String, at start: UnsafeMutableRawPointer) -> UnsafePointer<UInt8> {
        unsafe start.copyMemory(from: Array(text.utf8), byteCount: text.utf8.count)
        return unsafe UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
    }
}

/// Everything between structural characters that begins like a number; the file has no number inside a string.
private func numberLexemes(in bytes: [UInt8]) -> [String] {
    let separators: Set<UInt8> = [0x5B, 0x5D, 0x2C, 0x3A, 0x7B, 0x7D, 0x20, 0x0A]
    return bytes.split { separators.contains($0) }
        .filter { $0.first == 0x2D || (0x30...0x39).contains($0.first ?? 0) }
        .map { String(decoding: $0, as: UTF8.self) }
}
