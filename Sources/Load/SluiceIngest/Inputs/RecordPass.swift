// Reads the records of an input, in this thread or in several, and hands out the results slice by slice.

package import SluiceCore
package import SluiceFeed

/// Works on records, one after the other, in one thread.
package protocol RecordWorker: ~Copyable, SendableMetatype {
    /// The results of some records.
    associatedtype Output: Sendable

    /// Takes a record, whose bytes are valid during the call; returns the error if it cannot be read.
    ///
    /// - Parameter offset: Where the record begins in the feed.
    mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError?
    /// Whether the output is large enough to be handed out before the next record.
    var isFull: Bool { get }
    /// Returns the results of the records taken so far, and forgets them.
    mutating func takeOutput() -> Output
}

extension RecordWorker where Self: ~Copyable {
    package var isFull: Bool { false }
}

/// One way through the records of an input.
package struct RecordPass {
    package let feed: FeedReading
    package let reading: JSONReader.Options
    /// How many threads work.
    package let workers: Int
    package let interruption: Interruption
    /// The paths that are looked for in the records; nil if there are none.
    package var sightings: PathSightings?
    /// Whether they are looked for in records that do not match `--where`, too.
    package var watchesAll = false
    /// The most bytes that a record has: by default the limit of a feed.
    package var maximumRecordSize = 64 << 20

    package init(
        feed: FeedReading, reading: JSONReader.Options, workers: Int, interruption: Interruption, sightings: PathSightings? = nil
    ) {
        self.feed = feed
        self.reading = reading
        self.workers = workers
        self.interruption = interruption
        self.sightings = sightings
    }

    /// Begins to read the records of an input that match `--where`.
    ///
    /// - Parameters:
    ///   - limit: How many records are read at most; then this thread reads them.
    ///   - makeWorker: Called once in each thread.
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    package func parts<Worker: RecordWorker & ~Copyable>(
        of input: IngestInput, limit: Int? = nil, _ makeWorker: @escaping @Sendable () -> Worker
    ) throws(JSONError) -> RecordParts<Worker.Output> {
        let opened = try OpenInput(input, feed, interruption: interruption)
        let splitter = try opened.splitter(maximumRecordSize: maximumRecordSize, envelopeReading: reading)
        let cutter = SliceCutter(splitter, keeping: opened)
        let parts = RecordParts<Worker.Output>(opened, limit: limit ?? .max, hasCondition: feed.filter != nil, interruption)
        guard workers > 1, limit == nil else {
            let hand = RecordHand(makeWorker(), self, limit: limit ?? .max)
            parts.workers = OrderedWorkers(cutter: cutter) { hand.read($0, isAlone: true) }
            parts.finish = hand.takeOutput
            return parts
        }
        let pass = self
        parts.workers = try OrderedWorkers(count: workers, cutter: cutter) {
            let hand = RecordHand(makeWorker(), pass, limit: .max)
            return { hand.read($0, isAlone: false) }
        }
        return parts
    }
}

/// The results for the records of an input, slice by slice in the feed's order.
package final class RecordParts<Output: Sendable> {
    package let opened: OpenInput
    fileprivate var workers: OrderedWorkers<RecordPart<Output>>?
    /// Takes the output that a single thread has not handed out yet.
    fileprivate var finish: (() -> Output)?
    private var limit: Int
    private let hasCondition: Bool
    private let interruption: Interruption
    /// The layout, and the position after the last slice.
    private var last: (format: JSONFeedFormat, end: SourcePosition)
    /// What the documents so far have at the path of the records.
    package private(set) var pathFindings = PathFindings()

    fileprivate init(_ opened: OpenInput, limit: Int, hasCondition: Bool, _ interruption: Interruption) {
        (self.opened, self.limit, self.hasCondition, self.interruption) = (opened, limit, hasCondition, interruption)
        last = (.automatic, SourcePosition(offset: opened.textOffset, line: 1, column: 1))
    }

    /// The results for the next slice; nil at the end, after the last record of the limit, and after a signal. Records that a single thread
    /// has counted are handed out then, too.
    package func next() -> RecordPart<Output>? {
        // Of records that a condition chooses, any number may come before the last one.
        guard interruption.received == 0, limit > 0, let part = workers?.next(atMost: hasCondition ? .max : limit) else {
            defer { finish = nil }
            return finish.map { RecordPart(rest: $0(), at: last) }
        }
        guard interruption.received == 0 || finish != nil else { return nil }
        limit -= part.count
        pathFindings = part.pathFindings ?? pathFindings
        last = (part.format, part.end)
        return part
    }
}

/// The results for the records of a slice.
package struct RecordPart<Output: Sendable>: Sendable {
    /// A record that cannot be read.
    package struct Problem: Sendable {
        package let error: JSONError
        /// How many records of the slice before it can be read.
        package let recordsBefore: Int
        /// The position after it.
        package let end: SourcePosition
    }

    /// A single thread hands out only full outputs, and what is left at the end.
    package fileprivate(set) var outputs: [Output]
    /// How many records can be read.
    package fileprivate(set) var count = 0
    package fileprivate(set) var problems: [Problem] = []
    package let format: JSONFeedFormat
    /// The position after the slice, or after the last record of the limit.
    package fileprivate(set) var end: SourcePosition
    fileprivate let pathFindings: PathFindings?

    fileprivate init(_ slice: FeedSlice) {
        (outputs, format, end, pathFindings) = ([], slice.format, slice.end, slice.pathFindings)
    }

    fileprivate init(rest: Output, at stop: (format: JSONFeedFormat, end: SourcePosition)) {
        (outputs, format, end, pathFindings) = ([rest], stop.format, stop.end, nil)
    }

    /// - Throws: The ``JSONError`` of kind `inputOutput` that has ended the reading of the input, if there is one.
    package func check() throws(JSONError) {
        if let failure = problems.last?.error, failure.kind == .inputOutput { throw failure }
    }
}

/// What one thread of a pass works with.
private final class RecordHand<Worker: RecordWorker & ~Copyable> {
    // Access to these is not checked at run time, because they are used for each record. One thread uses them, and none of them calls back.
    @safe @exclusivity(unchecked) private var worker: Worker
    @safe @exclusivity(unchecked) private var filter: PathWatch?
    @safe @exclusivity(unchecked) private var watch: PathWatch?
    private let watchesAll: Bool
    private let interruption: Interruption
    /// How many records are still wanted.
    private var left: Int

    init(_ worker: consuming Worker, _ pass: RecordPass, limit: Int) {
        self.worker = worker
        left = limit
        filter = pass.feed.filter?.makeFilter()
        watch = pass.sightings?.makeWatch()
        (watchesAll, interruption) = (pass.watchesAll, pass.interruption)
    }

    func takeOutput() -> Worker.Output { worker.takeOutput() }

    /// Reads the records of a slice.
    func read(_ slice: FeedSlice, isAlone: Bool) -> RecordPart<Worker.Output> {
        var part = RecordPart<Worker.Output>(slice)
        let left = left
        unsafe slice.bytes.withUnsafeBytes { bytes in
            var records = unsafe FeedSliceReader(slice, bytes)
            while part.count < left, let step = records.next() {
                let error: JSONError
                switch step {
                // A signal ends the source early, so this record may be cut in half.
                case .record where interruption.received != 0: return
                case .record:
                    let record = unsafe records.text
                    if watchesAll { unsafe watch?.look(at: record) }
                    if unsafe filter?.matches(record) == false { continue }
                    if !watchesAll { unsafe watch?.look(at: record) }
                    guard let failure = unsafe worker.take(record, at: records.recordStart.offset) else {
                        part.count += 1
                        if worker.isFull { part.outputs.append(worker.takeOutput()) }
                        continue
                    }
                    error = records.located(failure)
                case .rejected(let failure), .failed(let failure): error = failure
                }
                part.problems.append(.init(error: error, recordsBefore: part.count, end: records.end))
            }
            if part.count == left { part.end = records.end }
        }
        self.left -= part.count
        if !isAlone { part.outputs.append(worker.takeOutput()) }
        return part
    }
}
