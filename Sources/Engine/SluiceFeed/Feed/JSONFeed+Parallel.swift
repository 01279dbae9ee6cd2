// A feed that several threads read.

public import SluiceCore

extension JSONFeed where Record: Sendable {
    /// Lets several threads read the rest of this feed: each reads slices of it with its own reader.
    ///
    /// ```swift
    /// let feed = try JSONFeed<Book>(path: "books.ndjson").parallel(workers: 2)
    /// while let book = try feed.next() { print(book.name) }
    /// ```
    ///
    /// Records, errors, positions, counters and the report are the same as without workers, in the same order. The workers read ahead by at
    /// most a few slices of 256 KiB, so memory stays bounded when the consumer is slow. One worker at a time decompresses, while others
    /// read records. The threads end with the feed; a thread that waits for a pipe ends with its next read.
    ///
    /// If the options ask for a header or a file of rejects, this does nothing: the feed is read in the caller's thread.
    ///
    /// - Parameter workers: How many threads there are; at least 1.
    /// - Returns: This feed.
    /// - Throws: `JSONError` of kind `inputOutput` if the system has no threads.
    @discardableResult
    public func parallel(workers: Int) throws(JSONError) -> JSONFeed {
        guard parallel == nil, isCuttable else { return self }
        let state = unsafe ParallelRecords<Record>(after: splitter)
        guard let cutter = makeCutter() else { return self }
        let options = options
        state.workers = try OrderedWorkers(count: max(workers, 1), cutter: cutter) {
            var worker = SliceWorker<Record>(
                options.reader(), options.reading, RecordChoice(options.predicate, options.reading))
            return { slice in worker.read(slice) }
        }
        parallel = state
        return self
    }
}
