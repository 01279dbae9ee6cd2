// Finds the row with a record's key, and compares it with the record inside SQLite's memory. If they are equal, nothing is
// written, and the record costs no more than this.
//
// The comparison may call rows different although the database would convert them to equal ones. Then the statement that stores
// rows decides.

#if SQLite
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import SluiceCore
internal import SluiceIngest

/// The statement that finds a row by its key.
@safe
final class RowLookup {
    private var statement: Statement
    /// SQLite's handle of the statement.
    private var handle: SQLiteStatement
    private let key: KeyParameters
    /// The columns that the statement returns: those of the records, then the others that a replacing record sets to null.
    private let columns: [(name: String, type: ColumnType?)]
    /// Whether the record replaces the row. Then all columns that the record lacks must be null in an equal row.
    private let replaces: Bool
    /// The columns that are not compared.
    private let places: Set<Int>
    /// How many columns a record must have to be compared. With fewer, the table could refuse it.
    private let leastCells: Int
    /// Whether comparing is enough. It is not if storing an equal record could have other effects.
    private let mayCompare: Bool
    /// The functions that compare a row inside the statement. Nil if the statement returns the columns instead.
    private let comparison: RowComparison?
    private let run: RunIdentity
    private unowned let db: Database
    /// The part of the statement after SELECT and the list of columns.
    private let source: String

    // If records come in the order of the table, their rows are found by stepping from row to row. This takes half the time of a
    // search for each.

    /// Whether the statement returns all rows from a key on, in the order of the table.
    private let walks: Bool
    // Unchecked: nothing that these functions call uses the lookup again. A check at run time would cost as much as a column.
    /// Whether the statement is at the row of the previous record.
    @safe @exclusivity(unchecked) private var isOnRow = false
    /// How many steps may lead to a different row before each row is searched for again.
    @safe @exclusivity(unchecked) private var patience = RowLookup.mostPatience
    private static let mostPatience = 8
    /// How many rows have been searched for since then.
    @safe @exclusivity(unchecked) private var seeks = 0
    private static let seeksBeforeSteps = 100

    // The record that is being looked up. The functions read it.

    @safe @exclusivity(unchecked) private var shapes = RowShapes()
    /// The number of the record's shape.
    @safe @exclusivity(unchecked) private(set) var shape: Int32 = 0
    @exclusivity(unchecked) private var record: UnsafePointer<RowCells>?
    /// Whether the row that was found is equal to the record.
    @safe @exclusivity(unchecked) private var isSame = false

    /// - Parameters:
    ///   - places: The columns that are not compared. The records that are looked up have no values for them.
    ///   - finds: Whether rows that are not equal are also looked for, by ``find(_:)``.
    ///   - comparison: The functions of the connection.
    init(
        _ db: Database, _ table: RecordTable, _ columns: [IngestColumn], without places: Set<Int>, replaces: Bool, finds: Bool,
        _ comparison: RowComparison, _ run: RunIdentity
    ) throws {
        (self.replaces, self.places) = (replaces, places)
        (self.db, self.run) = (db, run)
        let ours = Set(columns.map { ColumnName.folded($0.name) })
        let others = replaces ? table.writableNames.filter { !ours.contains(ColumnName.folded($0)) } : []
        self.columns = columns.map { ($0.name, table.hasWords($0) ? nil : $0.type) } + others.map { ($0, nil) }
        let collations = try table.collationsOfKey(db)
        // Without a unique index, the key is the table's own order.
        walks = !finds && collations.isEmpty && table.primaryKey.count == 1
        var conditions: [String] = []
        for (position, name) in table.primaryKey.enumerated() {
            let collation = collations[ColumnName.folded(name)].map { " COLLATE \($0.quotedForSQL)" } ?? ""
            conditions.append("\(name.quotedForSQL) \(walks ? ">=" : "=") ?\(position + 1)\(collation)")
        }
        key = KeyParameters(table.primaryKey, in: columns)
        leastCells = table.mayRefuseParts ? table.writableNames.count - places.count : 0
        let isUTF8 = try String.fetchOne(db, sql: "PRAGMA encoding") == "UTF-8"
        mayCompare =
            isUTF8 && !table.hasTriggers && columns.allSatisfy { table.isWritable($0.name) && !table.hasWords($0) }
            && !(replaces && table.hasDefaults)
        let order = walks ? " ORDER BY \(table.primaryKey[0].quotedForSQL)" : ""
        source = "FROM \(table.name.quotedForSQL) WHERE \(conditions.joined(separator: " AND "))\(order)"
        let most = unsafe min(RowShapes.mostColumns, Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_FUNCTION_ARG, -1)))
        self.comparison = finds || !mayCompare || self.columns.count > most ? nil : comparison
        try self.comparison?.add(to: db, for: run)
        statement = try db.makeStatement(sql: RowLookup.query(self.columns.map(\.name), shapes, self.comparison, run, source))
        unsafe handle = unsafe statement.sqliteStatement
    }

    /// The statement that returns the columns of a row, or compares them.
    private static func query(
        _ columns: [String], _ shapes: RowShapes, _ comparison: RowComparison?, _ run: RunIdentity, _ source: String
    ) -> String {
        let names = columns.map(\.quotedForSQL)
        let all = names.joined(separator: ", ")
        guard comparison != nil else { return "SELECT \(all) \(source)" }
        let same = RowComparison.sameFunction(of: run).quotedForSQL
        let cases = shapes.columns.enumerated().map { number, columns in
            " WHEN \(number + 1) THEN \(same)(\(columns.map { names[$0] }.joined(separator: ", ")))"
        }
        guard !cases.isEmpty else { return "SELECT \(same)(\(all)) \(source)" }
        let shape = RowComparison.shapeFunction(of: run).quotedForSQL
        return "SELECT CASE \(shape)()\(cases.joined()) ELSE \(same)(\(all)) END \(source)"
    }

    // MARK: Equal rows

    /// Whether the table has a row that the record would not change. Before you write anything, call ``end()``.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot go on.
    func hasEqual(_ row: RowCells) throws -> Bool {
        // A record without a complete key is not compared. Otherwise a step could find a row with the same values by chance.
        guard mayCompare, row.cellIndices.count >= leastCells, key.isWhole(in: row) else {
            end()
            return false
        }
        guard let comparison else { return try findEqual(row) }
        if comparison.lookup !== self { comparison.lookup = self }
        return try unsafe withUnsafePointer(to: row) { pointer in
            unsafe record = unsafe pointer
            defer { unsafe record = nil }
            try chooseShape(of: row)
            return try findEqual(row)
        }
    }

    private func findEqual(_ row: RowCells) throws -> Bool {
        if isOnRow, patience > 0 {
            if try step() {
                if isFoundEqual(to: row) {
                    patience = RowLookup.mostPatience
                    return true
                }
                patience &-= 1
            }
            end()
        } else {
            end()
            seeks &+= 1
            if seeks > RowLookup.seeksBeforeSteps { (patience, seeks) = (1, 0) }
        }
        guard try find(row) else { return false }
        let isEqual = isFoundEqual(to: row)
        isOnRow = isEqual && walks
        if !isOnRow { end() }
        return isEqual
    }

    /// Whether the row that was found is equal to the record.
    private func isFoundEqual(to row: RowCells) -> Bool { comparison == nil ? isEqual(to: row) : isSame }

    // MARK: Comparing inside the statement

    /// Chooses the columns that the statement compares.
    private func chooseShape(of row: RowCells) throws {
        guard !replaces else { return }
        let (number, areNew) = shapes.number(of: row)
        if areNew {
            end()
            statement = try db.makeStatement(sql: RowLookup.query(columns.map(\.name), shapes, comparison, run, source))
            unsafe handle = unsafe statement.sqliteStatement
        }
        shape = Int32(truncatingIfNeeded: number)
    }

    /// Compares the record with the values of a row. The values are those of the record's shape, or of all columns.
    func compare(_ values: UnsafeMutablePointer<OpaquePointer?>) {
        guard let record = unsafe record else { return }
        guard shape != 0 else { return isSame = unsafe isEqual(to: record.pointee) { unsafe values[$0] } }
        isSame = false
        for cell in unsafe record.pointee.cellIndices {
            guard unsafe isStored(record.pointee.value(cell), values[cell]) else { return }
        }
        isSame = true
    }

    // MARK: Finding

    /// Looks for the row with a record's key. If there is one, call ``end()`` before you write anything.
    ///
    /// - Throws: `DatabaseError` if SQLite cannot go on.
    func find(_ row: RowCells) throws -> Bool { unsafe key.bind(row, to: handle) ? try findAgain() : false }

    /// Repeats the last search.
    func findAgain() throws -> Bool { try step() }

    @inline(__always)
    private func step() throws -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            end()
            return false
        case let code:
            let error = unsafe DatabaseError(code, of: handle)
            end()
            throw error
        }
    }

    /// Leaves the row, and releases the functions for other loaders.
    func leave() {
        end()
        comparison?.lookup = nil
    }

    /// Leaves the row.
    func end() {
        unsafe sqlite3_reset(handle)
        isOnRow = false
    }

    // MARK: Comparing

    /// Whether the row that was found has all values of the record, so that it would not be changed.
    func isEqual(to row: RowCells) -> Bool {
        guard mayCompare, row.cellIndices.count >= leastCells else { return false }
        // Safe: the value belongs to the statement until its next step. Meanwhile only this code uses the connection, so no lock
        // is needed. The functions for values take half the time of those for columns.
        return unsafe isEqual(to: row) { unsafe sqlite3_column_value(handle, Int32(truncatingIfNeeded: $0)) }
    }

    /// The same for values that are passed in.
    @inline(__always)
    private func isEqual(to row: RowCells, _ stored: (Int) -> OpaquePointer?) -> Bool {
        var values = 0
        for cell in row.cellIndices {
            let value = row.value(cell)
            guard unsafe isStored(value, stored(row.column(cell))) else { return false }
            if case .null = value { continue }
            values &+= 1
        }
        guard replaces else { return true }
        for column in columns.indices where unsafe sqlite3_value_type(stored(column)) != SQLITE_NULL && !places.contains(column) {
            values &-= 1
        }
        return values == 0
    }

    @inline(__always)
    private func isStored(_ value: RawCellValue, _ stored: OpaquePointer?) -> Bool {
        guard let stored = unsafe stored else { return false }
        let type = unsafe sqlite3_value_type(stored)
        switch value {
        case .null: return type == SQLITE_NULL
        case .integer(let value):
            if type == SQLITE_INTEGER { return unsafe sqlite3_value_int64(stored) == value }
            return unsafe type == SQLITE_FLOAT && Int64(exactly: sqlite3_value_double(stored)) == value
        case .real(let value):
            if type == SQLITE_FLOAT { return unsafe sqlite3_value_double(stored) == value }
            return unsafe type == SQLITE_INTEGER && sqlite3_value_int64(stored) == Int64(exactly: value)
        case .text(let bytes):
            // Read as a blob, the text is not copied to append a zero. The database's encoding is UTF-8.
            guard type == SQLITE_TEXT, unsafe Int(sqlite3_value_bytes(stored)) == bytes.count else { return false }
            guard let text = unsafe sqlite3_value_blob(stored), let start = bytes.baseAddress else { return bytes.isEmpty }
            // Safe: both have this many bytes.
            return unsafe memcmp(text, start, bytes.count) == 0
        }
    }

    // MARK: The row

    /// The row that was found.
    func image() -> RowImage {
        var image = RowImage()
        image.values = JSONObject(
            columns.indices.compactMap { index in
                let column = Int32(truncatingIfNeeded: index)
                guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
                let value = unsafe DatabaseValue(sqliteStatement: handle, index: column)
                let name = columns[index].name
                guard columns[index].type == .json, case .string(let text) = value.storage else {
                    return (name, JSONValue(value, isTruth: columns[index].type == .bool))
                }
                if let json = JSONValue(stored: text) { return (name, json) }
                image.plainTexts.insert(name)
                return (name, .string(text))
            })
        return image
    }
}

/// A row as changes show it.
struct RowImage {
    /// The columns that are not null.
    var values = JSONObject()
    /// The columns of JSON that hold a text that is not JSON. An earlier run has read the column as text.
    var plainTexts: Set<String> = []
}

/// The parameters of a statement that take the values of a row's key: the first ones, in the order of the key.
struct KeyParameters {
    /// For each column of the rows, its parameter; 0 if it is not of the key.
    private let parameters: [Int32]
    private let count: Int

    init(_ key: [String], in columns: [IngestColumn]) {
        var parameters = Array(repeating: Int32(0), count: columns.count)
        for (position, name) in key.enumerated() {
            for (index, column) in columns.enumerated() where ColumnName.areEqual(column.name, name) {
                parameters[index] = Int32(truncatingIfNeeded: position + 1)
            }
        }
        (self.parameters, count) = (parameters, key.count)
    }

    /// Whether a row has a cell for each column of the key.
    func isWhole(in row: RowCells) -> Bool {
        var found = 0
        for cell in row.cellIndices where parameters[row.column(cell)] != 0 {
            found &+= 1
            if found == count { return true }
        }
        return found == count
    }

    /// Binds the key of a row. Returns whether the row has a value for each of its columns.
    func bind(_ row: RowCells, to handle: SQLiteStatement) -> Bool {
        var found = 0
        for cell in row.cellIndices {
            let parameter = parameters[row.column(cell)]
            guard parameter != 0 else { continue }
            found += unsafe bind(row.value(cell), parameter, handle) ? 1 : 0
        }
        return found == count
    }

    /// Binds a value of the key. Text is not copied: it stays where it is until the row is stored.
    private func bind(_ value: RawCellValue, _ parameter: Int32, _ handle: SQLiteStatement) -> Bool {
        switch value {
        case .null: return false
        case .integer(let value): unsafe sqlite3_bind_int64(handle, parameter, value)
        case .real(let value): unsafe sqlite3_bind_double(handle, parameter, value)
        case .text(let bytes):
            // Safe: the bytes are in the memory of the batch.
            unsafe handle.bind(bytes, to: parameter, isCopied: false)
        }
        return true
    }
}

extension JSONValue {
    /// The value of a text in a column of JSON; nil if the text is not JSON. JSON's null is stored as null, so the text `null` is
    /// none either.
    fileprivate init?(stored text: String) {
        guard let value = try? JSONValue(json: text), !value.isNull else { return nil }
        self = value
    }

    /// A stored value as changes show it.
    ///
    /// - Parameter isTruth: Whether 0 and 1 are truth values.
    init(_ value: DatabaseValue, isTruth: Bool) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number):
            self = isTruth && (number == 0 || number == 1) ? .bool(number == 1) : .number(JSONNumber(number))
        case .double(let number): self = JSONNumber(number).map { .number($0) } ?? .string("\(number)")
        case .string(let text): self = .string(text)
        case .blob(let bytes): self = .string("x'" + String(decoding: ResultValue.digits(Array(bytes)), as: UTF8.self) + "'")
        }
    }
}
#endif
