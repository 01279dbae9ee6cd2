// Records for tasks. The feed's own thread does all reading that may block, so that no thread of the pool that tasks share waits for
// a disk or a pipe.

internal import SluiceCore

extension JSONFeed {
    /// The remaining records, for `for try await`.
    ///
    /// ```swift
    /// let feed = try JSONFeed<Book>(path: "books.ndjson.gz")
    /// for try await book in feed.records { print(book.name) }
    /// ```
    ///
    /// The feed's own thread reads and decompresses, at most two pieces of 256 KiB ahead; the task is suspended while no record is
    /// ready. The task that asks for the records parses them; with ``parallel(workers:)`` the workers do. Counters, places and
    /// ``recordRange`` are those of the record returned last.
    ///
    /// When the task is cancelled, the sequence throws `CancellationError` between two records. No record is lost: you can go on
    /// reading the feed. A thread that waits for a pipe keeps waiting until the pipe gives bytes or is closed, so close your own
    /// descriptor only after the feed has ended.
    public var records: Records { Records(feed: self) }

    /// The remaining records in arrays of `size` records; the array at the end or before an error may be shorter.
    ///
    /// ```swift
    /// for try await books in feed.batches(of: 500) { try await database.insert(books) }
    /// ```
    ///
    /// When the task is cancelled, the records that have already been read are returned before the error is thrown.
    public func batches(of size: Int) -> Batches<Records> { Batches(base: records, size: max(size, 1)) }

    /// The records in bytes that arrive asynchronously, such as the body of an HTTP response; for a feed made with
    /// ``init(options:)``.
    ///
    /// ```swift
    /// let feed = JSONFeed<Book>()
    /// for try await book in feed.records(from: body) { print(book.name) }     // of `[UInt8]`, `Data`, `ByteBufferView` …
    /// print(feed.acceptedCount)
    /// ```
    ///
    /// The next piece is requested only when the last one holds no more whole records, so a slow consumer slows the sender down.
    public func records<Pieces: AsyncSequence>(from pieces: Pieces) -> PushedRecords<Pieces>
    where Pieces.Element: Sequence<UInt8> {
        PushedRecords(feed: self, pieces: pieces)
    }

    /// The records in bytes that arrive asynchronously, in arrays of `size`: see ``records(from:)`` and ``batches(of:)``.
    public func batches<Pieces: AsyncSequence>(of size: Int, from pieces: Pieces) -> Batches<PushedRecords<Pieces>>
    where Pieces.Element: Sequence<UInt8> {
        Batches(base: records(from: pieces), size: max(size, 1))
    }

    /// The records of a feed as an asynchronous sequence.
    public struct Records: AsyncSequence {
        fileprivate let feed: JSONFeed

        /// Iterates over the remaining records.
        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

        /// Returns one record after the other.
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

    /// The records in bytes that arrive asynchronously.
    public struct PushedRecords<Pieces: AsyncSequence>: AsyncSequence where Pieces.Element: Sequence<UInt8> {
        fileprivate let feed: JSONFeed
        fileprivate let pieces: Pieces

        /// Iterates over the records.
        public func makeAsyncIterator() -> Iterator { Iterator(feed: feed, pieces: pieces.makeAsyncIterator()) }

        /// Returns one record after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let feed: JSONFeed
            fileprivate var pieces: Pieces.AsyncIterator

            /// The next record, or nil at the end.
            public mutating func next() async throws -> Record? { try await next(isolation: nil) }

            /// The next record, or nil at the end; throws `CancellationError` when the task was cancelled, and any error of the
            /// sequence of pieces.
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

    /// Records in arrays.
    public struct Batches<Base: AsyncSequence>: AsyncSequence where Base.Element == Record {
        fileprivate let base: Base
        fileprivate let size: Int

        /// Iterates over the batches.
        public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), size: size) }

        /// Returns one batch after the other.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var base: Base.AsyncIterator
            fileprivate let size: Int
            /// The error that came after the records of the last batch; the next call throws it.
            private var failure: (any Error)?

            fileprivate init(base: Base.AsyncIterator, size: Int) {
                self.base = base
                self.size = size
            }

            /// The next records, or nil at the end.
            public mutating func next() async throws -> [Record]? { try await next(isolation: nil) }

            /// The next records, or nil at the end. An error is thrown after the records before it have been returned.
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
