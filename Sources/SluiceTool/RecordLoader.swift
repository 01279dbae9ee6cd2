// The cells of a record become the bound values of one prepared statement; nothing is made in between.

#if CommandLine
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import SluiceCore

/// Inserts rows into a table, a batch in each transaction.
final class RecordLoader {
    /// What SQLite made of a row.
    enum Verdict {
        case stored
        /// A constraint or limit of the database forbids the row, and only the row.
        case refused(String)
    }

    private let db: Database
    private let statement: Statement
    private let columnCount: Int
    private let batchSize: Int
    /// Which parameters hold a value: SQLite keeps them from row to row, so null must be bound only over a value.
    private var isBound: [Bool]
    private var rowsInBatch = 0

    /// Columns that were added to the table.
    let addedColumns: [String]
    /// Rows in batches that are committed.
    private(set) var stored = 0
    /// For each column, how many values were not of its type.
    private(set) var offTypeCounts: [Int]

    init(
        _ db: Database, table: String, columns: [SluiceCore.Column], addedColumns: [String], batchSize: Int
    ) throws {
        self.db = db
        self.batchSize = batchSize
        self.addedColumns = addedColumns
        columnCount = columns.count
        isBound = Array(repeating: false, count: columns.count)
        offTypeCounts = Array(repeating: 0, count: columns.count)
        let names = columns.map(\.name.quotedForSQL).joined(separator: ", ")
        let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        statement = try db.makeStatement(
            sql: "INSERT INTO \(table.quotedForSQL) (\(names)) VALUES (\(places))")
    }

    /// Binds the cells of the record that was read last. Text is not copied: it must stay where it is until ``insert()``.
    func bind(_ reader: borrowing ColumnReader) {
        let handle = unsafe statement.sqliteStatement
        // One access for all cells: each access to a stored property of a class is checked at run time.
        var isBound = self.isBound
        self.isBound = []
        for index in 0..<columnCount {
            let parameter = Int32(truncatingIfNeeded: index &+ 1)
            switch reader.value(at: index) {
            case .null:
                if isBound[index] {
                    unsafe sqlite3_bind_null(handle, parameter)
                    isBound[index] = false
                }
                continue
            case .integer(let value):
                unsafe sqlite3_bind_int64(handle, parameter, value)
            case .real(let value):
                unsafe sqlite3_bind_double(handle, parameter, value)
            case .text(let bytes):
                // Safe: no destructor says that the bytes are not SQLite's; they live in the splitter's buffer or the
                // reader's, neither of which changes before the row is inserted. Records are shorter than 2³¹ bytes.
                unsafe sqlite3_bind_text(
                    handle, parameter,
                    UnsafeRawPointer(bytes.baseAddress ?? RecordLoader.noText).assumingMemoryBound(to: CChar.self),
                    Int32(truncatingIfNeeded: bytes.count), nil)
            }
            isBound[index] = true
            if reader.isOffType(at: index) { noteOffType(index) }
        }
        self.isBound = isBound
    }

    @inline(never)
    private func noteOffType(_ index: Int) { offTypeCounts[index] += 1 }

    /// Inserts the row that is bound, and commits when the batch is full.
    ///
    /// - Throws: `DatabaseError` when SQLite can go on no further.
    func insert() throws -> Verdict {
        let handle = unsafe statement.sqliteStatement
        let code = unsafe sqlite3_step(handle)
        guard code == SQLITE_DONE, unsafe sqlite3_reset(handle) == SQLITE_OK else { return try explain(code) }
        rowsInBatch += 1
        if rowsInBatch == batchSize { try commitBatch() }
        return .stored
    }

    /// Counts the rows of a batch as stored.
    func noteCommit() {
        stored += rowsInBatch
        rowsInBatch = 0
    }

    private func commitBatch() throws {
        try db.commit()
        noteCommit()
        try db.beginTransaction(.immediate)
    }

    @inline(never)
    private func explain(_ code: Int32) throws -> Verdict {
        let handle = unsafe statement.sqliteStatement
        let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
        unsafe sqlite3_reset(handle)
        let isInTransaction = unsafe sqlite3_get_autocommit(sqlite3_db_handle(handle)) == 0
        switch code & 0xFF {
        // The statement alone is undone and its transaction goes on, unless the table's schema says ROLLBACK:
        // https://www.sqlite.org/lang_conflict.html
        case SQLITE_CONSTRAINT where isInTransaction, SQLITE_TOOBIG where isInTransaction: return .refused(message)
        default: throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// An address for text of no bytes, which would be null otherwise.
    // Safe: one byte that is never written again, nor freed.
    nonisolated(unsafe) private static let noText: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        unsafe byte.initialize(to: 0)
        return unsafe UnsafePointer(byte)
    }()
}
#endif
