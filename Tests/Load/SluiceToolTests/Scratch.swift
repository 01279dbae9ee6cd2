// Files that a test makes, and rows that it reads back by means other than those under test.

#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

extension Scratch {
    /// A connection to a database. It waits for runs that write, as any user's does.
    private func queue(_ database: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: path(database), configuration: configuration)
    }

    /// The rows of a query, as GRDB reads them.
    func rows(_ sql: String, in database: String = "out.db") throws -> [Row] {
        try queue(database).read { try Row.fetchAll($0, sql: sql) }
    }

    func value<Value: DatabaseValueConvertible>(_ sql: String, in database: String = "out.db") throws -> Value? {
        try queue(database).read { try Value.fetchOne($0, sql: sql) }
    }

    func count(_ table: String = "records", in database: String = "out.db") throws -> Int {
        try value("SELECT count(*) FROM \(table)", in: database) ?? -1
    }

    /// Runs a statement on the database, which is made if need be.
    func execute(_ sql: String, in database: String = "out.db") throws {
        try queue(database).write { try $0.execute(sql: sql) }
    }

    /// Ingests a text into `out.db`.
    func ingest(
        _ text: String, columns: [String] = [], interruption: Interruption = Interruption(), chunk: Int = .max,
        _ change: (inout IngestSetup) -> Void = { _ in }
    ) throws -> IngestReport {
        try ingest(BytesSource(Array(text.utf8), chunkSize: chunk), columns: columns, interruption: interruption, change)
    }

    func ingest(
        _ source: any ByteSource, columns: [String] = [], interruption: Interruption = Interruption(),
        _ change: (inout IngestSetup) -> Void = { _ in }
    ) throws -> IngestReport {
        var options = IngestSetup(database: path("out.db"))
        options.columns = try ColumnOption.columns(columns.map { try ColumnOption($0) })
        change(&options)
        let progress = ProgressLine(isShown: false)
        return try options.ingest(interruption).run(source, progress: progress)
    }

    /// Ingests a file by its path.
    func ingest(file: String, _ change: (inout IngestSetup) -> Void = { _ in }) throws -> IngestReport {
        var options = IngestSetup(database: path("out.db"))
        change(&options)
        let progress = ProgressLine(isShown: false)
        return try options.ingest().run(input: file, progress: progress)
    }
}

/// The options of an ingest, and the table that it goes into.
@dynamicMemberLookup
struct IngestSetup {
    var options = IngestOptions()
    var database: String
    var table = "records"

    init(database: String) { self.database = database }

    /// Where rejected records go, as the command line names it.
    var rejects: String? {
        get { options.rejects?.name }
        set { options.rejects = newValue.map { RejectsTarget($0) } }
    }

    subscript<Value>(dynamicMember option: WritableKeyPath<IngestOptions, Value>) -> Value {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }

    func ingest(_ interruption: Interruption = Interruption()) -> IngestJob {
        IngestJob(options, into: SQLiteSink(path: database, table: table), interruption: interruption)
    }
}

/// A generated feed in memory.
func generated(_ records: Int, seed: UInt64 = 1, layout: EventFeed.Layout = .ndjson) throws -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try EventFeed(records: records, seed: seed, layout: layout).write(to: &bytes)
    return bytes
}

/// Each line as Foundation reads it.
func objects(_ lines: [UInt8]) throws -> [[String: Any]] {
    try lines.split(separator: UInt8(ascii: "\n")).map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
    }
}
#endif
