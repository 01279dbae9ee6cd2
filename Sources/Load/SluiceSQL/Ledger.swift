// What a database keeps beside the rows of a table: how far inputs have been read, and which runs read them; what the table remembers of its
// columns; lines owed to files; noted keys, rejected records and changes. It is written in the transaction of the rows, so the two never
// disagree.
//
//     Ledger+Checkpoints   `_sluice_checkpoints`: a row for each input, which a run claims, and writes only over the version that it knows
//     Ledger+Notes         the same table: rows without a table name, such as lines that are owed to a file
//     Ledger+Memory        `_sluice_memory`: what tables remember of their columns
//     Ledger+Missing       `_sluice_keys_…`: the keys of a snapshot, and the rows without them
//     Ledger+Rejections    tables of rejected records
//     Ledger+Changes       tables of changes
//     Ledger+Places        tables of places, and the place of one row
//
// A database adds its session (SQLConnection) and its words (LedgerDialect). Names of these tables are in OwnTables.

package import SluiceIngest

/// The ledger of a table, for one transaction or one look.
package final class Ledger: RejectionLedger {
    package let connection: any SQLConnection
    /// The table of the records.
    package let table: String
    /// The rows of the open transaction, for what needs their keys.
    package weak var rows: (any LedgerRows)?
    /// The columns of the ledger's tables that are known to exist.
    private var known: [String: [String]] = [:]
    /// The tables of places that are known to be such tables.
    var placeTables: Set<String> = []
    /// Whether there is a table of checkpoints that this version understands.
    var hasUnderstood = false
    /// The number of the next checkpoint of this transaction.
    var nextSequence: Int?

    package init(_ connection: any SQLConnection, of table: String) { (self.connection, self.table) = (connection, table) }

    /// Adds what the ledger holds.
    ///
    /// - Parameter reading: How much of the checkpoints.
    package func fill(_ contents: inout SinkContents, _ reading: CheckpointReading) throws {
        contents.isOfDatabase = true
        contents.checkpoints = try checkpoints(reading)
        contents.snapshot = try snapshot()
        contents.memory = try memory()
        contents.pendingFiles = try pendingFiles()
    }

    var dialect: any LedgerDialect { connection }

    // MARK: Tables

    /// The names of a table's columns; empty if there is no such table.
    func columns(of table: String) throws -> [String] {
        if let columns = known[table] { return columns }
        let columns = try connection.columns(of: table)
        // Another run may make a table that is missing.
        if !columns.isEmpty { known[table] = columns }
        return columns
    }

    /// Makes a table, if it is missing. A role that may write the table need not be one that may make tables.
    func make(_ table: String, _ columns: String, _ ending: String = "") throws {
        guard try self.columns(of: table).isEmpty else { return }
        try connection.lock(table)
        try connection.run("CREATE TABLE IF NOT EXISTS \(connection.path(of: table)) (\(columns))\(ending)", [])
    }

    func make(_ table: String, _ columns: [SQLColumn], after first: String = "") throws {
        let definitions = columns.map { "\($0.name) \(dialect.definition($0.type))\($0.isRequired ? " NOT NULL" : "")" }
        try make(table, first + definitions.joined(separator: ", "))
    }

    func forget(columnsOf table: String) { known[table] = nil }

    func quoted(_ names: [String], of alias: String) throws -> [String] {
        try names.map { try "\(alias).\(connection.quoted($0))" }
    }
}
