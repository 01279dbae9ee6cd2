// Batches go in, and Arrow's IPC stream format comes out: a message with the schema; for each batch, a message and the buffers of its
// columns; and an end mark.

public import SluiceCore

/// Writes batches in Apache Arrow's IPC stream format.
///
/// ```swift
/// var writer = ArrowStreamWriter(columns: batches.columns, to: FileDescriptorSink(descriptor: STDOUT_FILENO))
/// while let batch = try batches.next() { try writer.write(batch) }
/// try writer.finish()
/// ```
///
/// The stream has no dictionaries. Buffers start at multiples of 8 bytes, and can be compressed one by one.
public struct ArrowStreamWriter<Sink: ByteSink> {
    /// The columns that all batches have.
    let columns: [JSONColumn]
    /// The sink that takes the bytes.
    public private(set) var sink: Sink
    private let compression: ArrowCompression
    private var hasSchema = false

    /// Writes batches with these columns.
    ///
    /// - Parameters:
    ///   - columns: The columns that all batches have.
    ///   - sink: Takes the bytes.
    ///   - compression: How the buffers of batches are compressed.
    public init(columns: [JSONColumn], to sink: Sink, compression: ArrowCompression = .none) {
        self.columns = columns
        self.sink = sink
        self.compression = compression
    }

    /// Writes a batch. The schema is written before the first one.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if the bytes cannot be written; of kind `notWritable` for a batch with other columns.
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

    /// Writes the end mark, and finishes the sink. If no batch was written, the schema comes first.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if the bytes cannot be written.
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
