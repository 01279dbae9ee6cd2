// Bytes go in, events come out of the callback table. This type owns the C handle and nothing else; the table and the context that
// it is made with decide who gets the events.

internal import CYajl

/// The owner of one yajl parser.
///
/// The parser holds `context` as a raw pointer: the owner of the parser keeps the context alive until the parser is released.
@safe
struct YajlParser: ~Copyable {
    private let handle: yajl_handle

    /// Makes a parser. If there is no memory for one, the process ends (``YajlAllocation``).
    ///
    /// yajl keeps the callback table's address, so the table is static. Options are set before the first byte: yajl reads
    /// them lazily and ignores later changes.
    init(callbacks: UnsafePointer<yajl_callbacks>, context: UnsafeMutableRawPointer) {
        guard let handle = unsafe yajl_alloc(callbacks, YajlAllocation.functions, context) else { YajlAllocation.endProcess() }
        unsafe self.handle = unsafe handle
        _ = unsafe cyajl_dont_validate_strings(handle, 1)
        _ = unsafe cyajl_allow_multiple_values(handle, 1)
    }

    deinit { unsafe yajl_free(handle) }

    /// Parses one chunk; events for every token that ends in it are delivered before this returns.
    func parse(_ bytes: UnsafeRawBufferPointer) -> YajlStatus {
        // Safe: an empty buffer may have no address, and yajl does not read it at length 0.
        guard let base = bytes.baseAddress else { return .ok }
        return unsafe status(yajl_parse(handle, base.assumingMemoryBound(to: UInt8.self), bytes.count))
    }

    /// Tells yajl that no more bytes come: a number or literal at the very end is delivered now.
    func complete() -> YajlStatus { unsafe status(yajl_complete_parse(handle)) }

    /// Bytes of the current chunk consumed so far; inside a callback, the end of the current token.
    var consumed: Int { unsafe yajl_get_bytes_consumed(handle) }

    /// The handle, for a context that needs ``consumed`` inside callbacks. It is freed with this parser.
    var unownedHandle: OpaquePointer { unsafe handle }

    /// Why the last call failed.
    func syntaxError() -> YajlSyntaxError {
        guard let text = unsafe yajl_get_error(handle, 0, nil, 0) else { return .other("text that is not JSON") }
        defer { unsafe yajl_free_error(handle, text) }
        return unsafe YajlSyntaxError(String(cString: text))
    }

    private func status(_ status: yajl_status) -> YajlStatus {
        switch status {
        case yajl_status_ok: .ok
        case yajl_status_client_canceled: .cancelled
        default: .failed
        }
    }
}
