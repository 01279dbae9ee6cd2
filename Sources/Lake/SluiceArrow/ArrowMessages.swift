// Columns and batches become the metadata of Arrow's IPC messages. These are the FlatBuffers tables of Schema.fbs and Message.fbs
// (https://github.com/apache/arrow/tree/main/format); fields are listed here in the order of those files.

internal import SluiceCore

/// The messages of a stream.
enum ArrowMessage {
    private static let version5: Int16 = 4

    /// The first message: the schema of the columns.
    static func schema(_ columns: [JSONColumn]) -> [UInt8] {
        // Schema: endianness (little is the default), fields.
        let schema: [FlatValue?] = [nil, .tables(columns.map(field))]
        return message(header: 1, schema, bodySize: 0)
    }

    /// The message of a batch: where the buffers lie in the body that follows it.
    static func batch(rowCount: Int, _ body: ArrowBody, _ compression: ArrowCompression) -> [UInt8] {
        // RecordBatch: length, nodes, buffers, compression.
        message(
            header: 3, [.int64(Int64(rowCount)), .pairs(body.nodes), .pairs(body.extents), bodyCompression(compression)],
            bodySize: body.size)
    }

    /// The table BodyCompression: its codec. Its method is left out, because the default is right: buffers are compressed one by one.
    private static func bodyCompression(_ compression: ArrowCompression) -> FlatValue? {
        switch compression {
        case .none: nil
        #if Compression
        case .zstd: .table([.uint8(1)])
        #endif
        }
    }

    /// The table Message: version, kind of header, header, size of the body. The continuation mark and the table's size come before it.
    private static func message(header: UInt8, _ fields: [FlatValue?], bodySize: Int) -> [UInt8] {
        let metadata = FlatTable.bytes(of: [
            .int16(version5), .uint8(header), .table(fields), .int64(Int64(bodySize)),
        ])
        return continuation + FlatTable.bytes(of: UInt32(metadata.count)) + metadata
    }

    /// The continuation mark before each message.
    private static let continuation: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    /// The bytes that end a stream.
    static let end = continuation + [0, 0, 0, 0]

    /// The table Field: name, nullable, kind of type, type, dictionary, children.
    private static func field(_ column: JSONColumn) -> [FlatValue?] {
        let (number, type) = type(of: column.type)
        return [
            .string(column.name), .bool(!column.isRequired), .uint8(number), .table(type), nil,
            .tables(column.type.members.map(field)),
        ]
    }

    /// The number of a type in the union Type, and the fields of its table.
    private static func type(of type: ColumnType) -> (UInt8, [FlatValue?]) {
        switch type {
        case .integer: (2, [.int32(64), .bool(true)])
        case .int32: (2, [.int32(32), .bool(true)])
        case .real: (3, [.int16(2)])
        case .text, .json: (5, [])
        case .bool: (6, [])
        // Decimal: precision, scale, bits.
        case .decimal(let precision, let scale):
            (7, [.int32(Int32(clamping: precision)), .int32(Int32(clamping: scale)), .int32(128)])
        // Date: days.
        case .date: (8, [.int16(0)])
        case .timestamp: (10, [.int16(2), .string("UTC")])
        case .list: (12, [])
        case .object: (13, [])
        }
    }
}
