// Writes records one by one, and passes their text to a sink in pieces of 64 KiB, each of which ends at the end of a record. yajl's
// generator writes the text between the records: the brackets and commas of an array, or the line breaks of NDJSON.

internal import SluiceSystem

/// Writes any number of values in constant memory.
package struct RecordStream: ~Copyable {
    /// How the records are separated.
    package enum Layout: Sendable {
        /// Each record has a line of its own.
        case lines
        /// The records are the elements of an array.
        case array
    }

    /// The size in bytes from which the text is passed to the sink. A longer record is passed whole.
    package static let pieceSize = 64 << 10

    private let layout: Layout
    private let style: TextLayout.Style?
    private var generator: YajlGenerator
    private var writer: JSONWriter
    private var isArrayOpen = false
    /// The number of records whose text has not been passed to the sink yet.
    private var heldCount = 0
    /// The number of records whose text the sink has accepted.
    package private(set) var writtenCount = 0
    /// The error of the sink, which every later call throws again.
    private var failure: JSONError?
    /// Whether the sink has failed.
    package var hasFailed: Bool { failure != nil }

    package init(_ layout: Layout, options: JSONWriter.Options) throws(JSONError) {
        try self.init(layout, options, nil)
    }

    init(_ layout: Layout, _ options: JSONWriter.Options, _ selection: SelectedProperties?) throws(JSONError) {
        self.layout = layout
        var options = options
        // In NDJSON a record must be one line.
        if layout == .lines { options.isPretty = false }
        let generator = try YajlGenerator(isPretty: options.isPretty, indent: options.indent)
        var writer = JSONWriter(options: options, selection: selection)
        writer.marksVerbatim = options.isPretty
        // The array around the records counts as a level of the depth limit.
        if layout == .array { try writer.beginArray() }
        self.generator = generator
        self.writer = writer
        style = options.style
    }

    /// Appends a record to the text.
    ///
    /// - Returns: False if the record is left out, as an element of an array would be, because of its hook or an option.
    /// - Throws: ``JSONError`` for a record that cannot be written. No part of it is in the text, and other records can still be appended.
    package mutating func append<Record: JSONWritable>(_ record: borrowing Record) throws(JSONError) -> Bool {
        try unsafe withUnsafePointer(to: record) { (position) throws(JSONError) in
            try unsafe append(lent: &UnsafeMutablePointer(mutating: position).pointee)
        }
    }

    /// Appends the elements of an array where they lie, and passes the text to the sink piece by piece.
    ///
    /// - Throws: ``JSONError`` as ``append(_:)`` does, with a path that begins with the element's index: those before it are in the text. And
    ///   as ``flush(into:)`` does.
    package mutating func append<Record: JSONWritable>(
        contentsOf records: UnsafeBufferPointer<Record>, into sink: inout some ByteSink
    ) throws(JSONError) {
        // Safe: nothing writes to an element. It is passed as `inout` only because generic code would otherwise copy it.
        guard let first = unsafe records.baseAddress.map({ unsafe UnsafeMutablePointer(mutating: $0) }) else { return }
        for index in records.indices {
            do throws(JSONError) {
                _ = try unsafe append(lent: &first[index])
            } catch {
                // An error of the sink does not belong to a record, so it gets no index.
                throw hasFailed ? error : error.prefixed(by: "[\(index)]")
            }
            try flushIfFull(into: &sink)
        }
    }

    /// Appends a record. It is passed as `inout` to avoid a copy, and not changed.
    private mutating func append<Record: JSONWritable>(lent record: inout Record) throws(JSONError) -> Bool {
        if let failure { throw failure }
        let level = layout == .array ? 1 : 0
        writer.count = 0
        do throws(JSONError) {
            try record._write(to: &writer)
        } catch {
            // The error may have come from inside containers of the record, and with tags still pending.
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
        try unsafe writer.withBytes { text throws(JSONError) in
            try unsafe TextLayout.with(style, text, depth: level) { (text) throws(JSONError) in try unsafe generator.splice(text)
            }
        }
        if layout == .lines { try generator.reset(separator: "\n") }
        heldCount += 1
        return true
    }

    /// Passes the text to the sink if it has at least ``pieceSize`` bytes.
    ///
    /// - Throws: ``JSONError`` as ``flush(into:)`` does.
    @inline(__always)
    package mutating func flushIfFull(into sink: inout some ByteSink) throws(JSONError) {
        if generator.count >= RecordStream.pieceSize { try flush(into: &sink) }
    }

    /// Passes the text to the sink.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput` if the sink fails. Every later call throws it again.
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

    /// Closes the array, if there is one, and passes the rest of the text to the sink.
    ///
    /// - Parameter endsLine: Whether the text of an array ends with a line break. NDJSON always does.
    /// - Throws: ``JSONError`` as ``flush(into:)`` does.
    package mutating func finish(into sink: inout some ByteSink, endsLine: Bool) throws(JSONError) {
        if let failure { throw failure }
        if layout == .array {
            if isArrayOpen {
                try generator.closeArray()
            } else {
                let empty: StaticString = "[]"
                // Safe: a static string lives as long as the process.
                try unsafe generator.splice(UnsafeRawBufferPointer(start: empty.utf8Start, count: empty.utf8CodeUnitCount))
            }
            // In pretty text, yajl has already written the line break at the end.
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
    /// Replaces line breaks by spaces, so that the text is one line. Only ``RawJSON`` can contain any, between its tokens, because in
    /// strings they are escaped.
    fileprivate mutating func joinLines() {
        for lineBreak in [UInt8(ascii: "\n"), UInt8(ascii: "\r")] {
            var index = 0
            // Safe: `index` is at most `count`, so the search stays within the text.
            while let found = unsafe memchr(start + index, Int32(lineBreak), count - index) {
                unsafe found.storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
                index = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start) + 1
            }
        }
    }
}

extension JSONError {
    /// A sink's error with a hint that says how many records were written before it.
    fileprivate func ofSink(recordCount: Int) -> JSONError {
        let count = recordCount == 1 ? "1 record was" : "\(recordCount) records were"
        return JSONError(.inputOutput, expected: expected, found: found, hint: "\(count) written before")
    }
}

// MARK: Arrays

/// An array of models, which is written to a sink element by element.
protocol StreamedModels {
    func stream(to sink: inout some ByteSink, _ options: JSONWriter.Options, _ selection: SelectedProperties?) throws(JSONError)
}

extension Array: StreamedModels where Element: JSONModel {
    func stream(to sink: inout some ByteSink, _ options: JSONWriter.Options, _ selection: SelectedProperties?) throws(JSONError) {
        var stream = try RecordStream(.array, options, selection)
        try unsafe withUnsafeBufferPointer { (elements) throws(JSONError) in
            try unsafe stream.append(contentsOf: elements, into: &sink)
        }
        try stream.finish(into: &sink, endsLine: false)
    }
}
