// Runs an ingest with the given options, and prints a report; the exit code says how it went.

#if CommandLine
public import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceFeed
public import SluiceIngest
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

    @OptionGroup var feed: FeedOptions

    @OptionGroup var filter: WhereOption

    @OptionGroup var shape: FlatteningOptions

    @OptionGroup var shared: RecordOptions

    @OptionGroup var arrays: ChildArguments

    @OptionGroup var contract: SchemaOptions

    // MARK: The table

    @OptionGroup var key: TableOptions

    @Option(help: "What happens to rows that the inputs, a complete snapshot, do not have.")
    var missing: MissingRows = .keep

    @Flag(help: "Add rows to the table if it exists, and the columns that it does not have.")
    var append = false

    @Flag(help: "Delete the rows of the table if it exists; its indexes stay.")
    var truncate = false

    @Flag(help: "Drop the table if it exists.")
    var drop = false

    @Flag(
        inversion: .prefixedNo, exclusivity: .chooseLast,
        help: ArgumentHelp("Continue where an earlier run ended.", visibility: .hidden))
    var resume = true

    @Flag(help: "Read the inputs from the start. The default, --resume, continues where an earlier run ended.")
    var restart = false

    @Flag(help: "If another run reads the same input, wait until it has ended, and go on from there.")
    var wait = false

    @OptionGroup var logs: RotationOptions

    @OptionGroup var watched: WatchOptions

    @OptionGroup var messages: MessageOptions

    func validate() throws {
        try shared.check(feed, filter, shape)
        try require(!table.isEmpty, "--table must not be empty.")
        try require(
            !OwnTables.names.contains { ColumnName.areEqual(table, $0) },
            "--table \(table) is a table that Sluice keeps checkpoints in.")
        try require(
            [append, truncate, drop].count { $0 } <= 1, "--append, --truncate and --drop exclude each other.")
        try require(watched.reportEvery == nil || shared.report == .json, "--report-every needs --report json.")
        let isOwn = !([table] + OwnTables.names).contains { ColumnName.areEqual(shared.rejects ?? "", $0) }
        try require(isOwn, "--rejects needs a table of its own, or a file.")
        do {
            _ = try arguments()
        } catch {
            throw ValidationError(error.commandLine)
        }
        try IngestTarget.check(arguments().output)
        try IngestCommand.checkName(ofDatabase: arguments().output)
        if let rotation = logs.rotation {
            do {
                try options().checkRotation()
            } catch let error as IngestError {
                throw ValidationError(error.commandLine)
            }
            try require(!arguments().inputs.contains("-"), "- cannot be read again: name the files of a log.")
            for folder in rotation.folders { try require(!folder.isEmpty, "--rotated-to must not be empty.") }
        } else {
            try feed.checked(arguments().inputs)
        }
    }

    /// The inputs and the database.
    private func arguments() throws(IngestError) -> (inputs: [String], output: String) {
        if let output {
            guard output != "-" else {
                throw .usage("-o - is no database: SQLite needs a file that it can read and write at any position.")
            }
            guard !inputs.isEmpty else { throw .usage("Name at least one input.") }
            return (inputs, output)
        }
        guard inputs.count == 2 else {
            throw .usage(
                "Name the database with -o: sluice ingest \(inputs.isEmpty ? "INPUT…" : inputs.joined(separator: " ")) -o OUT.db")
        }
        guard inputs[1] != "-" else {
            throw .usage("- is no database: SQLite needs a file that it can read and write at any position.")
        }
        guard IngestTarget.isServer(inputs[1]) || IngestCommand.mayBeDatabase(inputs[1]) else {
            throw .usage("\(inputs[1]) is no database. Where it is an input too, name the database with -o OUT.db.")
        }
        return ([inputs[0]], inputs[1])
    }

    /// Whether a path may name a database: an existing one, an empty file, nothing yet, or a special file such as a FIFO.
    private static func mayBeDatabase(_ path: String) -> Bool {
        guard let head = head(of: path) else {
            var isFolder: ObjCBool = false
            return unsafe !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || !isFolder.boolValue
        }
        return head.isEmpty || head == databaseHead
    }

    /// The first bytes of each SQLite database.
    private static let databaseHead = Data("SQLite format 3\0".utf8)

    /// The first bytes of a regular file; nil if there is none.
    private static func head(of path: String) -> Data? {
        // Only a regular file is opened to look: opening a FIFO would wait for its writer.
        guard IngestInput.isRegularFile(path), let handle = FileHandle(forReadingAtPath: path) else { return nil }
        return (try? handle.read(upToCount: databaseHead.count)) ?? Data()
    }

    /// Refuses the name of a feed or of another file for a new database.
    private static func checkName(ofDatabase path: String) throws {
        let ending = FileEnding(of: path)
        let isFile =
            ending.compression != nil || ConvertCommand.Form(ofOutput: path) != nil || OtherForm.isFile(ending.form)
        guard isFile, !IngestTarget.isServer(path), head(of: path) != databaseHead else { return }
        throw ValidationError(
            "\(path) is not the name of a database, which is what ingest writes. sluice convert writes files; of several inputs, "
                + "name the database with -o OUT.db.")
    }

    private func options() throws -> IngestOptions {
        var options = try shared.options(feed, filter, shape, messages)
        options.children = try arrays.options()
        options.existing = append ? .append : truncate ? .truncate : drop ? .drop : .refuse
        key.apply(to: &options)
        options.missing = missing
        options.restarts = restart || !resume
        options.waits = wait
        options.rotation = logs.rotation
        return options
    }

    func run() throws {
        let arguments = try arguments()
        var options = try options()
        options.schema = try contract.schema()
        // The result is the database: it must be complete even if the printed report is not read.
        StandardStreams.ignoreBrokenPipes()
        let progress = messages.progressLine
        try ExitStatus.reportingErrors {
            try watched.apply(to: &options, isQuiet: messages.quiet)
            let sink = try IngestTarget.sink(for: arguments.output, table: table)
            let job = IngestJob(options, into: sink, interruption: .process)
            var observer = FollowMessages()
            let report =
                try logs.following.map { try job.follow(arguments.inputs, $0, &observer) }
                ?? job.run(inputs: arguments.inputs, progress: progress)
            let text = shared.text(of: report, messages, on: messages.quiet ? STDERR_FILENO : STDOUT_FILENO)
            let isPrinted = messages.quiet || IngestCommand.prints(text)
            if !isPrinted || (messages.quiet && report.status != .success) { Terminal.show(text) }
            if report.status != .success { throw report.status.exitCode }
            if !isPrinted { throw ExitStatus.inputOutput.exitCode }
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

/// What a run that follows logs says while it goes on.
private struct FollowMessages: FollowObserver {
    func passed(_ report: IngestReport) {}
    func paused(_ reason: IngestMessage) { Terminal.tell("sluice: \(reason.commandLine); trying again") }
}

extension MissingRows: ExpressibleByArgument {}
#endif
