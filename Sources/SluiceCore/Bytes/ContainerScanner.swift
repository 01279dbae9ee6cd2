// Where a JSON value ends, found without parsing it: by its brackets, quotes and backslashes alone. Containers are scanned in C,
// many bytes at a time; what the scan knows goes from one piece of text to the next, so the end does not depend on how the text
// is cut.

internal import CScan

/// Finds the end of one value; may be given the text in pieces.
///
/// It trusts the value to be JSON. If the value is not, the parser that reads the record rejects it; the end is then where CScan's
/// rule for backslashes puts it (see `cscan_container`).
package struct ContainerScanner {
    private enum Mode { case start, container, string, scalar }

    private var mode = Mode.start
    /// In a container and in a string, what the next byte is to the scan.
    private var state = cscan_container()

    package init() {}

    /// Whether the value has begun and, as far as was seen, not ended.
    package var isInside: Bool { mode != .start }

    /// Whether a string is open, at any depth.
    package var isInsideString: Bool { mode == .string || state.in_string != 0 }

    /// Whether a number or literal is open: only what follows it, or the end of the input, ends it.
    package var isInScalar: Bool { mode == .scalar }

    /// Goes on in `bytes`, of which the first must belong to the value; the index behind its end, or nil if it goes on.
    package mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard mode == .start else { return unsafe end(in: bytes, from: 0) }
        switch unsafe bytes.first {
        case nil: return nil
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            mode = .container
            state.depth = 1
            // How deep a record may be is for its reader to say.
            state.limit = .max
        case UInt8(ascii: "\""): mode = .string
        default: mode = .scalar
        }
        // The first byte is taken whatever it is, or nothing would ever be consumed; what a later piece starts with may end the
        // value.
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
