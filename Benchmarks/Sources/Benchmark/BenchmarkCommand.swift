// The command: arguments go in, tables come out. No code that is timed is here.

internal import ArgumentParser
internal import CBaselines
internal import Foundation

@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmark",
        abstract: "Measures Sluice beside its own parser, Foundation and others, as ratios of one interleaved run.",
        discussion: "Tables go to standard output and to a folder; Benchmarks/README.md says how to read them.")

    @OptionGroup var arguments: Arguments

    func run() throws {
        // A peer that ends must not end this process with it.
        signal(SIGPIPE, SIG_IGN)
        if arguments.isList {
            try Self.list(arguments)
        } else if arguments.isCorpus {
            print(Corpus.folder?.path ?? "")
        } else if let probe = arguments.feedProbe {
            try OneLane.probeFeed(probe.path, isGitHub: probe.isGitHub)
        } else if let once = arguments.once {
            try OneLane(arguments, lane: once.lane, data: once.data).run()
        } else {
            try Self.run(arguments)
        }
    }

    private static func list(_ arguments: Arguments) throws {
        let catalog = Catalog(data: try GeneratedData(megabytes: 1), peers: Peers([]))
        print("lanes: " + LaneKind.allCases.map(\.key).joined(separator: ", "))
        print("data:  " + catalog.entries.map { "'\($0.key)'" }.joined(separator: ", "))
    }

    private static func run(_ arguments: Arguments) throws {
        // One processor may be slower than the next; a peer's process inherits this.
        baseline_stay_on_this_processor()
        let data = try GeneratedData(megabytes: arguments.chosenSize)
        var report = Report(arguments: arguments, machine: Machine())
        let peers = Peers([.glaze, .simdjson, .yyjson, .rust, .python])
        report.skipped = peers.skipped + (Corpus.folder == nil ? ["corpus: not there (Scripts/fetch-corpus)"] : [])
        report.peers = peers.versions
        for line in report.skipped { Terminal.tell("skipped: \(line)") }
        // Written after each part: a run that is stopped keeps what it has.
        if arguments.parts.contains(.lanes) {
            report.subjects = try LaneRun(arguments, data, peers).run()
            try report.write()
        }
        if arguments.parts.contains(.feed) {
            report.longFeeds = try LongFeed.run(arguments, data)
            try report.write()
        }
        if arguments.parts.contains(.growth) {
            report.growth = try Growth(arguments, data).run()
            try report.write()
        }
        try report.show()
    }
}
