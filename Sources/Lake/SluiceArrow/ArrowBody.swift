// The buffers of a batch's columns go in, and the body of a message comes out: one buffer after the other, compressed if wanted.

internal import SluiceCompression
internal import SluiceCore

/// How the buffers of Arrow's IPC stream format are compressed.
public enum ArrowCompression: String, Sendable, Hashable, CaseIterable {
    /// Not compressed.
    case none
    #if Compression
    /// Zstandard (RFC 8878), each buffer by itself. Arrow's readers find and undo it themselves.
    case zstd
    #endif
}

/// The buffers of a batch: their bytes, and where they lie in the body.
@safe
struct ArrowBody {
    /// The number of values and of nulls in each column; a column is followed by its children.
    private(set) var nodes: [(Int64, Int64)] = []
    /// The offset in the body and the size of each buffer, in bytes.
    private(set) var extents: [(Int64, Int64)] = []
    private(set) var size = 0
    /// The buffers, if they are written uncompressed. The batch owns them.
    private var buffers: [UnsafeRawBufferPointer] = unsafe []
    /// The compressed copies, if those are written instead.
    private var copies: [[UInt8]] = []
    private let compression: ArrowCompression

    /// Messages and buffers start at multiples of this many bytes.
    private static let alignment = 8

    init(_ batch: JSONColumnBatch, _ compression: ArrowCompression) throws(JSONError) {
        self.compression = compression
        for column in batch.columns { try add(column) }
    }

    private mutating func add(_ column: JSONColumnValues) throws(JSONError) {
        nodes.append((Int64(column.count), Int64(column.nullCount)))
        let columnBuffers = unsafe column.buffers
        for index in unsafe columnBuffers.indices {
            let count = try unsafe add(columnBuffers[index])
            extents.append((Int64(size), Int64(count)))
            size += count + Self.padding(after: count)
        }
        for child in column.children { try add(child) }
    }

    /// Adds a buffer, and returns its size in the body in bytes; 0 for nil.
    private mutating func add(_ buffer: UnsafeRawBufferPointer?) throws(JSONError) -> Int {
        guard let buffer = unsafe buffer, buffer.count > 0 else { return 0 }
        switch compression {
        case .none:
            unsafe buffers.append(buffer)
            return buffer.count
        #if Compression
        case .zstd:
            let copy = try unsafe Self.compressed(buffer)
            copies.append(copy)
            return copy.count
        #endif
        }
    }

    #if Compression
    /// A buffer in Arrow's compressed form: its uncompressed size, then its bytes as a zstd frame. If that is not shorter: -1, then the
    /// bytes themselves.
    private static func compressed(_ buffer: UnsafeRawBufferPointer) throws(JSONError) -> [UInt8] {
        let size = FlatTable.bytes(of: Int64(buffer.count))
        var frame = try CompressingSink(to: size, format: .zstd)
        try unsafe frame.write(buffer)
        try frame.finish()
        return unsafe frame.sink.count < size.count + buffer.count ? frame.sink : FlatTable.bytes(of: Int64(-1)) + Array(buffer)
    }
    #endif

    private static func padding(after count: Int) -> Int { -count & (alignment - 1) }

    /// Writes all buffers. The caller keeps the batch alive.
    func write(to sink: inout some ByteSink) throws(JSONError) {
        for index in unsafe buffers.indices {
            let buffer = unsafe buffers[index]
            try unsafe sink.write(buffer)
            try sink.put(Array(repeating: 0, count: Self.padding(after: buffer.count)))
        }
        for copy in copies { try sink.put(copy + Array(repeating: 0, count: Self.padding(after: copy.count))) }
    }
}
