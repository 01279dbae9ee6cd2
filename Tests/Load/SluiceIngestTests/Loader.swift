// Loads feeds with the library, in this process, into each kind of sink, and reads back what is stored there as values that compare.

#if SQLite
import Foundation
import GRDB
import GRDBSQLite
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

#if PostgreSQL
@testable import SluicePostgres
#endif

/// Where a test stores rows.
enum LoaderSink: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite = "SQLite"
    case postgres = "PostgreSQL"
    case ndjson = "NDJSON"
    case csv = "CSV"

    /// The server of Scripts/with-postgres, or nil.
    static var server: String? {
        #if PostgreSQL
        ProcessInfo.processInfo.environment["SLUICE_POSTGRES"]
        #else
        nil
        #endif
    }

    /// Without a server, the cases of PostgreSQL are left out. `LoaderTests` shows that.
    static let databases: [LoaderSink] = server == nil ? [.sqlite] : [.sqlite, .postgres]
    /// Those whose values have types.
    static let typed = databases + [.ndjson]
    static let all = databases + [.ndjson, .csv]

    var isDatabase: Bool { self == .sqlite || self == .postgres }
    var testDescription: String { rawValue }
}

/// A value as a sink keeps it. Dates, and JSON without the white space between its tokens, are texts.
enum StoredValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)

    var text: String? { if case .text(let text) = self { text } else { nil } }

    fileprivate init(_ json: JSONValue?) throws {
        switch json {
        case nil, .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = Int64(number.lexeme).map { .integer($0) } ?? .real(number.double ?? .nan)
        case .string(let text): self = .text(text)
        case .array, .object: self = .text(try json?.jsonString() ?? "")
        }
    }
}

extension StoredValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByStringInterpolation
{
    init(nilLiteral: ()) { self = .null }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .real(value) }
    init(stringLiteral value: String) { self = .text(value) }
}

/// A folder, and a database or a schema of a server, for one test.
final class Loader {
    let sink: LoaderSink
    let scratch: Scratch
    #if PostgreSQL
    /// A session that looks into the schema first.
    private let session: PostgresConnection?
    #endif
    /// A URL of PostgreSQL whose sessions look into the schema first.
    private let url: String

    init(_ sink: LoaderSink) throws {
        (self.sink, scratch) = (sink, try Scratch())
        #if PostgreSQL
        guard sink == .postgres else {
            (session, url) = (nil, "")
            return
        }
        let schema = "l" + String(UInt64.random(in: .min ... .max), radix: 16)
        // Nothing here is about a loss of power.
        url = (LoaderSink.server ?? "") + "&options=-csearch_path%3D\(schema)%20-csynchronous_commit%3Doff"
        session = try PostgresConnection(url)
        try session?.run("CREATE SCHEMA \(schema); SET TimeZone = 'UTC'")
        #else
        url = ""
        #endif
    }

    /// The sink of a table, or of the file of this name.
    func target(_ table: String = "records") -> any RecordSink {
        switch sink {
        case .sqlite: SQLiteSink(path: scratch.path("out.db"), table: table)
        #if PostgreSQL
        case .postgres: PostgresSink(url, table: table)
        #endif
        case .ndjson: FileSink(path: scratch.path(table + ".ndjson"), .ndjson)
        default: FileSink(path: scratch.path(table + ".csv"), .csv)
        }
    }

    // MARK: Loading

    /// Loads a text, which cannot be read again.
    ///
    /// - Parameters:
    ///   - columns: The declared columns, as the options name them.
    ///   - chunk: How many bytes come at once.
    @discardableResult
    func load(
        _ text: String, columns: [String] = [], chunk: Int = .max, into table: String = "records",
        _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        try load(BytesSource(Array(text.utf8), chunkSize: chunk), columns: columns, into: table, change)
    }

    @discardableResult
    func load(
        _ source: any ByteSource, columns: [String] = [], into table: String = "records",
        interruption: Interruption = Interruption(), _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        try job(columns, table, interruption, change).run(source, progress: SilentProgress())
    }

    /// Loads a file by its path.
    @discardableResult
    func load(
        file: String, columns: [String] = [], into table: String = "records", interruption: Interruption = Interruption(),
        _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        try load(files: [file], columns: columns, into: table, interruption: interruption, change)
    }

    @discardableResult
    func load(
        files: [String], columns: [String] = [], into table: String = "records", interruption: Interruption = Interruption(),
        _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        try job(columns, table, interruption, change).run(inputs: files, progress: SilentProgress())
    }

    func job(
        _ columns: [String], _ table: String, _ interruption: Interruption, _ change: (inout IngestOptions) throws -> Void
    ) throws -> IngestJob {
        var options = IngestOptions()
        options.columns = try ColumnOption.columns(columns.map { try ColumnOption($0) })
        try change(&options)
        return IngestJob(options, into: target(table), interruption: interruption)
    }

    // MARK: What is stored

    /// The rows of a table or file, in the order in which they were written, or in that of an expression of the database.
    func rows(_ columns: String..., of table: String = "records", by order: String? = nil) throws -> [[StoredValue]] {
        try rows(columns, of: table, by: order)
    }

    func rows(_ columns: [String], of table: String = "records", by order: String? = nil) throws -> [[StoredValue]] {
        switch sink {
        case .sqlite, .postgres:
            let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            // A child table of SQLite has no row numbers: it is in the order of its key.
            let natural = sink == .sqlite ? "NOT INDEXED" : "ORDER BY ctid"
            return try query("SELECT \(names) FROM \(table) \(order.map { "ORDER BY \($0)" } ?? natural)")
        case .ndjson:
            return try lines(of: table).map { line in try columns.map { try StoredValue(line[$0]) } }
        case .csv:
            let lines = try fields(of: table)
            return lines.dropFirst().map { line in
                columns.map { name in
                    lines[0].firstIndex { $0.text == name }.map { line[$0] } ?? .text("there is no column \(name)")
                }
            }
        }
    }

    /// The names of the columns of a table or file.
    func columns(of table: String = "records") throws -> [String] {
        switch sink {
        case .sqlite: try query("SELECT name FROM pragma_table_info('\(table)')").compactMap { $0[0].text }
        case .postgres:
            try query(
                """
                SELECT attname::text FROM pg_attribute WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped
                ORDER BY attnum
                """
            ).compactMap { $0[0].text }
        case .ndjson: try lines(of: table).first?.keys ?? []
        case .csv: try fields(of: table).first?.compactMap(\.text) ?? []
        }
    }

    /// How many rows a table or file has.
    func count(_ table: String = "records") throws -> Int {
        switch sink {
        case .sqlite, .postgres: try query("SELECT 1 FROM \(table)").count
        case .ndjson: try lines(of: table).count
        case .csv: try fields(of: table).count - 1
        }
    }

    /// The text of a JSON value as the sink keeps it: PostgreSQL sorts the keys of `jsonb` by their length.
    func json(_ text: String) throws -> StoredValue {
        #if PostgreSQL
        if sink == .postgres { return try query("SELECT '\(text.replacing("'", with: "''"))'::jsonb")[0][0] }
        #endif
        return .text(text)
    }

    /// Runs statements on the database, which is made if need be.
    func execute(_ sql: String) throws {
        #if PostgreSQL
        if let session {
            try session.run(sql)
            return
        }
        #endif
        try queue().write { try $0.execute(sql: sql) }
    }

    /// The first value of a query.
    func value(_ sql: String) throws -> StoredValue? { try query(sql).first?.first }

    /// The rows of a query.
    func query(_ sql: String) throws -> [[StoredValue]] {
        #if PostgreSQL
        if let session { return try query(sql, session) }
        #endif
        return try queue().read { db in
            let statement = try db.makeStatement(sql: sql)
            // SQLite has no truth values but in the declared type of a column.
            let isBool = (0..<Int32(statement.columnCount)).map { index in
                unsafe sqlite3_column_decltype(statement.sqliteStatement, index).map { unsafe String(cString: $0) } == "BOOLEAN"
            }
            return try Row.fetchAll(statement).map { row in
                zip(row.databaseValues, isBool).map { value, isBool in
                    switch value.storage {
                    case .null: .null
                    case .int64(let number): isBool && 0...1 ~= number ? .bool(number == 1) : .integer(number)
                    case .double(let number): .real(number)
                    case .string(let text): .text(text)
                    case .blob(let data): .text("a blob of \(data.count) bytes")
                    }
                }
            }
        }
    }

    /// A connection to the database. It waits for runs that write, as any user's does.
    private func queue() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: scratch.path("out.db"), configuration: configuration)
    }

    private func lines(of file: String) throws -> [JSONObject] {
        let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path(file + ".ndjson")))
        return try data.split(separator: UInt8(ascii: "\n")).map { try #require(try JSONValue(json: Array($0)).object) }
    }

    /// The lines of a file of CSV. It has no types: what looks like a number or a truth value is read as one.
    private func fields(of file: String) throws -> [[StoredValue]] {
        let text = try String(contentsOfFile: scratch.path(file + ".csv"), encoding: .utf8)
        var lines: [[StoredValue]] = [[]]
        var rest = Substring(text)
        while !rest.isEmpty {
            if rest.first == "\"" {
                rest.removeFirst()
                var field = ""
                // A quote inside is written twice.
                while let next = rest.popFirst(), next != "\"" || rest.first == "\"" {
                    if next == "\"" { rest.removeFirst() }
                    field.append(next)
                }
                lines[lines.count - 1].append(.text(field))
            } else {
                let field = rest.prefix { $0 != "," && $0 != "\r\n" }
                let json = try? JSONValue(json: String(field))
                lines[lines.count - 1].append(
                    try field.isEmpty ? .null : json.map { try StoredValue($0) } ?? .text(String(field)))
                rest = rest[field.endIndex...]
            }
            if rest.popFirst() == "\r\n", !rest.isEmpty { lines.append([]) }
        }
        return lines
    }
}

#if PostgreSQL
extension Loader {
    /// The rows of a query, each value by its type.
    private func query(_ sql: String, _ session: PostgresConnection) throws -> [[StoredValue]] {
        let count = try session.query("SELECT * FROM (\(sql)) AS x LIMIT 0").columnCount
        let names = (0..<count).map { "c\($0)" }
        let list = names.map { "pg_typeof(\($0))::text, \($0)::text" }.joined(separator: ", ")
        let rows = try session.query("SELECT \(list) FROM (\(sql)) AS x(\(names.joined(separator: ", ")))")
        return try (0..<rows.count).map { row in
            try (0..<count).map { column in
                try rows.text(row, 2 * column + 1).map { try Loader.value($0, rows.text(row, 2 * column) ?? "") } ?? .null
            }
        }
    }

    private static func value(_ text: String, _ type: String) throws -> StoredValue {
        switch type {
        case "bigint", "integer", "smallint": .integer(try #require(Int64(text)))
        case "double precision", "real": .real(try #require(Double(text)))
        case "boolean": .bool(text == "true")
        case "jsonb", "json": .text(try JSONValue(json: text).jsonString())
        case "date": .text(date(text))
        case "timestamp with time zone": .text(timestamp(text))
        default: .text(text)
        }
    }

    /// A date as the other sinks have it: the year before the year 1 is 0.
    private static func date(_ text: String) -> String {
        guard text.hasSuffix(" BC"), let year = Int(text.prefix(4)) else { return text }
        let digits = String(year - 1)
        return (year > 1 ? "-" : "") + String(repeating: "0", count: (year > 1 ? 6 : 4) - digits.count) + digits
            + text.dropFirst(4).dropLast(3)
    }

    /// `2024-01-02 10:00:00.5+00` as `2024-01-02T10:00:00.500Z`.
    private static func timestamp(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1)
        var time = parts[1].dropLast(3)
        if let point = time.firstIndex(of: ".") {
            let digits = time.distance(from: point, to: time.endIndex) - 1
            time += String(repeating: "0", count: (3 - digits % 3) % 3)
        }
        return "\(parts[0])T\(time)Z"
    }
}
#endif

extension IngestReport {
    /// All that was read is stored, except for what the options leave out. The tool ends with the exit code 0.
    var isSuccess: Bool { hasEnded && isWhole }
    /// The input has been read to its end, and something of it is not stored as it was. The tool ends with the exit code 2.
    var isLossy: Bool { hasEnded && !isWhole }

    private var hasEnded: Bool { outcome == .complete || outcome == .nothingToDo }
}

struct SilentProgress: ProgressDisplay {
    func isDue(_ nanoseconds: UInt64) -> Bool { false }
    mutating func show(_ progress: IngestProgress) {}
    mutating func clear() {}
}

@Suite struct LoaderTests {
    @Test(.enabled(if: LoaderSink.server != nil, "without a server, the tests of the loader run with SQLite and files alone"))
    func theTestsOfTheLoaderRunWithPostgreSQL() throws {
        #expect(LoaderSink.databases.contains(.postgres))
    }

    /// What a test says of one sink is what it says of all.
    @Test(arguments: LoaderSink.all) func whatIsStoredIsReadBack(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let lines = [
            #"{"i":9007199254740993,"r":2.0,"b":true,"t":"a\"b, \"\"","j":[1,{"k":"é"}],"d":"2024-01-02","n":1}"#,
            #"{"i":-1,"r":0.5,"b":false,"t":"x\ny","j":{},"d":"2024-01-02T10:00:00.5+01:00","n":null}"#,
        ]
        let types = ["i:integer", "r:real", "b:bool", "t:text", "j:json", "d:timestamp", "n:integer"]
        try loader.load(lines.joined(separator: "\n"), columns: types)
        let names = types.map { String($0.prefix(1)) }
        #expect(try loader.columns() == names)
        #expect(try loader.count() == 2)
        let rows = try loader.rows("i", "r", "b", "t", "j", "d", "n")
        // In a file, 2.0 is the same number as 2.
        #expect(
            rows[0] == [
                9007199254740993, sink.isDatabase ? 2.0 : 2, true, "a\"b, \"\"", #"[1,{"k":"é"}]"#, "2024-01-02T00:00:00Z", 1,
            ])
        #expect(rows[1] == [-1, 0.5, false, "x\ny", "{}", "2024-01-02T09:00:00.500Z", nil])
        let json = #"{"long":1,"a":[2]}"#
        #expect(try loader.json(json) == .text(sink == .postgres ? #"{"a":[2],"long":1}"# : json))
    }
}
#endif
