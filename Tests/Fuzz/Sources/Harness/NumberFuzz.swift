// Numbers: floats against the C library, integers against the standard library, both ways.

import Glibc
import SluiceTestSupport

@testable import SluiceCore

enum NumberFuzz: FuzzTarget {
    static let name = "number"

    static func text(_ knobs: Knobs, _ random: inout SplitMix64) -> [UInt8] {
        func digits(_ limit: Int) -> String {
            String((0...random.below(limit)).map { _ in Character("\(random.below(10))") })
        }
        var text = random.below(2) == 0 ? "-" : ""
        let integer = random.below(4) == 0 ? "0" : digits(random.pick([3, 20, 45, 800]))
        text += integer.count > 1 && integer.first == "0" ? "1" + integer : integer
        if random.below(2) == 0 { text += "." + digits(random.pick([3, 20, 45, 800])) }
        if random.below(2) == 0 {
            text += random.pick(["e", "E", "e+", "e-", "E-"]) + (random.below(6) == 0 ? digits(25) : digits(3))
        }
        // Half way between two floats: the hardest to round.
        if random.below(4) == 0 {
            let value = Double(bitPattern: random.next() & ~(0x7FF << 52) | UInt64(1000 + random.below(60)) << 52)
            text = "\(value)" + digits(30)
        }
        return Array(text.utf8)
    }

    static func check(_ input: FuzzInput) {
        var random = input.knobs.random
        checkFloats(Double(bitPattern: random.next()), Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
        checkIntegers(Int64(bitPattern: random.next()) >> Int64(random.below(64)), random.next())
        // The grammar is checked with the values: a number is one there, and nothing but it.
        let bytes = input.bytes
        let first = bytes.first ?? 0
        let isNumber =
            (first == UInt8(ascii: "-") || first &- 0x30 <= 9) && bytes.last.map { $0 &- 0x30 <= 9 } == true
            && bytes.withUnsafeBytes { PlainGrammar($0).isJSON }
        checkText(bytes, isNumber)
        if isNumber { checkModels(String(decoding: bytes, as: UTF8.self)) }
    }

    /// Each parser on text in memory of its exact size; on text that is no number they must only not read after it.
    private static func checkText(_ bytes: [UInt8], _ isNumber: Bool) {
        exactly(bytes) { start, count in
            let double = NumberParsing.double(start, count)
            let float = NumberParsing.float(start, count)
            let int64 = NumberParsing.int64(start, count)
            let int128 = NumberParsing.int128(start, count)
            let uint128 = NumberParsing.uint128(start, count)
            let uint64 = uint128.flatMap { UInt64(exactly: $0) }
            let exact = NumberParsing.exactInteger(start, count)
            guard isNumber else { return }
            let text = String(decoding: bytes, as: UTF8.self)
            let expected = strtod(text, nil)
            promise(double?.bitPattern == expected.bitPattern, "\(text) is \(expected), not \(double as Any)")
            let single = strtof(text, nil)
            promise(float?.bitPattern == single.bitPattern, "\(text) is \(single), not \(float as Any)")
            guard bytes.allSatisfy({ $0 != 0x2E && $0 | 0x20 != 0x65 }) else {
                promise(int64 == nil && uint64 == nil && int128 == nil && uint128 == nil, "\(text) was read as an integer")
                if let exact, let expected = Int128(exactly: expected), abs(expected) < 1 << 53 {
                    promise(exact == expected, "\(text) is \(expected), not \(exact)")
                }
                return
            }
            promise(int64 == Int64(text), "\(text) as Int64: \(int64 as Any)")
            // Minus zero is zero without a sign, too.
            promise(uint64 == UInt64(text) || text == "-0", "\(text) as UInt64: \(uint64 as Any)")
            promise(int128 == Int128(text), "\(text) as Int128: \(int128 as Any)")
            promise(uint128 == UInt128(text) || text == "-0", "\(text) as UInt128: \(uint128 as Any)")
            promise(exact == Int128(text), "\(text) as an exact integer: \(exact as Any)")
        }
    }

    /// The same through the reader, and whatever the conversions say.
    private static func checkModels(_ text: String) {
        let expected = strtod(text, nil)
        let double = try? Double(json: text, options: .strict)
        promise(
            double?.bitPattern == (expected.isFinite ? expected.bitPattern : nil), "\(text) is \(expected), not \(double as Any)")
        let overflows = [JSONConversions(overflow: .clamp), .init(overflow: .wrap)].map { JSONReader.Options(conversions: $0) }
        for options in [JSONReader.Options(), .yyModel] + overflows {
            for text in [text, "\"\(text)\""] {
                let int = try? Int(json: text, options: options)
                let wide = try? Int128(json: text, options: options)
                let small = try? UInt8(json: text, options: options)
                if let int, let wide, options == .init() { promise(Int128(int) == wide, "\(text) is \(int) and \(wide)") }
                if let int, let small, options == .init() { promise(int == Int(small), "\(text) is \(int) and \(small)") }
            }
        }
    }

    // MARK: Writing

    private static func checkFloats(_ double: Double, _ single: Float) {
        if double.isFinite {
            let bytes = written(NumberFormatting.maximumLength) { NumberFormatting.write(double, to: $0) }
            let text = String(decoding: bytes, as: UTF8.self)
            promise(strtod(text, nil).bitPattern == double.bitPattern, "\(double) is written \(text)")
            let digits = { (text: String) in significantDigits(text) }
            promise(digits(text) <= digits("\(double)"), "\(double) is written with more digits: \(text)")
            promise(exactly(bytes) { NumberParsing.double($0, $1) }?.bitPattern == double.bitPattern, "\(text) reads otherwise")
        }
        if single.isFinite {
            let bytes = written(NumberFormatting.maximumLength) { NumberFormatting.write(single, to: $0) }
            let text = String(decoding: bytes, as: UTF8.self)
            promise(strtof(text, nil).bitPattern == single.bitPattern, "\(single) is written \(text)")
            promise(exactly(bytes) { NumberParsing.float($0, $1) }?.bitPattern == single.bitPattern, "\(text) reads otherwise")
        }
    }

    /// Digits without zeros at either end, and without the exponent.
    private static func significantDigits(_ text: String) -> Int {
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        return digits.reversed().drop { $0 == "0" }.count
    }

    private static func checkIntegers(_ signed: Int64, _ unsigned: UInt64) {
        let wide = Int128(signed) * Int128(bitPattern: UInt128(unsigned))
        for (bytes, expected) in [
            (written(NumberFormatting.maximumLength) { NumberFormatting.write(signed, to: $0) }, "\(signed)"),
            (written(NumberFormatting.maximumLength) { NumberFormatting.write(unsigned, to: $0) }, "\(unsigned)"),
            (written(NumberFormatting.maximumLength) { NumberFormatting.write(wide, to: $0) }, "\(wide)"),
            (written(NumberFormatting.maximumLength) { NumberFormatting.write(wide.magnitude, to: $0) }, "\(wide.magnitude)"),
        ] {
            promise(String(decoding: bytes, as: UTF8.self) == expected, "\(expected) is written otherwise")
        }
    }
}
