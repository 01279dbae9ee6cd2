// The sink of the article "A sink of your own".

#if SQLite
import Foundation
import SluiceCore
import SluiceIngest

// swift-format-ignore
/// Writes rows as lines of JSON. The file gets its name when the run
/// is complete; until then, the old file stays.
struct LineFile: RecordSink {
    let path: String

    var place: String { path }
    var files: [String] { [path] }

    func connect(_ run: SinkRun) throws -> any SinkConnection {
        // Each run writes into a file of its own.
        LineFileConnection(path, aside: "\(path).\(run.identity.id)")
    }
}

final class LineFileConnection: SinkConnection, SinkTransaction {
    private let path, aside: String
    private var file: FileHandle?
    private var columns: [IngestColumn] = []
    private var lines = ""

    init(_ path: String, aside: String) { (self.path, self.aside) = (path, aside) }

    func contents() throws -> SinkContents { SinkContents() }

    func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
        lines = ""
        try body(self)
        do {
            if file == nil { try Data().write(to: URL(fileURLWithPath: aside)) }
            file = try file ?? FileHandle(forWritingTo: URL(fileURLWithPath: aside))
            try file?.write(contentsOf: Data(lines.utf8))
        } catch {
            throw IngestError.output("cannot write \(aside): \(error)")
        }
    }

    func prepare(_ table: SinkTable) throws -> [String] {
        columns = table.columns
        return []
    }

    func store(_ batch: RowBatch) throws -> StoredBatch {
        try batch.forEachRow { _, row in
            let members = row.cellIndices.map { cell in
                let column = columns[row.column(cell)]
                return (key: column.name, value: json(row.value(cell), column.type))
            }
            lines += try JSONValue.object(JSONObject(members)).jsonString() + "\n"
        }
        var stored = StoredBatch()
        stored.counts.added = batch.count
        return stored
    }

    private func json(_ value: CellValue, _ type: ColumnType) -> JSONValue {
        switch value {
        case .null: return .null
        case .integer(let number): return type == .bool ? .bool(number != 0) : .number(JSONNumber(number))
        case .real(let number): return JSONNumber(number).map { .number($0) } ?? .null
        case .text(let bytes):
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            return type == .json ? (try? JSONValue(json: text)) ?? .string(text) : .string(text)
        }
    }

    func sync() throws { try file?.synchronize() }

    func close(isComplete: Bool) throws {
        guard file != nil else { return }
        if isComplete, rename(aside, path) == 0 { return }
        unlink(aside)
        if isComplete { throw IngestError.output("cannot write \(path)") }
    }
}
#endif
