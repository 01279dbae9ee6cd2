// Records into the cells of columns that are known only at run time.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ColumnTableTests {
    @Test func everyTypeOfColumnTakesItsValues() throws {
        let reader = ColumnReader(columns: [
            JSONColumn(name: "i", type: .integer, keys: ["i"]), JSONColumn(name: "r", type: .real, keys: ["n.r"]),
            JSONColumn(name: "t", type: .text, keys: ["t", "T"]),
            JSONColumn(name: "b", type: .bool, keys: ["b"]), JSONColumn(name: "d", type: .timestamp, keys: ["d"]),
            JSONColumn(name: "j", type: .json, keys: ["j"]),
        ])
        let text =
            #"{"j": [1, {"a" : "é"}], "i": -7, "n": {"r": 1.5}, "T": "x\n", "b": true, "d": "2014-01-20T12:24:48Z", "?": 1}"#
        #expect(try cells(reader, text) == ["-7", "1.5", "'x\n'", "1", "'2014-01-20T12:24:48Z'", #"'[1,{"a":"é"}]'"#])
        // What is absent or null is null; nothing of the last record is left.
        #expect(
            try cells(reader, #"{"i": null, "j": null, "t": "plain", "T": "lesser"}"#) == [
                "null", "null", "'plain'", "null", "null", "null",
            ])
        #expect(
            try cells(reader, #"{"t": 12.50, "i": 3.0, "b": false, "j": "s", "n": [1]}"#) == [
                "3", "null", "'12.50'", "0", "null", "'\"s\"'",
            ])
        #expect(
            try cells(reader, #"{"t": false, "t": true, "i": true, "n": {"r": 2, "r": 3e2}}"#) == [
                "1", "300.0", "'true'", "null", "null", "null",
            ])
    }

    @Test(
        arguments: [
            (#"{"i": "x"}"#, "i", JSONError.Kind.typeMismatch), (#"{"i": 1.5}"#, "i", .invalidValue),
            (#"{"n": {"r": 1e999}}"#, "n.r", .invalidValue),
            (#"{"t": []}"#, "t", .typeMismatch), (#"{"d": "soon"}"#, "d", .invalidValue), (#"{"b": 1}"#, "b", .typeMismatch),
            (#"{"t": "\udc00"}"#, "t", .invalidUnicode),
            (#"{"i": {}}"#, "i", .typeMismatch), ("[]", "", .typeMismatch),
        ])
    func whatDoesNotFitIsAnError(_ text: String, _ path: String, _ kind: JSONError.Kind) throws {
        let reader = ColumnReader(columns: [
            JSONColumn(name: "i", type: .integer, keys: ["i"]), JSONColumn(name: "r", type: .real, keys: ["n.r"]),
            JSONColumn(name: "t", type: .text, keys: ["t"]),
            JSONColumn(name: "b", type: .bool, keys: ["b"]), JSONColumn(name: "d", type: .date, keys: ["d"]),
        ])
        let error = failure { () throws(JSONError) in try read(reader, Array(text.utf8)) }
        #expect(error?.kind == kind)
        #expect(error?.path == path)
        #expect(try cells(reader, #"{"i": 1}"#)[0] == "1")
    }

    @Test func severalColumnsMayHaveOneKey() throws {
        let reader = ColumnReader(columns: [
            JSONColumn(name: "a", type: .text, keys: ["x"]), JSONColumn(name: "b", type: .integer, keys: ["x"]),
            JSONColumn(name: "c", type: .json, keys: ["x"]), JSONColumn(name: "d", type: .json, keys: ["o"]),
            JSONColumn(name: "e", type: .real, keys: ["o.r"]), JSONColumn(name: "f", type: .text, keys: ["l.1"]),
        ])
        let text = #"{"x": 7, "o": {"r": 1.5, "s": [ 1 ]}, "l": ["n\u00e9", "\u00e9", {}]}"#
        #expect(
            try cells(reader, text) == ["'7'", "7", "'7'", #"'{"r":1.5,"s":[1]}'"#, "1.5", "'é'"])
        #expect(try cells(reader, #"{"x": null, "o": 3}"#) == ["null", "null", "null", "'3'", "null", "null"])
        let error = failure { () throws(JSONError) in try read(reader, Array(#"{"x": "seven"}"#.utf8)) }
        #expect(error?.path == "x")
    }

    @Test func tolerantColumnsKeepValuesOfOtherTypes() throws {
        let reader = ColumnReader(columns: [
            JSONColumn(name: "i", type: .integer, keys: ["i"], isTolerant: true),
            JSONColumn(name: "d", type: .date, keys: ["d"], isTolerant: true),
            JSONColumn(name: "t", type: .text, keys: ["t"], isTolerant: true),
        ])
        #expect(try cells(reader, #"{"i": "text", "d": "soon", "t": "t"}"#) == ["'text'", "'soon'", "'t'"])
        #expect((0..<3).map { reader.isOffType(at: $0) } == [true, true, false])
        #expect(try cells(reader, #"{"i": 1.5, "d": 7, "t": true}"#) == ["1.5", "7", "'true'"])
        #expect(
            try cells(reader, #"{"i": [1, "]"], "d": {"a": {}}, "t": [[]]}"#) == [#"'[1,"]"]'"#, #"'{"a":{}}'"#, "'[[]]'"])
        #expect((0..<3).map { reader.isOffType(at: $0) } == [true, true, true])
        #expect(try cells(reader, #"{"i": 1}"#) == ["1", "null", "null"])
        #expect((0..<3).map { reader.isOffType(at: $0) } == [false, false, false])
    }

    @Test func aRecordMayHaveTenThousandColumns() throws {
        let reader = ColumnReader(columns: (0..<10_000).map { JSONColumn(name: "k\($0)", type: .integer) })
        let found = try cells(reader, #"{"k9999":7,"k0":1}"#)
        #expect(found.count == 10_000 && [found[0], found[1], found[9_999]] == ["1", "null", "7"])
    }

    @Test func aPlanThatNobodyHoldsIsFreed() throws {
        weak var plan: RowPlan?
        weak var table: PropertyTable?
        do {
            let columns = [
                JSONColumn(name: "i", type: .integer, keys: ["i", "other"]),
                JSONColumn(name: "p", type: .text, keys: ["o.p"], isSensitive: true),
                JSONColumn(name: "o", type: .json, keys: ["o"]),
                JSONColumn(name: "d", type: .date, keys: ["d"], dates: .format("yyyy/MM/dd")),
            ]
            let made = RowPlan(columns)
            (plan, table) = (made, made.row.binding.model?.table)
            let reader = ColumnReader(columns: columns, made)
            #expect(
                try cells(reader, #"{"i": 1, "o": {"p": "x"}, "d": "2024/01/31"}"#) == [
                    "1", "'x'", #"'{"p":"x"}'"#, "'2024-01-31'",
                ])
            let error = failure { () throws(JSONError) in try read(reader, Array(#"{"o": {"p": []}}"#.utf8)) }
            #expect(error?.path == "o.p")
        }
        #expect(plan == nil)
        #expect(table == nil)
        do {
            let inner = JSONColumn(name: "x", type: .list(of: .timestamp), isRequired: true, isSensitive: true, dates: .unix)
            let columns = [JSONColumn("a.b", .integer), JSONColumn("a", .list(of: .object([inner])))]
            let made = RowPlan(columns)
            (plan, table) = (made, made.row.binding.model?.table)
            #expect(table != nil)
        }
        #expect(plan == nil)
        #expect(table == nil)
    }
}

@Suite struct UnknownValueTests {
    @Test(
        arguments: [
            (#"{"a": 1, "o": {"x": 1, "p": {"y": 2}}, "j": {"z": 1}}"#, false), ("{}", false), (#"{"o": {}, "a": null}"#, false),
            (#"{"o": null, "j": [{"q": 1}]}"#, false), (#"{"o": {"p": null, "x": {"deep": 1}}}"#, false),
            (#"{"a": 1, "b": 2}"#, true), (#"{"b": null}"#, true), (#"{"o": {"x": 1, "b": {"c": 1}}}"#, true),
            (#"{"o": {"p": {"y": 1, "b": []}}}"#, true), (#"{"o": 1}"#, true), (#"{"o": "text"}"#, true), (#"{"o": true}"#, true),
            (#"{"o": []}"#, true), (#"{"o": {"p": [1]}}"#, true), (#"{"n": [1, 2]}"#, true), (#"{"A": 1}"#, true),
        ])
    func aValueThatNoColumnReadsIsNoticed(_ text: String, _ isThere: Bool) throws {
        let reader = ColumnReader(columns: [
            JSONColumn(name: "a", type: .integer, keys: ["a"], isTolerant: true),
            JSONColumn(name: "x", type: .integer, keys: ["o.x"], isTolerant: true),
            JSONColumn(name: "y", type: .integer, keys: ["o.p.y"], isTolerant: true),
            JSONColumn(name: "j", type: .json, keys: ["j"], isTolerant: true),
            JSONColumn(name: "n", type: .integer, keys: ["n.0"], isTolerant: true),
        ])
        try read(reader, Array(text.utf8))
        let isNoticed = reader.hasUnknownValue
        #expect(isNoticed == isThere)
        // The next record knows nothing of it.
        try read(reader, Array(#"{"a": 1}"#.utf8))
        let isStillNoticed = reader.hasUnknownValue
        #expect(!isStillNoticed)
    }

    @Test func aKeyWithNullIsPresentAndAMissingOneIsNot() throws {
        let reader = ColumnReader(columns: [
            JSONColumn(name: "a", type: .integer, keys: ["a"]), JSONColumn(name: "x", type: .text, keys: ["o.x"]),
            JSONColumn(name: "j", type: .json, keys: ["j"]),
        ])
        func presence(_ text: String) throws -> [Bool] {
            try read(reader, Array(text.utf8))
            return (0..<3).map { reader.nextColumn(from: $0) == $0 }
        }
        #expect(try presence(#"{"a": 1, "o": {"x": "t"}, "j": [1]}"#) == [true, true, true])
        #expect(try presence(#"{"a": null, "o": {"x": null}, "j": null}"#) == [true, true, true])
        #expect(try presence(#"{"o": null}"#) == [false, false, false])
        #expect(try presence("{}") == [false, false, false])
    }

    @Test func aDeclaredColumnOfDoublesKeepsAnIntegerThatNoDoubleHolds() throws {
        let reader = ColumnReader(columns: [JSONColumn(name: "r", type: .real, keys: ["r"])])
        for (number, cell) in [
            ("9007199254740993", "9007199254740993"), ("-9007199254740993.0", "-9007199254740993"),
            ("9007199254740992", "9007199254740992.0"), ("12345678901234567891", "'12345678901234567891'"), ("1e300", "1e+300"),
            ("0.1", "0.1"),
            // A sink sees the digits, and counts what its column changes.
            ("9007199254740993.5", "'9007199254740993.5'"),
        ] {
            let found = try cells(reader, "{\"r\": \(number)}")
            #expect(found == [cell], "\(number)")
            let isOffType = reader.isOffType(at: 0)
            #expect(!isOffType)
        }
    }

    @Test func anIntegerThatADoubleDoesNotHoldIsNoRealNumber() throws {
        let reader = ColumnReader(columns: [JSONColumn(name: "r", type: .real, keys: ["r"], isTolerant: true)])
        #expect(try cells(reader, #"{"r": 9007199254740993}"#) == ["9007199254740993"])
        let isOffType = reader.isOffType(at: 0)
        #expect(isOffType)
        #expect(try cells(reader, #"{"r": 9007199254740992}"#) == ["9007199254740992.0"])
        let isKept1 = !reader.isOffType(at: 0)
        #expect(isKept1)
        #expect(try cells(reader, #"{"r": 1e300}"#) == ["1e+300"])
        let isKept2 = !reader.isOffType(at: 0)
        #expect(isKept2)
    }
}

private func read(_ reader: ColumnReader, _ bytes: [UInt8]) throws(JSONError) {
    try unsafe bytes.withUnsafeBytes { buffer in Result { () throws(JSONError) in try unsafe reader.read(buffer) } }.get()
}

private func cells(_ reader: ColumnReader, _ text: String) throws -> [String] {
    let bytes = Array(text.utf8)
    return try unsafe bytes.withUnsafeBytes { buffer in
        try unsafe reader.read(buffer)
        return reader.columns.indices.map { index in
            switch reader.value(at: index) {
            case .null: "null"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let bytes): unsafe "'\(String(decoding: bytes, as: UTF8.self))'"
            }
        }
    }
}
