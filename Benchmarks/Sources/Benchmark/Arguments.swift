// The command line.

internal import ArgumentParser
internal import Foundation

/// What was asked for.
struct Arguments: ParsableArguments {
    enum Mode: EnumerableFlag {
        case usual, quick, full

        static func name(for value: Mode) -> NameSpecification { .long }

        static func help(for value: Mode) -> ArgumentHelp? {
            switch value {
            case .usual: "64 MB of GitHub's feed, growth to 100 MB."
            case .quick: "A look within two minutes: fewer and shorter runs, 2 MB of feed, lanes only."
            case .full: "400 MB of GitHub's feed, growth to 1 GB."
            }
        }
    }

    enum Part: String, CaseIterable, ExpressibleByArgument { case lanes, memory, growth, feed }

    @Flag(exclusivity: .exclusive) var mode = Mode.usual

    @Option(help: ArgumentHelp("Subjects whose name contains this text, such as 'twitter' or 'writing'.", valueName: "text"))
    var filter = ""

    @Option(help: ArgumentHelp("Runs of each lane (15; quick: 3).", valueName: "n"), transform: Arguments.positive)
    var rounds: Int?

    @Option(
        help: ArgumentHelp("The feeds that are read from memory (4; quick: 2).", valueName: "MB"), transform: Arguments.positive)
    var size: Int?

    @Option(
        help: ArgumentHelp("What to run, separated by commas: lanes,memory,growth,feed.", valueName: "parts"),
        transform: Arguments.parts)
    var only: Set<Part>?

    @Option(help: ArgumentHelp("All samples as JSON; - is standard output.", valueName: "file"))
    var json: String?

    @Option(
        name: .customLong("results"),
        help: ArgumentHelp("Where the tables and the chart go (Benchmarks/.build/results).", valueName: "folder"))
    var resultsFolder: String?

    @Flag(
        name: .customLong("publish"), help: "The tables and the chart go to Benchmarks/results, from which the README shows them."
    )
    var isPublished = false

    @Flag(name: .customLong("no-results"), help: "Tables on standard output only.")
    var isSilent = false

    @Option(
        name: .customLong("once"),
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Runs one lane and prints nothing: for callgrind. The two are names that --list gives.", valueName: "lane> <data"))
    var onceNames: [String] = []

    @Option(help: ArgumentHelp("How often --once runs the lane.", valueName: "n"), transform: Arguments.positive)
    var iterations = 1

    @Flag(name: .customLong("list"), help: "Names of lanes and data.")
    var isList = false

    @Flag(name: .customLong("corpus"), help: "The folder of the public files.") var isCorpus = false

    // What the benchmark calls itself with.
    @Flag(name: .customLong("memory-probe"), help: .hidden) var isMemoryProbe = false
    @Option(name: .customLong("feed-probe"), parsing: .upToNextOption, help: .hidden) var feedProbeNames: [String] = []
    @Option(help: .hidden) var folder: String?

    func validate() throws {
        guard onceNames.isEmpty || onceNames.count == 2 else { throw ValidationError("--once needs a lane and data; see --list") }
        guard feedProbeNames.isEmpty || feedProbeNames.count == 2 else { throw ValidationError("--feed-probe needs two values") }
    }

    @Sendable private static func positive(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw ValidationError("'\(text)' is not a number above 0") }
        return number
    }

    @Sendable private static func parts(_ text: String) throws -> Set<Part> {
        Set(
            try text.split(separator: ",").map { word in
                guard let part = Part(rawValue: String(word)) else { throw ValidationError("there is no part '\(word)'") }
                return part
            })
    }

    /// A lane and its data, where only they are run.
    var once: (lane: String, data: String)? { onceNames.isEmpty ? nil : (onceNames[0], onceNames[1]) }

    /// A feed whose reading is measured by how much this process grows.
    var feedProbe: (isGitHub: Bool, path: String)? {
        feedProbeNames.isEmpty ? nil : (feedProbeNames[0] == "github", feedProbeNames[1])
    }

    /// As it was typed.
    var command: String {
        (["benchmark"] + CommandLine.arguments.dropFirst()).map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
    }

    /// Where the tables and the chart go; nil for nowhere.
    var results: String? {
        guard !isSilent else { return nil }
        if let resultsFolder { return resultsFolder }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent(isPublished ? "../../results" : "../../.build/results").standardizedFileURL.path
    }

    /// What is run.
    var parts: Set<Part> { only ?? (mode == .quick ? [.lanes] : Set(Part.allCases)) }

    /// Runs of each lane.
    var chosenRounds: Int {
        rounds ?? (mode == .quick ? 3 : 15)
    }

    /// Megabytes of the feeds in memory.
    var chosenSize: Int { size ?? (mode == .quick ? 2 : 4) }

    /// How long a lane runs at a time.
    var nanoseconds: Double { mode == .quick ? 15e6 : 30e6 }

    /// How often a run among noise is repeated.
    var attempts: Int { mode == .quick ? 5 : 10 }
}
