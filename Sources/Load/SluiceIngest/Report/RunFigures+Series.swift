// The figures of a run as series of metrics. The list below is the only one: Prometheus' text and swift-metrics have the same series, under
// names of their own. The article "What to watch" shows it.

extension RunFigures {
    /// One metric, whose series differ in their labels.
    package struct Metric: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable { case counter, gauge }

        /// Prometheus' name, with the unit, and `_total` if it is a counter.
        package let name: String
        /// The name for swift-metrics, in the manner of OpenTelemetry; nil if it has another form there.
        package let label: String?
        package let kind: Kind
        package let help: String
        /// Whether its values are whole numbers.
        package var isCount: Bool { !name.contains("_seconds") }

        init(_ name: String, _ label: String?, _ kind: Kind, _ help: String) {
            (self.name, self.label, self.kind, self.help) = (name, label, kind, help)
        }
    }

    /// What tells the series of a metric apart.
    package enum Label: String, Sendable {
        case database, table, input, result, kind, column

        /// The name in the manner of OpenTelemetry, whose own names are taken where they mean this.
        package var attribute: String {
            switch self {
            // https://opentelemetry.io/docs/specs/semconv/registry/attributes/db/
            case .table: "db.collection.name"
            // https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/
            case .kind: "error.type"
            case .database, .input, .result, .column: "sluice.\(rawValue)"
            }
        }
    }

    package typealias Labels = [(label: Label, value: String)]

    /// A series and its value.
    package struct Series: Sendable {
        package let metric: Metric
        package let labels: Labels
        package let value: Double

        init(_ metric: Metric, _ labels: Labels, _ value: Double) {
            (self.metric, self.labels, self.value) = (metric, labels, value)
        }
    }

    private static let bytes = Metric("sluice_bytes_total", "sluice.bytes", .counter, "Bytes of text that were read.")
    private static let records = Metric("sluice_records_total", "sluice.records", .counter, "Records that were read.")
    private static let passedOver = Metric(
        "sluice_passed_over_records_total", "sluice.records.passed_over", .counter, "Records for which --where does not hold.")
    private static let rejected = Metric(
        "sluice_rejected_records_total", "sluice.records.rejected", .counter, "Records that were rejected.")
    private static let rejections = Metric(
        "sluice_rejections_total", "sluice.rejections", .counter,
        "Rejected records, documents and elements, by the kind of the error.")
    private static let rows = Metric(
        "sluice_rows_total", "sluice.rows", .counter, "Rows, by what the table has done with them.")
    private static let behind = Metric(
        "sluice_input_behind_bytes", "sluice.input.behind", .gauge, "Bytes of a file that are behind what was read of it.")
    private static let commits = Metric("sluice_commits_total", "sluice.commits", .counter, "Transactions that were committed.")
    private static let databaseTime = Metric(
        "sluice_database_seconds_total", "sluice.database.time", .counter, "Seconds that were spent in the database.")
    // As an event, it is the `db.client.operation.duration` of OpenTelemetry.
    private static let commitTime = Metric(
        "sluice_last_commit_duration_seconds", nil, .gauge, "How long the last transaction took, with the storing of its rows.")
    private static let lastCommit = Metric(
        "sluice_last_commit_timestamp_seconds", "sluice.last_commit.time", .gauge, "When the last transaction was committed.")
    private static let values = Metric(
        "sluice_column_values_total", "sluice.column.values", .counter, "Values that are not null, in stored rows.")
    private static let nulls = Metric(
        "sluice_column_nulls_total", "sluice.column.nulls", .counter, "Stored rows without a value: null, or no such key.")
    private static let mismatches = Metric(
        "sluice_column_mismatches_total", "sluice.column.mismatches", .counter, "Values of another type than the column's.")

    /// All series. Those of one metric stand together.
    package var series: [Series] {
        let table = labels(of: report.table)
        func one(_ metric: Metric, _ value: Int) -> Series { Series(metric, table, Double(value)) }
        func seconds(_ metric: Metric, _ value: Double) -> [Series] { value > 0 ? [Series(metric, table, value)] : [] }
        var all = [
            one(RunFigures.bytes, report.bytes), one(RunFigures.records, report.records),
            one(RunFigures.passedOver, report.passedOver), one(RunFigures.rejected, report.rejected),
        ]
        for (kind, count) in rejections.sorted(by: { $0.key < $1.key }) {
            all.append(Series(RunFigures.rejections, labels(of: report.table, .kind, kind), Double(count)))
        }
        all += series(of: report.rows, in: report.table)
        for child in report.children { all += series(of: child.rows, in: child.table) }
        for input in inputs {
            guard let count = input.rest.count else { continue }
            all.append(Series(RunFigures.behind, labels(of: report.table, .input, input.name), Double(count)))
        }
        all.append(one(RunFigures.commits, commits))
        all += seconds(RunFigures.databaseTime, Double(report.databaseNanoseconds) / 1e9)
        all += seconds(RunFigures.commitTime, Double(commitNanoseconds) / 1e9)
        all += seconds(RunFigures.lastCommit, commitTime)
        all += seriesOfColumns(RunFigures.values) { $0.values }
        all += seriesOfColumns(RunFigures.nulls) { $0.nulls }
        return all + seriesOfColumns(RunFigures.mismatches) { $0.offType }
    }

    private func labels(of table: String, _ label: Label? = nil, _ value: String = "") -> Labels {
        var labels: Labels = [(label: .database, value: report.destination), (label: .table, value: table)]
        if let label { labels.append((label: label, value: value)) }
        return labels
    }

    private func series(of rows: RowCounts, in table: String) -> [Series] {
        let results = [
            ("added", rows.added), ("changed", rows.changed), ("same", rows.same), ("kept", rows.kept), ("removed", rows.removed),
            ("refused", refused[table] ?? 0),
        ]
        return results.map { Series(RunFigures.rows, labels(of: table, .result, $0), Double($1)) }
    }

    private func seriesOfColumns(_ metric: Metric, _ count: (Column) -> Int) -> [Series] {
        columns.map { Series(metric, labels(of: $0.table, .column, $0.name), Double(count($0))) }
    }
}
