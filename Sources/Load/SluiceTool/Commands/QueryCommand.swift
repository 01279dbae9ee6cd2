// Answers a query over the records of feeds, which become tables of a database in memory.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceIngest
internal import SluiceSQLite

/// `sluice query`.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query",
        abstract: "Answers a question in SQL about the records of feeds.",
        discussion: """
            Each input is a table of a database in memory, named after its file: events.ndjson.gz is the table events, and - is stdin. \
            A folder or a pattern makes one table. The columns are those that ingest infers. The query is one SELECT of SQLite, \
            with all its functions; it can change nothing.

            On a terminal, the answer is an aligned table, elsewhere NDJSON, unless --to or the name of -o says otherwise.

            EXAMPLES
              sluice query events.ndjson "SELECT type, count(*) AS n FROM events GROUP BY type"
              sluice query events.ndjson users.json -o new.csv \\
                "SELECT * FROM events JOIN users ON users.id = events.user_id"
              curl -s https://example.com/page.json |
                sluice query --at data.items - "SELECT max(price) FROM stdin"

            EXIT CODES
              0         the answer is written
              2         records could not be read, and are not in the answer
              3         an input could not be opened or read, or the output
                        not be written
              64        the command line is wrong, or the query
              130, 143  ended by SIGINT, SIGTERM
            """)

    @Argument(
        help: ArgumentHelp(
            "The feeds (files, folders, patterns in quotes, or - for standard input), and after them the query.",
            valueName: "input... query"), completion: .file())
    var arguments: [String]

    @Option(help: "What is written. (default: table on a terminal; else ndjson, or what the name of the output says)")
    var to: Form?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write; standard output if not given.", valueName: "file"),
        completion: .file())
    var output = "-"

    @Option(help: ArgumentHelp("How much stays in memory, in MiB; the rest is in a temporary file.", valueName: "n"))
    var memory = 512

    @OptionGroup var feed: FeedOptions

    @OptionGroup var filter: WhereOption

    @OptionGroup var shape: FlatteningOptions

    @OptionGroup var messages: MessageOptions

    /// The form of the answer.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case table, ndjson, json, csv, tsv
    }

    /// What to do instead of writing a form that only `convert` writes, or none does.
    private static let otherForms = [
        "parquet": "Write .csv, and let pyarrow or DuckDB make Parquet of it.",
        "arrow": "sluice convert writes Arrow.", "arrows": "sluice convert writes Arrow.",
    ]

    func validate() throws {
        try require(
            arguments.count > 1, "Name the feeds, and after them the query: sluice query feed.ndjson \"SELECT * FROM feed\"")
        try require(!FileManager.default.fileExists(atPath: query), "\(query) is a file; the query comes after the feeds.")
        try require((1...1 << 20).contains(memory), "--memory is from 1 to 1048576.")
        _ = try QueryCommand.form(to, output)
        _ = try filter.clause()
        _ = try shape.feed(feed)
        try feed.checked(inputs)
        try feed.checkSensitivePaths()
    }

    private var inputs: [String] { arguments.dropLast() }
    private var query: String { arguments.last ?? "" }

    /// The form that is asked for, or that the name of the output says.
    static func form(_ to: Form?, _ output: String, of command: String = "query") throws -> Form {
        let named = Form(rawValue: OtherForm.named(output) ?? "")
        if let to, let named, named != to {
            throw ValidationError("--to \(to.rawValue) contradicts the name \(output): leave --to out, or choose another name.")
        }
        if to == nil { try OtherForm.check(output, of: command, ways: QueryCommand.otherForms) }
        return to ?? named ?? (output == "-" && isatty(STDOUT_FILENO) == 1 ? .table : .ndjson)
    }

    /// What writes an answer in a form.
    static func writer(_ form: Form, to sink: any ByteSink, _ output: String) -> any ResultWriter {
        FileSink.Form(rawValue: form.rawValue).map { ResultText($0, to: sink) }
            ?? ResultGrid(width: output == "-" ? Terminal.width(of: STDOUT_FILENO) : .max, to: sink)
    }

    func run() throws {
        var options = IngestOptions()
        options.feed = try shape.feed(feed)
        options.feed.filter = try filter.clause()
        options.flattening = try shape.flattening()
        options.sensitive = feed.sensitive
        options.workers = nil
        var isWhole = true
        try ExitStatus.reportingErrors {
            try FeedDatabase.check(query)
            // The report of each table names what its folder has besides.
            var passedOver: [IngestInput.FolderRest] = []
            try OutputNames([output]).check(against: inputs.flatMap { try IngestInput.list([$0], passedOver: &passedOver) })
            let database = try FeedDatabase(memory: memory << 20, interruption: .process)
            for input in inputs {
                let report = try database.load(input, options, progress: messages.progressLine)
                report.tellProblems()
                if case .failed = report.outcome { throw ExitStatus.inputOutput.exitCode }
                isWhole = isWhole && report.isWhole
                try endIfInterrupted()
            }
            let file = try OutputFile(path: output)
            var writer = try QueryCommand.writer(QueryCommand.form(to, output), to: file, output)
            if try database.run(query, into: &writer) { try file.complete() }
            try endIfInterrupted()
        }
        if !isWhole { throw ExitStatus.rejected.exitCode }
    }

    private func endIfInterrupted() throws {
        let signal = Interruption.process.received
        if signal != 0 { throw ExitStatus.interrupted(signal: signal).exitCode }
    }
}
#endif
