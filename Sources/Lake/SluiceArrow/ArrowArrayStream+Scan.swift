// Batches are read one by one, when the consumer asks for them, and come out as a stream of the C data interface.

internal import CArrow
internal import SluiceCore
internal import Synchronization

internal import SluiceSystem

/// A source of batches.
protocol BatchSource: AnyObject {
    var columns: [JSONColumn] { get }
    /// The next batch, or nil at the end.
    func next() throws(JSONError) -> JSONColumnBatch?
}

/// The state behind a stream. A consumer may call it from several threads at once: each call waits for the one before.
@safe
private final class StreamState: @unchecked Sendable {
    // Sendable: all that changes is used only while `lock` is held.
    private let lock = Mutex(())
    private let columns: [JSONColumn]
    private let source: any BatchSource
    /// The error that has ended the stream, and its text. The text stays until the stream is released, because a consumer may still read it
    /// when another thread asks for the next batch.
    private var failure: JSONError?
    private var failureText: UnsafeMutablePointer<CChar>?

    init(_ source: any BatchSource) {
        self.source = source
        columns = source.columns
    }

    deinit { unsafe free(failureText) }

    func exportSchema(to schema: UnsafeMutablePointer<ArrowSchema>) { unsafe ArrowSchema.export(columns, to: schema) }

    /// Exports the next batch; at the end, an array without a `release` function. An error ends the stream, and each later call
    /// returns the same error, so that a consumer cannot take the batches before it for all of them.
    func exportNext(to array: UnsafeMutablePointer<ArrowArray>) -> Int32 {
        lock.withLock { _ in
            if failure == nil {
                do throws(JSONError) {
                    if let batch = try source.next() {
                        unsafe ArrowArray.export(batch, to: array)
                    } else {
                        unsafe array.initialize(to: ArrowArray())
                    }
                } catch {
                    failure = error
                    unsafe failureText = unsafe strdup(error.description)
                }
            }
            return failure?.errorNumber ?? 0
        }
    }

    /// The text of the error that has ended the stream; nil if none has.
    var lastError: UnsafePointer<CChar>? { unsafe lock.withLock { _ in unsafe UnsafePointer(failureText) } }
}

/// The streams that are not released yet. What a stream holds in `private_data` is a number in this list, not an address: a consumer may
/// release a stream in one thread while another one reads it, and a number that is no longer in the list does no harm.
private enum OpenStreams {
    private struct List {
        var states: [UInt: StreamState] = [:]
        var lastNumber: UInt = 0
    }

    private static let list = Mutex(List())

    static func add(_ state: StreamState) -> UnsafeMutableRawPointer? {
        unsafe UnsafeMutableRawPointer(
            bitPattern: list.withLock { list in
                list.lastNumber += 1
                list.states[list.lastNumber] = state
                return list.lastNumber
            })
    }

    /// The state of a stream; nil if the stream is released.
    static func state(of stream: UnsafeMutablePointer<ArrowArrayStream>?) -> StreamState? {
        guard let number = unsafe stream?.pointee.private_data.map({ UInt(bitPattern: $0) }) else { return nil }
        return list.withLock { $0.states[number] }
    }

    static func remove(_ stream: UnsafeMutablePointer<ArrowArrayStream>) {
        guard let number = unsafe stream.pointee.private_data.map({ UInt(bitPattern: $0) }) else { return }
        // The state is freed after the lock is released, for that may take the time of closing a file.
        _ = list.withLock { $0.states.removeValue(forKey: number) }
    }
}

extension ArrowArrayStream {
    /// Makes a stream. The consumer must release it, and that releases the source.
    static func export(_ source: any BatchSource, to stream: UnsafeMutablePointer<ArrowArrayStream>) {
        unsafe stream.initialize(to: ArrowArrayStream())
        unsafe stream.pointee.private_data = unsafe OpenStreams.add(StreamState(source))
        unsafe stream.pointee.get_schema = { stream, schema in
            guard let state = unsafe OpenStreams.state(of: stream), let schema = unsafe schema else { return EINVAL }
            unsafe state.exportSchema(to: schema)
            return 0
        }
        unsafe stream.pointee.get_next = { stream, array in
            guard let state = unsafe OpenStreams.state(of: stream), let array = unsafe array else { return EINVAL }
            return unsafe state.exportNext(to: array)
        }
        unsafe stream.pointee.get_last_error = { stream in unsafe OpenStreams.state(of: stream)?.lastError }
        unsafe stream.pointee.release = { stream in
            guard let stream = unsafe stream, unsafe stream.pointee.release != nil else { return }
            unsafe OpenStreams.remove(stream)
            unsafe stream.pointee.private_data = nil
            unsafe stream.pointee.release = nil
        }
    }
}

extension JSONError {
    /// The `errno` number for this error.
    var errorNumber: Int32 { kind == .inputOutput ? EIO : EINVAL }
}
