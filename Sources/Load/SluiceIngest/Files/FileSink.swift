// Files as sinks: rows become lines of JSON, CSV or TSV.
//
//     records as they are written       no option asks for columns: NDJSON and JSON copy the records
//     columns without types             CSV and TSV, from the bytes of the records, so that numbers keep their digits
//     cells                             where columns are declared with types, or other options need them

package import SluiceCore

/// Writes the rows of an ingest into a file.
///
/// ```swift
/// try await Ingest(["events.ndjson.gz"], into: FileSink(path: "events.csv", .csv)).run()
/// ```
///
/// The rows are written to a temporary file, which takes its name when the ingest is complete. Until then, and if the ingest
/// fails or is interrupted, the old file stays. A name that ends in `.gz` or `.zst` makes a compressed file. A file has no
/// checkpoints: each ingest reads its inputs from the start.
public struct FileSink: RecordSink {
    /// The form of a file.
    public enum Form: String, CaseIterable, Sendable {
        /// One record a line. Without an option that asks for columns, records are copied as they are written; otherwise each line
        /// is an object with a member for each column.
        case ndjson
        /// The same as one array.
        case json
        /// RFC 4180: a line of the columns' names, then a line for each record.
        case csv
        /// The same with tabs between the fields; tabs, line breaks and backslashes in values stand as `\t`, `\n`, `\r` and `\\`.
        case tsv

        var delimited: DelimitedText? {
            switch self {
            case .ndjson, .json: nil
            case .csv: .csv
            case .tsv: .tsv
            }
        }
    }

    let path: String
    let form: Form

    /// - Parameters:
    ///   - path: Where the file is; `-` is standard output, which is written at once, as pipes and devices are.
    ///   - form: The form of the file.
    public init(path: String, _ form: Form) {
        self.path = path
        self.form = form
    }

    public var destination: String { OutputFile.name(of: path) }
    public var files: [String] { [path] }
    /// A part of a file costs little to write, and a small one is still in the processor's cache when it is written.
    public var batchSize: Int { 256 << 10 }
    /// The line of names is written first and cannot be changed later. So CSV and TSV take no late columns.
    public var abilities: SinkAbilities { form.delimited == nil ? [.lateColumns] : [] }

    public func connect(_ run: SinkRun) throws -> any SinkConnection {
        try OutputFile.check(path)
        return FileConnection(self, run)
    }
}

extension FileSink: TextSink {
    package func textForm(columns: [JSONColumn], needsCells: Bool, needsColumns: Bool) -> RecordTextForm? {
        guard !needsCells else { return nil }
        guard let delimited = form.delimited else {
            let isArray = form == .json
            guard columns.isEmpty, !needsColumns else { return nil }
            return RecordTextForm(hasColumns: false) { CompactRecords(isArray: isArray, hidesText: $1) }
        }
        guard columns.allSatisfy({ $0.isTolerant && $0.type == .text }) else { return nil }
        return RecordTextForm(hasColumns: true) { DelimitedRecords($0, delimited, hidesText: $1) }
    }
}

/// A file that a run writes.
private final class FileConnection: SinkConnection, SinkTransaction {
    private let sink: FileSink
    private let run: SinkRun
    private var output: OutputFile?
    private var rows: RowWriter
    /// What the open transaction has to write.
    private var buffer: [UInt8] = []

    /// What a transaction changes, so that it can be taken back.
    private struct State {
        var columns: [IngestColumn] = []
        var hasBegun = false
        var hasRecords = false
    }

    private var state = State()

    init(_ sink: FileSink, _ run: SinkRun) {
        self.sink = sink
        self.run = run
        rows = RowWriter(sink.form)
    }

    func contents() -> SinkContents {
        var contents = SinkContents()
        // A file has no types, so each value keeps its own text.
        contents.onlyType = sink.form.delimited == nil ? .json : .text
        // As many as spreadsheets take.
        if sink.form.delimited != nil { contents.mostColumns = 16_384 }
        return contents
    }

    func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
        let before = state
        buffer.removeAll(keepingCapacity: true)
        do {
            try body(self)
        } catch {
            state = before
            throw error
        }
        try write()
    }

    private func write() throws {
        guard !buffer.isEmpty else { return }
        let output = try output ?? OutputFile(path: sink.path)
        self.output = output
        do {
            try unsafe buffer.withUnsafeBytes { try unsafe output.write($0) }
        } catch let error as JSONError {
            throw IngestError.output("\(error.summary)")
        }
        buffer.removeAll(keepingCapacity: true)
    }

    func prepare(_ table: SinkTable) throws -> [String] {
        if state.hasBegun, sink.form.delimited != nil, let late = table.columns.dropFirst(state.columns.count).first {
            throw IngestError.output("\(sink.destination) cannot get the column \(late.name): its line of names is written")
        }
        state.columns = table.columns
        rows.setColumns(state.columns.map(\.name))
        begin()
        return []
    }

    private func begin() {
        guard !state.hasBegun else { return }
        state.hasBegun = true
        rows.begin(state.columns.map(\.name))
        rows.flush(into: &buffer)
    }

    func store(_ batch: RowBatch) throws -> StoredBatch {
        let start = buffer.count
        if batch.isText {
            unsafe batch.forEachText { unsafe buffer.append(contentsOf: $0) }
        } else {
            rows.append(batch, columns: state.columns)
            rows.flush(into: &buffer)
        }
        // Each record of an array begins with a comma, which the first one does not need.
        if sink.form == .json, !state.hasRecords, buffer.count > start { buffer.remove(at: start) }
        state.hasRecords = state.hasRecords || batch.count > 0
        var stored = StoredBatch()
        stored.counts.added = batch.count
        return stored
    }

    func close(isComplete: Bool) throws {
        guard isComplete, !run.isDryRun else {
            output?.abandon()
            return
        }
        buffer.removeAll(keepingCapacity: true)
        begin()
        if sink.form == .json { buffer.append(contentsOf: "\n]\n".utf8) }
        try write()
        // The file of an input without records is empty.
        let output = try output ?? OutputFile(path: sink.path)
        try output.complete()
    }
}
