// A feed that is read by several threads.

public import SluiceCore

extension JSONFeed where Record: Sendable {
    /// Lets threads read what is left of this feed: slices of it at the same time, each with a reader of its own.
    ///
    /// ```swift
    /// let feed = try JSONFeed<Book>(path: "books.ndjson").parallel(workers: 2)
    /// while let book = try feed.next() { print(book.name) }
    /// ```
    ///
    /// Records, errors, places, counters and the report are those of the feed without workers, in the same order. The workers read
    /// ahead by a few slices of 256 KiB and no more, so memory stays bounded when the consumer is slow. Decompression is done by one
    /// worker at a time, while others read records. Threads end with the feed; one that waits for a pipe ends with its next read.
    ///
    /// Bytes that are pushed are not read by workers: for such a feed, this does nothing.
    ///
    /// - Parameter workers: How many threads there are; at least 1.
    /// - Returns: This feed.
    /// - Throws: `JSONError` of kind `inputOutput` if the system has no threads.
    @inlinable
    @discardableResult
    public func parallel(workers: Int) throws(JSONError) -> JSONFeed {
        // Specialised in the caller's module: here, each record would be copied through its metadata.
        try start(workers: workers) { slice in
            var records: [Record] = []
            var isThere = true
            while isThere {
                var record: Record?
                isThere = unsafe withUnsafeMutablePointer(to: &record) { place in
                    unsafe slice.readNext(Record.self, into: UnsafeMutableRawPointer(place))
                }
                if let record { records.append(record) }
            }
            return records
        }
        return self
    }
}
