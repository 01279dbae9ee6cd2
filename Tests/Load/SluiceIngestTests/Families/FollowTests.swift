#if SQLite
import Foundation
import GRDB
import SluiceCompression
import SluiceCore
import SluiceFeed
import SluiceSQLite
import SluiceTestSupport
import Testing

@testable import SinkConformance
@testable import SluiceIngest

/// Logs that are followed: what is added to them is in the table soon after, whatever becomes of their files.
@Suite struct FollowTests {
    private let log: LogFolder
    private let pool: DatabasePool
    private var sink: SQLiteSink { SQLiteSink(pool, table: "records") }

    init() throws {
        log = try LogFolder()
        // Others wait for a run that writes, as any user's connection does.
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        pool = try DatabasePool(path: log.loader.scratch.path("app.db"), configuration: configuration)
    }

    /// The numbers of the rows that are stored, sorted.
    private func ids() throws -> [Int] {
        try pool.read { db in
            guard try db.tableExists("records") else { return [] }
            return try Int.fetchAll(db, sql: "SELECT id FROM records ORDER BY id")
        }
    }

    /// Waits until the table has as many rows as these, and checks that it has these.
    private func wait(for ids: some Sequence<Int>, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let expected = ids.sorted()
        let isThere = try eventually { try self.ids().count >= expected.count }
        #expect(isThere, sourceLocation: sourceLocation)
        #expect(try self.ids() == expected, sourceLocation: sourceLocation)
    }

    /// Does something while the logs are followed, and returns the report of the run.
    private func following(_ follower: Follower, _ body: (Follower) throws -> Void) throws -> IngestReport {
        do {
            try body(follower)
        } catch {
            _ = try? follower.stop()
            throw error
        }
        return try follower.stop()
    }

    private func follower(every interval: Double = 0.02, poll: Double? = nil) -> Follower {
        Follower(log, into: sink, every: interval, poll: poll)
    }

    // MARK: Growth

    @Test(arguments: LogArgument.allCases) func recordsAppearAsTheyAreAppended(argument: LogArgument) throws {
        if argument == .file { log.arguments = [log.path("app.ndjson")] }
        try log.write(lines(1...1))
        let report = try following(follower()) { _ in
            for id in 1...10 {
                try wait(for: 1...id)
                try log.append(lines(id + 1...id + 1))
            }
            try wait(for: 1...11)
        }
        #expect(report.isSuccess && report.rows.added == 11, "\(report)")
        #expect(report.outcome == .complete)
    }

    /// A record that comes in pieces is one record. The lines of another log say that the run has looked after each byte.
    @Test func aRecordThatIsWrittenByteByByteIsReadOnce() throws {
        try log.write("")
        try log.write("", to: "other.ndjson")
        var expected: [Int] = []
        let report = try following(follower(every: 0.01)) { _ in
            for id in 1...3 {
                for byte in Array("{\"id\":\(id),\"name\":\"ä€😀\"}\n".utf8) {
                    try log.append([byte])
                    if byte == UInt8(ascii: "\n") { expected.append(id) }
                    let number = 1_000 + expected.count
                    try log.append(lines(number...number), to: "other.ndjson")
                    expected.append(number)
                    try wait(for: expected)
                }
            }
        }
        #expect(report.isSuccess && report.rejected == 0, "\(report)")
        let names = try pool.read { try String.fetchAll($0, sql: "SELECT name FROM records WHERE id < 4") }
        #expect(names == ["ä€😀", "ä€😀", "ä€😀"])
    }

    @Test func newFilesAndFoldersAreFollowedToo() throws {
        try log.write(lines(1...2))
        let report = try following(follower()) { _ in
            try wait(for: 1...2)
            try log.write(lines(3...4), to: "other.ndjson")
            try wait(for: 1...4)
            try log.makeFolder("logs/deep/deeper")
            try log.write(lines(5...6), to: "deep/deeper/app.ndjson")
            try wait(for: 1...6)
            try log.append(lines(7...7), to: "deep/deeper/app.ndjson")
            try log.append(lines(8...8), to: "other.ndjson")
            try wait(for: 1...8)
        }
        #expect(report.isSuccess, "\(report)")
    }

    @Test(arguments: ["later", "later/deep", "later/app.ndjson", "logs/later.ndjson"])
    func whatIsNotThereYetIsWaitedFor(name: String) throws {
        let path = log.loader.scratch.path(name)
        log.arguments = [path]
        let report = try following(follower()) { follower in
            // The run has looked, and found nothing.
            #expect(eventually { !follower.reports.isEmpty || !follower.pauses.isEmpty || !follower.isRunning })
            #expect(follower.isRunning)
            let isFile = name.hasSuffix(".ndjson")
            let file = isFile ? "../" + name : "../\(name)/app.ndjson"
            if !isFile || name.hasPrefix("later") { try log.makeFolder(isFile ? "later" : name) }
            try log.write(lines(1...2), to: file)
            try wait(for: 1...2)
            try log.append(lines(3...3), to: file)
            try wait(for: 1...3)
        }
        #expect(report.isSuccess, "\(report)")
    }

    @Test(arguments: [
        ("logs/*.ndjson", "a"), ("logs/[a-b]*", "a"), ("*/?.ndjson", "../later/a"), ("later/*/*.ndjson", "../later/deep/a"),
    ])
    func whatFitsAPatternIsFollowedAsItAppears(pattern: String, file: String) throws {
        log.arguments = [log.loader.scratch.path(pattern)]
        let report = try following(follower()) { follower in
            // The run has looked, and found nothing.
            #expect(eventually { !follower.reports.isEmpty || !follower.pauses.isEmpty })
            let parts = file.split(separator: "/").dropFirst().dropLast()
            for count in 0..<parts.count { try log.makeFolder(parts.prefix(count + 1).joined(separator: "/")) }
            try log.write(lines(1...2), to: file + ".ndjson")
            try wait(for: 1...2)
            try log.write(lines(3...4), to: String(file.dropLast()) + "b.ndjson")
            try wait(for: 1...4)
        }
        #expect(report.isSuccess, "\(report)")
    }

    @Test func aFolderThatIsDeletedAndMadeAgainIsFollowedOn() throws {
        try log.write(lines(1...2))
        _ = try following(follower()) { follower in
            try wait(for: 1...2)
            try FileManager.default.removeItem(atPath: log.path(""))
            try log.makeFolder("logs")
            try log.write(lines(3...4))
            try wait(for: 1...4)
            #expect(follower.isRunning)
        }
        #expect(try ids() == Array(1...4))
    }

    /// Where the system tells of no changes, as on a network file system, the files are looked at again and again.
    @Test func filesCanBeLookedAtInstead() throws {
        try log.write(lines(1...1))
        let report = try following(follower(poll: 0.03)) { _ in
            for id in 1...4 {
                try wait(for: 1...id)
                try log.append(lines(id + 1...id + 1))
            }
            try wait(for: 1...5)
            try log.rotate(then: lines(6...6))
            try wait(for: 1...6)
        }
        #expect(report.isSuccess, "\(report)")
    }

    // MARK: Rotation

    /// A way to rotate.
    enum Way: String, CaseIterable, Sendable {
        case renamed, copied, dated, moved
        #if Compression
        case gzip, zstd
        #endif
    }

    private func rotate(_ way: Way, _ round: Int, then text: String) throws {
        let name = "app.ndjson-202611\(10 + round)"
        switch way {
        case .renamed: try log.rotate(then: text)
        case .copied:
            try log.copy("app.ndjson", to: name)
            try log.write(text)
        case .dated:
            try log.move("app.ndjson", to: name)
            try log.write(text)
        case .moved:
            try log.move("app.ndjson", to: "../archive/" + name)
            try log.write(text)
        #if Compression
        case .gzip, .zstd:
            try log.move("app.ndjson", to: name)
            try log.write(text)
            try log.compress(name, way == .gzip ? .gzip : .zstd)
        #endif
        }
    }

    @Test(arguments: Way.allCases, [0.02, 0.2])
    func aLogThatIsRotatedWhileItIsFollowedIsReadOnce(way: Way, interval: Double) throws {
        try log.makeFolder("archive")
        log.movedTo = [log.path("../archive")]
        try log.write(lines(1...2))
        var last = 2
        let report = try following(follower(every: interval)) { _ in
            for round in 0..<8 {
                // The run may be anywhere when the log is rotated, or be waiting.
                if round % 2 == 0 { try wait(for: 1...last) }
                try log.append(lines(last + 1...last + 2))
                try rotate(way, round, then: lines(last + 3...last + 3))
                last += 3
            }
            try wait(for: 1...last)
        }
        #expect(report.isSuccess && report.rows.added == last, "\(report): \(report.unread)")
        #expect(try ids() == Array(1...last))
    }

    /// The writer keeps its descriptor for a while after the log has been renamed.
    @Test func whatIsWrittenToARenamedLogIsRead() throws {
        try log.write(lines(1...2))
        let report = try following(follower()) { _ in
            try wait(for: 1...2)
            try log.rotate(then: lines(3...3))
            try wait(for: 1...3)
            for id in 4...8 {
                try log.append(lines(id...id), to: id % 2 == 0 ? "app.ndjson.1" : "app.ndjson")
                try wait(for: 1...id)
            }
        }
        #expect(report.isSuccess, "\(report)")
    }

    /// An open descriptor decides while a run holds it: what was added to a log just before it was deleted is there to be read.
    @Test func aLogThatIsDeletedIsReadToItsEnd() throws {
        try log.write(lines(1...3))
        try log.write(lines(101...101), to: "other.ndjson")
        _ = try following(follower()) { _ in
            try wait(for: [1, 2, 3, 101])
            try log.append(lines(4...4))
            try wait(for: [1, 2, 3, 4, 101])
            try log.append(lines(5...6))
            try log.remove("app.ndjson")
            try wait(for: Array(1...6) + [101])
            try log.append(lines(102...102), to: "other.ndjson")
            try wait(for: Array(1...6) + [101, 102])
        }
        #expect(try ids() == Array(1...6) + [101, 102])
    }

    /// Nothing changes when a file settles, and the run wakes up all the same.
    @Test func theLastLineOfAnOlderFileIsReadWhenItHasSettled() throws {
        log.settle = 0.3
        try log.write(lines(1...2) + "{\"id\":3,\"name\":\"n3\"}")
        let report = try following(follower()) { _ in
            try wait(for: 1...2)
            try log.rotate(then: lines(4...4))
            try wait(for: 1...4)
        }
        #expect(report.isSuccess, "\(report): \(report.unread)")
        #expect(try ids() == Array(1...4))
    }

    // MARK: The end, and what comes after

    @Test func aTaskThatIsCancelledEndsAfterACommitAndTheNextOneGoesOn() async throws {
        let ingest = Ingest(log.arguments, into: sink)
        try log.write(lines(1...3))
        var last = 3
        for round in 0..<3 {
            let task = Task {
                var reports: [IngestReport] = []
                for try await report in ingest.follow(every: 0.02) { reports.append(report) }
                return reports
            }
            try await waitWithoutBlocking(for: 1...last)
            try log.append(lines(last + 1...last + 1))
            last += 1
            try await waitWithoutBlocking(for: 1...last)
            task.cancel()
            let reports = try await task.value
            // The last one is that of the whole run.
            #expect(reports.last?.outcome == .complete, "\(reports)")
            #expect(reports.last?.rows.added == (round == 0 ? 4 : 3), "\(reports)")
            #expect(reports.map(\.rows.added) == reports.map(\.rows.added).sorted())
            // What comes while nobody follows is read by the next one.
            try log.append(lines(last + 1...last + 1))
            try log.rotate(then: lines(last + 2...last + 2))
            last += 2
        }
        #expect(try await ingest.rotated().run().rows.added == 2)
        #expect(try ids() == Array(1...last))
    }

    private func waitWithoutBlocking(
        for ids: some Sequence<Int>, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = ids.sorted()
        // It takes as long as it takes: tests that block hold the threads that a task needs.
        while try self.ids().count < expected.count { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try self.ids() == expected, sourceLocation: sourceLocation)
    }

    @Test func aTaskThatWasCancelledBeforeEndsAtOnce() async throws {
        try log.write(lines(1...3))
        let ingest = Ingest(log.arguments, into: sink)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await _ in ingest.follow(every: 0.02) {}
        }
        task.cancel()
        try await task.value
        try await ingest.rotated().run()
        #expect(try ids() == Array(1...3))
    }

    @Test func whatCannotBeFollowedIsRefusedWithTheReason() async throws {
        try log.write(lines(1...3))
        let file = FileSink(path: log.loader.scratch.path("out.ndjson"), .ndjson)
        let ingest = Ingest(log.arguments, into: sink)
        let refused: [(Ingest, String)] = [
            (Ingest(["-"], into: sink), "standard input"), (ingest.restarting(), "restarting"), (ingest.limit(2), "limit"),
            (ingest.primaryKey("id").conflict(.upsert).missing(.delete), "missing"),
            (Ingest(log.arguments, into: file), "table"),
            (Ingest(BytesSource(Array(lines(1...1).utf8)), into: sink), "files"),
        ]
        for (ingest, reason) in refused {
            let error = await #expect(throws: IngestError.self, "\(reason)") {
                for try await _ in ingest.follow(every: 0.02) {}
            }
            guard case .usage(let message)? = error else {
                #expect(Bool(false), "\(reason): \(String(describing: error))")
                continue
            }
            #expect("\(message)".contains(reason), "\(message)")
        }
        for (interval, poll) in [(0.0, nil), (1.0, 0.0), (1.0, -1.0)] as [(Double, Double?)] {
            await #expect(throws: IngestError.self) {
                for try await _ in ingest.follow(every: interval, poll: poll) {}
            }
        }
        #expect(try ids() == [])
    }

    // MARK: Trouble

    /// A copy that was cut in its first line has the beginning of each other log.
    @Test func aTextOfTwoBytesIsNotTakenForTheLog() throws {
        try log.write("{\"", to: "app.ndjson.1")
        try log.age("app.ndjson.1", by: 100)
        try log.write(lines(1...1))
        let report = try following(Follower(log, into: sink) { $0.rejects = .table("bad") }) { _ in
            for id in 1...6 {
                try wait(for: 1...id)
                try log.append("{\"id\":\(id + 1),")
                if id == 3 { try log.remove("app.ndjson.1") }
                try log.write(lines(100 + id...100 + id), to: "other\(id).ndjson")
                try waitForAll(id + 1)
                try log.append("\"name\":\"n\"}\n")
                try waitForAll(id + 2)
                try log.remove("other\(id).ndjson")
                try pool.write { try $0.execute(sql: "DELETE FROM records WHERE id > 100") }
            }
        }
        #expect(report.rejected == 1, "\(report.rejections)")
        #expect(try ids() == Array(1...7))
    }

    private func waitForAll(_ count: Int) throws {
        #expect(try eventually { try ids().count >= count })
    }

    @Test func damagedRecordsGoToTheRejects() throws {
        try log.write(lines(1...1))
        let follower = Follower(log, into: sink) { $0.rejects = .table("bad") }
        let report = try following(follower) { _ in
            try wait(for: 1...1)
            try log.append("x\n" + lines(2...2))
            try wait(for: 1...2)
            try log.append("y\n")
            try log.rotate(then: lines(3...3) + "z\n")
            #expect(try eventually { try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM bad") } == 3 })
        }
        #expect(report.isLossy && report.rejected == 3 && report.outcome == .complete, "\(report)")
        let rejected = try pool.read { db in try String.fetchAll(db, sql: "SELECT json_line FROM bad ORDER BY json_line") }
        #expect(rejected == ["x", "y", "z"])
        #expect(try ids() == Array(1...3))
    }

    @Test func aFileThatCannotBeReadDoesNotStopTheOthers() throws {
        try log.write(damagedGzip, to: "bad.ndjson.1.gz")
        try log.age("bad.ndjson.1.gz", by: 1_000)
        try log.write(lines(1...1))
        let report = try following(follower()) { follower in
            for id in 1...5 {
                try wait(for: 1...id)
                try log.append(lines(id + 1...id + 1))
            }
            try wait(for: 1...6)
            #expect(follower.isRunning)
        }
        #expect(report.isLossy && report.outcome == .complete && report.rejected == 0, "\(report)")
        // It is named once, however often the files were looked at.
        #expect(report.unread.count == 1 && report.unread[0].contains("bad.ndjson.1.gz"), "\(report.unread)")
        #expect(try ids() == Array(1...6))
    }

    @Test func filesThatNothingTellsApartAreNamedOnceAndOtherLogsGoOn() throws {
        try log.write(lines(1...100))
        try log.write(lines(301...301), to: "other.ndjson")
        let first = Array(1...100)
        _ = try following(follower()) { _ in try wait(for: first + [301]) }
        for number in 1...2 {
            try log.copy("app.ndjson", to: "app.ndjson.\(number)")
            try log.append(lines(100 + number...100 + number), to: "app.ndjson.\(number)")
        }
        try log.remove("app.ndjson")
        let report = try following(follower()) { _ in
            for last in 302...305 {
                try log.append(lines(last...last), to: "other.ndjson")
                try wait(for: first + Array(301...last))
            }
        }
        #expect(report.isLossy && report.unread.count == 1, "\(report.unread)")
        #expect(try ids() == first + Array(301...305))
    }

    /// A database that others have locked is a pause: it is said once, and nothing is lost.
    @Test func aLockedDatabasePausesTheRunWhichSaysSoOnce() throws {
        // Nothing waits in the database itself.
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let path = log.loader.scratch.path("app.db")
        let counted = CountedSink(SQLiteSink(try DatabasePool(path: path, configuration: configuration), table: "records"))
        let locker = try DatabaseQueue(path: path, configuration: configuration)
        try log.write(lines(1...3))
        let report = try following(Follower(log, into: counted)) { follower in
            try wait(for: 1...3)
            for round in 1...2 {
                let last = 3 + round
                // A run that stores its last batch may still hold the database.
                var hasLocked = false
                while !hasLocked, follower.isRunning {
                    do {
                        try locker.writeWithoutTransaction { db in
                            try db.inTransaction(.immediate) {
                                hasLocked = true
                                try log.append(lines(last...last))
                                let tries = counted.connections.value
                                // It has tried again and again.
                                #expect(eventually { counted.connections.value >= tries + 4 })
                                return .rollback
                            }
                        }
                    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && !hasLocked {
                        usleep(1_000)
                    }
                }
                #expect(follower.pauses.count == round, "\(follower.pauses)")
                try wait(for: 1...last)
            }
        }
        #expect(report.isSuccess && report.outcome == .complete, "\(report)")
        #expect(try ids() == Array(1...5))
    }

    /// What was written meanwhile is not in the table, so the run has not succeeded.
    @Test func aRunThatIsStoppedWhileItPausesHasFailed() throws {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let path = log.loader.scratch.path("app.db")
        try log.write(lines(1...3))
        let follower = Follower(
            log, into: SQLiteSink(try DatabasePool(path: path, configuration: configuration), table: "records"))
        try wait(for: 1...3)
        let locker = try DatabaseQueue(path: path)
        let report = try locker.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE")
            try log.append(lines(4...4))
            #expect(eventually { !follower.pauses.isEmpty })
            defer { try? db.rollback() }
            return try follower.stop()
        }
        guard case .failed = report.outcome else {
            Issue.record("\(report)")
            return
        }
        #expect(!report.isSuccess)
        _ = try following(self.follower()) { _ in try wait(for: 1...4) }
    }

    /// A server that goes away, or a disk that is full. After a commit whose answer was lost, the run reads the checkpoint first.
    @Test(arguments: ["transaction", "store", "write", "begin", "sync"], [false, true])
    func aSinkThatFailsPausesTheRunAndNothingIsLostOrDoubled(name: String, isAfter: Bool) throws {
        let call = try #require(Fault.Call(rawValue: name))
        for number in 1...6 {
            let test = try FollowTests()
            try test.log.write(lines(1...2))
            let fault = Fault(call, number, isAfter ? .after : .before)
            var follower = Follower(test.log, into: FaultySink(test.sink, fault))
            var last = 2
            for round in 0..<4 {
                let isThere = try eventually { try test.ids().count >= last || !follower.isRunning }
                #expect(isThere, "\(fault)")
                // A run whose first look fails ends with the error.
                if !follower.isRunning {
                    #expect(throws: (any Error).self) { try follower.stop() }
                    follower = Follower(test.log, into: test.sink)
                }
                try test.log.append(lines(last + 1...last + 1))
                if round % 2 == 1 {
                    try test.log.rotate(then: lines(last + 2...last + 2))
                    last += 1
                }
                last += 1
            }
            _ = try test.following(follower) { _ in try test.wait(for: 1...last) }
            #expect(try test.ids() == Array(1...last), "\(fault)")
        }
    }

    /// Claims are by input, not by path: two runs that know one log by two names exclude each other.
    @Test func twoRunsThatFollowOneLogByTwoNamesStoreEachLineOnce() throws {
        let link = log.path("../link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: log.path(""))
        try log.write(lines(1...5))
        let first = follower(every: 0.01)
        let second = Follower(log, [link], into: sink, every: 0.01)
        var last = 5
        let report = try following(first) { first in
            // Either may be the one that stores everything.
            let other = try following(second) { second in
                for round in 0..<20 {
                    try wait(for: 1...last)
                    try log.append(lines(last + 1...last + 3))
                    last += 3
                    if round % 4 == 3 {
                        try log.rotate(then: lines(last + 1...last + 1))
                        last += 1
                    }
                }
                try wait(for: 1...last)
                #expect(first.isRunning && second.isRunning)
            }
            #expect(other.isSuccess, "\(other)")
        }
        #expect(report.isSuccess, "\(report)")
        #expect(try ids() == Array(1...last))
    }

    #if os(Linux)
    @Test func noMoreThan256FilesAreOpen() throws {
        for number in 1...400 { try log.write(lines(number...number), to: "log\(number).ndjson") }
        let folder = URL(fileURLWithPath: log.path("")).resolvingSymlinksInPath().path
        let report = try following(follower()) { _ in
            try wait(for: 1...400)
            for number in stride(from: 1, through: 400, by: 57) {
                try log.append(lines(400 + number...400 + number), to: "log\(number).ndjson")
            }
            try wait(for: Array(1...400) + stride(from: 401, through: 800, by: 57).map { $0 })
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                return target?.hasPrefix(folder) == true
            }
            #expect(open.count <= 256)
        }
        #expect(report.isSuccess, "\(report)")
    }
    #endif
}
#endif
