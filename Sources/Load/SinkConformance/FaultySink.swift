// A sink in front of another one, which fails at a chosen call.

internal import SluiceIngest
internal import Synchronization

/// An error at one call of a sink.
final class Fault: Sendable, CustomStringConvertible {
    /// The methods of `RecordSink`, of its connections and of their transactions.
    enum Call: String, CaseIterable {
        case connect, contents, columns, begin, transaction, prepare, store, forgetCheckpoints, write, release, reject
        case removeRejections, pendingRejects, setPendingRejects, record, remember, setSnapshot, settleMissing
        case sync, close
    }

    /// What happens at the call.
    enum Kind: String, CaseIterable {
        /// The error comes before the sink has done the work.
        case before
        /// The error comes after the sink has done the work, as when the connection to a server breaks.
        case after
        /// The call is made twice, as if another run had made it in between. This is only for `write`: its second call must do
        /// nothing.
        case twice
    }

    let call: Call
    let number: Int
    private let kind: Kind?
    /// What is done before the call.
    private let action: @Sendable () -> Void
    private let count = Atomic<Int>(0)

    /// - Parameter number: Which of these calls fails, counted from 1.
    init(_ call: Call, _ number: Int, _ kind: Kind) { (self.call, self.number, self.kind, action) = (call, number, kind, {}) }

    /// Does something before the call, which then succeeds.
    init(_ call: Call, _ number: Int, meanwhile action: @escaping @Sendable () -> Void) {
        (self.call, self.number, kind, self.action) = (call, number, nil, action)
    }

    var description: String {
        switch kind {
        case .before?, .after?: "an error \(kind == .before ? "before" : "after") call \(number) of \(call)"
        case .twice?, nil: "another run before call \(number) of \(call)"
        }
    }

    var hasHappened: Bool { count.load(ordering: .sequentiallyConsistent) >= number }

    func at<Result>(_ call: Call, _ body: () throws -> Result) throws -> Result {
        let isNow = call == self.call && count.add(1, ordering: .sequentiallyConsistent).newValue == number
        if isNow { action() }
        if isNow, kind == .before { throw IngestError.database("\(self)") }
        let result = try body()
        if isNow, kind == .after { throw IngestError.database("\(self)") }
        return isNow && kind == .twice ? try body() : result
    }
}

struct FaultySink: RecordSink {
    let sink: any RecordSink
    let fault: Fault

    init(_ sink: any RecordSink, _ fault: Fault) { (self.sink, self.fault) = (sink, fault) }

    var destination: String { sink.destination }
    var table: String { sink.table }
    var files: [String] { sink.files }
    var abilities: SinkAbilities { sink.abilities }

    func connect(_ run: SinkRun) throws -> any SinkConnection {
        try fault.at(.connect) { FaultyConnection(try sink.connect(run), fault) }
    }
}

private final class FaultyConnection: TableConnection {
    private let connection: any SinkConnection
    private let fault: Fault

    init(_ connection: any SinkConnection, _ fault: Fault) { (self.connection, self.fault) = (connection, fault) }

    func contents() throws -> SinkContents { try fault.at(.contents) { try connection.contents() } }
    func columnNames(of table: String) throws -> [String] { try fault.at(.columns) { try connection.columns(of: table) } }
    func rowCount() -> Int? { connection.rowCount() }
    func takeInputs(_ claim: SinkClaim) throws -> [String: CheckpointVersion] {
        try fault.at(.begin) { try connection.begin(claim) }
    }
    func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
        try fault.at(.transaction) { try connection.transaction { try body(FaultyTransaction($0, fault)) } }
    }
    func sync() throws { try fault.at(.sync) { try connection.sync() } }
    func close(isComplete: Bool) throws { try fault.at(.close) { try connection.close(isComplete: isComplete) } }
}

private final class FaultyTransaction: TableTransaction {
    private let transaction: any SinkTransaction
    private let fault: Fault

    init(_ transaction: any SinkTransaction, _ fault: Fault) { (self.transaction, self.fault) = (transaction, fault) }

    func contents() throws -> SinkContents { try fault.at(.contents) { try transaction.contents() } }
    func prepare(_ table: SinkTable) throws -> [String] { try fault.at(.prepare) { try transaction.prepare(table) } }
    func store(_ batch: RowBatch) throws -> StoredBatch { try fault.at(.store) { try transaction.store(batch) } }
    func storeRows(_ batch: RowBatch, inChild table: String, replacing ends: RowBatch?) throws -> StoredBatch {
        try fault.at(.store) { try transaction.store(batch, inChild: table, replacing: ends) }
    }
    func setNote(_ text: String?, named name: String) throws { try transaction.setNote(text, named: name) }
    var tableLedger: any SinkLedger { FaultyLedger(ledger: transaction.ledger, fault: fault) }
}

private struct FaultyLedger: RejectionLedger {
    let ledger: any SinkLedger
    let fault: Fault

    func forgetCheckpoints(of run: RunIdentity, includingOthers: Bool) throws {
        try fault.at(.forgetCheckpoints) { try ledger.forgetCheckpoints(of: run, includingOthers: includingOthers) }
    }
    func write(_ checkpoint: StoredCheckpoint, of input: String, over version: CheckpointVersion) throws -> CheckpointVersion? {
        try fault.at(.write) { try ledger.write(checkpoint, of: input, over: version) }
    }
    func remember(_ change: (String?) throws -> String) throws { try fault.at(.remember) { try ledger.remember(change) } }
    func release(_ run: RunIdentity) throws { try fault.at(.release) { try ledger.release(run) } }
    func reject(_ records: [RejectedRecord], into table: String) throws {
        try fault.at(.reject) { try ledger.reject(records, into: table) }
    }
    func removeRejections(_ records: CutOffRecords, from table: String) throws -> Int {
        try fault.at(.removeRejections) { try ledger.removeRejections(records, from: table) }
    }
    func settle(_ rejections: [Replay.Rejection], in table: String) throws -> Int {
        guard let ledger = ledger as? any RejectionLedger else { return 0 }
        return try fault.at(.removeRejections) { try ledger.settle(rejections, in: table) }
    }
    func pendingRejects(to file: String) throws -> [PendingRejects] {
        try fault.at(.pendingRejects) { try ledger.pendingRejects(to: file) }
    }
    func setPendingRejects(_ pending: PendingRejects?, of owner: String, to file: String) throws {
        try fault.at(.setPendingRejects) { try ledger.setPendingRejects(pending, of: owner, to: file) }
    }
    func record(_ changes: [RecordedChange], into table: String) throws {
        try fault.at(.record) { try ledger.record(changes, into: table) }
    }
    func keepPlaces(_ places: [RowPlace], in table: PlaceTable) throws {
        try fault.at(.record) { try ledger.keepPlaces(places, in: table) }
    }
    func forgetPlaces(in table: PlaceTable) throws { try fault.at(.record) { try ledger.forgetPlaces(in: table) } }
    func setSnapshot(_ snapshot: SinkSnapshot, over earlier: SinkSnapshot?, begins: Bool) throws -> Bool {
        try fault.at(.setSnapshot) { try ledger.setSnapshot(snapshot, over: earlier, begins: begins) }
    }
    func settleMissing(_ change: MissingChange, most: Int) throws -> StoredBatch {
        try fault.at(.settleMissing) { try ledger.settleMissing(change, most: most) }
    }
}
