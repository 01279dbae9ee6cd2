// How far each input of each table has been read, found in the ledger of a database without a run.

internal import SluiceCore
internal import SluiceFeed

/// How far an input has been read into a table.
package struct InputStatus: Sendable {
    package let table: String
    /// The path of the file, with the range if it is one of a range. Of a text of a rotated log, it is the file that had it at the last look.
    package let input: String
    /// How many bytes of its text have been read, and at which line the next record begins, counted from 1.
    package let bytes: Int
    package let line: Int
    package let records: Int
    package let rejected: Int
    /// Whether it has been read to its end.
    package let isComplete: Bool
    /// What the file has after that, now.
    package let rest: FileRest
    /// When the last batch of its records was committed; nil if an earlier version has done it, or if there was none.
    package let time: String?
    /// The run that has read it last; nil if that is unknown.
    package let run: RunIdentity?
    /// Whether that run still reads it.
    package let state: RunIdentity.State

    private init(_ entry: SinkCheckpoint, _ sink: any DatabaseSink, seenFrom here: RunIdentity) {
        let checkpoint = entry.checkpoint
        (table, run) = (entry.version.table, entry.run)
        (bytes, line) = (checkpoint?.offset ?? 0, checkpoint?.feed.line ?? 1)
        (records, rejected) = (checkpoint?.recordCount ?? 0, checkpoint?.rejected ?? 0)
        isComplete = checkpoint?.isComplete ?? false
        if let evidence = checkpoint?.evidence {
            // A text of a rotated log: what identifies it is a number.
            input = evidence.file.path
            let isThere = evidence.missingSince == nil
            rest = isThere ? FileRest(of: input, as: evidence.file, after: evidence.readBytes(isComplete: isComplete)) : .gone
        } else {
            let (path, range) = IngestInput.fileAndRange(ofIdentity: entry.input)
            input = path + (range.map { "[\($0.text)]" } ?? "")
            var read: Int? = range?.lowerBound ?? 0
            if let checkpoint { read = checkpoint.feed.readBytes(isComplete: isComplete) }
            rest = FileRest(of: path, range: range, after: read)
        }
        time = checkpoint?.time
        let isHeld = entry.isHeld
        state = !isHeld ? .ended : sink.knowsHolders ? .running : entry.run?.state(seenFrom: here) ?? .unknown
    }

    /// Looks at the inputs of a database.
    ///
    /// - Parameter table: The table whose inputs are looked at; nil for all tables.
    /// - Throws: ``IngestError``; ``IngestError/usage(_:)`` if no ingest has read an input into the table.
    package static func list(_ sink: any DatabaseSink, table: String? = nil) throws -> [InputStatus] {
        let here = RunIdentity.new()
        defer { here.end() }
        var entries = try sink.checkpoints()
        if let table {
            let tables = Set(entries.map(\.version.table)).sorted()
            // SQLite ignores the case of names.
            let name = tables.first { $0 == table } ?? tables.first { ColumnName.areEqual($0, table) }
            guard let name else {
                let meant = KeyLikeness.closest(to: table, among: tables).map { "; did you mean \($0)?" }
                throw IngestError.usage(
                    "no input was read into a table \(table) of \(sink.destination)\(meant ?? others(tables))")
            }
            entries.removeAll { $0.version.table != name }
        }
        return entries.map { InputStatus($0, sink, seenFrom: here) }
    }

    private static func others(_ tables: [String]) -> String {
        guard !tables.isEmpty else { return "" }
        return "; the tables are \(tables.prefix(10).joined(separator: ", "))\(tables.count > 10 ? " and others" : "")"
    }
}
