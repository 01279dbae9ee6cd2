// Reads feeds and writes one feed in another form. A first pass over all files finds the columns of CSV, TSV and Arrow. A pipe
// can be read only once: its first records decide, and later keys without a column are reported.

#if CommandLine
internal import SluiceArrow
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// Converts feeds into another form.
struct Convert {
    /// The form of the output.
    enum Form: String, CaseIterable {
        case ndjson, json, csv, tsv, arrow

        var delimited: DelimitedText? {
            switch self {
            case .ndjson, .json, .arrow: nil
            case .csv: .csv
            case .tsv: .tsv
            }
        }

        /// Whether all records have the same columns.
        var hasColumns: Bool { self != .ndjson && self != .json }
    }

    /// How Arrow's buffers are compressed. These are the library's choices; a build without compression has only `none`.
    enum BufferCompression: String, CaseIterable {
        case none, zstd
    }

    /// What to convert, and how.
    struct Options {
        var form = Form.ndjson
        var feed = FeedReading()
        /// The columns; empty if they are to be inferred.
        var columns: [Column] = []
        /// Stop after this many records; nil is no limit.
        var limit: Int?
        /// How many threads read records.
        var workers = 1
        /// How many records of a pipe are sampled to infer columns.
        var sample = 1_000
        /// How Arrow's buffers are compressed.
        var arrowCompression = ArrowCompression.none
    }

    /// The result of a conversion.
    struct Report {
        var records = 0
        var rejected = 0
        /// The errors of the first rejected records, with the name of their input if there are several.
        var errors: [String] = []
        /// The keys that have no column because they came after the first records: the path, and the number of values.
        var unknownKeys: [(path: String, count: Int)] = []
        /// Paths of `--columns`, `--where` and `--sensitive` that no record has had.
        var unseenPaths: [UnseenPath] = []

        mutating func reject(_ error: JSONError, in name: String?) {
            rejected += 1
            if errors.count < 5 { errors.append((name.map { "\($0): " } ?? "") + error.description) }
        }
    }

    let options: Options
    let interruption: Interruption
    var report = Report()
    var sink: any ByteSink
    private var buffer: [UInt8] = []
    /// Which paths of `--sensitive` the records have; nil if there are none.
    private let sightings: PathSightings?
    /// The name of the input that is being read, if there are several.
    var inputName: String?

    init(_ options: Options, to sink: any ByteSink, interruption: Interruption = Interruption()) {
        self.options = options
        self.sink = sink
        self.interruption = interruption
        let sensitive = options.feed.sensitive
        sightings = sensitive.isEmpty ? nil : PathSightings(of: sensitive)
    }

    /// Converts files, or standard input for `-`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`, or ``IngestError`` if no columns can be found.
    mutating func run(inputs: [String]) throws {
        if let delimited = options.form.delimited {
            try writeDelimited(inputs, delimited)
        } else if options.form == .arrow {
            try writeArrow(inputs)
        } else {
            try writeJSON(inputs)
        }
        report.unseenPaths += options.feed.filter?.sightings.unseenPaths ?? []
        if interruption.received == 0 { report.unseenPaths += sightings?.unseenPaths ?? [] }
        try flush()
    }

    // MARK: JSON

    private mutating func writeJSON(_ inputs: [String]) throws(JSONError) {
        let (isArray, hidesText) = (options.form == .json, options.feed.hidesText)
        if isArray { buffer.append(UInt8(ascii: "[")) }
        for name in inputs {
            inputName = inputs.count > 1 ? name : nil
            try pass.run(IngestInput(name), limit: rest) {
                CompactRecords(isArray: isArray, hidesText: hidesText)
            } deliver: { text, count, errors throws(JSONError) in
                // Each record of an array begins with a comma, which the first one does not need.
                let isFirst = isArray && report.records == 0
                note(count, errors)
                try write(isFirst ? text.dropFirst() : text[...])
            }
        }
        if isArray { buffer.append(contentsOf: "\n]\n".utf8) }
    }

    // MARK: Delimited text

    private mutating func writeDelimited(_ names: [String], _ form: DelimitedText) throws {
        var inputs: [IngestInput?] = Array(repeating: nil, count: names.count)
        var columns = options.columns
        if columns.isEmpty {
            let inference = try inferred(names, &inputs)
            columns = try inference.columns()
            guard try hasColumns(columns, inference) else { return }
        }
        let (chosen, hidesText) = (columns, options.feed.hidesText)
        buffer += DelimitedRecords.header(chosen, form)
        var unknownKeys = UnknownKeys(keptKeys: .max)
        var unseen = Set(chosen.indices)
        var firstRecords: [ColumnInference] = []
        for (index, name) in names.enumerated() {
            inputName = names.count > 1 ? name : nil
            var last: ColumnInference?
            try pass.run(inputs[index] ?? IngestInput(name), limit: rest) {
                DelimitedRecords(chosen, form, hidesText: hidesText)
            } deliver: { part, count, errors throws(JSONError) in
                note(count, errors)
                for key in part.unknownKeys { unknownKeys.note(key.path, count: key.count, at: "") }
                unseen.formIntersection(part.unseen)
                last = last ?? part.firstRecords
                try write(part.text[...])
            }
            if let last { firstRecords.append(last) }
        }
        // With chosen columns, the user has left out the other keys, so they are not reported.
        if options.columns.isEmpty {
            report.unknownKeys = unknownKeys.keys.map { ($0.path, $0.count) }
        } else if report.records > 0, interruption.received == 0 {
            let paths = firstRecords.flatMap(\.paths)
            report.unseenPaths = unseen.sorted().map {
                UnseenPath(chosen[$0].keys[0].components, reader: .column(chosen[$0].name), among: paths)
            }
        }
    }

    /// Infers columns from the records of all inputs. Inputs that can be read only once stay open, and the bytes read from them
    /// are kept.
    mutating func inferred(_ names: [String], _ inputs: inout [IngestInput?]) throws(JSONError) -> ColumnInference {
        var inference = ColumnInference()
        for (index, name) in names.enumerated() { inputs[index] = try sampled(name, &inference) }
        return inference
    }

    /// Whether there are columns; false if a signal ended the search.
    ///
    /// - Throws: ``IngestError`` if there are none, and no signal came.
    func hasColumns(_ columns: [Column], _ inference: ColumnInference) throws(IngestError) -> Bool {
        if !columns.isEmpty { return true }
        if interruption.received != 0 { return false }
        throw IngestError.noColumns("no columns: no record is an object with a key\(inference.rowsHint)")
    }

    /// Samples all records of a file, or the first records of a pipe. Returns the pipe, whose bytes are kept; nil for a file,
    /// which can be read again.
    private mutating func sampled(_ name: String, _ inference: inout ColumnInference) throws(JSONError) -> IngestInput? {
        let open = try CommandInput(path: name, interruption: interruption)
        if open.size != nil, name != "-" {
            try pass.observe(IngestInput(name), limit: options.limit, into: inference.shapes) { _, _ in }
            return nil
        }
        let source = ReplayableSource(open.source, recordingLimit: Convert.recordingLimit)
        let input = IngestInput.source(AnyByteSource(source: source, input: open), totalBytes: nil)
        let limit = min(options.sample, options.limit ?? .max)
        // The rest of the pipe stays where it is, so a single thread reads.
        try pass.observe(input, limit: limit, into: inference.shapes) { _, _ in }
        source.rewind()
        return input
    }

    /// How many bytes of a pipe are kept while columns are inferred.
    private static let recordingLimit = 64 << 20

    // MARK: Records and bytes

    /// A way through the records of an input.
    var pass: RecordPass {
        RecordPass(
            feed: options.feed, reading: JSONReader.Options(validation: .full), workers: options.workers,
            interruption: interruption, sightings: sightings)
    }

    /// How many records may still be written; nil is no limit.
    var rest: Int? { options.limit.map { $0 - report.records } }

    /// Counts records that were read, and those between them that could not be.
    mutating func note(_ count: Int, _ errors: [JSONError]) {
        report.records += count
        for error in errors { report.reject(error, in: inputName) }
    }

    /// Writes a part of the output; short parts wait until there are more.
    private mutating func write(_ text: ArraySlice<UInt8>) throws(JSONError) {
        buffer.append(contentsOf: text)
        try flushIfFull()
    }

    private mutating func flushIfFull() throws(JSONError) {
        if buffer.count >= 64 << 10 { try flush() }
    }

    private mutating func flush() throws(JSONError) {
        var failure: JSONError?
        var sink = sink
        unsafe buffer.withUnsafeBytes { bytes in
            do throws(JSONError) { try unsafe sink.write(bytes) } catch { failure = error }
        }
        self.sink = sink
        buffer.removeAll(keepingCapacity: true)
        if let failure { throw failure }
    }
}
#endif
