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
    /// ready. The task that asks for the records parses them; with ``parallel(workers:)`` the workers do. Counters, positions and
    /// ``recordRange`` are those of the record returned last.
    ///
    /// When the task is cancelled, the sequence throws `CancellationError` between two records. No record is lost: you can go on
    /// reading the feed. A thread that waits for a pipe keeps waiting until the pipe gives bytes or is closed, so close your own
    /// descriptor only after the feed has ended.
    public var records: some AsyncSequence<Record, any Error> {
        // `parser.records` does not compile, but its key path does. Without more bytes the sequence would end early, and look whole.
        precondition(!isPushed, "a parser's records are those of records(from:)")
        return Records(feed: self)
    }

    /// The remaining records in arrays of `size` records; the array at the end or before an error may be shorter.
    ///
    /// ```swift
    /// for try await books in feed.batches(of: 500) { try await database.insert(books) }
    /// ```
    ///
    /// When the task is cancelled, the records that have already been read are returned before the error is thrown.
    public func batches(of size: Int) -> some AsyncSequence<[Record], any Error> {
        Batches(base: records, size: max(size, 1))
    }

    /// The records of a feed as an asynchronous sequence.
    struct Records: AsyncSequence {
        let feed: JSONFeed

        /// Iterates over the remaining records.
        func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

        /// Returns one record after the other.
        struct Iterator: AsyncIteratorProtocol {
            let feed: JSONFeed

            /// The next record, or nil at the end.
            mutating func next() async throws -> Record? { try await next(isolation: nil) }

            /// The next record, or nil at the end; throws `CancellationError` when the task was cancelled.
            mutating func next(isolation actor: isolated (any Actor)?) async throws -> Record? {
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

    /// Records in arrays.
    struct Batches<Base: AsyncSequence>: AsyncSequence where Base.Element == Record {
        let base: Base
        let size: Int

        /// Iterates over the batches.
        func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), size: size) }

        /// Returns one batch after the other.
        struct Iterator: AsyncIteratorProtocol {
            var base: Base.AsyncIterator
            let size: Int
            /// The error that came after the records of the last batch; the next call throws it.
            var failure: (any Error)?

            /// The next records, or nil at the end.
            mutating func next() async throws -> [Record]? { try await next(isolation: nil) }

            /// The next records, or nil at the end. An error is thrown after the records before it have been returned.
            mutating func next(isolation actor: isolated (any Actor)?) async throws -> [Record]? {
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
