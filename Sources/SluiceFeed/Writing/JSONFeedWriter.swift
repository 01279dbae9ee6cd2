// Records go in one by one, typed, and a feed comes out.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
public import SluiceCore

#if Compression
public import SluiceCompression
#endif

/// How the records of a feed are written.
public enum JSONFeedWriterFormat: Sendable, Hashable {
    /// One value a line (NDJSON, JSON Lines).
    case lines
    /// The elements of one array.
    case array
}

/// Writes records to a file, a descriptor or any other sink, one by one, in memory that does not depend on how many they are.
///
/// ```swift
/// let feed = try JSONFeedWriter(path: "books.ndjson", format: .lines)
/// for book in books { try feed.write(book) }
/// try feed.finish()
/// ```
///
/// The text goes to the sink in pieces of 64 KiB, each of which ends where a record does. When the sink throws, it has the records
/// up to there: ``writtenCount`` and the `JSONError.hint` of the error say how many. Every later call throws the same error.
/// An error of a record leaves nothing of the record behind, and the next one may follow.
///
/// A writer is not `Sendable`: use it from one task.
public final class JSONFeedWriter<Sink: ByteSink> {
    // Safe: both are changed only by calls that let no second caller in.
    @exclusivity(unchecked) private var stream: RecordStream
    /// Where the text goes to. After ``finish()`` it has all of it.
    @exclusivity(unchecked) public private(set) var sink: Sink
    /// Whether a call is under way: a hook of a record or a sink may know the writer that it works for, and call it.
    private var isBusy = false
    private var isFinished = false
    private var isSinkFinished = false
    /// Keeps a file open that the writer opened itself.
    private let file: CreatedFile?

    /// Records whose text the sink has taken.
    public var writtenCount: Int { unsafe stream.writtenCount }

    /// Writes to a sink.
    ///
    /// ```swift
    /// let feed = try JSONFeedWriter(to: [UInt8](), format: .array)
    /// ```
    ///
    /// - Parameters:
    ///   - sink: Takes the bytes, in pieces of 64 KiB.
    ///   - format: What stands between the records. On lines, a record is never laid out on several of them.
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

    /// Writes a record. One that its own hook refuses is left out, as from an array.
    ///
    /// - Throws: `JSONError`: of kind `inputOutput` if the sink does not take a piece; as
    ///   `JSONWritable.jsonBytes(options:)` does if the record cannot be written; of kind `notWritable` after
    ///   ``finish()``.
    public func write<Record: JSONWritable>(_ record: borrowing Record) throws(JSONError) {
        try begin()
        defer { isBusy = false }
        if isFinished { throw JSONError(.notWritable, expected: "no record", found: "one behind the end of the feed") }
        if unsafe try stream.append(record) { unsafe try stream.flushIfFull(into: &sink) }
    }

    /// Gives the sink the records that are held back until a piece is full.
    ///
    /// - Throws: `JSONError` of kind `inputOutput`.
    public func flush() throws(JSONError) {
        try begin()
        defer { isBusy = false }
        unsafe try stream.flush(into: &sink)
    }

    /// Ends the feed: what is held back goes to the sink, behind it the bracket of an array. A second call does nothing.
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
    /// Writes to a file, which is emptied if it exists, and closed with the writer.
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
    /// Writes to a compressed file, which is emptied if it exists, and closed with the writer.
    ///
    /// ```swift
    /// let feed = try JSONFeedWriter(path: "books.ndjson.gz", format: .lines, compression: .gzip)
    /// for book in books { try feed.write(book) }
    /// try feed.finish()
    /// ```
    ///
    /// Without ``finish()`` the file is cut off, and whoever reads it is told so.
    ///
    /// - Parameters:
    ///   - path: Where the file is made.
    ///   - format: What stands between the records.
    ///   - compression: How the file is compressed.
    ///   - level: gzip's 0 to 9 or zstd's 1 to 22; by default 6 and 3.
    ///   - options: How each record is written.
    /// - Throws: `JSONError` of kind `inputOutput` if it cannot be created.
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
