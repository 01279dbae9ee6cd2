// The figures of a run in Prometheus' text format, and as a line of JSON.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest

extension RunFigures {
    /// The figures in Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/
    var prometheus: String {
        var (text, last) = ("", "")
        for one in series {
            let metric = one.metric
            if metric.name != last {
                text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            }
            last = metric.name
            let labels = one.labels.map { "\($0.label.rawValue)=\"\(RunFigures.escaped($0.value))\"" }
            text += "\(metric.name){\(labels.joined(separator: ","))} \(RunFigures.number(one.value))\n"
        }
        return text
    }

    /// A label's value: a backslash, a double quote and a line break are escaped, and nothing else.
    private static func escaped(_ value: String) -> String {
        value.escaping([("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n")])
    }

    private static func number(_ value: Double) -> String { Int(exactly: value).map { "\($0)" } ?? "\(value)" }

    /// The figures as one line of JSON. What the report has, too, has its names there; a report has another outcome.
    var json: String {
        func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
        func decimal(_ value: Double) -> JSONValue { JSONNumber(value).map { .number($0) } ?? .null }
        let rows = report.rows
        let kinds = JSONObject(rejections.sorted { $0.key < $1.key }.map { ($0.key, number($0.value)) })
        let value: JSONValue = [
            "outcome": "running", "database": .string(report.destination), "table": .string(report.table),
            "inputs": number(report.inputs), "records": number(report.records), "added": number(rows.added),
            "changed": number(rows.changed), "same": number(rows.same), "kept": number(rows.kept),
            "removed": number(rows.removed), "refused": number(refused[report.table] ?? 0),
            "rejected": number(report.rejected), "rejections": .object(kinds),
            "passed_over": number(report.passedOver), "bytes": number(report.bytes),
            "behind": behind.map { number($0) } ?? .null, "commits": number(commits),
            "commit_seconds": decimal(Double(commitNanoseconds) / 1e9), "committed_at": decimal(commitTime),
            "seconds": decimal(Double(report.nanoseconds) / 1e9),
        ]
        return (try? value.jsonString()).map { $0.printableJSON + "\n" } ?? ""
    }
}
#endif
