// Converts the named feeds into another form, on standard output or into a file.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceArrow
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// `sluice convert`.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes the records of feeds in another form.",
        discussion: """
            FORMS
              ndjson  one record a line, its values as they are written
              json    one array
              csv     RFC 4180: a line of names, then a line for each record
              tsv     the same with tabs; tabs, line breaks and backslashes
                      in values stand as \\t, \\n, \\r and \\\\
              arrow   Apache Arrow's IPC stream format: columns with types
            Columns of csv, tsv and arrow are those that ingest infers: nested objects are flattened (actor.id becomes actor_id), \
            arrays become JSON text. Files are read twice, so that each key of each record has its column. A pipe can be read \
            once only: its first 1,000 records decide. Keys that come later are named at the end, and the exit code is 2. In arrow, a key that comes later is left out, and so is a \
            record with a value that is not of its column's type.

            EXAMPLES
              sluice convert events.json > events.ndjson
              sluice convert --to csv --columns id,actor.login events.ndjson
              sluice convert --to arrow -o events.arrows events.ndjson
              curl -s https://example.com/page.json | sluice convert --at data.items -

            EXIT CODES
              0         every record is written
              2         records could not be read and are left out, keys of
                        a pipe came too late for a column, or no record has
                        a path of --columns, --where or --sensitive, but a
                        similar one
              3         an input could not be opened or read, or the output
                        not be written
              64        the command line is wrong
              130, 143  ended by SIGINT, SIGTERM
            """)

    @Argument(
        help: ArgumentHelp("The feeds: files, or - for standard input.", valueName: "input"), completion: .file())
    var inputs: [String]

    @Option(help: "What is written.")
    var to: Convert.Form = .ndjson

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write; standard output if not given.", valueName: "file"),
        completion: .file())
    var output = "-"

    @OptionGroup var feed: FeedOptions

    @OptionGroup var filter: WhereOption

    @Option(help: ArgumentHelp("Stop after this many records.", valueName: "n"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "The columns of csv, tsv and arrow: paths of keys with commas between them; name=path gives a column another name.",
            valueName: "paths"),
        transform: { try ConvertCommand.columns($0) })
    var columns: [Column] = []

    @Option(help: ArgumentHelp("How many threads read records; what is written is the same.", valueName: "n"))
    var workers = 1

    @Option(help: "How arrow is compressed, each buffer by itself.")
    var arrowCompression = Convert.BufferCompression.none

    func validate() throws {
        guard (limit ?? 0) >= 0 else { throw ValidationError("--limit must not be negative.") }
        guard workers > 0 else { throw ValidationError("--workers must be at least 1.") }
        guard columns.isEmpty || to.hasColumns else {
            throw ValidationError("--columns is for --to csv, --to tsv and --to arrow.")
        }
        guard arrowCompression == .none || to == .arrow else {
            throw ValidationError("--arrow-compression is for --to arrow.")
        }
        guard ArrowCompression(rawValue: arrowCompression.rawValue) != nil else {
            throw ValidationError("This build of sluice has no compression.")
        }
        try feed.checked(inputs)
        try feed.checkSensitivePaths()
        _ = try filter.clause()
    }

    func run() throws {
        Interruption.watch()
        var reading = feed.feed
        reading.filter = try filter.clause()
        let options = Convert.Options(
            form: to, feed: reading, columns: columns, limit: limit, workers: workers,
            arrowCompression: ArrowCompression(rawValue: arrowCompression.rawValue) ?? .none)
        var report = Convert.Report()
        try ExitStatus.reportingErrors {
            try checkOutput()
            var convert = Convert(options, to: try FileOutput(path: output), interruption: .process)
            try convert.run(inputs: inputs)
            report = convert.report
        }
        if report.rejected > 0 {
            Terminal.tell("sluice: \(counted(report.rejected, "record")) could not be read, and left out; the first:")
            for error in report.errors { Terminal.tell("  " + error.replacing("\n", with: "\n    ")) }
        }
        if !report.unknownKeys.isEmpty {
            let unknown = report.unknownKeys.map { (reading.sensitive.shown($0.path), $0.count) }
            Terminal.tell("sluice: values that came too late for a column: \(ConvertCommand.list(unknown))")
            Terminal.tell("Write the input to a file first, or name the columns with --columns.")
        }
        for path in report.unseenPaths { Terminal.tell("sluice: \(path.text)") }
        let signal = Interruption.process.received
        if signal != 0 { throw ExitStatus.interrupted(signal: signal).exitCode }
        let isMisspelt = report.unseenPaths.contains { $0.meant != nil }
        if report.rejected > 0 || !report.unknownKeys.isEmpty || isMisspelt { throw ExitStatus.rejected.exitCode }
    }

    /// Refuses an output that is an input too: opening it would empty it, and appending to it would never end. An input that
    /// cannot be opened is reported before the output is emptied.
    private func checkOutput() throws {
        let identity = output == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: output)
        let files = inputs.map { $0 == "-" ? IngestInput.standardInput : .file($0) }
        for file in files { try file.checkThatItOpens() }
        guard let identity, let input = identity.input(in: files) else { return }
        let name = output == "-" ? "standard output" : "-o \(output)"
        throw IngestError.usage("\(name) is an input too\(input == output ? "" : ", \(input)"); name another file")
    }

    private static func list(_ unknown: [(path: String, count: Int)]) -> String {
        let shown = unknown.prefix(10).map { "'\($0.path)' (\($0.count.grouped))" }.joined(separator: ", ")
        return shown + (unknown.count > 10 ? " and \((unknown.count - 10).grouped) more" : "")
    }

    /// Parses the columns of an option such as `id,actor.login,who=actor.name`.
    private static func columns(_ text: String) throws -> [Column] {
        try PathSyntax.parts(of: text, between: ",").map { part in
            let equals = PathSyntax.places(of: "=", in: part.text).first
            let given = equals.map { part.text[..<$0].trimmingCharacters(in: .whitespaces) }
            let rest = equals.map { part.text[part.text.index(after: $0)...] } ?? part.text[...]
            let blanks = rest.prefix { $0.isWhitespace }.count
            do throws(PathFault) {
                let keys = try PathSyntax.keys(of: rest.trimmingCharacters(in: .whitespaces))
                let name = given.map { PathSyntax.unquoted($0) ?? $0 } ?? keys.joined(separator: "_")
                guard !name.isEmpty else { throw PathFault(offset: -blanks, expected: "a column name", found: "none") }
                return Column(name: name, type: .text, keys: [JSONKeyPath(components: keys)], isTolerant: true)
            } catch {
                let column = part.offset + part.text.count - rest.count + blanks + error.column
                throw ValidationError(
                    "'\(text)': expected \(error.expected), found \(error.found) (column \(column)); \(PathFault.hint)")
            }
        }
    }
}

extension Convert.Form: ExpressibleByArgument {}
extension Convert.BufferCompression: ExpressibleByArgument {}
#endif
