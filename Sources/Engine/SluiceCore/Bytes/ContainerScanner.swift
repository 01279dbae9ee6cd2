// Where a JSON value ends, found without parsing it: by its brackets, quotes and backslashes alone. Containers are scanned in C,
// many bytes at a time; what the scan knows goes from one piece of text to the next, so the end does not depend on how the text
// is cut.

internal import CScan

/// Finds the end of one value; may be given the text in pieces.
///
/// It trusts the value to be JSON. If it is not, the parser that reads the record rejects it, and the end found here is the one by
/// CScan's rule for backslashes (see `cscan_container`).
package struct ContainerScanner {
    private enum Mode { case start, container, string, scalar }

    private var mode = Mode.start
    /// The state of the scan in a container or string, kept from one piece of text to the next.
    private var state = cscan_container()

    package init() {}

    /// Whether a text ends before its first value does. A number or literal at the end of the text may go on, too.
    package static func isOpen(_ text: UnsafeRawBufferPointer) -> Bool {
        var scanner = ContainerScanner()
        let start = unsafe text.firstIndex { !JSONWhiteSpace.contains($0) } ?? text.count
        return unsafe scanner.end(in: UnsafeRawBufferPointer(rebasing: text[start...])) == nil
    }

    /// Whether the value has begun, and has not ended in the text so far.
    package var isInside: Bool { mode != .start }

    /// Whether a string is open, at any depth.
    package var isInsideString: Bool { mode == .string || state.in_string != 0 }

    /// Whether a number or literal is open: only what follows it, or the end of the input, ends it.
    package var isInScalar: Bool { mode == .scalar }

    /// Scans the next piece of text; the first piece must begin with the value. Returns the index after the end of the value, or nil
    /// if the value goes on.
    package mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard mode == .start else { return unsafe end(in: bytes, from: 0) }
        switch unsafe bytes.first {
        case nil: return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            mode = .container
            state.depth = 1
            // The reader of the record limits its depth.
            state.limit = .max
        case UInt8(ascii: "\""): mode = .string
        default: mode = .scalar
        }
        // The value's first byte is always consumed; otherwise a scan might consume nothing at all. The first byte of a later piece
        // may end the value.
        return unsafe end(in: bytes, from: 1)
    }

    private mutating func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        switch mode {
        case .start: nil
        case .container: unsafe containerEnd(in: bytes, from: start)
        case .string: unsafe stringEnd(in: bytes, from: start)
        case .scalar: unsafe scalarEnd(in: bytes, from: start)
        }
    }

    private mutating func containerEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
        guard let base = rest.baseAddress else { return nil }
        // Safe: the scan stays inside the rest.
        let closing = unsafe cscan_container_scan(&state, base.assumingMemoryBound(to: UInt8.self), rest.count)
        return closing < rest.count ? start + closing + 1 : nil
    }

    private mutating func stringEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            let byte = unsafe bytes[index]
            index += 1
            if state.escaped != 0 {
                state.escaped = 0
            } else if byte == UInt8(ascii: "\\") {
                state.escaped = 1
            } else if byte == UInt8(ascii: "\"") {
                return index
            }
        }
        return nil
    }

    private func scalarEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            switch unsafe bytes[index] {
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: " "), UInt8(ascii: "\n"),
                UInt8(ascii: "\r"), UInt8(ascii: "\t"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
                return index
            default: index += 1
            }
        }
        return nil
    }
}
