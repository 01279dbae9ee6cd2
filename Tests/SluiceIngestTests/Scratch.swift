// Files that a test makes, and a sink that tells the test when rows come.

#if SQLite
import Foundation
import SluiceIngest
import Synchronization

/// A folder of one test, gone with it.
final class Scratch: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        return path(name)
    }

    /// A file of records with the keys `id`, which counts from 1, and `name`.
    func records(_ name: String, _ numbers: ClosedRange<Int>) throws -> String { try file(name, lines(numbers)) }

    func append(_ text: String, to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }
}

func lines(_ numbers: ClosedRange<Int>) -> String { numbers.map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }.joined() }

/// A sink that calls a function after each batch that was stored, before it is committed.
struct ObservedSink: RecordSink {
    let sink: any RecordSink
    let onStore: @Sendable () -> Void

    init(_ sink: some RecordSink, onStore: @escaping @Sendable () -> Void) { (self.sink, self.onStore) = (sink, onStore) }

    var place: String { sink.place }
    var table: String { sink.table }
    var files: [String] { sink.files }

    func connect(_ run: SinkRun) throws -> any SinkConnection { Connection(try sink.connect(run), onStore) }

    private final class Connection: SinkConnection {
        let connection: any SinkConnection
        let onStore: @Sendable () -> Void

        init(_ connection: any SinkConnection, _ onStore: @escaping @Sendable () -> Void) {
            (self.connection, self.onStore) = (connection, onStore)
        }

        func contents() throws -> SinkContents { try connection.contents() }
        func rowCount() -> Int? { connection.rowCount() }
        func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion] { try connection.begin(claim) }
        func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
            try connection.transaction { try body(Transaction($0, onStore)) }
        }
        func sync() throws { try connection.sync() }
        func close(isComplete: Bool) throws { try connection.close(isComplete: isComplete) }
    }

    private final class Transaction: SinkTransaction {
        let transaction: any SinkTransaction
        let onStore: @Sendable () -> Void

        init(_ transaction: any SinkTransaction, _ onStore: @escaping @Sendable () -> Void) {
            (self.transaction, self.onStore) = (transaction, onStore)
        }

        func contents() throws -> SinkContents { try transaction.contents() }
        func prepare(_ table: SinkTable) throws -> [String] { try transaction.prepare(table) }
        func store(_ batch: RowBatch) throws -> StoredBatch {
            defer { onStore() }
            return try transaction.store(batch)
        }
        func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
            try transaction.forgetCheckpoints(of: run, includingOthers: includingOthers)
        }
        func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion?
        {
            try transaction.write(checkpoint, of: input, over: version)
        }
        func release(_ run: RunIdentity) throws { try transaction.release(run) }
    }
}

/// A number that several tasks count up.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func count() -> Int { number.add(1, ordering: .sequentiallyConsistent).newValue }
}
#endif
