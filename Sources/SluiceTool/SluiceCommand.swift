// The command line's first word chooses what is done.

#if CommandLine
internal import ArgumentParser

/// Runs the tool with the arguments of the process.
package func runSluice() { SluiceCommand.main() }

/// `sluice`.
struct SluiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sluice",
        abstract: "Streams JSON records into SQLite.",
        discussion: """
            EXAMPLES
              sluice generate --records 200000 --seed 1 events.ndjson
              sluice ingest events.ndjson events.db
            """,
        version: "0.1.0",
        subcommands: [IngestCommand.self, GenerateCommand.self])
}
#else
internal import Foundation

/// The tool of a build that leaves its dependencies out.
package func runSluice() {
    let text = "sluice was built without the package trait CommandLine, which brings in what the tool needs.\n"
    FileHandle.standardError.write(Data(text.utf8))
    exit(1)
}
#endif
