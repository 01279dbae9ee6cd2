// Rejected records that are read again, after somebody has repaired them or the table that refused them.
//
// The texts of the records from one file become one feed. It is a JSON text sequence (RFC 7464), so a text that is still damaged
// does not affect the next one. A rejection is removed in the transaction that stores its row. So a replay that is killed and run
// again stores each record once. A record that is rejected again keeps its position in its file. The rejection of a record that is left out,
// by a contract or a condition, stays as it is.
//
// Each rejection is a record of its own. Its file name, position and kind of error do not identify it: a pipe is read every day, folders
// have files of the same name, and databases share a file of rejects. So a rejection is found again by its row or line.

package import SluiceCore

/// The records of some rejections.
package struct Replay: Sendable {
    /// A rejection as it stands in the table or file of rejects.
    package struct Rejection: Hashable, Sendable {
        package let file: String
        package let line: Int
        package let offset: Int
        package let kind: String
        /// The text of the record; nil if it was not kept.
        package var text: String?
        /// Where the rejection is.
        package let source: Source

        /// The row or line of a rejection.
        package enum Source: Hashable, Sendable {
            /// A row of a table, as the sink identifies it, with its text: another row may get that identity.
            case row(String, text: String?)
            case line(RejectsFile.Line)
        }

        /// Whether its text is no record that can be stored by itself.
        fileprivate var isPart: Bool { RejectedRecord.isPart(kind) }
        /// Whether an ingest reads its record again when the input has grown.
        fileprivate var isUnfinished: Bool { RejectedRecord.isUnfinished(kind) }

        package init(file: String, line: Int, offset: Int, kind: String, text: String?, at source: Source) {
            (self.file, self.line, self.offset, self.kind, self.text) = (file, line, offset, kind, text)
            self.source = source
        }

        /// Whether its text can be read again.
        fileprivate var isReadable: Bool {
            guard let text, !isPart, !isUnfinished else { return false }
            return text.utf8.contains { $0 > 0x20 } && !text.utf8.contains(Replay.separator)
        }
    }

    /// A record that is read again.
    private struct Entry {
        let rejection: Rejection
        let text: String
        /// Where its text begins in the feed of the replay.
        let start: Int

        var line: Int { rejection.line }
        var offset: Int { rejection.offset }
        /// Where the next text begins.
        var end: Int { start + text.utf8.count + 2 }
    }

    private let files: [String]
    private let entries: [String: [Entry]]
    /// How many rejections stay as they are, because they have no text that can be read again.
    package let withoutText: Int
    /// How many rejections stay as they are, because their texts are no records by themselves.
    package let parts: Int
    /// How many rejections stay as they are, because an ingest reads their records again when the inputs have grown.
    package let unfinished: Int
    /// How many records are read.
    package let count: Int

    fileprivate static let separator: UInt8 = 0x1E

    package init(_ rejections: [Rejection]) {
        var (files, entries) = ([String](), [String: [Entry]]())
        for rejection in rejections where rejection.isReadable {
            guard let text = rejection.text else { continue }
            if entries[rejection.file] == nil { files.append(rejection.file) }
            let start = entries[rejection.file]?.last?.end ?? 0
            entries[rejection.file, default: []].append(Entry(rejection: rejection, text: text, start: start))
        }
        (self.files, self.entries) = (files, entries)
        parts = rejections.count { $0.isPart }
        unfinished = rejections.count { $0.isUnfinished }
        withoutText = rejections.count { !$0.isReadable && !$0.isPart && !$0.isUnfinished }
        count = entries.values.reduce(0) { $0 + $1.count }
    }

    /// The feeds, one for each file.
    package var inputs: [IngestInput] {
        files.map { file in
            var bytes: [UInt8] = []
            for entry in entries[file, default: []] {
                bytes += [Replay.separator] + Array(entry.text.utf8) + [UInt8(ascii: "\n")]
            }
            // The last text ends here, too. Otherwise the feed would end in a text that is not closed: a record that may grow is not
            // passed, and its rejection would not be settled.
            bytes.append(Replay.separator)
            return .source(ReplayedText(source: BytesSource(bytes), name: file), totalBytes: bytes.count)
        }
    }

    /// The rejections of records that have been read again.
    ///
    /// - Parameters:
    ///   - records: The numbers of the records in the feed of the file.
    ///   - leftOut: The numbers of those that were neither stored nor rejected, whose rejections stay.
    package func settled(_ file: String, _ records: Range<Int>, except leftOut: Set<Int> = []) -> [Rejection] {
        guard let entries = entries[file] else { return [] }
        return records.clamped(to: entries.indices).filter { !leftOut.contains($0) }.map { entries[$0].rejection }
    }

    /// A rejection with the position of the record in its own file. The line of the error is counted from the line where the record
    /// begins.
    package func restored(_ record: RejectedRecord) -> RejectedRecord {
        guard let entry = entry(in: record.file, at: record.record.offset) else { return record }
        let position = position(record.position, of: entry, record.record)
        return RejectedRecord(
            file: record.file, record: SourcePosition(offset: entry.offset, line: entry.line, column: 1), position: position,
            column: record.column, kind: record.kind, text: record.text,
            reason: Replay.text(record.reason, at: position, not: record.position))
    }

    /// A reason for the report, with the position of the error in the record's own file.
    package func restored(_ reason: String, of record: RejectedRecord) -> String {
        entry(in: record.file, at: record.record.offset).map {
            Replay.text(reason, at: position(record.position, of: $0, record.record), not: record.position)
        } ?? reason
    }

    /// The position of a record in its own file.
    ///
    /// - Parameter position: Its position in the feed of the file.
    package func restored(_ position: SourcePosition, in file: String) -> SourcePosition {
        entry(in: file, at: position.offset).map { SourcePosition(offset: $0.offset, line: $0.line, column: 1) } ?? position
    }

    /// The entry of a record: the last one that begins at its position in the feed, or before.
    private func entry(in file: String, at offset: Int) -> Entry? {
        guard let entries = entries[file] else { return nil }
        var range = entries.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                entries[middle].start <= offset
                ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound > 0 ? entries[range.lowerBound - 1] : nil
    }

    private func position(_ position: SourcePosition, of entry: Entry, _ record: SourcePosition) -> SourcePosition {
        // In the feed, each text begins on a line of its own, after the separator.
        let isFirstLine = position.line == record.line
        return SourcePosition(
            offset: entry.offset + position.offset - entry.start - 1, line: entry.line + position.line - record.line,
            column: isFirstLine ? position.column - 1 : position.column)
    }

    private static func text(_ reason: String, at position: SourcePosition, not made: SourcePosition) -> String {
        func words(_ position: SourcePosition) -> String {
            "line \(position.line), column \(position.column), byte \(position.offset)"
        }
        return reason.replacing(words(made), with: words(position), maxReplacements: 1)
    }
}

/// The texts of a file's records, under the name of the file.
private struct ReplayedText: ByteSource {
    var source: BytesSource
    let name: String

    mutating func read(into output: inout OutputRawSpan) {
        source.read(into: &output)
    }
}

/// A sink that can read its tables of rejected records.
package protocol RejectionSource: RecordSink {
    /// The rejections in a table.
    ///
    /// - Throws: ``IngestError/database(_:)``.
    func rejections(in table: String) throws -> [Replay.Rejection]
}

/// The ledger of a sink that can read its tables of rejected records.
package protocol RejectionLedger: SinkLedger {
    /// Removes rejections from a table, because this transaction stores their records, or rejects them again.
    ///
    /// - Returns: How many of them were still there as they were read. If some were not, another run has removed them, or somebody
    ///   has changed them, and the replay ends with an error.
    func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int
}

extension Replay {
    /// The rejections in a file. The lines that killed runs have left unwritten are written first.
    ///
    /// - Throws: ``IngestError``.
    package static func rejections(inFile path: String, _ sink: any RecordSink) throws -> [Rejection] {
        guard IngestInput.isRegularFile(path) else { throw IngestError.input("cannot read the rejects \(path): it is no file") }
        let identity = RunIdentity.new()
        defer { identity.end() }
        let connection = try sink.connect(SinkRun(identity: identity))
        try RejectedRecords.settle(.file(path: path), connection)
        try connection.close(isComplete: true)
        let file = try RejectsFile(path: path)
        // An editor may have removed the last line break, but only whole lines can be removed. This appends it.
        try file.append([])
        return try file.lines { line in line.contains { $0 > 0x20 } }.map { line in
            do throws(JSONError) {
                return Rejection(try JSONValue(json: line.text), at: line)
            } catch {
                throw IngestError.input("the rejects \(path), byte \(line.start): \(error.summary)")
            }
        }
    }
}

extension Replay.Rejection {
    /// A line of the file of rejects.
    fileprivate init(_ value: JSONValue, at line: RejectsFile.Line) {
        self.init(
            file: value["file"]?.string ?? "", line: value["line"]?.int ?? 1, offset: value["line_byte_position"]?.int ?? 0,
            kind: value["error_type"]?.string ?? "", text: value["json_line"]?.string, at: .line(line))
    }
}
