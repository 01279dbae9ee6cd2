// A record that could not be read: where it is, why it was rejected, and where its bytes go.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
public import SluiceCore
internal import Synchronization

/// A record of a feed that was rejected.
///
/// ```swift
/// for record in feed.rejectedRecords {
///     print(record.line, record.range, record.error.path, record.error.expected, record.error.found)
/// }
/// ```
public struct JSONRejectedRecord: Sendable, Hashable {
    /// The record's byte range, counted from the start of the feed's text. The range of a line ends before its line break.
    public let range: Range<Int>
    /// The place where the record begins.
    public let position: SourcePosition
    /// The record's index in the feed, counted from 0; rejected records count, too.
    public let index: Int
    /// The reason, with its place in the feed and its path within the record.
    public let error: JSONError

    /// The line in which the record begins, counted from 1.
    public var line: Int { position.line }

    /// Compares all properties.
    public static func == (left: JSONRejectedRecord, right: JSONRejectedRecord) -> Bool {
        left.range == right.range && left.position == right.position && left.index == right.index && left.error == right.error
    }

    /// Hashes the range and the index.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(range)
        hasher.combine(index)
    }
}

/// Collects the bytes of rejected records, one record per line, so that you can look at them, repair them and read them again.
///
/// ```swift
/// let rejects = try JSONQuarantine(path: "rejects.ndjson")
/// let feed = try JSONFeed<Book>(path: "books.ndjson", options: .init(invalidRecords: .quarantine(rejects)))
/// while let book = try feed.next() { print(book.name) }
/// print(rejects.count)
/// ```
///
/// Line breaks inside a record become spaces. Several feeds may share a quarantine, from several tasks.
public final class JSONQuarantine: Sendable, Hashable {
    private struct State: Sendable {
        var sink: any ByteSink & Sendable
        var count = 0
    }

    private let state: Mutex<State>
    /// The file that this quarantine opened, and closes at its end; nil if it writes to a sink.
    private let descriptor: Int32?

    /// Writes to a sink.
    public init(to sink: some ByteSink & Sendable) {
        state = Mutex(State(sink: sink))
        descriptor = nil
    }

    /// Writes to a file, which is emptied if it exists.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if it cannot be created.
    public init(path: String) throws(JSONError) {
        let opened = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw JSONError.inputOutput("create", path, errno) }
        descriptor = opened
        state = Mutex(State(sink: DescriptorSink(descriptor: opened, name: path)))
    }

    deinit { if let descriptor { close(descriptor) } }

    /// How many records have been written.
    public var count: Int { state.withLock { $0.count } }

    /// Calls `body` with the sink, for example to see what a byte array has received. No record is written meanwhile.
    public func withSink<Result: Sendable>(_ body: @Sendable (any ByteSink & Sendable) -> Result) -> Result {
        state.withLock { body($0.sink) }
    }

    /// Writes a record, or the last piece of a record that came in pieces, and ends the line.
    func write(_ record: UnsafeRawBufferPointer) throws(JSONError) {
        try write(unsafe Self.line(record) + [UInt8(ascii: "\n")], endsLine: true)
    }

    /// Writes a piece of a record that is too long to be kept in memory.
    func write(piece: UnsafeRawBufferPointer) throws(JSONError) {
        try write(unsafe Self.line(piece), endsLine: false)
    }

    private func write(_ bytes: [UInt8], endsLine: Bool) throws(JSONError) {
        let failure: JSONError? = state.withLock { state in
            unsafe bytes.withUnsafeBytes { bytes in
                do throws(JSONError) {
                    try unsafe state.sink.write(bytes)
                } catch {
                    return error
                }
                if endsLine { state.count += 1 }
                return nil
            }
        }
        if let failure { throw failure }
    }

    private static func line(_ record: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe record.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }

    /// A quarantine is equal to itself only.
    public static func == (left: JSONQuarantine, right: JSONQuarantine) -> Bool { left === right }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Writes to a file descriptor, which may be used from any thread.
private struct DescriptorSink: ByteSink, Sendable {
    let descriptor: Int32
    let name: String

    func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var sink = FileDescriptorSink(descriptor: descriptor, name: name)
        try unsafe sink.write(bytes)
    }
}
