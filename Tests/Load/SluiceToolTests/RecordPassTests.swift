#if CommandLine
import Foundation
import SluiceFeed
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

@Suite(.enabled(if: Shell.isPresent)) struct RecordPassTests {
    /// Records of several shapes in more than one slice: keys that come late, repeated keys, escapes, and damage.
    private static let feed: String = {
        var text = ""
        for index in 0..<30_000 {
            switch index % 7 {
            case 0: text += #"{"id": \#(index), "actor": {"login": "a,\#(index)", "tags": ["x\u00e9", {"k": 1, "k": 2}]}}"#
            case 1: text += #"{"id": \#(index).50, "name": "caf\u00e9 \"q\"\n", "id": null}"#
            case 2: text += #"{"id": 1e400, "big": 123456789012345678901234567890, "actor": {"login": null}}"#
            case 3 where index % 5 == 0: text += #"{"id": \#(index),}"#
            case 3: text += #"{"k\u0065y": [], "actor": {"login": "", "deep": {"x": true}}}"#
            case 4: text += "[\(index), \"text\"]"
            case 5: text += #"  { "late\#(index / 4_000)" : -0 , "empty" : "" }  "#
            default: text += #"{"id":\#(index),"actor":{"login":"plain"}}"#
            }
            text += "\n"
        }
        return text
    }()

    @Test(arguments: ["ndjson", "json", "csv", "tsv", "arrow", "csv --columns id,actor,actor.login,none"])
    func severalThreadsWriteWhatOneWrites(form: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", RecordPassTests.feed)
        let one = try scratch.shell("sluice convert --to \(form) -o one in.ndjson")
        let three = try scratch.shell("sluice convert --workers 3 --to \(form) -o three in.ndjson")
        #expect(one.status == 2 && one.errors.contains("could not be read"))
        #expect(one == three)
        #expect(try scratch.shell("cmp one three").status == 0)
        let piped = try scratch.shell("cat in.ndjson | sluice convert --workers 3 --to \(form) -o three -")
        #expect(try scratch.shell("cat in.ndjson | sluice convert --to \(form) -o one -") == piped)
        #expect(try scratch.shell("cmp one three").status == 0)
    }

    @Test(arguments: ["columns", "sql", "json-schema", "swift"])
    func severalThreadsInferWhatOneInfers(form: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", RecordPassTests.feed)
        _ = try scratch.file("more.ndjson", #"{"more":1,"id":"x"}"# + "\n")
        let one = try scratch.shell("sluice infer --as \(form) in.ndjson more.ndjson")
        #expect(one.status == 2 && !one.output.isEmpty)
        #expect(try scratch.shell("sluice infer --workers 3 --as \(form) in.ndjson more.ndjson") == one)
    }

    /// A pass with a limit has cut a slice for each record until one matched.
    @Test(arguments: [JSONFeedFormat.lines, .array]) func aLimitCountsTheRecordsThatMatch(format: JSONFeedFormat) throws {
        let records = (1...200).map { #"{"id":\#($0),"k":\#($0 % 10 == 0 ? 1 : 0)}"# }
        let text = format == .lines ? records.joined(separator: "\n") : "[" + records.joined(separator: ",") + "]"
        let feed = FeedReading(format: format, filter: try WhereClause("k = 1"))
        let pass = RecordPass(feed: feed, reading: JSONReader.Options(), workers: 1, interruption: Interruption())
        let columns = [JSONColumn("id", .integer)]
        let parts = try pass.parts(of: .source(BytesSource(Array(text.utf8)), totalBytes: nil), limit: 12) {
            ColumnRecords(columns, of: (1_000, 1 << 20), reportsUnknownKeys: false, hidesText: false)
        }
        var (count, rows, ends) = (0, 0, [Int]())
        while let part = parts.next() {
            count += part.count
            rows += part.outputs.reduce(0) { $0 + $1.rows.rowCount }
            ends.append(part.end.offset)
        }
        #expect(count == 12 && rows == 12)
        #expect(ends.count <= 3)
        #expect(text.utf8.prefix(ends.last ?? 0).count { $0 == UInt8(ascii: "}") } == 120)
    }

    @Test(arguments: [FileSink.Form.ndjson, .csv])
    func anInputThatIsCutGivesTheRecordsBeforeTheCutAndTheErrorOfATree(form: FileSink.Form) throws {
        let scratch = try Scratch()
        let text =
            #"{"a":1,"b":"x\u00e9,","c":[1.50,{"d":null}]}"# + "\n" + #" {"b":"é\ud83d\ude80","a":-0.5e3,"e":true} "# + "\n[7]\n"
        let bytes = Array(text.utf8)
        let columns = ["a", "b", "c"].map { JSONColumn(name: $0, type: .text, keys: [JSONKeyPath($0)], isTolerant: true) }
        var whole: [UInt8] = []
        for count in (0...bytes.count).reversed() {
            let path = try scratch.file("cut.ndjson", "")
            try Data(bytes[..<count]).write(to: URL(filePath: path))
            func convert(_ workers: Int) throws -> (bytes: [UInt8], report: IngestReport) {
                var options = IngestOptions()
                options.feed = FeedReading(format: .lines)
                options.columns = form == .csv ? columns : []
                options.workers = workers
                return try Conversion.run(options, form, of: path, to: scratch.path("out"))
            }
            let one = try convert(1)
            let two = try convert(2)
            if count == bytes.count { whole = one.bytes }
            var (records, errors) = (0, [String]())
            let feed = JSONFeed<JSONValue>(
                source: BytesSource(Array(bytes[..<count])), options: .init(format: .lines, reading: .init(validation: .full)))
            while true {
                do throws(JSONError) {
                    guard try feed.next() != nil else { break }
                    records += 1
                } catch {
                    errors.append(error.description)
                }
            }
            #expect(whole.starts(with: one.bytes) || one.report.rejected == 0, "\(count)")
            #expect(one.bytes == two.bytes && one.report.rejections == two.report.rejections, "\(count)")
            #expect(one.report.rows.added == records && one.report.rejected == errors.count, "\(count)")
            // A check knows no path.
            if form == .csv { #expect(one.report.rejections.map(\.reason) == errors, "\(count)") }
        }
    }

    /// Counts records, and raises a signal at the 500th.
    private struct Counter: RecordWorker {
        let interruption: Interruption
        private var all = 0
        private var kept = 0

        init(_ interruption: Interruption) { self.interruption = interruption }

        mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError? {
            (all, kept) = (all + 1, kept + 1)
            if all == 500 { interruption.raise(SIGINT) }
            return nil
        }

        var isFull: Bool { kept == 64 }
        mutating func takeOutput() -> Int {
            defer { kept = 0 }
            return kept
        }
    }

    @Test(arguments: [1, 3]) func afterASignalAllRecordsThatAreCountedAreHandedOut(workers: Int) throws {
        let scratch = try Scratch()
        let input = IngestInput(try scratch.file("in.ndjson", String(repeating: "{}\n", count: 50_000)))
        let interruption = Interruption()
        let pass = RecordPass(feed: FeedReading(), reading: .strict, workers: workers, interruption: interruption)
        let parts = try pass.parts(of: input) { Counter(interruption) }
        var (counted, handedOut) = (0, 0)
        while let part = parts.next() {
            counted += part.count
            handedOut += part.outputs.reduce(0, +)
        }
        #expect(counted == handedOut && counted < 50_000)
    }

    @Test func aByteOrderMarkBeforeARecordIsNotWritten() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"a\":1}\n\u{FEFF}{\"a\": 2}\n")
        #expect(try scratch.shell("sluice convert in.ndjson").output == "{\"a\":1}\n{\"a\":2}\n")
        #expect(try scratch.shell("sluice convert --to csv in.ndjson").output == "a\r\n1\r\n2\r\n")
        #expect(try scratch.shell("sluice infer in.ndjson").output == "a:integer\n")
    }

    @Test func aFieldOfARepeatedKeyIsItsLastValue() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"a":1,"a":2,"b":1,"b":null,"c":{"x":1},"c":{"y":2}}"# + "\n")
        #expect(try scratch.shell("sluice convert --to csv in.ndjson").output == "a,b,c_x,c_y\r\n2,,1,2\r\n")
    }

    @Test func jsonInAFieldHasNoBlanksAndAsFewEscapesAsPossible() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"a":[ 1.0 , "x y", {"k":1, "k":2} ],"b":[ "\u00e9\/" ]}"# + "\n")
        #expect(
            try scratch.shell("sluice convert --to tsv in.ndjson").output == "a\tb\n[1.0,\"x y\",{\"k\":1,\"k\":2}]\t[\"é/\"]\n")
    }

    @Test func aColumnOfAnElementAndOneOfItsArrayBothHaveTheirValues() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"a":[{"n":"x"},[5]]}"# + "\n" + #"{"a":{"0":{"n":7}}}"# + "\n" + #"{"a":3}"# + "\n")
        let result = try scratch.shell("sluice convert --to csv --columns a,first=a.0.n,second=a.1.0 in.ndjson")
        #expect(
            result.output
                == "a,first,second\r\n\"[{\"\"n\"\":\"\"x\"\"},[5]]\",x,5\r\n\"{\"\"0\"\":{\"\"n\"\":7}}\",7,\r\n3,,\r\n")
    }
}
#endif
