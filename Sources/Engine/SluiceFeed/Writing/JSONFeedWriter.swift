// Records go in one by one, typed, and a feed comes out.

public import SluiceCore
internal import SluiceSystem

#if Compression
public import SluiceCompression
#endif

/// How the records of a feed are written.
public enum JSONFeedWriterFormat: Sendable, Hashable {
    /// One value per line (NDJSON, JSON Lines).
    case lines
    /// The elements of one array.
    case array
}

/// Writes records to a file, a descriptor or any other sink, one by one. Memory does not grow with the number of records.
///
/// ```swift
/// let feed = try JSONFeedWriter(path: "books.ndjson", format: .lines)
/// for book in books { try feed.write(book) }      // or: try feed.write(contentsOf: books)
/// try feed.finish()
/// ```
///
/// The text goes to the sink in pieces of about 64 KiB; each piece ends with a whole record. If the sink throws, the records of the
/// earlier pieces are written: the `JSONError.hint` of the error says how many. Every later call throws the same
/// error. A record that cannot be written leaves no text behind, and you can write the next one.
///
/// A writer is not `Sendable`: use it from one task.
public final class JSONFeedWriter<Sink: ByteSink> {
    // Safe: both are changed only in calls that let no second caller in.
    @exclusivity(unchecked) private var stream: RecordStream
    /// The sink that takes the text. After ``finish()`` it has all of it.
    @exclusivity(unchecked) public private(set) var sink: Sink
    /// Whether a call is in progress. A record's hook or the sink may hold this writer and call it meanwhile; such a call throws.
    private var isBusy = false
    private var isFinished = false
    private var isSinkFinished = false
    /// The file that the writer opened itself; it stays open as long as the writer lives.
    private let file: CreatedFile?

    /// How many records the sink has taken.
    package var writtenCount: Int { unsafe stream.writtenCount }

    /// Writes to a sink.
    ///
    /// ```swift
    /// let feed = try JSONFeedWriter(to: [UInt8](), format: .array)
    /// ```
    ///
    /// - Parameters:
    ///   - sink: Takes the bytes, in pieces of about 64 KiB.
    ///   - format: The layout of the feed. In `lines`, each record stays on one line, also if `options` ask for indentation.
    ///   - options: How each record is written.
    public convenience init(to sink: Sink, format: JSONFeedWriterFormat, options: JSONWriter.Options = .init()) throws(JSONError)
    {
        try self.init(sink, format, options, nil)
    }

    private init(
        _ sink: Sink, _ format: JSONFeedWriterFormat, _ options: JSONWriter.Options, _ file: CreatedFile?
    ) throws(JSONError) {
        unsafe stream = try RecordStream(format == .lines ? .lines : .array, options: options)
        unsafe self.sink = sink
        self.file = file
    }

    /// Writes a record. A record whose own hook refuses to be written is left out, as it is from an array.
    ///
    /// - Throws: `JSONError`: of kind `inputOutput` if the sink does not take a piece; the error of
    ///   `JSONWritable.jsonBytes(options:)` if the record cannot be written; of kind `notWritable` after
    ///   ``finish()``.
    public func write<Record: JSONWritable>(_ record: borrowing Record) throws(JSONError) {
        try begin()
        defer { isBusy = false }
        if isFinished { throw JSONError(.notWritable, expected: "no record", found: "one after the end of the feed") }
        if unsafe try stream.append(record) { unsafe try stream.flushIfFull(into: &sink) }
    }

    /// Writes the records of a collection, in its order. It is faster than one call for each: the records of an array are written where they
    /// lie, and not copied.
    ///
    /// ```swift
    /// let feed = try JSONFeedWriter(path: "books.ndjson", format: .lines)
    /// try feed.write(contentsOf: books)
    /// try feed.finish()
    /// ```
    ///
    /// - Throws: `JSONError` as ``write(_:)`` does. The path begins with the index of the record that cannot be written (`[3].price`); the
    ///   records before it are written, those after it are not.
    public func write<Records: Sequence>(contentsOf records: Records) throws(JSONError) where Records.Element: JSONWritable {
        try begin()
        defer { isBusy = false }
        if isFinished { throw JSONError(.notWritable, expected: "no record", found: "one after the end of the feed") }
        // `withContiguousStorageIfAvailable` rethrows without a type, so the error travels as a value.
        let written = records.withContiguousStorageIfAvailable { records in
            Result { () throws(JSONError) in try unsafe stream.append(contentsOf: records, into: &sink) }
        }
        if let written { return try written.get() }
        for (index, record) in records.enumerated() {
            do throws(JSONError) {
                _ = unsafe try stream.append(record)
            } catch {
                throw unsafe stream.hasFailed ? error : error.prefixed(by: "[\(index)]")
            }
            unsafe try stream.flushIfFull(into: &sink)
        }
    }

    /// Sends the records to the sink that are still waiting for their piece to fill up.
    ///
    /// - Throws: `JSONError` of kind `inputOutput`.
    public func flush() throws(JSONError) {
        try begin()
        defer { isBusy = false }
        unsafe try stream.flush(into: &sink)
    }

    /// Ends the feed: the waiting records go to the sink, then the closing bracket of an array. A second call does nothing.
    ///
    /// - Throws: `JSONError` of kind `inputOutput`.
    public func finish() throws(JSONError) {
        try begin()
        defer { isBusy = false }
        if !isFinished {
            unsafe try stream.finish(into: &sink, endsLine: true)
            isFinished = true
        }
        if !isSinkFinished {
            unsafe try sink.finish()
            isSinkFinished = true
        }
    }

    private func begin() throws(JSONError) {
        if isBusy { throw JSONError(.notWritable, expected: "one call at a time", found: "a call from inside another") }
        isBusy = true
    }
}

extension JSONFeedWriter where Sink == FileDescriptorSink {
    /// Writes to a file. An existing file is emptied first. The file is closed when the writer is released.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if it cannot be created.
    public convenience init(path: String, format: JSONFeedWriterFormat, options: JSONWriter.Options = .init()) throws(JSONError) {
        let file = try CreatedFile(path: path)
        try self.init(FileDescriptorSink(descriptor: file.descriptor, name: path), format, options, file)
    }

    /// Writes to a descriptor that the caller keeps open and closes.
    public convenience init(
        descriptor: Int32, format: JSONFeedWriterFormat, options: JSONWriter.Options = .init()
    ) throws(JSONError) {
        try self.init(FileDescriptorSink(descriptor: descriptor), format, options, nil)
    }
}

#if Compression
extension JSONFeedWriter where Sink == CompressingSink<FileDescriptorSink> {
    /// Writes to a compressed file. An existing file is emptied first. The file is closed when the writer is released.
    ///
    /// ```swift
    /// let feed = try JSONFeedWriter(path: "books.ndjson.gz", format: .lines, compression: .gzip)
    /// for book in books { try feed.write(book) }
    /// try feed.finish()
    /// ```
    ///
    /// Call ``finish()``: without it the file is cut off, and reading it throws an error.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - format: The layout of the feed.
    ///   - compression: How the file is compressed.
    ///   - level: gzip's 0 to 9 or zstd's 1 to 22; by default 6 and 3.
    ///   - options: How each record is written.
    /// - Throws: `JSONError` of kind `inputOutput` if it cannot be created, or if there is no such level.
    public convenience init(
        path: String, format: JSONFeedWriterFormat, compression: CompressionFormat, level: Int? = nil,
        options: JSONWriter.Options = .init()
    ) throws(JSONError) {
        let file = try CreatedFile(path: path)
        let sink = try CompressingSink(
            to: FileDescriptorSink(descriptor: file.descriptor, name: path), format: compression, level: level)
        try self.init(sink, format, options, file)
    }
}
#endif

@available(*, unavailable)
extension JSONFeedWriter: Sendable {}

/// A file that is open for writing.
private final class CreatedFile {
    let descriptor: Int32

    init(path: String) throws(JSONError) {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw JSONError.inputOutput("create", path, errno) }
    }

    deinit { close(descriptor) }
}
