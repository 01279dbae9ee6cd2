// Finds the encoding of a text by a byte order mark, or by its first bytes (RFC 4627, section 3).

internal import Foundation
internal import SluiceCore

/// The encoding of a JSON text.
enum InputEncoding {
    /// UTF-8. The mark's size is in bytes, 0 without a byte order mark.
    case utf8(markSize: Int)
    case other(String.Encoding, markSize: Int)

    init(_ data: Data) {
        let isASCII = unsafe data.withUnsafeBytes { unsafe InputEncoding.isSurelyUTF8($0) }
        self = isASCII ? .utf8(markSize: 0) : InputEncoding.of(Array(data.prefix(4)))
    }

    /// Whether the first bytes show that a text is UTF-8 without a byte order mark.
    ///
    /// JSON text begins with an ASCII character. If each of the first four bytes is from 1 to 127, the text is UTF-8.
    @inline(__always)
    static func isSurelyUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 4 else { return false }
        let word = unsafe text.loadUnaligned(as: UInt32.self)
        // The subtraction turns a zero byte into 0xFF, so the result is not zero. Only a zero byte causes a borrow.
        return (word | word &- 0x0101_0101) & 0x8080_8080 == 0
    }

    private static func of(_ head: [UInt8]) -> InputEncoding {
        if head == [0, 0, 0xFE, 0xFF] { return .other(.utf32BigEndian, markSize: 4) }
        // No mark of any encoding, but Foundation takes it for one.
        if head == [0xFE, 0xFF, 0, 0] { return .other(.utf32LittleEndian, markSize: 4) }
        if head == [0xFF, 0xFE, 0, 0] { return .other(.utf32LittleEndian, markSize: 4) }
        if head.starts(with: [0xFE, 0xFF]) { return .other(.utf16BigEndian, markSize: 2) }
        if head.starts(with: [0xFF, 0xFE]) { return .other(.utf16LittleEndian, markSize: 2) }
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8(markSize: 3) }
        switch head.map({ $0 == 0 }) {
        case [true, true, true, false]: return .other(.utf32BigEndian, markSize: 0)
        case [false, true, true, true]: return .other(.utf32LittleEndian, markSize: 0)
        case [true, false, true, false], [true, false]: return .other(.utf16BigEndian, markSize: 0)
        case [false, true, false, true], [false, true]: return .other(.utf16LittleEndian, markSize: 0)
        default: return .utf8(markSize: 0)
        }
    }
}

extension JSONError {
    /// The error for a text that is not valid in the encoding that its first bytes show.
    static var unconvertible: JSONError {
        JSONError(.unsupportedEncoding, expected: "text in the encoding that its first bytes show", found: "bytes that are not")
    }
}
