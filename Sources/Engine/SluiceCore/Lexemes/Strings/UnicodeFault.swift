// Finds the position where a string is not valid Unicode, and the reason.

/// The first byte or escape in raw text that is not valid Unicode.
struct UnicodeFault {
    /// The byte index in the text.
    let index: Int
    let expected: String
    let found: String
    var hint = ""

    /// Checks raw text (escapes not decoded) from `start` on; nil if it is valid.
    init?(in text: UnsafeRawBufferPointer, from start: Int = 0) {
        var index = start
        while index < text.count {
            let byte = unsafe text[index]
            if byte == UInt8(ascii: "\\") {
                guard let count = unsafe UnicodeValidation.escapeLength(in: text, at: index) else {
                    let escape = unsafe String(decoding: text[index..<min(index + 6, text.count)], as: UTF8.self)
                    self.init(
                        index: index, expected: "both halves of a surrogate pair", found: "\(escape) without its other half")
                    return
                }
                index += count
            } else if byte < 0x80 {
                index += 1
            } else {
                let count = unsafe UnicodeFault.characterLength(in: text, at: index)
                guard count > 0 else {
                    self.init(index: index, byte: byte, isAlone: unsafe index + 1 >= text.count || text[index + 1] < 0x80)
                    return
                }
                index += count
            }
        }
        return nil
    }

    private init(index: Int, expected: String, found: String) {
        self.index = index
        self.expected = expected
        self.found = found
    }

    private init(index: Int, byte: UInt8, isAlone: Bool) {
        self.init(index: index, expected: "UTF-8", found: "the byte 0x\(ErrorWords.hexadecimal(byte, digits: 2))")
        // In a single-byte encoding a character beyond ASCII mostly has ASCII letters next to it.
        hint = isAlone ? "the text may be in ISO 8859-1 or Windows-1252" : ""
    }

    /// The length in bytes of the character beyond ASCII at an index; 0 if the bytes are not UTF-8.
    private static func characterLength(in text: UnsafeRawBufferPointer, at index: Int) -> Int {
        for count in 2...4 where index + count <= text.count {
            // Safe: the character ends inside the text, which has an address because it is not empty.
            let start = unsafe text.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self) + index
            if unsafe UnicodeValidation.isUTF8(start, count) { return count }
        }
        return 0
    }
}
