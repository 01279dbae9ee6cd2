// Reads rejected records again that somebody has mended.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

/// `sluice replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Stores rejected records that were mended, and takes them out of the rejects.",
        discussion: """
            The rejects are the file or the table that --rejects of ingest has filled. Mend the text in the column json_line, or the table \
            that has refused the record; then give the same options as to ingest. A record that is stored leaves the rejects in the same \
            transaction, so a run that is killed stores each record once. One that is rejected again stays, with its new error and its \
            old position. Elements, documents, and values without their key stay, too: error_type ends with that word. So does an unfinished \
            record, which its input ends in: complete the input, and ingest it again.

            EXAMPLES
              sluice ingest events.ndjson events.db --rejects bad.ndjson
              sluice replay bad.ndjson events.db
              sluice replay bad events.db --table events --pk id --upsert

            EXIT CODES
              0         every record is stored
              2         records are rejected again, or cannot be replayed
              3         the rejects or the database cannot be used
              64        the command line is wrong
              130, 143  ended by SIGINT, SIGTERM; records read until then
                        are stored, and the others stay in the rejects
            """)

    @Argument(
        help: ArgumentHelp("The rejects: a file (a name with a dot), or a table of the database.", valueName: "rejects"))
    var rejects: String

    @Argument(
        help: ArgumentHelp("The database: a file, or postgresql://host/name.", valueName: "output.db"), completion: .file())
    var output: String

    @Option(help: "The table that the records go into.")
    var table = "records"

    @OptionGroup var feed: FeedOptions

    @OptionGroup var filter: WhereOption

    @OptionGroup var shape: FlatteningOptions

    @OptionGroup var shared: RecordOptions

    @OptionGroup var arrays: ChildArguments

    @OptionGroup var key: TableOptions

    @OptionGroup var messages: MessageOptions

    func validate() throws {
        let others: [(String, Bool)] = [
            ("--rejects", shared.rejects != nil), ("--at", feed.at != nil), ("--format", feed.format != .auto),
            ("--range", feed.range != nil), ("--compression", feed.compression != .auto),
            ("--where", filter.condition != nil),
        ]
        if let other = others.first(where: \.1)?.0 { throw ValidationError("\(other) is about feeds, and replay reads rejects.") }
        try require(
            !feed.header,
            "A rejected row does not have the names of --header: write the row as an object into json_line, and leave out --header."
        )
        try require(
            shape.keyColumn == nil,
            "A rejected record of --key-column does not have its key: add the key to json_line, take ' (value)' out of error_type, and leave out --key-column."
        )
        try require(rejects != table, "\(rejects) is the table that the records go into.")
        try IngestTarget.check(output)
        try shared.check(feed, filter, shape)
    }

    func run() throws {
        StandardStreams.ignoreBrokenPipes()
        var options = try shared.options(feed, filter, shape, messages)
        let target = RejectsTarget(rejects)
        options.children = try arrays.options()
        key.apply(to: &options)
        try ExitStatus.reportingErrors {
            let sink = try IngestTarget.sink(for: output, table: table)
            let replay = Replay(try rejections(target, sink))
            guard replay.count + replay.withoutText + replay.parts + replay.unfinished > 0 else {
                if !messages.quiet { try Terminal.put("\(rejects.printable) holds no rejected records\n") }
                return
            }
            var status = ExitStatus.success
            if replay.count > 0 {
                options.read(replay, from: target)
                let report = try IngestJob(options, into: sink, interruption: .process).run(
                    replay.inputs, progress: messages.progressLine)
                if !messages.quiet { try Terminal.put(shared.text(of: report, messages, on: STDOUT_FILENO)) }
                // The rejections of records that a contract has left out stay.
                status = report.status.worse(report.discarded > 0 ? .rejected : .success)
            }
            let left = ReplayCommand.text(ofLeft: replay)
            Terminal.show(left)
            status = status.worse(left.isEmpty ? .success : .rejected)
            if status != .success { throw status.exitCode }
        }
    }

    /// What stays without being read.
    private static func text(ofLeft replay: Replay) -> String {
        var text = ""
        if replay.withoutText > 0 { text += "rejections without a text, which stay: \(replay.withoutText.grouped)\n" }
        if replay.parts > 0 {
            text +=
                "rejections of elements, documents or values without their key, which stay, because they are no records: \(replay.parts.grouped)\n"
        }
        if replay.unfinished > 0 {
            text +=
                "unfinished records, which stay, because an ingest reads them again when their inputs have grown: \(replay.unfinished.grouped)\n"
        }
        return text
    }

    private func rejections(_ target: RejectsTarget, _ sink: any RecordSink) throws -> [Replay.Rejection] {
        if let path = target.path { return try Replay.rejections(inFile: path, sink) }
        guard let source = sink as? any RejectionSource else {
            throw IngestError.usage("rejects are read from a file or from a table of a database")
        }
        return try source.rejections(in: target.name)
    }
}
#endif
