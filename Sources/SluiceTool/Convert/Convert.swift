// Reads feeds and writes one feed in another form. A first pass over all files finds the columns of CSV, TSV and Arrow. A pipe
// can be read only once: its first records decide, and later keys without a column are reported.

#if CommandLine
internal import SluiceArrow
internal import SluiceCore
internal import SluiceFeed

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
        /// Values of keys that came too late to get a column: the path and the number of values.
        var lost: [(path: String, count: Int)] = []
        /// Paths of `--columns` and `--where` that no record has had.
        var unseenPaths: [UnseenPath] = []

        mutating func reject(_ error: JSONError, in name: String?) {
            rejected += 1
            if errors.count < 5 { errors.append((name.map { "\($0): " } ?? "") + error.description) }
        }
    }

    /// An input that may have been read in part.
    struct Input {
        let open: CommandInput
        let source: any ByteSource
    }

    let options: Options
    let interruption: Interruption
    var report = Report()
    var sink: any ByteSink
    private var buffer: [UInt8] = []
    /// The name of the input that is being read, if there are several.
    var inputName: String?
    var filter: WhereFilter?

    init(_ options: Options, to sink: any ByteSink, interruption: Interruption = Interruption()) {
        self.options = options
        self.sink = sink
        self.interruption = interruption
        filter = options.feed.filter?.makeFilter()
    }

    /// Converts files, or standard input for `-`.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`, or ``CommandError`` if no columns can be found.
    mutating func run(inputs: [String]) throws {
        if let delimited = options.form.delimited {
            try writeDelimited(inputs, delimited)
        } else if options.form == .arrow {
            try writeArrow(inputs)
        } else {
            try writeJSON(inputs)
        }
        report.unseenPaths += options.feed.filter?.sightings.unseenPaths ?? []
        try flush()
    }

    // MARK: JSON

    private mutating func writeJSON(_ inputs: [String]) throws(JSONError) {
        let isArray = options.form == .json
        if isArray { buffer.append(UInt8(ascii: "[")) }
        for name in inputs {
            inputName = inputs.count > 1 ? name : nil
            let input = try CommandInput(path: name, interruption: interruption)
            let feed = try feed(of: RawJSON.self, input)
            while let record = try next(feed, text: { Array($0.text.utf8) }) {
                if isArray { buffer.append(contentsOf: report.records > 1 ? ",\n".utf8 : "\n".utf8) }
                Convert.appendCompact(record.text, to: &buffer)
                if !isArray { buffer.append(UInt8(ascii: "\n")) }
                try flushIfFull()
            }
        }
        if isArray { buffer.append(contentsOf: "\n]\n".utf8) }
    }

    /// Appends a record on one line: drops the white space between its tokens, and copies all other bytes.
    static func appendCompact(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { unsafe TextLayout.appendCompact(UnsafeRawBufferPointer($0), to: &bytes) }
    }

    // MARK: Delimited text

    private mutating func writeDelimited(_ names: [String], _ form: DelimitedText) throws {
        var inputs: [Input?] = Array(repeating: nil, count: names.count)
        var columns = options.columns
        if columns.isEmpty {
            let inference = try inferred(names, &inputs)
            columns = try inference.columns()
            guard try hasColumns(columns, inference) else { return }
        }
        var flat = FlatRecord(columns: columns)
        form.append(flat.names, to: &buffer)
        for (index, name) in names.enumerated() {
            inputName = names.count > 1 ? name : nil
            let open = try inputs[index]?.open ?? CommandInput(path: name, interruption: interruption)
            let feed = try feed(of: JSONValue.self, open, inputs[index]?.source)
            try withExtendedLifetime(open) {
                while let record = try next(feed, text: Convert.text(of:)) {
                    try flat.read(record)
                    form.append(flat.fields, to: &buffer)
                    try flushIfFull()
                }
            }
        }
        // With chosen columns, the user has left out the other keys, so they are not reported.
        if options.columns.isEmpty { report.lost = flat.lost } else { report.unseenPaths = flat.unseenPaths(of: columns) }
    }

    /// Infers columns from the records of all inputs. Inputs that can be read only once stay open, and the bytes read from them
    /// are kept.
    mutating func inferred(_ names: [String], _ inputs: inout [Input?]) throws(JSONError) -> ColumnInference {
        var inference = ColumnInference()
        for (index, name) in names.enumerated() { inputs[index] = try sampled(name, &inference) }
        return inference
    }

    /// Whether there are columns; false if a signal ended the search.
    ///
    /// - Throws: ``CommandError`` if there are none, and no signal came.
    func hasColumns(_ columns: [Column], _ inference: ColumnInference) throws(CommandError) -> Bool {
        if !columns.isEmpty { return true }
        if interruption.received != 0 { return false }
        throw CommandError.noColumns("no columns: no record is an object with a key\(inference.rowsHint)")
    }

    /// Samples all records of a file, or the first records of a pipe. Returns the pipe, whose bytes are kept; nil for a file,
    /// which can be read again.
    private mutating func sampled(_ name: String, _ inference: inout ColumnInference) throws(JSONError) -> Input? {
        let open = try CommandInput(path: name, interruption: interruption)
        let isFile = open.size != nil && name != "-"
        let source = ReplayableSource(open.source, recordingLimit: Convert.recordingLimit)
        let feed = try feed(of: JSONValue.self, open, isFile ? nil : source)
        var seen = 0
        while isFile || seen < options.sample {
            if let limit = options.limit, seen >= limit { break }
            do throws(JSONError) {
                guard let record = try feed.next(), interruption.received == 0 else { break }
                if !isWanted(record, Convert.text(of:)) { continue }
                inference.observe(record)
            } catch {
                if error.kind == .inputOutput { throw error }
            }
            seen += 1
        }
        source.rewind()
        return isFile ? nil : Input(open: open, source: source)
    }

    /// How many bytes of a pipe are kept while columns are inferred.
    private static let recordingLimit = 64 << 20

    // MARK: Records and bytes

    /// - Parameter source: The source to read instead of the input, if the input is a pipe.
    func feed<Record: JSONReadable>(
        of type: Record.Type, _ input: CommandInput, _ source: (any ByteSource)? = nil
    ) throws(JSONError) -> JSONFeed<Record> {
        let reading = JSONReader.Options(validation: .full)
        guard let source, options.feed.range == nil else { return try input.feed(of: type, options.feed, reading) }
        return JSONFeed(source: source, options: options.feed.options(of: type, reading: reading))
    }

    /// Returns the next record that can be read; nil at the end, after a signal and at the limit.
    ///
    /// - Parameter text: Returns a record as text; called only if there is a `--where` to evaluate.
    private mutating func next<Record>(
        _ feed: JSONFeed<Record>, text: (Record) -> [UInt8]
    ) throws(JSONError) -> Record? {
        while report.records < options.limit ?? .max {
            do throws(JSONError) {
                guard let record = try feed.next(), interruption.received == 0 else { return nil }
                if !isWanted(record, text) { continue }
                report.records += 1
                return record
            } catch {
                if interruption.received != 0 { return nil }
                if error.kind == .inputOutput { throw error }
                report.reject(error, in: inputName)
            }
        }
        return nil
    }

    private mutating func isWanted<Record>(_ record: Record, _ text: (Record) -> [UInt8]) -> Bool {
        guard filter != nil else { return true }
        let bytes = text(record)
        return unsafe bytes.withUnsafeBytes { unsafe filter?.matches($0) } ?? true
    }

    /// A value as text. A value that was read can always be written.
    private static func text(of value: JSONValue) -> [UInt8] { (try? value.jsonBytes()) ?? [] }

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
