// A thread of its own reads a source, and decompresses it, a little ahead of the consumer: so tasks wait without blocking the threads
// that they share.

internal import SluiceCompression
package import SluiceCore

/// A source whose bytes are read ahead.
package final class ReadAhead: BufferSource {
    private typealias Piece = Result<[UInt8], JSONError>

    /// Passes a source to the thread that will read it, and keeps its file open.
    // Safe: only that thread uses its contents.
    private final class Handover: @unchecked Sendable {
        var source: any ByteSource
        let owner: AnyObject?

        init(_ source: any ByteSource, _ owner: AnyObject?) {
            self.source = source
            self.owner = owner
        }
    }

    package let name: String
    private let queue = OrderedQueue<Piece>(window: 2)
    /// The piece that was taken last; its bytes from `start` on are left.
    private var piece: [UInt8] = []
    private var start = 0
    private var isOver = false

    private static let pieceSize = 256 << 10

    /// - Parameters:
    ///   - source: The source to read; no other code may use it afterwards.
    ///   - owner: An object that must live as long as the source is read.
    package init(_ source: any ByteSource, keeping owner: AnyObject?) throws(JSONError) {
        name = source.name
        let handover = Handover(source, owner)
        let isStarted = DetachedThread.start { [queue] in Self.read(handover, into: queue) }
        guard isStarted else { throw .inputOutput("cannot start a thread to read \(name)") }
    }

    deinit { queue.cancel() }

    private static func read(_ handover: Handover, into queue: OrderedQueue<Piece>) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { unsafe buffer.deallocate() }
        while let number = queue.reserve() {
            do throws(JSONError) {
                let count = try unsafe handover.source.read(into: buffer)
                // Safe: the count is that of an `OutputRawSpan`, which has checked it against the buffer.
                let piece = unsafe Array(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                if count == 0 { return queue.finish(at: number) }
                queue.put(.success(piece), at: number)
            } catch {
                // The error ends the feed.
                queue.put(.failure(error), at: number)
                return queue.finish(at: number + 1)
            }
        }
    }

    /// Whether a read would return at once.
    package var isReady: Bool { start < piece.count || isOver || queue.isReady }

    /// Suspends the task until a read would return at once, or the task is cancelled.
    package var readiness: @Sendable () async -> Void {
        if isReady { return {} }
        return { [queue] in await queue.waitUntilReady() }
    }

    /// Copies bytes that the thread has read; blocks until there are some.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(JSONError) -> Int {
        if start == piece.count, !isOver {
            piece = []
            start = 0
            switch queue.take() {
            case .success(let bytes): piece = bytes
            case .failure(let error): throw error
            case nil: isOver = true
            }
        }
        let count = min(piece.count - start, buffer.count)
        unsafe buffer.copyBytes(from: piece[start..<(start + count)])
        start += count
        return count
    }
}
