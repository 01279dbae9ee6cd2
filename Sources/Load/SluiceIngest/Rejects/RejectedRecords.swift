// Stores rejected records in the transaction of the rows around them. They go into a table of the same database, or into an
// NDJSON file: then the transaction stores the lines, and they are written after the commit. The columns are those of DuckDB's
// `reject_errors`.

internal import Foundation
internal import SluiceCore

/// The table or file that rejected records are written to.
package final class RejectedRecords {
    private enum Target {
        case table(String)
        case file(OwedFile)
    }

    private let wanted: RejectsTarget
    private let run: RunIdentity
    private var target: Target?

    package init(_ wanted: RejectsTarget, of run: RunIdentity) {
        self.wanted = wanted
        self.run = run
    }

    /// The file, if it is one and is open.
    private var file: OwedFile? { if case .file(let file) = target { file } else { nil } }

    /// Checks that an existing table takes rejections, before anything is read. It may have further columns.
    ///
    /// - Throws: ``IngestError``.
    package static func check(_ wanted: RejectsTarget, _ connection: any SinkConnection, of sink: any RecordSink) throws {
        guard case .table(let table) = wanted else { return }
        let columns = try connection.columns(of: table)
        guard columns.isEmpty || Set(columns).isSuperset(of: RejectedRecord.columns) else {
            throw IngestError.database(
                "\(sink.destination) has a table \(table) already that is no table of rejected records; name another one")
        }
    }

    /// Writes the lines that killed runs have left unwritten.
    ///
    /// - Throws: ``IngestError``.
    package static func settle(_ wanted: RejectsTarget, _ connection: any SinkConnection) throws {
        if let path = wanted.path { try OwedFile.settle(path: path, connection) }
    }

    /// Opens the file, if the target is one. Call it before the database is changed, so that an error leaves everything as it
    /// was.
    ///
    /// `--restart`, `--drop` and `--truncate` remove no line from the file: several runs may share it, and its lines say when a
    /// record was rejected. A record that is read again and rejected again gets another line.
    ///
    /// - Parameters:
    ///   - isResumable: Whether an input has checkpoints. If none has one, the run cannot be resumed, and lines are written
    ///     before the commit.
    ///   - isReplay: Whether the rejections are replayed, so that lines are removed.
    ///   - isOfOneFile: Whether the output is a file that is made at the end of the run. Then the lines are written at the end, too.
    /// - Throws: ``IngestError/output(_:)``.
    package func open(isResumable: Bool, isReplay: Bool = false, isOfOneFile: Bool = false) throws(IngestError) {
        guard let path = wanted.path else { return target = .table(wanted.name) }
        target = .file(
            try OwedFile(path: path, owner: run.id, keepsPending: isResumable || isReplay, waits: isOfOneFile))
    }

    // MARK: Transactions

    /// Adds rejections to the open transaction, which must be committed next. From here to ``endCommit(_:)``, no other run writes
    /// to the file.
    ///
    /// - Parameters:
    ///   - unwanted: Rejections to remove first, because their records have been read again.
    ///   - replayed: Rejections to remove first, because this transaction stores their records. If one of them is no longer there,
    ///     another run may have stored its record.
    /// - Returns: How many of the unwanted rejections that earlier runs have kept are not here.
    /// - Throws: ``IngestError`` or what the sink throws.
    package func store(
        _ records: [RejectedRecord], removing unwanted: [CutOffRecords], replayed: [Replay.Rejection],
        _ transaction: any SinkTransaction
    ) throws -> Int {
        let wanted = unwanted.reduce(0) { $0 + $1.keptRecords.count }
        switch target {
        case nil: return 0
        case .table(let table):
            let removed = try unwanted.reduce(0) { try $0 + transaction.ledger.removeRejections($1, from: table) }
            if !replayed.isEmpty {
                guard let ledger = transaction.ledger as? any RejectionLedger else {
                    throw IngestError.usage("rejects are read from a file or from a table of a database")
                }
                if try ledger.settle(replayed, in: table) < replayed.count { throw outrun }
            }
            // The table is made even without a rejection, so a user finds an empty table.
            try transaction.ledger.reject(records, into: table)
            return max(0, wanted - removed)
        case .file(let owed):
            // A pipe or device cannot be searched, so nothing is said about it.
            var missing = 0
            let removals: () throws -> [RejectsFile.Line] = { [self] in
                let lines = try unwantedLines(of: owed.file, unwanted)
                missing = max(0, wanted - lines.count)
                return try lines + replayedLines(of: owed, replayed, transaction)
            }
            let hasRemovals = !unwanted.isEmpty || !replayed.isEmpty
            try owed.owe(records.flatMap { try $0.line }, removing: hasRemovals ? removals : nil, transaction)
            return missing
        }
    }

    private var outrun: IngestError {
        .outrun("the rejects \(wanted.name) were changed by others meanwhile; run this again for those that are left")
    }

    /// Writes the lines of the transaction, which is now committed.
    ///
    /// - Throws: ``IngestError``; the next run then writes the lines.
    package func endCommit(_ connection: any SinkConnection) throws { try file?.endCommit(connection) }

    /// Unlocks the file for other runs, after a rollback.
    package func abandonCommit() { file?.abandonCommit() }

    /// Writes the lines that have waited for the end of the run.
    package func writeWaiting() throws(IngestError) { try file?.writeWaiting() }

    /// Waits until the file is on the disk.
    package func sync() throws(IngestError) { try file?.sync() }

    /// Deletes the stored lines of this run's last transaction, once they are written.
    package func forgetPendingRejects(_ transaction: any SinkTransaction) throws { try file?.forgetPending(transaction) }

    // MARK: Lines

    /// The lines of the file that are to be removed, because their records have been read again.
    private func unwantedLines(of file: RejectsFile, _ unwanted: [CutOffRecords]) throws -> [RejectsFile.Line] {
        guard !unwanted.isEmpty else { return [] }
        // The file may be long, so only lines of these inputs are parsed.
        let beginnings = try unwanted.map { try (["file": .string($0.file)] as JSONValue).jsonBytes().dropLast() }
        var searches = unwanted.map { CutOffSearch($0) }
        return try file.lines { line in
            // Blanks in front of a line are what is left of removed lines.
            let text = line.drop { $0 == UInt8(ascii: " ") }
            guard beginnings.contains(where: { text.starts(with: $0) }), let found = RejectedRecord(line: line) else {
                return false
            }
            return searches.indices.contains { searches[$0].take(found) }
        }
    }

    /// The lines of rejections whose records this transaction stores. The file is locked.
    ///
    /// - Throws: ``IngestError/outrun(_:)`` if a line is gone, or if a committed transaction of another run removes it.
    private func replayedLines(
        of owed: OwedFile, _ replayed: [Replay.Rejection], _ transaction: any SinkTransaction
    ) throws -> [RejectsFile.Line] {
        var found: [RejectsFile.Line] = []
        var moved: [[UInt8]: Int] = [:]
        for rejection in replayed {
            guard case .line(let line) = rejection.source else { throw outrun }
            if try owed.file.contains(line) { found.append(line) } else { moved[line.withoutBlanks.text, default: 0] += 1 }
        }
        if !moved.isEmpty {
            // Somebody has rewritten the file. Equal lines are equal records, so it does not matter which of them is removed.
            let taken = Set(found.map(\.withoutBlanks))
            for line in try owed.file.lines({ _ in true }) where !taken.contains(line.withoutBlanks) {
                guard let count = moved[line.withoutBlanks.text], count > 0 else { continue }
                moved[line.withoutBlanks.text] = count - 1
                found.append(line)
            }
        }
        guard found.count == replayed.count,
            try owed.othersRemovals(transaction).isDisjoint(with: found.map(\.withoutBlanks))
        else { throw outrun }
        return found.sorted { $0.start < $1.start }
    }
}

extension RejectedRecord {
    /// - Returns: nil if the line is no rejection.
    fileprivate init?(line: [UInt8]) {
        guard let text = String(validating: line, as: UTF8.self), let value = try? JSONValue(json: text),
            let file = value["file"]?.string, let offset = value["line_byte_position"]?.int,
            let kind = value["error_type"]?.string
        else { return nil }
        self.init(
            file: file, record: SourcePosition(offset: offset, line: value["line"]?.int ?? 1, column: 1),
            position: SourcePosition(offset: value["byte_position"]?.int ?? 0, line: 1, column: 1),
            column: value["column_name"]?.string ?? "", kind: kind, text: value["json_line"]?.string ?? "",
            reason: value["error_message"]?.string ?? "")
    }

    /// The record as a line of NDJSON.
    fileprivate var line: [UInt8] {
        get throws {
            func text(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
            let value: JSONValue = [
                "file": .string(file), "line": .number(JSONNumber(record.line)),
                "line_byte_position": .number(JSONNumber(record.offset)),
                "byte_position": .number(JSONNumber(position.offset)), "column_name": text(column),
                "error_type": .string(kind), "json_line": text(self.text), "error_message": .string(reason),
            ]
            return try value.jsonBytes() + [UInt8(ascii: "\n")]
        }
    }
}
