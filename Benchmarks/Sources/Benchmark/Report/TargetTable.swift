// Compares what was promised with what was measured.

internal import Foundation

/// The targets, each reached or not.
struct TargetTable {
    private let report: Report

    init(_ report: Report) { self.report = report }

    /// One promise.
    private struct Target {
        let lane: String
        let promise: String
        let measured: String
        let isReached: Bool?
    }

    var text: String {
        var text = """
            # Targets

            Ratios of one interleaved run (`\(report.arguments.command)`, commit \(report.machine.commit)): to bare yajl of the same \
            round where something is read, to bare yajl_gen where something is written, or to the lane that is named.

            | lane | at least | measured | |
            |---|---:|---:|---|

            """
        for name in counted {
            text += "| \(name) | in instructions | | see [INSTRUCTIONS.md](INSTRUCTIONS.md) |\n"
        }
        for target in targets {
            let verdict = target.isReached.map { $0 ? "reached" : "**not reached**" } ?? "not measured"
            text += "| \(target.lane) | \(target.promise) | \(target.measured) | \(verdict) |\n"
        }
        return text
    }

    /// Lanes whose bars are in instructions (Benchmarks/instructions has them): the noise of a shared machine does not decide there.
    private var counted: [String] {
        let both = [
            "twitter.json", "twitter.json, every key", "canada.json", "github_user.json", "github_events.json",
            "feed.json, an array",
        ]
        return (both + ["canada.json, lists"]).map { "reading \($0)" } + both.map { "writing \($0)" }
    }

    private var targets: [Target] {
        reading + longFeeds + inChunks + throughYajl + shapes + writing + codable
    }

    private var reading: [Target] {
        [
            target("catalogue, pretty-printed", 2.6),
            target("feed.ndjson", .sluiceFeed, 1.15),
            target("feed.json, an array", .sluiceFeed, 1.1),
            timesLane("github_events.ndjson, five keys, keys missing", "github_events.ndjson, five keys"),
            timesLane("github_events.ndjson, five keys, keys swapped", "github_events.ndjson, five keys"),
            target("arrays, 100 deep", .sluiceValue, 0.3),
            target("lines: rows under a header", .sluiceFeed, 1.2),
        ]
    }

    /// Records whose keys are missing or have changed places, compared with those of one order.
    private func timesLane(_ twin: String, _ name: String) -> Target {
        let ratio = subject(twin, .reading)?.lane(.sluiceFeed).flatMap { twin in
            subject(name, .reading)?.lane(.sluiceFeed).map { twin.ratio / $0.ratio }
        }
        return Target(
            lane: "reading \(twin)", promise: "0.90 × \(name)", measured: ratio?.fixed(2) ?? "",
            isReached: ratio.map { $0 >= 0.9 })
    }

    /// A document that comes in chunks is gathered: that should cost little.
    private var inChunks: [Target] {
        ["twitter.json", "twitter.json, every key", "canada.json", "github_user.json"].map { name in
            let subject = subject(name, .reading)
            let ratio = subject?.lane(.sluiceChunks).flatMap { chunks in subject?.lane(.sluice).map { chunks.ratio / $0.ratio } }
            return Target(
                lane: "reading \(name), \(LaneKind.sluiceChunks.rawValue)", promise: "0.80 × Sluice, whole",
                measured: ratio?.fixed(2) ?? "", isReached: ratio.map { $0 >= 0.8 })
        }
    }

    private var throughYajl: [Target] {
        [("twitter.json", 0.8), ("twitter.json, every key", 0.65), ("github_user.json", 0.65), ("github_events.json", 0.65)]
            .flatMap { name, least in
                [target(name, .sluiceYajl, least), target(name, .sluiceYajlChunks, least)]
            }
    }

    private var shapes: [Target] {
        [
            target("[String: Int]", 0.4),
            target("[String: model]", 0.95),
            target("models, 100 deep", 0.7),
            target("models, 100 deep", .sluiceValue, 0.4),
            target("a book of 60 bytes", 1.9),
        ]
    }

    private var writing: [Target] {
        [target("feed.json, to a file descriptor", .writing, .sluice, 3.2)]
    }

    /// Types that are `Codable` and nothing else: above the fastest library that decodes them.
    private var codable: [Target] {
        let bars = [
            ("twitter.json", 1.4, 0.9), ("twitter.json, every key", 0.6, 0.7), ("github_user.json", 0.8, 1.0),
            ("canada.json", 0.4, 0.35), ("github_events.json", 0.5, 0.8),
        ]
        return bars.map { target($0.0, .reading, .sluiceCodable, $0.1) }
            + bars.map { target($0.0, .writing, .sluiceCodable, $0.2) }
            + ["unions of three types", "either of two objects", "AnyCodable"].map { timesFoundation($0, 2) }
    }

    /// Types that try one thing after another: compared with Foundation, because no other library decodes them.
    private func timesFoundation(_ name: String, _ least: Double) -> Target {
        let subject = subject(name, .reading)
        let ratio = subject?.lane(.sluiceCodable).flatMap { own in subject?.lane(.foundation).map { own.ratio / $0.ratio } }
        return Target(
            lane: "reading \(name), \(LaneKind.sluiceCodable.rawValue)", promise: "\(least.fixed(2)) × Foundation",
            measured: ratio?.fixed(2) ?? "", isReached: ratio.map { $0 >= least })
    }

    private func target(_ name: String, _ least: Double) -> Target { target(name, .reading, .sluice, least) }

    private func target(_ name: String, _ kind: LaneKind, _ least: Double) -> Target { target(name, .reading, kind, least) }

    private func target(_ name: String, _ direction: Direction, _ kind: LaneKind, _ least: Double) -> Target {
        let ratio = subject(name, direction)?.lane(kind)?.ratio
        return Target(
            lane: "\(direction == .reading ? "reading" : "writing") \(name)" + (kind == .sluice ? "" : ", \(kind.rawValue)"),
            promise: "\(least.fixed(2))", measured: ratio?.fixed(2) ?? "", isReached: ratio.map { $0 >= least })
    }

    private func subject(_ name: String, _ direction: Direction) -> SubjectResult? {
        report.subjects.first { $0.name == name && $0.direction == direction }
    }

    private var longFeeds: [Target] {
        [longFeed("Sluice feed, file", 3.4, memory: 16 * 1_048_576)]
    }

    private func longFeed(_ lane: String, _ least: Double, memory limit: Double?) -> Target {
        let feed = report.longFeeds.first { $0.lane == lane }
        let memory = feed?.memory.map { "\(($0 / 1_048_576).fixed(1)) MiB" }
        let name = "NDJSON of GitHub events, five properties, \(feed.map { "\($0.megabytes) MB file" } ?? "400 MB")"
        return Target(
            lane: "\(lane), \(name)",
            promise: least.fixed(2) + (limit.map { " in under \(Int($0) >> 20) MiB" } ?? ""),
            measured: feed.map { $0.ratio.fixed(2) + (memory.map { " in \($0)" } ?? "") } ?? "",
            isReached: feed.map { feed in feed.ratio >= least && limit.map { feed.memory ?? .infinity < $0 } ?? true })
    }
}
