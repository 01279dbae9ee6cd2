// The series of a run's figures, as counters and gauges of swift-metrics, and each commit as an operation of a database's client.

#if Services
internal import CoreMetrics
internal import SluiceIngest
internal import Synchronization

/// Passes the figures of a run on to a factory of metrics.
final class RunMetrics: Sendable {
    private struct State {
        /// What the counters have been told, by their names and dimensions.
        var told: [String: Double] = [:]
        /// The gauges of the last call.
        var gauges: [String: Meter] = [:]
        var commits = 0
    }

    private let factory: any MetricsFactory
    private let state = Mutex(State())

    init(_ factory: any MetricsFactory) { self.factory = factory }

    /// Counts what is new since the last call. Counters go on from run to run; the figures begin with 0 in each run.
    func note(_ figures: RunFigures) {
        state.withLock { state in
            var gauges: [String: Meter] = [:]
            for one in figures.series {
                guard let label = one.metric.label else { continue }
                let dimensions = one.labels.map { ($0.label.attribute, $0.value) }
                let key = ([label] + dimensions.map(\.1)).joined(separator: "\0")
                guard one.metric.kind == .counter else {
                    let gauge = state.gauges[key] ?? Meter(label: label, dimensions: dimensions, factory: factory)
                    gauge.set(one.value)
                    gauges[key] = gauge
                    continue
                }
                let increase = one.value - (state.told[key] ?? 0)
                // A new counter is 0, so that its first increase is seen.
                guard increase > 0 || state.told[key] == nil else { continue }
                state.told[key] = one.value
                if let count = Int64(exactly: increase), one.metric.isCount {
                    Counter(label: label, dimensions: dimensions, factory: factory).increment(by: count)
                } else {
                    FloatingPointCounter(label: label, dimensions: dimensions, factory: factory).increment(by: increase)
                }
            }
            // A file that is gone is not behind.
            for (key, gauge) in state.gauges where gauges[key] == nil {
                gauge.set(0)
                gauge.destroy()
            }
            state.gauges = gauges
            guard figures.commits > state.commits else { return }
            state.commits = figures.commits
            commit(figures)
        }
    }

    /// https://opentelemetry.io/docs/specs/semconv/database/database-metrics/: a batch of statements is one operation.
    private func commit(_ figures: RunFigures) {
        guard let system = figures.system else { return }
        let dimensions = [("db.system.name", system), ("db.collection.name", figures.report.table)]
        CoreMetrics.Timer(
            label: "db.client.operation.duration", dimensions: dimensions, preferredDisplayUnit: .seconds, factory: factory
        )
        .recordNanoseconds(Int64(clamping: figures.commitNanoseconds))
    }
}
#endif
