// Batches go in, Arrow's IPC stream format comes out: a message with the schema, one for each batch with the buffers of its columns behind
// it, and a mark of the end.

public import SluiceCore

/// Bytes at whose multiples messages and buffers start.
private let alignment = 8

/// Writes batches in Apache Arrow's IPC stream format.
///
/// ```swift
/// var writer = ArrowStreamWriter(columns: batches.columns, to: FileDescriptorSink(descriptor: STDOUT_FILENO))
/// while let batch = try batches.next() { try writer.write(batch) }
/// try writer.finish()
/// ```
///
/// Nothing is compressed, and there are no dictionaries. Buffers start at multiples of 8 bytes.
public struct ArrowStreamWriter<Sink: ByteSink> {
    /// What the columns of all batches are.
    public let columns: [JSONColumn]
    /// Where the bytes go.
    public private(set) var sink: Sink
    private var hasSchema = false

    /// Writes batches with these columns.
    public init(columns: [JSONColumn], to sink: Sink) {
        self.columns = columns
        self.sink = sink
    }

    /// Writes a batch, before the first one the schema.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` when the bytes cannot be written, `notWritable` for a batch with other columns.
    public mutating func write(_ batch: JSONColumnBatch) throws(JSONError) {
        guard batch.schema == columns else {
            throw JSONError(.notWritable, expected: "a batch with the columns of the stream", found: "one with others")
        }
        try writeSchema()
        var body = Body()
        for column in batch.columns { body.add(column) }
        try put(
            ArrowMessage.batch(rowCount: batch.rowCount, nodes: body.nodes, buffers: body.places, bodySize: body.size))
        // The batch owns the buffers.
        defer { withExtendedLifetime(batch) {} }
        for index in unsafe body.buffers.indices {
            let buffer = unsafe body.buffers[index]
            try unsafe sink.write(buffer)
            let padding = -buffer.count & (alignment - 1)
            if padding > 0 { try put(Array(repeating: 0, count: padding)) }
        }
    }

    /// Writes the mark of the end; of a stream without batches, the schema before it.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` when the bytes cannot be written.
    public mutating func finish() throws(JSONError) {
        try writeSchema()
        try put(ArrowMessage.end)
        try sink.finish()
    }

    private mutating func writeSchema() throws(JSONError) {
        guard !hasSchema else { return }
        hasSchema = true
        try put(ArrowMessage.schema(columns))
    }

    private mutating func put(_ bytes: [UInt8]) throws(JSONError) {
        var failure: JSONError?
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(JSONError) { try unsafe sink.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// The columns of a batch one behind the other, those that a column consists of behind it.
    @safe
    private struct Body {
        var nodes: [(Int64, Int64)] = []
        var places: [(Int64, Int64)] = []
        var buffers: [UnsafeRawBufferPointer] = unsafe []
        var size = 0

        mutating func add(_ column: JSONColumnValues) {
            nodes.append((Int64(column.count), Int64(column.nullCount)))
            let columnBuffers = unsafe column.buffers
            for index in unsafe columnBuffers.indices {
                let buffer = unsafe columnBuffers[index]
                let count = unsafe buffer?.count ?? 0
                places.append((Int64(size), Int64(count)))
                if let buffer = unsafe buffer { unsafe buffers.append(buffer) }
                size += (count + alignment - 1) & ~(alignment - 1)
            }
            for child in column.children { add(child) }
        }
    }
}
