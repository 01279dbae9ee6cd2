// White space after a record may belong to it or not; only later text shows which. So a waiting splitter asks again and again
// where the text ends without the white space.

internal import SluiceCore

/// Finds where a text ends, without the white space after it. The text may come in pieces: each byte is searched at most once.
struct TextEnd {
    private var searched = 0
    private var length = 0

    /// The length of the text without the white space at its end, in bytes.
    ///
    /// - Parameter text: The text of the call before, without the bytes dropped since, and more.
    mutating func length(of text: UnsafeRawBufferPointer) -> Int {
        let new = unsafe TextEnd.length(of: UnsafeRawBufferPointer(rebasing: text[searched...]))
        if new > 0 { length = searched + new }
        searched = text.count
        return length
    }

    /// Notes that the text has lost its first bytes.
    mutating func drop(_ count: Int) {
        searched = max(searched - count, 0)
        length = max(length - count, 0)
    }

    /// The length of a whole text without the white space at its end, in bytes.
    static func length(of text: UnsafeRawBufferPointer) -> Int {
        unsafe (text.lastIndex { !JSONWhiteSpace.contains($0) } ?? -1) + 1
    }
}
