// Runs one query that can only read. An authorizer checks everything that the statement does when SQLite compiles it
// (https://www.sqlite.org/c3ref/set_authorizer.html).

#if SQLite
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import SluiceCore
package import SluiceIngest

extension FeedDatabase {
    /// Checks a query as far as that is possible without its tables: its grammar, and that it only reads.
    ///
    /// - Throws: ``IngestError/usage(_:)`` with the position in the query.
    package static func check(_ sql: String) throws(IngestError) {
        do {
            try DatabaseQueue().writeWithoutTransaction { db in
                let statement = try QueryStatement(sql, db, tables: [], interruption: Interruption(), needsTables: false)
                statement?.close()
            }
        } catch let error as IngestError {
            throw error
        } catch {
            throw RecordDatabase.failure("cannot make a database", error)
        }
    }

    /// Runs a query, and writes its answer.
    ///
    /// - Returns: false if a signal ended it.
    /// - Throws: ``IngestError/usage(_:)`` with the position in the query; `JSONError` of kind `inputOutput` of the writer.
    package func run(_ sql: String, into writer: inout any ResultWriter) throws -> Bool {
        try queue.writeWithoutTransaction { db in
            guard
                let statement = try QueryStatement(sql, db, tables: tables, interruption: interruption, needsTables: true)
            else { return true }
            defer { statement.close() }
            writer.begin(statement.columns)
            while let row = try statement.next() { try writer.append(row) }
            if interruption.received != 0 { return false }
            try writer.finish()
            return true
        }
    }
}

/// A query that is being answered.
@safe
private final class QueryStatement {
    private let connection: OpaquePointer
    private let statement: OpaquePointer
    private let sql: String
    private let tables: [FeedDatabase.Table]
    private let interruption: Interruption
    let columns: [ResultColumn]

    /// Compiles a query.
    ///
    /// - Parameter needsTables: Whether names of tables and columns must be known. Without that, it is nil where one is not.
    init?(
        _ sql: String, _ db: Database, tables: [FeedDatabase.Table], interruption: Interruption, needsTables: Bool
    ) throws {
        guard let connection = unsafe db.sqliteConnection else { throw IngestError.database("the database is closed") }
        unsafe self.connection = unsafe connection
        (self.sql, self.tables, self.interruption) = (sql, tables, interruption)
        var statement: OpaquePointer?
        var second: OpaquePointer?
        unsafe sqlite3_set_authorizer(connection, QueryStatement.authorize, nil)
        let code = unsafe sql.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v2(connection, start, -1, &statement, &tail)
            // After the query, only blanks and comments may follow, which do not make a statement.
            guard code == SQLITE_OK, let tail = unsafe tail else { return code }
            return unsafe sqlite3_prepare_v2(connection, tail, -1, &second, nil)
        }
        defer { unsafe sqlite3_finalize(second) }
        guard code == SQLITE_OK else {
            // Safe: SQLite keeps the message until the next call for this connection.
            let message = unsafe String(cString: sqlite3_errmsg(connection))
            let isName = ["no such table", "no such column", "no tables specified"].contains { message.hasPrefix($0) }
            unsafe sqlite3_finalize(statement)
            if !needsTables, isName { return nil }
            let words = QueryWords(sql, tables)
            let offset = unsafe QueryStatement.errorOffset(connection)
            throw IngestError.usage("\(lines: code == SQLITE_AUTH ? words.refusal : words.problem(message, at: offset))")
        }
        guard let statement = unsafe statement else { throw IngestError.usage("the query is empty") }
        unsafe self.statement = unsafe statement
        let json = Set(tables.flatMap { table in table.columns.filter { $0.type == .json }.map { [table.name, $0.name] } })
        columns = unsafe (0..<sqlite3_column_count(statement)).map { index in
            unsafe QueryStatement.column(index, of: statement, json)
        }
        guard unsafe second == nil, unsafe sqlite3_stmt_readonly(statement) != 0, !columns.isEmpty else {
            unsafe sqlite3_finalize(statement)
            throw IngestError.usage(
                unsafe second == nil ? "\(QueryWords(sql, tables).refusal)" : "there are two statements: a query is one SELECT")
        }
        unsafe sqlite3_progress_handler(
            connection, 10_000,
            { context in
                // Safe: the statement lives as long as its handler is set.
                guard let context = unsafe context else { return 0 }
                return unsafe Unmanaged<Interruption>.fromOpaque(context).takeUnretainedValue().received == 0 ? 0 : 1
            }, Unmanaged.passUnretained(interruption).toOpaque())
    }

    func close() {
        unsafe sqlite3_finalize(statement)
        unsafe sqlite3_progress_handler(connection, 0, nil, nil)
    }

    /// The next row; nil at the end, or after a signal.
    func next() throws -> [ResultValue]? {
        switch unsafe sqlite3_step(statement) {
        case SQLITE_ROW: return columns.indices.map { value(Int32($0)) }
        case SQLITE_DONE: return nil
        case SQLITE_INTERRUPT where interruption.received != 0: return nil
        default:
            let message = unsafe String(cString: sqlite3_errmsg(connection))
            throw IngestError.usage("\(lines: QueryWords(sql, tables).problem(message, at: nil))")
        }
    }

    private func value(_ index: Int32) -> ResultValue {
        switch unsafe sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return unsafe .real(sqlite3_column_double(statement, index))
        case SQLITE_NULL: return .null
        case let type:
            // Safe: SQLite keeps the bytes until the next step, and they are copied. The text is asked for before its size.
            let text =
                unsafe type == SQLITE_TEXT
                ? UnsafeRawPointer(sqlite3_column_text(statement, index)) : sqlite3_column_blob(statement, index)
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, index)))
            return unsafe type == SQLITE_TEXT ? .text(Array(bytes)) : .blob(Array(bytes))
        }
    }

    // MARK: Columns

    private typealias Origin = @convention(c) (OpaquePointer?, Int32) -> UnsafePointer<CChar>?

    private static func column(_ index: Int32, of statement: OpaquePointer, _ json: Set<[String]>) -> ResultColumn {
        // Safe: SQLite keeps the names until the statement is finalized, and they are copied.
        func text(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
        let table = unsafe text(origin("sqlite3_column_table_name")?(statement, index))
        let name = unsafe text(origin("sqlite3_column_origin_name")?(statement, index))
        return unsafe ResultColumn(
            name: text(sqlite3_column_name(statement, index)) ?? "",
            isJSON: table.flatMap { table in name.map { json.contains([table, $0]) } } ?? false,
            isBool: text(sqlite3_column_decltype(statement, index)) == "BOOLEAN")
    }

    /// A function that SQLite has only if it was built with SQLITE_ENABLE_COLUMN_METADATA. Without it, JSON stays text.
    private static func origin(_ name: String) -> Origin? {
        unsafe symbol(name).map { unsafe unsafeBitCast($0, to: Origin.self) }
    }

    /// The offset in the query of the word that an error is about; nil if SQLite does not know it, or is older than 3.38.
    private static func errorOffset(_ connection: OpaquePointer) -> Int? {
        typealias ErrorOffset = @convention(c) (OpaquePointer?) -> Int32
        guard let function = unsafe symbol("sqlite3_error_offset") else { return nil }
        let offset = unsafe unsafeBitCast(function, to: ErrorOffset.self)(connection)
        return offset < 0 ? nil : Int(offset)
    }

    private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        return unsafe dlsym(UnsafeMutableRawPointer(bitPattern: -2), name)
        #else
        return unsafe dlsym(nil, name)
        #endif
    }

    // MARK: What a query may do

    private static let readingPragmas: Set<String> = [
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list", "database_list",
        "function_list", "pragma_list", "collation_list", "module_list", "compile_options",
    ]

    /// The second one tells an address of the process.
    private static let refusedFunctions: Set<String> = ["load_extension", "fts3_tokenizer"]

    private static let authorize:
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> CInt = { _, action, first, second, _, _ in
            switch action {
            case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
            case SQLITE_UPDATE:
                // SQLite declares its own table functions, such as json_each, by an update of its schema table. A query that
                // updates this table itself is refused elsewhere, because it does not only read.
                let name = unsafe first.map { unsafe String(cString: $0) } ?? ""
                return ["sqlite_master", "sqlite_temp_master"].contains(name) ? SQLITE_OK : SQLITE_DENY
            case SQLITE_FUNCTION:
                // Safe: SQLite passes the names as texts that end.
                let name = unsafe second.map { unsafe String(cString: $0) } ?? ""
                return refusedFunctions.contains(name.lowercased()) ? SQLITE_DENY : SQLITE_OK
            case SQLITE_PRAGMA:
                let name = unsafe first.map { unsafe String(cString: $0) } ?? ""
                return readingPragmas.contains(name.lowercased()) ? SQLITE_OK : SQLITE_DENY
            default: return SQLITE_DENY
            }
        }
}

/// What is said about a query that SQLite refuses.
private struct QueryWords {
    private let sql: String
    private let tables: [FeedDatabase.Table]
    private static let shownNames = 20
    private static let shownWidth = 70

    init(_ sql: String, _ tables: [FeedDatabase.Table]) { (self.sql, self.tables) = (sql, tables) }

    /// The text for a statement that does more than read.
    var refusal: String {
        let words = sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.prefix(2)
        let name = words.first?.uppercased() ?? ""
        let pragma = name == "PRAGMA" ? words.dropFirst().first.map { " \($0)" } ?? "" : ""
        return
            "\(name == "SELECT" || name == "WITH" ? "this query" : name + pragma) is refused: a query only reads the feeds, with SELECT"
    }

    /// The text for an error of SQLite, with the line of the query and a mark below the position.
    func problem(_ message: String, at offset: Int?) -> String {
        let name =
            message.range(of: "no such table: ").map { (false, String(message[$0.upperBound...])) }
            ?? message.range(of: "no such column: ").map { (true, String(message[$0.upperBound...])) }
        var text = "the query: \(message)"
        if let (isColumn, name) = name { text += hint(for: name, isColumn) }
        text = text.printable
        let word = name.map(\.1) ?? message.split(separator: "\"").dropFirst().first.map(String.init)
        guard let start = offset.flatMap(index) ?? word.flatMap({ sql.range(of: $0)?.lowerBound }) else { return text }
        let line = sql[..<start].lastIndex(where: \.isNewline).map { sql.index(after: $0) } ?? sql.startIndex
        let end = sql[start...].firstIndex(where: \.isNewline) ?? sql.endIndex
        let before = sql[line..<start]
        let shown = before.suffix(QueryWords.shownWidth / 2)
        let after = sql[start..<end].prefix(QueryWords.shownWidth - shown.count)
        let mark = String(repeating: " ", count: ResultGrid.width(of: String(shown)))
        return text + "\n  " + String(shown + after).dotted + "\n  " + mark + "^"
    }

    private func index(_ offset: Int) -> String.Index? {
        guard offset < sql.utf8.count else { return nil }
        return sql.utf8.index(sql.startIndex, offsetBy: offset).samePosition(in: sql)
    }

    private func hint(for name: String, _ isColumn: Bool) -> String {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let names = isColumn ? tables.flatMap { $0.columns.filter { $0.hiddenName == nil }.map(\.name) } : tables.map(\.name)
        if let meant = KeyLikeness.closest(to: last, among: names) { return "; did you mean \(meant)?" }
        guard !names.isEmpty else { return "; the feeds have no records" }
        let shown = names.prefix(QueryWords.shownNames).joined(separator: ", ")
        let more = names.count > QueryWords.shownNames ? " and \(names.count - QueryWords.shownNames) more" : ""
        return "; the \(isColumn ? "columns" : "tables") are \(shown)\(more)"
    }
}
#endif
