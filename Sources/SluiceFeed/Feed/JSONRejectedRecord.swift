// A record that could not be read: where it stands, and why it was rejected; and where its bytes go.

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
    /// The record's bytes, counted from the start of the feed. Of a line, the line break is no part.
    public let range: Range<Int>
    /// Where the record begins.
    public let position: SourcePosition
    /// How many records stand before it, rejected ones included.
    public let index: Int
    /// What is wrong with it, with the place in the feed and the path within the record.
    public let error: JSONError

    /// The line in which the record begins, counted from 1.
    public var line: Int { position.line }

    /// Records are equal when all that is known of them is.
    public static func == (left: JSONRejectedRecord, right: JSONRejectedRecord) -> Bool {
        left.range == right.range && left.position == right.position && left.index == right.index && left.error == right.error
    }

    /// Hashes the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(range)
        hasher.combine(index)
    }
}

/// Where the bytes of rejected records go, one record a line: to be looked at, mended and read again.
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
    /// The file that was opened for it, closed with it.
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

    /// Lends the sink: to see what an array of bytes has got, for example.
    public func withSink<Result: Sendable>(_ body: @Sendable (any ByteSink & Sendable) -> Result) -> Result {
        state.withLock { body($0.sink) }
    }

    /// Takes a record, or what is left of one that was passed over in pieces.
    func write(_ record: UnsafeRawBufferPointer) throws(JSONError) {
        try write(unsafe Self.line(record) + [UInt8(ascii: "\n")], endsLine: true)
    }

    /// Takes a piece of a record that is too long to be kept.
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

/// A descriptor may be used from any thread.
private struct DescriptorSink: ByteSink, Sendable {
    let descriptor: Int32
    let name: String

    func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var sink = FileDescriptorSink(descriptor: descriptor, name: name)
        try unsafe sink.write(bytes)
    }
}
