// Binds the cells of a record to one prepared statement and inserts the row. No other form of the values is made in between.

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
        /// The row is in the table: as a new row, or as the row that already had its key.
        case stored
        /// A constraint, a trigger or a limit of the database refuses this row. Other rows are not affected.
        case refused(String)
    }

    /// What the function in the statement has found out about the row with the record's key. All loaders of a connection share
    /// it, because they share the function.
    final class Found: @unchecked Sendable {
        // SQLite calls the function while the statement runs, on the thread that runs it.
        var isFound = false
        var isDifferent = false
        /// The functions that compare rows before the statement runs.
        let comparison = RowComparison()
    }

    /// Which values of a column are looked at, because SQLite would make others of them.
    private struct Watch: OptionSet {
        let rawValue: UInt8

        /// Text that SQLite may convert to a number.
        static let text = Watch(rawValue: 1)
        /// Integers, which SQLite converts to doubles.
        static let integers = Watch(rawValue: 2)
        /// Doubles, which SQLite converts to text of 15 digits.
        static let reals = Watch(rawValue: 4)
        /// Truth values, which become the words `true` and `false`.
        static let words = Watch(rawValue: 8)
        /// Truth values, which become the numbers 0 and 1.
        static let numbers = Watch(rawValue: 16)
        /// The numbers 0 and 1, which become truth values.
        static let truth = Watch(rawValue: 32)
        /// The user has made the column.
        static let foreign = Watch(rawValue: 64)
        /// All values: SQLite computes the column.
        static let generated = Watch(rawValue: 128)
    }

    private var statement: Statement
    // Safe: while these are used, nothing is called that could use the loader again. Checks at run time would cost as much as
    // binding the cells.
    /// SQLite's handle of the statement.
    @exclusivity(unchecked) private var handle: SQLiteStatement
    private let conflict: KeyConflict
    private(set) var columns: [IngestColumn]
    private var lists = InsertionLists()
    private var table: RecordTable
    @safe @exclusivity(unchecked) private var watches: [Watch] = []
    /// The indices of the primary key's columns; a row needs a value for each.
    @safe @exclusivity(unchecked) private var keyIndices: [Int] = []
    @exclusivity(unchecked) private var row = BoundRow(columnCount: 0, hasMasks: false)

    /// Why the row whose values are bound cannot be stored.
    @safe @exclusivity(unchecked) private var refusal: String?

    /// What became of the rows of the batch that is being stored.
    @safe @exclusivity(unchecked) private var stored = StoredBatch()
    /// The columns of the open row whose values are not of their types, and those whose values lose digits or are left out.
    @safe @exclusivity(unchecked) private var offTypes: [Int] = []
    @safe @exclusivity(unchecked) private var losses: [(index: Int, digits: DigitLoss?)] = []
    private let found: Found
    private let run: RunIdentity
    /// The name of the function that the statement calls.
    private let function: String
    /// Finds rows by their keys; nil if existing rows are never changed.
    @safe @exclusivity(unchecked) private var lookup: RowLookup?
    /// Whether rows are compared with the places of records: only if a place is in the key, where it must be found.
    @safe @exclusivity(unchecked) private var comparesPlace = false
    /// Whether the record before this one had a row already. Then this record probably has one, too.
    @safe @exclusivity(unchecked) private var expectsRow = false
    /// Records the changes of rows; nil if they are not wanted.
    let changes: ChangeRecorder?
    /// The row with the record's key before the change. Nil if there was no row, or if changes are not wanted.
    @safe @exclusivity(unchecked) private var before: RowImage?
    /// Notes the keys of records; nil unless missing rows are looked for.
    @safe @exclusivity(unchecked) private var keyNotes: (statement: Statement, key: KeyParameters)?

    init(
        _ db: Database, table: RecordTable, columns: [IngestColumn], conflict: KeyConflict, run: RunIdentity, _ found: Found,
        changes: ChangeRecorder? = nil
    ) throws {
        self.changes = changes
        self.table = table
        self.found = found
        self.run = run
        function = RecordTable.foundFunction(of: run)
        self.columns = columns
        self.conflict = conflict
        if conflict != .reject { db.add(function: RecordLoader.function(function, found)) }
        lists.add(columns, of: table)
        statement = try db.makeStatement(sql: table.insertion(of: columns, lists, conflict, function))
        unsafe handle = unsafe statement.sqliteStatement
        reset(columns)
        try makeLookup(db)
    }

    private func makeLookup(_ db: Database) throws {
        guard conflict == .upsert || conflict == .replace || changes != nil else { return }
        lookup?.leave()
        let places = columns.indices.filter { columns[$0].isOfPlace }
        comparesPlace = places.contains { place in
            table.primaryKey.contains { ColumnName.areEqual($0, columns[place].name) }
        }
        lookup = try RowLookup(
            db, table, columns, without: comparesPlace ? [] : Set(places), replaces: conflict == .replace,
            finds: changes != nil, found.comparison, run)
    }

    /// The function that the statement calls if the table has a row with the record's key.
    private static func function(_ name: String, _ found: Found) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 1) { values in
            found.isFound = true
            found.isDifferent = values[0] == 1.databaseValue
            return values[0]
        }
    }

    /// Removes a run's function from a connection that others continue to use.
    static func removeFunction(of run: RunIdentity, from db: Database) {
        db.remove(function: function(RecordTable.foundFunction(of: run), Found()))
        RowComparison.remove(from: db, for: run)
    }

    /// Columns that were added to the table after it was created.
    var addedColumns: [String] { table.addedColumns }

    /// Adds the columns after the existing ones to the table and to the statement. One that had only had null may have a type by now.
    func take(_ wanted: [IngestColumn], _ db: Database) throws {
        let added = Array(wanted.dropFirst(columns.count))
        for (index, column) in wanted.prefix(columns.count).enumerated() where column.type != columns[index].type {
            columns[index] = column
            watches[index] = watch(column)
        }
        guard !added.isEmpty else { return try makeLookup(db) }
        try table.add(added, db)
        columns += added
        lists.add(added, of: table)
        statement = try db.makeStatement(sql: table.insertion(of: columns, lists, conflict, function))
        unsafe handle = unsafe statement.sqliteStatement
        reset(added)
        try makeLookup(db)
        if let notes = keyNotes?.statement { keyNotes = (notes, KeyParameters(table.primaryKey, in: columns)) }
    }

    /// Prepares for rows with these columns, which come after the others.
    private func reset(_ added: [IngestColumn]) {
        unsafe row = BoundRow(columnCount: columns.count, hasMasks: conflict == .upsert)
        let start = columns.count - added.count
        for name in table.primaryKey {
            guard let index = added.firstIndex(where: { ColumnName.areEqual($0.name, name) }) else { continue }
            keyIndices.append(start + index)
        }
        watches += added.map(watch)
    }

    private func watch(_ column: IngestColumn) -> Watch {
        guard table.isWritable(column.name) else { return .generated }
        let affinity = table.affinity(of: column.name)
        var watch: Watch =
            switch affinity {
            case .integer, .numeric: .text
            case .real: [.text, .integers]
            case .text: .reals
            case .none: []
            }
        if column.isForeign { watch.insert(.foreign) }
        if table.hasTruth(column) {
            if !column.isForeign { watch.insert(.truth) }
        } else if column.type == .bool {
            // A truth value of the key stays a number, because it is compared with the noted keys, which have numbers.
            let isOfKey = table.primaryKey.contains { ColumnName.areEqual($0, column.name) }
            watch.insert((affinity == .text || table.hasWords(column)) && !isOfKey ? .words : .numbers)
        }
        return watch
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
        return endBatch()
    }

    /// Prepares for rows that are stored one by one.
    func beginBatch() {
        stored = StoredBatch()
        endLosses(isStored: false)
        stored.offTypeCounts = Array(repeating: 0, count: columns.count)
    }

    /// The result for all rows since ``beginBatch()``.
    func endBatch() -> StoredBatch {
        lookup?.leave()
        return stored
    }

    /// The rows that were refused since ``beginBatch()``.
    var refused: [RefusedRow] { stored.refused }

    /// Stores a row of a batch.
    func store(_ index: Int, _ row: RowCells) throws {
        before = nil
        if expectsRow || changes != nil, try isThere(comparesPlace ? row : row.withoutPlace) {
            if keyNotes != nil { try noteKey(of: row) }
            return
        }
        beginRow()
        for cell in row.cellIndices {
            let isOffType = row.isOffType(cell)
            bind(row.value(cell), isOffType: isOffType, isContainer: isOffType && row.isContainer(cell), at: row.column(cell))
        }
        let (kept, written) = (stored.counts.kept, stored.counts.added + stored.counts.changed)
        let refusedCount = stored.refused.count
        if case .refused(let reason) = try insert() {
            stored.refused.append(RefusedRow(row: index, reason: reason))
        } else {
            try noteKey(of: row)
        }
        if stored.counts.kept > kept { stored.keptRows.append(index) }
        if !losses.isEmpty || !offTypes.isEmpty {
            endLosses(isStored: stored.counts.kept == kept && stored.refused.count == refusedCount)
        }
        if stored.counts.added + stored.counts.changed > written { try noteChange(of: index) }
        expectsRow = found.isFound && lookup != nil
    }

    /// Reports the change of a row that was written.
    private func noteChange(of index: Int) throws {
        guard let changes, let lookup, try lookup.findAgain() else { return }
        defer { lookup.end() }
        let (before, after) = (before ?? (found.isFound ? RowImage() : nil), lookup.image())
        // A text that is not JSON may become a JSON string of the same text.
        changes.add(
            row: index, before: before?.values, after: after.values,
            rewritten: before?.plainTexts.symmetricDifference(after.plainTexts) ?? [])
    }

    // MARK: Noted keys

    /// The columns of the key.
    var key: [String] { table.primaryKey }
    var name: String { table.name }
    var defersForeignKeys: Bool { table.defersForeignKeys }
    func collationsOfKey(_ db: Database) throws -> [[UInt8]: String] { try table.collationsOfKey(db) }
    var notesKeys: Bool { keyNotes != nil }
    /// Whether it is known that the table has rows with all noted keys.
    var hasFoundNotedKeys = false

    /// From now on, the keys of records are stored in a table that has the columns of the key.
    func noteKeys(in notes: String, _ db: Database) throws {
        let parameters = table.primaryKey.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let statement = try db.makeStatement(sql: "INSERT OR IGNORE INTO \(notes.quotedForSQL) VALUES (\(parameters))")
        keyNotes = (statement, KeyParameters(table.primaryKey, in: columns))
    }

    func forgetKeyNotes() { keyNotes = nil }

    private func noteKey(of row: RowCells) throws {
        guard let (statement, key) = keyNotes else { return }
        let handle = unsafe statement.sqliteStatement
        guard unsafe key.bind(row, to: handle) else { return }
        let code = unsafe sqlite3_step(handle)
        guard code == SQLITE_DONE, unsafe sqlite3_reset(handle) == SQLITE_OK else {
            let error = unsafe DatabaseError(code, of: handle)
            unsafe sqlite3_reset(handle)
            throw error
        }
    }

    /// Whether the table has an equal row. If so, the row is counted as the same.
    private func isThere(_ row: RowCells) throws -> Bool {
        guard let lookup else { return false }
        if changes == nil {
            guard try lookup.hasEqual(row) else { return false }
        } else {
            guard try lookup.find(row) else { return false }
            defer { lookup.end() }
            guard conflict == .upsert || conflict == .replace else { return false }
            guard lookup.isEqual(to: row) else {
                before = lookup.image()
                return false
            }
        }
        // A value that lost digits is not equal to the stored one.
        for cell in row.cellIndices where row.isOffType(cell) {
            // A number instead of a truth value is equal to the stored one.
            let (value, column) = (row.value(cell), row.column(cell))
            if case .text(let text) = value {
                if row.isContainer(cell) { unsafe noteContainer(text, at: column) } else { noteOffType(column) }
            } else if !noteNumber(value, isOffType: true, at: column) {
                noteOffType(column)
            }
        }
        if !losses.isEmpty { endLosses(isStored: true) }
        stored.counts.same += 1
        return true
    }

    /// Binds one cell, for a key that the record has. Text is not copied: it must stay where it is until the row is inserted.
    ///
    /// - Parameters:
    ///   - isOffType: Whether the value is not of its column's type.
    ///   - isContainer: Whether it is the text of an array or an object, in a column that has no JSON.
    private func bind(_ value: RawCellValue, isOffType: Bool, isContainer: Bool, at index: Int) {
        unsafe row.notePresence(index)
        let watch = watches[index].rawValue
        if watch & Watch.generated.rawValue != 0 { return noteGenerated(value, index) }
        let parameter = Int32(truncatingIfNeeded: index &+ 1)
        var isLost = false
        switch value {
        case .null: return
        case .integer(let number):
            unsafe sqlite3_bind_int64(handle, parameter, number)
            if watch & RecordLoader.caresForIntegers != 0 || isOffType && watch & Watch.truth.rawValue != 0 {
                isLost = noteNumber(value, isOffType: isOffType, at: index)
            }
        case .real(let number):
            unsafe sqlite3_bind_double(handle, parameter, number)
            if watch & Watch.reals.rawValue != 0 || isOffType && watch & Watch.truth.rawValue != 0 {
                isLost = noteNumber(value, isOffType: isOffType, at: index)
            }
        case .text(let bytes):
            // Safe: the bytes are in the memory of the batch, which stays as it is while its rows are stored.
            unsafe handle.bind(bytes, to: parameter, isCopied: false)
            if isContainer {
                unsafe noteContainer(bytes, at: index)
                isLost = true
            } else if watch & Watch.text.rawValue != 0 {
                isLost = unsafe note(bytes, isOffType: isOffType, at: index)
            }
        }
        unsafe row.noteValue(index)
        // A value whose digits changed counts only as a loss of digits, and not as a value of another type.
        if isOffType, !isLost { offTypes.append(index) }
    }

    @inline(never)
    private func noteGenerated(_ value: RawCellValue, _ index: Int) {
        if case .null = value { return }
        losses.append((index, nil))
    }

    @inline(never)
    private func noteOffType(_ index: Int) { stored.offTypeCounts[index] += 1 }

    /// Whether SQLite converts a text to a number that it would write in another way. If so, the text is counted as a loss. A
    /// number beyond the doubles would become infinite, so its row is refused.
    @inline(never)
    private func note(_ bytes: UnsafeBufferPointer<UInt8>, isOffType: Bool, at index: Int) -> Bool {
        guard unsafe bytes.allSatisfy(RecordLoader.isOfNumber) else { return false }
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let number = Double(plain) else { return false }
        // SQLite keeps no sign of a zero.
        let value = number == 0 ? 0 : number
        // A column of doubles has no integers. Any other one makes an integer of each number that is one.
        let integer = watches[index].contains(.integers) ? nil : Int64(plain) ?? Int64(exactly: value)
        // A column of doubles makes 5.0 of the number 5, too.
        let isSame =
            text == integer?.description ?? value.description || integer == nil && text == Int64(exactly: value)?.description
        if watches[index].contains(.foreign) {
            // The user has made a column of numbers for the texts of the records. So "5.0" may be 5 there.
            if isSame || !isOffType && text == value.description { return false }
        } else if isSame {
            noteLoss(index, "'\(text)'", isOfKind: true)
            return true
        }
        guard value.isFinite else {
            let found = columns[index].isSensitive ? "the record's number" : String(plain.prefix(40))
            refusal = "\(columns[index].name) holds numbers, and \(found) is beyond them; a column of texts keeps it"
            return true
        }
        noteLoss(index, "'\(text)'")
        return true
    }

    /// Whether a byte may be part of a number, or of the white space around it.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"), UInt8(ascii: " "), 0x09...0x0D:
            true
        default: false
        }
    }

    /// Counts an array or an object that becomes a text: one command that looks at all records makes a column of JSON for it.
    @inline(never)
    private func noteContainer(_ text: UnsafeBufferPointer<UInt8>, at index: Int) {
        noteLoss(index, unsafe String(decoding: text.prefix(60), as: UTF8.self), isOfKind: true)
    }

    /// The watches for which each integer is looked at, whatever its type.
    private static var caresForIntegers: UInt8 { Watch.integers.rawValue | Watch.words.rawValue | Watch.numbers.rawValue }

    /// Whether SQLite makes another value of a number or a truth value. If so, it is counted.
    @inline(never)
    private func noteNumber(_ value: RawCellValue, isOffType: Bool, at index: Int) -> Bool {
        let watch = watches[index]
        switch value {
        case .integer(let value) where !isOffType && !watch.isDisjoint(with: [.words, .numbers]):
            let word = value == 1 ? "true" : "false"
            if watch.contains(.words) {
                unsafe handle.bind(word, to: Int32(truncatingIfNeeded: index &+ 1))
            } else if watch.contains(.numbers) {
                noteLoss(index, word, isOfKind: true)
                return true
            }
        case .integer(let value) where watch.contains(.truth) && isOffType && value.magnitude <= 1 && value >= 0:
            noteLoss(index, "\(value)", isOfKind: true)
            return true
        case .real(let value) where watch.contains(.truth) && isOffType && (value == 0 || value == 1):
            noteLoss(index, "\(value)", isOfKind: true)
            return true
        case .integer(let value) where watch.contains(.integers) && Int64(exactly: Double(value)) != value:
            noteLoss(index, "\(value)")
            return true
        case .real(let value) where watch.contains(.reals) && Double(String(format: "%.15g", value)) != value:
            noteLoss(index, "\(value)")
            return true
        case .null, .integer, .real, .text: break
        }
        return false
    }

    private func noteLoss(_ index: Int, _ example: String, isOfKind: Bool = false) {
        losses.append((index, DigitLoss(column: columns[index].name, example: example, isOfKind: isOfKind)))
    }

    /// Counts what the values of the open row have lost, or forgets it if the row is not stored.
    @inline(never)
    private func endLosses(isStored: Bool) {
        for index in offTypes where isStored { stored.offTypeCounts[index] += 1 }
        for loss in losses where isStored {
            if let digits = loss.digits {
                stored.digitLosses.note(digits)
            } else {
                stored.generatedCounts += Array(repeating: 0, count: max(0, loss.index + 1 - stored.generatedCounts.count))
                stored.generatedCounts[loss.index] += 1
            }
        }
        offTypes.removeAll(keepingCapacity: true)
        losses.removeAll(keepingCapacity: true)
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

    /// Counts a row that was found but not changed.
    private func noteFound() -> Verdict {
        if found.isDifferent { return .refused("a trigger of the table has ignored the change to its row") }
        if conflict == .ignore { stored.counts.kept += 1 } else { stored.counts.same += 1 }
        return .stored
    }

    @inline(never)
    private func explain(_ code: Int32) throws -> Verdict {
        let error = unsafe DatabaseError(code, of: handle)
        unsafe sqlite3_reset(handle)
        let isInTransaction = unsafe sqlite3_get_autocommit(sqlite3_db_handle(handle)) == 0
        switch code & 0xFF {
        // SQLite undoes only the statement, and the transaction goes on, unless the table's schema says ROLLBACK:
        // https://www.sqlite.org/lang_conflict.html
        case SQLITE_CONSTRAINT where isInTransaction, SQLITE_TOOBIG where isInTransaction,
            SQLITE_MISMATCH where isInTransaction:
            return .refused(error.message ?? "")
        default: throw error
        }
    }
}
#endif
