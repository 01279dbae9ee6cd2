// Stores rejected records, in the same transaction as the rows around them: in a table of the same database, or as lines that the
// transaction owes an NDJSON file. The columns are those of DuckDB's `reject_errors`.

#if CommandLine
internal import Foundation
internal import SluiceCore

/// A record that was rejected, with the reason.
struct RejectedRecord {
    let file: String
    /// The position of the record's first byte.
    let record: SourcePosition
    /// The position of the error.
    let place: SourcePosition
    let column: String
    let kind: String
    /// The text of the record; empty if it is not available.
    let text: String
    let reason: String
}

/// The table or file that rejected records are written to.
final class RejectedRecords {
    private enum Target {
        case table(String)
        case file(RejectsFile)
    }

    private let name: String
    private let run: RunIdentity
    private var target: Target?
    /// What the last transaction owes the file, and whether that has been written.
    private var pendingRejects: RejectsFile.PendingRejects?
    private var isPaid = true
    /// Whether the lines are stored as pending rejects. Otherwise they are written before the commit: to a pipe or device, which cannot
    /// be compared with them; and if no input has a checkpoint, so that no run is taken up.
    private var keepsPendingRejects = false

    /// Whether a name stands for a file, not a table.
    static func isFile(_ name: String) -> Bool { name.contains("/") || name.contains(".") }

    init(_ name: String, of run: RunIdentity) {
        self.name = name
        self.run = run
    }

    /// Writes to the file what killed runs owe it.
    ///
    /// - Throws: ``CommandError``.
    static func settle(_ name: String, _ connection: any SinkConnection) throws {
        let identity = RejectsFile.identity(of: name)
        guard isFile(name), try connection.hasPendingRejects(to: identity) else { return }
        let file = try RejectsFile(path: name)
        // A transaction that is lost in a power failure must not have lines in the file.
        try connection.sync()
        // Every run takes the database first and then the file, so that no two wait for each other.
        try connection.transaction { transaction in
            file.lock()
            defer { file.unlock() }
            for kept in try transaction.pendingRejects(to: identity) {
                try file.pay(kept.pendingRejects)
                try transaction.setPendingRejects(nil, to: identity, of: kept.owner)
            }
        }
    }

    /// Opens the file, if it is one; before the database is changed, so that an error leaves all as it was.
    ///
    /// All lines in the file stay, also with `--restart`, `--drop` and `--truncate`: the file may be shared, and its lines say
    /// what was rejected when. A record that is read again and rejected again gets another line.
    ///
    /// - Parameter isResumable: Whether an input has checkpoints.
    /// - Throws: ``CommandError/output(_:)``.
    func open(isResumable: Bool) throws(CommandError) {
        guard RejectedRecords.isFile(name) else { return target = .table(name) }
        let file = try RejectsFile(path: name)
        keepsPendingRejects = file.isRegular && isResumable
        target = .file(file)
    }

    // MARK: Transactions

    /// Makes rejections part of a transaction, which is committed next. From here to ``endCommit(_:)``, no other run writes to the
    /// file.
    ///
    /// - Parameter unwanted: Rejections to remove first, because their records have been read again.
    /// - Throws: ``CommandError`` or what the sink throws.
    func store(_ records: [RejectedRecord], removing unwanted: [StoredCheckpoint.CutOff], _ transaction: any SinkTransaction) throws {
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
            try transaction.setPendingRejects(pending, to: file.identity, of: run.id)
            (pendingRejects, isPaid) = (pending, false)
        }
    }

    /// Writes to the file what the transaction, now committed, owes it.
    ///
    /// - Throws: ``CommandError``; the next run then writes the lines.
    func endCommit(_ connection: any SinkConnection) throws {
        guard case .file(let file) = target, let pendingRejects, !isPaid else { return }
        defer { file.unlock() }
        // If a power failure could take the transaction back, the next run would reject its records once more.
        try connection.sync()
        try file.pay(pendingRejects)
        isPaid = true
    }

    /// Lets other runs write to the file, when the transaction was rolled back.
    func abandonCommit() {
        if case .file(let file) = target { file.unlock() }
    }

    /// Waits until the file is on the disk.
    func sync() throws(CommandError) {
        if case .file(let file) = target, file.isRegular { try file.sync() }
    }

    /// Forgets the pending rejects of this run's last transaction.
    func forgetPendingRejects(_ transaction: any SinkTransaction) throws {
        guard case .file(let file) = target, pendingRejects != nil, isPaid else { return }
        try transaction.setPendingRejects(nil, to: file.identity, of: run.id)
        pendingRejects = nil
    }

    // MARK: Lines

    /// The lines of the file that are to be removed.
    private func unwantedLines(of file: RejectsFile, _ unwanted: [StoredCheckpoint.CutOff]) throws -> [RejectsFile.Line] {
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
                return cutOff.records.contains(StoredCheckpoint.CutOff.Record(offset: offset, kind: kind))
            }
        }
    }
}

extension RejectedRecord {
    /// The most bytes of a rejected record that are kept.
    static let keptBytes = 1 << 20

    init(_ error: JSONError, _ bytes: UnsafeRawBufferPointer?, at record: SourcePosition, of file: String) {
        unsafe self.init(
            file: file, record: record, place: error.position, column: error.path, kind: "\(error.kind)",
            text: bytes.map { unsafe String(decoding: $0.prefix(RejectedRecord.keptBytes), as: UTF8.self) } ?? "",
            reason: error.description)
    }

    init(constraint reason: String, _ bytes: UnsafeRawBufferPointer, at record: SourcePosition, of file: String) {
        unsafe self.init(
            file: file, record: record, place: record, column: "", kind: "constraint",
            text: String(decoding: bytes.prefix(RejectedRecord.keptBytes), as: UTF8.self), reason: reason)
    }

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
#endif
