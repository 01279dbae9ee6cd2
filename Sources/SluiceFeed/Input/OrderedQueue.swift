// Results that threads make come in by number and go out in order: to a caller that blocks, or to a task that is suspended. Only so
// many numbers are given away ahead of what has gone out, so memory is bounded.

internal import SluiceCompression

/// A queue between threads that work and one consumer.
// Safe: everything that changes is changed under the monitor's lock.
package final class OrderedQueue<Element: Sendable>: @unchecked Sendable {
    private let monitor = Monitor()
    private let window: Int
    private var ready: [Int: Element] = [:]
    /// The number that goes out next.
    private var nextOut = 0
    /// The number that is given away next.
    private var nextIn = 0
    /// The first number that does not come.
    private var end = Int.max
    /// A task that waits for the next element.
    private var waiter: CheckedContinuation<Void, Never>?

    /// - Parameter window: how many numbers may be given away ahead.
    package init(window: Int) { self.window = max(window, 1) }

    // MARK: For those who work

    /// The number of the next piece of work, when there is room for its result; nil when no more is wanted.
    package func reserve() -> Int? {
        monitor.withLock {
            while nextIn < end, nextIn >= nextOut + window { monitor.wait() }
            guard nextIn < end else { return nil }
            nextIn += 1
            return nextIn - 1
        }
    }

    /// Hands in the result of a piece of work.
    package func put(_ element: Element, at number: Int) {
        change {
            if number < end { ready[number] = element }
        }
    }

    /// Says that there is no piece of work with this number, nor any behind it.
    package func finish(at number: Int) {
        change { end = min(end, number) }
    }

    /// Lets all go home: nothing more is wanted.
    package func cancel() {
        change {
            end = 0
            ready = [:]
        }
    }

    private func change(_ body: () -> Void) {
        let waiter = monitor.withLock {
            body()
            monitor.wakeAll()
            guard isReadyLocked else { return nil as CheckedContinuation<Void, Never>? }
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.resume()
    }

    // MARK: For the consumer

    private var isReadyLocked: Bool { nextOut >= end || ready[nextOut] != nil }

    /// Whether ``take()`` would return at once.
    package var isReady: Bool { monitor.withLock { isReadyLocked } }

    /// The next element, or nil at the end; blocks until it is there.
    package func take() -> Element? {
        monitor.withLock {
            while !isReadyLocked { monitor.wait() }
            guard let element = ready.removeValue(forKey: nextOut) else { return nil }
            nextOut += 1
            monitor.wakeAll()
            return element
        }
    }

    /// Suspends the task until ``take()`` would return at once, or the task is cancelled.
    package func waitUntilReady() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = monitor.withLock {
                    // A task that is cancelled after this look finds the continuation in place.
                    if isReadyLocked || Task.isCancelled { return true }
                    waiter = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiter = monitor.withLock {
                defer { self.waiter = nil }
                return self.waiter
            }
            waiter?.resume()
        }
    }
}
