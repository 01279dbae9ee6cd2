#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

struct IngestTests {
    /// The value at the path of a column in what Foundation has read. A key that is no plain name is in quotes.
    private func value(_ path: String, in object: [String: Any]) -> Any? {
        JSONKeyPath(path).components.reduce(object as Any?) { ($0 as? [String: Any])?[$1] }
    }

    /// The value as SQLite should hold it.
    private func stored(_ value: Any?) -> DatabaseValue {
        switch value {
        case let text as String: text.databaseValue
        case let number as NSNumber:
            isFraction(number) ? number.doubleValue.databaseValue : number.int64Value.databaseValue
        default: .null
        }
    }

    private func isFraction(_ number: NSNumber) -> Bool { ["d", "f"].contains(unsafe String(cString: number.objCType)) }

    @Test(arguments: [EventFeed.Layout.ndjson, .array])
    func aGeneratedFeedIsStoredAsFoundationReadsIt(layout: EventFeed.Layout) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(BytesSource(generated(3_000, layout: layout), chunkSize: 4_099)) { $0.batch = 700 }
        #expect(report.status == .success)
        #expect(report.stored == 3_000)
        #expect(report.bytes == (try generated(3_000, layout: layout).count))
        #expect(try scratch.count() == 3_000)

        let events = try objects(generated(3_000))
        let rows = try scratch.rows("SELECT * FROM records ORDER BY rowid")
        let paths = report.columns.map { ($0.name, $0.type, $0.path) }
        #expect(paths.count > 40)
        for (row, event) in zip(rows, events) {
            for (name, type, path) in paths {
                let expected = value(path, in: event)
                let found: DatabaseValue = row[name]
                if type == .json, expected != nil, !(expected is NSNull) {
                    let text = try #require(String.fromDatabaseValue(found))
                    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
                    #expect((parsed as? NSObject) == (expected as? NSObject), "\(path)")
                } else if type == .real, let number = expected as? NSNumber {
                    #expect(found == number.doubleValue.databaseValue, "\(path)")
                } else {
                    #expect(found == stored(expected), "\(path)")
                }
            }
        }
    }

    @Test func everyWayToCutTheInputGivesTheSameRows() throws {
        let feed =
            #"{"id":1,"t":"é\n\u00e9","o":{"x":[1,{"y":"}"}]}}"# + "\n" + #"{"id":2,"t":"\ud83d\ude80","o":{"x":null}}"# + "\n"
        for chunk in 1...(feed.utf8.count + 1) {
            let scratch = try Scratch()
            let report = try scratch.ingest(feed, chunk: chunk)
            #expect(report.stored == 2)
            let rows = try scratch.rows("SELECT id, t, o_x FROM records")
            #expect(rows[0] == ["id": 1, "t": "é\né", "o_x": #"[1,{"y":"}"}]"#])
            #expect(rows[1] == ["id": 2, "t": "🚀", "o_x": nil])
        }
    }

    @Test func declaredColumnsAreReadByPathAndType() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(
            #"{"id": 7, "user": {"name": "Zoë", "age": 12.5}, "at": "2025-03-01T12:00:00+02:00", "ok": true, "tags": [ 1 , "a" ]}"#,
            columns: [
                "id:integer", "who:text=user.name", "age:real=user.age", "at:timestamp", "ok:bool", "tags:json", "gone:text",
            ])
        #expect(report.stored == 1)
        #expect(report.origin == .declared)
        #expect(
            try scratch.rows("SELECT * FROM records") == [
                [
                    "id": 7, "who": "Zoë", "age": 12.5, "at": "2025-03-01T10:00:00Z", "ok": 1, "tags": #"[1,"a"]"#,
                    "gone": nil,
                ]
            ])
        #expect(
            try scratch.value("SELECT sql FROM sqlite_master")
                == #"CREATE TABLE "records" ("id" INTEGER, "who" TEXT, "age" REAL, "at" TEXT, "ok" BOOLEAN, "tags" TEXT, "gone" TEXT)"#
        )
    }

    @Test func aValueIsForgottenInTheNextRecord() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(
            #"{"a":1,"b":"x","c":1.5,"d":[1]}"# + "\n{}\n" + #"{"a":2,"b":"","c":2.5,"d":[]}"# + "\n"
                + #"{"a":null,"b":null,"c":null,"d":null}"#)
        let rows = try scratch.rows("SELECT a, b, c, d FROM records")
        #expect(rows[0] == ["a": 1, "b": "x", "c": 1.5, "d": "[1]"])
        #expect(rows[1] == ["a": nil, "b": nil, "c": nil, "d": nil])
        #expect(rows[2] == ["a": 2, "b": "", "c": 2.5, "d": "[]"])
        #expect(rows[3] == ["a": nil, "b": nil, "c": nil, "d": nil])
    }

    @Test func textMayHoldANUL() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"a":"x\u0000y"}"#)
        #expect(try scratch.value("SELECT hex(a) FROM records") == "780079")
    }

    // MARK: Tolerant columns

    @Test func anInferredColumnKeepsValuesOfOtherTypesAndCountsThem() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(
            [
                #"{"i":1,"r":1.5,"b":true,"t":"x"}"#,
                #"{"i":"one","r":"half","b":"yes","t":7}"#,
                #"{"i":[1,2],"r":{"a":1},"b":[],"t":{"a":[1]}}"#,
                #"{"i":1.25,"r":true,"b":3,"t":true}"#,
                #"{"i":true,"r":2,"b":0.5,"t":"\u00e9"}"#,
            ].joined(separator: "\n")
        ) { $0.sample = 1 }
        #expect(report.stored == 5)
        #expect(report.rejected == 0)
        // A text could be an array's or an object's own: these four are counted as changed.
        #expect(report.status == .rejected)
        #expect(report.digitLosses.map(\.column) == ["i", "r", "b", "t"] && report.digitLosses.allSatisfy { $0.count == 1 })
        let rows = try scratch.rows("SELECT i, r, b, t FROM records")
        #expect(rows[1] == ["i": "one", "r": "half", "b": "yes", "t": "7"])
        #expect(rows[2] == ["i": "[1,2]", "r": #"{"a":1}"#, "b": "[]", "t": #"{"a":[1]}"#])
        // 1 would be a number that the record does not have.
        #expect(rows[3] == ["i": 1.25, "r": "true", "b": 3, "t": "true"])
        #expect(rows[4] == ["i": "true", "r": 2.0, "b": 0.5, "t": "é"])
        #expect(report.typeDeviations.map(\.column) == ["i", "r", "b"])
        #expect(report.typeDeviations.map(\.count) == [3, 2, 3])
        #expect(report.text.contains("i is integer, but 3 values of another type came later and were kept as they are"))
    }

    @Test func aDeclaredColumnRejectsValuesOfOtherTypes() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(
            [
                #"{"i":1}"#, #"{"i":"one"}"#, #"{"i":[1]}"#, #"{"i":1.25}"#, #"{"i":{}}"#, #"{"i":null}"#, "{}",
            ].joined(separator: "\n"), columns: ["i:integer"])
        #expect(report.stored == 3)
        #expect(report.rejected == 4)
        #expect(report.status == .rejected)
        #expect(report.rejections.map(\.position.line) == [2, 3, 4, 5])
        #expect(report.rejections[0].position.column == 6)
        let reason = #"at i (line 2, column 6, byte 13): expected an integer or null, found the string "one""#
        #expect(report.rejections[0].reason.contains(reason))
    }

    // MARK: Layouts

    @Test(arguments: [JSONFeedFormat.automatic, .concatenated])
    func concatenatedRecordsAreFound(format: JSONFeedFormat) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest("{\"a\":1}{\"a\":2}\n{\n\"a\":3\n}   {\"a\":4}") { $0.feed.format = format }
        #expect(report.stored == 4)
        #expect(try scratch.value("SELECT group_concat(a) FROM records") == "1,2,3,4")
    }

    @Test func aByteOrderMarkAndBlankLinesArePassedOver() throws {
        let scratch = try Scratch()
        #expect(try scratch.ingest("\u{FEFF}\n{\"a\":1}\r\n\r\n{\"a\":2}\r\n\n").stored == 2)
        #expect(try scratch.count() == 2)
    }

    // MARK: Standard input

    @Test func theSampleIsReplayed() throws {
        let feed = try generated(2_000)
        let scratch = try Scratch()
        let report = try scratch.ingest(BytesSource(feed, chunkSize: 1_000)) { $0.sample = 50 }
        #expect(report.stored == 2_000)
        #expect(report.origin == .inferred(records: 50))
        #expect(report.bytes == feed.count)
        #expect(try scratch.value("SELECT count(DISTINCT id) FROM records") == 2_000)
    }

    @Test func aReplayedSourceGivesEveryByteOnceMore() throws {
        let bytes = try generated(20)
        for first in [0, 1, 999, bytes.count, bytes.count + 1] {
            let source = ReplayableSource(BytesSource(bytes, chunkSize: 700))
            var seen: [UInt8] = []
            func read(_ size: Int) throws -> Int {
                var buffer = [UInt8](repeating: 0, count: size)
                let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe source.fill($0) }
                seen += buffer[..<count]
                return count
            }
            while seen.count < first, try read(301) > 0 {}
            source.rewind()
            seen = []
            while try read(97) > 0 {}
            #expect(seen == bytes)
            #expect(source.count == bytes.count)
        }
    }

    // MARK: Existing tables

    @Test func anExistingTableIsRefused() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"a":1}"#)
        let error = #expect(throws: IngestError.self) { try scratch.ingest(#"{"a":2}"#) }
        #expect(error?.status == .inputOutput)
        #expect(error?.commandLine.contains("--append") == true)
        #expect(try scratch.value("SELECT a FROM records") == 1)
        #expect(try scratch.ingest(#"{"a":2}"#) { $0.table = "others" }.stored == 1)
    }

    @Test func appendAddsRowsAndColumns() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"a":1,"B":2}"#)
        let report = try scratch.ingest(#"{"b":3,"c":{"d":"x"}}"#) { $0.existing = .append }
        #expect(report.stored == 1)
        // b is another key than B, as in one feed.
        #expect(report.addedColumns == ["b_2", "c_d"])
        #expect(
            try scratch.rows("SELECT a, b, b_2, c_d FROM records")
                == [["a": 1, "B": 2, "b_2": nil, "c_d": nil], ["a": nil, "B": nil, "b_2": 3, "c_d": "x"]])
    }

    @Test func appendMakesATableThatIsNotThere() throws {
        let scratch = try Scratch()
        #expect(try scratch.ingest(#"{"a":4}"#) { $0.existing = .append }.stored == 1)
        #expect(try scratch.count() == 1)
    }

    @Test func replaceLeavesOnlyTheNewRows() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"a":1}"#)
        #expect(try scratch.ingest(#"{"b":2}"#) { $0.existing = .drop }.stored == 1)
        #expect(try scratch.rows("SELECT * FROM records") == [["b": 2]])
    }

    @Test func aReplacedTableSurvivesUntilTheFirstBatchIsIn() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"a":1}"#)
        #expect(throws: IngestError.self) { try scratch.ingest("[1,2]") { $0.existing = .drop } }
        #expect(try scratch.value("SELECT a FROM records") == 1)
    }

    @Test func namesAreQuoted() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(#"{"select":1,"a b":2,"q\"q":3,"日本":4}"#) { $0.table = "my \"table\"; DROP" }
        #expect(report.stored == 1)
        #expect(try scratch.value(#"SELECT "日本" FROM "my ""table""; DROP""#) == 4)
    }

    /// To Swift, a quote with a combining mark after it is another character than a quote, and to SQL it is not.
    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}"]) func noKeyEndsTheNameThatItIsQuotedIn(mark: String) throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE users (id)")
        for text in [
            "a\"\(mark)", "b\"\(mark) INTEGER); COMMIT; DROP TABLE users; --", "c\\\(mark)", "d\0\(mark)e", "f\r\n\"\(mark)",
        ] {
            let record = try JSONValue.object(JSONObject([(text, .number(JSONNumber(7)))])).jsonString()
            #expect(try scratch.ingest(record) { ($0.table, $0.existing) = ("t", .drop) }.stored == 1)
            let names = try scratch.rows("SELECT * FROM t").map { Array($0.columnNames) }
            #expect(names == [[text.utf8.contains(0) ? "d_\(mark)e" : text]])
        }
        #expect(try scratch.value("SELECT count(*) FROM users") == 0)
    }

    @Test(arguments: [2, 7])
    func workersGiveTheSameRowsAndTheSameReport(workers: Int) throws {
        var lines = String(decoding: try generated(3_000), as: UTF8.self).split(separator: "\n").map(String.init)
        for index in stride(from: 100, to: lines.count, by: 97) { lines[index] = #"{"id":1,"# + "\"x\":[,}" }
        for index in stride(from: 50, to: lines.count, by: 131) {
            lines[index] = String(lines[index].dropLast()) + #","k\#(index)":"\u00e9"}"#
        }
        for array in [false, true] {
            let intact = lines.filter { !$0.contains("[,") }
            let text = array ? "[" + intact.joined(separator: ",\n") + "]" : lines.joined(separator: "\n")
            var all: [(report: IngestReport, rows: [[DatabaseValue]], names: [String])] = []
            for count in [1, workers] {
                let scratch = try Scratch()
                let report = try scratch.ingest(text, chunk: 70_000) {
                    $0.sample = 30
                    $0.batch = 500
                    $0.workers = count
                    $0.rejects = "bad"
                }
                let rows = try scratch.rows("SELECT * FROM records ORDER BY rowid")
                all.append((report, rows.map { Array($0.databaseValues) }, Array(rows[0].columnNames)))
            }
            #expect(all[0].rows.count > 2_900)
            #expect(all[0].names == all[1].names)
            #expect(all[0].rows == all[1].rows)
            #expect(all[0].report.rejections == all[1].report.rejections)
            #expect(all[0].report.rejected == all[1].report.rejected)
            #expect(all[0].report.lateColumns == all[1].report.lateColumns)
            #expect(all[0].report.status == all[1].report.status)
        }
    }
}
#endif
