// Writes fields as lines of CSV or TSV.

internal import Foundation
internal import SluiceCore

/// A format with one record per line and a delimiter between fields.
enum DelimitedText: Sendable {
    /// RFC 4180: a comma between fields, CRLF at the end of each line, quotes around fields that need them. No line is empty,
    /// because readers skip empty lines: where a single column has no value, the line is `""`.
    case csv
    /// text/tab-separated-values: a tab between fields, LF at the end of each line; tabs, line breaks and backslashes inside
    /// fields are written as `\t`, `\n`, `\r` and `\\`.
    case tsv

    var delimiter: UInt8 { self == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t") }
}

/// Lines of fields, in memory that grows.
@safe
struct DelimitedLines: ~Copyable {
    private let form: DelimitedText
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0
    /// Where the line begins that is being written.
    private var lineStart = 0

    init(_ form: DelimitedText, capacity: Int = 128 << 10) {
        self.form = form
        self.capacity = capacity
        unsafe base = .allocate(capacity: capacity)
    }

    deinit { unsafe base.deallocate() }

    /// Calls a body with the lines.
    func withText<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // Safe: that many bytes are initialised.
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Returns the lines, and forgets them.
    mutating func take() -> [UInt8] {
        defer { (count, lineStart) = (0, 0) }
        return unsafe withText { unsafe Array($0) }
    }

    /// Forgets the lines after a position.
    mutating func truncate(to count: Int) {
        self.count = min(self.count, count)
        lineStart = min(lineStart, self.count)
    }

    /// Makes room for some more bytes.
    @inline(__always)
    private mutating func reserve(_ size: Int) {
        if capacity &- count < size { grow(size) }
    }

    @inline(never)
    private mutating func grow(_ size: Int) {
        let room = max(capacity * 2, count + size)
        unsafe base.grow(to: room, keeping: count)
        capacity = room
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        // Safe: the caller has made room.
        unsafe base[count] = byte
        count &+= 1
    }

    @inline(__always)
    private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        // Safe: the caller has made room.
        unsafe memcpy(base + count, start, bytes.count)
        count &+= bytes.count
    }

    /// Separates two fields.
    mutating func endField() {
        reserve(1)
        put(form.delimiter)
    }

    /// Ends a line.
    mutating func endLine() {
        reserve(4)
        if form == .csv {
            if count == lineStart {
                put(.quote)
                put(.quote)
            }
            put(UInt8(ascii: "\r"))
        }
        put(UInt8(ascii: "\n"))
        lineStart = count
    }

    /// Appends a number or a literal, which needs no quotes.
    mutating func append(bare field: UnsafeRawBufferPointer) {
        reserve(field.count)
        unsafe copy(field)
    }

    /// Appends a field without quotes, backslashes and control characters.
    mutating func append(plain field: UnsafeRawBufferPointer) {
        reserve(field.count + 2)
        guard form == .csv else { return unsafe copy(field) }
        // An empty text is quoted, to differ from a missing value.
        var needsQuotes = true
        if let start = field.baseAddress, field.count > 0 { needsQuotes = unsafe memchr(start, 0x2C, field.count) != nil }
        if needsQuotes { put(.quote) }
        unsafe copy(field)
        if needsQuotes { put(.quote) }
    }

    /// Appends any field.
    mutating func append(_ field: UnsafeRawBufferPointer) {
        reserve(field.count * 2 + 2)
        if form == .csv { unsafe appendQuoted(field) } else { unsafe appendEscaped(field) }
    }

    private mutating func appendQuoted(_ field: UnsafeRawBufferPointer) {
        // An empty text is quoted, to differ from a missing value. psql takes a line `\.` for the end of the rows.
        let needsQuotes =
            unsafe field.isEmpty || field.elementsEqual("\\.".utf8)
            || field.contains {
                $0 == UInt8(ascii: ",") || $0 == .quote || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
            }
        guard needsQuotes else { return unsafe copy(field) }
        put(.quote)
        var rest = unsafe field
        while let start = rest.baseAddress, let quote = unsafe memchr(start, CInt(UInt8.quote), rest.count) {
            // Safe: the quote lies in the rest. The rest is copied up to the quote, and then begins after it.
            let count = unsafe UnsafeRawPointer(quote) - start + 1
            unsafe copy(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            put(.quote)
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        unsafe copy(rest)
        put(.quote)
    }

    private mutating func appendEscaped(_ field: UnsafeRawBufferPointer) {
        for index in 0..<field.count {
            // Safe: the index is below the count.
            let byte = unsafe field[index]
            let letter: UInt8? =
                switch byte {
                case UInt8(ascii: "\t"): UInt8(ascii: "t")
                case UInt8(ascii: "\n"): UInt8(ascii: "n")
                case UInt8(ascii: "\r"): UInt8(ascii: "r")
                case .backslash: .backslash
                default: nil
                }
            if letter != nil { put(.backslash) }
            put(letter ?? byte)
        }
    }
}
