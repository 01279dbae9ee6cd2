// Threads take turns at cutting slices off a feed, and work on them in parallel; or the caller's thread does both. The results go out in the
// order of the feed. The caller chooses what a slice is turned into: records, rows of cells, or a count.

internal import SluiceCompression
package import SluiceCore

/// Cuts a feed for several threads.
// Safe: the splitter is used only under the lock.
package final class SliceCutter: @unchecked Sendable {
    private let lock = Lock()
    private var splitter: RecordSplitter
    /// An object that must live as long as the feed is read.
    private let owner: AnyObject?

    /// - Parameter owner: An object that must live as long as the feed is read, such as its open file.
    package init(_ splitter: consuming RecordSplitter, keeping owner: AnyObject? = nil) {
        self.splitter = splitter
        self.owner = owner
    }

    /// The next slice, with at most so many records; nil at the end of the feed.
    fileprivate func next(atMost limit: Int) -> FeedSlice? { lock.withLock { splitter.nextSlice(atMost: limit) } }

    /// The next slice and its number; nil at the end of the feed, or if no more slices are wanted.
    fileprivate func next<Output>(for queue: OrderedQueue<Output>) -> (number: Int, slice: FeedSlice)? {
        lock.withLock {
            guard let number = queue.reserve() else { return nil }
            guard let slice = splitter.nextSlice() else {
                queue.finish(at: number)
                return nil
            }
            return (number, slice)
        }
    }
}

/// Works on a feed's slices in several threads, or in the caller's, and returns the results in the order of the feed.
///
/// ```swift
/// let workers = try OrderedWorkers(count: 2, cutter: SliceCutter(splitter)) {
///     let reader = ColumnReader(columns: columns)              // one for each thread
///     return { slice in rows(of: slice, reader) }
/// }
/// while let rows = workers.next() { store(rows) }
/// ```
// Safe: `next` alone uses what the caller's thread does, and only the consumer calls it.
package final class OrderedWorkers<Output: Sendable>: @unchecked Sendable {
    private enum Site {
        case threads(OrderedQueue<Output>)
        case caller(SliceCutter, (FeedSlice) -> Output)
    }

    private let site: Site

    /// - Parameters:
    ///   - count: How many threads work; with 0, the thread that calls ``next(atMost:)`` cuts and works.
    ///   - cutter: Cuts the feed into slices.
    ///   - makeWorker: Called once in each thread; the function that it returns is called for one slice after the other, in that thread.
    /// - Throws: `JSONError` of kind `inputOutput` if the system has no threads.
    package init(
        count: Int, cutter: SliceCutter, makeWorker: @escaping @Sendable () -> (FeedSlice) -> Output
    ) throws(JSONError) {
        guard count > 0 else {
            site = .caller(cutter, makeWorker())
            return
        }
        // Each thread has one slice in work and one result waiting; the consumer uses one more.
        let queue = OrderedQueue<Output>(window: 2 * count + 1)
        site = .threads(queue)
        var started = 0
        for _ in 0..<count {
            let isStarted = DetachedThread.start {
                let work = makeWorker()
                while let (number, slice) = cutter.next(for: queue) { queue.put(work(slice), at: number) }
            }
            if isStarted { started += 1 }
        }
        if started == 0 { throw .inputOutput("cannot start a thread to read the feed") }
    }

    /// Cuts and works in the thread that calls ``next(atMost:)``.
    package init(cutter: SliceCutter, work: @escaping (FeedSlice) -> Output) { site = .caller(cutter, work) }

    deinit { queue?.cancel() }

    private var queue: OrderedQueue<Output>? { if case .threads(let queue) = site { queue } else { nil } }

    /// The result of the next slice, or nil at the end; blocks until it is there.
    ///
    /// - Parameter limit: How many records the slice has at most, if the caller's thread cuts it.
    package func next(atMost limit: Int = .max) -> Output? {
        switch site {
        case .threads(let queue): queue.take()
        case .caller(let cutter, let work): cutter.next(atMost: limit).map(work)
        }
    }

    /// Whether threads have a result, so that ``next(atMost:)`` would return at once.
    package var isReady: Bool { queue?.isReady ?? true }

    /// Whether threads have a result, or will within some milliseconds; blocks meanwhile.
    package func isReady(within milliseconds: Int) -> Bool { queue?.isReady(within: milliseconds) ?? true }

    /// Suspends the task until threads have a result, or the task is cancelled.
    package func waitUntilReady() async { await queue?.waitUntilReady() }
}
