// Batches are read one by one, when the consumer asks for them, and come out as a stream of the C data interface.

internal import CArrow
internal import SluiceCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A source of batches.
protocol BatchSource: AnyObject {
    var columns: [JSONColumn] { get }
    /// The next batch, or nil at the end.
    func next() throws(JSONError) -> JSONColumnBatch?
}

/// The state behind a stream's `private_data`.
@safe
private final class StreamState {
    let source: any BatchSource
    /// The text of the last error, valid until the next call; nil if the last call succeeded.
    private(set) var lastError: UnsafeMutablePointer<CChar>?

    init(_ source: any BatchSource) { self.source = source }

    deinit { unsafe free(lastError) }

    func note(_ error: JSONError?) {
        unsafe free(lastError)
        unsafe lastError = unsafe error.flatMap { unsafe strdup($0.description) }
    }
}

extension ArrowArrayStream {
    /// Makes a stream. The consumer must release it, and that releases the source.
    static func export(_ source: any BatchSource, to stream: UnsafeMutablePointer<ArrowArrayStream>) {
        unsafe stream.initialize(to: ArrowArrayStream())
        unsafe stream.pointee.private_data = unsafe Unmanaged.passRetained(StreamState(source)).toOpaque()
        unsafe stream.pointee.get_schema = { stream, schema in
            guard let state = unsafe ArrowArrayStream.state(of: stream), let schema = unsafe schema else { return EINVAL }
            state.note(nil)
            unsafe ArrowSchema.export(state.source.columns, to: schema)
            return 0
        }
        unsafe stream.pointee.get_next = { stream, array in
            guard let state = unsafe ArrowArrayStream.state(of: stream), let array = unsafe array else { return EINVAL }
            return unsafe ArrowArrayStream.next(of: state, to: array)
        }
        unsafe stream.pointee.get_last_error = { stream in
            unsafe UnsafePointer(ArrowArrayStream.state(of: stream)?.lastError)
        }
        unsafe stream.pointee.release = { stream in
            guard let stream = unsafe stream, let state = unsafe stream.pointee.private_data else { return }
            unsafe Unmanaged<StreamState>.fromOpaque(state).release()
            unsafe stream.pointee.private_data = nil
            unsafe stream.pointee.release = nil
        }
    }

    private static func next(of state: StreamState, to array: UnsafeMutablePointer<ArrowArray>) -> Int32 {
        do throws(JSONError) {
            let batch = try state.source.next()
            state.note(nil)
            if let batch {
                unsafe ArrowArray.export(batch, to: array)
            } else {
                // An array without a `release` function means the end of the stream.
                unsafe array.initialize(to: ArrowArray())
            }
            return 0
        } catch {
            state.note(error)
            return error.errorNumber
        }
    }

    private static func state(of stream: UnsafeMutablePointer<ArrowArrayStream>?) -> StreamState? {
        // Safe: `export` has put the state there, and it stays until `release` sets the pointer to nil.
        unsafe stream?.pointee.private_data.map { unsafe Unmanaged<StreamState>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension JSONError {
    /// The `errno` number for this error.
    var errorNumber: Int32 { kind == .inputOutput ? EIO : EINVAL }
}
