// The table that records go into: its columns as SQLite has them, and the statement that stores a row.

#if SQLite
internal import GRDB
internal import SluiceCore
internal import SluiceIngest

/// The table of the database, with its columns.
struct RecordTable {
    /// How SQLite converts the values of a column: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
    enum Affinity {
        case integer, real, numeric, text, none

        init(declared type: String) {
            let type = type.uppercased()
            self =
                if type.contains("INT") {
                    .integer
                } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
                    .text
                } else if type.isEmpty || type.contains("BLOB") {
                    .none
                } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
                    .real
                } else {
                    .numeric
                }
        }

        /// The type of a new column that has this affinity.
        var type: String {
            switch self {
            case .integer: "INTEGER"
            case .real: "REAL"
            case .numeric: "NUMERIC"
            case .text: "TEXT"
            case .none: "BLOB"
            }
        }
    }

    let name: String
    let primaryKey: [String]
    /// Columns that were added to a table that already existed.
    private(set) var addedColumns: [String] = []
    private var affinities: [[UInt8]: Affinity] = [:]
    /// The columns that are declared as ones of truth values.
    private var truthColumns: Set<[UInt8]> = []
    /// Whether the table is STRICT. Such a table only allows SQLite's own type names: https://www.sqlite.org/stricttables.html
    private var isStrict = false
    /// Whether a trigger may ignore a row or change what the statement does.
    private(set) var hasTriggers = false
    /// Whether the table definition may have an ON CONFLICT clause.
    private var hasConflictClause = false
    /// Whether SQLite looks at foreign keys of the table only when the transaction ends.
    private(set) var defersForeignKeys = false
    /// The version of the schema for which ``affinities`` is right. Another process may change the table between two batches.
    private var schemaVersion = 0
    /// The columns that can be written, in the table's own order.
    private(set) var writableNames: [String] = []
    private var generatedNames: Set<[UInt8]> = []
    /// Whether a record that lacks a column may break a rule of the table: NOT NULL or CHECK.
    private(set) var mayRefuseParts = false
    /// Whether a column has a default value.
    private(set) var hasDefaults = false

    /// Whether a table exists now. GRDB's cached schema may be out of date: another process may have created the table while this
    /// one waited for the database.
    static func exists(_ name: String, _ db: Database) throws -> Bool {
        try !columns(of: name, db).isEmpty
    }

    /// Creates the table or adds the missing columns, inside a transaction.
    init(_ wanted: SinkTable, _ db: Database) throws {
        name = wanted.name
        let quoted = name.quotedForSQL
        if wanted.existing.emptiesTable { try RecordTable.checkReferences(wanted, db) }
        if wanted.existing == .drop {
            // The child tables are dropped first. Otherwise SQLite would delete the rows of the parent table one by one, because
            // foreign keys refer to it.
            for table in wanted.children + [name] { try db.execute(sql: "DROP TABLE IF EXISTS \(table.quotedForSQL)") }
        }
        if try RecordTable.exists(name, db) {
            if wanted.existing == .truncate { try db.execute(sql: "DELETE FROM \(quoted)") }
            primaryKey = try wanted.key.isEmpty ? RecordTable.primaryKey(of: name, db) : wanted.key
            try readColumns(db)
            try checkThatItIsChild(wanted, db)
            try add(wanted.columns, db)
        } else {
            let keys = try wanted.parent?.comparisons(db) ?? []
            var definitions = wanted.columns.enumerated().map { index, column in
                let type = index < keys.count ? keys[index].definition(column.type.sql) : RecordTable.typeName(of: column)
                let parts = [column.name.quotedForSQL, type, column.isRequired ? "NOT NULL" : ""]
                return parts.filter { !$0.isEmpty }.joined(separator: " ")
            }
            if !wanted.key.isEmpty { definitions.append("PRIMARY KEY \(RecordTable.list(wanted.key))") }
            if let parent = wanted.parent {
                definitions.append(
                    "FOREIGN KEY \(RecordTable.list(parent.columns)) REFERENCES \(parent.table.quotedForSQL) "
                        + "\(RecordTable.list(parent.key)) ON DELETE CASCADE")
            }
            // The rows of a child table are stored in the order of its key. This takes one tree instead of a table and an index.
            let end = wanted.parent == nil ? "" : " WITHOUT ROWID"
            try db.execute(sql: "CREATE TABLE \(quoted) (\(definitions.joined(separator: ", ")))\(end)")
            primaryKey = wanted.key
            try readColumns(db)
        }
    }

    /// Names in parentheses.
    private static func list(_ names: [String]) -> String { "(\(names.map(\.quotedForSQL).joined(separator: ", ")))" }

    /// Checks that an existing table has the columns that a child table's rows need, and that its key is compared as its parent's.
    private func checkThatItIsChild(_ wanted: SinkTable, _ db: Database) throws {
        guard let parent = wanted.parent else { return }
        if let missing = wanted.key.first(where: { affinities[ColumnName.folded($0)] == nil }) {
            throw IngestError.database(
                "there is a table \(name) already, and it is no child table of \(parent.table): it has no column \(missing)")
        }
        for (index, (column, expected)) in try zip(parent.columns, parent.comparisons(db)).enumerated() {
            let found = try ColumnComparison(of: column, in: name, db)
            guard found != expected else { continue }
            throw IngestError.database(
                "the column \(column) of the table \(name) is \(found), and the column \(parent.key[index]) of \(parent.table) "
                    + "that it refers to is \(expected): the rows of a record whose key is written in another way would not be found"
            )
        }
    }

    /// The columns of a table's primary key, in the key's order.
    static func primaryKey(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [table])
    }

    /// The names of a table's columns; empty if the table does not exist.
    static func columns(of table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table])
    }

    /// Adds the columns that the table lacks. Another process may have added some of them in the meantime.
    mutating func add(_ columns: [IngestColumn], _ db: Database) throws {
        guard columns.contains(where: { affinities[ColumnName.folded($0.name)] == nil }) else { return }
        if try RecordTable.schemaVersion(db) != schemaVersion { try readColumns(db) }
        for column in columns where affinities[ColumnName.folded(column.name)] == nil {
            let type = RecordTable.typeName(of: column, isStrict: isStrict)
            try db.execute(sql: "ALTER TABLE \(name.quotedForSQL) ADD COLUMN \(column.name.quotedForSQL) \(type)")
            addedColumns.append(column.name)
            note(column.name, type, isWritable: true)
        }
        schemaVersion = try RecordTable.schemaVersion(db)
    }

    /// The name of a column's type. A column that had only had null in the sample has none: SQLite then keeps each value as it comes. A STRICT table has
    /// no BOOLEAN or JSON.
    private static func typeName(of column: IngestColumn, isStrict: Bool = false) -> String {
        if column.isUndecided || column.hasLateType { return isStrict ? "ANY" : "" }
        guard isStrict else { return column.type.sql }
        switch Affinity(declared: column.type.sql) {
        case .integer: return "INTEGER"
        case .real: return "REAL"
        case .text: return "TEXT"
        case .numeric: return column.type == .bool ? "INTEGER" : "ANY"
        case .none: return "ANY"
        }
    }

    private static func schemaVersion(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
    }

    private mutating func readColumns(_ db: Database) throws {
        schemaVersion = try RecordTable.schemaVersion(db)
        (affinities, truthColumns) = ([:], [])
        (writableNames, generatedNames) = ([], [])
        (mayRefuseParts, hasDefaults) = (false, false)
        isStrict = RecordTable.isStrict(name, db)
        let sql =
            "SELECT name, type, hidden, \"notnull\" AS is_required, dflt_value IS NOT NULL AS has_default "
            + "FROM pragma_table_xinfo(?)"
        for row in try Row.fetchAll(db, sql: sql, arguments: [name]) {
            // Hidden columns are generated or internal, and cannot be written.
            note(row["name"], row["type"], isWritable: row["hidden"] == 0)
            if row["is_required"], !primaryKey.contains(where: { ColumnName.areEqual($0, row["name"]) }) { mayRefuseParts = true }
            if row["has_default"] { hasDefaults = true }
        }
        let triggers = "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
        hasTriggers = try Bool.fetchOne(db, sql: triggers, arguments: [name]) ?? false
        let definition = try String.fetchOne(
            db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", arguments: [name])
        hasConflictClause = definition?.uppercased().contains("CONFLICT") == true
        if definition?.uppercased().contains("CHECK") == true { mayRefuseParts = true }
        defersForeignKeys = definition?.uppercased().contains("DEFERRED") == true
    }

    /// Whether a table is STRICT. Older versions of SQLite have neither this list nor such tables.
    static func isStrict(_ table: String, _ db: Database) -> Bool {
        (try? Bool.fetchOne(db, sql: "SELECT strict FROM pragma_table_list(?)", arguments: [table])) == true
    }

    /// The collations of the unique index of the key, by the folded names of its columns. Empty if the key has no such index;
    /// then the columns' own collations apply.
    func collationsOfKey(_ db: Database) throws -> [[UInt8]: String] {
        let key = Set(primaryKey.map(ColumnName.folded))
        let indexes = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_index_list(?) WHERE \"unique\" AND NOT partial", arguments: [name])
        for index in indexes {
            let columns = try Row.fetchAll(
                db, sql: "SELECT coalesce(name, '') AS name, coll FROM pragma_index_xinfo(?) WHERE key", arguments: [index])
            let names = columns.map { ColumnName.folded($0["name"]) }
            if names.count == key.count, Set(names) == key { return Dictionary(zip(names, columns.map { $0["coll"] })) { $1 } }
        }
        return [:]
    }

    private mutating func note(_ column: String, _ type: String, isWritable: Bool) {
        // In a STRICT table, ANY keeps each value as it is: https://www.sqlite.org/stricttables.html
        let keepsAll = isStrict && type.uppercased() == "ANY"
        affinities[ColumnName.folded(column)] = keepsAll ? Affinity.none : Affinity(declared: type)
        if type.uppercased().contains("BOOL") { truthColumns.insert(ColumnName.folded(column)) }
        if isWritable { writableNames.append(column) } else { generatedNames.insert(ColumnName.folded(column)) }
    }

    /// Whether records may give a column a value. A generated column computes its own.
    func isWritable(_ column: String) -> Bool {
        generatedNames.isEmpty || !generatedNames.contains(ColumnName.folded(column))
    }

    /// Whether 0 and 1 in a column are truth values. A STRICT table has no BOOLEAN.
    func hasTruth(_ column: IngestColumn) -> Bool {
        truthColumns.contains(ColumnName.folded(column.name)) || isStrict && column.type == .bool && !column.isForeign
    }

    /// Whether a column without a type holds truth values as words. A 1 there is a number.
    func hasWords(_ column: IngestColumn) -> Bool {
        column.type == .bool && !column.isForeign && !hasTruth(column) && affinity(of: column.name) == .none
    }

    func affinity(of column: String) -> Affinity { affinities[ColumnName.folded(column)] ?? .none }
}

// MARK: The statement

/// The lists of names and parameters in a statement that stores a row. They are only extended. If each record had a new column,
/// making the lists anew each time would take most of the run time.
struct InsertionLists {
    private(set) var names = ""
    private(set) var parameters = ""
    private var count = 0

    mutating func add(_ columns: [IngestColumn], of table: RecordTable) {
        for column in columns {
            count += 1
            guard table.isWritable(column.name) else { continue }
            let separator = names.isEmpty ? "" : ", "
            names += separator + column.name.quotedForSQL
            parameters += "\(separator)?\(count)"
        }
    }
}

extension RecordTable {
    /// The name of the function that the statement calls for an existing row with the record's key. Its argument is 1 if the
    /// record changes the row, and 0 if not. It returns its argument.
    ///
    /// Several runs may share a connection, so each run has its own function.
    static func foundFunction(of run: RunIdentity) -> String { "sluice_found_\(run.id)" }

    /// The statement that stores a row. Parameter n is the value of column n. The parameters after those are masks of 32 columns
    /// each, which say which columns the record has.
    ///
    /// An existing row with the key is updated only if that changes something.
    ///
    /// - Parameters:
    ///   - lists: The lists of these columns.
    ///   - function: The name of the function.
    func insertion(of columns: [IngestColumn], _ lists: InsertionLists, _ conflict: KeyConflict, _ function: String) -> String {
        let insertion = "\(verb) INTO \(name.quotedForSQL) (\(lists.names)) VALUES (\(lists.parameters))"
        guard conflict != .reject else { return insertion }
        let key = Set(primaryKey.map(ColumnName.folded))
        // A row in which only the place of its record differs is the same.
        let places = Set(columns.filter(\.isOfPlace).map { ColumnName.folded($0.name) })
        let target = insertion + " ON CONFLICT (\(primaryKey.map(\.quotedForSQL).joined(separator: ", "))) DO UPDATE SET "
        var changes: [String] = []
        var differences: [String] = []
        switch conflict {
        case .reject, .ignore: break
        case .replace:
            // A column that the records lack gets its default, as in a new row.
            for column in writableNames where !key.contains(ColumnName.folded(column)) {
                let name = column.quotedForSQL
                changes.append("\(name) = excluded.\(name)")
                if !places.contains(ColumnName.folded(column)) { differences.append(difference(name)) }
            }
        case .upsert:
            for (index, column) in columns.enumerated()
            where !key.contains(ColumnName.folded(column.name)) && isWritable(column.name) {
                let name = column.name.quotedForSQL
                let mask = "(?\(columns.count + 1 + index / 32) >> \(index % 32)) & 1"
                changes.append("\(name) = CASE WHEN \(mask) THEN excluded.\(name) ELSE \(name) END")
                if !column.isOfPlace { differences.append("\(mask) AND \(difference(name))") }
            }
        }
        // If there is nothing to change, the statement only finds the row.
        if changes.isEmpty { changes = primaryKey.prefix(1).map { "\($0.quotedForSQL) = \($0.quotedForSQL)" } }
        return target + changes.joined(separator: ", ")
            + " WHERE \(function.quotedForSQL)(\(RecordTable.anyOf(differences[...])))"
    }

    /// How the statement begins. A table's own ON CONFLICT clause could leave out a row, or replace another one, without an
    /// error. OR ABORT refuses the row instead. But OR ABORT also overrides the clauses inside triggers. So it is left out if the
    /// table has triggers, but no ON CONFLICT clause of its own: https://www.sqlite.org/lang_createtrigger.html
    private var verb: String { hasTriggers && !hasConflictClause ? "INSERT" : "INSERT OR ABORT" }

    /// Whether a column's value differs from the record's. A difference in case or trailing blanks counts, whatever the column's
    /// collation.
    private func difference(_ name: String) -> String {
        "\(self.name.quotedForSQL).\(name) COLLATE BINARY IS NOT excluded.\(name)"
    }

    /// Conditions joined by OR, as a tree. SQLite's parser only allows a depth of 1,000, and a table may have more columns.
    private static func anyOf(_ conditions: ArraySlice<String>) -> String {
        switch conditions.count {
        case 0: return "0"
        case ...8: return conditions.map { "(\($0))" }.joined(separator: " OR ")
        default:
            let middle = conditions.startIndex + conditions.count / 2
            return "(\(anyOf(conditions[..<middle]))) OR (\(anyOf(conditions[middle...])))"
        }
    }
}

extension ColumnType {
    /// The type's name in SQL. Dates and JSON are text: in a column of a type that SQLite does not know, it would turn some texts
    /// into numbers.
    package var sql: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .bool: "BOOLEAN"
        case .text, .date, .timestamp, .json, .int32, .decimal, .list, .object: "TEXT"
        }
    }
}
#endif
