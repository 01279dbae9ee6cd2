// Binds the cells of a record to one prepared statement and inserts the row, without any value in between.

#if SQLite
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import SluiceCore
internal import SluiceIngest

/// Inserts rows into a table.
@safe
final class RecordLoader {
    /// The result of inserting a row.
    enum Verdict {
        /// The row is in the table: as a new one, or in the row that had its key.
        case stored
        /// A constraint, a trigger or a limit of the database refuses this row; other rows are not affected.
        case refused(String)
    }

    /// What the statement has said about the row that has the record's key. The loaders of a connection share it, for they share the
    /// function.
    final class Found: @unchecked Sendable {
        // SQLite calls the function while the statement runs, on the thread that runs it.
        var isFound = false
        var isDifferent = false
    }

    /// Which values of a column are checked for digits that SQLite would lose.
    private enum Watch {
        case nothing
        /// Text that SQLite may convert to a number.
        case text
        /// Such text, and integers, which SQLite converts to doubles.
        case textAndIntegers
        /// Doubles, which SQLite converts to text of 15 digits.
        case reals
    }

    private var statement: Statement
    /// SQLite's handle of the statement.
    private var handle: SQLiteStatement
    private let conflict: KeyConflict
    private(set) var columns: [IngestColumn]
    private var lists = InsertionLists()
    private var table: RecordTable
    private var watches: [Watch] = []
    /// The indices of the primary key's columns; a row needs a value for each.
    private var keyIndices: [Int] = []
    // Safe: the functions that use it call nothing that could use the loader again. A check at run time would cost as much as
    // binding a cell.
    @exclusivity(unchecked) private var row = BoundRow(columnCount: 0, hasMasks: false)

    /// Why the row whose values are bound cannot be stored.
    private var refusal: String?

    /// What became of the rows of the batch that is being stored.
    private var stored = StoredBatch()
    private let found: Found
    /// The name of the function that the statement calls.
    private let function: String

    init(
        _ db: Database, table: RecordTable, columns: [IngestColumn], conflict: KeyConflict, run: RunIdentity, _ found: Found
    ) throws {
        self.table = table
        self.found = found
        function = RecordTable.foundFunction(of: run)
        self.columns = columns
        self.conflict = conflict
        if conflict != .reject { db.add(function: RecordLoader.function(function, found)) }
        lists.add(columns)
        statement = try db.makeStatement(sql: table.insertion(of: columns, lists, conflict, function))
        unsafe handle = unsafe statement.sqliteStatement
        reset(columns)
    }

    /// The function that the statement calls if the table has the record's key.
    private static func function(_ name: String, _ found: Found) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1) { values in
            found.isFound = true
            found.isDifferent = values[0] == 1.databaseValue
            return values[0]
        }
    }

    /// Removes a run's function from a connection that others go on using.
    static func removeFunction(of run: RunIdentity, from db: Database) {
        db.remove(function: function(RecordTable.foundFunction(of: run), Found()))
    }

    /// Columns that were added to the table after it was created.
    var addedColumns: [String] { table.addedColumns }

    /// Adds columns after the existing ones, to the table and to the statement.
    func add(_ added: [IngestColumn], _ db: Database) throws {
        guard !added.isEmpty else { return }
        try table.add(added, db)
        columns += added
        lists.add(added)
        statement = try db.makeStatement(sql: table.insertion(of: columns, lists, conflict, function))
        unsafe handle = unsafe statement.sqliteStatement
        reset(added)
    }

    /// Gets ready for rows with these columns too, which come after the others.
    private func reset(_ added: [IngestColumn]) {
        unsafe row = BoundRow(columnCount: columns.count, hasMasks: conflict == .upsert)
        let start = columns.count - added.count
        for name in table.primaryKey {
            guard let index = added.firstIndex(where: { ColumnName.areEqual($0.name, name) }) else { continue }
            keyIndices.append(start + index)
        }
        watches += added.map { column in
            switch table.affinity(of: column.name) {
            case .integer, .numeric: .text
            case .real: .textAndIntegers
            case .text: column.type == .real ? .reals : .nothing
            case .none: .nothing
            }
        }
    }

    // MARK: Values

    /// Begins a row. No column has a value yet.
    private func beginRow() {
        unsafe row.begin()
        refusal = nil
    }

    /// Stores the rows of a batch.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot go on.
    func store(_ batch: RowBatch) throws -> StoredBatch {
        beginBatch()
        try batch.forEachRow { index, row in
            try store(index, row)
        }
        return stored
    }

    /// Gets ready for rows that are stored one by one.
    func beginBatch() {
        stored = StoredBatch()
        stored.offTypeCounts = Array(repeating: 0, count: columns.count)
    }

    /// What became of the rows since then.
    func endBatch() -> StoredBatch { stored }

    /// Stores a row of a batch.
    func store(_ index: Int, _ row: RowCells) throws {
        beginRow()
        for cell in row.cellIndices { bind(row.value(cell), isOffType: row.isOffType(cell), at: row.column(cell)) }
        if let (column, text) = row.fileName { bind(text, at: column) }
        let kept = stored.counts.kept
        if case .refused(let reason) = try insert() { stored.refused.append(RefusedRow(row: index, reason: reason)) }
        if stored.counts.kept > kept { stored.keptRows.append(index) }
    }

    /// Binds one cell, for a key that the record has. Text is not copied: it must stay where it is until the row is inserted.
    ///
    /// - Parameter isOffType: Whether the value is not of its column's type.
    private func bind(_ value: CellValue, isOffType: Bool, at index: Int) {
        unsafe row.notePresence(index)
        let parameter = Int32(truncatingIfNeeded: index &+ 1)
        var isLost = false
        switch value {
        case .null: return
        case .integer(let value):
            unsafe sqlite3_bind_int64(handle, parameter, value)
            if watches[index] == .textAndIntegers { isLost = note(value, at: index) }
        case .real(let value):
            unsafe sqlite3_bind_double(handle, parameter, value)
            if watches[index] == .reals { isLost = note(value, at: index) }
        case .text(let bytes):
            // Safe: without a destructor, SQLite neither copies nor frees the bytes. They are in the memory of
            // the batch, which stays as it is while its rows are stored. Records are shorter than 2³¹ bytes.
            unsafe sqlite3_bind_text(
                handle, parameter,
                UnsafeRawPointer(bytes.baseAddress ?? RecordLoader.noText).assumingMemoryBound(to: CChar.self),
                Int32(truncatingIfNeeded: bytes.count), nil)
            if watches[index] == .text || watches[index] == .textAndIntegers { isLost = unsafe note(bytes, at: index) }
        }
        unsafe row.noteValue(index)
        // A value whose digits changed is not kept as it was, and is counted as that.
        if isOffType, !isLost { noteOffType(index) }
    }

    /// Binds a text; SQLite copies it.
    private func bind(_ text: String, at index: Int) {
        let parameter = Int32(truncatingIfNeeded: index &+ 1)
        var text = text
        text.withUTF8 { bytes in
            // Safe: SQLite copies the bytes before the call returns.
            unsafe _ = sqlite3_bind_text(
                handle, parameter,
                UnsafeRawPointer(bytes.baseAddress ?? RecordLoader.noText).assumingMemoryBound(to: CChar.self),
                Int32(truncatingIfNeeded: bytes.count), RecordLoader.copies)
        }
        unsafe row.noteValue(index)
        unsafe row.notePresence(index)
    }

    @inline(never)
    private func noteOffType(_ index: Int) { stored.offTypeCounts[index] += 1 }

    /// Counts a text as a loss if SQLite converts it to a number and would write that number in another way, and returns whether it
    /// does. A number beyond the doubles would become infinite: its row is refused.
    @inline(never)
    private func note(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard unsafe bytes.allSatisfy(RecordLoader.isOfNumber) else { return false }
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let value = Double(plain) else { return false }
        if text == Int64(text)?.description || text == value.description { return false }
        guard value.isFinite else {
            refusal =
                "\(columns[index].name) holds numbers, and \(plain.prefix(40)) is beyond them; a column of texts keeps it"
            return true
        }
        noteLoss(index, "'\(text)'")
        return true
    }

    /// Whether a byte may stand in a number, or in the white space around it.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"), UInt8(ascii: " "), 0x09...0x0D:
            true
        default: false
        }
    }

    @inline(never)
    private func note(_ value: Int64, at index: Int) -> Bool {
        guard Int64(exactly: Double(value)) != value else { return false }
        noteLoss(index, "\(value)")
        return true
    }

    @inline(never)
    private func note(_ value: Double, at index: Int) -> Bool {
        guard Double(String(format: "%.15g", value)) != value else { return false }
        noteLoss(index, "\(value)")
        return true
    }

    private func noteLoss(_ index: Int, _ example: String) {
        stored.digitLosses.note(DigitLoss(column: columns[index].name, count: 1, example: example))
    }

    // MARK: Rows

    /// Inserts the row whose values are bound.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot go on.
    private func insert() throws -> Verdict {
        let handle = unsafe handle
        unsafe row.end { unsafe _ = sqlite3_bind_null(handle, Int32(truncatingIfNeeded: $0 &+ 1)) }
        if let refusal { return .refused(refusal) }
        for index in keyIndices where unsafe !row.hasValue(index) {
            return .refused("the record has no value for \(columns[index].name), which is the table's key")
        }
        for (index, mask) in unsafe row.masks.enumerated() {
            unsafe sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: columns.count &+ 1 &+ index), mask)
        }
        (found.isFound, found.isDifferent) = (false, false)
        let code = unsafe sqlite3_step(handle)
        guard code == SQLITE_DONE, unsafe sqlite3_reset(handle) == SQLITE_OK else { return try explain(code) }
        let isWritten = unsafe sqlite3_changes(sqlite3_db_handle(handle)) > 0
        if !isWritten, found.isFound { return noteFound() }
        guard isWritten else { return .refused("a trigger of the table has ignored the record") }
        if found.isFound { stored.counts.changed += 1 } else { stored.counts.added += 1 }
        return .stored
    }

    /// Counts a row that was found, and not changed.
    private func noteFound() -> Verdict {
        if found.isDifferent { return .refused("a trigger of the table has ignored the change to its row") }
        if conflict == .ignore { stored.counts.kept += 1 } else { stored.counts.same += 1 }
        return .stored
    }

    @inline(never)
    private func explain(_ code: Int32) throws -> Verdict {
        let message = unsafe String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
        unsafe sqlite3_reset(handle)
        let isInTransaction = unsafe sqlite3_get_autocommit(sqlite3_db_handle(handle)) == 0
        switch code & 0xFF {
        // SQLite undoes only the statement, and the transaction goes on, unless the table's schema says ROLLBACK:
        // https://www.sqlite.org/lang_conflict.html
        case SQLITE_CONSTRAINT where isInTransaction, SQLITE_TOOBIG where isInTransaction,
            SQLITE_MISMATCH where isInTransaction:
            return .refused(message)
        default: throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// Tells SQLite to copy the bytes of a text.
    // Safe: SQLite defines this value as a marker, and never calls it.
    private static var copies: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// The address of an empty text. With a null address, SQLite would bind null.
    // Safe: one byte that is never written again, and never freed.
    nonisolated(unsafe) private static let noText: UnsafePointer<UInt8> = {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        unsafe byte.initialize(to: 0)
        return unsafe UnsafePointer(byte)
    }()
}
#endif
