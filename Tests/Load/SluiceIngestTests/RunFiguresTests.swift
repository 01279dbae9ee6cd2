// What operators watch of a run.

#if SQLite
import Foundation
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Synchronization
import Testing

/// Keeps all figures of a run.
private final class Watch: Sendable {
    private let kept = Mutex<[RunFigures]>([])

    var all: [RunFigures] { kept.withLock { $0 } }
    var last: RunFigures { get throws { try #require(all.last) } }

    func note(_ figures: RunFigures) { kept.withLock { $0.append(figures) } }
}

extension RunFigures {
    /// The values of a metric, with the values of its labels but the first two.
    fileprivate func values(of metric: String) -> [[String]: Double] {
        Dictionary(
            series.filter { $0.metric.name == metric }.map { ($0.labels.dropFirst(2).map(\.value), $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}

@Suite struct RunFiguresTests {
    private func lines(_ lines: String...) -> String { lines.map { $0 + "\n" }.joined() }

    @Test(arguments: LoaderSink.databases) func theFiguresOfACommitAreThoseOfTheRowsSoFar(sink: LoaderSink) throws {
        let (loader, watch) = (try Loader(sink), Watch())
        let text = lines(#"{"id":1,"a":"x"}"#, #"{"id":2,"a":null}"#, "bad", #"{"id":3}"#)
        let file = try loader.scratch.file("in.ndjson", text)
        let report = try loader.load(file: file) {
            ($0.batch, $0.watch) = (1, { watch.note($0) })
        }
        #expect(report.rows.added == 3 && report.rejected == 1)
        let all = watch.all
        // The last commit has no rows, and the last call is the end.
        #expect(all.map(\.report.rows.added) == [1, 2, 3, 3, 3])
        #expect(all.map(\.report.records) == [1, 2, 4, 4, 4])
        #expect(all.map(\.report.rejected) == [0, 0, 1, 1, 1])
        #expect(all.map(\.commits) == [1, 2, 3, 4, 4])
        #expect(all.map(\.isEnd) == [false, false, false, false, true])
        #expect(all.map(\.lastRejectionCount) == [0, 0, 1, 0, 0])
        #expect(all[2].lastRejections.map(\.record.line) == [3])
        #expect(all.map(\.report.bytes) == all.map(\.report.bytes).sorted() && all[0].report.bytes > 0)
        let last = try watch.last
        #expect(last.report.bytes == text.utf8.count && last.report.rows == report.rows)
        #expect(last.rejections == ["syntax": 1])
        #expect(abs(last.commitTime - Date().timeIntervalSince1970) < 600 && last.commitNanoseconds > 0)
        #expect(last.system == (sink == .sqlite ? "sqlite" : "postgresql"))
        #expect(last.values(of: "sluice_column_values_total") == [["id"]: 3, ["a"]: 1])
        #expect(last.values(of: "sluice_column_nulls_total") == [["id"]: 0, ["a"]: 2])
        #expect(last.values(of: "sluice_rows_total")[["added"]] == 3)
        #expect(last.values(of: "sluice_input_behind_bytes") == [[file]: 0])
    }

    @Test(arguments: [1, 2]) func aRowThatTheTableRefusesIsCountedOnce(workers: Int) throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let file = try loader.scratch.file("in.ndjson", lines(#"{"id":1}"#, #"{"id":1}"#, #"{"id":2}"#))
        try loader.load(file: file) {
            ($0.primaryKey, $0.workers, $0.watch) = (["id"], workers, { watch.note($0) })
        }
        let last = try watch.last
        #expect(last.refused == ["records": 1] && last.rejections == ["constraint": 1])
        #expect(last.values(of: "sluice_rows_total")[["refused"]] == 1)
        #expect(last.values(of: "sluice_column_values_total") == [["id"]: 2])
    }

    @Test func valuesOfAnotherTypeAreCountedInTheirColumn() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let file = try loader.scratch.file("in.ndjson", lines(#"{"id":1,"n":1}"#, #"{"id":2,"n":"x"}"#, #"{"id":3,"n":"y"}"#))
        try loader.load(file: file) { ($0.sample, $0.watch) = (1, { watch.note($0) }) }
        #expect(try watch.last.values(of: "sluice_column_mismatches_total") == [["id"]: 0, ["n"]: 2])
    }

    @Test func aLateColumnIsNullInTheRowsBeforeIt() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let file = try loader.scratch.file("in.ndjson", lines(#"{"id":1}"#, #"{"id":2}"#, #"{"id":3,"late":1}"#))
        try loader.load(file: file) { ($0.sample, $0.batch, $0.watch) = (1, 1, { watch.note($0) }) }
        #expect(try watch.last.values(of: "sluice_column_values_total") == [["id"]: 3, ["late"]: 1])
        #expect(try watch.last.values(of: "sluice_column_nulls_total") == [["id"]: 0, ["late"]: 2])
        #expect(watch.all.map(\.report.addedColumns) == [[], [], ["late"], ["late"], ["late"]])
    }

    @Test(arguments: LoaderSink.databases) func childTablesHaveSeriesOfTheirOwn(sink: LoaderSink) throws {
        let (loader, watch) = (try Loader(sink), Watch())
        let file = try loader.scratch.file("in.ndjson", lines(#"{"id":1,"items":[{"sku":"a"},{"sku":null}]}"#))
        try loader.load(file: file) {
            ($0.children.storage, $0.primaryKey, $0.watch) = (.tables, ["id"], { watch.note($0) })
        }
        let series = try watch.last.series.filter { $0.labels.contains { $0.label == .table && $0.value == "records_items" } }
        func value(_ metric: String, _ label: String) -> Double? {
            series.first { $0.metric.name == metric && $0.labels.last?.value == label }?.value
        }
        #expect(value("sluice_rows_total", "added") == 2)
        #expect(value("sluice_column_values_total", "sku") == 1 && value("sluice_column_nulls_total", "sku") == 1)
    }

    /// Two series of one name would make the whole text of Prometheus invalid.
    @Test func keysInsideASensitiveValueAreNotNamed() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let text = lines(#"{"id":1,"user":{"zQ7":1,"wKx":2},"pin":3}"#, #"{"id":2,"user":{"zQ7":1,"mJv":2}}"#)
        let file = try loader.scratch.file("in.ndjson", text)
        try loader.load(file: file) {
            ($0.sample, $0.batch, $0.sensitive) = (1, 1, ["user", "pin"])
            $0.feed.sensitive = SensitivePaths($0.sensitive)
            $0.watch = { watch.note($0) }
        }
        for figures in watch.all {
            let names = figures.columns.map(\.name) + figures.report.addedColumns
            for key in ["zQ7", "wKx", "mJv"] { #expect(!names.contains { $0.contains(key) }, "\(names)") }
            let series = figures.series.map { one in "\(one.metric.name) \(one.labels.map(\.value))" }
            #expect(Set(series).count == series.count)
        }
        let values = try watch.last.values(of: "sluice_column_values_total")
        #expect(values[["id"]] == 2 && values[["pin"]] == 1 && values.values.reduce(0, +) == 7)
    }

    @Test func aRunThatFindsNothingToDoTellsItsEnd() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let file = try loader.scratch.records("in.ndjson", 1...3)
        try loader.load(file: file)
        let report = try loader.load(file: file) { $0.watch = { watch.note($0) } }
        #expect(report.outcome == .nothingToDo)
        let all = watch.all
        #expect(all.count == 1 && all[0].isEnd && all[0].commits == 0)
        #expect(try watch.last.values(of: "sluice_input_behind_bytes") == [[file]: 0])
        // The last commit was that of the run before.
        #expect(try watch.last.values(of: "sluice_last_commit_duration_seconds").isEmpty)
        let time = try #require(try watch.last.values(of: "sluice_last_commit_timestamp_seconds")[[]])
        #expect(abs(time - Date().timeIntervalSince1970) < 600)
    }

    @Test func whatARunLeavesUnreadIsBehind() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let files = [try loader.scratch.records("a.ndjson", 1...3), try loader.scratch.records("b.ndjson", 1...2)]
        let sizes = try files.map { try #require(FileRest(of: $0, after: 0).count) }
        try loader.load(files: files) { ($0.limit, $0.watch) = (1, { watch.note($0) }) }
        let sink = try #require(loader.target() as? any DatabaseSink)
        let read = try #require(try InputStatus.list(sink).first).bytes
        #expect(read > 0 && read < sizes[0])
        let last = try watch.last
        #expect(last.inputs.map(\.rest) == [.bytes(sizes[0] - read), .bytes(sizes[1])])
        #expect(last.behind == sizes[0] + sizes[1] - read)
        // The next run begins behind, and reads it all.
        let next = Watch()
        try loader.load(files: files) { $0.watch = { next.note($0) } }
        #expect(try next.last.behind == 0)
    }

    /// A log is read pass after pass, and no counter falls back.
    @Test func theFiguresOfALogThatIsFollowedAreThoseOfAllPasses() async throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        func wait(for rows: Int) async throws {
            while watch.all.last?.report.rows.added ?? 0 < rows { try await Task.sleep(for: .milliseconds(5)) }
        }
        let file = try loader.scratch.file("app.ndjson", lines(#"{"id":1}"#))
        let sink = SQLiteSink(path: loader.scratch.path("out.db"), table: "records")
        let reports = Ingest([file], into: sink).watched { watch.note($0) }.follow(every: 0.01)
        let run = Task {
            var last: IngestReport?
            for try await report in reports { last = report }
            return last
        }
        try await wait(for: 1)
        try loader.scratch.append(lines(#"{"id":2,"late":1}"#, "bad"), to: file)
        try await wait(for: 2)
        try FileManager.default.moveItem(atPath: file, toPath: file + ".1")
        _ = try loader.scratch.file("app.ndjson", lines(#"{"id":3}"#))
        try await wait(for: 3)
        run.cancel()
        let report = try #require(try await run.value)
        #expect(report.rows.added == 3 && report.rejected == 1 && report.outcome == .complete)
        let all = watch.all
        for counts in [all.map(\.report.records), all.map(\.report.bytes), all.map(\.report.rows.added), all.map(\.commits)] {
            #expect(counts == counts.sorted())
        }
        #expect(all.map(\.isEnd) == all.indices.map { $0 == all.count - 1 })
        let last = try watch.last
        #expect(last.report.records == 4 && last.report.rows == report.rows && last.rejections == ["syntax": 1])
        #expect(last.values(of: "sluice_column_values_total") == [["id"]: 3, ["late"]: 1])
        #expect(last.values(of: "sluice_column_nulls_total") == [["id"]: 0, ["late"]: 2])
        #expect(last.values(of: "sluice_input_behind_bytes") == [[file]: 0, [file + ".1"]: 0])
    }

    @Test func theFiguresOfARotatedLogHaveItsFiles() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let file = try loader.scratch.file("app.ndjson", lines(#"{"id":1}"#) + #"{"id":"#)
        try loader.load(file: file) { ($0.rotation, $0.watch) = (Rotation(), { watch.note($0) }) }
        #expect(watch.all.map(\.isEnd) == [false, true])
        #expect(try watch.last.values(of: "sluice_input_behind_bytes") == [[file]: 6])
        // A run that has nothing to do knows it, too.
        let next = Watch()
        let report = try loader.load(file: file) { ($0.rotation, $0.watch) = (Rotation(), { next.note($0) }) }
        #expect(report.outcome == .nothingToDo)
        #expect(try next.last.values(of: "sluice_input_behind_bytes") == [[file]: 6])
        #expect(try next.last.values(of: "sluice_last_commit_timestamp_seconds").values.contains { $0 > 1e9 })
    }

    @Test func aDamagedFeedDoesNotFloodTheWatcher() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let bad = Array(repeating: "bad\n", count: 500).joined()
        let file = try loader.scratch.file("in.ndjson", "{\"id\":1}\n" + bad)
        try loader.load(file: file) { $0.watch = { watch.note($0) } }
        #expect(watch.all.map(\.lastRejectionCount).reduce(0, +) == 500)
        #expect(watch.all.allSatisfy { $0.lastRejections.count <= RunFigures.mostRejections })
        #expect(try watch.last.values(of: "sluice_rejections_total") == [["syntax"]: 500])
    }

    /// Batches of text have no cells, and their sink no columns.
    @Test func aFileHasNoColumns() throws {
        let (loader, watch) = (try Loader(.ndjson), Watch())
        try loader.load(file: try loader.scratch.records("in.ndjson", 1...3)) { $0.watch = { watch.note($0) } }
        let last = try watch.last
        #expect(last.report.rows.added == 3 && last.system == nil)
        #expect(last.values(of: "sluice_column_values_total").isEmpty)
    }

    /// The article lists each metric with both names, and each label.
    @Test func theArticleListsEachMetric() throws {
        let (loader, watch) = (try Loader(.sqlite), Watch())
        let text = lines(#"{"id":1}"#, "bad")
        try loader.load(file: try loader.scratch.file("in.ndjson", text)) { $0.watch = { watch.note($0) } }
        let path = TestTables.repository.appendingPathComponent("Sources/Engine/Sluice/Sluice.docc/WhatToWatch.md")
        let article = try String(contentsOf: path, encoding: .utf8)
        let series = try watch.last.series
        #expect(Set(series.map(\.metric.name)).count == 14)
        for one in series {
            let label = one.metric.label ?? "db.client.operation.duration"
            #expect(article.contains("| `\(one.metric.name)` | `\(label)` |"), "\(one.metric.name)")
            for label in one.labels { #expect(article.contains("`\(label.label.attribute)`"), "\(label.label)") }
        }
    }
}
#endif
