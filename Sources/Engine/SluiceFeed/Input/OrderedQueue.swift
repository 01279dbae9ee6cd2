// Threads put in numbered results, and these go out in order: to a caller that blocks, or to a task that is suspended. Only a limited
// number of results may be ahead of the one that goes out next, so memory is bounded.

internal import SluiceCore

/// A queue between threads that work and one consumer.
// Safe: all mutable state is read and changed under the lock.
package final class OrderedQueue<Element: Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private let window: Int
    private var ready: [Int: Element] = [:]
    /// The number of the result that goes out next.
    private var nextOut = 0
    /// The number that a thread reserves next.
    private var nextIn = 0
    /// The first number for which no result will come.
    private var end = Int.max
    /// A task that waits for the next element.
    private var waiter: CheckedContinuation<Void, Never>?

    /// - Parameter window: How many numbers may be reserved ahead of the result that goes out next; at least 1.
    package init(window: Int) { self.window = max(window, 1) }

    // MARK: For the working threads

    /// Reserves the number of the next piece of work; blocks until there is room for its result. Nil if no more work is wanted.
    package func reserve() -> Int? {
        lock.withLock {
            while nextIn < end, nextIn >= nextOut + window { lock.wait() }
            guard nextIn < end else { return nil }
            nextIn += 1
            return nextIn - 1
        }
    }

    /// Puts in the result of a piece of work.
    package func put(_ element: Element, at number: Int) {
        change {
            if number < end { ready[number] = element }
        }
    }

    /// Ends the queue: no work with this number or a higher one will come.
    package func finish(at number: Int) {
        change { end = min(end, number) }
    }

    /// Stops all threads: no more work is wanted, and waiting results are dropped.
    package func cancel() {
        change {
            end = 0
            ready = [:]
        }
    }

    private func change(_ body: () -> Void) {
        let waiter = lock.withLock {
            body()
            lock.wakeAll()
            guard isReadyLocked else { return nil as CheckedContinuation<Void, Never>? }
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.resume()
    }

    // MARK: For the consumer

    private var isReadyLocked: Bool { nextOut >= end || ready[nextOut] != nil }

    /// Whether ``take()`` would return at once.
    package var isReady: Bool { lock.withLock { isReadyLocked } }

    /// Whether ``take()`` would return at once, or will within some milliseconds; blocks meanwhile.
    package func isReady(within milliseconds: Int) -> Bool {
        lock.withLock { lock.wait(atMost: milliseconds) { isReadyLocked } }
    }

    /// Takes the next element, or nil at the end; blocks until it is there.
    package func take() -> Element? {
        lock.withLock {
            while !isReadyLocked { lock.wait() }
            guard let element = ready.removeValue(forKey: nextOut) else { return nil }
            nextOut += 1
            lock.wakeAll()
            return element
        }
    }

    /// Suspends the task until ``take()`` would return at once, or the task is cancelled.
    package func waitUntilReady() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = lock.withLock {
                    // If the task is cancelled after this check, `onCancel` finds the continuation.
                    if isReadyLocked || Task.isCancelled { return true }
                    waiter = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiter = lock.withLock {
                defer { self.waiter = nil }
                return self.waiter
            }
            waiter?.resume()
        }
    }
}
