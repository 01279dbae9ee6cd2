// The records of a feed as columns: batch after batch, read in the caller's thread or by workers.

public import SluiceCore

extension JSONFeed {
    /// The remaining records as columns, `size` rows at a time; the batch at the end or before an error may have fewer.
    ///
    /// ```swift
    /// let feed = try JSONFeed<JSONValue>(path: "events.ndjson")
    /// let batches = try feed.columnBatches(of: 65_536, columns: [JSONColumn("id", .integer), JSONColumn("actor.login", .text)])
    /// while let batch = try batches.next() { print(batch.rowCount) }
    /// ```
    ///
    /// No model is made: values go from the text straight into the columns. Otherwise this works like ``next()``: a record that does not
    /// fit the columns is rejected like one that does not fit a model, and the feed's counters, limits and positions apply. Do not call
    /// ``next()`` on this feed as well.
    ///
    /// - Parameters:
    ///   - size: The number of rows in a batch; at least 1. A batch ends earlier if the text of its records would exceed 2 GiB.
    ///   - columns: The columns to read.
    ///   - workers: How many threads read, each a part of the feed; 0 for the caller's thread. A feed is always read in the caller's
    ///     thread if it has a header or a file of rejects.
    /// - Throws: `JSONError` of kind `inputOutput` if the system has no threads.
    public func columnBatches(
        of size: Int, columns: [JSONColumn], workers: Int = 0
    ) throws(JSONError) -> JSONColumnBatches<Record> {
        precondition(parallel == nil, "a feed whose records workers read gives no columns")
        return try JSONColumnBatches(self, size: size, columns: columns, workers: workers)
    }
}

extension JSONFeed where Record: JSONModel {
    /// The remaining records as columns, one for each property that the model reads: see ``columnBatches(of:columns:workers:)``
    /// and `JSONModelSchema.columns`.
    public func columnBatches(of size: Int, workers: Int = 0) throws(JSONError) -> JSONColumnBatches<Record> {
        try columnBatches(of: size, columns: Record.schema.columns, workers: workers)
    }
}

/// The records of a feed as columns, in batches of rows: see ``JSONFeed/columnBatches(of:columns:workers:)``.
public final class JSONColumnBatches<Record: JSONReadable> {
    // Safe: it is changed only in `next`, which lets no second caller in.
    @exclusivity(unchecked) private var reader: ColumnBatchReader
    private let feed: JSONFeed<Record>
    private let size: Int
    private let workers: OrderedWorkers<SliceColumns>?
    /// Takes the envelope. Workers read it ahead of the rows that are returned, so its values are held back until their rows are out.
    private let envelope: (any EnvelopeTarget)?
    /// The slice that is being used, as a worker has read it, and how many of its rows and events have been used.
    private var slice: SliceColumns?
    private var usedRows = 0
    private var usedEvents = 0
    /// The error that came after the records of the last batch; the next call throws it.
    private var failure: JSONError?
    /// A batch that ended before it had `size` rows, because its text would have been too long.
    private var early: JSONColumnBatch?

    /// The columns of every batch.
    public let columns: [JSONColumn]

    fileprivate init(_ feed: JSONFeed<Record>, size: Int, columns: [JSONColumn], workers count: Int) throws(JSONError) {
        self.feed = feed
        self.size = max(size, 1)
        self.columns = columns
        if columns.holdSensitive { unsafe feed.splitter.hideText() }
        // If columns are marked as sensitive, errors hide just their values.
        let hidesText = feed.options.hidesRecords && !columns.holdSensitive
        unsafe reader = ColumnBatchReader(columns: columns, options: feed.options.reading, hidesText: hidesText)
        let envelope = unsafe feed.splitter.walk?.envelope.target
        guard count > 0, let cutter = feed.makeCutter() else {
            workers = nil
            self.envelope = nil
            return
        }
        self.envelope = envelope
        envelope?.holdBack()
        let options = feed.options
        feed.columnsPosition = ColumnsPosition()
        workers = try OrderedWorkers(count: count, cutter: cutter) {
            var reader = SliceColumnsReader(
                columns, options.reader(), options.reading, where: options.predicate, hidesText: hidesText)
            return { slice in reader.read(slice) }
        }
    }

    /// The next batch, which has at least one row; nil at the end, and in a ``JSONFeedParser`` also when more bytes are needed.
    ///
    /// - Throws: `JSONError`, as ``JSONFeed/next()`` does, after the batch of the records before it has been returned.
    public func next() throws(JSONError) -> JSONColumnBatch? {
        if let failure {
            self.failure = nil
            throw failure
        }
        do throws(JSONError) {
            try fill()
        } catch {
            guard unsafe early != nil || reader.rowCount > 0 else { throw error }
            failure = error
        }
        if let early {
            self.early = nil
            return early
        }
        return unsafe reader.rowCount > 0 ? reader.takeBatch() : nil
    }

    /// Reads until the batch has `size` rows, or no more records are there.
    private func fill() throws(JSONError) {
        if workers != nil { return try fillFromSlices() }
        while unsafe reader.rowCount < size, early == nil {
            let isThere = try unsafe feed.readRecord { bytes in
                // The rows after an early batch begin with this record.
                if unsafe reader.isFull(for: bytes.count), unsafe reader.rowCount > 0 { early = unsafe reader.takeBatch() }
                return unsafe reader.append(bytes)
            }
            if !isThere { return }
        }
    }

    /// Fills the batch with rows that workers have read.
    private func fillFromSlices() throws(JSONError) {
        while unsafe reader.rowCount < size, try !feed.isOver() {
            guard let slice else {
                guard let next = workers?.next() else {
                    envelope?.giveOut(.max)
                    _ = try feed.end(true)
                    return
                }
                (self.slice, usedRows, usedEvents) = (next, 0, 0)
                feed.columnsPosition?.format = next.format
                continue
            }
            let event = usedEvents < slice.events.count ? slice.events[usedEvents] : nil
            let rows = (event?.rowsBefore ?? slice.rows.rowCount) - usedRows
            if rows > 0 {
                guard unsafe !reader.isFull(for: slice.rows.textSize) || reader.rowCount == 0 else { return }
                take(rows, of: slice)
            } else if let event {
                usedEvents += 1
                feed.columnsPosition?.pass(event)
                try handle(event)
            } else {
                feed.columnsPosition?.end = slice.end
                self.slice = nil
            }
        }
    }

    private func take(_ rows: Int, of slice: SliceColumns) {
        let count = unsafe min(rows, size - reader.rowCount, (feed.options.limit ?? .max) - feed.acceptedCount)
        unsafe reader.append(usedRows..<(usedRows + count), of: slice.rows)
        usedRows += count
        feed.counts.accepted += count
    }

    private func handle(_ event: SliceColumns.Event) throws(JSONError) {
        switch event.kind {
        case .unmatched(let count): feed.counts.unmatched += count
        case .failed(let error):
            feed.hasEnded = true
            throw error
        case .rejected(let error):
            try unsafe feed.reject(error, at: event.start, UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}

@available(*, unavailable, message: "the batches of a feed belong to one task")
extension JSONColumnBatches: @unchecked Sendable {}
