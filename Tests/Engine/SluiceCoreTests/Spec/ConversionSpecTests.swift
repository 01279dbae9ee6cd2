// F19: every kind of JSON value for every kind of property, under the three profiles. The tables are those of the specification,
// sections 1.5.1 and 1.5.2.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ConversionSpecTests {
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
}

/// The number of a text that is known to be one.
private func number(_ text: String) -> JSONNumber { JSONNumber(lexeme: text) ?? JSONNumber(0) }
