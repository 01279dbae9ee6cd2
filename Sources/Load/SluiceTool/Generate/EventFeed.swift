// Writes generated events through one buffer into a sink, so memory does not depend on their number.

#if CommandLine
internal import SluiceCore

/// Writes a feed of generated events.
struct EventFeed {
    /// How the events are separated.
    enum Layout: String, CaseIterable, Sendable {
        /// One event per line.
        case ndjson
        /// The elements of one array, one per line.
        case array
    }

    let records: Int
    let seed: UInt64
    let layout: Layout
    /// Whether the feed has flaws that are common in practice: a key that first appears late, and (with ``Layout/ndjson``) a
    /// record that is cut off.
    var hasFlaws = false

    /// Writes the whole feed and returns the number of bytes.
    ///
    /// - Throws: ``JSONError`` that the sink throws.
    func write(to sink: inout some ByteSink) throws(JSONError) -> Int {
        var generator = try EventGenerator(seed: seed)
        var buffer: [UInt8] = []
        // A record has a few kilobytes at most, so the buffer never grows.
        buffer.reserveCapacity(EventFeed.bufferSize * 2)
        var written = 0
        if layout == .array { buffer.append(UInt8(ascii: "[")) }
        for index in 0..<records {
            if layout == .array { buffer.append(contentsOf: (index > 0 ? ",\n" : "\n").utf8) }
            let start = buffer.count
            generator.append(to: &buffer)
            if hasFlaws { addFlaw(to: &buffer, from: start, index) }
            if layout == .ndjson { buffer.append(UInt8(ascii: "\n")) }
            if buffer.count >= EventFeed.bufferSize { written += try flush(&buffer, into: &sink) }
        }
        if layout == .array { buffer.append(contentsOf: "\n]\n".utf8) }
        return written + (try flush(&buffer, into: &sink))
    }

    /// Adds a key that first appears after half of the records, or cuts the record off.
    private func addFlaw(to buffer: inout [UInt8], from start: Int, _ index: Int) {
        if index > records / 2, index.isMultiple(of: 1_000) {
            buffer.removeLast()
            buffer.append(contentsOf: ",\"client\":{\"name\":\"sluice\",\"version\":2}}".utf8)
        } else if layout == .ndjson, index == records / 4 * 3 + 1 {
            buffer.removeSubrange((start + (buffer.count - start) / 2)...)
        }
    }

    private static let bufferSize = 128 << 10

    private func flush(_ buffer: inout [UInt8], into sink: inout some ByteSink) throws(JSONError) -> Int {
        // The benchmarks compile this file, too, and see public names alone.
        try unsafe buffer.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            try unsafe sink.write(UnsafeRawBufferPointer(bytes))
        }
        let count = buffer.count
        buffer.removeAll(keepingCapacity: true)
        return count
    }
}
#endif
