// Records go in one by one, and their text comes out in pieces of 64 KiB, each of which ends where a record does. yajl's generator
// writes what stands between the records: the brackets and commas of an array, the line breaks of NDJSON.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Writes many values in memory that does not depend on their number.
package struct RecordStream: ~Copyable {
    /// What stands between the records.
    package enum Layout: Sendable {
        /// Each record has a line of its own.
        case lines
        /// The records are the elements of an array.
        case array
    }

    /// Text that is held before it goes to the sink. A record that is longer goes there whole.
    package static let pieceSize = 64 << 10

    private let layout: Layout
    private var generator: YajlGenerator
    private var writer: JSONWriter
    private var isArrayOpen = false
    /// Records whose text the sink has not been given yet.
    private var heldCount = 0
    /// Records whose text the sink has taken.
    package private(set) var writtenCount = 0
    private var failure: JSONError?

    package init(_ layout: Layout, options: JSONWriter.Options) throws(JSONError) {
        try self.init(layout, options, WriteContext(options))
    }

    init(_ layout: Layout, _ options: JSONWriter.Options, _ context: WriteContext) throws(JSONError) {
        self.layout = layout
        var options = options
        // A record of several lines would be several records.
        if layout == .lines { options.isPretty = false }
        let generator = try YajlGenerator(isPretty: options.isPretty, indent: options.indent)
        var writer = JSONWriter(options: options, context: context)
        // The array is a level of the document.
        if layout == .array { try writer.beginArray() }
        self.generator = generator
        self.writer = writer
    }

    /// Takes a record.
    ///
    /// - Returns: False if the record is left out, as an element of an array would be, because its hook or an option says so.
    /// - Throws: ``JSONError`` for a record that cannot be written. Nothing of it is in the text, and the next one may follow.
    package mutating func append<Record: JSONWritable>(_ record: borrowing Record) throws(JSONError) -> Bool {
        try unsafe withUnsafePointer(to: record) { (place) throws(JSONError) in
            try unsafe append(lent: &UnsafeMutablePointer(mutating: place).pointee)
        }
    }

    /// Appends a record. It is passed as `inout` to avoid a copy, and not changed.
    fileprivate mutating func append<Record: JSONWritable>(lent record: inout Record) throws(JSONError) -> Bool {
        if let failure { throw failure }
        let level = layout == .array ? 1 : 0
        writer.count = 0
        do throws(JSONError) {
            try record._write(to: &writer)
        } catch {
            // It may have been left inside containers.
            writer.nesting = level
            writer.pendingTags = []
            if writer.isOmission(error) { return false }
            throw error
        }
        if layout == .lines { writer.joinLines() }
        if layout == .array, !isArrayOpen {
            try generator.openArray()
            isArrayOpen = true
        }
        let value = generator.value
        try unsafe writer.withBytes { text throws(JSONError) in try unsafe value.splice(text) }
        if layout == .lines { try generator.reset(separator: "\n") }
        heldCount += 1
        return true
    }

    /// Gives the text to the sink, if a piece is full.
    @inline(__always)
    package mutating func flushIfFull(into sink: inout some ByteSink) throws(JSONError) {
        if generator.count >= RecordStream.pieceSize { try flush(into: &sink) }
    }

    /// Gives the text to the sink.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`, now and at each later call.
    package mutating func flush(into sink: inout some ByteSink) throws(JSONError) {
        if let failure { throw failure }
        guard generator.count > 0 else { return }
        do throws(JSONError) {
            try generator.flush(into: &sink)
        } catch {
            let failure = error.ofSink(recordCount: writtenCount)
            self.failure = failure
            throw failure
        }
        writtenCount += heldCount
        heldCount = 0
    }

    /// Ends the text.
    ///
    /// - Parameter endsLine: Whether an array's last line ends with a line break; NDJSON's always does.
    package mutating func finish(into sink: inout some ByteSink, endsLine: Bool) throws(JSONError) {
        if let failure { throw failure }
        if layout == .array {
            if isArrayOpen {
                try generator.closeArray()
            } else {
                let empty: StaticString = "[]"
                // Safe: a static string lives as long as the process.
                try unsafe generator.value.splice(UnsafeRawBufferPointer(start: empty.utf8Start, count: empty.utf8CodeUnitCount))
            }
            // What is laid out on lines has its line break from yajl.
            if !endsLine {
                generator.removeLastLineBreak()
            } else if !writer.options.isPretty {
                try generator.reset(separator: "\n")
            }
        }
        try flush(into: &sink)
    }
}

extension JSONWriter {
    /// Makes one line of the text: line breaks stand only in ``RawJSON``, between its tokens, because strings have them escaped.
    fileprivate mutating func joinLines() {
        for lineBreak in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] {
            var index = 0
            // Safe: the search never goes past the text.
            while let found = unsafe memchr(start + index, Int32(lineBreak), count - index) {
                unsafe found.storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
                index = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
            }
        }
    }
}

extension JSONError {
    /// The error of a sink; its hint says how many records were written before.
    fileprivate func ofSink(recordCount: Int) -> JSONError {
        let count = recordCount == 1 ? "1 record was" : "\(recordCount) records were"
        return JSONError(.inputOutput, expected: expected, found: found, hint: "\(count) written before")
    }
}

// MARK: Arrays

/// An array of models, which is written to a sink element by element.
protocol StreamedModels {
    func stream(to sink: inout some ByteSink, _ options: JSONWriter.Options, _ context: WriteContext) throws(JSONError)
}

extension Array: StreamedModels where Element: JSONModel {
    func stream(to sink: inout some ByteSink, _ options: JSONWriter.Options, _ context: WriteContext) throws(JSONError) {
        var stream = try RecordStream(.array, options, context)
        try unsafe withUnsafeBufferPointer { (elements) throws(JSONError) in
            // Safe: nothing writes to an element. Passed as `inout` it is lent; in any other way generic code copies it.
            guard let first = unsafe elements.baseAddress.map({ unsafe UnsafeMutablePointer(mutating: $0) }) else { return }
            for index in elements.indices {
                do throws(JSONError) {
                    _ = try unsafe stream.append(lent: &first[index])
                } catch {
                    throw error.prefixed(by: "[\(index)]")
                }
                try stream.flushIfFull(into: &sink)
            }
        }
        try stream.finish(into: &sink, endsLine: false)
    }
}
