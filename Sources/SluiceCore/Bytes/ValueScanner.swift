// Where a JSON value ends, found without parsing it: by its brackets, quotes and escapes alone.

internal import CScan

/// Finds the end of one value; may be given the text in pieces.
///
/// It trusts the value to be JSON. What it passes over wrongly, the parser that reads the record will reject.
package struct ValueScanner {
    private enum Mode { case start, container, string, scalar }

    private var mode = Mode.start
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    package init() {}

    /// Whether the value has begun and, as far as was seen, not ended.
    package var isInside: Bool { mode != .start }

    /// Whether a string is open, at any depth.
    package var isInsideString: Bool { isInString }

    /// Whether a number or literal is open: only what follows it, or the end of the input, ends it.
    package var isInScalar: Bool { mode == .scalar }

    /// The length of the container that `bytes` begin with, if it ends there.
    private func wholeContainer(in bytes: UnsafeRawBufferPointer) -> Int? {
        // Safe: there is a first byte, the opening bracket; the scan stays inside the rest.
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        guard let start = rest.baseAddress else { return nil }
        let closing = unsafe cscan_container_end(start.assumingMemoryBound(to: UInt8.self), rest.count)
        return closing < rest.count ? closing + 2 : nil
    }

    /// Goes on in `bytes`, of which the first must belong to the value; the index behind its end, or nil if it goes on.
    package mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        if mode == .start {
            guard let first = unsafe bytes.first else { return nil }
            switch first {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                mode = .container
                // Nearly every value lies in the buffer as a whole; one that does not is scanned once more, byte by byte,
                // because only that can be interrupted.
                if let length = unsafe wholeContainer(in: bytes) { return length }
            case UInt8(ascii: "\""): mode = .string
            default:
                mode = .scalar
                // At least one byte, or nothing would ever be consumed; but only here: what a chunk starts with may end the scalar.
                index = 1
            }
            if mode == .string {
                isInString = true
                index = 1
            }
        }
        if mode == .scalar {
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
        while index < bytes.count {
            let byte = unsafe bytes[index]
            index += 1
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                    if depth == 0 { return index }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index }
            default: break
            }
        }
        return nil
    }
}
