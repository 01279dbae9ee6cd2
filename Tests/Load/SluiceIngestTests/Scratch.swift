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

/// A sink that calls a function after each stored batch, before it is committed. It may also have a flaw.
struct ObservedSink: RejectionSource {
    /// A promise that the sink breaks, with a part of the message of the check that finds it.
    enum Flaw: String, CaseIterable, Sendable {
        /// A checkpoint overwrites that of another run.
        case ignoresVersions = "another run before call"
        /// When records are read again, their rejections are not removed.
        case keepsRejections = "rejected records instead of 0"
        /// The sink reports that it has removed all rejections, even if some were not there.
        case overcountsRejections = "is there twice"
        /// The refused rows are not reported.
        case hidesRefusals = "to reject and rejected 0"
        /// Changes are not reported.
        case hidesChanges = "is missing; there are"
        /// Missing rows are not removed.
        case keepsMissingRows = "34 rows instead of 30"
        /// The keys that a killed run has noted are forgotten.
        case forgetsKeys = "and the next run, the row of"
        /// What the table remembers is not stored.
        case forgetsColumns = "has not kept what the table remembers"
    }

    let sink: any RecordSink
    let flaw: Flaw?
    let onStore: @Sendable () -> Void

    init(_ sink: some RecordSink, _ flaw: Flaw? = nil, onStore: @escaping @Sendable () -> Void = {}) {
        (self.sink, self.flaw, self.onStore) = (sink, flaw, onStore)
    }

    var destination: String { sink.destination }
    var table: String { sink.table }
    var files: [String] { sink.files }
    var abilities: SinkAbilities { sink.abilities }

    func connect(_ run: SinkRun) throws -> any SinkConnection { Connection(try sink.connect(run), self) }

    func rejections(in table: String) throws -> [Replay.Rejection] {
        try (sink as? any RejectionSource)?.rejections(in: table) ?? []
    }

    private final class Connection: TableConnection {
        let connection: any SinkConnection
        let sink: ObservedSink

        init(_ connection: any SinkConnection, _ sink: ObservedSink) { (self.connection, self.sink) = (connection, sink) }

        func contents() throws -> SinkContents { try connection.contents() }
        func columnNames(of table: String) throws -> [String] { try connection.columns(of: table) }
        func rowCount() -> Int? { connection.rowCount() }
        func takeInputs(_ claim: SinkClaim) throws -> [String: CheckpointVersion] { try connection.begin(claim) }
        func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
            try connection.transaction { try body(Transaction($0, sink)) }
        }
        func sync() throws { try connection.sync() }
        func close(isComplete: Bool) throws { try connection.close(isComplete: isComplete) }
    }

    private final class Transaction: TableTransaction {
        let transaction: any SinkTransaction
        let sink: ObservedSink

        init(_ transaction: any SinkTransaction, _ sink: ObservedSink) { (self.transaction, self.sink) = (transaction, sink) }

        func contents() throws -> SinkContents { try transaction.contents() }
        func prepare(_ table: SinkTable) throws -> [String] {
            guard sink.flaw == .hidesChanges else { return try transaction.prepare(table) }
            return try transaction.prepare(
                SinkTable(
                    name: table.name, columns: table.columns, key: table.key, existing: table.existing, conflict: table.conflict))
        }
        func store(_ batch: RowBatch) throws -> StoredBatch {
            defer { sink.onStore() }
            var stored = try transaction.store(batch)
            if sink.flaw == .hidesRefusals { stored.refused = [] }
            return stored
        }
        func storeRows(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
            try transaction.store(batch, inChild: table, replacing: ends)
        }
        var tableLedger: any SinkLedger { Ledger(transaction: transaction, ledger: transaction.ledger, sink: sink) }
    }

    private struct Ledger: RejectionLedger {
        let transaction: any SinkTransaction
        let ledger: any SinkLedger
        let sink: ObservedSink

        func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
            try ledger.forgetCheckpoints(of: run, includingOthers: includingOthers)
        }
        func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion?
        {
            let written = try ledger.write(checkpoint, of: input, over: version)
            guard sink.flaw == .ignoresVersions, written == nil else { return written }
            let found = try transaction.contents().checkpoints.last { $0.input == input }
            return try found.flatMap { try ledger.write(checkpoint, of: input, over: $0.version) }
        }
        func remember(_ change: (String?) throws -> String) throws {
            if sink.flaw == .forgetsColumns { return }
            try ledger.remember(change)
        }
        func release(_ run: RunIdentity) throws { try ledger.release(run) }
        func reject(_ records: [RejectedRecord], into table: String) throws { try ledger.reject(records, into: table) }
        func removeRejections(_ records: CutOffRecords, from table: String) throws -> Int {
            sink.flaw == .keepsRejections ? records.records.count : try ledger.removeRejections(records, from: table)
        }
        func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int {
            if sink.flaw == .keepsRejections { return rejections.count }
            let count = try (ledger as? any RejectionLedger)?.settle(rejections, in: table) ?? 0
            return sink.flaw == .overcountsRejections ? rejections.count : count
        }
        func pendingRejects(to file: String) throws -> [PendingRejects] { try ledger.pendingRejects(to: file) }
        func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
            try ledger.setPendingRejects(pending, of: owner, to: file)
        }
        func record(_ changes: [RecordedChange], into table: String) throws { try ledger.record(changes, into: table) }
        func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool {
            let forgets = sink.flaw == .forgetsKeys && earlier?.run != snapshot.run
            return try ledger.setSnapshot(snapshot, over: earlier, begins: begins || forgets)
        }
        func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch {
            sink.flaw == .keepsMissingRows ? StoredBatch() : try ledger.settleMissing(change, most: most)
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
