// Runs an ingest with the given options, and prints a report; the exit code says how it went.

#if CommandLine
// Public, because the conformance of a public type is.
public import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest
internal import SluiceSQLite

/// `sluice ingest`.
struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Streams the records of JSON feeds into a table of a SQLite or PostgreSQL database.",
        discussion: IngestHelp.text)

    @Argument(
        help: ArgumentHelp(
            "The feeds: files, folders, patterns in quotes, or - for standard input. Without --output, the last one is the database.",
            valueName: "input"), completion: .file())
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The database: a file, made if it does not exist, or postgresql://host/name.", valueName: "output.db"),
        completion: .file())
    var output: String?

    @Option(help: "The table that the records go into.")
    var table = "records"

    // MARK: Where records stand

    @OptionGroup var feed: FeedOptions

    @Flag(help: "Add a column with the name of the input that the record comes from.")
    var filename = false

    @Option(help: ArgumentHelp("Stop after this many records.", valueName: "n"))
    var limit: Int?

    @OptionGroup var filter: WhereOption

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

    @OptionGroup var arrays: ChildArguments

    // MARK: The table

    @Option(help: ArgumentHelp("A column of the primary key. May be repeated.", valueName: "column"))
    var pk: [String] = []

    @Flag(help: "Merge a record into the row that has its key.")
    var upsert = false

    @Flag(help: "Keep the existing row if a record has its key.")
    var ignore = false

    @Flag(help: "Replace the row that has the key of a record.")
    var replace = false

    @Flag(help: "Add rows to the table if it exists, and the columns that it does not have.")
    var append = false

    @Flag(help: "Delete the rows of the table if it exists; its indexes stay.")
    var truncate = false

    @Flag(help: "Drop the table if it exists.")
    var drop = false

    @Option(
        help: ArgumentHelp(
            "How many threads read records while one writes rows; with 1, it does both. (default: 2; 1 for small inputs)",
            valueName: "n"))
    var workers: Int?

    @Option(help: ArgumentHelp("How many rows make one transaction at most; 2 MiB of records do, too.", valueName: "n"))
    var batch = 10_000

    @Flag(help: "Write nothing; say what would be written.")
    var dryRun = false

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: ArgumentHelp("Continue where an earlier run ended.", visibility: .hidden))
    var resume = true

    @Flag(help: "Read the inputs from the start. The default, --resume, continues where an earlier run ended.")
    var restart = false

    @Flag(help: "If another run reads the same input, wait until it has ended, and go on from there.")
    var wait = false

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

    @Option(help: "How the report is printed.")
    var report: ReportFormat = .text

    @OptionGroup var messages: MessageOptions

    /// How the report is printed.
    enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    /// How many rejected records are shown with `--verbose`.
    private static let verboseRejections = 1_000

    func validate() throws {
        func require(_ condition: Bool, _ message: String) throws {
            guard condition else { throw ValidationError(message) }
        }
        try require(sample > 0 || sample == -1, "--sample-size must be at least 1, or -1 for all records.")
        try require((1...64).contains(workers ?? 1), "--workers must be between 1 and 64.")
        try require(batch > 0, "--batch must be at least 1.")
        try require(mapThreshold > 0, "--map-threshold must be at least 1.")
        try require((maxErrors ?? 0) >= 0, "--max-errors must not be negative.")
        try require((0...1).contains(maxErrorRatio ?? 0), "--max-error-ratio must be between 0 and 1.")
        try require((limit ?? 0) >= 0, "--limit must not be negative.")
        try require(!table.isEmpty, "--table must not be empty.")
        try require(
            !ColumnName.areEqual(table, SQLiteSink.checkpointTable),
            "--table \(table) is the table that Sluice keeps checkpoints in.")
        try require(
            [append, truncate, drop].count { $0 } <= 1, "--append, --truncate and --drop exclude each other.")
        try require([upsert, ignore, replace].count { $0 } <= 1, "--upsert, --ignore and --replace exclude each other.")
        let isOwn = ![table, SQLiteSink.checkpointTable].contains { ColumnName.areEqual(rejects ?? "", $0) }
        try require(rejects != "-" && rejects != "" && isOwn, "--rejects needs a table of its own, or a file.")
        do {
            _ = try ColumnOption.columns(columns)
            _ = try arguments()
        } catch {
            throw ValidationError(error.description)
        }
        try feed.checked(arguments().inputs)
        _ = try filter.clause(columns: ColumnOption.columns(columns))
    }

    /// The inputs and the database.
    private func arguments() throws(IngestError) -> (inputs: [String], output: String) {
        if let output {
            guard output != "-" else {
                throw .usage("-o - is no database: SQLite needs a file that it can read and write at any place.")
            }
            guard !inputs.isEmpty else { throw .usage("Name at least one input.") }
            return (inputs, output)
        }
        guard inputs.count == 2 else {
            throw .usage(
                "Name the database with -o: sluice ingest \(inputs.isEmpty ? "INPUT…" : inputs.joined(separator: " ")) -o OUT.db")
        }
        guard inputs[1] != "-" else {
            throw .usage("- is no database: SQLite needs a file that it can read and write at any place.")
        }
        guard IngestTarget.isServer(inputs[1]) || IngestCommand.mayBeDatabase(inputs[1]) else {
            throw .usage("\(inputs[1]) is no database. Where it is an input too, name the database with -o OUT.db.")
        }
        return ([inputs[0]], inputs[1])
    }

    /// Whether a path may name a database: an existing one, an empty file, nothing yet, or a special file such as a FIFO.
    private static func mayBeDatabase(_ path: String) -> Bool {
        // Only a regular file is opened to look: opening a FIFO would wait for its writer.
        guard IngestInput.isRegularFile(path), let handle = FileHandle(forReadingAtPath: path) else {
            var isFolder: ObjCBool = false
            return unsafe !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue
        }
        let head = (try? handle.read(upToCount: 16)) ?? Data()
        return head.isEmpty || head == Data("SQLite format 3\0".utf8)
    }

    private func options() throws -> IngestOptions {
        var options = IngestOptions()
        options.columns = try ColumnOption.columns(columns)
        options.types = types
        options.feed = feed.feed
        options.feed.filter = try filter.clause(columns: options.columns)
        options.sample = sample
        options.mapThreshold = mapThreshold
        options.workers = workers
        options.batch = batch
        options.existing = append ? .append : truncate ? .truncate : drop ? .drop : .refuse
        options.primaryKey = pk
        options.conflict = upsert ? .upsert : ignore ? .ignore : replace ? .replace : .reject
        options.contract = contract
        options.overflow = overflow
        options.children = try arrays.options()
        options.sensitive = feed.sensitive
        options.addsFileName = filename
        options.limit = limit
        options.isDryRun = dryRun
        options.rejects = rejects.map { RejectsTarget($0) }
        options.maximumErrors = maxErrors
        options.maximumErrorRatio = maxErrorRatio
        if messages.verbose { options.keptRejections = IngestCommand.verboseRejections }
        options.restarts = restart || !resume
        options.waits = wait
        return options
    }

    func run() throws {
        let arguments = try arguments()
        let options = try options()
        Interruption.watch()
        // The result is the database: it must be complete even if the printed report is not read.
        StandardStreams.ignoreBrokenPipes()
        let progress = messages.progressLine
        try ExitStatus.reportingErrors {
            let sink = try IngestTarget.sink(for: arguments.output, table: table)
            let report = try IngestJob(options, into: sink, interruption: .process).run(
                inputs: arguments.inputs, progress: progress)
            let text = text(of: report, on: messages.quiet ? STDERR_FILENO : STDOUT_FILENO)
            let isPrinted = messages.quiet || IngestCommand.prints(text)
            if !isPrinted || (messages.quiet && report.status != .success) { Terminal.show(text) }
            if report.status != .success { throw report.status.exitCode }
            if !isPrinted { throw ExitStatus.inputOutput.exitCode }
        }
    }

    /// The report in the form to be printed to a descriptor.
    private func text(of report: IngestReport, on descriptor: Int32) -> String {
        switch self.report {
        case .json: report.json
        case .text: report.text(isVerbose: messages.verbose) { $0.paint($1, on: descriptor) }
        }
    }

    /// Prints the report to standard output. If that fails, prints the reason to standard error and returns false.
    private static func prints(_ text: String) -> Bool {
        do throws(JSONError) {
            try Terminal.put(text)
            return true
        } catch {
            Terminal.tell("sluice: \(error.summary)")
            return false
        }
    }
}

extension KeyContract: ExpressibleByArgument {}
#endif
