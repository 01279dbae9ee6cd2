// Stores the changes of rows in the transaction of the rows. They go into a table of the same database, or into an NDJSON file:
// then the transaction stores the lines, and they are written after the commit.

internal import SluiceCore

/// The table or file that changes are written to.
package final class ChangeLog {
    private enum Target {
        case table(String)
        case file(OwedFile)
    }

    private let target: Target

    /// Opens the file, if it is one.
    ///
    /// - Throws: ``IngestError/output(_:)``.
    package init(_ wanted: ChangesTarget, of run: RunIdentity) throws(IngestError) {
        switch wanted {
        case .table(let table): target = .table(table)
        // Lines are always stored in the transaction, even if no input can be read again. The transaction has changed the rows,
        // so the file must get the changes.
        case .file(let path): target = .file(try OwedFile(path: path, owner: "changes:\(run.id)", keepsPending: true))
        }
    }

    /// The file, if it is one.
    private var file: OwedFile? { if case .file(let file) = target { file } else { nil } }

    /// Checks that an existing table takes changes, before anything is read.
    ///
    /// - Throws: ``IngestError``.
    package static func check(_ wanted: ChangesTarget, _ connection: any SinkConnection, of sink: any RecordSink) throws {
        guard case .table(let table) = wanted else { return }
        let columns = try connection.columns(of: table)
        guard columns.isEmpty || columns == RecordedChange.columns else {
            throw IngestError.database(
                "\(sink.destination) has a table \(table) already that is no table of changes; name another one")
        }
    }

    /// Writes the lines that killed runs have left unwritten.
    ///
    /// - Throws: ``IngestError``.
    package static func settle(_ wanted: ChangesTarget, _ connection: any SinkConnection) throws {
        if let path = wanted.path { try OwedFile.settle(path: path, connection) }
    }

    /// Makes changes part of a transaction, which is committed next.
    ///
    /// - Throws: ``IngestError`` or what the sink throws.
    package func store(_ changes: [RecordedChange], _ transaction: any SinkTransaction) throws {
        switch target {
        // The table is made even without a change, so a user finds an empty table.
        case .table(let table): try transaction.ledger.record(changes, into: table)
        case .file(let file): try file.owe(changes.flatMap { Array($0.text.utf8) }, transaction)
        }
    }

    package func endCommit(_ connection: any SinkConnection) throws { try file?.endCommit(connection) }

    package func abandonCommit() { file?.abandonCommit() }

    package func sync() throws(IngestError) { try file?.sync() }

    package func forgetPending(_ transaction: any SinkTransaction) throws { try file?.forgetPending(transaction) }
}
