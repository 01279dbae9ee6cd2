// Reads feeds and writes batches of typed columns, in Arrow's IPC stream format. A first pass over all files finds the columns and their
// types. A pipe can be read only once: its first records decide.

#if CommandLine
internal import SluiceArrow
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// Converts feeds into Arrow's format.
struct ArrowConversion {
    /// How many records a batch has, and how many bytes of them: with these it ends, so that long records do not fill the memory.
    private static let batchSize = 65_536
    private static let batchTextSize = 16 << 20
    /// How many bytes of a pipe are kept while columns are inferred.
    private static let recordingLimit = 64 << 20

    let options: IngestOptions
    let compression: ArrowCompression
    /// Whether columns of texts that are dates become dates.
    let makesDates: Bool
    let interruption: Interruption
    private(set) var report: IngestReport
    private var sink: AnySink
    /// Which sensitive paths the records have; nil if there are none.
    private let sightings: PathSightings?
    /// The name of the input that is being read, if there are several.
    private var inputName: String?

    init(
        _ options: IngestOptions, _ compression: ArrowCompression = .none, makesDates: Bool = false, to sink: any ByteSink,
        destination: String, interruption: Interruption = Interruption()
    ) {
        self.options = options
        self.compression = compression
        self.makesDates = makesDates
        self.interruption = interruption
        self.sink = AnySink(sink: sink)
        report = IngestReport(destination: destination, table: "")
        let sensitive = options.feed.sensitive
        sightings = sensitive.isEmpty ? nil : PathSightings(of: sensitive)
    }

    /// Converts the inputs.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`, or ``IngestError`` if no columns can be found.
    mutating func run(_ given: [IngestInput]) throws {
        var inputs = given
        report.inputs = inputs.count
        let inference = try inferred(&inputs)
        let isGiven = !options.columns.isEmpty
        report.contract = isGiven ? .discardValue : .report
        let found = try typed(isGiven ? options.columns : inference.columns())
        if found.isEmpty {
            if interruption.received != 0 { return report.outcome = .interrupted(interruption.received) }
            throw IngestError.noColumns("no columns: no record is an object with a key\(inference.rowsHint)")
        }
        let columns = options.feed.sensitive.marking(
            found.map { column in
                let path = column.keys[0].components
                guard column.isTolerant else { return column }
                let type = isGiven ? inference.type(at: path) : column.type
                let meaning = makesDates && type == .text ? inference.meaning(at: path) : nil
                return column.with { ($0.type, $0.isTolerant) = (ArrowConversion.type(type, meaning), false) }
            })
        try write(inputs, columns, inference, reportsUnknownKeys: !isGiven)
        report.unseenPaths += options.feed.filter?.sightings.unseenPaths(hiding: options.feed.sensitive) ?? []
        if interruption.received != 0 {
            report.outcome = .interrupted(interruption.received)
        } else {
            report.unseenPaths += sightings?.unseenPaths(hiding: options.feed.sensitive) ?? []
            report.unseenPaths += options.flattening.whole.filter { !inference.mayHaveValue(at: $0) }.map {
                UnseenPath($0, reader: .json, among: inference.paths, hiding: options.feed.sensitive)
            }
        }
    }

    /// The columns with the types that `--type` gives them.
    private func typed(_ columns: [JSONColumn]) throws(IngestError) -> [JSONColumn] {
        try options.types.check(among: columns, hiding: self.options.feed.sensitive)
        return columns.map { options.types.typed($0) ?? $0 }
    }

    /// A time without a zone stays text: Arrow's timestamps are in UTC here.
    private static func type(_ type: ColumnType, _ meaning: ValueForms.Meaning?) -> ColumnType {
        switch meaning {
        case .date: .date
        case .timestamp: .timestamp
        default: type
        }
    }

    private mutating func write(
        _ inputs: [IngestInput], _ columns: [JSONColumn], _ inference: ColumnInference, reportsUnknownKeys: Bool
    ) throws {
        var writer = ArrowStreamWriter(columns: columns, to: sink, compression: compression)
        let (hidesText, sensitive) = (options.feed.hidesText, options.feed.sensitive)
        let isAlone = options.workers ?? 1 == 1
        var rows = ColumnBatchReader(columns: columns)
        let unknownKeys = UnknownKeys(keptKeys: .max)
        var unseen = Set(
            columns.indices.filter { index in
                !inference.paths.contains {
                    $0.elementsEqual(columns[index].keys[0].components) { $0.utf8.elementsEqual($1.utf8) }
                }
            })
        for input in inputs {
            inputName = inputs.count > 1 ? input.name : nil
            // With chosen columns, the user has left out the other keys, so they are not reported.
            let parts = try pass.parts(of: input, limit: options.limit.map { $0 - report.records }) {
                // One thread hands out whole batches, which are not copied.
                let size = isAlone ? (ArrowConversion.batchSize, ArrowConversion.batchTextSize) : (4_096, 4 << 20)
                return ColumnRecords(columns, of: size, reportsUnknownKeys: reportsUnknownKeys, hidesText: hidesText)
            }
            while let part = parts.next() {
                try part.check()
                note(part.count, part.problems.map(\.error))
                for found in part.outputs {
                    report.cutFractions += found.losses.fractions
                    report.cutNumbers += found.losses.digits
                    unknownKeys.add(found.unknownKeys, shown: sensitive.shown) { _ in "" }
                    var first = 0
                    while first < found.rows.rowCount {
                        if rows.isFull(for: found.rows.textSize) {
                            try ArrowConversion.write(rows.takeBatch(), to: &writer, &unseen)
                        }
                        let end = min(found.rows.rowCount, first + ArrowConversion.batchSize - rows.rowCount)
                        rows.append(first..<end, of: found.rows)
                        first = end
                        if rows.rowCount == ArrowConversion.batchSize || rows.textSize >= ArrowConversion.batchTextSize {
                            try ArrowConversion.write(rows.takeBatch(), to: &writer, &unseen)
                        }
                    }
                }
            }
        }
        if rows.rowCount > 0 { try ArrowConversion.write(rows.takeBatch(), to: &writer, &unseen) }
        try writer.finish()
        (report.unknownKeys, report.unknownValues) = (unknownKeys.keys, unknownKeys.total)
        guard !reportsUnknownKeys, report.records > 0 else { return }
        report.unseenPaths = unseen.sorted().map {
            UnseenPath(
                columns[$0].keys[0].components, reader: .column(columns[$0].name), among: inference.paths,
                hiding: options.feed.sensitive)
        }
    }

    private static func write(
        _ batch: JSONColumnBatch, to writer: inout ArrowStreamWriter<AnySink>, _ unseen: inout Set<Int>
    ) throws(JSONError) {
        if !unseen.isEmpty {
            let values = batch.columns
            unseen = unseen.filter { values[$0].nullCount == values[$0].count }
        }
        try writer.write(batch)
    }

    /// Counts records that were read, and those between them that could not be.
    private mutating func note(_ count: Int, _ errors: [JSONError]) {
        report.records += count
        report.rows.added += count
        for error in errors {
            let reason = (inputName.map { "\($0): " } ?? "") + error.loaderText
            report.reject(at: error.position, reason, keeping: options.keptRejections)
        }
    }

    // MARK: Columns

    /// A way through the records of an input.
    private var pass: RecordPass {
        RecordPass(
            feed: options.feed, reading: JSONReader.Options(validation: .full), workers: options.workers ?? 1,
            interruption: interruption, sightings: sightings)
    }

    /// Infers columns from the records of all inputs. Inputs that can be read only once stay open, and the bytes read from them
    /// are kept.
    ///
    /// - Throws: `JSONError` of kind `inputOutput`, or of kind `missingKeys` if no document has the path of the records.
    private func inferred(_ inputs: inout [IngestInput]) throws(JSONError) -> ColumnInference {
        let inference = ColumnInference(flattening: options.flattening, looksAtValues: makesDates)
        var findings = PathFindings()
        for (index, input) in inputs.enumerated() { inputs[index] = try sampled(input, inference, &findings) }
        if interruption.received == 0 { try findings.check() }
        return inference
    }

    /// Samples all records of a file, or the first records of a pipe, whose bytes are kept. Returns what is to be read.
    private func sampled(
        _ input: IngestInput, _ inference: ColumnInference, _ findings: inout PathFindings
    ) throws(JSONError) -> IngestInput {
        if input.isRegularFile {
            findings.add(try pass.observe(input, limit: options.limit, into: inference.shapes) { _, _ in })
            return input
        }
        let open = try CommandInput(input, interruption: interruption)
        let source = ReplayableSource(open.source, recordingLimit: ArrowConversion.recordingLimit)
        let kept = IngestInput.source(AnyByteSource(source: source, input: open), totalBytes: nil)
        let sample = options.sample < 0 ? Int.max : options.sample
        // The rest of the pipe stays where it is, so a single thread reads.
        findings.add(try pass.observe(kept, limit: min(sample, options.limit ?? .max), into: inference.shapes) { _, _ in })
        source.rewind()
        return kept
    }

    /// A sink of any type.
    private struct AnySink: ByteSink {
        var sink: any ByteSink

        mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { try unsafe sink.write(bytes) }
    }
}
#endif
