// How far inputs have been read, found in the ledger without a run.

#if SQLite
import Foundation
import GRDB
import SluiceCompression
import SluiceCore
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Synchronization
import Testing

@Suite struct InputStatusTests {
    private func status(_ loader: Loader, _ table: String? = nil) throws -> [InputStatus] {
        try InputStatus.list(try #require(loader.target() as? any DatabaseSink), table: table)
    }

    @Test(arguments: LoaderSink.databases) func eachInputOfEachTableIsListed(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let first = try loader.scratch.file("a.ndjson", lines(1...3) + "bad\n")
        let second = try loader.scratch.records("b.ndjson", 1...2)
        let before = Date()
        try loader.load(file: first)
        try loader.load(file: second, into: "others")
        let all = try status(loader)
        #expect(all.map(\.table).sorted() == ["others", "records"])
        let one = try #require(try status(loader, "records").first)
        let size = try #require(FileRest(of: first, after: 0).count)
        #expect(one.input == IngestInput.identity(ofFile: first))
        #expect((one.records, one.rejected, one.line, one.bytes) == (4, 1, 5, size))
        #expect(one.isComplete && one.rest == .bytes(0) && one.state == .ended)
        #expect(one.run?.process == Int(getpid()))
        let form = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let time = try Date(try #require(one.time), strategy: form)
        #expect(time.timeIntervalSince(before) > -1 && time.timeIntervalSinceNow < 1)
    }

    @Test func whatHasBecomeOfTheFileIsSeen() throws {
        let loader = try Loader(.sqlite)
        let file = try loader.scratch.records("a.ndjson", 1...3)
        try loader.load(file: file)
        let size = try #require(FileRest(of: file, after: 0).count)
        try loader.scratch.append("{\"id\":4}\n", to: file)
        #expect(try status(loader).map(\.rest) == [.bytes(9)])
        try FileManager.default.removeItem(atPath: file)
        #expect(try status(loader).map(\.rest) == [.gone])
        _ = try loader.scratch.file("a.ndjson", String(repeating: "x", count: size - 1))
        #expect(try status(loader).map(\.rest) == [.shorter])
    }

    /// After the last record comes a bracket, and perhaps a line break. They are read, too.
    @Test func nothingIsBehindTheEndOfAnArray() throws {
        let loader = try Loader(.sqlite)
        try loader.load(file: try loader.scratch.file("a.json", "[{\"id\":1},{\"id\":2}\n]\n\n"))
        #expect(try status(loader).map(\.rest) == [.bytes(0)])
    }

    @Test func aRangeEndsWhereItEnds() throws {
        let loader = try Loader(.sqlite)
        // Each line has 9 bytes.
        let file = try loader.scratch.file("a.ndjson", (1...8).map { "{\"id\":\($0)}\n" }.joined())
        try loader.load(file: file) { $0.feed.range = 0..<20 }
        try loader.load(file: file) { ($0.feed.range, $0.existing, $0.limit) = (20..<Int.max, .append, 1) }
        let identity = try #require(IngestInput.file(file).identity)
        let all = try status(loader).sorted { $0.records > $1.records }
        #expect(all.map(\.input) == ["\(identity)[0:20]", "\(identity)[20:]"])
        #expect(all.map(\.isComplete) == [true, false])
        #expect(all[0].rest == .bytes(0) && all[1].rest == .bytes(72 - all[1].bytes))
        try loader.scratch.append("{\"id\":9}\n", to: file)
        #expect(try status(loader).sorted { $0.records > $1.records }[0].rest == .bytes(0))
    }

    @Test(arguments: ["100%.ndjson", "%41.ndjson", "a[1:2].ndjson", "a[1:2]", "e\u{301}%.ndjson", "é.ndjson"])
    func aFileIsFoundByItsIdentity(name: String) throws {
        let loader = try Loader(.sqlite)
        try loader.load(file: try loader.scratch.records(name, 1...2))
        let one = try #require(try status(loader).first)
        #expect(one.rest == .bytes(0))
        #expect(one.input.utf8.elementsEqual(URL(fileURLWithPath: loader.scratch.path(name)).resolvingSymlinksInPath().path.utf8))
    }

    /// A text of a rotated log is identified by a number. What is shown is the file that had it at the last look.
    @Test(arguments: LoaderSink.databases) func aTextOfARotatedLogIsListedByItsFile(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.file("app.ndjson", "{\"id\":1}\n{\"id\":2}\n")
        try loader.load(file: file) { $0.rotation = Rotation() }
        try loader.scratch.append("{\"id\":3}\n{\"id\":", to: file)
        let one = try #require(try status(loader).first)
        #expect(one.input == file && one.rest == .bytes(15) && one.records == 2)
        try loader.load(file: file) { $0.rotation = Rotation() }
        #expect(try status(loader).map(\.rest) == [.bytes(6)])
        try loader.scratch.append("4}\n", to: file)
        try FileManager.default.moveItem(atPath: file, toPath: file + ".1")
        #expect(try status(loader).map(\.rest) == [.gone])
        // The name is that of another file now, until a run looks again.
        _ = try loader.scratch.file("app.ndjson", "{\"id\":5}\n")
        #expect(try status(loader).map(\.rest) == [.unknown])
        try loader.load(file: file) { $0.rotation = Rotation() }
        let all = try status(loader).sorted { $0.input < $1.input }
        #expect(all.map(\.input) == [file, file + ".1"] && all.map(\.records) == [1, 4])
        #expect(all.map(\.rest) == [.bytes(0), .bytes(0)])
    }

    #if Compression
    @Test func aCompressedTextOfARotatedLogIsWhole() throws {
        let loader = try Loader(.sqlite)
        let text = lines(1...500)
        let file = try loader.scratch.file("app.ndjson", text)
        try loader.load(file: file) { $0.rotation = Rotation() }
        var sink = try CompressingSink(to: [UInt8](), format: .gzip)
        try sink.put(Array(text.utf8))
        try sink.finish()
        try Data(sink.sink).write(to: URL(fileURLWithPath: file + ".1.gz"))
        try FileManager.default.removeItem(atPath: file)
        try loader.load(file: file) { $0.rotation = Rotation() }
        let one = try #require(try status(loader).first)
        #expect(one.input == file + ".1.gz" && one.rest == .bytes(0) && one.isComplete)
    }

    @Test func aCompressedFileIsUnknownUntilItsEnd() throws {
        let loader = try Loader(.sqlite)
        var sink = try CompressingSink(to: [UInt8](), format: .gzip)
        try sink.put(Array(lines(1...500).utf8))
        try sink.finish()
        let file = loader.scratch.path("a.ndjson.gz")
        try Data(sink.sink).write(to: URL(fileURLWithPath: file))
        try loader.load(file: file) { $0.limit = 1 }
        #expect(try status(loader).map(\.rest) == [.unknown])
        try loader.load(file: file)
        #expect(try status(loader).map(\.rest) == [.bytes(0)])
        #expect(try #require(try status(loader).first).bytes == lines(1...500).utf8.count)
    }
    #endif

    @Test(arguments: LoaderSink.databases) func aRunIsSeenWhileItReads(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        let file = try loader.scratch.records("a.ndjson", 1...4)
        let target = loader.target()
        let seen = Mutex<[InputStatus]>([])
        let observed = ObservedSink(target) {
            guard let database = target as? any DatabaseSink, let found = try? InputStatus.list(database) else { return }
            seen.withLock { $0 += found }
        }
        var options = IngestOptions()
        options.batch = 2
        _ = try IngestJob(options, into: observed).run(input: file, progress: SilentProgress())
        let states = seen.withLock { $0 }
        #expect(states.map(\.state) == [.running, .running])
        #expect(states.map(\.records) == [0, 2] && states.map { $0.time == nil } == [true, false])
        #expect(try status(loader).map(\.state) == [.ended])
    }

    /// A run that was killed has left its name.
    @Test func aRunWhoseProcessIsGoneHasEnded() throws {
        let loader = try Loader(.sqlite)
        try loader.load(file: try loader.scratch.records("a.ndjson", 1...2))
        try loader.execute("UPDATE _sluice_checkpoints SET is_held = TRUE")
        #expect(try status(loader).map(\.state) == [.ended])
        try loader.execute("UPDATE _sluice_checkpoints SET run = replace(run, '\"host\":\"', '\"host\":\"x')")
        #expect(try status(loader).map(\.state) == [.unknown])
    }

    @Test func aCheckpointOfAnEarlierVersionHasNoTime() throws {
        let loader = try Loader(.sqlite)
        try loader.load(file: try loader.scratch.records("a.ndjson", 1...2))
        try loader.execute("UPDATE _sluice_checkpoints SET state = json_remove(state, '$.written_at')")
        let one = try #require(try status(loader).first)
        #expect(one.time == nil && one.records == 2)
    }

    @Test(arguments: LoaderSink.databases) func aTableThatIsNotThereIsAnsweredByTheOneThatWasMeant(sink: LoaderSink) throws {
        let loader = try Loader(sink)
        #expect(throws: IngestError.self) { _ = try status(loader, "records") }
        try loader.load(file: try loader.scratch.records("a.ndjson", 1...2))
        let error = #expect(throws: IngestError.self) { _ = try status(loader, "recrods") }
        #expect(error?.description.hasSuffix("; did you mean records?") == true, "\(error?.description ?? "")")
        #expect(try status(loader, "RECORDS").map(\.table) == ["records"])
    }

    @Test func aDatabaseThatNoIngestHasSeenHasNoInputs() throws {
        let loader = try Loader(.sqlite)
        try loader.execute("CREATE TABLE t (x)")
        #expect(try status(loader).isEmpty)
    }

    @Test func whatIsNotUnderstoodIsAnError() throws {
        let loader = try Loader(.sqlite)
        func message() -> String? { #expect(throws: IngestError.self) { _ = try status(loader) }?.description }
        #expect(message()?.contains("there is no file") == true)
        try loader.load(file: try loader.scratch.records("a.ndjson", 1...2))
        try loader.execute("UPDATE _sluice_checkpoints SET checkpoint = 'x'")
        #expect(message()?.contains("is damaged, or comes from another version of sluice") == true)
        try loader.execute("UPDATE _sluice_checkpoints SET layout = 99")
        #expect(message()?.contains("has layout 99, which comes from a later version") == true)
        try loader.execute("DROP TABLE _sluice_checkpoints")
        try loader.execute("CREATE TABLE _sluice_checkpoints (x)")
        #expect(message()?.contains("that is no table of checkpoints") == true)
        _ = try loader.scratch.file("out.db", String(repeating: "no database ", count: 100))
        #expect(message()?.contains("not a database") == true)
    }
}
#endif
