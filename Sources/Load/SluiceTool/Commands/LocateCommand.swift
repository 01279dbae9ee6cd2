// Says which record a row comes from, and prints it.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// `sluice locate`.
struct LocateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "locate",
        abstract: "Prints the record that a row comes from.",
        discussion: """
            The table must have been loaded with --provenance or --provenance-table. The row is named by the values of its key, in the \
            key's order, or by column=value. The first line is the file, the line and the byte of the record; after it comes the record's \
            text. For a row of a child table, it is the text of the element.

            The file may be compressed. If it has been rotated, files of its folder are searched whose names differ only in a number, a \
            date or a compression: app.log.1, app.log-20261125.gz. If another text is at the place, that is an error.

            EXAMPLES
              sluice ingest logs/ -o logs.db --table events --pk id --provenance
              sluice locate logs.db events 7
              sluice locate logs.db events_items 7 0
              sluice locate postgresql://localhost/shop events id=7

            EXIT CODES
              0         the record is printed
              3         there is no such table or row, its place is not known,
                        or the record is not there any more
              64        the command line is wrong
            """)

    @Argument(
        help: ArgumentHelp("The database: a file, or postgresql://host/name.", valueName: "output.db"), completion: .file())
    var database: String

    @Argument(help: ArgumentHelp("The table of the row.", valueName: "table"))
    var table: String

    @Argument(help: ArgumentHelp("The values of the row's key, or column=value.", valueName: "key"))
    var key: [String]

    func validate() throws { try IngestTarget.check(database) }

    func run() throws {
        StandardStreams.ignoreBrokenPipes()
        try ExitStatus.reportingErrors {
            guard let sink = try IngestTarget.sink(for: database, table: table) as? any OriginSource else {
                throw IngestError.usage("rows come from somewhere in tables of SQLite and PostgreSQL alone")
            }
            let origin = try sink.origin(ofKey: key)
            let found = try origin.locate()
            let moved = found.isMoved ? ", which was in \(origin.input)" : ""
            try Terminal.put("\(found.path): line \(origin.line), byte \(origin.byte)\(moved)".printable + "\n")
            var output = FileOutput(descriptor: STDOUT_FILENO, name: "standard output")
            try output.put(found.text + [UInt8(ascii: "\n")])
        }
    }
}
#endif
