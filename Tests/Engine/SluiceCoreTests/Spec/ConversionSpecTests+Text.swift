// F19: which text becomes a number, a boolean or null, and what text an array is joined to.

import SluiceTestSupport
import Testing

@testable import SluiceCore

extension ConversionSpecTests {
    private struct Text: CustomTestStringConvertible {
        let text: String
        /// The number, in lenient; nil for a mismatch.
        let lenient: Double?
        let yyModel: Double?
        let isNull: Bool
        let isYYNull: Bool

        init(_ text: String, _ lenient: Double?, yy: Double?, isNull: Bool = false, isYYNull: Bool? = nil) {
            self.text = text
            self.lenient = lenient
            yyModel = yy
            self.isNull = isNull
            self.isYYNull = isYYNull ?? isNull
        }

        var testDescription: String { text }
        var json: String { JSONValue.string(text).description }
    }

    private static let numbers: [Text] = [
        Text("2", 2, yy: 2), Text(" 42 ", 42, yy: 42), Text("\t42\n", 42, yy: 42), Text("+5", 5, yy: 5),
        Text("-3.2", -3.2, yy: -3.2), Text("007", 7, yy: 7), Text("-0012.50", -12.5, yy: -12.5), Text("00", 0, yy: 0),
        Text(".5", 0.5, yy: 0.5), Text("-.5", -0.5, yy: -0.5), Text("00.5", 0.5, yy: 0.5),
        Text("12abc", nil, yy: 12), Text("1,234", nil, yy: 1), Text("v1.5", nil, yy: 0), Text("1.5.2", nil, yy: 1.5),
        Text("1 2", nil, yy: 1), Text("--1", nil, yy: 0), Text("+-1", nil, yy: 0), Text("-", nil, yy: 0), Text("+", nil, yy: 0),
        Text("", nil, yy: 0), Text("  ", nil, yy: 0), Text("abc", nil, yy: 0), Text(".", nil, yy: 0), Text("-.", nil, yy: 0),
        Text("1e5", 100_000, yy: 1), Text("1.0e5", 100_000, yy: 100_000), Text("1E+2", 100, yy: 1), Text("1e", nil, yy: 1),
        Text("0x1F", nil, yy: 0), Text("0x1.8", nil, yy: 1.5),
        Text("nan", nil, yy: 0), Text("inf", nil, yy: 0), Text("Infinity", nil, yy: 0), Text("-inf", nil, yy: 0),
        Text("nan.", nil, yy: nil, isYYNull: true), Text("1.0e999", nil, yy: nil, isYYNull: true),
        Text("٣", nil, yy: 0), Text("1\u{0}", nil, yy: 1), Text("２", nil, yy: 0),
    ]

    private static let words: [Text] =
        ["TRUE", "True", "true", "YES", "Yes", "yes"].map { Text($0, 1, yy: 1) }
        + ["FALSE", "False", "false", "NO", "No", "no"].map { Text($0, 0, yy: 0) }
        + ["NIL", "Nil", "nil", "NULL", "Null", "null", "(NULL)", "(Null)", "(null)", "<NULL>", "<Null>", "<null>"]
        .map { Text($0, nil, yy: nil, isNull: true) }
        + [
            Text("tRUE", 1, yy: 0), Text(" true ", 1, yy: 0), Text("nO", 0, yy: 0),
            Text("nULL", nil, yy: 0, isNull: true, isYYNull: false),
        ]
        + ["y", "t", "on", "n", "f", "off", "truee", "[null]"].map { Text($0, nil, yy: 0) }

    @Test(
        "F19: text becomes a number where the whole of it is one, and to YYModel where its beginning is", arguments: Self.numbers)
    private func textAsNumber(_ text: Text) {
        let lenient = text.lenient.map { Cell.gives($0) } ?? .mismatch
        expect(Double.self, [Row(text.json, .mismatch, lenient, text.yyModel.map { .gives($0) } ?? .empties(0))])
        let whole = text.lenient.flatMap { Int(exactly: $0) }.map { Cell.gives($0) } ?? .mismatch
        expect(Int.self, [Row(text.json, .mismatch, whole, text.yyModel.map { .gives(Int($0)) } ?? .empties(0))])
        expect(Bool.self, [Row(text.json, .mismatch, .mismatch, text.yyModel.map { .gives($0 != 0) } ?? .empties(false))])
        expect(String.self, [Row(text.json, .gives(text.text))])
    }

    @Test("F19: words for true, false and nothing are known", arguments: Self.words)
    private func knownWord(_ text: Text) {
        func table<Value: Sample>(_ type: Value.Type, _ make: (Double) -> Value) {
            expect(
                type,
                [
                    Row(
                        text.json, .mismatch, text.isNull ? .null : text.lenient.map { .gives(make($0)) } ?? .mismatch,
                        text.isYYNull ? .empties(make(0)) : text.yyModel.map { .gives(make($0)) } ?? .mismatch)
                ])
        }
        table(Int.self) { Int($0) }
        table(UInt8.self) { UInt8($0) }
        table(Double.self) { $0 }
        table(Float.self) { Float($0) }
        table(Bool.self) { $0 != 0 }
        expect(String.self, [Row(text.json, .gives(text.text))])
    }

    @Test("F19: the text of a large integer is exact, and to YYModel no larger than 64 bits")
    func largeText() {
        expect(UInt64.self, [Row("\"18446744073709551615\"", .mismatch, .gives(.max), .gives(9_223_372_036_854_775_807))])
        expect(Int64.self, [Row("\"9223372036854775807\"", .mismatch, .gives(.max), .gives(.max))])
        expect(Int64.self, [Row("\"9223372036854775808\"", .mismatch, .mismatch, .gives(.max))])
        expect(Int64.self, [Row("\"-9223372036854775808\"", .mismatch, .gives(.min), .gives(.min))])
        expect(Int64.self, [Row("\"-9223372036854775809\"", .mismatch, .mismatch, .gives(.min))])
        expect(UInt128.self, [Row("\"\(UInt128.max)\"", .mismatch, .gives(.max), .gives(9_223_372_036_854_775_807))])
        expect(Int64.self, [Row("9876543210", .gives(9_876_543_210)), Row("\"1.0e30\"", .mismatch, .mismatch, .gives(.max))])
    }

    @Test("F19: an empty string is null where the conversions say so, except for strings")
    func emptyStrings() {
        for text in ["\"\"", "\" \\n\""] {
            for profile in [JSONConversions.Profile.lenient, .yyModel] {
                let conversions = JSONConversions(profile, emptyStringIsNull: true)
                let isYY = profile == .yyModel
                expect(text, isYY ? .empties(0) : .null, conversions, as: Int.self)
                expect(text, isYY ? .empties(0) : .null, conversions, as: Double.self)
                expect(text, isYY ? .empties(false) : .null, conversions, as: Bool.self)
                expect(text, .null, conversions, as: Color.self)
                expect(text, .null, conversions, as: Exact.self)
                if !isYY { expect(text, .null, conversions, as: [Int].self) }
                if !isYY { expect(text, .null, conversions, as: Tree.self) }
                expect(text, .gives(text == "\"\"" ? "" : " \n"), conversions, as: String.self)
            }
        }
        expect("\"\"", .null, JSONConversions(.strict, emptyStringIsNull: true), as: Int.self)
        expect("\"7\"", .mismatch, JSONConversions(.strict, emptyStringIsNull: true), as: Int.self)
    }

    @Test("F19: short words are booleans where the conversions say so")
    func extendedBooleans() {
        let conversions = JSONConversions(extendedBooleans: true)
        for text in ["1", "y", "t", "yes", "true", "on", "Y", "ON", " T "] {
            expect("\"\(text)\"", .gives(true), conversions, as: Bool.self)
            expect("\"\(text)\"", .gives(1), conversions, as: Int.self)
        }
        for text in ["0", "n", "f", "no", "false", "off", "N", "Off"] {
            expect("\"\(text)\"", .gives(false), conversions, as: Bool.self)
            expect("\"\(text)\"", .gives(0), conversions, as: Double.self)
        }
        for text in ["2", "o", "yy", "", "01"] { expect("\"\(text)\"", .mismatch, conversions, as: Bool.self) }
    }

    private enum Joined: Rules {
        static let policy = JSONPropertyPolicy(joinSeparator: ",")
    }

    @Test(
        "F19: an array becomes a string where the property joins it",
        arguments: [
            ("[1,2]", "1,2"), ("[]", ""), (#"["a","b \" c"]"#, "a,b \" c"), ("[1.50, true, null, \"x\"]", "1.50,true,x"),
            ("[ [1, 2] , {\"a\": null} ]", "[1,2],{\"a\":null}"), ("[null]", ""), ("\"as is\"", "as is"),
        ])
    func join(_ json: String, _ expected: String) {
        for options in [JSONReader.Options.strict, .init(), .yyModel] {
            let reading = readings(of: Ruled<String, Joined>.self, "{\"v\": \(json)}", options: options)
            #expect(reading.outcome == .value(Ruled(expected)))
            #expect(reading.disagreements == [])
            let elements = readings(of: Ruled<[String], Joined>.self, "{\"v\": [\(json), \(json)], \"w\": 1}", options: options)
            #expect(elements.outcome == .value(Ruled([expected, expected])))
            #expect(elements.disagreements == [])
        }
    }

    @Test("F19: only arrays are joined, and broken text is not")
    func joinErrors() {
        typealias Model = Ruled<String, Joined>
        #expect(readings(of: Model.self, #"{"v": {"a": 1}}"#, options: .init()).outcome == .failure(.typeMismatch, "v"))
        #expect(readings(of: Model.self, #"{"v": 7}"#, options: .strict).outcome == .failure(.typeMismatch, "v"))
        let broken = readings(of: Model.self, #"{"v": ["a", "\ud800"]}"#, options: .init())
        #expect(broken.outcome == .failure(.invalidUnicode, "v[1]"))
        #expect(broken.disagreements == [])
        #expect(readings(of: Model.self, #"{"v": ["a", }"#, options: .init()).error?.kind == .syntax)
        #expect(readings(of: Model.self, #"{"v": ["a", "#, options: .init()).error?.kind == .unexpectedEnd)
    }
}
