// Stores rejected records, in the same transaction as the rows around them: in a table of the same database, or as lines that the
// transaction owes an NDJSON file. The columns are those of DuckDB's `reject_errors`.

internal import Foundation
internal import SluiceCore

/// The table or file that rejected records are written to.
package final class RejectedRecords {
    private enum Target {
        case table(String)
        case file(RejectsFile)
    }

    private let place: RejectsTarget
    private let run: RunIdentity
    private var target: Target?
    /// What the last transaction owes the file, and whether that has been written.
    private var pendingRejects: RejectsFile.Pending?
    private var isPaid = true
    /// Whether the lines are stored as pending rejects. Otherwise they are written before the commit: to a pipe or device, which cannot
    /// be compared with them; and if no input has a checkpoint, so that no run is taken up.
    private var keepsPendingRejects = false

    package init(_ place: RejectsTarget, of run: RunIdentity) {
        self.place = place
        self.run = run
    }

    /// Writes to the file what killed runs owe it.
    ///
    /// - Throws: ``IngestError``.
    package static func settle(_ place: RejectsTarget, _ connection: any SinkConnection) throws {
        guard let path = place.path else { return }
        let identity = RejectsFile.identity(of: path)
        guard try connection.hasPendingRejects(to: identity) else { return }
        let file = try RejectsFile(path: path)
        // A transaction that is lost in a power failure must not have lines in the file.
        try connection.sync()
        // Every run takes the database first and then the file, so that no two wait for each other.
        try connection.transaction { transaction in
            file.lock()
            defer { file.unlock() }
            for kept in try transaction.pendingRejects(to: identity) {
                if let pending = RejectsFile.Pending(text: kept.text) { try file.pay(pending) }
                try transaction.setPendingRejects(nil, of: kept.owner, to: identity)
            }
        }
    }

    /// Opens the file, if it is one; before the database is changed, so that an error leaves all as it was.
    ///
    /// All lines in the file stay, also with `--restart`, `--drop` and `--truncate`: the file may be shared, and its lines say
    /// what was rejected when. A record that is read again and rejected again gets another line.
    ///
    /// - Parameter isResumable: Whether an input has checkpoints.
    /// - Throws: ``IngestError/output(_:)``.
    package func open(isResumable: Bool) throws(IngestError) {
        guard let path = place.path else { return target = .table(place.name) }
        let file = try RejectsFile(path: path)
        keepsPendingRejects = file.isRegular && isResumable
        target = .file(file)
    }

    // MARK: Transactions

    /// Makes rejections part of a transaction, which is committed next. From here to ``endCommit(_:)``, no other run writes to the
    /// file.
    ///
    /// - Parameter unwanted: Rejections to remove first, because their records have been read again.
    /// - Throws: ``IngestError`` or what the sink throws.
    package func store(_ records: [RejectedRecord], removing unwanted: [CutOffRecords], _ transaction: any SinkTransaction) throws
    {
        switch target {
        case nil: break
        case .table(let table):
            for cutOff in unwanted { try transaction.removeRejections(cutOff, from: table) }
            // Without a record, the table is made: whoever looks into it finds that it is empty.
            try transaction.reject(records, into: table)
        case .file(let file):
            let lines = try records.flatMap { try $0.line }
            guard keepsPendingRejects else {
                if !lines.isEmpty { try file.append(lines) }
                return
            }
            let unwanted = file.isRegular ? unwanted : []
            if lines.isEmpty, unwanted.isEmpty { return try forgetPendingRejects(transaction) }
            file.lock()
            let pending = try file.pendingRejects(of: lines, removing: unwantedLines(of: file, unwanted))
            try transaction.setPendingRejects(PendingRejects(owner: run.id, text: pending.text), of: run.id, to: file.identity)
            (pendingRejects, isPaid) = (pending, false)
        }
    }

    /// Writes to the file what the transaction, now committed, owes it.
    ///
    /// - Throws: ``IngestError``; the next run then writes the lines.
    package func endCommit(_ connection: any SinkConnection) throws {
        guard case .file(let file) = target, let pendingRejects, !isPaid else { return }
        defer { file.unlock() }
        // If a power failure could take the transaction back, the next run would reject its records once more.
        try connection.sync()
        try file.pay(pendingRejects)
        isPaid = true
    }

    /// Lets other runs write to the file, when the transaction was rolled back.
    package func abandonCommit() {
        if case .file(let file) = target { file.unlock() }
    }

    /// Waits until the file is on the disk.
    package func sync() throws(IngestError) {
        if case .file(let file) = target, file.isRegular { try file.sync() }
    }

    /// Forgets the pending rejects of this run's last transaction.
    package func forgetPendingRejects(_ transaction: any SinkTransaction) throws {
        guard case .file(let file) = target, pendingRejects != nil, isPaid else { return }
        try transaction.setPendingRejects(nil, of: run.id, to: file.identity)
        pendingRejects = nil
    }

    // MARK: Lines

    /// The lines of the file that are to be removed.
    private func unwantedLines(of file: RejectsFile, _ unwanted: [CutOffRecords]) throws -> [RejectsFile.Line] {
        guard !unwanted.isEmpty else { return [] }
        // The file may be long, so only lines of these inputs are parsed.
        let beginnings = try unwanted.map { try (["file": .string($0.file)] as JSONValue).jsonBytes().dropLast() }
        return try file.lines { line in
            // Lines that were removed in front of this one have become blanks.
            let line = line.drop { $0 == UInt8(ascii: " ") }
            return zip(beginnings, unwanted).contains { beginning, cutOff in
                guard line.starts(with: beginning), let text = String(validating: line, as: UTF8.self),
                    let value = try? JSONValue(json: text), value["file"]?.string == cutOff.file
                else { return false }
                guard let offset = value["line_byte_position"]?.int, let kind = value["error_type"]?.string else { return false }
                return cutOff.records.contains(CutOffRecords.Record(offset: offset, kind: kind))
            }
        }
    }
}

extension RejectedRecord {
    /// The record as a line of NDJSON.
    fileprivate var line: [UInt8] {
        get throws {
            func text(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
            let value: JSONValue = [
                "file": .string(file), "line": .number(JSONNumber(record.line)),
                "line_byte_position": .number(JSONNumber(record.offset)),
                "byte_position": .number(JSONNumber(place.offset)), "column_name": text(column),
                "error_type": .string(kind), "json_line": text(self.text), "error_message": .string(reason),
            ]
            return try value.jsonBytes() + [UInt8(ascii: "\n")]
        }
    }
}
