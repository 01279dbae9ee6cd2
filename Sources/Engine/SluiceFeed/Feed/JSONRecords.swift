// A feed belongs to one task. What to read and how may be passed to any task, which then makes a feed of its own.

internal import SluiceCore

extension JSONFeed {
    /// The records of a file, for `for try await` in any task: the sequence is `Sendable`, and each iteration reads the file from its start
    /// with a feed of its own. A feed, and its ``records``, belong to one task.
    ///
    /// ```swift
    /// let books = JSONFeed<Book>.records(path: "books.ndjson")
    /// async let names = Task { try await books.reduce(into: []) { $0.append($1.name) } }.value
    /// async let pages = Task { try await books.reduce(0) { $0 + $1.pages } }.value
    /// ```
    ///
    /// - Throws: While iterating: `JSONError` of kind `inputOutput` if the file cannot be opened, and the errors of ``next()``.
    public static func records(path: String, options: Options = Options()) -> some AsyncSequence<Record, any Error> & Sendable {
        RecordsOfFile<Record>(path: path, options: options)
    }
}

/// The records of a file, each time read from its start.
struct RecordsOfFile<Record: JSONReadable>: AsyncSequence, Sendable {
    typealias Element = Record
    typealias Failure = any Error

    let path: String
    let options: JSONFeed<Record>.Options

    func makeAsyncIterator() -> Iterator { Iterator(path: path, options: options) }

    /// Returns one record after the other.
    struct Iterator: AsyncIteratorProtocol {
        let path: String
        let options: JSONFeed<Record>.Options
        /// The records of the feed, which the first call opens.
        var records: JSONFeed<Record>.Records.Iterator?

        mutating func next() async throws -> Record? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Record? {
            var open = try records ?? JSONFeed<Record>.Records(feed: JSONFeed(path: path, options: options)).makeAsyncIterator()
            defer { records = open }
            return try await open.next(isolation: actor)
        }
    }
}
