// Pieces of text are pushed in, records come out one by one, typed.

public import SluiceCore

/// Reads records from bytes that you push, as they come from a callback, a delegate or an event loop.
///
/// ```swift
/// let parser = JSONFeedParser<Book>()
/// for piece in pieces {                                   // of any size
///     parser.append(piece)
///     while let book = try parser.next() { print(book.name) }
/// }
/// parser.finish()
/// while let book = try parser.next() { print(book.name) }   // a last line that has no line break
/// print(parser.acceptedCount)
/// ```
///
/// However the bytes are cut into pieces, records, positions and errors are those of a ``JSONFeed`` that reads them from a file. The
/// parser has the feed's properties, too: its counters, ``JSONFeed/isFinished``, ``JSONFeed/report``, ``JSONFeed/checkpoint`` and so on.
/// A parser is not `Sendable`: use it from one task.
@dynamicMemberLookup
public final class JSONFeedParser<Record: JSONReadable> {
    /// Reads the pushed bytes.
    @usableFromInline package let feed: JSONFeed<Record>

    /// A parser that waits for its first bytes.
    public init(options: JSONFeed<Record>.Options = .init()) { feed = JSONFeed(pushed: options) }

    /// Continues after a checkpoint; nil reads from the beginning. The first byte that you push must be the one at the checkpoint's
    /// ``JSONCheckpoint/offset``, and the bytes must not be compressed.
    ///
    /// - Throws: `JSONError` of kind `unusableCheckpoint` if the feed was read with another type of record or other options.
    public init(options: JSONFeed<Record>.Options = .init(), resumingFrom checkpoint: JSONCheckpoint?) throws(JSONError) {
        feed = JSONFeed(pushed: options)
        if let checkpoint { try feed.resume(from: checkpoint) }
    }

    /// A property of the feed, such as ``JSONFeed/acceptedCount``.
    @inlinable
    public subscript<Value>(dynamicMember property: KeyPath<JSONFeed<Record>, Value>) -> Value { feed[keyPath: property] }

    // What a loop asks for at each record has members of its own: a key path is followed anew each time.

    /// Whether all records have been returned: see ``JSONFeed/isFinished``.
    public var isFinished: Bool { feed.isFinished }
    /// The byte range of the last record in the text: see ``JSONFeed/recordRange``.
    public var recordRange: Range<Int> { feed.recordRange }
    /// The number of records that have been returned: see ``JSONFeed/acceptedCount``.
    public var acceptedCount: Int { feed.acceptedCount }

    /// Appends the next bytes, from an address.
    package func append(_ bytes: UnsafeRawBufferPointer) { unsafe feed.append(bytes) }

    /// Appends the next bytes: `[UInt8]`, `ArraySlice<UInt8>`, `Data`, an `UnsafeRawBufferPointer`, the UTF-8 view of a string. They are
    /// copied.
    ///
    /// Call ``next()`` until it returns nil before you append more: then memory holds at most one piece and one record.
    public func append(_ bytes: some Sequence<UInt8>) {
        let isDone: Void? = bytes.withContiguousStorageIfAvailable { unsafe append(UnsafeRawBufferPointer($0)) }
        if isDone == nil { append(Array(bytes)) }
    }

    /// Ends the bytes: no more follow. Text that is left is the last record, or a record that was cut off.
    public func finish() { feed.finish() }

    /// The next record; nil if more bytes are needed, and at the end, where ``JSONFeed/isFinished`` is true.
    ///
    /// - Throws: As ``JSONFeed/next()``.
    @inlinable
    public func next() throws(JSONError) -> Record? { try feed.next() }

    /// Reads the members around the records into a model, too: see ``JSONFeed/envelope(as:)``.
    public func envelope<Model: JSONReadable>(as type: Model.Type) -> JSONEnvelope<Model> { feed.envelope(as: type) }

    /// The records as columns: see ``JSONFeed/columnBatches(of:columns:workers:)``. A batch has the rows that the pushed bytes hold, at most
    /// `size`; nil says that more bytes are needed, or that ``isFinished`` is true.
    ///
    /// ```swift
    /// let batches = try parser.columnBatches(of: 1000, columns: [JSONColumn("id", .integer)])
    /// parser.append(piece)
    /// while let batch = try batches.next() { print(batch.rowCount) }
    /// ```
    public func columnBatches(of size: Int, columns: [JSONColumn]) throws(JSONError) -> JSONColumnBatches<Record> {
        try feed.columnBatches(of: size, columns: columns)
    }

    // MARK: Bytes that arrive asynchronously

    @available(*, unavailable, message: "call next() after each append(_:), or records(from:) with an asynchronous sequence")
    public var records: some AsyncSequence<Record, any Error> { feed.records }

    /// The records in bytes that arrive asynchronously, such as the body of an HTTP response.
    ///
    /// ```swift
    /// let parser = JSONFeedParser<Book>()
    /// for try await book in parser.records(from: body) { print(book.name) }     // of `[UInt8]`, `Data`, `ByteBufferView` …
    /// print(parser.acceptedCount)
    /// ```
    ///
    /// The next piece is requested only when the last one holds no more whole records, so a slow consumer slows the sender down.
    public func records<Pieces: AsyncSequence>(from pieces: Pieces) -> some AsyncSequence<Record, any Error>
    where Pieces.Element: Sequence<UInt8> {
        Records(parser: self, pieces: pieces)
    }

    /// The records in bytes that arrive one at a time, such as `URLSession.AsyncBytes`.
    ///
    /// ```swift
    /// let parser = JSONFeedParser<Book>()
    /// let (body, _) = try await URLSession.shared.bytes(from: url)
    /// for try await book in parser.records(from: body) { print(book.name) }
    /// ```
    ///
    /// The bytes are handed on at line breaks and closing brackets, so a record does not wait for the next one. A sequence of pieces
    /// takes less time.
    public func records<Bytes: AsyncSequence>(from bytes: Bytes) -> some AsyncSequence<Record, any Error>
    where Bytes.Element == UInt8 {
        records(from: GatheredBytes(bytes: bytes))
    }

    /// The records in bytes that arrive one at a time, in arrays of `size`.
    public func batches<Bytes: AsyncSequence>(of size: Int, from bytes: Bytes) -> some AsyncSequence<[Record], any Error>
    where Bytes.Element == UInt8 {
        batches(of: size, from: GatheredBytes(bytes: bytes))
    }

    /// The records in bytes that arrive asynchronously, in arrays of `size`: see `records(from:)` and ``JSONFeed/batches(of:)``.
    public func batches<Pieces: AsyncSequence>(of size: Int, from pieces: Pieces) -> some AsyncSequence<[Record], any Error>
    where Pieces.Element: Sequence<UInt8> {
        JSONFeed.Batches(base: records(from: pieces), size: max(size, 1))
    }

    /// The records in bytes that arrive asynchronously.
    struct Records<Pieces: AsyncSequence>: AsyncSequence where Pieces.Element: Sequence<UInt8> {
        let parser: JSONFeedParser
        let pieces: Pieces

        /// Iterates over the records.
        func makeAsyncIterator() -> Iterator { Iterator(parser: parser, pieces: pieces.makeAsyncIterator()) }

        /// Returns one record after the other.
        struct Iterator: AsyncIteratorProtocol {
            let parser: JSONFeedParser
            var pieces: Pieces.AsyncIterator

            /// The next record, or nil at the end.
            mutating func next() async throws -> Record? { try await next(isolation: nil) }

            /// The next record, or nil at the end; throws `CancellationError` when the task was cancelled, and any error of the
            /// sequence of pieces.
            mutating func next(isolation actor: isolated (any Actor)?) async throws -> Record? {
                let feed = parser.feed
                try Task.checkCancellation()
                while try !feed.prepareWithoutWaiting() {
                    if feed.isFinished { return nil }
                    if let piece = try await pieces.next(isolation: actor) {
                        parser.append(piece)
                    } else {
                        parser.finish()
                    }
                    try Task.checkCancellation()
                }
                return feed.takePrepared()
            }
        }
    }
}

extension JSONFeedParser where Record: JSONModel {
    /// The records as columns, one for each property that the model reads: see ``columnBatches(of:columns:)``.
    public func columnBatches(of size: Int) throws(JSONError) -> JSONColumnBatches<Record> { try feed.columnBatches(of: size) }
}

@available(*, unavailable, message: "a parser belongs to one task; make one for each")
extension JSONFeedParser: @unchecked Sendable {}
