// F19: every kind of JSON value for every kind of property, under the three profiles, and all that a profile can be told beyond
// that. The tables are those of the specification, sections 1.5.1 and 1.5.2.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// What becomes of a value.
private enum Cell<Value: Sample> {
    /// The property gets a value.
    case gives(Value)
    /// An error of kind `typeMismatch`.
    case mismatch
    /// An error of kind `invalidValue`.
    case invalid
    /// The value counts as null: nil, or what the property has.
    case null
    /// As YYModel has it for numbers: nil where the property is an optional, otherwise 0.
    case empties(Value)
    /// The property keeps what it has, and the value is counted.
    case kept
    /// The property becomes nil where it may, keeps what it has otherwise, and the value is counted.
    case niled
    /// The property becomes empty, and the value is counted.
    case counted(Value)
}

private struct Row<Value: Sample> {
    let json: String
    let strict, lenient, yyModel: Cell<Value>

    init(_ json: String, _ strict: Cell<Value>, _ lenient: Cell<Value>, _ yyModel: Cell<Value>) {
        self.json = json
        self.strict = strict
        self.lenient = lenient
        self.yyModel = yyModel
    }

    /// The same under all profiles.
    init(_ json: String, _ cell: Cell<Value>) { self.init(json, cell, cell, cell) }
}

/// Reads each row's value into a required, a defaulted and an optional property, and as an element.
private func expect<Value: Sample>(
    _ type: Value.Type, _ rows: [Row<Value>], _ location: SourceLocation = #_sourceLocation
) {
    for row in rows {
        expect(row.json, row.strict, .strict, location)
        expect(row.json, row.lenient, .lenient, location)
        expect(row.json, row.yyModel, .yyModel, location)
    }
}

private func expect<Value: Sample>(
    _ json: String, _ cell: Cell<Value>, _ conversions: JSONConversions, _ location: SourceLocation
) {
    property(Required.self, json, cell, conversions, location)
    property(Defaulted.self, json, cell, conversions, location)
    property(Maybe.self, json, cell, conversions, location)
    guard conversions.profile != .yyModel else { return }
    // Elements convert as properties do.
    let options = JSONReader.Options(conversions: conversions, elements: .strict)
    let reading = readings(of: [Value].self, "[\(json)]", options: options)
    let outcome: Outcome<[Value]> =
        switch cell {
        case .gives(let value): .value([value])
        case .invalid: .failure(.invalidValue, "[0]")
        default: .failure(.typeMismatch, "[0]")
        }
    #expect(reading.outcome == outcome, "[\(json)] as \([Value].self), \(conversions.profile)", sourceLocation: location)
    #expect(reading.disagreements == [], sourceLocation: location)
    if case .null = cell {
        let optional = readings(of: [Value?].self, "[\(json)]", options: options)
        #expect(optional.outcome == .value([nil]), "[\(json)] as \([Value?].self)", sourceLocation: location)
    }
}

private func property<Value: Sample, Rule: Rules>(
    _ rule: Rule.Type, _ json: String, _ cell: Cell<Value>, _ conversions: JSONConversions, _ location: SourceLocation
) {
    typealias Model = Ruled<Value, Rule>
    let isOptional = Rule.presence == .optional
    let kept: Outcome<Model> = Rule.presence == .required ? .failure(.missingKeys, "") : .value(Model(.initial))
    let isContainer = json.hasPrefix("[") || json.hasPrefix("{")
    var dropped = 0
    let outcome: Outcome<Model>
    switch cell {
    case .gives(let value): outcome = .value(Model(value))
    case .mismatch: outcome = .failure(.typeMismatch, "v")
    case .invalid: outcome = .failure(.invalidValue, "v")
    case .null: outcome = isOptional ? .value(Model(nil)) : kept
    case .empties(let value):
        outcome = .value(Model(isOptional ? nil : value))
        dropped = isOptional && isContainer ? 1 : 0
    case .kept:
        outcome = kept
        dropped = 1
    case .niled:
        outcome = isOptional ? .value(Model(nil)) : kept
        dropped = 1
    case .counted(let value):
        outcome = .value(Model(value))
        dropped = 1
    }
    let reading = readings(of: Model.self, #"{"v": \#(json) }"#, options: .init(conversions: conversions))
    let comment: Comment = "\(json) as \(Value.self), \(Rule.self), \(conversions.profile)"
    #expect(reading.outcome == outcome, comment, sourceLocation: location)
    #expect(reading.disagreements == [], comment, sourceLocation: location)
    #expect(reading.report.droppedCount == dropped, comment, sourceLocation: location)
    if dropped == 1 {
        #expect(reading.report.issues.map(\.path) == ["v"], comment, sourceLocation: location)
        #expect(reading.report.issues.map(\.offset) == [6], comment, sourceLocation: location)
    }
}

private func expect<Value: Sample>(
    _ json: String, _ cell: Cell<Value>, _ conversions: JSONConversions, as type: Value.Type,
    _ location: SourceLocation = #_sourceLocation
) {
    expect(json, cell, conversions, location)
}

/// What a custom type is told about its property.
private struct Seen: JSONScalarBindable, Sample {
    var conversions: JSONConversions
    var data: JSONDataFormat
    init(conversions: JSONConversions, data: JSONDataFormat) {
        self.conversions = conversions
        self.data = data
    }
    init?(jsonScalar scalar: JSONScalar) { self.init(conversions: scalar.conversions, data: scalar.dataFormat) }
    func write(to writer: inout JSONWriter) throws(JSONError) {}
    static var initial: Seen { Seen(conversions: .truncating, data: .base64) }
}

@Suite struct ConversionSpecTests {
    // MARK: Value × target

    @Test("F19: integers of every width take each kind of value as the profile says")
    func integers() {
        func table<Value: FixedWidthInteger & Sample>(_ type: Value.Type) {
            expect(
                type,
                [
                    Row("null", .null, .null, .empties(0)),
                    Row("true", .mismatch, .gives(1), .gives(1)),
                    Row("false", .mismatch, .gives(0), .gives(0)),
                    Row("7", .gives(7)), Row("-0", .gives(0)), Row("7.0", .gives(7)), Row("70e-1", .gives(7)),
                    Row("\(Value.max)", .gives(.max)), Row("\(Value.min)", .gives(.min)),
                    Row("1.5", .invalid, .invalid, .gives(1)),
                    Row("-1.5", .invalid, .invalid, .gives(Value(truncatingIfNeeded: -1))),
                    Row("-0.9", .invalid, .invalid, .gives(0)),
                    Row("\"7\"", .mismatch, .gives(7), .gives(7)),
                    Row("\"1.5\"", .mismatch, .mismatch, .gives(1)),
                    Row("\"abc\"", .mismatch, .mismatch, .gives(0)),
                    Row("\"\"", .mismatch, .mismatch, .gives(0)),
                    Row("[7]", .mismatch, .mismatch, .empties(0)), Row("[]", .mismatch, .mismatch, .empties(0)),
                    Row(#"{"a":7}"#, .mismatch, .mismatch, .empties(0)),
                ])
        }
        table(Int.self)
        table(Int8.self)
        table(Int16.self)
        table(Int32.self)
        table(Int64.self)
        table(Int128.self)
        table(UInt.self)
        table(UInt8.self)
        table(UInt16.self)
        table(UInt32.self)
        table(UInt64.self)
        table(UInt128.self)
    }

    @Test("F19: booleans take each kind of value as the profile says")
    func booleans() {
        expect(
            Bool.self,
            [
                Row("null", .null, .null, .empties(false)),
                Row("true", .gives(true)), Row("false", .gives(false)),
                Row("1", .mismatch, .gives(true), .gives(true)), Row("0", .mismatch, .gives(false), .gives(false)),
                Row("1.0", .mismatch, .gives(true), .gives(true)), Row("0e9", .mismatch, .gives(false), .gives(false)),
                Row("2", .mismatch, .mismatch, .gives(true)), Row("-1", .mismatch, .mismatch, .gives(true)),
                Row("1e400", .mismatch, .mismatch, .gives(true)), Row("0.5", .mismatch, .mismatch, .gives(true)),
                Row("\"yes\"", .mismatch, .gives(true), .gives(true)),
                Row("\"abc\"", .mismatch, .mismatch, .gives(false)),
                Row("[true]", .mismatch, .mismatch, .empties(false)),
                Row(#"{"a":true}"#, .mismatch, .mismatch, .empties(false)),
            ])
    }

    @Test("F19: floating-point numbers take each kind of value as the profile says")
    func floatingPoint() {
        func table<Value: BinaryFloatingPoint & Sample>(_ type: Value.Type) {
            expect(
                type,
                [
                    Row("null", .null, .null, .empties(0)),
                    Row("true", .mismatch, .gives(1), .gives(1)), Row("false", .mismatch, .gives(0), .gives(0)),
                    Row("7", .gives(7)), Row("1.5", .gives(1.5)), Row("-1e-2", .gives(-0.01)),
                    Row("1e400", .invalid, .invalid, .gives(0)), Row("-1e400", .invalid, .invalid, .gives(0)),
                    Row("1e-400", .gives(0)),
                    Row("\"-3.2\"", .mismatch, .gives(-3.2), .gives(-3.2)),
                    Row("\"abc\"", .mismatch, .mismatch, .gives(0)),
                    Row("[1.5]", .mismatch, .mismatch, .empties(0)),
                    Row(#"{"a":1.5}"#, .mismatch, .mismatch, .empties(0)),
                ])
        }
        table(Double.self)
        table(Float.self)
        expect(
            Float.self,
            [
                Row("1e39", .invalid, .invalid, .gives(0)),
                Row("\"1.0e39\"", .mismatch, .mismatch, .gives(0)),
                // Rounded once: by way of a double it would become 1 + 2^-23.
                Row("\"1.00000005960464477539\"", .mismatch, .gives(1), .gives(1)),
                Row("\"1.000000059604644775390626\"", .mismatch, .gives(Float(1).nextUp), .gives(1)),
            ])
        expect(Double.self, [Row("1e39", .gives(1e39)), Row("\"1e400\"", .mismatch, .mismatch, .gives(1))])
    }

    @Test("F19: a string takes numbers as they are written, and booleans as words")
    func strings() {
        expect(
            String.self,
            [
                Row("null", .null),
                Row("true", .mismatch, .gives("true"), .gives("1")), Row("false", .mismatch, .gives("false"), .gives("0")),
                Row("100010", .mismatch, .gives("100010"), .gives("100010")),
                Row("662.81", .mismatch, .gives("662.81"), .gives("662.81")),
                Row("1.50", .mismatch, .gives("1.50"), .gives("1.50")),
                Row("1e400", .mismatch, .gives("1e400"), .gives("1e400")),
                Row("-0", .mismatch, .gives("-0"), .gives("-0")),
                Row("12345678901234567890123", .mismatch, .gives("12345678901234567890123"), .gives("12345678901234567890123")),
                Row("\"\"", .gives("")), Row("\"null\"", .gives("null")), Row("\" é\\n\"", .gives(" é\n")),
                Row("[1]", .mismatch, .mismatch, .kept), Row(#"{"a":"b"}"#, .mismatch, .mismatch, .kept),
            ])
    }

    @Test("F19: a decimal is made of the number's text and never of a double")
    func decimals() {
        let long = "0.1000000000000000055511151231257827"
        expect(
            Exact.self,
            [
                Row("null", .null),
                Row("true", .mismatch, .gives(Exact("1")), .gives(Exact("1"))),
                Row("7", .gives(Exact("7"))), Row("1.50", .gives(Exact("1.50"))), Row(long, .gives(Exact(long))),
                Row("1e400", .gives(Exact("1e400"))),
                Row("\"-3.2\"", .invalid, .gives(Exact("-3.2")), .gives(Exact("-3.2"))),
                Row("\" +\(long)\\t\"", .invalid, .gives(Exact(long)), .gives(Exact(long))),
                Row("\"abc\"", .invalid, .invalid, .niled), Row("\"null\"", .invalid, .null, .null),
                Row("[1]", .mismatch, .mismatch, .kept), Row(#"{"a":1}"#, .mismatch, .mismatch, .kept),
            ])
    }

    @Test("F19: an enum takes what its raw type takes")
    func enums() {
        expect(
            Color.self,
            [
                Row("null", .null), Row("\"red\"", .gives(.red)), Row("\"deep blue\"", .gives(.deepBlue)),
                Row("\"blue\"", .invalid, .invalid, .niled), Row("\"\"", .invalid, .invalid, .niled),
                Row("true", .mismatch, .mismatch, .niled), Row("7", .invalid, .invalid, .niled),
                Row("1.5", .invalid, .invalid, .niled),
                Row("[\"red\"]", .mismatch, .mismatch, .niled), Row(#"{"red":"red"}"#, .mismatch, .mismatch, .niled),
            ])
        expect(
            Code.self,
            [
                Row("1", .invalid, .gives(.one), .gives(.one)), Row("0.5", .invalid, .gives(.half), .gives(.half)),
                Row("true", .mismatch, .gives(.yes), .gives(.one)), Row("1.0", .invalid, .invalid, .niled),
                Row("false", .mismatch, .mismatch, .niled),
            ])
        expect(
            Level.self,
            [
                Row("null", .null), Row("127", .gives(.high)), Row("-1", .gives(.low)), Row("0.0", .gives(.middle)),
                Row("5", .invalid, .invalid, .niled), Row("1.5", .invalid, .invalid, .niled),
                Row("false", .mismatch, .gives(.middle), .gives(.middle)), Row("true", .mismatch, .mismatch, .niled),
                Row("\"127\"", .invalid, .gives(.high), .gives(.high)),
                Row("\"5\"", .invalid, .invalid, .niled), Row("\"low\"", .invalid, .invalid, .niled),
                Row("[0]", .mismatch, .mismatch, .niled), Row("{}", .mismatch, .mismatch, .niled),
            ])
        expect(Wide.self, [Row("\"18446744073709551615\"", .invalid, .gives(.most), .gives(.most))])
    }

    @Test("F19: arrays, sets, dictionaries and models take nothing but their own")
    func containers() {
        func table<Value: Sample>(_ type: Value.Type, _ own: [(String, Value)], other: [String], mismatch: Cell<Value>) {
            expect(type, own.map { Row($0.0, .gives($0.1)) })
            let scalars = ["true", "false", "7", "1.5", "\"x\"", "\"\""]
            expect(type, [Row("null", .null)] + (scalars + other).map { Row($0, .mismatch, .mismatch, mismatch) })
            expect(type, [Row("\"(null)\"", .mismatch, .null, mismatch)])
        }
        table([Int].self, [("[]", []), ("[1,2]", [1, 2])], other: ["{}", #"{"a":[1]}"#], mismatch: .kept)
        table([String].self, [("[\"x\"]", ["x"])], other: ["{}"], mismatch: .kept)
        table(Set<Int>.self, [("[1,2,2]", [1, 2])], other: [#"{"a":1}"#], mismatch: .counted([]))
        table([String: Int].self, [("{}", [:]), (#"{"a":1}"#, ["a": 1])], other: ["[]", "[1]"], mismatch: .kept)
        table(
            Tree.self, [(#"{"name":"1","children":[{"name":"1.1"}]}"#, Tree("1", [Tree("1.1")]))], other: ["[]", "[1]"],
            mismatch: .kept)
    }

    @Test("F19: a JSONValue is whatever stands there")
    func values() {
        expect(
            JSONValue.self,
            [
                Row("true", .gives(true)), Row("1.50", .gives(.number(number("1.50")))),
                Row("\"null\"", .gives("null")), Row("[1,[]]", .gives([.number(JSONNumber(1)), []])),
                Row(#"{"a":null}"#, .gives(.object(["a": .null]))),
            ])
    }

    // MARK: Text

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

    // MARK: Overflow

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
                    read(.clamping, .value(clamped))
                    read(.wrapping, .value(wrapped))
                    let strict = Outcome<Value>.failure(isText ? .typeMismatch : .invalidValue, "")
                    read(JSONConversions(.strict, overflow: .clamp), isText ? strict : .value(clamped))
                }
            }
            for text in ["\(Value.min)", "\(Value.max)"] {
                for conversions in [JSONConversions.lenient, .clamping, .wrapping, .yyModel] {
                    #expect((try? Value(json: text, options: .init(conversions: conversions))) == Value(text))
                }
            }
            // A fraction is no matter of room.
            for conversions in [JSONConversions.clamping, .wrapping] {
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
        let options = JSONReader.Options(conversions: .clamping)
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

    // MARK: Who says it

    private enum OwnStrict: Rules { static let policy = JSONPropertyPolicy(conversions: .strict) }
    private enum OwnLenient: Rules {
        static let policy = JSONPropertyPolicy(conversions: .lenient)
        static let modelPolicy = JSONPropertyPolicy(conversions: .strict)
    }
    private enum ModelStrict: Rules { static let modelPolicy = JSONPropertyPolicy(conversions: .strict) }

    @Test("F19: the property's conversions come before the model's, and the model's before the reader's")
    func precedence() {
        let text = #"{"v": "7"}"#
        for options in [JSONReader.Options.strict, .init(), .yyModel] {
            let isStrict = options == .strict
            #expect(readings(of: Ruled<Int, OwnStrict>.self, text, options: options).outcome == .failure(.typeMismatch, "v"))
            #expect(readings(of: Ruled<Int, ModelStrict>.self, text, options: options).outcome == .failure(.typeMismatch, "v"))
            #expect(readings(of: Ruled<Int, OwnLenient>.self, text, options: options).outcome == .value(Ruled(7)))
            let unsaid = readings(of: Ruled<Int, Defaulted>.self, text, options: options).outcome
            #expect(unsaid == (isStrict ? .failure(.typeMismatch, "v") : .value(Ruled(7))))
        }
    }

    @Test("F19: a policy holds for the elements of its property, and for nothing else")
    func policiesOfElements() {
        let nested = #"{"v": {"a": ["7"], "b": []}}"#
        typealias Strict = Ruled<[String: [Int]], OwnStrict>
        typealias Lenient = Ruled<[String: [Int]], OwnLenient>
        #expect(readings(of: Strict.self, nested, options: .init()).outcome == .failure(.typeMismatch, "v.a[0]"))
        #expect(readings(of: Lenient.self, nested, options: .strict).outcome == .value(Ruled(["a": [7], "b": []])))
        let inner = readings(of: Ruled<[Ruled<Int, Defaulted>], OwnStrict>.self, #"{"v": [{"v": "7"}]}"#, options: .init())
        #expect(inner.outcome == .value(Ruled([Ruled(7)])))
    }

    @Test("F19: YYModel's profile takes numbers among elements as it does in properties, and their text only without a loss")
    func elementsOfYYModel() {
        let text = #"[300, 1.5, true, "2", "12abc", "x", "null", null, [1], {"a": 1}]"#
        let reading = readings(of: [Int8].self, text, options: .yyModel)
        #expect(reading.outcome == .value([44, 1, 1, 2]))
        #expect(reading.report.issues.map(\.path) == ["[4]", "[5]", "[6]", "[7]", "[8]", "[9]"])
        #expect(reading.disagreements == [])
    }

    @Test("F19: a custom type sees the conversions that hold for it")
    func conversionsOfScalars() {
        enum Own: Rules { static let policy = JSONPropertyPolicy(data: .utf8) }
        func read<Rule: Rules>(_ rule: Rule.Type, _ options: JSONReader.Options) -> Seen? {
            readings(of: Ruled<Seen, Rule>.self, #"{"v": 1}"#, options: options).value?.value
        }
        #expect(read(Defaulted.self, .strict) == Seen(conversions: .strict, data: .base64))
        #expect(read(Defaulted.self, .init()) == Seen(conversions: .lenient, data: .base64))
        #expect(read(Defaulted.self, .yyModel) == Seen(conversions: .yyModel, data: .utf8))
        #expect(read(OwnStrict.self, .init()) == Seen(conversions: .strict, data: .base64))
        #expect(read(Own.self, .strict) == Seen(conversions: .strict, data: .utf8))
    }

    private enum Secret: Rules { static let policy = JSONPropertyPolicy(isSensitive: true) }

    @Test("F19: an error does not show a sensitive value")
    func sensitive() throws {
        for json in [#""hunter2""#, #"["hunter2"]"#, #"[{"a": ["hunter2"]}]"#] {
            let error = try #require(readings(of: Ruled<[Int], Secret>.self, #"{"v": \#(json)}"#, options: .strict).error)
            #expect(!error.description.contains("hunter2"))
        }
        let error = try #require(readings(of: Ruled<Int, Defaulted>.self, #"{"v": "hunter2"}"#, options: .init()).error)
        #expect(error.description.contains("hunter2"))
    }
}

/// The number of a text that is known to be one.
private func number(_ text: String) -> JSONNumber { JSONNumber(lexeme: text) ?? JSONNumber(0) }
