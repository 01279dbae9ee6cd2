// What was promised beside what was measured.

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

            Ratios of one interleaved run (`\(report.arguments.command)`, commit \(report.machine.commit)); "yajl" is bare yajl or bare \
            yajl_gen of the same round.

            | lane | at least | measured | |
            |---|---|---|---|

            """
        for target in targets {
            let verdict = target.isReached.map { $0 ? "reached" : "**not reached**" } ?? "not measured"
            text += "| \(target.lane) | \(target.promise) | \(target.measured) | \(verdict) |\n"
        }
        return text
    }

    private var targets: [Target] {
        [
            target("reading typed twitter.json, full validation", "twitter.json", .reading, .sluiceFull, yajl: 0.92),
            target("reading typed twitter.json, default", "twitter.json", .reading, .sluice, yajl: 1.3, foundation: 4),
            target("reading typed canada.json", "canada.json", .reading, .sluice, yajl: 0.78, foundation: 8),
            target("reading typed github_user.json", "github_user.json", .reading, .sluice, yajl: 0.85, foundation: 6),
            target("generated NDJSON feed, every property bound, 1 worker", "feed.ndjson", .reading, .sluiceFeed, yajl: 0.8),
            longFeed,
            target(
                "`JSONValue` of twitter.json", "twitter.json", .reading, .sluiceValue, foundation: 4, over: .serialization),
            target("writing typed twitter.json", "twitter.json", .writing, .sluice, yajl: 2, foundation: 10),
            target("writing typed canada.json", "canada.json", .writing, .sluice, yajl: 0.55, foundation: 12),
            target("writing typed github_user.json", "github_user.json", .writing, .sluice, yajl: 1.8, foundation: 9),
            ahead,
        ]
    }

    private func target(
        _ lane: String, _ name: String, _ direction: Direction, _ kind: LaneKind, yajl: Double? = nil, foundation: Double? = nil,
        over other: LaneKind = .foundation
    ) -> Target {
        let rival = other == .foundation ? "Foundation" : "JSONSerialization"
        let baseline = direction == .reading ? "yajl" : "yajl_gen"
        let promise = [yajl.map { "\($0.fixed(2)) × \(baseline)" }, foundation.map { "\($0.fixed(0)) × \(rival)" }]
        let subject = report.subjects.first { $0.name == name && $0.direction == direction }
        let ratio = subject?.lane(kind)?.ratio
        let factor = subject?.factor(kind, over: other)
        let measured = [yajl == nil ? nil : ratio.map { $0.fixed(2) }, foundation == nil ? nil : factor.map { $0.short }]
        let isReached = ratio.map { $0 >= yajl ?? 0 && (foundation == nil || factor ?? 0 >= foundation ?? 0) }
        return Target(
            lane: lane, promise: promise.compactMap { $0 }.joined(separator: ", "),
            measured: measured.compactMap { $0 }.joined(separator: ", "), isReached: isReached)
    }

    private var longFeed: Target {
        let feed = report.longFeed
        let short = report.subjects.first { $0.name == LongFeed.subjectName }?.lane(.sluiceFeed)
        var measured = feed.map { "\($0.ratio.fixed(2)) in \($0.memory.map { "\(($0 / 1_048_576).fixed(1)) MiB" } ?? "–")" } ?? ""
        if feed == nil, let short { measured = "\(short.ratio.fixed(2)) in memory; the file was not run" }
        return Target(
            lane: "NDJSON of GitHub events, five properties, \(feed.map { "\($0.megabytes) MB file" } ?? "400 MB")",
            promise: "2.00 × yajl in under 16 MiB", measured: measured,
            isReached: feed.map { $0.ratio >= 2 && $0.memory ?? .infinity < 16 * 1_048_576 })
    }

    private var ahead: Target {
        let subject = report.subjects.first { $0.name == "twitter.json" && $0.direction == .reading }
        let factor = subject?.factor(.sluice, over: .serde)
        return Target(
            lane: "reading typed twitter.json", promise: "above serde_json",
            measured: factor.map { "\($0.fixed(2)) × serde_json" } ?? "",
            isReached: factor.map { $0 > 1 })
    }
}
