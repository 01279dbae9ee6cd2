// Bytes of rejected records come in from one feed or several, and one record per line goes out.

public import SluiceCore
internal import SluiceSystem
internal import Synchronization

/// Collects the bytes of rejected records, one record per line, so that you can look at them, repair them and read them again.
///
/// ```swift
/// let rejects = try JSONRejects(path: "rejects.ndjson")
/// let feed = try JSONFeed<Book>(path: "books.ndjson", options: .init(invalidRecords: .rejects(rejects)))
/// while let book = try feed.next() { print(book.name) }
/// print(rejects.count)
/// ```
///
/// Line breaks inside a record become spaces. Several feeds may share a file of rejects, from several tasks: no feed waits for another. While
/// one feed writes a record that is too long to be kept in memory, the records of the others are kept in a temporary file (in the folder
/// `TMPDIR`, or else `/tmp`), and follow when that record has ended.
public final class JSONRejects: Sendable {
    private let state: Mutex<RejectLines>
    /// The file that this object opened, and closes at its end; nil if it writes to a sink.
    private let descriptor: Int32?

    /// Writes to a sink.
    public init(to sink: some ByteSink & Sendable) {
        state = Mutex(RejectLines(sink: sink))
        descriptor = nil
    }

    /// Writes to a file, which is emptied if it exists.
    ///
    /// - Throws: `JSONError` of kind `inputOutput` if it cannot be created.
    public init(path: String) throws(JSONError) {
        let opened = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw JSONError.inputOutput("create", path, errno) }
        descriptor = opened
        state = Mutex(RejectLines(sink: DescriptorSink(descriptor: opened, name: path)))
    }

    deinit { if let descriptor { close(descriptor) } }

    /// How many records have been written.
    public var count: Int { state.withLock { $0.count } }

    /// Calls `body` with the sink, for example to see what a byte array has received. No record is written meanwhile.
    package func withSink<Result: Sendable>(_ body: @Sendable (any ByteSink & Sendable) -> Result) -> Result {
        state.withLock { body($0.sink) }
    }

    /// A line of its own for one feed.
    func makeLine() -> Line { Line(self) }

    /// Where one feed writes its rejected records. When it is released, a record that has not ended is cut off.
    final class Line {
        private let rejects: JSONRejects

        fileprivate init(_ rejects: JSONRejects) { self.rejects = rejects }

        deinit { cutOff() }

        /// Writes a record, or the last piece of a record that came in pieces, and ends the line.
        func write(_ record: UnsafeRawBufferPointer) throws(JSONError) {
            try write(unsafe Self.line(record) + [UInt8(ascii: "\n")], endsLine: true)
        }

        /// Writes a piece of a record that is too long to be kept in memory.
        func write(piece: UnsafeRawBufferPointer) throws(JSONError) {
            try write(unsafe Self.line(piece), endsLine: false)
        }

        /// Ends a record whose last piece will not come, so that other feeds' records need not wait for it.
        func cutOff() { rejects.state.withLock { $0.cutOff(ObjectIdentifier(self)) } }

        private func write(_ bytes: [UInt8], endsLine: Bool) throws(JSONError) {
            let feed = ObjectIdentifier(self)
            let failure: JSONError? = rejects.state.withLock { lines in
                unsafe bytes.withUnsafeBytes { bytes in
                    do throws(JSONError) {
                        try unsafe lines.write(bytes, endsLine: endsLine, of: feed)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            if let failure { throw failure }
        }

        private static func line(_ record: UnsafeRawBufferPointer) -> [UInt8] {
            unsafe record.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        }
    }
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
