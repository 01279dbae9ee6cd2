// The options that `ingest`, `replay` and `convert` share: which records are read, where they go, and what is reported.

#if CommandLine
// Public, because a public type conforms to it.
public import ArgumentParser
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// Options about records, wherever they go.
///
/// No group is inside of it. In a debug build, ArgumentParser checks each group when it lists its options, which it does again for each
/// check of the group around it: two levels made the start of a command take 0.14 s instead of 0.05 s.
struct RecordOptions: ParsableArguments {
    // MARK: Where records stand

    @Flag(help: "Add a column with the name of the input that the record comes from.")
    var filename = false

    @Flag(
        help: "Add columns with the place that each row comes from: _input, _line, _byte, and _digest of the record's text.")
    var provenance = false

    @Option(
        help: ArgumentHelp(
            "Keep these places in a table beside the rows, which get no column. The rows need a key.", valueName: "table"))
    var provenanceTable: String?

    @Option(
        help: ArgumentHelp(
            "Other names for the columns of --provenance or --provenance-table.", valueName: "input,line,byte,digest"))
    var provenanceNames: String?

    @Option(help: ArgumentHelp("Stop after this many records.", valueName: "n"))
    var limit: Int?

    // MARK: Columns

    @Option(
        name: .customLong("column"),
        help: ArgumentHelp("A column to read instead of inferring columns. May be repeated.", valueName: "name:type=key.path"),
        transform: { try ColumnOption($0) })
    var columns: [ColumnOption] = []

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp("The type of an inferred column, also as --type name type. May be repeated.", valueName: "name:type"),
        transform: { try TypeOption($0) })
    var types: [TypeOption] = []

    @Option(
        name: [.customLong("sample-size"), .customLong("sample")], parsing: .unconditional,
        help: ArgumentHelp("How many records to look at when inferring columns; -1 is all.", valueName: "n"))
    var sample = 1_000

    @Option(
        help: ArgumentHelp("An object with more keys than this, whose values are of one kind, becomes JSON.", valueName: "n"))
    var mapThreshold = 200

    @Option(help: "What happens to keys that no column reads.")
    var contract: KeyContract?

    @Option(help: ArgumentHelp("A column for values that no other column can take, as JSON.", valueName: "column"))
    var overflow: String?

    // MARK: The work

    @Option(
        help: ArgumentHelp(
            "How many threads read records while one writes rows; with 1, it does both. (default: 2; 1 for small inputs)",
            valueName: "n"))
    var workers: Int?

    @Option(help: ArgumentHelp("How many rows make one transaction at most; 2 MiB of records do, too.", valueName: "n"))
    var batch = 10_000

    @Flag(help: "Write nothing; say what would be written.")
    var dryRun = false

    // MARK: Rejected records

    @Option(
        help: ArgumentHelp(
            "Where rejected records go: a table, or a file of NDJSON (a name with a dot).", valueName: "table|file"))
    var rejects: String?

    @Option(help: ArgumentHelp("Stop when more records than this are rejected.", valueName: "n"))
    var maxErrors: Int?

    @Option(
        help: ArgumentHelp("Stop when a larger share of the records than this is rejected, between 0 and 1.", valueName: "r"))
    var maxErrorRatio: Double?

    // MARK: Words

    @Option(help: "How the report is printed. (default: text; convert only says what is wrong)")
    var report: ReportFormat?

    /// How the report is printed.
    enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    /// How many rejected records are shown with `--verbose`.
    private static let verboseRejections = 1_000

    func validate() throws {
        try require(sample > 0 || sample == -1, "--sample-size must be at least 1, or -1 for all records.")
        try require((1...64).contains(workers ?? 1), "--workers must be between 1 and 64.")
        try require(batch > 0, "--batch must be at least 1.")
        try require(mapThreshold > 0, "--map-threshold must be at least 1.")
        try require((maxErrors ?? 0) >= 0, "--max-errors must not be negative.")
        try require((0...1).contains(maxErrorRatio ?? 0), "--max-error-ratio must be between 0 and 1.")
        try require((limit ?? 0) >= 0, "--limit must not be negative.")
        try require(rejects != "-" && rejects != "", "--rejects needs a table of its own, or a file.")
        try require(
            !provenance || provenanceTable == nil,
            "--provenance adds columns to the table, and --provenance-table keeps them out of it: choose one.")
        try require(
            provenanceNames == nil || places != nil && names.count == Provenance.sources.count,
            "--provenance-names has four names with commas between them, for --provenance or --provenance-table.")
        do {
            _ = try ColumnOption.columns(columns)
        } catch {
            throw ValidationError(error.commandLine)
        }
    }

    /// Checks the options together with those of other groups.
    func check(_ feed: FeedOptions, _ filter: WhereOption, _ shape: FlatteningOptions) throws {
        if !columns.isEmpty, let given = shape.given { try require(false, "\(given) and --column exclude each other.") }
        _ = try filter.clause(columns: ColumnOption.columns(columns))
        _ = try shape.feed(feed)
    }

    /// The options of an ingest.
    func options(
        _ feed: FeedOptions, _ filter: WhereOption, _ shape: FlatteningOptions, _ messages: MessageOptions
    ) throws -> IngestOptions {
        var options = IngestOptions()
        options.columns = try ColumnOption.columns(columns)
        options.types = types
        options.feed = try shape.feed(feed)
        options.feed.filter = try filter.clause(columns: options.columns)
        options.sample = sample
        options.flattening = try shape.flattening(mapThreshold: mapThreshold)
        options.workers = workers
        options.batch = batch
        options.contract = contract
        options.overflow = overflow
        options.sensitive = feed.sensitive
        options.addsFileName = filename
        options.provenance = places
        options.limit = limit
        options.isDryRun = dryRun
        options.rejects = rejects.map { RejectsTarget($0) }
        options.maximumErrors = maxErrors
        options.maximumErrorRatio = maxErrorRatio
        if messages.verbose { options.keptRejections = RecordOptions.verboseRejections }
        return options
    }

    /// Where the places of records go; nil if they are not asked for.
    private var places: Provenance? {
        let place = provenanceTable.map { Provenance.table($0) } ?? (provenance ? Provenance.columns : nil)
        guard names.count == Provenance.sources.count else { return place }
        return place?.named(input: names[0], line: names[1], byte: names[2], digest: names[3])
    }

    /// The names of their columns; empty if they are not chosen.
    private var names: [String] {
        provenanceNames?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    /// An option that is given and needs a sink for rows, or nil.
    var tableOption: String? {
        let given: [(String, Bool)] = [
            ("--filename", filename), ("--provenance", provenance), ("--provenance-table", provenanceTable != nil),
            ("--contract", contract != nil), ("--overflow", overflow != nil),
            ("--dry-run", dryRun), ("--rejects", rejects != nil),
            ("--max-errors", maxErrors != nil), ("--max-error-ratio", maxErrorRatio != nil),
        ]
        return given.first { $0.1 }?.0
    }

    /// A report in the form to be printed to a descriptor.
    func text(of report: IngestReport, _ messages: MessageOptions, on descriptor: Int32) -> String {
        switch self.report {
        case .json: report.json
        case .text, nil: report.text(isVerbose: messages.verbose) { $0.paint($1, on: descriptor) }
        }
    }
}

extension KeyContract: ExpressibleByArgument {}
#endif
