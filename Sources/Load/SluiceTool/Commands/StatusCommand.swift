// Says how far the inputs of a database have been read.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// `sluice status`.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows how far the inputs of a database have been read.",
        discussion: """
            A row for each input of each table:
              table, input  the table, and the path of the file
              state         running while a run reads it, else ended; unknown for a run on
                            another machine that writes into SQLite
              complete      whether it was read to its end
              behind        bytes of the file after what was read of it; empty for a
                            compressed file that was not read to its end
              file          there; gone; shorter, if it is shorter than what was read
              bytes, line   how much of its text was read, and the line where the next
                            record begins
              records       records that were read, and how many of them were rejected
              last          when the last batch was committed, in UTC; empty if an earlier
                            version has stored it
              host, process the run that has read it last, and when it began (began)

            On a terminal, this is an aligned table, elsewhere NDJSON, unless --to or the name of -o says otherwise. \
            Nothing is changed.

            EXAMPLES
              sluice status events.db
              sluice status --to table postgresql://localhost/shop events
              sluice status events.db | jq -r 'select(.behind > 0) | .input'

            EXIT CODES
              0         the answer is written
              3         the database could not be opened or read, or its
                        checkpoints are damaged or of a later version
              64        the command line is wrong, or no input was read into
                        the table
            """)

    @Argument(
        help: ArgumentHelp("The database: a file, or postgresql://host/name.", valueName: "database"), completion: .file())
    var database: String

    @Argument(help: "The table whose inputs are shown; all tables if not given.")
    var table: String?

    @Option(help: "What is written. (default: table on a terminal; else ndjson, or what the name of the output says)")
    var to: QueryCommand.Form?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write; standard output if not given.", valueName: "file"),
        completion: .file())
    var output = "-"

    func validate() throws {
        try IngestTarget.check(database)
        try require(table != "", "The table has no name.")
        _ = try form()
    }

    private func form() throws -> QueryCommand.Form { try QueryCommand.form(to, output, of: "status") }

    func run() throws {
        try ExitStatus.reportingErrors {
            // Without a table, the first schema of search_path that has checkpoints is looked at.
            let target = try IngestTarget.sink(for: database, table: table ?? OwnTables.checkpoints)
            guard let sink = target as? any DatabaseSink else { throw IngestError.usage("\(target.name) has no checkpoints") }
            try OutputNames([output]).check(against: sink.files.map { IngestInput($0) })
            let inputs = try InputStatus.list(sink, table: table)
            if inputs.isEmpty { Terminal.tell("sluice: no input was read into \(sink.destination)") }
            let (form, file) = (try form(), try OutputFile(path: output))
            var text: any ByteSink = file
            if form == .ndjson || form == .json { text = PrintableJSON(sink: file) }
            var writer = QueryCommand.writer(form, to: text, output)
            writer.begin(StatusCommand.columns)
            for input in inputs { try writer.append(input.row) }
            try writer.finish()
            try file.complete()
        }
    }

    private static let columns: [ResultColumn] = [
        ResultColumn(name: "table"), ResultColumn(name: "input"), ResultColumn(name: "state"),
        ResultColumn(name: "complete", isBool: true), ResultColumn(name: "behind"), ResultColumn(name: "file"),
        ResultColumn(name: "bytes"), ResultColumn(name: "line"), ResultColumn(name: "records"), ResultColumn(name: "rejected"),
        ResultColumn(name: "last"), ResultColumn(name: "host"), ResultColumn(name: "process"), ResultColumn(name: "began"),
    ]
}

/// Writes JSON whose strings have escapes for characters that command a terminal: the names of files come from outside.
private struct PrintableJSON: ByteSink {
    var sink: any ByteSink

    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        try sink.put(Array(unsafe String(decoding: bytes, as: UTF8.self).printableJSON.utf8))
    }
}

extension InputStatus {
    /// The values of ``StatusCommand/columns``.
    fileprivate var row: [ResultValue] {
        func text(_ text: String?) -> ResultValue { text.map { .text(Array($0.utf8)) } ?? .null }
        func number(_ number: Int?) -> ResultValue { number.map { .integer(Int64($0)) } ?? .null }
        let file =
            switch rest {
            case .bytes, .unknown: "there"
            case .shorter: "shorter"
            case .gone: "gone"
            }
        return [
            text(table), text(input), text("\(state)"), number(isComplete ? 1 : 0), number(rest.count), text(file),
            number(bytes), number(line), number(records), number(rejected), text(time), text(run?.host), number(run?.process),
            text(run?.started),
        ]
    }
}
#endif
