// Options go in, a report comes out and the exit code says how it went.

#if CommandLine
internal import ArgumentParser
internal import SluiceCore
internal import SluiceFeed

/// `sluice ingest`.
struct IngestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Streams the records of a JSON feed into a table of a SQLite database.",
        discussion: """
            Memory does not depend on the length of the feed. Without --column, the columns are inferred from the first records: \
            nested objects are flattened (actor.id becomes actor_id), arrays and values of mixed shape become JSON text, a key \
            that was always null becomes text, integers and fractions together become real, other mixtures of scalars become \
            text. Dates stay the text they are unless a column is declared as date. Keys that no \
            column reads are left out, and so is a scalar where the records looked at had only objects.

            A declared column is strict: a record with a value of another type is rejected, with the reason. An inferred column \
            is not: the value is stored as it is (an array or object as JSON text), and the report counts such values. SQLite \
            then applies its own column affinity. A missing key or null is NULL in every column.

            COLUMNS
              name:type           the value of the key of that name
              name:type=key.path  the value at a path of keys, such as
                                  who:text=actor.login
            Types: integer; real; text (takes any scalar); bool, stored as 0 or 1; date, stored as ISO 8601 in UTC; json, \
            any value as its own text.

            SAFETY
            Each batch is one transaction, and SQLite's rollback journal stays on: after a crash the database opens and holds \
            whole batches. SIGINT and SIGTERM end the work after the record at hand; what was read is stored and reported, and \
            a second signal of the same kind ends it at once.

            EXAMPLES
              sluice ingest events.ndjson events.db
              curl -s https://example.com/feed.json | sluice ingest - feed.db --table items
              sluice ingest events.ndjson events.db \\
                --column id:integer --column who:text=actor.login

            EXIT CODES
              0         every record is stored
              2         records were rejected and all others stored, or no
                        record has a key to make a column of
              3         the input or the database could not be opened, read
                        or written, or the report not be printed
              4         more records were rejected than --max-errors allows
              64        the command line is wrong
              130, 143  ended by SIGINT, SIGTERM
            """)

    @Argument(help: ArgumentHelp("The feed: a file, or - for standard input.", valueName: "input"), completion: .file())
    var input: String

    @Argument(help: ArgumentHelp("The database; made if it does not exist.", valueName: "output.db"), completion: .file())
    var output: String

    @Option(help: "The table that the records go into.")
    var table = "records"

    @Option(
        name: .customLong("column"),
        help: ArgumentHelp("A column to read instead of inferring columns. May be repeated.", valueName: "name:type=key.path"),
        transform: { try ColumnOption($0) })
    var columns: [ColumnOption] = []

    @Option(help: "How records stand one behind the other: one a line, in one array, or one behind the other.")
    var format: Format = .auto

    @Option(help: ArgumentHelp("How many records to look at when inferring columns.", valueName: "n"))
    var sample = 1_000

    @Option(help: ArgumentHelp("How many rows make one transaction.", valueName: "n"))
    var batch = 10_000

    @Flag(help: "Add rows to the table if it exists, and the columns that it does not have.")
    var append = false

    @Flag(help: "Replace the table if it exists.")
    var replace = false

    @Option(help: ArgumentHelp("Stop when more records than this are rejected.", valueName: "n"))
    var maxErrors: Int?

    @Flag(name: .shortAndLong, help: "Show neither progress nor a report; errors are still shown.")
    var quiet = false

    /// The layouts by their names in the command line.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case auto, ndjson, array, concatenated

        var layout: JSONFeedFormat {
            switch self {
            case .auto: .automatic
            case .ndjson: .lines
            case .array: .array
            case .concatenated: .concatenated
            }
        }
    }

    func validate() throws {
        guard sample > 0 else { throw ValidationError("--sample must be at least 1.") }
        guard batch > 0 else { throw ValidationError("--batch must be at least 1.") }
        guard (maxErrors ?? 0) >= 0 else { throw ValidationError("--max-errors must not be negative.") }
        guard !table.isEmpty else { throw ValidationError("--table must not be empty.") }
        guard !(append && replace) else { throw ValidationError("--append and --replace exclude each other.") }
        do { _ = try ColumnOption.columns(columns) } catch { throw ValidationError(error.description) }
    }

    func run() throws {
        let options = Ingest.Options(
            database: output, table: table, columns: try ColumnOption.columns(columns), format: format.layout,
            sample: sample, batch: batch, existing: append ? .append : replace ? .replace : .refuse,
            maximumErrors: maxErrors)
        Interruption.watch()
        // The result is the database: it must be complete even if no one reads what is printed.
        StandardStreams.ignoreBrokenPipes()
        var progress = ProgressLine.standard(isQuiet: quiet)
        do {
            let report = try Ingest(options, interruption: .process).run(input: input, progress: &progress)
            let isPrinted = quiet || IngestCommand.prints(report)
            if !isPrinted || (quiet && report.status != .success) { Terminal.tell(report.text) }
            if report.status != .success { throw report.status.exitCode }
            if !isPrinted { throw ExitStatus.inputOutput.exitCode }
        } catch let error as IngestError {
            Terminal.tell("sluice: \(error)")
            throw error.status.exitCode
        } catch let error as JSONError {
            Terminal.tell("sluice: \(error.summary)")
            throw ExitStatus.inputOutput.exitCode
        }
    }

    /// Prints the report to standard output; false, with the reason on standard error, if that fails.
    private static func prints(_ report: IngestReport) -> Bool {
        do throws(JSONError) {
            try Terminal.put(report.text)
            return true
        } catch {
            Terminal.tell("sluice: \(error.summary)")
            return false
        }
    }
}
#endif
