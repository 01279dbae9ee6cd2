// Files that a test makes, and a sink that tells the test when rows come.

#if SQLite
import Foundation
import SluiceIngest
import SluiceTestSupport
import Synchronization

extension Scratch {
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

/// A sink that calls a function after each batch that was stored, before it is committed, or that has a flaw.
struct ObservedSink: RecordSink {
    /// A promise that is not kept, and a word of what a check says about it.
    enum Flaw: String, CaseIterable, Sendable {
        /// A checkpoint is stored over that of another run.
        case ignoresVersions = "another run before call"
        /// Rejections of records that are read again stay.
        case keepsRejections = "rejected records instead of 0"
        /// The refused rows are not named.
        case hidesRefusals = "to reject and rejected 0"
    }

    let sink: any RecordSink
    let flaw: Flaw?
    let onStore: @Sendable () -> Void

    init(_ sink: some RecordSink, _ flaw: Flaw? = nil, onStore: @escaping @Sendable () -> Void = {}) {
        (self.sink, self.flaw, self.onStore) = (sink, flaw, onStore)
    }

    var place: String { sink.place }
    var table: String { sink.table }
    var files: [String] { sink.files }
    var abilities: SinkAbilities { sink.abilities }

    func connect(_ run: SinkRun) throws -> any SinkConnection { Connection(try sink.connect(run), self) }

    private final class Connection: SinkConnection {
        let connection: any SinkConnection
        let sink: ObservedSink

        init(_ connection: any SinkConnection, _ sink: ObservedSink) { (self.connection, self.sink) = (connection, sink) }

        func contents() throws -> SinkContents { try connection.contents() }
        func rowCount() -> Int? { connection.rowCount() }
        func begin(_ claim: SinkClaim) throws -> [String: CheckpointVersion] { try connection.begin(claim) }
        func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
            try connection.transaction { try body(Transaction($0, sink)) }
        }
        func hasPendingRejects(to file: String) throws -> Bool { try connection.hasPendingRejects(to: file) }
        func sync() throws { try connection.sync() }
        func close(isComplete: Bool) throws { try connection.close(isComplete: isComplete) }
    }

    private final class Transaction: SinkTransaction {
        let transaction: any SinkTransaction
        let sink: ObservedSink

        init(_ transaction: any SinkTransaction, _ sink: ObservedSink) { (self.transaction, self.sink) = (transaction, sink) }

        func contents() throws -> SinkContents { try transaction.contents() }
        func prepare(_ table: SinkTable) throws -> [String] { try transaction.prepare(table) }
        func store(_ batch: RowBatch) throws -> StoredBatch {
            defer { sink.onStore() }
            var stored = try transaction.store(batch)
            if sink.flaw == .hidesRefusals { stored.refused = [] }
            return stored
        }
        func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
            try transaction.forgetCheckpoints(of: run, includingOthers: includingOthers)
        }
        func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion?
        {
            let written = try transaction.write(checkpoint, of: input, over: version)
            guard sink.flaw == .ignoresVersions, written == nil else { return written }
            let found = try transaction.contents().checkpoints.last { $0.input == input }
            return try found.flatMap { try transaction.write(checkpoint, of: input, over: $0.version) }
        }
        func release(_ run: RunIdentity) throws { try transaction.release(run) }
        func reject(_ records: [RejectedRecord], into table: String) throws { try transaction.reject(records, into: table) }
        func removeRejections(_ records: CutOffRecords, from table: String) throws {
            if sink.flaw != .keepsRejections { try transaction.removeRejections(records, from: table) }
        }
        func pendingRejects(to file: String) throws -> [PendingRejects] { try transaction.pendingRejects(to: file) }
        func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
            try transaction.setPendingRejects(pending, of: owner, to: file)
        }
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
