#if SQLite
import SluiceCore
import SluiceFeed
import SluiceIngest
import SluiceTestSupport
import Testing

/// Records with more keys than a table has columns. What the tool says of them is tested with it.
@Suite struct ColumnLimitTests {
    /// A record with that many keys, the first of which is `id`. The values are numbers; if it is sparse, most of them are null.
    private func record(_ id: Int, _ count: Int, key: String = "k", isSparse: Bool = false) -> String {
        let values = (1..<count).map { #""\#(key)\#($0)":\#(isSparse && !$0.isMultiple(of: 7) ? "null" : "\($0)")"# }
        return #"{"id":\#(id),"# + values.joined(separator: ",") + #","last":"x\#(id)"}"#
    }

    private enum Extra: CaseIterable, Sendable { case nothing, children, fileName }

    /// In PostgreSQL, the numbers of a row also have to fit into a page.
    @Test(arguments: LoaderSink.databases, Extra.allCases)
    private func keysBeyondTheColumnsOfATableGoIntoTheColumnForTheRest(sink: LoaderSink, extra: Extra) throws {
        let loader = try Loader(sink)
        let lines = (1...2).map { record($0, 2_500, isSparse: sink == .postgres) }
        let report = try loader.load(lines.joined(separator: "\n")) {
            ($0.overflow, $0.primaryKey) = ("rest", ["last"])
            switch extra {
            case .nothing: break
            case .children: $0.children.storage = .tables
            case .fileName: $0.addsFileName = true
            }
        }
        #expect(report.isSuccess && report.rows.added == 2, "\(report)")
        let names = try loader.columns()
        #expect(names.count <= (sink == .sqlite ? 2_000 : 1_600))
        // Every value is in a column or in the rest, once.
        let columns = names.filter { $0 != "rest" && $0 != "filename" }
        for (id, row) in try loader.rows(["last", "k7", "rest"], by: "last").enumerated() {
            #expect(row.dropLast() == ["x\(id + 1)", 7])
            // Beside tables of arrays, a key that was only null has no column yet, so all others fit into the table.
            let isSmall = sink == .postgres && extra == .children
            let rest = isSmall ? JSONObject() : try #require(try JSONValue(json: row[2].text ?? "").object)
            #expect((row[2] == nil) == isSmall)
            let expected = (1..<2_500).filter { !columns.contains("k\($0)") && (sink == .sqlite || $0.isMultiple(of: 7)) }
            #expect(Set(rest.keys) == Set(expected.map { "k\($0)" }) && rest.count == expected.count)
            for member in rest.members { #expect(member.value.int == Int(member.key.dropFirst())) }
        }
    }

    @Test(arguments: LoaderSink.databases) func lateKeysBeyondTheColumnsNameTheLimitAndAllOfThemAreListed(sink: LoaderSink) throws
    {
        let loader = try Loader(sink)
        let limit = sink == .sqlite ? 2_000 : 1_600
        let feed = record(1, limit - 100, isSparse: sink == .postgres) + "\n" + record(2, 600, key: "late") + "\n"
        let report = try loader.load(feed) { $0.sample = 1 }
        #expect(report.isLossy)
        #expect(report.unknownKeys.count == 500)
        #expect(report.columnLimit == limit)
        #expect(try loader.load(feed, into: "rest") { ($0.sample, $0.overflow) = (1, "rest") }.isSuccess)
    }

    @Test(arguments: LoaderSink.databases, ["1", "[1]"])
    func lateKeysThatMakeAnObjectADictionaryNameTheLimit(sink: LoaderSink, value: String) throws {
        let loader = try Loader(sink)
        let lines = [#"{"id":0,"m":{"x":1}}"#] + (1...300).map { #"{"id":\#($0),"m":{"k\#($0)":\#(value)}}"# }
        func load(_ change: (inout IngestOptions) -> Void = { _ in }) throws -> IngestReport {
            try loader.load(lines.joined(separator: "\n")) {
                ($0.sample, $0.children.storage, $0.existing) = (1, .tables, .drop)
                change(&$0)
            }
        }
        let report = try load()
        #expect(report.isLossy)
        #expect(report.keyLimit?.path == "m" && report.keyLimit?.count == 200)
        #expect(try load { $0.flattening.mapThreshold = 400 }.isSuccess)
        #expect(try load { $0.flattening.whole = [["m"]] }.isSuccess)
    }

    @Test(arguments: LoaderSink.databases, [4, 200]) func newKeysElsewhereTakeNoRoomFromThoseOfAnObject(
        sink: LoaderSink, count: Int
    ) throws {
        let loader = try Loader(sink)
        let others = (0..<count).map { #""x\#($0)":0,"# }.joined()
        let feed = #"{"id":1,"p":{"a":1}}"# + "\n" + #"{"id":2,\#(others)"p":{"b":5}}"# + "\n"
        #expect(try loader.load(feed) { ($0.sample, $0.flattening.mapThreshold) = (1, min(count, 199) - 1) }.isSuccess)
        #expect(try loader.rows("id", "p_b") == [[1, nil], [2, 5]])
    }

    @Test(arguments: LoaderSink.databases) func withoutAColumnForTheRestTheErrorSaysWhatHelps(sink: LoaderSink) throws {
        let error = #expect(throws: IngestError.self) { try Loader(sink).load(record(1, 2_500) + "\n") }
        #expect(
            error?.description.contains(sink == .sqlite ? "no more than 2,000 columns" : "no more than 1,600 columns") == true)
    }

    @Test(arguments: [2_500, 10_000], [false, true]) func aFileOfColumnsHasMoreOfThem(count: Int, addsFileName: Bool) throws {
        let loader = try Loader(.csv)
        #expect(try loader.load(record(1, count) + "\n") { $0.addsFileName = addsFileName }.isSuccess)
        #expect(try loader.columns().count == count + (addsFileName ? 2 : 1))
    }
}
#endif
