// One lane and nothing else, for tools that look inside a process: callgrind, perf, and our own probe of memory.

internal import Foundation
internal import Sluice

/// Runs one lane a number of times.
struct OneLane {
    private let arguments: Arguments
    private let lane: String
    private let data: String

    init(_ arguments: Arguments, lane: String, data: String) {
        self.arguments = arguments
        self.lane = lane
        self.data = data
    }

    func run() throws {
        let generated = try GeneratedData(megabytes: arguments.chosenSize, folder: arguments.folder)
        let entries = Catalog(data: generated, peers: Peers([])).entries
        let names = entries.map { "'\($0.key)'" }.joined(separator: ", ")
        // A bare name such as `twitter.json` means the reading of it.
        guard let entry = entries.first(where: { $0.key == data || $0.name == data }) else {
            throw BenchmarkError("no data \(data); there are \(names)")
        }
        guard let subject = try entry.make() else { throw BenchmarkError("the corpus is absent") }
        guard let kind = LaneKind.allCases.first(where: { $0.key == lane || $0.rawValue == lane }),
            let lane = subject.lane(kind)
        else {
            let kinds = ([subject.baseline] + subject.lanes).map(\.kind.key).joined(separator: ", ")
            throw BenchmarkError("no lane \(lane); \(entry.key) has \(kinds)")
        }
        guard arguments.isMemoryProbe else {
            _ = try lane.run(arguments.iterations)
            return
        }
        let before = MemoryProbe.startPeak()
        _ = try lane.run(arguments.iterations)
        print(max(0, MemoryProbe.peak - before))
    }

    /// Reads a feed from a file, once, and prints by how much the process grew.
    static func probeFeed(_ path: String, isGitHub: Bool) throws {
        let before = MemoryProbe.startPeak()
        if isGitHub {
            try read(try JSONFeed<GitHubEventFive>(path: path))
        } else {
            try read(try JSONFeed<FeedEvent>(path: path))
        }
        print(max(0, MemoryProbe.peak - before))
    }

    private static func read<Record>(_ feed: JSONFeed<Record>) throws {
        while let record = try feed.next() { _ = consume record }
    }
}
