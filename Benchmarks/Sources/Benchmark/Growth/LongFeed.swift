// A feed that is too long for memory, from a file. One pass takes seconds, in which the machine may change its speed several times;
// so the pass is cut into pieces of some milliseconds, and each piece comes between two runs of the baseline, like a lane.

internal import CBaselines
internal import Foundation
internal import Sluice

/// What was measured of a long feed.
struct LongFeedResult: Codable {
    let name: String
    /// What is checked of each record, in the name of the lane.
    let lane: String
    let megabytes: Int
    let records: Int
    /// Megabytes a second of the quiet pieces, and the ratio of those to the baseline.
    let speed: Double
    let ratio: Double
    let spread: Double
    /// Pieces, and those of them that were measured among noise.
    let pieces: Int
    let noisyPieces: Int
    /// Growth of a fresh process that reads the whole feed, in bytes.
    let memory: Double?

    /// The results of one file.
    static func markdown(_ results: [LongFeedResult]) -> String {
        guard let first = results.first else { return "" }
        return """

            ## Reading \(first.name) from a file of \(first.megabytes) MB

            | lane | MB/s | × yajl | ± | records | memory |
            |---|---:|---:|---:|---:|---:|
            \(results.map(\.row).joined(separator: "\n"))

            The median of \(first.pieces - first.noisyPieces) of \(first.pieces) pieces of the file, each between two runs of bare yajl on a part of it that lies in memory.

            """
    }

    private var row: String {
        """
        | **\(lane)** | \(speed.short) | \(ratio.fixed(2)) | \((spread * 100).fixed(1)) % | \(records) | \
        \(memory.map { ($0 / 1_048_576).fixed(1) + " MiB" } ?? "–") |
        """
    }
}

enum LongFeed {
    /// The subject whose data is the same, only shorter.
    static let subjectName = "github_events.ndjson, five keys"

    /// Nanoseconds of a piece.
    private static let piece = 8e6

    /// The feed of GitHub's events; nothing when the corpus is absent.
    static func run(_ arguments: Arguments, _ data: GeneratedData) throws -> [LongFeedResult] {
        let megabytes = arguments.mode == .full ? 400 : arguments.mode == .quick ? 16 : 64
        guard arguments.filter.isEmpty || subjectName.contains(arguments.filter) else { return [] }
        guard let path = try data.githubEventsFile("github_events-\(megabytes).ndjson", bytes: megabytes * 1_000_000) else {
            return []
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        return [try read(GitHubEventFive.self, "GitHub's events, five keys,", path, megabytes, arguments)]
    }

    /// Reads a feed in pieces.
    static func read<Record: JSONBindable>(
        _ type: Record.Type, _ name: String, _ path: String, _ megabytes: Int, _ arguments: Arguments
    ) throws -> LongFeedResult {
        let memory = MemoryProbe.growth(ofFeed: path, isGitHub: Record.self == GitHubEventFive.self)
        let sample = try sample(of: path)
        let subject = Subject(
            name, .reading, size: sample.count, baseline: BareReader.lane(sample), lanes: [])
        var yardstick = try Yardstick(subject, nanoseconds: LongFeed.piece / 2)
        let feed = try JSONFeed<Record>(path: path)
        var samples: [Sample] = []
        var isAtEnd = false
        // Records of one piece, once the first ones have shown how long they take.
        var count = 64
        var before = try yardstick.run()
        while !isAtEnd {
            let start = feed.consumedInputBytes
            let nanoseconds = try Clock.measure {
                for _ in 0..<count where try feed.next() == nil {
                    isAtEnd = true
                    return
                }
            }
            let after = try yardstick.run()
            if Double(nanoseconds) < LongFeed.piece / 2, !isAtEnd || !samples.isEmpty {
                // Too short to mean anything.
                count = max(count, Int(Double(count) * LongFeed.piece / Double(nanoseconds)))
                before = after
                continue
            }
            let speed = Double(feed.consumedInputBytes - start) * 1e3 / Double(nanoseconds)
            samples.append(
                Sample(speed: speed, ratio: speed / ((before + after) / 2), isQuiet: yardstick.accepts(min(before, after))))
            before = after
        }
        let quiet = samples.filter(\.isQuiet)
        let counted = quiet.isEmpty ? samples : quiet
        return LongFeedResult(
            name: name, lane: "Sluice feed, file", megabytes: megabytes,
            records: feed.acceptedCount, speed: counted.map(\.speed).median,
            ratio: counted.map(\.ratio).median, spread: counted.map(\.ratio).spread, pieces: samples.count,
            noisyPieces: samples.count - quiet.count, memory: memory.map(Double.init))
    }

    /// The first megabytes of a file, up to the end of a line: what the baseline reads.
    private static func sample(of path: String) throws -> Document {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var bytes = [UInt8](try file.read(upToCount: 4 << 20) ?? Data())
        if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { bytes.removeSubrange((end + 1)...) }
        return Document("sample", bytes, path: path)
    }
}
