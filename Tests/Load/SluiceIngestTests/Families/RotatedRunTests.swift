#if SQLite
import Foundation
import SluiceCompression
import SluiceCore
import SluiceFeed
import SluiceSQLite
import SluiceTestSupport
import Synchronization
import Testing

@testable import SinkConformance
@testable import SluiceIngest

/// Runs over rotated logs: what they go on from, what they say, and what they refuse.
@Suite struct RotatedRunTests {
    // MARK: Checkpoints of runs without the option

    @Test(arguments: LoaderSink.databases, LogArgument.allCases)
    func aCheckpointOfARunWithoutTheOptionIsGoneOnFrom(sink: LoaderSink, argument: LogArgument) throws {
        for count in [2, 200] {
            // The file goes on, or has been rotated, or both.
            for (grows, rotates) in [(true, false), (false, true), (true, true), (false, false)] {
                let log = try LogFolder(sink, argument)
                try log.write(lines(1...count))
                #expect(try log.loader.load(files: log.arguments).stored == count)
                var last = count
                for _ in 1...2 {
                    if grows {
                        try log.append(lines(last + 1...last + 1))
                        last += 1
                    }
                    if rotates {
                        try log.rotate(then: lines(last + 1...last + 1))
                        last += 1
                    }
                    let report = try log.run(giving: 1...last)
                    #expect(report.notes.isEmpty, "\(report.notes)")
                }
                #expect(try log.run(giving: 1...last).outcome == .nothingToDo)
            }
        }
    }

    /// An earlier run may have taken a last line without a line break, or rejected a part of one.
    @Test(arguments: LoaderSink.databases, ["{\"id\":3,\"name\":\"n3\"}", "{\"id\":3,\"na"])
    func theLastLineOfARunWithoutTheOptionIsStoredOnce(sink: LoaderSink, part: String) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...2) + part)
        try log.loader.load(files: log.arguments) { $0.rejects = .table("bad") }
        try log.run { $0.rejects = .table("bad") }
        try log.append(String("{\"id\":3,\"name\":\"n3\"}\n".dropFirst(part.count)) + lines(4...4))
        try log.run { $0.rejects = .table("bad") }
        try log.rotate(then: lines(5...5))
        try log.run { $0.rejects = .table("bad") }
        #expect(try log.ids() == Array(1...5))
        // The rejection of the part is gone, as after any run that reads such a record again.
        #expect(try log.loader.count("bad") == 0)
    }

    #if Compression
    @Test(arguments: LoaderSink.databases, [CompressionFormat.gzip, .zstd])
    func aCheckpointOfACompressedFileIsGoneOnFrom(sink: LoaderSink, format: CompressionFormat) throws {
        for isRead in [true, false] {
            let log = try LogFolder(sink)
            try log.write(lines(1...100), to: "app.ndjson.1")
            if isRead { try log.compress("app.ndjson.1", format) }
            try log.write(lines(101...101))
            log.arguments = [log.path("app.ndjson.1" + (isRead ? format.ending : ""))]
            try log.loader.load(files: log.arguments)
            #expect(try log.ids() == Array(1...100))
            if !isRead { try log.compress("app.ndjson.1", format) }
            log.arguments = [log.path("")]
            try log.run(giving: 1...101)
            try log.move("app.ndjson.1" + format.ending, to: "app.ndjson.2" + format.ending)
            try log.run(giving: 1...101)
        }
    }
    #endif

    // MARK: Without the option

    @Test(arguments: LoaderSink.databases) func withoutTheOptionNothingChanges(sink: LoaderSink) throws {
        let log = try LogFolder(sink, .file)
        let (file, old) = (log.path("app.ndjson"), log.path("app.ndjson.1"))
        try log.write(lines(1...3))
        #expect(try log.loader.load(file: file).stored == 3)
        try log.rotate(then: lines(4...9))
        let error = #expect(throws: IngestError.self) { try log.loader.load(file: file) }
        let message = error?.description ?? ""
        #expect(message.contains("\(file) is not the input of which 3 records were read into the table"), "\(message)")
        // A file whose head and tail fit the checkpoint of another name is another input, and is named.
        let report = try log.loader.load(file: old) { $0.existing = .append }
        #expect(report.stored == 3)
        #expect(report.notes.count == 1 && report.notes[0].contains(old) && report.notes[0].contains(file), "\(report.notes)")
        #expect(try log.ids() == [1, 1, 2, 2, 3, 3])
        // A folder has no files with other endings.
        let folder = try LogFolder(sink)
        try folder.write(lines(1...2), to: "app.ndjson.1")
        #expect(throws: IngestError.self) { try folder.loader.load(files: folder.arguments) }
        try folder.run(giving: 1...2)
    }

    // MARK: The table

    @Test(arguments: LoaderSink.databases) func theColumnsOfANewFileAreThoseOfTheTable(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(#"{"id":1,"v":1,"o":{"x":1}}"# + "\n")
        let first = try log.run(giving: 1...1)
        #expect(first.columns.map(\.name) == ["id", "v", "o_x"])
        try log.rotate(then: #"{"late":"a","o":{"x":2},"id":2}"# + "\n" + #"{"v":3,"id":3}"# + "\n")
        let second = try log.run(giving: 1...3)
        #expect(second.origin == .resumed)
        #expect(try log.loader.columns() == ["id", "v", "o_x", "late"])
        let rows = try log.loader.rows("id", "v", "o_x", "late", by: "id")
        #expect(rows == [[1, 1, 1, nil], [2, nil, 2, "a"], [3, 3, nil, nil]])
    }

    @Test(arguments: LoaderSink.databases) func aTableThatWasDroppedByHandIsFilledAnew(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        try log.run(giving: 1...3)
        try log.rotate(then: lines(4...4))
        try log.loader.execute("DROP TABLE records")
        try log.run(giving: 1...4)
        try log.append(lines(5...5))
        try log.run(giving: 1...5)
    }

    @Test(arguments: LoaderSink.databases, [ExistingTable.truncate, .drop])
    func aTableThatIsEmptiedIsFilledFromAllFiles(sink: LoaderSink, existing: ExistingTable) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        try log.run(giving: 1...3)
        try log.rotate(then: lines(4...4))
        try log.run(giving: 1...4) { $0.existing = existing }
        try log.append(lines(5...5))
        try log.run(giving: 1...5)
        #expect(try log.checkpoints().count == 2)
    }

    @Test(arguments: LoaderSink.databases) func aTableThatOthersHaveMadeIsRefusedAsByOtherRuns(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.loader.execute("CREATE TABLE records (id integer, name text)")
        try log.write(lines(1...3))
        #expect(throws: IngestError.self) { try log.run() }
        try log.run(giving: 1...3) { $0.existing = .append }
        try log.rotate(then: lines(4...4))
        try log.run(giving: 1...4)
    }

    @Test(arguments: LoaderSink.databases) func aDryRunStoresNothing(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        try log.run(giving: 1...3)
        try log.append(lines(4...4))
        try log.rotate(then: lines(5...5))
        let before = try log.checkpoints()
        for _ in 1...2 {
            let report = try log.run(giving: 1...3) { $0.isDryRun = true }
            #expect(report.records == 2 && report.rows.added == 2, "\(report)")
            let after = try log.checkpoints()
            #expect(after.map(\.checkpoint) == before.map(\.checkpoint) && after.map(\.version) == before.map(\.version))
        }
        try log.run(giving: 1...5)
    }

    // MARK: Rejected records

    @Test(arguments: LoaderSink.databases, [1, 2])
    func aRejectionNamesTheFileTheLineAndTheByte(sink: LoaderSink, workers: Int) throws {
        let log = try LogFolder(sink)
        func run() throws -> IngestReport { try log.run { ($0.rejects, $0.workers) = (.table("bad"), workers) } }
        let first = lines(1...1)
        try log.write(first + "x\n")
        #expect(try run().rejections.map(\.position.line) == [2])
        try log.append(lines(2...3) + "yy\n")
        try log.rotate(then: lines(4...4) + "zzz\n" + lines(5...5))
        let report = try run()
        #expect(report.isLossy && report.rejected == 2, "\(report)")
        #expect(report.rejections.map(\.reason).contains { $0.contains(log.path("app.ndjson.1")) }, "\(report.rejections)")
        let rows = try log.loader.rows("json_line", "file", "line", "line_byte_position", of: "bad", by: "json_line")
        let (old, new) = (StoredValue.text(log.path("app.ndjson.1")), StoredValue.text(log.path("app.ndjson")))
        let beforeY = Int64((first + "x\n" + lines(2...3)).utf8.count)
        #expect(
            rows == [
                ["x", new, 2, .integer(Int64(first.utf8.count))], ["yy", old, 5, .integer(beforeY)],
                ["zzz", new, 2, .integer(Int64(lines(4...4).utf8.count))],
            ])
        #expect(try log.ids() == Array(1...5))
        #expect(try run().rejected == 0)
        #expect(try log.loader.count("bad") == 3)
    }

    // MARK: Interrupted runs

    /// Each run ends at the next wrong record, and between two runs the log is rotated.
    @Test(arguments: LoaderSink.databases, [1, 10_000])
    func aRunThatStopsAtAnErrorIsGoneOnFromAfterARotation(sink: LoaderSink, batch: Int) throws {
        let log = try LogFolder(sink)
        var last = 0
        func records() -> String {
            last += 3
            return lines(last - 2...last - 2) + "x\n" + lines(last - 1...last - 1) + "y\n" + lines(last...last)
        }
        try log.write(records())
        var runs = 0
        for round in 0..<20 {
            let report = try log.run { ($0.maximumErrors, $0.batch, $0.rejects) = (0, batch, .table("bad")) }
            #expect([.tooManyErrors, .complete, .nothingToDo].contains(report.outcome), "\(report)")
            if report.outcome == .tooManyErrors { runs += 1 }
            if round % 2 == 0, round < 8 { try log.rotate(then: records()) }
        }
        #expect(runs >= 8)
        #expect(try log.ids() == Array(1...last))
        #expect(try log.loader.count("bad") == last / 3 * 2)
    }

    /// An error at each call of the sink, before or after it has done its work; batches of one record.
    @Test(arguments: ["begin", "transaction", "prepare", "store", "write", "release", "sync"])
    func aRunThatFailsAtAnyCallIsGoneOnFromAfterARotation(name: String) throws {
        let call = try #require(Fault.Call(rawValue: name))
        for kind in [Fault.Kind.before, .after] {
            var hasFailed = false
            for number in 1...20 {
                let log = try LogFolder()
                try log.write(lines(1...2), to: "app.ndjson.1")
                try log.age("app.ndjson.1", by: 100)
                try log.write(lines(3...4))
                let fault = Fault(call, number, kind)
                _ = try? log.run(into: FaultySink(log.loader.target(), fault)) { $0.batch = 1 }
                guard fault.hasHappened else { break }
                hasFailed = true
                try log.append(lines(5...5))
                try log.rotate(then: lines(6...6))
                try log.run(giving: 1...6)
                #expect(try log.run(giving: 1...6).outcome == .nothingToDo, "\(fault)")
            }
            #expect(hasFailed)
        }
    }

    /// The second run has new names to store for texts, and nothing else.
    @Test(arguments: ["begin", "transaction", "write", "release", "sync"])
    func aRunThatFailsWhileItStoresWhereTextsLieChangesNothing(name: String) throws {
        let call = try #require(Fault.Call(rawValue: name))
        for kind in [Fault.Kind.before, .after] {
            for number in 1...5 {
                let log = try LogFolder()
                try log.write(lines(1...2))
                try log.run(giving: 1...2)
                try log.rotate(then: "")
                let fault = Fault(call, number, kind)
                _ = try? log.run(into: FaultySink(log.loader.target(), fault))
                guard fault.hasHappened else { break }
                try log.append(lines(3...3), to: "app.ndjson.1")
                try log.rotate(then: lines(4...4))
                try log.run(giving: 1...4)
            }
        }
    }

    // MARK: Several runs at once

    /// The second run finds the input claimed, whether or not something of it has been stored, and whatever its file is called.
    @Test(arguments: [false, true], [false, true])
    func aSecondRunDoesNotReadWhatAnotherOneIsReading(isKnown: Bool, isRenamed: Bool) throws {
        let log = try LogFolder()
        try log.write(lines(1...3))
        if isKnown {
            try log.run(giving: 1...3)
            try log.append(lines(4...5))
        }
        let (job, arguments) = (try log.job(), log.arguments)
        let (old, new) = (log.path("app.ndjson"), log.path("app.ndjson.1"))
        let second = Mutex<Result<IngestReport, any Error>?>(nil)
        // The first run has claimed its inputs, and is about to store what it has read.
        let fault = Fault(.transaction, 1) {
            let result: Result<IngestReport, any Error> = Result {
                if isRenamed { try FileManager.default.moveItem(atPath: old, toPath: new) }
                return try job.run(inputs: arguments, progress: SilentProgress())
            }
            second.withLock { $0 = result }
        }
        let first = try log.run(into: FaultySink(log.loader.target(), fault))
        #expect(fault.hasHappened)
        let result = try #require(second.withLock { $0 })
        do {
            let report = try result.get()
            #expect(Bool(false), "the second run has not been outrun: \(report)")
        } catch let error as IngestError {
            guard case .outrun = error else { return #expect(Bool(false), "\(error)") }
        }
        #expect(first.rows.added == (isKnown ? 2 : 3), "\(first)")
        try log.run(giving: 1...(isKnown ? 5 : 3))
    }

    /// The second run stores everything before the first one has claimed its inputs.
    @Test(arguments: [false, true]) func aRunThatWasOvertakenStoresNothing(isKnown: Bool) throws {
        let log = try LogFolder()
        try log.write(lines(1...3))
        if isKnown {
            try log.run(giving: 1...3)
            try log.append(lines(4...5))
        }
        let (job, arguments) = (try log.job(), log.arguments)
        let second = Mutex<IngestReport?>(nil)
        let fault = Fault(.begin, 1) {
            let report = try? job.run(inputs: arguments, progress: SilentProgress())
            second.withLock { $0 = report }
        }
        let error = #expect(throws: IngestError.self) { try log.run(into: FaultySink(log.loader.target(), fault)) }
        if let error, case .outrun = error {} else { #expect(Bool(false), "\(String(describing: error))") }
        #expect(second.withLock { $0?.rows.added } == (isKnown ? 2 : 3))
        try log.run(giving: 1...(isKnown ? 5 : 3))
    }

    @Test func aRunThatWaitsGoesOnWhereTheOtherOneHasEnded() throws {
        let log = try LogFolder()
        try log.write(lines(1...3))
        try log.run(giving: 1...3)
        try log.append(lines(4...5))
        let (job, arguments) = (try log.job { $0.waits = true }, log.arguments)
        let hasEnded = Mutex<IngestReport?>(nil)
        let fault = Fault(.transaction, 1) {
            Thread.detachNewThread {
                let report = try? job.run(inputs: arguments, progress: SilentProgress())
                hasEnded.withLock { $0 = report }
            }
        }
        try log.run(into: FaultySink(log.loader.target(), fault))
        let deadline = Date(timeIntervalSinceNow: 60)
        while hasEnded.withLock({ $0 == nil }), Date() < deadline { usleep(2_000) }
        #expect(hasEnded.withLock { $0?.isSuccess } == true)
        try log.run(giving: 1...5)
    }

    // MARK: Files that cannot be read

    @Test(arguments: LoaderSink.databases) func aFileThatCannotBeReadIsNamedAndDoesNotStopTheOthers(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(damagedGzip, to: "bad.ndjson.1.gz")
        try log.age("bad.ndjson.1.gz", by: 1_000)
        try log.write(lines(1...3))
        for last in 3...5 {
            let report = try log.run { $0.rejects = .table("bad") }
            #expect(report.isLossy && report.rejected == 0, "\(report)")
            #expect(report.unread.count == 1 && report.unread[0].contains("bad.ndjson.1.gz"), "\(report.unread)")
            #expect(try log.ids() == Array(1...last))
            try log.append(lines(last + 1...last + 1))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"), arguments: LoaderSink.databases)
    func aFileThatMustNotBeReadIsNamedAndDoesNotStopTheOthers(sink: LoaderSink) throws {
        let log = try LogFolder(sink)
        try log.write(lines(1...3))
        try log.write(lines(4...5), to: "secret.ndjson")
        try #require(unsafe chmod(log.path("secret.ndjson"), 0) == 0)
        let report = try log.run()
        #expect(report.isLossy && report.unread.count == 1 && report.unread[0].contains("secret.ndjson"), "\(report.unread)")
        #expect(try log.ids() == Array(1...3))
        try #require(unsafe chmod(log.path("secret.ndjson"), 0o600) == 0)
        try log.run(giving: 1...5)
    }

    @Test(arguments: LoaderSink.databases) func aLogThatIsNotThereIsAnError(sink: LoaderSink) throws {
        let log = try LogFolder(sink, .file)
        #expect(throws: (any Error).self) { try log.run() }
        log.arguments = [log.path("")]
        #expect(throws: (any Error).self) { try log.run() }
        // Any file of the log is enough.
        log.arguments = [log.path("app.ndjson")]
        try log.write(lines(1...3), to: "app.ndjson.1")
        try log.run(giving: 1...3)
    }

    // MARK: Refused options

    @Test func whatNeedsAWholeInputIsRefusedWithTheReason() throws {
        let log = try LogFolder()
        try log.write(lines(1...3))
        let sink = SQLiteSink(path: log.loader.scratch.path("out.db"))
        let ingest = Ingest(log.arguments, into: sink).rotated()
        let refused: [(Ingest, String)] = [
            (ingest.limit(1), "limit"), (ingest.header(), "header"), (ingest.restarting(), "restarting"),
            (ingest.primaryKey("id").conflict(.upsert).missing(.delete), "missing"), (ingest.format(.array), "lines"),
            (ingest.rotated(settle: -1), "settle"), (Ingest(["-"], into: sink).rotated(), "standard input"),
            (Ingest(BytesSource(Array(lines(1...1).utf8)), into: sink).rotated(), "files"),
        ]
        for (ingest, reason) in refused {
            let error = #expect(throws: IngestError.self, "\(reason)") { try ingest.runBlocking() }
            guard case .usage(let message)? = error else {
                #expect(Bool(false), "\(reason): \(String(describing: error))")
                continue
            }
            #expect("\(message)".contains(reason), "\(message)")
        }
        #expect(try log.checkpoints().isEmpty)
        #expect(try ingest.runBlocking().rows.added == 3)
        #expect(try ingest.format(.lines).runBlocking().outcome == .nothingToDo)
    }

    @Test func theLibraryReadsRotatedLogs() async throws {
        let log = try LogFolder()
        let archive = log.path("../archive")
        try log.makeFolder("archive")
        let ingest = Ingest(log.arguments, into: SQLiteSink(path: log.loader.scratch.path("out.db")))
            .rotated(movedTo: [archive], settle: 0)
        try log.write(lines(1...2))
        #expect(try await ingest.run().rows.added == 2)
        try log.append(lines(3...3))
        try log.move("app.ndjson", to: "../archive/app.ndjson.1")
        try log.write(lines(4...4))
        #expect(try await ingest.run().rows.added == 2)
        #expect(try log.ids() == Array(1...4))
    }
}
#endif
