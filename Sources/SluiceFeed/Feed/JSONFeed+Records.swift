// Records for tasks. What would block is done by a thread of the feed's own, so that no thread of the pool that tasks share waits for a
// disk or a pipe.

internal import SluiceCore

extension JSONFeed {
    /// The records that are left, for `for try await`.
    ///
    /// ```swift
    /// let feed = try JSONFeed<Book>(path: "books.ndjson.gz")
    /// for try await book in feed.records { print(book.name) }
    /// ```
    ///
    /// A thread of the feed's own reads and decompresses, at most two pieces of 256 KiB ahead; the task is suspended while there is
    /// nothing to read. Records are read from these pieces by the task that asks for them; with ``parallel(workers:)`` they are read
    /// by threads, too. Counters, places and ``recordRange`` are those of the record given out last.
    ///
    /// When the task is cancelled, the sequence throws `CancellationError` between two records; the feed has given out nothing that
    /// was not delivered, and can be read on. A thread that waits for a pipe then waits on until the pipe gives bytes or is closed:
    /// close a descriptor of your own only when the feed has come to its end.
    public var records: Records { Records(feed: self) }

    /// The records that are left, some at a time: as many as `size` says, fewer at the end and before an error.
    ///
    /// ```swift
    /// for try await books in feed.batches(of: 500) { try await database.insert(books) }
    /// ```
    ///
    /// When the task is cancelled, the records that were read already are given out first.
    public func batches(of size: Int) -> Batches<Records> { Batches(base: records, size: max(size, 1)) }

    /// The records of bytes that arrive asynchronously, such as the body of an HTTP response; for a feed made with
    /// ``init(options:)``.
    ///
    /// ```swift
    /// let feed = JSONFeed<Book>()
    /// for try await book in feed.records(from: body) { print(book.name) }     // of `[UInt8]`, `Data`, `ByteBufferView` …
    /// print(feed.acceptedCount)
    /// ```
    ///
    /// The next piece is asked for when no record of the last one is left, so a slow consumer holds the sender back.
    public func records<Pieces: AsyncSequence>(from pieces: Pieces) -> PushedRecords<Pieces>
    where Pieces.Element: Sequence<UInt8> {
        PushedRecords(feed: self, pieces: pieces)
    }

    /// The records of bytes that arrive asynchronously, some at a time: see ``records(from:)`` and ``batches(of:)``.
    public func batches<Pieces: AsyncSequence>(of size: Int, from pieces: Pieces) -> Batches<PushedRecords<Pieces>>
    where Pieces.Element: Sequence<UInt8> {
        Batches(base: records(from: pieces), size: max(size, 1))
    }

    /// The records of a feed as an asynchronous sequence.
    public struct Records: AsyncSequence {
        fileprivate let feed: JSONFeed

        /// Iterates over the records that are left.
        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

        /// Gives one record after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let feed: JSONFeed

            /// The next record, or nil at the end.
            public mutating func next() async throws -> Record? { try await next(isolation: nil) }

            /// The next record, or nil at the end; throws `CancellationError` when the task was cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Record? {
                try Task.checkCancellation()
                while try !feed.prepareWithoutWaiting() {
                    guard let readiness = feed.readiness else { return nil }
                    await readiness()
                    try Task.checkCancellation()
                }
                return feed.takePrepared()
            }
        }
    }

    /// The records of bytes that arrive asynchronously.
    public struct PushedRecords<Pieces: AsyncSequence>: AsyncSequence where Pieces.Element: Sequence<UInt8> {
        fileprivate let feed: JSONFeed
        fileprivate let pieces: Pieces

        /// Iterates over the records.
        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed, pieces: pieces.makeAsyncIterator()) }

        /// Gives one record after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let feed: JSONFeed
            fileprivate var pieces: Pieces.AsyncIterator

            /// The next record, or nil at the end.
            public mutating func next() async throws -> Record? { try await next(isolation: nil) }

            /// The next record, or nil at the end; throws `CancellationError` when the task was cancelled, and what the pieces
            /// throw.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Record? {
                try Task.checkCancellation()
                while try !feed.prepareWithoutWaiting() {
                    if feed.isFinished { return nil }
                    if let piece = try await pieces.next(isolation: actor) {
                        feed.append(piece)
                    } else {
                        feed.finish()
                    }
                    try Task.checkCancellation()
                }
                return feed.takePrepared()
            }
        }
    }

    /// Records some at a time.
    public struct Batches<Base: AsyncSequence>: AsyncSequence where Base.Element == Record {
        fileprivate let base: Base
        fileprivate let size: Int

        /// Iterates over the batches.
        public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), size: size) }

        /// Gives one batch after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var base: Base.AsyncIterator
            fileprivate let size: Int
            /// What was thrown behind the records of the last batch.
            private var failure: (any Error)?

            fileprivate init(base: Base.AsyncIterator, size: Int) {
                self.base = base
                self.size = size
            }

            /// The next records, or nil at the end.
            public mutating func next() async throws -> [Record]? { try await next(isolation: nil) }

            /// The next records, or nil at the end; throws what a record throws, after the records before it.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [Record]? {
                if let failure {
                    self.failure = nil
                    throw failure
                }
                var batch: [Record] = []
                do {
                    while batch.count < size, let record = try await base.next(isolation: actor) { batch.append(record) }
                } catch {
                    if batch.isEmpty { throw error }
                    failure = error
                }
                return batch.isEmpty ? nil : batch
            }
        }
    }
}
