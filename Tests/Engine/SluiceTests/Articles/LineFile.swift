// The sink of the article "A sink of your own".

#if SQLite
import Foundation
import SluiceCore
import SluiceIngest

/// Writes rows as lines of JSON. The file gets its name when the run
/// is complete; until then, the old file stays.
struct LineFile: RecordSink {
    let destination: String
    var files: [String] { [destination] }

    func connect(_ run: SinkRun) -> any SinkConnection {
        // Each run writes into a file of its own.
        LineFileRun(destination, aside: "\(destination).\(run.id)")
    }
}

final class LineFileRun: SinkConnection, SinkTransaction {
    private let destination, aside: String
    private var file: FileHandle?
    private var columns: [IngestColumn] = []
    private var lines = ""

    init(_ destination: String, aside: String) { (self.destination, self.aside) = (destination, aside) }

    func contents() -> SinkContents { SinkContents() }

    func transaction(_ body: (any SinkTransaction) throws -> Void) throws {
        lines = ""
        try body(self)
        let url = URL(fileURLWithPath: aside)
        if file == nil { try Data().write(to: url) }
        file = try file ?? FileHandle(forWritingTo: url)
        try file?.write(contentsOf: Data(lines.utf8))
    }

    func prepare(_ table: SinkTable) -> [String] {
        columns = table.columns
        return []
    }

    func store(_ batch: RowBatch) throws -> StoredBatch {
        try batch.forEachRow { _, row in
            var record = JSONObject()
            for cell in row.cellIndices {
                let column = columns[row.column(cell)]
                record[column.name] = row.withValue(cell) { json($0, column.type) }
            }
            lines += try JSONValue.object(record).jsonString() + "\n"
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
            let text = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
            return type == .json ? (try? JSONValue(json: text)) ?? .string(text) : .string(text)
        }
    }

    func sync() throws { try file?.synchronize() }

    func close(isComplete: Bool) throws {
        guard file != nil, unsafe !isComplete || rename(aside, destination) != 0 else { return }
        unsafe unlink(aside)
        if isComplete { throw IngestError.output("cannot write \(destination)") }
    }
}
#endif
