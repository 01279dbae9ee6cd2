#if PostgreSQL
import Foundation
import SluiceCore
import SluiceIngest
import Testing

@testable import SluicePostgres

/// A cell of a test.
enum TestCell: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// Runs a body with a row of cells, each with the index of its column.
    static func withRow<Result>(
        _ cells: [(column: Int, value: TestCell)], isOffType: Bool = false, _ body: (RowCells) throws -> Result
    ) rethrows -> Result {
        var text: [UInt8] = []
        let made = cells.map { column, value in
            var cell = Cell()
            cell.column = Int16(column)
            cell.isOffType = isOffType
            switch value {
            case .null: break
            case .integer(let value): (cell.tag, cell.integer) = (.integer, value)
            case .real(let value): (cell.tag, cell.real) = (.real, value)
            case .text(let value):
                (cell.tag, cell.offset, cell.count) = (.ownText, text.count, value.utf8.count)
                text += value.utf8
            }
            return cell
        }
        return try unsafe made.withUnsafeBufferPointer { cells in
            try unsafe text.withUnsafeBytes { try unsafe body(RowCells(cells: cells, bytes: $0, text: $0)) }
        }
    }
}

@Suite(.needsServer) struct CopyTypeTests {
    /// What a column of a type holds after a COPY of a cell, in both formats; a refusal is thrown.
    private func stored(
        _ cell: TestCell, in type: String, _ server: PostgresServer, source: ColumnType = .text, isOffType: Bool = false
    ) throws -> (text: String?, hasLoss: Bool) {
        try server.connection.run("DROP TABLE IF EXISTS t; CREATE TABLE t (c \(type))")
        let table = try #require(try PostgresTable("t", schema: nil, server.connection))
        let field = CopyField(name: "c", type: table.columns[0].type, source: source)
        var hasLoss = false
        for format in [CopyFormat([field.type]), .text] {
            var rows = CopyRows([field], fieldIndices: [0], format: format, isStaged: false)
            try TestCell.withRow([(0, cell)], isOffType: isOffType) { try rows.append($0, 0, required: []) }
            hasLoss = !rows.losses.isEmpty
            let count = unsafe try rows.withData(of: 0..<1) { data throws(PostgresError) in
                try unsafe server.connection.copy("COPY t FROM STDIN \(format.options)", data)
            }
            #expect(count == 1)
        }
        let values = try server.rows("SELECT c::text FROM t").map { $0[0] }
        #expect(values.count == 2 && values[0] == values[1], "both formats store the same")
        return (values[0], hasLoss)
    }

    /// Values of another type than their inferred column: what the column holds, and whether it is another value.
    private static let late: [(String, ColumnType, TestCell, String, Bool)] = [
        ("int8", .integer, .text("007"), "7", true), ("int8", .integer, .text(" 5 "), "5", true),
        ("int8", .integer, .text("5"), "5", true), ("int8", .integer, .integer(1), "1", true),
        ("int8", .integer, .real(5), "5", false), ("bool", .bool, .text("yes"), "true", true),
        ("bool", .bool, .text("off"), "false", true), ("bool", .bool, .text("true"), "true", true),
        ("bool", .bool, .integer(1), "true", true), ("bool", .integer, .integer(1), "true", false),
        ("float8", .real, .text("1.50"), "1.5", true), ("float8", .real, .text("1.5"), "1.5", true),
        ("float8", .real, .text("12345678901234567890"), "1.2345678901234567e+19", true),
        ("float8", .real, .text("NaN"), "NaN", true), ("float8", .real, .integer(0), "0", true),
        ("numeric", .integer, .text("9223372036854775809"), "9223372036854775809", false),
        ("numeric", .integer, .text("007"), "7", true), ("numeric", .real, .text("1e3"), "1000", true),
        ("text", .integer, .text("007"), "007", false),
    ]

    @Test func lateValuesThatBecomeOthersCountAsLosses() throws {
        let server = try PostgresServer()
        for (type, source, cell, wanted, isLost) in Self.late {
            let found = try stored(cell, in: type, server, source: source, isOffType: true)
            #expect(found.text == wanted, "\(cell) in \(type)")
            #expect(found.hasLoss == isLost, "\(cell) in \(type)")
        }
    }

    private static let kept: [(String, TestCell, String?)] = [
        ("int2", .integer(-32768), "-32768"), ("int2", .text(" 12 "), "12"), ("int4", .real(5), "5"),
        ("int4", .integer(2_147_483_647), "2147483647"),
        ("int8", .integer(.min), "-9223372036854775808"), ("int8", .text("1e3"), "1000"), ("int8", .null, nil),
        ("int8", .text("9223372036854775807"), "9223372036854775807"),
        ("int8", .text("-9223372036854775808"), "-9223372036854775808"),
        ("float4", .real(0.1), "0.1"), ("float8", .real(.leastNonzeroMagnitude), "5e-324"),
        ("float8", .real(1.7976931348623157e308), "1.7976931348623157e+308"),
        ("float8", .real(-0.0), "-0"), ("float8", .text("NaN"), "NaN"), ("float8", .text("-Infinity"), "-Infinity"),
        ("float4", .text("infinity"), "Infinity"),
        ("float4", .text("nan"), "NaN"), ("float8", .integer(3), "3"), ("float8", .text("1e3"), "1000"),
        ("numeric", .text("-0.00"), "0.00"), ("numeric", .text("1.50"), "1.50"),
        ("numeric", .text("123456789012345678901234567890.000123"), "123456789012345678901234567890.000123"),
        ("numeric", .text("1e30"), "1" + String(repeating: "0", count: 30)), ("numeric", .text("12e-6"), "0.000012"),
        ("numeric", .integer(-10000), "-10000"),
        ("numeric", .real(1e20), "100000000000000000000"), ("numeric", .real(0.1), "0.1"), ("numeric", .text("NaN"), "NaN"),
        ("numeric", .text("Infinity"), "Infinity"),
        ("numeric", .text("-infinity"), "-Infinity"), ("numeric", .text("0"), "0"), ("numeric", .text("10000"), "10000"),
        ("numeric", .text("00012.50"), "12.50"),
        ("numeric", .text("1e-16383"), "0." + String(repeating: "0", count: 16382) + "1"),
        ("numeric", .text("1e131071"), "1" + String(repeating: "0", count: 131_071)),
        ("numeric(5,2)", .text("999.99"), "999.99"), ("numeric(5,2)", .integer(999), "999.00"),
        ("numeric(5,2)", .text("NaN"), "NaN"), ("numeric(3,-2)", .integer(12300), "12300"),
        ("bool", .integer(1), "true"), ("bool", .text("off"), "false"), ("bool", .text("TRUE"), "true"),
        ("text", .text("a\tb\nc\\d\re\u{8}\u{1F600}\\."), "a\tb\nc\\d\re\u{8}\u{1F600}\\."), ("text", .text(""), ""),
        ("text", .text("\\N"), "\\N"), ("text", .integer(7), "7"), ("text", .real(0.5), "0.5"),
        ("varchar(5)", .text("äöü😀x"), "äöü😀x"), ("varchar(3)", .text("abc   "), "abc"), ("char(5)", .text("ab"), "ab"),
        ("name", .text("n"), "n"), ("varchar", .text("x"), "x"),
        ("jsonb", .text("{\"a\": [1, \"\\u00e4\\ud83d\\ude00\"]}"), "{\"a\": [1, \"ä😀\"]}"),
        ("json", .text("{\"b\":1,  \"a\":2}"), "{\"b\":1,  \"a\":2}"),
        ("jsonb", .integer(5), "5"), ("jsonb", .real(0.5), "0.5"),
        ("jsonb", .text("say \"hi\"\n\u{1}\\"), "\"say \\\"hi\\\"\\n\\u0001\\\\\""), ("jsonb", .text("true"), "true"),
        ("jsonb", .text("1e2"), "100"), ("jsonb", .text("01"), "\"01\""), ("jsonb", .text(""), "\"\""),
        ("json", .text("x"), "\"x\""), ("jsonb", .text("\"12\""), "\"12\""), ("jsonb", .text("\"[x]\""), "\"[x]\""),
        ("jsonb", .text("null"), "null"),
        ("date", .text("2024-02-29"), "2024-02-29"), ("date", .text("1999-12-31T00:00:00Z"), "1999-12-31"),
        ("date", .text("infinity"), "infinity"), ("date", .text("0001-01-01"), "0001-01-01"),
        ("date", .text("0000-03-01"), "0001-03-01 BC"), ("date", .text("-004712-06-01"), "4713-06-01 BC"),
        ("date", .text("+012345-06-07"), "12345-06-07"),
        ("timestamptz", .text("2024-02-29T12:34:56.789012Z"), "2024-02-29 12:34:56.789012+00"),
        ("timestamptz", .text("1970-01-01T00:00:00+02:00"), "1969-12-31 22:00:00+00"),
        ("timestamptz", .text("-infinity"), "-infinity"),
        ("timestamptz", .text("+294276-12-31T23:59:59.999999Z"), "294276-12-31 23:59:59.999999+00"),
        ("timestamptz", .text("1999-12-31T23:59:59.999999Z"), "1999-12-31 23:59:59.999999+00"),
        ("timestamptz", .text("-000043-03-15T01:02:03.5Z"), "0044-03-15 01:02:03.5+00 BC"),
        ("timestamp", .text("2024-02-29T12:34:56+02:00"), "2024-02-29 10:34:56"),
        ("timestamp", .text("2024-02-29 12:34"), "2024-02-29 12:34:00"),
        ("timestamp(0)", .text("2024-02-29 12:34:56.5"), "2024-02-29 12:34:57"),
        ("uuid", .text("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        ("uuid", .text("{a0eebc999c0b4ef8bb6d6bb9bd380a11}"), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        ("uuid", .text("00000000-0000-0000-0000-000000000001"), "00000000-0000-0000-0000-000000000001"),
        ("bytea", .text("\\x00FFab"), "\\x00ffab"), ("bytea", .text("\\x"), "\\x"),
        ("inet", .text("10.0.0.1/8"), "10.0.0.1/8"), ("int[]", .text("{1,2,NULL}"), "{1,2,NULL}"),
        ("interval", .text("1 day"), "1 day"), ("bit(3)", .text("101"), "101"), ("time", .text("12:00"), "12:00:00"),
        ("money", .integer(3), "$3.00"), ("xml", .text("<a/>"), "<a/>"), ("int4range", .text("[1,5)"), "[1,5)"),
    ]

    @Test(arguments: kept) func aValueThatFitsIsStoredExactly(type: String, cell: TestCell, expected: String?) throws {
        let server = try PostgresServer()
        try server.connection.run("SET timezone = 'UTC'; SET lc_monetary = 'C'")
        #expect(try stored(cell, in: type, server, source: Self.source(of: cell, in: type)).text == expected)
    }

    /// The type of the column that a value was read as. Columns of JSON have texts that are JSON, and no other.
    private static func source(of cell: TestCell, in type: String) -> ColumnType {
        guard type.hasPrefix("json"), case .text(let text) = cell else { return .text }
        return text.hasPrefix("[") || text.hasPrefix("{") || (try? JSONValue(json: text)) != nil ? .json : .text
    }

    private static let refused: [(String, TestCell)] = [
        ("int2", .integer(32768)), ("int4", .integer(-2_147_483_649)), ("int8", .text("9223372036854775808")),
        ("int8", .real(1.5)), ("int8", .text("x")), ("int8", .text("")), ("int8", .text("1e-1")),
        ("int8", .text("1e999999999999")), ("int8", .real(1e19)),
        ("float4", .real(1e39)), ("float4", .real(1e-60)), ("float8", .text("1e999")), ("float8", .text("0x10")),
        ("float8", .text("1e-999")), ("float8", .text("inf")),
        ("numeric", .text("1e131072")), ("numeric", .text("1e-16384")), ("numeric", .text("--1")), ("numeric", .text("1e")),
        ("numeric(5,2)", .integer(1000)), ("numeric(5,2)", .text("Infinity")), ("numeric(5,2)", .real(12345.5)),
        ("bool", .integer(2)), ("bool", .text("maybe")), ("bool", .real(1)),
        ("text", .text("a\0b")), ("varchar(3)", .text("abcd")), ("varchar(3)", .text("ääää")), ("varchar(3)", .integer(1234)),
        ("char(2)", .text("abc")), ("name", .text(String(repeating: "n", count: 64))),
        ("jsonb", .text("{\"a\":\"\\u0000\"}")), ("jsonb", .text("[\"\\ud83d\"]")), ("jsonb", .text("[\"\\ude00\"]")),
        ("jsonb", .text("[\"\\ud83dx\\ude00\"]")), ("json", .text("[\"\\ud83d\\n\"]")), ("jsonb", .text("a\0b")),
        ("date", .text("2024-02-30")), ("date", .text("2024-02-29T12:00:00Z")), ("date", .integer(5)),
        ("date", .text("yesterday")), ("timestamptz", .text("+294277-01-01")), ("timestamptz", .text("-004800-01-01")),
        ("timestamptz", .real(1)), ("timestamp", .text("12:00")), ("date", .text("-005000-01-01")),
        ("uuid", .text("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1")), ("uuid", .text("a0eebc99--9c0b4ef8bb6d6bb9bd380a11")),
        ("uuid", .text("g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")), ("bytea", .text("abc")), ("bytea", .text("\\xabc")),
    ]

    @Test(arguments: refused) func aValueThatDoesNotFitIsRefusedBeforeItIsSent(type: String, cell: TestCell) throws {
        let server = try PostgresServer()
        #expect(throws: CopyRefusal.self) { try stored(cell, in: type, server, source: Self.source(of: cell, in: type)) }
    }

    @Test func aRefusalNamesTheColumnWhatIsExpectedAndWhatIsFound() throws {
        let field = CopyField(name: "age", type: .int2)
        var reader = CopyReader()
        #expect {
            _ = try reader.read(.integer(40000), as: field)
        } throws: { "\(($0 as? CopyRefusal)?.description ?? "")" == "age: expected smallint, found 40000" }
        let secret = CopyField(name: "age", type: .int2, isSensitive: true)
        #expect {
            _ = try reader.read(.integer(40000), as: secret)
        } throws: { ($0 as? CopyRefusal)?.found == "another value" }
    }

    @Test func anEnumerationTakesItsLabelsAndADomainWhatItsBaseTakes() throws {
        let server = try PostgresServer()
        try server.connection.run(
            "CREATE TYPE mood AS ENUM ('sad', 'so, so'); CREATE DOMAIN age AS int2 CHECK (VALUE > 0); CREATE DOMAIN code AS varchar(3); CREATE DOMAIN short AS code"
        )
        #expect(try stored(.text("so, so"), in: "mood", server).text == "so, so")
        #expect(throws: CopyRefusal.self) { try stored(.text("glad"), in: "mood", server) }
        #expect(try stored(.integer(5), in: "age", server).text == "5")
        #expect(throws: CopyRefusal.self) { try stored(.integer(40000), in: "age", server) }
        #expect(throws: PostgresError.self) { try stored(.integer(-1), in: "age", server) }
        #expect(throws: CopyRefusal.self) { try stored(.text("abcd"), in: "short", server) }
    }

    @Test func truthValuesAreWordsWhereTheColumnHasText() throws {
        let server = try PostgresServer()
        #expect(try stored(.integer(1), in: "text", server, source: .bool).text == "true")
        #expect(try stored(.integer(0), in: "jsonb", server, source: .bool).text == "false")
        #expect(try stored(.integer(1), in: "text", server, source: .bool, isOffType: true).text == "1")
        #expect(throws: CopyRefusal.self) { try stored(.integer(0), in: "varchar(4)", server, source: .bool) }
    }

    @Test func stringsOfATextColumnAreStringsOfJSON() throws {
        let server = try PostgresServer()
        #expect(try stored(.text("12"), in: "jsonb", server, source: .text).text == "\"12\"")
        #expect(try stored(.text("[12]"), in: "jsonb", server, source: .text).text == "\"[12]\"")
        #expect(try stored(.text("[12]"), in: "jsonb", server, source: .text, isOffType: true).text == "[12]")
    }

    @Test func lostDigitsAreNoted() throws {
        let server = try PostgresServer()
        for (type, cell) in [
            ("float8", TestCell.integer(9_007_199_254_740_993)), ("float4", .integer(16_777_217)),
            ("numeric(5,2)", .text("1.005")),
            ("timestamptz", .text("2024-01-01T00:00:00.123456789Z")),
            ("timestamptz", .text("2024-01-01T00:00:00.1234560000001Z")), ("float8", .text("0.12345678901234567890")),
            ("float8", .text("12345678901234567890")),
        ] {
            #expect(try stored(cell, in: type, server).hasLoss)
        }
        for (type, cell) in [
            ("float8", TestCell.integer(9_007_199_254_740_992)), ("numeric(5,2)", .text("1.000")),
            ("timestamptz", .text("2024-01-01T00:00:00.123456Z")), ("float8", .text("1.50")),
            ("timestamptz", .text("2024-01-01T00:00:00.123456000000000Z")), ("int8", .text("007")),
            ("numeric(3,-2)", .integer(12300)),
        ] {
            #expect(try !stored(cell, in: type, server).hasLoss)
        }
    }

    @Test func numbersOfAnySizeAreWhatTheServerReadsItself() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TABLE t (c numeric, expected numeric)")
        var generator = SystemRandomNumberGenerator()
        let field = CopyField(name: "c", type: .numeric(precision: nil, scale: nil))
        var rows = CopyRows(
            [field, CopyField(name: "expected", type: .text(limit: nil))], fieldIndices: [0, 1], format: .binary, isStaged: false)
        try server.connection.run("CREATE TABLE texts (c numeric, expected text)")
        for row in 0..<2000 {
            func digits(_ range: ClosedRange<Int>) -> String {
                (0..<Int.random(in: range, using: &generator)).map { _ in Bool.random() ? "0" : "\(Int.random(in: 0...9))" }
                    .joined()
            }
            var text = (Bool.random() ? "-" : "") + digits(1...30)
            if Bool.random() { text += "." + digits(1...30) }
            if Bool.random() { text += "e\(Int.random(in: -60...60))" }
            try TestCell.withRow([(0, .text(text)), (1, .text(text))]) { try rows.append($0, row, required: []) }
        }
        _ = unsafe try rows.withData(of: 0..<rows.count) { data throws(PostgresError) in
            try unsafe server.connection.copy("COPY texts FROM STDIN (FORMAT binary)", data)
        }
        #expect(try server.rows("SELECT c, expected FROM texts WHERE c::text <> expected::numeric::text").isEmpty)
        #expect(try server.value("SELECT count(*) FROM texts") == "2000")
    }

    // MARK: Arrays

    private static let arrays: [(type: String, json: String, stored: String?)] = [
        ("text[]", #"["a","b c",null,"NULL","","q\"\\\n{},é"]"#, #"{a,"b c",NULL,"NULL","","q\"\\"# + "\n" + #"{},é"}"#),
        ("text[]", "[]", "{}"), ("int[]", "[1,null,-3]", "{1,NULL,-3}"), ("int[]", "[[1,2],[3,4]]", "{{1,2},{3,4}}"),
        ("numeric(4,1)[]", "[1.25,100]", "{1.3,100.0}"), ("boolean[]", "[true,false]", "{t,f}"), ("int[]", #""{1,2}""#, "{1,2}"),
        ("jsonb[]", #"[{"a":[1]},"x",1]"#, #"{"{\"a\": [1]}","\"x\"",1}"#), ("date[]", #"["2024-02-29"]"#, "{2024-02-29}"),
        ("text[]", #"[1,true]"#, "{1,true}"),
    ]

    @Test(arguments: arrays) func anArrayOfJSONIsStoredAsAnArray(type: String, json: String, stored wanted: String?) throws {
        let server = try PostgresServer()
        #expect(try stored(.text(json), in: type, server, source: .json).text == wanted)
        if json.hasPrefix("[") {
            #expect(try stored(.text(json), in: type, server, source: .text, isOffType: true).text == wanted)
        }
    }

    @Test func aValueThatIsNoArrayIsRefusedWithAReason() throws {
        let server = try PostgresServer()
        try server.connection.run("CREATE TYPE mood AS ENUM ('ok'); CREATE DOMAIN moods AS mood[]")
        #expect(try stored(.text(#"["ok"]"#), in: "moods", server, source: .json).text == "{ok}")
        func reason(_ cell: TestCell, _ type: String) -> String? {
            do {
                _ = try stored(cell, in: type, server, source: .json)
                return nil
            } catch {
                return (error as? CopyRefusal)?.description ?? "\(error)"
            }
        }
        #expect(reason(.integer(5), "int[]") == "c: expected an array, in JSON or as PostgreSQL writes it, found 5")
        #expect(reason(.text(#"{"a":1}"#), "int[]") == #"c: expected an array, found '{"a":1}'"#)
        #expect(reason(.text(#"[{"a":1}]"#), "text[]")?.hasPrefix("c: expected an array of values that are no objects") == true)
        #expect(reason(.text(#"["x"]"#), "int[]")?.contains("invalid input syntax for type integer") == true)
        #expect(reason(.text("[[1],[2,3]]"), "int[]")?.contains("array") == true)
        #expect(reason(.text(#"["\u0000"]"#), "text[]")?.contains("U+0000") == true)
    }
}
#endif
