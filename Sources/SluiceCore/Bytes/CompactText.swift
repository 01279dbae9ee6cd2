// The text of a value goes in, and the same text without the white space between its tokens comes out.

internal import CScan

/// Drops the white space between the tokens of JSON text. All other bytes stay as they are; the text is not checked.
package enum CompactText {
    /// The index of the first white space between two tokens; nil if there is none.
    static func firstBlank(in text: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < text.count {
            // Safe: the index is below the count.
            let byte = unsafe text[index]
            if JSONWhiteSpace.contains(byte) { return index }
            index = unsafe byte == UInt8(ascii: "\"") ? stringEnd(text, index) : index + 1
        }
        return nil
    }

    /// Appends a text to bytes.
    package static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var rest = unsafe text
        while let blank = unsafe firstBlank(in: rest) {
            unsafe bytes.append(contentsOf: rest[..<blank])
            let next = unsafe rest[blank...].firstIndex { !JSONWhiteSpace.contains($0) } ?? rest.count
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[next...])
        }
        unsafe bytes.append(contentsOf: rest)
    }

    /// The index behind the string that begins at a quote; the text's end if the string does not end in it.
    private static func stringEnd(_ text: UnsafeRawBufferPointer, _ quote: Int) -> Int {
        // Safe: there is a quote, so the text has an address.
        let base = unsafe text.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
        var index = quote + 1
        while index < text.count {
            if text.count - index >= 16 {
                // Safe: 16 bytes follow.
                let special = unsafe cscan_string16(base + index) & 0xFFFF
                if special == 0 {
                    index += 16
                    continue
                }
                index += special.trailingZeroBitCount
            }
            switch unsafe text[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return text.count
    }
}
