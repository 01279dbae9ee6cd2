// Every kind of property, required, defaulted and optional: the row that the table has for it, what it takes, what it refuses.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct PropertyKindTests {
    @Test func signedIntegersOfEveryWidth() {
        expectInteger(Int.self, .int64)
        expectInteger(Int8.self, .int8)
        expectInteger(Int16.self, .int16)
        expectInteger(Int32.self, .int32)
        expectInteger(Int64.self, .int64)
        expectInteger(Int128.self, .int128)
    }

    @Test func unsignedIntegersOfEveryWidth() {
        expectInteger(UInt.self, .uint64)
        expectInteger(UInt8.self, .uint8)
        expectInteger(UInt16.self, .uint16)
        expectInteger(UInt32.self, .uint32)
        expectInteger(UInt64.self, .uint64)
        expectInteger(UInt128.self, .uint128)
    }

    @Test func floatingPointNumbers() {
        expectKind(
            Double.self, .double, "Double",
            takes: [
                ("0", 0), ("-0.0", -0.0), ("1e308", 1e308), ("5e-324", .leastNonzeroMagnitude), ("0.1", 0.1), ("1e-400", 0),
                ("9007199254740993", 9_007_199_254_740_992), ("1E+2", 100),
            ],
            refuses: [("\"1\"", .typeMismatch), ("true", .typeMismatch), ("1e400", .invalidValue), ("-1e400", .invalidValue)])
        expectKind(
            Float.self, .float, "Float",
            takes: [("0.1", 0.1), ("3.4028235e38", .greatestFiniteMagnitude)],
            refuses: [("\"1\"", .typeMismatch), ("1e39", .invalidValue), ("{}", .typeMismatch)])
    }

    @Test func booleans() {
        expectKind(
            Bool.self, .bool, "Bool", takes: [("true", true), ("false", false)],
            refuses: [("0", .typeMismatch), ("\"true\"", .typeMismatch), ("[]", .typeMismatch), ("{}", .typeMismatch)])
    }

    @Test func strings() {
        let long = String(repeating: "long é ", count: 40)
        expectKind(
            String.self, .string, "String",
            takes: [
                (#""""#, ""), (#""a""#, "a"), (#""fifteen bytes!!""#, "fifteen bytes!!"),
                (#""sixteen bytes!!!""#, "sixteen bytes!!!"),
                (#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "\"\\/\u{8}\u{c}\n\r\té😀"), ("\"\(long)\"", long),
                (#""\u0000""#, "\0"),
            ],
            refuses: [("1", .typeMismatch), ("false", .typeMismatch), ("[\"a\"]", .typeMismatch), ("{\"a\":1}", .typeMismatch)])
    }

    @Test func enumsWithRawValues() {
        expectKind(
            Color.self, .scalar, "a case of Color",
            takes: [("\"red\"", .red), ("\"deep blue\"", .deepBlue), (#""r\u0065d""#, .red)],
            refuses: [("\"blue\"", .invalidValue), ("1", .invalidValue), ("true", .typeMismatch), ("{}", .typeMismatch)])
        expectKind(
            Level.self, .scalar, "a case of Level", takes: [("-1", .low), ("0", .middle), ("127", .high), ("0.0", .middle)],
            refuses: [("2", .invalidValue), ("128", .invalidValue), ("\"0\"", .invalidValue), ("[0]", .typeMismatch)])
        expectKind(
            Wide.self, .scalar, "a case of Wide", takes: [("0", .zero), ("18446744073709551615", .most)],
            refuses: [("18446744073709551616", .invalidValue)])
    }

    @Test func scalarsWithTheirOwnConversion() {
        expectKind(
            Percent.self, .scalar, "a percentage", takes: [("0", Percent(0)), ("12.5", Percent(12.5))],
            refuses: [("100.5", .invalidValue), ("\"12\"", .invalidValue), ("false", .typeMismatch)])
    }

    @Test func collections() {
        expectKind(
            [Int].self, .array, "[Int]", takes: [("[]", []), ("[1, 2,3]", [1, 2, 3])],
            refuses: [("{}", .typeMismatch), ("1", .typeMismatch)])
        expectKind(
            [String].self, .array, "[String]",
            takes: [("[]", []), (#"["a", "", "a longer string than fits"]"#, ["a", "", "a longer string than fits"])])
        expectKind([Double].self, .array, "[Double]", takes: [("[1.5, -2]", [1.5, -2])])
        expectKind([Percent].self, .array, "[Percent]", takes: [("[1, 2]", [Percent(1), Percent(2)])])
        expectKind([Bool].self, .array, "[Bool]", takes: [("[true,false,true,true,false]", [true, false, true, true, false])])
        expectKind([[Int]].self, .array, "[[Int]]", takes: [("[[], [1], [2, 3]]", [[], [1], [2, 3]])])
        expectKind([Int?].self, .array, "[Int?]", takes: [("[null, 1, null]", [nil, 1, nil])])
        expectKind([[String?]].self, .array, "[[String?]]", takes: [(#"[[null], ["a"]]"#, [[nil], ["a"]])])
        expectKind(Set<Int>.self, .array, "Set<Int>", takes: [("[3, 1, 3]", [1, 3])], refuses: [("{}", .typeMismatch)])
        expectKind(Set<Percent>.self, .array, "Set<Percent>", takes: [("[3, 1, 3]", [Percent(1), Percent(3)])])
        expectKind(
            [String: Int].self, .dictionary, "[String: Int]", takes: [("{}", [:]), (#"{"a":1,"b":2,"a":3}"#, ["a": 3, "b": 2])],
            refuses: [("[]", .typeMismatch), ("\"a\"", .typeMismatch)])
        expectKind(
            [String: [String: Bool]].self, .dictionary, "[String: [String: Bool]]",
            takes: [(#"{"a":{"b":true}}"#, ["a": ["b": true]])])
        expectKind([String: Percent].self, .dictionary, "[String: Percent]", takes: [(#"{"":7}"#, ["": Percent(7)])])
        expectKind([[String: [Int]]].self, .array, "[[String: [Int]]]", takes: [(#"[{"a":[1]},{}]"#, [["a": [1]], [:]])])
    }

    @Test func nestedModels() {
        expectKind(
            Trio<Int>.self, .model, "Trio<Int>",
            takes: [(#"{"required":1,"optional":2}"#, Trio(required: 1, optional: 2))],
            refuses: [("[]", .typeMismatch), ("1", .typeMismatch), ("{}", .missingKeys)])
        expectKind(
            Trio<Trio<[String]>>.self, .model, "Trio<Trio<[String]>>",
            takes: [(#"{"required":{"required":["a"]}}"#, Trio(required: Trio(required: ["a"])))])
    }

    @Test func rawAndAnyJSON() {
        expectKind(
            JSONValue.self, .value, "a value",
            takes: [
                ("1.50", .number(JSONNumber(lexeme: "1.50")!)), ("\"a\"", "a"), ("[]", []), ("{}", [:]), ("true", true),
                (#"{"a":[1,{"b":null}],"a":2}"#, .object(JSONObject([("a", [1, ["b": nil]]), ("a", 2)]))),
            ], takesNull: nil)
        expectKind(
            RawJSON.self, .raw, "a value",
            takes: [
                ("1.50", RawJSON(known: "1.50")), ("[ 1 , {} ]", RawJSON(known: "[ 1 , {} ]")),
                ("\"\\u0041\"", RawJSON(known: "\"\\u0041\"")),
                ("true", RawJSON(known: "true")), (#"{"a" :"}"}"#, RawJSON(known: #"{"a" :"}"}"#)),
            ], takesNull: RawJSON(known: "null"))
    }

    @Test func arraysOfOptionalRawValuesKeepTheirIndices() {
        let (outcome, disagreements) = readEveryWay([RawJSON?].self, "[null, 1, null, [2, 3], null]")
        let elements: [RawJSON?] = [nil, RawJSON(known: "1"), nil, RawJSON(known: "[2, 3]"), nil]
        #expect(outcome == .value(elements))
        #expect(disagreements == [])
        let (pairs, others) = readEveryWay([String: RawJSON?].self, #"{"a": null, "b": 1, "c": {"d": 2}}"#)
        let members: [String: RawJSON?] = ["a": nil, "b": RawJSON(known: "1"), "c": RawJSON(known: #"{"d": 2}"#)]
        #expect(pairs == .value(members))
        #expect(others == [])
    }

    @Test func tooManyNestedOptionalsThrowAndDoNotTrap() throws {
        #expect(failure(reading: [Int????].self, "[1]")?.kind == .invalidValue)
        #expect(try [Int??](json: "[1, null]") == [1, .some(nil)])
    }

    // MARK: One kind

    private func expectInteger<Value: FixedWidthInteger & Sample>(_ type: Value.Type, _ kind: PropertyKind) {
        let below = Value.min == 0 ? "-1" : decremented("\(Value.min)")
        expectKind(
            type, kind, "\(Value.self)",
            takes: [
                ("0", 0), ("-0", 0), ("7", 7), ("\(Value.min)", .min), ("\(Value.max)", .max), ("1e1", 10), ("7.0", 7),
                ("700e-2", 7),
            ],
            refuses: [
                (incremented("\(Value.max)"), .invalidValue), (below, .invalidValue), ("1.5", .invalidValue),
                ("1e40", .invalidValue),
                ("1e-1", .invalidValue), (String(repeating: "9", count: 200), .invalidValue), ("\"7\"", .typeMismatch),
                ("true", .typeMismatch),
                ("[7]", .typeMismatch), ("{\"a\":7}", .typeMismatch),
            ])
    }

    /// The row, the three presences, the ways to write and all ways to read of one kind. `takesNull` is what null is, for
    /// kinds of which it is a value.
    private func expectKind<Value: Sample>(
        _ type: Value.Type, _ kind: PropertyKind, _ expectation: String, takes: [(String, Value)],
        refuses: [(String, JSONError.Kind)] = [], takesNull: Value? = nil, _ location: SourceLocation = #_sourceLocation
    ) {
        typealias Model = Trio<Value>
        typealias Draft = DraftedTrio<Value>.JSONDraft
        let table = rows(of: DraftedTrio<Value>.self)
        let offsets = [
            MemoryLayout<Draft>.offset(of: \.required), MemoryLayout<Draft>.offset(of: \.defaulted),
            MemoryLayout<Draft>.offset(of: \.optional),
        ]
        #expect(table.map(\.key) == ["required", "defaulted", "optional"], sourceLocation: location)
        #expect(table.map(\.kind) == [kind, kind, kind], sourceLocation: location)
        #expect(table.map(\.slot) == [0, 1, 2], sourceLocation: location)
        #expect(table.map(\.offset) == offsets, sourceLocation: location)
        #expect(table.map(\.depth) == [1, 1, 1], sourceLocation: location)
        #expect(table.map { $0.flags.contains(.nullable) } == [false, false, true], sourceLocation: location)
        #expect(table.allSatisfy { $0.expectation == expectation }, sourceLocation: location)

        func expect(_ text: String, _ expected: Outcome<Model>) {
            let (outcome, disagreements) = readEveryWay(Model.self, text)
            #expect(outcome == expected, "\(text)", sourceLocation: location)
            #expect(disagreements == [], "\(text)", sourceLocation: location)
        }
        for (text, value) in takes {
            let all = Trio(required: value, defaulted: value, optional: value)
            expect(#"{"required":\#(text),"defaulted":\#(text),"optional":\#(text)}"#, .value(all))
            expect(
                #"{ "optional" : \#(text) , "skip" : [\#(text)] , "required" : \#(text) }"#,
                .value(Trio(required: value, optional: value)))
            // Twice: what was there first is replaced, and released.
            expect(#"{"required":\#(text),"required":\#(text)}"#, .value(Trio(required: value)))
            let again = Outcome { () throws(JSONError) in try Model(json: all.jsonString()) }
            #expect(again == .value(all), sourceLocation: location)
        }
        let (text, value) = takes[0]
        expect("{}", .failure(.missingKeys, ""))
        expect(#"{"required":null}"#, takesNull.map { .value(Trio(required: $0)) } ?? nullOutcome())
        expect(#"{"required":\#(text),"defaulted":null}"#, .value(Trio(required: value, defaulted: takesNull ?? nullDefault())))
        expect(#"{"required":\#(text),"optional":null}"#, .value(Trio(required: value, optional: nil)))
        expect(#"{"required":\#(text),"optional":\#(text),"optional":null}"#, .value(Trio(required: value, optional: nil)))
        for (text, error) in refuses {
            for name in ["required", "defaulted", "optional"] {
                expect(#"{"\#(name)":\#(text)}"#, .failure(error, name))
            }
        }
    }

    /// Null for a required property: missing, unless null is a value of the type.
    private func nullOutcome<Value: Sample>() -> Outcome<Trio<Value>> {
        if Value.self == JSONValue.self, let null = JSONValue.null as? Value { return .value(Trio(required: null)) }
        return .failure(.missingKeys, "")
    }

    private func nullDefault<Value: Sample>() -> Value {
        if Value.self == JSONValue.self, let null = JSONValue.null as? Value { return null }
        return .initial
    }

    /// The decimal text of a number + 1 (a positive one) or - 1 (a negative one): one further from zero.
    private func incremented(_ text: String) -> String {
        var digits = Array(text.utf8)
        var index = digits.count - 1
        while digits[index] == UInt8(ascii: "9") {
            digits[index] = UInt8(ascii: "0")
            index -= 1
        }
        digits[index] += 1
        return String(decoding: digits, as: UTF8.self)
    }

    private func decremented(_ text: String) -> String { "-" + incremented(String(text.dropFirst())) }
}
