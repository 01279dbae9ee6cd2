// Batches go in, Arrow's IPC stream format comes out: a message with the schema, one for each batch with the buffers of its columns behind
// it, and a mark of the end.

public import SluiceCore

/// Writes batches in Apache Arrow's IPC stream format.
///
/// ```swift
/// var writer = ArrowStreamWriter(columns: batches.columns, to: FileDescriptorSink(descriptor: STDOUT_FILENO))
/// while let batch = try batches.next() { try writer.write(batch) }
/// try writer.finish()
/// ```
///
/// There are no dictionaries. Buffers start at multiples of 8 bytes; each may be compressed by itself.
public struct ArrowStreamWriter<Sink: ByteSink> {
    /// What the columns of all batches are.
    public let columns: [JSONColumn]
    /// Where the bytes go.
    public private(set) var sink: Sink
    private let compression: ArrowCompression
    private var hasSchema = false

    /// Writes batches with these columns.
    ///
    /// - Parameters:
    ///   - columns: What the columns of all batches are.
    ///   - sink: Where the bytes go.
    ///   - compression: How the buffers of batches are compressed.
    public init(columns: [JSONColumn], to sink: Sink, compression: ArrowCompression = .none) {
        self.columns = columns
        self.sink = sink
        self.compression = compression
    }

    /// Writes a batch, before the first one the schema.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` when the bytes cannot be written, `notWritable` for a batch with other columns.
    public mutating func write(_ batch: JSONColumnBatch) throws(JSONError) {
        guard batch.schema == columns else {
            throw JSONError(.notWritable, expected: "a batch with the columns of the stream", found: "one with others")
        }
        try writeSchema()
        let body = try ArrowBody(batch, compression)
        defer { withExtendedLifetime(batch) {} }
        try sink.put(ArrowMessage.batch(rowCount: batch.rowCount, body, compression))
        try body.write(to: &sink)
    }

    /// Writes the mark of the end; of a stream without batches, the schema before it.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` when the bytes cannot be written.
    public mutating func finish() throws(JSONError) {
        try writeSchema()
        try sink.put(ArrowMessage.end)
        try sink.finish()
    }

    private mutating func writeSchema() throws(JSONError) {
        guard !hasSchema else { return }
        hasSchema = true
        try sink.put(ArrowMessage.schema(columns))
    }
}
