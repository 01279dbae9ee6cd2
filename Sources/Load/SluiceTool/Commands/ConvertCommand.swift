// Converts the named feeds into another form, on standard output or into a file.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceArrow
internal import SluiceCore
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
            record with a value that is not of its column's type. With an option about columns, such as --column, the records of \
            ndjson and json are rows of columns, too.

            The name of the output chooses the form: .ndjson, .jsonl, .json, .csv, .tsv, .arrow or .arrows; with .gz or .zst after it, the file is compressed.

            A file is written aside, and takes its name when it is complete; if the command fails or is ended by a signal, the old \
            file stays.

            EXAMPLES
              sluice convert events.json > events.ndjson
              sluice convert --to csv --columns id,actor.login events.ndjson
              sluice convert -o events.tsv.gz events.ndjson
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
              4         more records were rejected than --max-errors or
                        --max-error-ratio allows
              5         a record has a key that --contract freeze forbids
              64        the command line is wrong
              130, 143  ended by SIGINT, SIGTERM
            """)

    @Argument(
        help: ArgumentHelp(
            "The feeds: files, folders, patterns in quotes, or - for standard input.", valueName: "input"), completion: .file())
    var inputs: [String]

    @Option(
        name: .customLong("to"),
        help: "What is written. (default: what the name of the output says, such as .csv or .json.gz; else ndjson)")
    var chosen: Form?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write; standard output if not given.", valueName: "file"),
        completion: .file())
    var output = "-"

    @Option(
        help: ArgumentHelp(
            "The columns of csv, tsv and arrow: paths of keys with commas between them; name=path gives a column another name.",
            valueName: "paths"),
        transform: { try ConvertCommand.columns($0) })
    var columns: [JSONColumn] = []

    @OptionGroup var feed: FeedOptions

    @OptionGroup var filter: WhereOption

    @OptionGroup var shape: FlatteningOptions

    @OptionGroup var shared: RecordOptions

    @Option(help: "How arrow is compressed, each buffer by itself.")
    var arrowCompression = BufferCompression.none

    @Flag(help: "In arrow, columns whose texts are all dates, or times with a zone, become dates and timestamps.")
    var dates = false

    @OptionGroup var messages: MessageOptions

    /// The form of the output.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case ndjson, json, csv, tsv, arrow

        /// The form that the name of an output says; nil if it says none of these.
        init?(ofOutput name: String) { self.init(rawValue: OtherForm.named(name) ?? "") }

        /// The form of a file that is a sink.
        var file: FileSink.Form? { FileSink.Form(rawValue: rawValue) }

        /// Whether all records have the same columns.
        var hasColumns: Bool { self != .ndjson && self != .json }
    }

    /// How Arrow's buffers are compressed. These are the library's choices; a build without compression has only `none`.
    enum BufferCompression: String, CaseIterable, ExpressibleByArgument {
        case none, zstd
    }

    /// The form of the output: the one that `--to` names, or the one that the name of the output implies.
    private var to: Form { chosen ?? Form(ofOutput: output) ?? .ndjson }

    func validate() throws {
        try shared.check(feed, filter, shape)
        if let chosen, let named = Form(ofOutput: output), named != chosen {
            throw ValidationError(
                "--to \(chosen.rawValue) contradicts the name \(output): leave --to out, or choose another name.")
        }
        if chosen == nil { try OtherForm.check(output, of: "convert") } else { try IngestTarget.check(output) }
        try require(columns.isEmpty || to.hasColumns, "--columns is for --to csv, --to tsv and --to arrow.")
        try require(columns.isEmpty || shared.columns.isEmpty, "--columns and --column exclude each other.")
        if !columns.isEmpty, let given = shape.given {
            throw ValidationError("--columns and \(given) exclude each other.")
        }
        try require(arrowCompression == .none || to == .arrow, "--arrow-compression is for --to arrow.")
        try require(!dates || to == .arrow, "--dates is for --to arrow: other forms keep the texts.")
        try require(ArrowCompression(rawValue: arrowCompression.rawValue) != nil, "This build of sluice has no compression.")
        if to == .arrow, let option = shared.tableOption { throw ValidationError("\(option) is not for --to arrow.") }
        try feed.checked(inputs)
        try feed.checkSensitivePaths()
    }

    func run() throws {
        var options = try shared.options(feed, filter, shape, messages)
        if !columns.isEmpty { options.columns = columns }
        try ExitStatus.reportingErrors {
            var passedOver: [IngestInput.FolderRest] = []
            let inputs = try IngestInput.list(inputs, passedOver: &passedOver)
            let report =
                try to.file.map { form in
                    // The records go to standard output, too: on a terminal, a line of progress would appear between them.
                    let isMixed = output == "-" && isatty(STDOUT_FILENO) == 1
                    let sink = FileSink(path: output, form)
                    return try IngestJob(options, into: sink, interruption: .process).run(
                        inputs, passedOver: passedOver,
                        progress: isMixed ? ProgressLine(isShown: false) : messages.progressLine)
                } ?? arrow(inputs, passedOver, options)
            try end(with: report)
        }
    }

    private func arrow(
        _ inputs: [IngestInput], _ passedOver: [IngestInput.FolderRest], _ options: IngestOptions
    ) throws -> IngestReport {
        for input in inputs { try input.checkThatItOpens() }
        try OutputNames([output]).check(against: inputs)
        let file = try OutputFile(path: output)
        var conversion = ArrowConversion(
            options, ArrowCompression(rawValue: arrowCompression.rawValue) ?? .none, makesDates: dates, to: file,
            destination: OutputFile.name(of: output), interruption: .process)
        try conversion.run(inputs)
        if conversion.report.outcome == .complete { try file.complete() }
        return conversion.report.noting(passedOver, outputs: [output])
    }

    /// Says what is wrong, or prints the report that was asked for, and ends with the exit code.
    private func end(with report: IngestReport) throws {
        if shared.report != nil || shared.dryRun {
            let text = shared.text(of: report, messages, on: output == "-" ? STDERR_FILENO : STDOUT_FILENO)
            if output == "-" { Terminal.show(text) } else { try Terminal.put(text) }
        } else {
            report.tellProblems("Write the input to a file first, or name the columns with --columns.")
        }
        if report.status != .success { throw report.status.exitCode }
    }

    /// Parses the columns of an option such as `id,actor.login,who=actor.name`.
    private static func columns(_ text: String) throws -> [JSONColumn] {
        try PathSyntax.parts(of: text, between: ",").map { part in
            let equals = PathSyntax.positions(of: "=", in: part.text).first
            let given = equals.map { part.text[..<$0].trimmingCharacters(in: .whitespaces) }
            let rest = equals.map { part.text[part.text.index(after: $0)...] } ?? part.text[...]
            let blanks = rest.prefix { $0.isWhitespace }.count
            do throws(PathFault) {
                let keys = try PathSyntax.keys(of: rest.trimmingCharacters(in: .whitespaces))
                let name = given.map { PathSyntax.unquoted($0) ?? $0 } ?? keys.joined(separator: "_")
                guard !name.isEmpty else { throw PathFault(offset: -blanks, expected: "a column name", found: "none") }
                return JSONColumn(name: name, type: .text, keys: [JSONKeyPath(components: keys)], isTolerant: true)
            } catch {
                let column = part.offset + part.text.count - rest.count + blanks + error.column
                throw ValidationError(
                    "'\(text)': expected \(error.expected), found \(error.found) (column \(column)); \(PathFault.hint)")
            }
        }
    }
}

#endif
