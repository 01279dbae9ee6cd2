// How far an input has been read, kept in the database beside the rows. It is written in the transaction of those rows, so the two
// never disagree, and a run that died is taken up behind the last row that is there.

#if CommandLine
internal import Foundation
internal import GRDB
internal import SluiceCompression
internal import SluiceCore

/// How far an input has been read into a table.
struct Checkpoint: Hashable, Sendable {
    /// Behind the last record that was read.
    var position = SourcePosition.start
    /// The layout of the input, by the name of ``IngestLayout``.
    var layout = ""
    var compression = JSONCompression.none
    var records = 0
    var stored = 0
    var rejected = 0
    var isComplete = false
    var fingerprint = InputFingerprint()
    /// The columns, as they were then.
    var columns: [TableColumn] = []
    /// What the run was asked for.
    var signature = ""
    /// The size of the file of rejected records.
    var rejectsSize = 0

    /// Its parts that no one but this tool needs to read.
    fileprivate var state: JSONValue {
        [
            "line": .number(JSONNumber(position.line)), "column": .number(JSONNumber(position.column)), "layout": .string(layout),
            "compression": .string(compression.rawValue),
            "stored": .number(JSONNumber(stored)), "rejects_size": .number(JSONNumber(rejectsSize)),
            "fingerprint": fingerprint.json, "columns": .array(columns.map(\.json)), "signature": .string(signature),
        ]
    }

    fileprivate init?(_ row: Row) {
        guard let text: String = row["state"], let state = try? JSONValue(json: text), let line = state["line"]?.int,
            let column = state["column"]?.int, let fingerprint = state["fingerprint"].flatMap({ InputFingerprint(json: $0) })
        else { return nil }
        position = SourcePosition(offset: row["byte_offset"], line: line, column: column)
        layout = state["layout"]?.string ?? ""
        compression = state["compression"]?.string.flatMap { JSONCompression(rawValue: $0) } ?? .none
        records = row["records"]
        rejected = row["rejected"]
        isComplete = row["is_complete"]
        stored = state["stored"]?.int ?? 0
        rejectsSize = state["rejects_size"]?.int ?? 0
        columns = state["columns"]?.array?.compactMap { TableColumn(json: $0) } ?? []
        signature = state["signature"]?.string ?? ""
        self.fingerprint = fingerprint
    }

    init() {}
}

/// The table of checkpoints.
enum CheckpointTable {
    static let name = "_sluice_checkpoints"

    /// The checkpoints of a table's inputs, by the inputs' paths; the last entry is the newest.
    static func all(for table: String, _ db: Database) throws -> [(input: String, checkpoint: Checkpoint)] {
        guard try RecordTable.exists(name, db), try RecordTable.exists(table, db) else { return [] }
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM \(name) WHERE table_name = ? ORDER BY sequence", arguments: [table])
        return rows.compactMap { row in Checkpoint(row).map { (row["input"], $0) } }
    }

    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(name) (
                    table_name TEXT NOT NULL, input TEXT NOT NULL, byte_offset INTEGER NOT NULL, records INTEGER NOT NULL,
                    rejected INTEGER NOT NULL, is_complete INTEGER NOT NULL, sequence INTEGER NOT NULL, state TEXT NOT NULL,
                    PRIMARY KEY (table_name, input))
                """)
    }

    /// Keeps the kind of journal that the database is to have when no run is at work.
    static func keepJournal(_ journal: String, _ db: Database) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO \(name) VALUES ('', 'journal', 0, 0, 0, 0, 0, ?)", arguments: [journal])
    }

    static func journal(_ db: Database) throws -> String? {
        guard try RecordTable.exists(name, db) else { return nil }
        return try String.fetchOne(db, sql: "SELECT state FROM \(name) WHERE table_name = '' AND input = 'journal'")
    }

    static func forgetJournal(_ db: Database) throws {
        guard try RecordTable.exists(name, db) else { return }
        try db.execute(sql: "DELETE FROM \(name) WHERE table_name = '' AND input = 'journal'")
    }

    static func write(_ checkpoint: Checkpoint, of input: String, for table: String, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO \(name) VALUES (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(sequence), 0) + 1 FROM \(name)), ?)
                """)
        try statement.execute(arguments: [
            table, input, checkpoint.position.offset, checkpoint.records, checkpoint.rejected, checkpoint.isComplete,
            checkpoint.state.jsonString(),
        ])
    }

    /// Forgets the checkpoints of some inputs, or of all.
    static func forget(_ inputs: [String]?, of table: String, _ db: Database) throws {
        guard try RecordTable.exists(name, db) else { return }
        guard let inputs else {
            try db.execute(sql: "DELETE FROM \(name) WHERE table_name = ?", arguments: [table])
            return
        }
        for input in inputs {
            try db.execute(sql: "DELETE FROM \(name) WHERE table_name = ? AND input = ?", arguments: [table, input])
        }
    }
}

/// What tells whether a file is still the one that was read: its size, its first bytes, and those before the checkpoint.
struct InputFingerprint: Hashable, Sendable {
    /// Bytes that are looked at.
    private static let headSize = 64 << 10
    private static let tailSize = 4 << 10

    var size = 0
    private var headCount = 0
    private var head: UInt64 = 0
    private var tailEnd = 0
    private var tail: UInt64 = 0

    init() {}

    /// - Parameter end: The end of what was read, in bytes of the file; nil if that is not known.
    init(descriptor: Int32, size: Int, end: Int?) {
        self.size = size
        move(to: end, descriptor)
    }

    /// Takes note of the bytes before a place: those behind it may change as the file grows.
    mutating func move(to end: Int?, _ descriptor: Int32) {
        let count = min(end ?? size, InputFingerprint.headSize)
        if count != headCount || head == 0 {
            headCount = count
            head = InputFingerprint.hash(descriptor, 0, count)
        }
        tailEnd = end ?? 0
        tail = InputFingerprint.hash(descriptor, max(0, tailEnd - InputFingerprint.tailSize), tailEnd)
    }

    /// Whether a file begins as this one did, and has the same bytes before the checkpoint.
    func matches(descriptor: Int32, size: Int) -> Bool {
        size >= max(headCount, tailEnd) && InputFingerprint.hash(descriptor, 0, headCount) == head
            && InputFingerprint.hash(descriptor, max(0, tailEnd - InputFingerprint.tailSize), tailEnd) == tail
    }

    /// FNV-1a of a part of a file: https://www.ietf.org/archive/id/draft-eastlake-fnv-17.html
    private static func hash(_ descriptor: Int32, _ start: Int, _ end: Int) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        guard end > start else { return hash }
        var bytes = [UInt8](repeating: 0, count: end - start)
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                // Safe: the buffer has room for what is asked for.
                unsafe pread(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, off_t(start + filled))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            filled += count
        }
        for byte in bytes[..<filled] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }

    fileprivate var json: JSONValue {
        [
            "size": .number(JSONNumber(size)), "head_count": .number(JSONNumber(headCount)), "head": .number(JSONNumber(head)),
            "tail_end": .number(JSONNumber(tailEnd)), "tail": .number(JSONNumber(tail)),
        ]
    }

    fileprivate init?(json: JSONValue) {
        guard let size = json["size"]?.int, let headCount = json["head_count"]?.int, let tailEnd = json["tail_end"]?.int,
            let head = json["head"]?.number.flatMap({ UInt64($0.lexeme) }),
            let tail = json["tail"]?.number.flatMap({ UInt64($0.lexeme) })
        else { return nil }
        (self.size, self.headCount, self.tailEnd, self.head, self.tail) = (size, headCount, tailEnd, head, tail)
    }
}
#endif
