// A sink that keeps notes has checkpoints. It is written with nothing but public names of the library.

#if SQLite
import Foundation
import SinkConformance
import SluiceCore
import SluiceIngest
import SluiceSQLite
import SluiceTestSupport
import Testing

/// A table in memory.
// Unchecked: the lock is held while a transaction is open.
private final class MemoryTable: RecordSink, @unchecked Sendable {
    struct State {
        var hasTable = false
        var columns: [String] = []
        var rows: [SinkConformance.Row] = []
        var notes: [String: String] = [:]
    }

    let destination = "memory"
    let table = "rows"
    var abilities: SinkAbilities { [.lateColumns, .appending] }

    private let lock = NSRecursiveLock()
    fileprivate var state = State()
    /// The `id` of the rows that are refused.
    private let refusedID: Int64?

    init(refusing refusedID: Int64? = nil) { self.refusedID = refusedID }

    func connect(_ run: SinkRun) -> any SinkConnection { Connection(self) }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    func contents() -> SinkContents {
        locked {
            var contents = SinkContents()
            (contents.hasTable, contents.columns, contents.notes) = (state.hasTable, state.columns, state.notes)
            return contents
        }
    }

    final class Connection: SinkConnection, SinkTransaction {
        private let table: MemoryTable
        private var columns: [IngestColumn]?

        init(_ table: MemoryTable) { self.table = table }

        func contents() -> SinkContents { table.contents() }

        func rowCount() -> Int? { table.locked { table.state.rows.count } }

        func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
            try table.locked {
                let before = table.state
                do {
                    try body(self)
                } catch {
                    (table.state, columns) = (before, nil)
                    throw error
                }
            }
        }

        func prepare(_ wanted: SinkTable) -> [String] {
            let isNew = !table.state.hasTable || wanted.existing == .drop
            if columns == nil, isNew || wanted.existing == .truncate { table.state.rows = [] }
            if columns == nil, isNew { table.state.columns = [] }
            columns = wanted.columns
            table.state.hasTable = true
            let added = wanted.columns.map(\.name).filter { !table.state.columns.contains($0) }
            table.state.columns += added
            return isNew ? [] : added
        }

        func store(_ batch: RowBatch) -> StoredBatch {
            let columns = columns ?? []
            var stored = StoredBatch()
            batch.forEachRow { index, row in
                var record: SinkConformance.Row = [:]
                for cell in row.cellIndices {
                    let column = columns[row.column(cell)]
                    record[column.name] = row.withValue(cell) { value($0, column.type) }
                }
                if let refused = table.refusedID, record["id"] == .integer(refused) {
                    return stored.refuse(index, "\(refused) is not allowed")
                }
                table.state.rows.append(record)
                stored.counts.added += 1
            }
            return stored
        }

        func setNote(_ text: String?, named name: String) { table.state.notes[name] = text }

        private func value(_ value: CellValue, _ type: ColumnType) -> SinkConformance.Value {
            switch value {
            case .null: .null
            case .integer(let number): type == .bool ? .bool(number != 0) : .integer(number)
            case .real(let number): .real(number)
            case .text(let bytes): .text(unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) })
            }
        }
    }
}

@Suite struct NoteSinkTests {
    @Test func aSinkWithNotesKeepsItsPromises() async throws {
        try await SinkConformance.check([.checkpoints, .nulInText, .emptyText]) {
            let table = MemoryTable()
            return SinkConformance.Target(table) { table.locked { table.state.rows } }
        }
    }

    @Test func aRunGoesOnWhereTheLastOneHasEnded() async throws {
        let scratch = try Scratch()
        let feed = try scratch.file("a.ndjson", (0..<40).map { "{\"id\":\($0)}\n" }.joined())
        let table = MemoryTable(refusing: 13)
        let ingest = Ingest([feed], into: table)
        let first = try await ingest.limit(10).run()
        #expect(first.rows.added == 10 && first.isResumable)
        let second = try await ingest.run()
        #expect(second.rows.added == 29 && second.rejected == 1)
        #expect(second.rejections.first?.reason.hasSuffix("13 is not allowed") == true)
        #expect(try await ingest.run().outcome == .nothingToDo)
        #expect(Set(table.state.rows.map { $0["id"] }).count == 39)
    }

    /// Otherwise its rows would be stored again.
    @Test(arguments: ["\"layout\":2", "\"layout\":null", "\"checkpoint\":\"{}\"", "\"sequence\":null"])
    func aNoteOfAnotherVersionIsRefused(change: String) async throws {
        let scratch = try Scratch()
        let feed = try scratch.file("a.ndjson", "{\"id\":1}\n")
        let table = MemoryTable()
        #expect(try await Ingest([feed], into: table).run().rows.added == 1)
        let (name, note) = try #require(table.state.notes.first { $0.key.hasPrefix("input ") })
        var members = try #require(JSONValue(json: note).object).members
        let changed = try #require(JSONValue(json: "{\(change)}").object?.members.first)
        let index = try #require(members.firstIndex { $0.key == changed.key })
        members[index] = changed
        table.state.notes[name] = try JSONValue.object(JSONObject(members)).jsonString()
        await #expect(throws: IngestError.self) { try await Ingest([feed], into: table).run() }
        await #expect(throws: IngestError.self) { try await Ingest([feed], into: table).existing(.truncate).run() }
        #expect(table.state.rows.count == 1)
    }

    /// A sink that stands around the sink of a database, and passes on what that has.
    private struct Wrapper: RecordSink {
        final class Connection: SinkConnection {
            let connection: any SinkConnection
            init(_ connection: any SinkConnection) { self.connection = connection }
            func contents() throws -> SinkContents { try connection.contents() }
            func transaction(_ body: (any SinkTransaction) throws -> Void) throws { try connection.transaction(body) }
        }

        let sink: SQLiteSink
        var destination: String { sink.destination }
        var abilities: SinkAbilities { sink.abilities }
        func connect(_ run: SinkRun) throws -> any SinkConnection { Connection(try sink.connect(run)) }
    }

    @Test func aSinkAroundThatOfADatabaseIsRefused() async throws {
        let scratch = try Scratch()
        let feed = try scratch.file("a.ndjson", "{\"id\":1}\n")
        let sink = SQLiteSink(path: scratch.path("a.db"), table: "rows")
        for _ in 1...2 {
            await #expect(throws: IngestError.self) { try await Ingest([feed], into: Wrapper(sink: sink)).run() }
        }
        #expect(try await Ingest([feed], into: sink).run().rows.added == 1)
        await #expect(throws: IngestError.self) { try await Ingest([feed], into: Wrapper(sink: sink)).run() }
    }
}
#endif
