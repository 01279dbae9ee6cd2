// F19: numbers beyond their type, and fractions where integers are expected.

import SluiceTestSupport
import Testing

@testable import SluiceCore

extension ConversionSpecTests {
    @Test("F19: an integer beyond its type is a mismatch, the nearest one, or its lowest bits")
    func overflow() {
        func table<Value: FixedWidthInteger & Sample>(_ type: Value.Type) {
            let one = Int128(1)
            let isWide = Value.bitWidth == 128
            // The texts of the integers next to the borders, and of some far away.
            let above =
                isWide
                ? (Value.isSigned ? "170141183460469231731687303715884105728" : "340282366920938463463374607431768211456")
                : "\(Int128(Value.max) + one)"
            let below =
                isWide ? (Value.isSigned ? "-170141183460469231731687303715884105729" : "-1") : "\(Int128(Value.min) - one)"
            let thousand = "1" + String(repeating: "0", count: 1000)
            let cases: [(String, clamped: Value, wrapped: Value)] = [
                (above, .max, .min), (above + ".0", .max, .min), (below, .min, .max),
                ("1e400", .max, 0), ("-1e400", .min, 0), (thousand, .max, 0), ("1e999999999999999999999", .max, 0),
                // 2^256 + 5 and its negative.
                ("115792089237316195423570985008687907853269984665640564039457584007913129639941", .max, 5),
                ("-115792089237316195423570985008687907853269984665640564039457584007913129639941", .min, 0 &- 5),
            ]
            for (json, clamped, wrapped) in cases {
                for text in [json, "\"\(json)\""] {
                    let isText = text != json
                    func read(_ conversions: JSONConversions, _ expected: Outcome<Value>) {
                        let reading = readings(of: Value.self, text, options: .init(conversions: conversions))
                        #expect(reading.outcome == expected, "\(text) as \(Value.self), \(conversions.overflow)")
                        #expect(reading.disagreements == [])
                    }
                    let failure = Outcome<Value>.failure(isText ? .typeMismatch : .invalidValue, "")
                    read(.lenient, failure)
                    read(.init(overflow: .clamp), .value(clamped))
                    read(.init(overflow: .wrap), .value(wrapped))
                    let strict = Outcome<Value>.failure(isText ? .typeMismatch : .invalidValue, "")
                    read(JSONConversions(.strict, overflow: .clamp), isText ? strict : .value(clamped))
                }
            }
            for text in ["\(Value.min)", "\(Value.max)"] {
                for conversions in [JSONConversions.lenient, .init(overflow: .clamp), .init(overflow: .wrap), .yyModel] {
                    #expect((try? Value(json: text, options: .init(conversions: conversions))) == Value(text))
                }
            }
            // A fraction is no matter of room.
            for conversions in [JSONConversions(overflow: .clamp), .init(overflow: .wrap)] {
                let reading = readings(of: Value.self, "0.5", options: .init(conversions: conversions))
                #expect(reading.outcome == .failure(.invalidValue, ""))
            }
        }
        table(Int8.self)
        table(Int16.self)
        table(Int32.self)
        table(Int64.self)
        table(Int.self)
        table(Int128.self)
        table(UInt8.self)
        table(UInt16.self)
        table(UInt32.self)
        table(UInt64.self)
        table(UInt.self)
        table(UInt128.self)
    }

    @Test("F19: YYModel's integers wrap into their width, and have 64 bits at the most")
    func wrapping() {
        expect(Int8.self, [Row("300", .invalid, .invalid, .gives(44)), Row("128", .invalid, .invalid, .gives(-128))])
        expect(UInt8.self, [Row("-1", .invalid, .invalid, .gives(255)), Row("256.9", .invalid, .invalid, .gives(0))])
        expect(UInt64.self, [Row("-1", .invalid, .invalid, .gives(.max)), Row("1e40", .invalid, .invalid, .gives(1 << 63 - 1))])
        expect(
            Int64.self,
            [Row("18446744073709551615", .invalid, .invalid, .gives(-1)), Row("-1e40", .invalid, .invalid, .gives(.min))])
        expect(UInt64.self, [Row("18446744073709551615", .gives(.max))])
        expect(Int32.self, [Row("1e40", .invalid, .invalid, .gives(-1))])
    }

    @Test("F19: a clamped float is the largest of its sign")
    func clampedFloats() throws {
        let options = JSONReader.Options(conversions: .init(overflow: .clamp))
        for (text, sign) in [("1e400", 1.0), ("-1e400", -1), ("\"1e400\"", 1), ("\"-1e400\"", -1)] {
            #expect(readings(of: [Double].self, "[\(text)]", options: options).value == [sign * .greatestFiniteMagnitude])
            #expect(readings(of: [Float].self, "[\(text)]", options: options).value == [Float(sign) * .greatestFiniteMagnitude])
        }
        #expect(readings(of: [Float].self, "[1e39, 1e-60]", options: options).value == [.greatestFiniteMagnitude, 0])
    }

    // MARK: Fractions, and the other switches

    @Test(
        "F19: a fraction is cut off where the conversions say so",
        arguments: [
            ("1.5", 1), ("-1.5", -1), ("0.99", 0), ("-0.99", 0), ("4.7", 4), ("1234e-2", 12), ("1e-400", 0), ("1.999e2", 199),
            ("9007199254740993.5", 9_007_199_254_740_993), ("\"4.7\"", 4), ("\" -4.7 \"", -4),
        ])
    func truncation(_ text: String, _ expected: Int) {
        for overflow in [JSONConversions.Overflow.mismatch, .clamp, .wrap] {
            let options = JSONReader.Options(conversions: JSONConversions(overflow: overflow, truncatesFractions: true))
            let reading = readings(of: [Int].self, "[\(text)]", options: options)
            #expect(reading.outcome == .value([expected]))
            #expect(reading.disagreements == [])
        }
        #expect(readings(of: [Int].self, "[\(text)]", options: .init(elements: .strict)).value == nil)
    }

    @Test("F19: what is cut off may still be too large")
    func truncationAndOverflow() {
        let truncating = JSONReader.Options(conversions: .truncating)
        #expect(readings(of: Int8.self, "127.9", options: truncating).value == 127)
        #expect(readings(of: Int8.self, "128.1", options: truncating).outcome == .failure(.invalidValue, ""))
        #expect(readings(of: UInt8.self, "-0.9", options: truncating).value == 0)
        #expect(readings(of: UInt8.self, "-1.1", options: truncating).outcome == .failure(.invalidValue, ""))
    }
}
