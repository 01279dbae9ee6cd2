// The tables that people read.

internal import Foundation

/// The results as Markdown.
struct MarkdownTables {
    private let report: Report

    init(_ report: Report) { self.report = report }

    var text: String {
        var text = "# Results\n\n" + heading + "\n"
        if !report.subjects.isEmpty { text += "\n![Throughput as a multiple of bare yajl](throughput.svg)\n" }
        for subject in report.subjects { text += table(subject) }
        text += LongFeedResult.markdown(report.longFeeds)
        for table in report.growth { text += table.markdown }
        let notMeasured = report.skipped + report.subjects.flatMap(MarkdownTables.leftOut)
        if !notMeasured.isEmpty {
            text += "\n## Not measured\n\n" + notMeasured.map { "- \($0)\n" }.joined()
        }
        return text
    }

    /// The peers of a subject that have no number, and why.
    private static func leftOut(_ subject: SubjectResult) -> [String] {
        subject.leftOut.map {
            "\($0.kind.rawValue), \(subject.direction.rawValue) \(subject.name): ± \(($0.spread * 100).fixed(1)) % in \($0.samples.count) rounds"
        }
    }

    /// The machine and the command.
    private var heading: String {
        let machine = report.machine
        return """
            | | |
            |---|---|
            | machine | \(machine.processor), \(machine.cores) cores |
            | system | \(machine.system) |
            | compiler | \(machine.compiler), `-c release` |
            | commit | \(machine.commit) |
            | yajl | \(machine.yajl) |
            | peers | \(report.peers.isEmpty ? "none" : report.peers.joined(separator: ", ")) |
            | command | `\(report.arguments.command)` (`make bench`), \(report.arguments.chosenRounds) rounds |

            MB/s is the median of the rounds, by the time that the thread was at work. × yajl is the ratio to bare yajl (reading) or bare yajl_gen (writing) on the same data, \
            from the runs of it directly before and after; ± is half the distance between the quartiles. Memory is the growth of a fresh \
            process that runs the lane three times. Allocations are per document. How this is measured: [README](../README.md).

            """
    }

    private func table(_ subject: SubjectResult) -> String {
        let baseline = subject.direction == .reading ? "yajl" : "yajl_gen"
        var text = "\n## \(subject.direction == .reading ? "Reading" : "Writing") \(subject.name)\n\n"
        text += "\(size(subject.size)).\n\n"
        text += "| lane | MB/s | × \(baseline) | ± | × Foundation | memory | allocations |\n"
        text += "|---|---:|---:|---:|---:|---:|---:|\n"
        for lane in subject.lanes.sorted(by: { $0.ratio > $1.ratio }) {
            let name = lane.kind.isOurs ? "**\(lane.kind.rawValue)**" : lane.kind.rawValue
            let foundation = subject.lane(.foundation).map { (lane.ratio / $0.ratio).short } ?? "–"
            let notes =
                (lane.noisyRounds > 0 ? " (noisy: \(lane.noisyRounds) of \(lane.samples.count))" : "")
                + (lane.problem.map { " **WRONG: \($0)**" } ?? "")
            let spread = (lane.spread * 100).fixed(1) + " %"
            text += "| \(name)\(notes) | \(lane.speed.short) | \(lane.ratio.fixed(2)) | \(spread) | \(foundation) | "
            text += "\(lane.memory.map(size) ?? "–") | \(lane.allocations.map { "\($0)" } ?? "–") |\n"
        }
        return text
    }

    private func size(_ bytes: Int) -> String {
        bytes >= 1 << 20
            ? (Double(bytes) / 1_048_576).fixed(1) + " MiB"
            : bytes >= 1 << 10 ? (Double(bytes) / 1024).fixed(1) + " KiB" : "\(bytes) B"
    }
}
