// Reads the records of an input, in this thread or in several, and hands out the results in the feed's order.

package import SluiceCore
package import SluiceFeed

/// Works on records, one after the other, in one thread.
package protocol RecordWorker: ~Copyable, SendableMetatype {
    /// The results of some records.
    associatedtype Output: Sendable

    /// Takes a record, whose bytes are valid during the call; returns the error if it cannot be read.
    ///
    /// - Parameter offset: Where the record begins in the feed; 0 if a single thread reads the records in their order.
    mutating func take(_ record: UnsafeRawBufferPointer, at offset: Int) -> JSONError?
    /// Whether the output is large enough to be handed out before the next record.
    var isFull: Bool { get }
    /// Returns the results of the records taken so far, and forgets them.
    mutating func takeOutput() -> Output
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
    /// The most bytes that a record has: the default limit of a feed.
    package static let maximumRecordSize = 64 << 20
    /// How many bytes of output are enough to be handed out.
    package static let fullSize = 64 << 10
    /// How many errors wait for the output that they belong to.
    private static let keptErrors = 64

    package init(
        feed: FeedReading, reading: JSONReader.Options, workers: Int, interruption: Interruption, sightings: PathSightings? = nil
    ) {
        self.feed = feed
        self.reading = reading
        self.workers = workers
        self.interruption = interruption
        self.sightings = sightings
    }

    /// Goes through all records that match `--where`.
    ///
    /// - Parameters:
    ///   - limit: Stop after this many records.
    ///   - makeWorker: Called once in each thread.
    ///   - deliver: Called with the outputs in the feed's order, each with the count of its records and the errors of those between
    ///     them that cannot be read.
    /// - Returns: What the documents have at the path of the records.
    /// - Throws: ``JSONError`` of kind `inputOutput`, or what `deliver` throws.
    package func run<Worker: RecordWorker & ~Copyable>(
        _ input: IngestInput, limit: Int? = nil, _ makeWorker: @escaping @Sendable () -> Worker,
        deliver: (Worker.Output, Int, [JSONError]) throws(JSONError) -> Void
    ) throws(JSONError) -> PathFindings {
        // Rows under a header cannot be read in slices, and a slice has more records than a small limit.
        if workers > 1, limit == nil, !feed.makesObjects {
            return try runSlices(input, makeWorker, deliver: deliver)
        } else {
            return try runFeed(input, limit: limit ?? .max, makeWorker(), deliver: deliver)
        }
    }

    // MARK: One thread

    private func runFeed<Worker: RecordWorker & ~Copyable>(
        _ input: IngestInput, limit: Int, _ worker: consuming Worker,
        deliver: (Worker.Output, Int, [JSONError]) throws(JSONError) -> Void
    ) throws(JSONError) -> PathFindings {
        let opened = try CommandInput(input, interruption: interruption)
        let records = try opened.feed(of: CheckedText.self, feed, reading)
        defer { withExtendedLifetime(opened) {} }
        var worker = worker
        var filter = feed.filter?.makeFilter()
        var watch = sightings?.makeWatch()
        var (count, delivered) = (0, 0)
        var errors: [JSONError] = []
        while count < limit {
            var isTaken = false
            do throws(JSONError) {
                let isThere = try unsafe records.readRecord { record in
                    // A signal ends the source early, so this record may be cut in half.
                    guard interruption.received == 0, unsafe filter?.matches(record) != false else { return nil }
                    isTaken = true
                    unsafe watch?.look(at: record)
                    return unsafe worker.take(record, at: 0)
                }
                guard isThere, interruption.received == 0 else { break }
                if isTaken { count += 1 }
            } catch {
                if interruption.received != 0 { break }
                if error.kind == .inputOutput { throw error }
                errors.append(error)
            }
            guard worker.isFull || errors.count >= RecordPass.keptErrors else { continue }
            try deliver(worker.takeOutput(), count - delivered, errors)
            delivered = count
            errors = []
        }
        try deliver(worker.takeOutput(), count - delivered, errors)
        return records.pathFindings
    }

    // MARK: Several threads

    /// The results of one thread for a slice.
    private struct Part<Output: Sendable>: Sendable {
        let output: Output
        let count: Int
        let errors: [JSONError]
        let pathFindings: PathFindings?
    }

    private func runSlices<Worker: RecordWorker & ~Copyable>(
        _ input: IngestInput, _ makeWorker: @escaping @Sendable () -> Worker,
        deliver: (Worker.Output, Int, [JSONError]) throws(JSONError) -> Void
    ) throws(JSONError) -> PathFindings {
        let opened = try OpenInput(input, feed, interruption: interruption)
        let splitter = try opened.splitter(maximumRecordSize: RecordPass.maximumRecordSize, envelopeReading: reading)
        let (condition, interruption, sightings) = (feed.filter, interruption, sightings)
        let threads = try OrderedWorkers(count: workers, cutter: SliceCutter(splitter, keeping: opened)) {
            var worker = makeWorker()
            var filter = condition?.makeFilter()
            var watch = sightings?.makeWatch()
            return { RecordPass.part(of: $0, &worker, &filter, &watch, interruption) }
        }
        var findings = PathFindings()
        while let part = threads.next(), interruption.received == 0 {
            if let failure = part.errors.last, failure.kind == .inputOutput { throw failure }
            try deliver(part.output, part.count, part.errors)
            findings = part.pathFindings ?? findings
        }
        return findings
    }

    private static func part<Worker: RecordWorker & ~Copyable>(
        of slice: FeedSlice, _ worker: inout Worker, _ filter: inout PathWatch?, _ watch: inout PathWatch?,
        _ interruption: Interruption
    ) -> Part<Worker.Output> {
        var count = 0
        var errors: [JSONError] = []
        unsafe slice.bytes.withUnsafeBytes { bytes in
            var records = unsafe FeedSliceReader(slice, bytes)
            while let step = records.next() {
                switch step {
                // A signal ends the source early, so this record may be cut in half.
                case .record where interruption.received != 0: return
                case .record(let record, _) where unsafe filter?.matches(record) == false: break
                case .record(let record, let position):
                    unsafe watch?.look(at: record)
                    if let error = unsafe worker.take(record, at: position.offset) {
                        errors.append(error.shifted(by: position))
                    } else {
                        count += 1
                    }
                case .rejected(let error, _), .failed(let error): errors.append(error)
                }
            }
        }
        return Part(output: worker.takeOutput(), count: count, errors: errors, pathFindings: slice.pathFindings)
    }
}
