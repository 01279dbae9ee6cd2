#if CommandLine
import GRDB
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

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

    @Test(arguments: [1, 2]) func columnsThatAreAddedAreReadByWorkersToo(_ workers: Int) throws {
        // Many more slices than can be in progress when the columns come.
        let lines = (0..<60_000).map {
            $0 < 100 ? #"{"id":\#($0)}"# : #"{"id":\#($0),"late":{"n":\#($0 * 2)},"text":"t\#($0)\n"}"#
        }
        let scratch = try Scratch()
        let report = try scratch.ingest(lines.joined(separator: "\n")) {
            $0.sample = 100
            $0.workers = workers
        }
        #expect(report.stored == 60_000)
        #expect(report.lateColumns.map(\.path) == ["late.n", "text"])
        #expect(report.lateColumns.map(\.place) == ["line 101", "line 101"])
        #expect(
            try scratch.value("SELECT count(*) FROM records WHERE late_n = id * 2 AND text = 't' || id || char(10)") == 59_900)
        #expect(try scratch.value("SELECT count(*) FROM records WHERE late_n IS NULL AND text IS NULL") == 100)
        #expect(try scratch.value("SELECT count(*) FROM records WHERE id = rowid - 1") == 60_000)
    }

    @Test(arguments: [1, 2]) func noValueOfARowIsLeftInTheNext(_ workers: Int) throws {
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
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
        let report = try scratch.ingest(feed) {
            $0.sample = 3
            $0.existing = .append
            $0.workers = workers
            $0.rejects = "bad"
        }
        let rows = try scratch.rows("SELECT * FROM records ORDER BY id")
        #expect(
            rows.map { $0.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value ?? "-")" }.joined(separator: " ") } == [
                "1 x y -", "2 - - -", "3 z - -", "4 - - 1", "5 - - -", "6 - b 2", "8 - - -",
            ])
        #expect(report.rejected == 3)
        #expect(try scratch.rows("SELECT line FROM bad").map { $0["line"] } == [2, 4, 9])
    }
}
#endif
