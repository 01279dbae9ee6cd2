// How SQLite compares the values of a column with others. A column that refers to another one has to compare them alike: to a column of
// integers, "1" and "01" are one key.

#if SQLite
internal import GRDB
internal import GRDBSQLite
internal import SluiceIngest

/// What a column does with a value before it is compared, and by which rule texts are equal.
struct ColumnComparison: Equatable, CustomStringConvertible {
    let affinity: RecordTable.Affinity
    /// The name of the collation in capitals; `BINARY` unless the column has another.
    let collation: String

    /// - Throws: `DatabaseError` if there is no such column.
    init(of column: String, in table: String, _ db: Database) throws {
        var (type, rule): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        let code = unsafe sqlite3_table_column_metadata(db.sqliteConnection, nil, table, column, &type, &rule, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "no column \(column) in the table \(table)")
        }
        let declared = unsafe type.map { unsafe String(cString: $0) } ?? ""
        collation = unsafe rule.map { unsafe String(cString: $0).uppercased() } ?? "BINARY"
        // In a STRICT table, ANY keeps each value as it is: https://www.sqlite.org/stricttables.html
        let keepsAll = declared.uppercased() == "ANY" && RecordTable.isStrict(table, db)
        affinity = keepsAll ? .none : RecordTable.Affinity(declared: declared)
    }

    /// The type and the collation of a new column that refers to this one.
    ///
    /// - Parameter type: The type that the column has if it has this affinity.
    func definition(_ type: String) -> String {
        let type = RecordTable.Affinity(declared: type) == affinity ? type : affinity.type
        return collation == "BINARY" ? type : "\(type) COLLATE \(collation.quotedForSQL)"
    }

    var description: String { definition(affinity.type) }
}

extension SinkParent {
    /// How the columns of the parent's key are compared.
    func comparisons(_ db: Database) throws -> [ColumnComparison] { try key.map { try ColumnComparison(of: $0, in: table, db) } }
}
#endif
