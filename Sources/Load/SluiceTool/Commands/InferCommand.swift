// Describes the records of the named feeds on standard output.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// `sluice infer`.
struct InferCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "infer",
        abstract: "Describes the records of feeds: columns, SQL, a JSON Schema, or a Swift model.",
        discussion: """
            All records are looked at, unless --sample-size says otherwise. Several inputs are taken as one feed.

            FORMS
              columns      one line for each column, as --column of ingest
                           takes it
              sql          CREATE TABLE; with --children tables also the
                           tables of arrays
              json-schema  a schema, draft 2020-12, that all records fit;
                           with --children tables one of the tables' rows
              swift        a file with @JSONModel structs that read all
                           records

            Dates, times, addresses and choices of a few words are found in the values, Unix times by their keys and ranges together. \
            They decide the types of swift and of sql for postgres, and the formats of json-schema. No column's text is changed for it.

            A value of --sensitive is described without the keys inside it; in Swift it is marked @JSONSensitive.

            EXAMPLES
              sluice infer events.ndjson
              sluice infer --as swift --name Event events.ndjson > Event.swift
              curl -s https://example.com/page.json | sluice infer --at data.items --as json-schema -

            EXIT CODES
              0         the description is written
              2         it is written, but records could not be read, or no
                        record has a path of --sensitive, but a similar one;
                        or no record has a key to make a column of
              3         an input could not be opened or read, or the
                        description not be written
              64        the command line is wrong
              130, 143  ended by SIGINT, SIGTERM; what was read until then
                        is described
            """)

    @Argument(
        help: ArgumentHelp("The feeds: files, or - for standard input.", valueName: "input"), completion: .file())
    var inputs: [String]

    @Option(name: .customLong("as"), help: "What is written.")
    var form: Infer.Form = .columns

    @Option(help: ArgumentHelp("The name of the table, schema or type; records or Record if not given.", valueName: "name"))
    var name: String?

    @OptionGroup var feed: FeedOptions

    @Option(help: "Whose SQL --as sql writes.")
    var dialect: SQLDialect = .sqlite

    @Option(
        help: ArgumentHelp(
            "A column of the table's primary key, where tables are described. May be repeated.", valueName: "column"))
    var pk: [String] = []

    @OptionGroup var arrays: ChildArguments

    @OptionGroup var shape: FlatteningOptions

    @Option(parsing: .unconditional, help: ArgumentHelp("How many records to look at; -1 is all.", valueName: "n"))
    var sampleSize = -1

    @Option(help: ArgumentHelp("How many threads read records; the description is the same.", valueName: "n"))
    var workers = 1

    func validate() throws {
        try require(sampleSize > 0 || sampleSize == -1, "--sample-size must be at least 1, or -1.")
        try require(workers > 0, "--workers must be at least 1.")
        try require(name != "", "--name must not be empty.")
        let describesTables = try form == .sql || form == .jsonSchema && arrays.options().hasTables
        try require(
            describesTables || arrays.isDefault && pk.isEmpty,
            "--children, --child and --pk describe tables: they need --as sql, or --as json-schema with --children tables.")
        if form == .swift || form == .jsonSchema, !describesTables, let given = shape.given {
            throw ValidationError("\(given) is about columns: it needs --as columns or sql.")
        }
        _ = try shape.feed(feed)
        try feed.checked(inputs)
        try feed.checkSensitivePaths()
    }

    func run() throws {
        let isOfRecords = try form == .swift || form == .jsonSchema && !arrays.options().hasTables
        let name = name ?? (isOfRecords ? "Record" : "records")
        var infer = try Infer(
            Infer.Options(
                feed: shape.feed(feed), sample: sampleSize == -1 ? nil : sampleSize, form: form, name: name,
                workers: workers, children: arrays.options(), key: pk, dialect: dialect,
                flattening: shape.flattening()),
            interruption: .process)
        var unseen: [UnseenPath] = []
        try ExitStatus.reportingErrors {
            for input in inputs where Interruption.process.received == 0 { try infer.observe(input: input) }
            unseen = infer.unseenPaths
            if Interruption.process.received == 0 || infer.seen > 0 { try Terminal.put(infer.text()) }
        } detail: {
            infer.firstError.map { "\(beginning(with: infer.firstErrorInput))\($0.loaderText)" }
        }
        if let error = infer.firstError {
            Terminal.tell(
                "sluice: \(counted(infer.rejected, "record")) could not be read; the first: \(beginning(with: infer.firstErrorInput))\(error.loaderText)"
            )
        }
        for path in unseen { Terminal.tell("sluice: \(path.text.printable)") }
        let signal = Interruption.process.received
        if signal != 0 { throw ExitStatus.interrupted(signal: signal).exitCode }
        if infer.rejected > 0 || unseen.contains(where: { $0.meant != nil }) { throw ExitStatus.rejected.exitCode }
    }
}

extension InferCommand {
    /// An input's name as the beginning of an error; empty if there is only one input.
    private func beginning(with input: String?) -> String { inputs.count > 1 ? input.map { "\($0.printable): " } ?? "" : "" }
}

extension Infer.Form: ExpressibleByArgument {}
extension SQLDialect: ExpressibleByArgument {}
#endif
