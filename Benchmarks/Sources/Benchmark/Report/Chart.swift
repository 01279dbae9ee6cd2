// The ratios as a picture for the README: plain SVG text, which follows the reader's light or dark colours. Reading is on the
// left, writing on the right; each subject has a scale of its own, so that no bar is cut.

internal import Foundation

/// A bar chart of speeds as multiples of bare yajl's, as in the tables.
struct Chart {
    private let report: Report
    private static let width = 860.0
    private static let columnWidth = 420.0
    private static let labels = 128.0
    /// Room for the figures after the longest bar.
    private static let figures = 56.0
    private static let barHeight = 12.0
    private static let pitch = 16.0
    /// Lanes of a subject: our own, and the fastest others.
    private static let lanesShown = 6
    /// The picture fits a screen: what is below is left out.
    private static let tallest = 900.0

    init(_ report: Report) { self.report = report }

    /// The subjects that are shown, by their names, in this order.
    private static let subjects = [
        "twitter.json", "twitter.json, every key", "canada.json", "github_user.json", "github_events.json",
        "github_events.ndjson, five keys", "feed.ndjson", "feed.json, an array",
    ]

    private static let ours: [LaneKind] = [.sluice, .sluiceFeed]
    private static let others: [LaneKind] = [.glaze, .simdjson, .yyjson, .serde, .msgspec, .orjson, .serializationByHand]

    var text: String {
        let reading = column(.reading, x: 0)
        let writing = column(.writing, x: Chart.width - Chart.columnWidth)
        let height = max(reading.height, writing.height) + 24
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Chart.width.fixed(0)) \(height.fixed(0))" role="img" \
            aria-label="Speed as a multiple of bare yajl">
            <style>
            text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
            .title { font-weight: 600; }
            .note { fill: #57606a; font-size: 11px; }
            .name, .value { font-size: 11px; }
            .name { text-anchor: end; }
            .ours { fill: #d9480f; }
            .other { fill: #8c959f; }
            .foundation { fill: #4c7fb8; }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3; }
            .note { fill: #9198a1; }
            .ours { fill: #ff8a4c; }
            .other { fill: #6e7681; }
            .foundation { fill: #6ea8e6; }
            }
            </style>
            <text class="title" x="0" y="16">Speed as a multiple of bare yajl (reading) and bare yajl_gen (writing)</text>
            <text class="note" x="0" y="32">\(escaped(report.machine.processor)), one thread, commit \(escaped(report.machine.commit))</text>
            \(reading.text)\(writing.text)<text class="note" x="0" y="\((height - 8).fixed(0))">\(escaped(versions))</text>
            </svg>

            """
    }

    /// What the numbers were measured with.
    private var versions: String {
        (["yajl \(report.machine.yajl)", report.machine.compiler] + report.peers).joined(separator: ", ")
    }

    private func column(_ direction: Direction, x: Double) -> (text: String, height: Double) {
        var text = ""
        var y = 40.0
        for name in Chart.subjects {
            guard let subject = report.subjects.first(where: { $0.name == name && $0.direction == direction }) else { continue }
            let lanes = shown(of: subject)
            let height = 24 + Double(lanes.count) * Chart.pitch
            guard let fastest = lanes.first?.ratio, fastest > 0, y + height <= Chart.tallest else { continue }
            let verb = direction == .reading ? "reading" : "writing"
            text += "<text class=\"title\" x=\"\(x.fixed(0))\" y=\"\((y + 16).fixed(0))\">\(verb) \(escaped(name))</text>\n"
            y += 22
            for lane in lanes {
                text += bar(lane, x: x, y: y, scale: lane.ratio / fastest)
                y += Chart.pitch
            }
            y += 2
        }
        return (text, y)
    }

    /// The fastest of our lanes, our coders, Foundation's coders, and the fastest others, sorted by their ratios.
    private func shown(of subject: SubjectResult) -> [LaneResult] {
        func fastest(_ kinds: [LaneKind], _ count: Int) -> [LaneResult] {
            Array(kinds.compactMap { subject.lane($0) }.sorted { $0.ratio > $1.ratio }.prefix(count))
        }
        let ends = fastest(Chart.ours, 1) + fastest([.sluiceCodable], 1) + fastest([.foundation], 1)
        return (ends + fastest(Chart.others, Chart.lanesShown - ends.count)).sorted { $0.ratio > $1.ratio }
    }

    private func bar(_ lane: LaneResult, x: Double, y: Double, scale: Double) -> String {
        let style = lane.kind.isOurs ? "ours" : lane.kind == .foundation ? "foundation" : "other"
        let start = x + Chart.labels
        let length = max(1, scale * (Chart.columnWidth - Chart.labels - Chart.figures))
        let base = (y + Chart.barHeight - 2).fixed(0)
        let figures = "\(lane.ratio.fixed(2)) ×"
        return """
            <text class="name" x="\((start - 6).fixed(0))" y="\(base)">\(escaped(lane.kind.shortName))</text>\
            <rect class="\(style)" x="\(start.fixed(0))" y="\(y.fixed(0))" width="\(length.fixed(1))" \
            height="\(Chart.barHeight.fixed(0))" rx="2"/>\
            <text class="value" x="\((start + length + 5).fixed(1))" y="\(base)">\(figures)</text>

            """
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}

extension LaneKind {
    /// A name that is short enough for the space next to a bar.
    fileprivate var shortName: String {
        switch self {
        case .sluiceFeed: "Sluice, feed"
        case .simdjson: "simdjson"
        case .serializationByHand: "JSONSerialization"
        default: rawValue
        }
    }
}
