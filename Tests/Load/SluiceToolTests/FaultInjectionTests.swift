#if CommandLine
import CFaultyVFS
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// What one ingest gave whose input or database failed at some call.
private struct FaultyRun {
    var status: SluiceTool.ExitStatus
    var words: String
    /// Rows that the report calls stored; nil if nothing was ingested.
    var reported: Int?

    init(_ body: () throws -> IngestReport) {
        do {
            let report = try body()
            status = report.status
            words = report.text
            reported = report.stored
        } catch let error as IngestError {
            status = error.status
            words = error.commandLine
        } catch let error as JSONError {
            // As IngestCommand does.
            status = .inputOutput
            words = error.summary
        } catch {
            status = .success
            words = "an error that the command does not know: \(error)"
        }
    }
}

/// The disk fails at the n-th call, once or for ever: the process ends with an error that names the file, and what is committed is
/// whole batches.
@Suite struct FaultInjectionTests {
    static let batch = 10
    static let feed = (1...45).map { "{\"id\":\($0),\"text\":\"\(String(repeating: "x", count: 300))\"}\n" }.joined()

    static let operations: [faulty_operation] = [
        faulty_read, faulty_write, faulty_full, faulty_sync, faulty_truncate, faulty_delete, faulty_open,
    ]

    /// - Parameter rowsBefore: Rows that the table has before; 0 is no database.
    private func everyCall(_ operation: faulty_operation, isLasting: Bool, rowsBefore: Int) throws {
        try #require(faulty_vfs_register())
        let scratch = try Scratch()
        var template: Data?
        if rowsBefore > 0 {
            try scratch.execute(
                """
                CREATE TABLE records (id INTEGER, text TEXT);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowsBefore))
                INSERT INTO records SELECT -i, 'before' FROM n
                """, in: "template.db")
            template = try Data(contentsOf: scratch.folder.appendingPathComponent("template.db"))
        }
        for call in 1...400 {
            let name = "\(call).db"
            let path = scratch.path(name)
            try template?.write(to: scratch.folder.appendingPathComponent(name))
            let plan = unsafe faulty_plan_begin(path, operation, call, isLasting)
            let run = FaultyRun {
                try scratch.ingest(Self.feed) {
                    $0.database = path
                    $0.batch = Self.batch
                    $0.existing = rowsBefore > 0 ? .append : .refuse
                    $0.sample = 3
                }
            }
            let failures = unsafe faulty_plan_failures(plan)
            unsafe faulty_plan_end(plan)
            let context: Comment = "call \(call): \(run.words)"
            let rows = try rows(of: path) - rowsBefore
            if run.status == .success {
                // SQLite went on without what had failed, or nothing did.
                #expect(rows == 45, context)
            } else {
                #expect(run.status == .inputOutput, context)
                #expect(run.words.contains(path), context)
                #expect(rows % Self.batch == 0 || rows == 45, context)
            }
            #expect(run.reported == nil || run.reported == rows, context)
            if failures == 0 {
                #expect(run.status == .success)
                // A new database is not read, and nothing is cut off a file that does not shrink.
                #expect(call > 1 || operation == faulty_truncate || operation == faulty_read)
                return
            }
        }
        Issue.record("the calls do not end")
    }

    /// The number of rows of an intact database; 0 if the database is missing.
    private func rows(of path: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return try DatabaseQueue(path: path).read { db in
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
            guard try db.tableExists("records") else { return 0 }
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM records") ?? 0
        }
    }

    @Test(arguments: operations, [false, true])
    func aNewDatabaseHoldsWholeBatches(_ operation: faulty_operation, _ isLasting: Bool) throws {
        try everyCall(operation, isLasting: isLasting, rowsBefore: 0)
    }

    @Test(arguments: operations, [false, true])
    func anExistingTableGainsOnlyWholeBatches(_ operation: faulty_operation, _ isLasting: Bool) throws {
        try everyCall(operation, isLasting: isLasting, rowsBefore: 500)
    }

    @Test(arguments: [false, true], [JSONFeedFormat.lines, .array])
    func anInputThatFailsAtAnyCallIsNamedAndWhatCameBeforeIsStored(_ isLasting: Bool, _ format: JSONFeedFormat) throws {
        let text = format == .lines ? Self.feed : "[" + Self.feed.dropLast().replacing("\n", with: ",\n") + "]"
        let bytes = Array(text.utf8)
        for columns in [[], ["id:integer", "text:text"]] {
            for call in 1...FaultySource.calls(bytes.count, chunkSize: 900) {
                let scratch = try Scratch()
                let source = FaultySource(bytes, chunkSize: 900, .failure, at: call, isLasting: isLasting)
                let run = FaultyRun {
                    try scratch.ingest(source, columns: columns) {
                        $0.feed.format = format
                        $0.batch = Self.batch
                        $0.sample = 3
                    }
                }
                #expect(run.status == .inputOutput)
                #expect(run.words.contains("cannot read the faulty disk: Input/output error"), "call \(call): \(run.words)")
                #expect(try rows(of: scratch.path("out.db")) == run.reported ?? 0)
            }
        }
    }

    @Test func aSignalThatInterruptsAReadIsNoEnd() throws {
        let (report, signals) = interrupted(Array(Self.feed.utf8), pieceSize: 900) { descriptor -> [Int]? in
            guard let scratch = try? Scratch() else { return nil }
            let source = InterruptibleSource(descriptor: descriptor, name: "the pipe", interruption: Interruption())
            guard let report = try? scratch.ingest(source) else { return nil }
            return [report.stored, report.rejected]
        }
        #expect(report == [45, 0])
        #expect(signals > 0)
    }

    @Test(.enabled(if: Shell.hasFullDevice))
    func aFullDiskEndsAGeneratedFeedWithTheFilesName() throws {
        let error = #expect(throws: JSONError.self) {
            var output = try FileOutput(path: "/dev/full")
            _ = try EventFeed(records: 10, seed: 1, layout: .ndjson).write(to: &output)
        }
        #expect(error?.summary == "input/output error: cannot write /dev/full: No space left on device")
    }
}
#endif
