#if SQLite
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest

/// Rows on their way from workers to the thread that writes them.
@Suite struct SliceRowTests {
    private func slice(_ text: String) throws -> FeedSlice {
        var splitter = RecordSplitter(source: BytesSource(Array((text + "\n").utf8)), format: .lines)
        let slice = splitter.nextSlice()
        return try #require(slice)
    }

    /// How many cells each record has; nil for one that is to be read again.
    private func cellCounts(_ rows: SliceRows) -> [Int?] {
        rows.entries.map { if case .cells(let cells) = $0.kind { cells.count } else { nil } }
    }

    private func column(_ name: String) -> SluiceCore.JSONColumn {
        SluiceCore.JSONColumn(name: name, type: .integer, keys: [JSONKeyPath(name)])
    }

    private func list(_ columns: [SluiceCore.JSONColumn], _ indices: [Int]) -> WorkerColumns.List {
        (columns, RowPlan(columns), indices, [])
    }

    @Test func aRecordHasCellsForItsOwnKeysAlone() throws {
        let columns = (0..<300).map { column("k\($0)") }
        var reader = SliceRowReader(WorkerColumns(list(columns, Array(columns.indices))), nil, countsKeys: false)
        let rows = reader.read(try slice(#"{"k7":1,"k299":null,"k8":2}"# + "\n{}\n" + #"{"k0":[}"# + "\n" + #"{"k299":3}"#))
        #expect(cellCounts(rows) == [3, 0, nil, 1])
        let again = reader.read(try slice(#"{"k1":1}"#))
        #expect(cellCounts(again) == [1])
    }

    @Test func workersReadTheColumnsThatAreAddedMeanwhile() throws {
        let columns = WorkerColumns(list([column("a")], [0]))
        var reader = SliceRowReader(columns, nil, countsKeys: false)
        let feed = #"{"a":1}"# + "\n" + #"{"a":1,"b":2}"#
        #expect(cellCounts(reader.read(try slice(feed))) == [1, nil])
        columns.change(to: list([column("a"), column("b")], [0, 5]))
        #expect(cellCounts(reader.read(try slice(feed))) == [1, 2])
    }

    @Test(arguments: LoaderSink.databases + [.ndjson], [1, 2])
    func columnsThatAreAddedAreReadByWorkersToo(sink: LoaderSink, workers: Int) throws {
        // Many more slices than can be in progress when the columns come.
        let lines = (0..<60_000).map {
            $0 < 100 ? #"{"id":\#($0)}"# : #"{"id":\#($0),"late":{"n":\#($0 * 2)},"text":"t\#($0)\n"}"#
        }
        let loader = try Loader(sink)
        let report = try loader.load(lines.joined(separator: "\n")) {
            ($0.sample, $0.workers) = (100, workers)
            // A file has columns if an option asks for them.
            $0.contract = .evolve
        }
        #expect(report.stored == 60_000)
        #expect(report.lateColumns.map(\.path) == ["late.n", "text"])
        #expect(report.lateColumns.map(\.position) == ["line 101", "line 101"])
        let rows = try loader.rows("id", "late_n", "text")
        #expect(rows.count == 60_000)
        for (id, row) in rows.enumerated() {
            let number = Int64(id)
            guard row == (id < 100 ? [.integer(number), nil, nil] : [.integer(number), .integer(2 * number), "t\(id)\n"]) else {
                return #expect(Bool(false), "\(id): \(row)")
            }
        }
    }

    @Test(arguments: LoaderSink.databases, [1, 2]) func noValueOfARowIsLeftInTheNext(sink: LoaderSink, workers: Int) throws {
        let feed = """
            {"id":1,"a":"x","b":"y"}
            {"a":"lost","b":"lost"}
            {"id":2}
            {"id":1,"b":"double"}
            {"id":3,"a":"z"}
            {"id":4,"late":{"k":1}}
            {"id":5,"b":null}
            {"id":6,"b":"\\u0062","late":{"k":2}}
            {"id":"seven","a":"lost","b":"lost"}
            {"id":8}
            """
        let loader = try Loader(sink)
        try loader.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
        let report = try loader.load(feed) {
            ($0.sample, $0.existing, $0.workers, $0.rejects) = (3, .append, workers, .table("bad"))
        }
        #expect(try loader.columns() == ["id", "a", "b", "late_k"])
        #expect(
            try loader.rows("id", "a", "b", "late_k", by: "id") == [
                [1, "x", "y", nil], [2, nil, nil, nil], [3, "z", nil, nil], [4, nil, nil, 1], [5, nil, nil, nil],
                [6, nil, "b", 2], [8, nil, nil, nil],
            ])
        #expect(report.rejected == 3)
        #expect(try loader.rows("line", of: "bad", by: "line") == [[2], [4], [9]])
    }
}
#endif
