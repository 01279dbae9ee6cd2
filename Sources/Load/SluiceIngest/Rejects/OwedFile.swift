// A file whose lines belong to the transactions of a sink: rejected records, or changes of rows.
//
// A file takes no part in a transaction. So the transaction stores the lines beside the rows, and the lines are written after the
// commit. Until then, the transaction owes them to the file. If the run is killed in between, the next run writes them
// (RejectsFile.swift). So each line is in the file once.

internal import SluiceCore
internal import SluiceFeed

/// A file, and the lines that transactions of this run still have to write to it.
package final class OwedFile {
    package let file: RejectsFile
    /// The name under which the sink stores the lines that are still to be written.
    private let owner: String
    /// Whether the sink stores the lines until they are written. Otherwise they are written at once, before the commit.
    private let keepsPending: Bool
    /// The lines of a run that leaves nothing if it is killed: they wait in a temporary file for its end.
    private var waiting: SpooledBytes?
    /// The lines that the last transaction has stored, and whether they have been written.
    private var pending: RejectsFile.Pending?
    private var isPaid = true

    /// Opens the file. Call it before the database is changed, so that an error leaves everything as it was.
    ///
    /// - Parameters:
    ///   - keepsPending: Whether the sink stores lines until they are written. For a pipe or device it never does, because what was
    ///     written there cannot be read back.
    ///   - waits: Whether the lines are written at the end of the run, because its output is made then: the next run reads all again.
    /// - Throws: ``IngestError/output(_:)``.
    package init(path: String, owner: String, keepsPending: Bool, waits: Bool = false) throws(IngestError) {
        file = try RejectsFile(path: path)
        self.owner = owner
        self.keepsPending = file.isRegular && keepsPending && !waits
        do throws(JSONError) { waiting = waits && file.isRegular ? try SpooledBytes() : nil } catch {
            throw .output("\(error.found)")
        }
    }

    /// Writes the lines that killed runs have left unwritten.
    ///
    /// - Throws: ``IngestError``.
    package static func settle(path: String, _ connection: any SinkConnection) throws {
        let identity = IngestInput.identity(ofFile: path)
        guard try connection.look().pendingFiles.contains(identity) else { return }
        let file = try RejectsFile(path: path)
        // The transactions must be on the disk first. Otherwise a power failure could undo one whose lines are in the file.
        try connection.sync()
        // Every run locks the database first and then the file, so there is no deadlock.
        try connection.transaction { transaction in
            file.lock()
            defer { file.unlock() }
            for kept in try transaction.ledger.pendingRejects(to: identity) {
                try file.pay(kept.changes(of: file))
                try transaction.ledger.setPendingRejects(nil, of: kept.owner, to: identity)
            }
        }
    }

    /// Adds lines to the open transaction, which must be committed next. From here to ``endCommit(_:)``, no other run writes to
    /// the file.
    ///
    /// - Parameter removals: Finds the lines of the file that are to be removed; nil if no line is. It is called while the file
    ///   is locked.
    package func owe(
        _ lines: [UInt8], removing removals: (() throws -> [RejectsFile.Line])? = nil, _ transaction: any SinkTransaction
    ) throws {
        guard keepsPending else {
            guard !lines.isEmpty else { return }
            if waiting == nil {
                try file.append(lines)
            } else {
                try unsafe lines.withUnsafeBytes { try unsafe waiting?.write($0) }
            }
            return
        }
        let removals = file.isRegular ? removals : nil
        if lines.isEmpty, removals == nil { return try forgetPending(transaction) }
        file.lock()
        let pending = try file.pendingRejects(of: lines, removing: removals?() ?? [])
        try transaction.ledger.setPendingRejects(PendingRejects(owner: owner, text: pending.text), of: owner, to: file.identity)
        (self.pending, isPaid) = (pending, false)
    }

    /// The lines that committed transactions of other runs remove from the file. A run that was killed may not have done so yet.
    package func othersRemovals(_ transaction: any SinkTransaction) throws -> Set<RejectsFile.Line> {
        let others = try transaction.ledger.pendingRejects(to: file.identity).filter { $0.owner != owner }
        return Set(try others.flatMap { try $0.changes(of: file).removals }.map(\.withoutBlanks))
    }

    /// Writes the lines of the transaction, which is now committed.
    ///
    /// - Throws: ``IngestError``; the next run then writes the lines.
    package func endCommit(_ connection: any SinkConnection) throws {
        guard let pending, !isPaid else { return }
        defer { file.unlock() }
        // The commit must be on the disk first. Otherwise a power failure could undo it, and the next run would write its lines
        // again.
        try connection.sync()
        try file.pay(pending)
        isPaid = true
    }

    /// Unlocks the file for other runs, after a rollback.
    package func abandonCommit() { file.unlock() }

    /// Writes the lines that have waited for the end of the run.
    package func writeWaiting() throws(IngestError) {
        guard var lines = waiting else { return }
        try file.append(&lines)
        waiting = lines
    }

    /// Waits until the file is on the disk.
    package func sync() throws(IngestError) { if file.isRegular { try file.sync() } }

    /// Deletes the stored lines of this run's last transaction, once they are written.
    package func forgetPending(_ transaction: any SinkTransaction) throws {
        guard pending != nil, isPaid else { return }
        try transaction.ledger.setPendingRejects(nil, of: owner, to: file.identity)
        pending = nil
    }
}
