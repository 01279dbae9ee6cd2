// Writes a generated feed, as the options describe it.

#if CommandLine
internal import ArgumentParser
internal import Foundation
internal import SluiceCore
internal import SluiceIngest

/// `sluice generate`.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes a feed of made-up events, for tests and measurements.",
        discussion: """
            The events have the shape of GitHub's public feed: nested objects, arrays of commits, text in many scripts with \
            escapes, dates, nulls, long strings, and keys that are rare. One seed gives the same bytes on every platform.

            EXAMPLES
              sluice generate --records 200000 --seed 1 events.ndjson
              sluice generate --records 1000 --format array - | head -c 2000

            EXIT CODES
              0   the feed is written
              3   the output cannot be written
              64  the command line is wrong
            """)

    @Option(help: "How many records to write.")
    var records: Int

    @Option(help: "The seed of the records: the same seed and number give the same records.")
    var seed: UInt64 = 1

    @Option(help: "How the records are laid out.")
    var format: EventFeed.Layout = .ndjson

    @Flag(help: "Give the feed flaws: a late key, and one record that is cut off.")
    var flaws = false

    @Argument(help: ArgumentHelp("The file to write, or - for standard output.", valueName: "output"), completion: .file())
    var output: String

    func validate() throws {
        try require(records >= 0, "--records must not be negative.")
    }

    func run() throws {
        try ExitStatus.reportingErrors {
            let start = Clock.nanoseconds
            var sink = try FileOutput(path: output)
            let count = try EventFeed(records: records, seed: seed, layout: format, hasFlaws: flaws).write(to: &sink)
            let seconds = Double(Clock.nanoseconds - start) / 1e9
            guard isatty(STDERR_FILENO) == 1, output != "-" else { return }
            Terminal.tell(
                "\(records.grouped) records, \(megabytes(count)) in \(seconds.fixed(2)) s "
                    + "(\((Double(count) / 1e6 / seconds).fixed(0)) MB/s)")
        }
    }
}

extension EventFeed.Layout: ExpressibleByArgument {}
#endif
