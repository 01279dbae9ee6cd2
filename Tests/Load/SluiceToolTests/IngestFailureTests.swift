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

/// A source that does something when a number of bytes have been read.
final class Ambush: BufferSource {
    private var source: BytesSource
    private var left: Int
    private let spring: () throws(JSONError) -> Void

    init(_ bytes: [UInt8], after count: Int, _ spring: @escaping () throws(JSONError) -> Void) {
        source = BytesSource(bytes, chunkSize: 1_000)
        left = count
        self.spring = spring
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        let count = try unsafe source.read(into: buffer)
        left -= count
        if left < 0 { try spring() }
        return count
    }
}

struct IngestFailureTests {
    @Test func aBadLineIsCountedWithItsPosition() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest("{\"a\":1}\n  {\"a\" 2}\n{\"a\":3}\nnonsense\n[1]\n{\"a\":\"\u{FFFD}\"}\n")
        #expect(report.stored == 3)
        #expect(report.rejected == 3)
        #expect(report.status.code == 2)
        #expect(report.rejections.map(\.position.line) == [2, 4, 5])
        // The lines begin at 8, 18, 26, 35; what the parser points at in them is the Core's to test.
        #expect((8..<18).contains(report.rejections[0].position.offset))
        #expect((26..<35).contains(report.rejections[1].position.offset))
        #expect(report.rejections[0].reason.hasPrefix("invalid JSON"))
        #expect(report.rejections[2].reason.contains("expected an object"))
        #expect(report.text.contains("3 records rejected:\n  invalid JSON"))
    }

    @Test func onlyTheFirstReasonsAreKept() throws {
        let scratch = try Scratch()
        let report = try scratch.ingest("{\"a\":1}\n" + String(repeating: "x\n", count: 50))
        #expect(report.rejected == 50)
        #expect(report.rejections.count == 5)
        #expect(report.text.contains("50 records rejected; the first:"))
    }

    @Test func invalidUnicodeIsRejected() throws {
        let scratch = try Scratch()
        let bytes = Array(#"{"a":"x"}\#n{"a":""#.utf8) + [0xFF] + Array(#""}\#n{"a":"\ud800"}"#.utf8)
        let report = try scratch.ingest(BytesSource(bytes))
        #expect(report.stored == 1)
        #expect(report.rejected == 2)
    }

    @Test(arguments: [#"{"a":1}"# + "\n" + #"{"a":"#, #"{"a":1}"# + "\n" + #"{"a":2"#, #"[{"a":1},{"a":"#, #"[{"a":1},"#])
    func aTruncatedEndIsRejected(feed: String) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(feed)
        #expect(report.stored == 1)
        #expect(report.rejected >= 1)
        #expect(report.status == .rejected)
        #expect(report.rejections[0].reason.hasPrefix("unexpected end"))
        #expect(try scratch.count() == 1)
    }

    @Test(arguments: [#"[{"a":1} {"a":2},{"a":3}]"#, #"[{"a":1}] {"a":2}"#, #"[{"a":1},,{"a":2}]"#])
    func aDamagedArrayFailsAndKeepsWhatCameBefore(feed: String) throws {
        let scratch = try Scratch()
        let report = try scratch.ingest(feed, columns: ["a:integer"]) { $0.feed.format = .array }
        #expect(report.stored == 1)
        #expect(report.status == .inputOutput)
        #expect(try scratch.count() == 1)
    }

    @Test func aMissingFileMakesNoDatabase() throws {
        let scratch = try Scratch()
        let error = #expect(throws: JSONError.self) { try scratch.ingest(file: scratch.path("nowhere.ndjson")) }
        #expect(error?.kind == .inputOutput)
        #expect(error?.summary.contains("No such file") == true)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test func aFolderWithoutFeedsIsNoInput() throws {
        let scratch = try Scratch()
        let error = #expect(throws: IngestError.self) { try scratch.ingest(file: scratch.folder.path) }
        #expect(error?.description.contains("has no file that ends in .json") == true)
        #expect(error?.status.code == 3)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test func anEmptyInputIsNoError() throws {
        for text in ["", "\n\n", "[]", "\u{FEFF}"] {
            let scratch = try Scratch()
            let report = try scratch.ingest(text)
            #expect(report.status == .success)
            #expect(report.stored == 0)
            #expect(report.text.contains("no records"))
            #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
        }
        let scratch = try Scratch()
        #expect(try scratch.ingest("", columns: ["a:text"]).status == .success)
        #expect(try scratch.count() == 0)
    }

    @Test(arguments: ["a,b,c\n1,2,3\n", "[1,2]", "{}\n{}\n", "{\"a\":"])
    func aFeedWithoutKeysSaysWhy(text: String) throws {
        let scratch = try Scratch()
        let error = #expect(throws: IngestError.self) { try scratch.ingest(text) }
        #expect(error?.description.hasPrefix("no columns") == true)
        #expect(error?.status == .rejected)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test func textThatIsNotJSONIsCalledByItsNameFirst() throws {
        let scratch = try Scratch()
        let error = #expect(throws: IngestError.self) { try scratch.ingest("a,b,c\n1,2,3\n") }
        #expect(error?.description.split(separator: "\n").first?.contains("CSV") == true)
    }

    @Test func aFileThatIsNoDatabaseIsLeftAlone() throws {
        let scratch = try Scratch()
        let text = String(repeating: "not a database\n", count: 200)
        _ = try scratch.file("out.db", text)
        #expect(throws: IngestError.self) { try scratch.ingest(#"{"a":1}"#) }
        #expect(try String(contentsOfFile: scratch.path("out.db"), encoding: .utf8) == text)
    }

    @Test func aFolderThatDoesNotExistHoldsNoDatabase() throws {
        let scratch = try Scratch()
        #expect(throws: IngestError.self) { try scratch.ingest(#"{"a":1}"#) { $0.database = scratch.path("no/where.db") } }
    }

    @Test func aViewIsNoTable() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE VIEW records AS SELECT 1 AS a")
        for existing in [ExistingTable.refuse, .append, .truncate, .drop] {
            #expect(throws: IngestError.self) { try scratch.ingest(#"{"a":1}"#) { $0.existing = existing } }
        }
    }

    // MARK: Limits

    @Test func tooManyErrorsStopTheWork() throws {
        let feed = "{\"a\":1}\nx\n{\"a\":2}\ny\n{\"a\":3}\nz\n{\"a\":4}\n"
        for (limit, stored, rejected) in [(0, 1, 1), (1, 2, 2), (2, 3, 3)] {
            let scratch = try Scratch()
            let report = try scratch.ingest(feed) { $0.maximumErrors = limit }
            #expect(report.outcome == .tooManyErrors)
            #expect(report.status.code == 4)
            #expect(report.stored == stored)
            #expect(report.rejected == rejected)
            #expect(try scratch.count() == stored)
        }
        let scratch = try Scratch()
        #expect(try scratch.ingest(feed) { $0.maximumErrors = 3 }.status.code == 2)
    }

    @Test func aRowThatTheTableForbidsIsRejectedAlone() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER UNIQUE, a TEXT NOT NULL)")
        let report = try scratch.ingest(
            #"{"id":1,"a":"x"}"# + "\n" + #"{"id":1,"a":"y"}"# + "\n" + #"{"id":2}"# + "\n" + #"{"id":3,"a":"z"}"#
        ) { $0.existing = .append }
        #expect(report.stored == 2)
        #expect(report.rejections.map(\.position.line) == [2, 3])
        #expect(report.rejections[0].reason.contains("UNIQUE constraint failed"))
        #expect(report.rejections[1].reason.contains("NOT NULL constraint failed"))
        #expect(try scratch.value("SELECT group_concat(id) FROM records") == "1,3")
    }

    // MARK: Ends before the end

    @Test(arguments: [SIGINT, SIGTERM])
    func aSignalEndsTheWorkAfterAWholeRecord(signal: Int32) throws {
        let scratch = try Scratch()
        let feed = try generated(5_000)
        let interruption = Interruption()
        let source = Ambush(feed, after: feed.count / 2) { interruption.raise(signal) }
        let report = try scratch.ingest(source, interruption: interruption) {
            $0.batch = 100
            $0.sample = 10
        }
        #expect(report.outcome == .interrupted(signal))
        #expect(report.status.code == 128 + signal)
        #expect(report.stored > 0 && report.stored < 5_000)
        #expect(report.rejected == 0)
        #expect(try scratch.count() == report.stored)
        let ids = try objects(feed).prefix(report.stored).compactMap { $0["id"] as? Int }
        #expect(try scratch.rows("SELECT id FROM records ORDER BY rowid").map { $0["id"] as Int } == ids)
    }

    @Test func aSignalBeforeTheFirstRecordChangesNothing() throws {
        let scratch = try Scratch()
        let interruption = Interruption()
        interruption.raise(SIGINT)
        let report = try scratch.ingest(#"{"a":1}"#, interruption: interruption)
        #expect(report.status.code == 130)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.db")))
    }

    @Test func aWaitForInputEndsWithASignal() async throws {
        let interruption = Interruption()
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        pipe.fileHandleForWriting.write(Data("x".utf8))
        #expect(interruption.waits(for: descriptor))
        _ = try pipe.fileHandleForReading.read(upToCount: 1)
        let waiting = Thread { interruption.raise(SIGINT) }
        waiting.start()
        // Nothing is ever written again: without the signal this would not return.
        #expect(!interruption.waits(for: descriptor))
    }

    @Test func othersReadWhileRowsComeIn() throws {
        let scratch = try Scratch()
        let feed = try generated(2_000)
        var counts: [Int] = []
        let source = Ambush(feed, after: feed.count / 2) { counts.append((try? scratch.count()) ?? -1) }
        #expect(
            try scratch.ingest(source) {
                $0.sample = 10
                $0.batch = 100
            }.stored == 2_000)
        #expect(counts.first.map { $0 > 0 } == true)
        #expect(!counts.contains(-1))
        #expect(counts == counts.sorted())
    }

    @Test func anInputThatFailsKeepsWhatWasRead() throws {
        let scratch = try Scratch()
        let feed = try generated(2_000)
        let source = Ambush(feed, after: feed.count / 2) { () throws(JSONError) in
            throw JSONError.inputOutput("read", "the disk", EIO)
        }
        let report = try scratch.ingest(source) { $0.sample = 10 }
        #expect(report.outcome == .failed("input/output error: cannot read the disk: Input/output error"))
        #expect(report.status.code == 3)
        #expect(report.stored > 0)
        #expect(try scratch.count() == report.stored)
    }

    @Test func aDatabaseThatFailsHoldsWholeBatches() throws {
        let scratch = try Scratch()
        // RAISE(ROLLBACK) takes the whole transaction back, as a full disk may.
        try scratch.execute(
            """
            CREATE TABLE records (id INTEGER);
            CREATE TRIGGER broken BEFORE INSERT ON records WHEN NEW.id = 1234 BEGIN SELECT RAISE(ROLLBACK, 'no more'); END;
            """)
        let feed = (1...2_000).map { "{\"id\":\($0)}" }.joined(separator: "\n")
        let report = try scratch.ingest(feed) {
            $0.existing = .append
            $0.batch = 100
        }
        #expect(report.outcome == .failed("cannot write \(scratch.path("out.db")): no more"))
        #expect(report.status.code == 3)
        #expect(report.stored == 1_200)
        #expect(try scratch.count() == 1_200)
    }
}
#endif
