// JSON text sequences (RFC 7464): each text has a record separator before it. JSON cannot contain the separator, so it also ends a
// damaged text.

internal import SluiceCore

extension RecordSplitter {
    /// The byte before each text: ASCII's record separator.
    static let recordSeparator: UInt8 = 0x1E

    /// The next text of a sequence.
    mutating func nextText() throws(JSONError) -> Record? {
        while true {
            if open == nil, !resumesInLine {
                guard let byte = buffer.nextNonBlank() else { return canWait ? wait() : nil }
                if byte == Self.recordSeparator {
                    buffer.skip(1)
                    continue
                }
            }
            var text = open ?? OpenRecord(position: buffer.position)
            let end = buffer.first(Self.recordSeparator, searched: text.searched)
            if end == nil, canWait {
                text.searched = buffer.count
                // White space at the end may not be part of the text.
                let length = unsafe text.end.length(of: buffer.unread)
                if length > maximumRecordSize || text.discarded > 0 {
                    text.discarded += length
                    text.searched -= length
                    text.end.drop(length)
                    let bytes = unsafe buffer.take(length)
                    unsafe passedOver?(bytes)
                }
                open = text
                return wait()
            }
            open = nil
            let bytes = unsafe buffer.take(end ?? buffer.count)
            let isEnded = unsafe bytes.last.map(JSONWhiteSpace.contains) ?? false
            // The line break after the text is not part of it.
            let length = unsafe TextEnd.length(of: bytes)
            lineBreakSize = bytes.count - length
            if end == nil { unsafe noteOpenEnd(of: bytes, size: text.discarded + length) }
            let found = try unsafe record(
                UnsafeRawBufferPointer(rebasing: bytes[..<length]), after: text.discarded, at: text.position)
            // RFC 7464, section 2.4: a number or literal without a line break after it may have been cut off.
            if unsafe !isEnded && !Self.closesItself(found.bytes) {
                endsInRecord = end == nil
                throw cutOff(found)
            }
            return found
        }
    }

    private static func closesItself(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let last = unsafe text.last else { return true }
        return last == UInt8(ascii: "}") || last == UInt8(ascii: "]") || last == .quote
    }

    private func cutOff(_ text: Record) -> JSONError {
        unsafe JSONError(
            .unexpectedEnd, position: text.position.advancedByLines(over: text.bytes), expected: "a line break after the record",
            excerpt: hidesText ? nil : SourceExcerpt(endOf: text.bytes), hidesText: hidesText)
    }
}
