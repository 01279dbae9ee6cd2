// Checks the named feeds and prints a verdict about each; the exit code says whether all are JSON.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// `sluice check`.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says whether feeds are valid JSON, and where they are not.",
        discussion: """
            Every byte is looked at: the grammar of RFC 8259, and the Unicode of all strings. A record that is wrong does not \
            end the check, the next one is read. Memory does not depend on the length of a feed. A feed without a record is \
            valid.

            EXAMPLES
              sluice check events.ndjson
              curl -s https://example.com/feed.json | sluice check -
              sluice check --strict --quiet *.json && echo fine
              sluice check --schema event.schema.json events.ndjson.gz

            EXIT CODES
              0         every record of every input is valid
              1         something is wrong
              2         no record has a path of --where or --sensitive, but a
                        similar one
              3         an input or the schema could not be opened or read,
                        or the report not be printed
              64        the command line is wrong, or the schema
              130, 143  ended by SIGINT, SIGTERM
            """)

    @Argument(
        help: ArgumentHelp("The feeds: files, or - for standard input.", valueName: "input"), completion: .file())
    var inputs: [String]

    @OptionGroup var feed: FeedOptions

    @OptionGroup var filter: WhereOption

    @Flag(help: "A key that stands twice in one object is an error, too.")
    var strict = false

    @OptionGroup var contract: SchemaOptions

    @Option(help: ArgumentHelp("Stop reading an input when more records than this are wrong.", valueName: "n"))
    var maxErrors: Int?

    @Option(help: ArgumentHelp("How many threads check; the report is the same.", valueName: "n"))
    var workers = 1

    @OptionGroup var messages: MessageOptions

    /// How many errors are shown for each input, without and with `--verbose`.
    static let shownErrors = (5, 1_000)

    func validate() throws {
        try require((maxErrors ?? 0) >= 0, "--max-errors must not be negative.")
        try require(workers > 0, "--workers must be at least 1.")
        try feed.checked(inputs)
        try feed.checkSensitivePaths()
        try require(filter.clause() == nil || !feed.header, "--where and --header exclude each other.")
        try require(contract.path == nil || !feed.header, "--schema and --header exclude each other.")
    }

    func run() throws {
        var reading = feed.feed
        reading.filter = try filter.clause()
        var options = Check.Options()
        options.feed = reading
        options.workers = workers
        options.isStrict = strict
        options.contract = try contract.schema()
        options.maximumErrors = maxErrors
        options.keptErrors = messages.verbose ? CheckCommand.shownErrors.1 : CheckCommand.shownErrors.0
        if reading.hidesText { options.sightings = PathSightings(of: reading.sensitive) }
        let check = Check(options, interruption: .process)
        var progress = messages.progressLine
        var status = ExitStatus.success
        for input in inputs {
            do throws(JSONError) {
                let report = try check.run(input: input, progress: &progress)
                status = status.worse(report.status)
                if !messages.quiet {
                    try Terminal.put(report.text(isVerbose: messages.verbose) { $0.paint($1, on: STDOUT_FILENO) })
                }
            } catch {
                Terminal.tell("sluice: \(error.summary)")
                status = .inputOutput
            }
            if Interruption.process.received != 0 { break }
        }
        let unseen =
            (reading.filter?.sightings.unseenPaths(hiding: reading.sensitive) ?? [])
            + (options.sightings?.unseenPaths(hiding: reading.sensitive) ?? [])
        for path in unseen where Interruption.process.received == 0 {
            Terminal.tell("sluice: \(path.text.printable)")
            if path.meant != nil { status = status.worse(.rejected) }
        }
        if status != .success { throw status.exitCode }
    }
}
#endif
