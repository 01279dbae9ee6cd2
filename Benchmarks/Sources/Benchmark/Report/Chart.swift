// The ratios as a picture: plain SVG text, which follows the reader's light or dark colours.

internal import Foundation

/// A bar chart of the ratios to the baseline.
struct Chart {
    private let report: Report
    private static let width = 860.0
    private static let labels = 250.0
    private static let barHeight = 15.0
    private static let pitch = 20.0
    /// Longer bars are cut, or Foundation's could not be seen.
    private static let longest = 5.0

    init(_ report: Report) { self.report = report }

    /// What is shown of a subject, in this order at most.
    private static let shown: [LaneKind] = [
        .sluice, .sluiceFeed, .sluiceValue, .simdjson, .serde, .msgspec, .orjson, .serializationByHand, .foundation,
    ]

    var text: String {
        var body = ""
        var y = 64.0
        for subject in report.subjects {
            let lanes = Chart.shown.compactMap { subject.lane($0) }.sorted { $0.ratio > $1.ratio }
            guard !lanes.isEmpty else { continue }
            y += 12
            let verb = subject.direction == .reading ? "reading" : "writing"
            body += "<text class=\"title\" x=\"0\" y=\"\(y.fixed(0))\">\(verb) \(subject.name)</text>\n"
            y += 9
            for lane in lanes {
                body += bar(lane, y)
                y += Chart.pitch
            }
            y += 12
        }
        let one = x(1)
        let height = y + 8
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Chart.width.fixed(0)) \(height.fixed(0))" role="img" \
            aria-label="Throughput as a multiple of bare yajl">
            <style>
            text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #24292f; }
            .title { font-weight: 600; }
            .note { fill: #57606a; font-size: 12px; }
            .name, .value { font-size: 12px; }
            .name { text-anchor: end; }
            .ours { fill: #d9480f; }
            .other { fill: #8c959f; }
            .foundation { fill: #4c7fb8; }
            .one { stroke: #57606a; stroke-dasharray: 3 3; }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3; }
            .note { fill: #9198a1; }
            .ours { fill: #ff8a4c; }
            .other { fill: #6e7681; }
            .foundation { fill: #6ea8e6; }
            .one { stroke: #9198a1; }
            }
            </style>
            <text class="title" x="0" y="16">Throughput as a multiple of bare yajl</text>
            <text class="note" x="0" y="34">reading: of yajl with empty callbacks; writing: of yajl_gen. \(escaped(report.machine.processor)), \
            \(report.machine.cores) cores, commit \(escaped(report.machine.commit))</text>
            <line class="one" x1="\(one.fixed(1))" y1="58" x2="\(one.fixed(1))" y2="\((height - 8).fixed(0))"/>
            <text class="note" x="\(one.fixed(1))" y="52" text-anchor="middle">1 × yajl</text>
            \(body)</svg>

            """
    }

    private func x(_ ratio: Double) -> Double {
        Chart.labels + min(ratio, Chart.longest) / Chart.longest * (Chart.width - Chart.labels - 60)
    }

    private func bar(_ lane: LaneResult, _ y: Double) -> String {
        let style =
            lane.kind.isOurs ? "ours" : lane.kind == .foundation || lane.kind == .serializationByHand ? "foundation" : "other"
        let end = x(lane.ratio)
        let base = (y + Chart.barHeight - 4).fixed(0)
        return """
            <text class="name" x="\((Chart.labels - 8).fixed(0))" y="\(base)">\(lane.kind.rawValue)</text>\
            <rect class="\(style)" x="\(Chart.labels.fixed(0))" y="\(y.fixed(0))" width="\(max(1, end - Chart.labels).fixed(1))" \
            height="\(Chart.barHeight.fixed(0))" rx="2"/>\
            <text class="value" x="\((end + 6).fixed(1))" y="\(base)">\(lane.ratio.fixed(2))\(lane.ratio > Chart.longest ? " →" : "")</text>

            """
    }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
