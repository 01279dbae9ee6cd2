// A byte offset becomes a line, a column and an excerpt here, and only here: yajl's own counters are never updated, and its
// error text cuts UTF-8 apart.

internal import CScan

/// A position in the input.
public struct SourcePosition: Sendable, Hashable, Codable {
    /// The number of bytes before the position.
    public var offset: Int
    /// Lines are counted from 1 and end with LF.
    public var line: Int
    /// Columns are counted in bytes from 1.
    public var column: Int

    /// A position given by its three numbers.
    package init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The first byte of the input.
    package static let start = SourcePosition(offset: 0, line: 1, column: 1)

    /// The position `bytes.count` bytes further on.
    package func advanced(over bytes: UnsafeRawBufferPointer) -> SourcePosition {
        var result = self
        result.offset &+= bytes.count
        result.column &+= bytes.count
        guard let start = bytes.baseAddress else { return result }
        // Safe: the buffer's own bytes. All of them are counted without a stop, so that the count is a vector loop.
        let breaks = unsafe cscan_count_line_feeds(start.assumingMemoryBound(to: UInt8.self), bytes.count)
        guard breaks > 0, let last = unsafe bytes.lastIndex(of: UInt8(ascii: "\n")) else { return result }
        result.line &+= Int(breaks)
        result.column = bytes.count &- last
        return result
    }

    /// The position in the file of a position inside a record that starts at `base`.
    package func shifted(by base: SourcePosition) -> SourcePosition {
        SourcePosition(
            offset: base.offset &+ offset, line: base.line &+ line &- 1,
            column: line == 1 ? base.column &+ column &- 1 : column)
    }
}

extension SourcePosition: CustomStringConvertible {
    /// `line:column`, as compilers print it.
    public var description: String { "\(line):\(column)" }
}

/// The line of input around a position, with a caret under it.
package struct SourceExcerpt: Sendable, CustomStringConvertible {
    private let text: String
    private let caret: Int

    /// Cuts at most 70 bytes of the line around `index` out of `bytes`; control characters and half characters become dots and
    /// U+FFFD.
    package init?(of bytes: UnsafeRawBufferPointer, at index: Int) {
        guard unsafe !bytes.isEmpty else { return nil }
        unsafe self.init(around: min(max(index, 0), bytes.count - 1), of: bytes)
    }

    /// The last line that is not blank, with the caret after it: for text that ends too early.
    package init?(endOf bytes: UnsafeRawBufferPointer) {
        guard let last = unsafe bytes.lastIndex(where: { !JSONWhiteSpace.contains($0) }) else { return nil }
        unsafe self.init(around: last + 1, of: bytes)
    }

    /// - Parameter index: An index of the bytes, or their count for the position after the last.
    private init(around index: Int, of bytes: UnsafeRawBufferPointer) {
        var start = index
        while start > 0, index - start < 40, unsafe bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
        var end = index
        while end < bytes.count, end - index < 30, unsafe bytes[end] != UInt8(ascii: "\n") { end += 1 }
        // A cut must not fall inside a character, or the caret would stand under the wrong one.
        while start < index, unsafe bytes[start] & 0xC0 == 0x80 { start += 1 }
        func printable(_ range: Range<Int>) -> String { unsafe String(decoding: bytes[range], as: UTF8.self).dotted }
        text = printable(start..<end)
        caret = printable(start..<max(start, min(index, end))).count
    }

    package var description: String {
        text + "\n" + String(repeating: " ", count: caret) + "^"
    }
}

extension SourcePosition {
    /// The position of an index of `bytes`, which begin here; -1 is the byte before, on the same line.
    func advanced(over bytes: UnsafeRawBufferPointer, to index: Int) -> SourcePosition {
        guard index >= 0 else { return SourcePosition(offset: offset + index, line: line, column: column + index) }
        return unsafe advanced(over: UnsafeRawBufferPointer(rebasing: bytes[..<min(index, bytes.count)]))
    }
}
