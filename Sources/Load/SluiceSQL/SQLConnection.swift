// A session with a database, as the ledger uses it. SluiceSQLite and SluicePostgres have one each: GRDB's Database, and libpq's connection.

package import SluiceCore

/// A session with a database, inside a transaction if something is written.
package protocol SQLConnection: AnyObject, LedgerDialect {
    /// Runs one statement. `$1`, `$2` and so on are its parameters.
    @discardableResult
    func run(_ sql: String, _ parameters: [SQLParameter]) throws -> SQLRows

    /// Runs a query, and hands over one row after the other.
    func read(_ sql: String, _ parameters: [SQLParameter], _ take: ([String?]) throws -> Void) throws

    /// A name as SQL has it.
    func quoted(_ name: String) throws -> String

    /// A table's name as SQL has it.
    func path(of table: String) throws -> String

    /// The names of a table's columns, in order; empty if there is no such table.
    func columns(of table: String) throws -> [String]

    /// Adds many rows to a table.
    func insert(_ rows: [[SQLParameter]], into table: String, _ columns: [SQLColumn]) throws

    /// The columns of a table's primary key, in the key's order; empty if it has none.
    func primaryKey(of table: String) throws -> [String]

    /// Makes a table with columns that hold the key of another table, and compare it alike, and with further columns.
    func makeTable(_ name: String, withKey key: [String], of rows: String, _ columns: [SQLColumn]) throws

    /// Adds rows to a table, in place of those with the same keys.
    ///
    /// - Parameters:
    ///   - rows: Their values: those of the key, and those of the other columns.
    ///   - others: The names of the other columns.
    func merge(_ rows: [[SQLParameter]], into table: String, _ key: [String], _ others: [String]) throws

    /// Deletes the rows with some keys.
    func delete(_ keys: [[SQLParameter]], from table: String, _ key: [String]) throws

    /// Keeps others from making or changing what a table's name stands for, until the transaction ends. SQLite has one writer at a time.
    func lock(_ table: String) throws
    /// Keeps others from changing the rows of a table, until the transaction ends.
    func lockRows(of table: String) throws
    /// Takes the lock of an input's reader, until the session ends; false if another session has it.
    func tryLock(_ input: String) throws -> Bool
    /// Which of these inputs of a table, whose rows name a reader, a session reads; the others were left by a killed one.
    func held(_ inputs: [String], of table: String) throws -> Set<String>

    /// Checks that the database can tell a table from those of the run by its name.
    func checkName(of table: String) throws
    /// The name that was stored as ``SQLParameter/name(_:)``.
    func original(name: String) -> String
}

extension SQLConnection {
    package func read(_ sql: String, _ parameters: [SQLParameter], _ take: ([String?]) throws -> Void) throws {
        for row in try run(sql, parameters).values { try take(row) }
    }
    package func lock(_ table: String) throws {}
    package func lockRows(of table: String) throws {}
    package func tryLock(_ input: String) throws -> Bool { true }
    package func held(_ inputs: [String], of table: String) throws -> Set<String> { Set(inputs) }
    package func checkName(of table: String) throws {}
    package func original(name: String) -> String { name }
}

/// A value that is stored or compared.
package enum SQLParameter: Hashable, Sendable {
    case null
    case integer(Int)
    case bool(Bool)
    /// A text. What the database cannot hold is replaced.
    case text(String)
    /// A name of an input or a file. What the database cannot hold is escaped, so that the name can be found again.
    case name(String)
}

/// The rows that a statement returned.
package struct SQLRows {
    package let values: [[String?]]
    /// How many rows were added, changed or deleted.
    package let affected: Int

    package init(values: [[String?]] = [], affected: Int) { (self.values, self.affected) = (values, affected) }

    /// The first value; nil without rows, and for null.
    var first: String? { values.first?.first ?? nil }
}

extension [String?] {
    package func text(_ column: Int) -> String { self[column] ?? "" }
    package func integer(_ column: Int) -> Int { self[column].flatMap { Int($0) } ?? 0 }
    package func isTrue(_ column: Int) -> Bool { self[column] == "t" || self[column] == "1" }
}

/// A column of a table of rejected records, changes or places.
package struct SQLColumn: Hashable, Sendable {
    package let name: String
    package let type: ColumnType
    var isRequired = false

    init(_ name: String, _ type: ColumnType, isRequired: Bool = false) {
        (self.name, self.type, self.isRequired) = (name, type, isRequired)
    }
}

/// What one database writes otherwise than another, and how messages name its parts.
package protocol LedgerDialect {
    /// Where the tables are: `feed.db`, or `the schema public`.
    var destination: String { get }
    /// What kind of destination that is: `database`.
    var kind: String { get }
    /// What follows a comparison of tables' names, if the database ignores their case.
    var nameCollation: String { get }
    /// What a row is found by again in the same transaction.
    var rowIdentity: String { get }
    /// The order of rejections as they were read.
    var rejectionOrder: String { get }
    /// The oldest layout of the table of checkpoints that the database has ever had.
    var oldestLayout: Int { get }
    /// The definition of the table of checkpoints, in its newest layout.
    var checkpointColumns: String { get }
    /// The definitions of the columns that later layouts added.
    var addedColumns: [(name: String, definition: String)] { get }
    /// The columns of the table for ``TableMemory``, and what follows their closing bracket in the statement.
    var memoryColumns: (definition: String, ending: String) { get }
    /// The type of a primary key that counts rows.
    var countingKey: String { get }
    func definition(_ type: ColumnType) -> String
}
