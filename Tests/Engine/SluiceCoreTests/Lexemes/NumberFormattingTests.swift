import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// What is written must read back as the same bits by strtod, and have the digits of Swift's `description`, which are the
/// shortest and closest.
@Suite struct NumberFormattingTests {
    // MARK: Form

    @Test(
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (-1, "-1"), (43, "43"), (1.5, "1.5"), (0.1, "0.1"), (0.3, "0.3"),
            (100_000, "100000"), (1e15, "1000000000000000"),
            (123_456_789, "123456789"), (1e20, "100000000000000000000"),
            (Double("123456789012345680000")!, "123456789012345680000"), (1e21, "1e+21"),
            (1.5e21, "1.5e+21"), (1e22, "1e+22"), (1e100, "1e+100"), (0.000_001, "0.000001"), (0.000_001_25, "0.00000125"),
            (1e-7, "1e-7"),
            (1.5e-10, "1.5e-10"), (-1.25e-7, "-1.25e-7"), (.leastNonzeroMagnitude, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (2.225_073_858_507_201_4e-308, "2.2250738585072014e-308"), (9_007_199_254_740_991, "9007199254740991"),
            (9_007_199_254_740_992, "9007199254740992"), (9_007_199_254_740_994, "9007199254740994"),
            (1_508_305_864.550_1, "1508305864.5501"),
            (4_503_599_627_370_495.5, "4503599627370495.5"), (12_345_678.5, "12345678.5"), (1_234_567.5, "1234567.5"),
            (-65.613_616_999_999_977, "-65.61361699999998"),
            (333_333_333.333_333_29, "333333333.3333333"), (0.5, "0.5"), (0.25, "0.25"), (1024.0625, "1024.0625"),
            (0x1p68, "295147905179352830000"),
        ] as [(Double, String)])
    func doubleHasTheFormOfECMAScript(_ value: Double, _ text: String) {
        #expect(written(value) == text)
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (16_777_216, "16777216"), (33_554_432, "33554432"),
            (3.402_823_5e38, "3.4028235e+38"),
            (.leastNonzeroMagnitude, "1e-45"), (0.000_001, "0.000001"), (1e-7, "1e-7"), (1e20, "100000000000000000000"),
            (1e21, "1e+21"), (3.141_592_7, "3.1415927"),
        ] as [(Float, String)])
    func floatHasItsOwnShortestDigits(_ value: Float, _ text: String) {
        #expect(written(value) == text)
    }

    @Test func whatIsNotFiniteWritesNothing() {
        for value in [Double.infinity, -.infinity, .nan, .signalingNaN] { #expect(written(value) == "") }
        for value in [Float.infinity, -.infinity, .nan, .signalingNaN] { #expect(written(value) == "") }
    }

    // MARK: Doubles

    @Test func randomDoublesReadBackAndAreShortest() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<60_000 { expectShortest(Double(bitPattern: random.next())) }
    }

    @Test func everydayDoublesReadBackAndAreShortest() {
        var random = SplitMix64(seed: 12)
        for _ in 0..<20_000 {
            let unit = Double(random.next() >> 11) * 0x1p-53
            expectShortest(unit)
            expectShortest(unit * 360 - 180)
            // Few digits, as prices and measurements have.
            expectShortest(Double(random.next() % 10_000_000) / [10, 100, 1000, 10_000][Int(random.next() % 4)])
            expectShortest(Double(random.next() >> (random.next() % 64)))
        }
    }

    @Test func doublesAroundEveryPowerReadBackAndAreShortest() {
        for exponent in -1074...1023 {
            // Below a power of two the neighbour is half as far.
            let power = Double(sign: .plus, exponent: exponent, significand: 1)
            for value in [power, power.nextUp, power.nextDown, power * 3] where value.isFinite { expectShortest(value) }
        }
        for exponent in -323...308 {
            let power = Double("1e\(exponent)")!
            for value in [power, power.nextUp, power.nextDown, power * 7, -power] where value.isFinite {
                expectShortest(value)
            }
        }
        for bits in 1...3000 as ClosedRange<UInt64> { expectShortest(Double(bitPattern: bits)) }
        for bits in 0...3000 as ClosedRange<UInt64> { expectShortest(Double(bitPattern: 0x7FEF_FFFF_FFFF_FFFF - bits)) }
    }

    @Test func doublesWhoseBoundsAreDecimalsAreShortest() {
        // The middle to a neighbour, or the double itself, lies exactly on a short decimal: large integers, and fractions
        // ending in 5.
        var random = SplitMix64(seed: 13)
        for _ in 0..<20_000 {
            let significand = random.next() >> 11 | 1 << 52
            expectShortest(Double(significand) * Double(UInt64(1) << (1 + random.next() % 20)))
            expectShortest(Double(significand) / Double(UInt64(1) << (1 + random.next() % 5)))
            // Multiples of 5^n up to 5^22 are exact, and a half of one.
            expectShortest(Double(random.next() % 1000) * 2_384_185_791_015_625 * Double(UInt64(1) << (random.next() % 8)))
        }
        for text in [
            "9007199254740993e3", "5e22", "1e23", "9e15", "2251799813685248.25", "2251799813685248.75", "4503599627370497.5",
        ] {
            expectShortest(Double(text)!)
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not there"))
    func everyCanadaNumberSurvivesTheRoundTrip() throws {
        let numbers = try String(decoding: Corpus.bytes("canada.json"), as: UTF8.self).split { !"-+.eE0123456789".contains($0) }
            .compactMap { Double($0) }
        #expect(numbers.count == 111_126)
        for number in numbers {
            var bytes = [UInt8](repeating: 0, count: NumberFormatting.maximumLength)
            let back = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                let out = buffer.baseAddress!
                return unsafe NumberParsing.double(out, NumberFormatting.write(number, to: out))
            }
            if back?.bitPattern != number.bitPattern { Issue.record("\(number)") }
        }
    }

    // MARK: Floats

    @Test func floatsReadBackAndAreShortest() {
        for bits in stride(from: UInt32(0), to: UInt32.max - 200_000, by: 151_553) { expectShortest(Float(bitPattern: bits)) }
        for exponent in -149...127 {
            let power = Float(sign: .plus, exponent: exponent, significand: 1)
            for value in [power, power.nextUp, power.nextDown, -power] where value.isFinite { expectShortest(value) }
        }
        for bits in 1...2000 as ClosedRange<UInt32> { expectShortest(Float(bitPattern: bits)) }
    }

    // MARK: Integers

    @Test func integersAroundEveryPowerAreWrittenInFull() {
        var power: UInt128 = 1
        for _ in 0..<39 {
            for value in [power &- 1, power, power &+ 1, power &* 7] { expectIntegers(value) }
            power &*= 10
        }
        for shift in 0..<128 { for value in [UInt128(1) << shift, (UInt128(1) << shift) &- 1] { expectIntegers(value) } }
        for value in [UInt128.max, UInt128(UInt64.max), UInt128(UInt64.max) + 1] { expectIntegers(value) }
        #expect(written(Int64.min) == "-9223372036854775808")
        #expect(written(Int128.min) == "-170141183460469231731687303715884105728")
        var random = SplitMix64(seed: 14)
        for _ in 0..<20_000 {
            expectIntegers(UInt128(random.next() >> (random.next() % 64)) << (random.next() % 65))
        }
    }

    @Test func nothingPastTheMaximumLengthIsTouched() {
        let doubles = [
            -Double.leastNonzeroMagnitude, -1.234_567_890_123_456_7e-100, -0.000_001_234_567_890_123_456_7,
            -0x1.0123456789ABCp66, -1.797_693_134_862_315_7e308, 1,
        ]
        for value in doubles { unsafe expectNoOverflow { unsafe NumberFormatting.write(value, to: $0) } }
        unsafe expectNoOverflow { unsafe NumberFormatting.write(-Float.leastNonzeroMagnitude, to: $0) }
        unsafe expectNoOverflow { unsafe NumberFormatting.write(Int128.min, to: $0) }
        unsafe expectNoOverflow { unsafe NumberFormatting.write(UInt128.max, to: $0) }
        unsafe expectNoOverflow { unsafe NumberFormatting.write(Int64.min, to: $0) }
        unsafe expectNoOverflow { unsafe NumberFormatting.write(UInt64.max, to: $0) }
    }
}

private func written(_ value: Double) -> String { unsafe text { unsafe NumberFormatting.write(value, to: $0) } }
private func written(_ value: Float) -> String { unsafe text { unsafe NumberFormatting.write(value, to: $0) } }
private func written(_ value: Int64) -> String { unsafe text { unsafe NumberFormatting.write(value, to: $0) } }
private func written(_ value: UInt64) -> String { unsafe text { unsafe NumberFormatting.write(value, to: $0) } }
private func written(_ value: Int128) -> String { unsafe text { unsafe NumberFormatting.write(value, to: $0) } }
private func written(_ value: UInt128) -> String { unsafe text { unsafe NumberFormatting.write(value, to: $0) } }

private func text(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> String {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NumberFormatting.maximumLength) { buffer in
        let count = unsafe write(buffer.baseAddress!)
        return unsafe String(decoding: buffer[..<count], as: UTF8.self)
    }
}

/// The bytes after the maximum length stay as they are.
private func expectNoOverflow(_ write: (UnsafeMutablePointer<UInt8>) -> Int) {
    var bytes = [UInt8](repeating: 0xA5, count: NumberFormatting.maximumLength + 32)
    let count = unsafe bytes.withUnsafeMutableBufferPointer { unsafe write($0.baseAddress!) }
    #expect(count > 0 && count <= NumberFormatting.maximumLength)
    #expect(bytes[NumberFormatting.maximumLength...].allSatisfy { $0 == 0xA5 })
}

private func expectShortest(_ value: Double, _ location: SourceLocation = #_sourceLocation) {
    guard value.isFinite else { return }
    let text = written(value)
    if cDouble(text).bitPattern != value.bitPattern || significantDigits(text) != significantDigits(value.description) {
        Issue.record("\(value) written \(text)", sourceLocation: location)
    }
}

private func expectShortest(_ value: Float, _ location: SourceLocation = #_sourceLocation) {
    guard value.isFinite else { return }
    let text = written(value)
    if cFloat(text).bitPattern != value.bitPattern || significantDigits(text) != significantDigits(value.description) {
        Issue.record("\(value) written \(text)", sourceLocation: location)
    }
}

private func cDouble(_ text: String) -> Double { unsafe strtod(text, nil) }
private func cFloat(_ text: String) -> Float { unsafe strtof(text, nil) }

private func expectIntegers(_ magnitude: UInt128) {
    #expect(written(magnitude) == magnitude.description)
    if let value = UInt64(exactly: magnitude) { #expect(written(value) == value.description) }
    if let value = Int64(exactly: magnitude) {
        #expect(written(value) == value.description)
        #expect(written(-value) == (-value).description)
    }
    if let value = Int128(exactly: magnitude) { #expect(written(-value) == (-value).description) }
}

/// The digits of a number without the zeros at either end.
private func significantDigits(_ text: String) -> [UInt8] {
    var digits: [UInt8] = []
    for byte in text.utf8 {
        if byte == 0x65 { break }
        if (0x30...0x39).contains(byte), byte != 0x30 || !digits.isEmpty { digits.append(byte) }
    }
    while digits.last == 0x30 { digits.removeLast() }
    return digits
}
