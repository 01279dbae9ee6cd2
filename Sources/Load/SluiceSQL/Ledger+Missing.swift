// The keys that the inputs of a load have, and the search for rows whose keys are not among them.

internal import SluiceCore
package import SluiceIngest

/// The rows of a transaction, whose keys are noted: what only a database's own code can do.
package protocol LedgerRows: AnyObject {
    /// The columns of the key, as the table spells them; nil if the run has not prepared the table.
    var noteKey: [String]? { get }
    /// The name of the table of noted keys.
    var keyTable: String { get }
    /// Whether the keys of rows are noted.
    var notesKeys: Bool { get }
    /// Whether it is known that the table has rows with all noted keys.
    var hasFoundNotedKeys: Bool { get set }

    /// Makes the table of noted keys. Its columns compare values like those of the key.
    func makeKeyTable() throws
    /// From now on, notes the keys of rows, or no longer does.
    func noteKeys(_ notes: Bool) throws
    /// Makes one kind of change; see ``SinkLedger/settleMissing(_:most:)``.
    ///
    /// - Parameters:
    ///   - condition: Which rows `t` of the table are concerned.
    ///   - mark: The column of marks, as SQL has it.
    func settle(_ change: MissingChange, where condition: String, mark: String, most: Int) throws -> StoredBatch
}

extension Ledger {
    package func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool {
        guard let rows, rows.noteKey != nil, try self.snapshot() == earlier else { return false }
        if snapshot != earlier { try keep(snapshot) }
        if snapshot.isDone || begins { try connection.run("DROP TABLE IF EXISTS \(connection.path(of: rows.keyTable))", []) }
        if snapshot.isDone {
            try rows.noteKeys(false)
        } else if begins || !rows.notesKeys {
            if try connection.columns(of: rows.keyTable).isEmpty { try rows.makeKeyTable() }
            try rows.noteKeys(true)
        }
        return true
    }

    package func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch {
        guard let rows, let key = rows.noteKey else { return StoredBatch() }
        let path = try connection.path(of: table)
        // Rows must not change between the statements.
        try connection.lockRows(of: table)
        let name = MissingRows.markColumn
        let alike = try connection.columns(of: table).filter { ColumnName.areEqual($0, name) }
        let found = alike.first { $0 == name } ?? (alike.count == 1 ? alike[0] : nil)
        let mark = try connection.quoted(found ?? name)
        if found == nil {
            if change == .clear { return StoredBatch() }
            let type = dialect.definition(.timestamp)
            if change == .mark { try connection.run("ALTER TABLE \(path) ADD COLUMN \(mark) \(type)", []) }
        }
        let isSame = try zip(quoted(key, of: "k"), quoted(key, of: "t")).map { "\($0) = \($1)" }.joined(separator: " AND ")
        let keys = try "\(connection.path(of: rows.keyTable)) k"
        if change != .clear, !rows.hasFoundNotedKeys {
            // A trigger may have given a row another key than its record has. Its row must not count as missing.
            let unfound = try connection.run(
                "SELECT count(*) FROM \(keys) WHERE NOT EXISTS (SELECT 1 FROM \(path) t WHERE \(isSame))", []
            ).values[0].integer(0)
            guard unfound == 0 else { throw UnfoundKeys(count: unfound) }
            rows.hasFoundNotedKeys = true
        }
        let isNoted = "EXISTS (SELECT 1 FROM \(keys) WHERE \(isSame))"
        let condition =
            switch change {
            case .delete: "NOT \(isNoted)"
            case .mark: "t.\(mark) IS NULL AND NOT \(isNoted)"
            case .clear: "t.\(mark) IS NOT NULL AND \(isNoted)"
            }
        return try rows.settle(change, where: condition, mark: mark, most: most)
    }
}
