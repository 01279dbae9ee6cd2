// Writes Swift strings as JSON strings: with quotes, and with escapes for the three kinds of bytes that need one (RFC 8259, section 7).
// Swift strings are valid Unicode by construction, so nothing else is checked.

internal import CScan

extension JSONWriter {
    /// Writes a string with its quotes.
    @inline(__always)
    mutating func writeString(_ value: String) {
        let isDone: Void? = unsafe value.utf8.withContiguousStorageIfAvailable { unsafe writeString($0) }
        if isDone == nil { writeForeignString(value) }
    }

    /// Writes a string that is not stored as UTF-8, as some strings from Objective-C are.
    @inline(never)
    private mutating func writeForeignString(_ value: String) {
        var copy = value
        copy.withUTF8 { unsafe writeString($0) }
    }

    /// Writes the bytes of a string, which are UTF-8, with its quotes.
    @inline(__always)
    package mutating func writeString(_ bytes: UnsafeBufferPointer<UInt8>) {
        if escapesMore { return unsafe writeEscaped(bytes) }
        // Reserves space for the text without escapes and two quotes. `escapeRest` reserves more for escapes.
        reserve(bytes.count &+ 2)
        let first = unsafe start + count
        unsafe first[0] = .quote
        guard let source = bytes.baseAddress else {
            unsafe first[1] = .quote
            return count &+= 2
        }
        // Safe: the space was just reserved.
        let plain = unsafe cscan_copy_plain(first + 1, source, bytes.count)
        count &+= plain &+ 1
        guard plain == bytes.count else { return unsafe escapeRest(source, plain, bytes.count) }
        unsafe start[count] = .quote
        count &+= 1
    }

    /// Writes a string property in compact text: its key, the string with its quotes, and a comma.
    @inline(__always)
    mutating func compactMember(_ value: String) {
        let small = StringWords(value)
        if small.isSmall, !small.needsEscape, !(escapesMore && small.hasSlash) {
            // Safe: 20 bytes are reserved: the opening quote, the 16 bytes of the words, the closing quote and the comma.
            let end = unsafe beginCompactMember(20)
            unsafe end[0] = .quote
            unsafe small.store(to: end + 1)
            return unsafe endCompactString(end + 1 + small.count)
        }
        // Safe: the string lives as long as this call.
        if !escapesMore, let bytes = unsafe small.ownBytes { return withExtendedLifetime(value) { unsafe compactMember(bytes) } }
        let isDone: Void? = unsafe value.utf8.withContiguousStorageIfAvailable { unsafe compactMember($0) }
        if isDone == nil {
            var copy = value
            copy.withUTF8 { unsafe compactMember($0) }
        }
    }

    @inline(__always)
    private mutating func compactMember(_ bytes: UnsafeBufferPointer<UInt8>) {
        if escapesMore {
            appendKey()
            unsafe writeWithSlashes(bytes)
            return endElement()
        }
        // Safe: beyond the string, space is reserved for two quotes and the comma.
        let end = unsafe beginCompactMember(bytes.count &+ 4)
        unsafe end[0] = .quote
        guard let source = bytes.baseAddress else { return unsafe endCompactString(end + 1) }
        let plain = unsafe cscan_copy_plain(end + 1, source, bytes.count)
        guard plain == bytes.count else {
            unsafe count = end + 1 + plain - start
            unsafe escapeRest(source, plain, bytes.count)
            return endElement()
        }
        unsafe endCompactString(end + 1 + plain)
    }

    /// Writes the closing quote of a member and the comma after it.
    @inline(__always)
    private mutating func endCompactString(_ end: UnsafeMutablePointer<UInt8>) {
        unsafe end[0] = .quote
        unsafe end[1] = UInt8(ascii: ",")
        unsafe count = end + 2 - start
    }

    /// The space that a small string needs with its quotes and a comma; a longer string needs its length beyond that.
    static let stringRoom = 20

    /// Writes the string at an address with its quotes, from `end` on, where there is space for a small one. Returns its end, after which
    /// there is space for a comma.
    ///
    /// - Parameter room: The space to make beyond a longer string's length, at least ``stringRoom``.
    @inline(__always)
    mutating func string(
        at value: UnsafeRawPointer, _ end: UnsafeMutablePointer<UInt8>, room: Int
    ) -> UnsafeMutablePointer<UInt8> {
        let words = unsafe StringWords(at: value)
        if words.isSmall, !words.needsEscape, !(escapesMore && words.hasSlash) {
            unsafe end[0] = .quote
            unsafe words.store(to: end + 1)
            unsafe end[1 + words.count] = .quote
            return unsafe end + 2 + words.count
        }
        guard !escapesMore, let bytes = unsafe words.ownBytes, let source = bytes.baseAddress else {
            return unsafe otherString(value, end, room)
        }
        let first = unsafe makeRoom(room &+ bytes.count, end)
        unsafe first[0] = .quote
        // Safe: the caller holds the string.
        let plain = unsafe cscan_copy_plain(first + 1, source, bytes.count)
        guard plain == bytes.count else { return unsafe escapedString(source, plain, bytes.count, first + 1 + plain, room) }
        unsafe first[1 + plain] = .quote
        return unsafe first + 2 + plain
    }

    /// Writes the rest of a string from the first byte on that needs an escape.
    @inline(never)
    private mutating func escapedString(
        _ source: UnsafePointer<UInt8>, _ plain: Int, _ total: Int, _ end: UnsafeMutablePointer<UInt8>, _ room: Int
    ) -> UnsafeMutablePointer<UInt8> {
        unsafe count = end - start
        unsafe escapeRest(source, plain, total)
        return unsafe makeRoom(room, start + count)
    }

    /// Writes a string for which there is no fast path: a short string with escapes, a string whose slashes may be escaped, or one in an
    /// unusual kind of storage.
    @inline(never)
    private mutating func otherString(
        _ value: UnsafeRawPointer, _ end: UnsafeMutablePointer<UInt8>, _ room: Int
    ) -> UnsafeMutablePointer<UInt8> {
        unsafe count = end - start
        // Safe: the caller has a `String` there, or an optional one that is not nil and has the same layout.
        unsafe writeString(value.assumingMemoryBound(to: String.self).pointee)
        return unsafe makeRoom(room, start + count)
    }

    /// Writes the bytes of a string from index `first` on, at least one of which needs an escape, and the closing quote.
    @inline(never)
    mutating func escapeRest(_ source: UnsafePointer<UInt8>, _ first: Int, _ total: Int) {
        var index = first
        var end = unsafe start + count
        while index < total {
            // Space for the longest escape (6 bytes), the text after it, and the closing quote.
            unsafe end = unsafe makeRoom(8 &+ total &- index, end)
            // The byte may be plain, because a short string that needs an escape comes here from its first byte on.
            if unsafe source[index].needsEscape {
                unsafe end = unsafe JSONWriter.escape(source[index], end)
                index &+= 1
            }
            // Safe: `makeRoom` has made space for the text that is left.
            let plain = unsafe cscan_copy_plain(end, source + index, total &- index)
            unsafe end += plain
            index &+= plain
            // From fewer than 16 bytes that have another one in them, none is copied.
            guard total &- index < 16 else { continue }
            while index < total, unsafe !source[index].needsEscape {
                unsafe end[0] = unsafe source[index]
                unsafe end += 1
                index &+= 1
            }
        }
        unsafe count = end - start
        append(.quote)
    }

    /// Makes space for `size` bytes after `end`. Returns `end` in the buffer, which may have been reallocated.
    @inline(__always)
    mutating func makeRoom(_ size: Int, _ end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        if unsafe start + capacity - end >= size { return unsafe end }
        unsafe count = end - start
        reserve(size)
        return unsafe start + count
    }

    /// Writes a string, with its quotes, with the additional escapes that the options ask for: slashes, characters outside ASCII.
    @inline(never)
    private mutating func writeEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        if !options.escapesNonASCII { return unsafe writeWithSlashes(bytes) }
        append(.quote)
        var index = 0
        while index < bytes.count {
            // The longest escape is that of a character above U+FFFF: two surrogates of six bytes each.
            reserve(12)
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: "/"), options.escapesSlashes {
                append("\\/")
            } else if byte >= 0x80, options.escapesNonASCII {
                unsafe index += escapeCharacter(bytes, index)
                continue
            } else if byte.needsEscape {
                count = unsafe JSONWriter.escape(byte, start + count) - start
            } else {
                append(byte)
            }
            index += 1
        }
        append(.quote)
    }

    /// Writes a string in which slashes are escaped, with its quotes.
    @inline(never)
    mutating func writeWithSlashes(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        // Space for twice the string, as each byte may be a slash, and 40 more: two quotes, and 32 bytes that block copies overwrite.
        var end = unsafe makeRoom(40 &+ 2 &* bytes.count, start + count)
        unsafe end[0] = .quote
        unsafe end += 1
        while index < bytes.count {
            // Safe: a string that is not empty has an address, and the space was made above or by the last round.
            let copied = unsafe cscan_copy_slashed(end, bytes.baseAddress.unsafelyUnwrapped + index, bytes.count &- index)
            unsafe end += copied.written
            index &+= copied.read
            if index == bytes.count { break }
            // Space for the longest escape (6 bytes), and for the rest of the string as before the loop.
            unsafe end = unsafe makeRoom(46 &+ 2 &* (bytes.count &- index), end)
            unsafe end = unsafe JSONWriter.escape(bytes[index], end)
            index &+= 1
        }
        unsafe end[0] = .quote
        unsafe count = end + 1 - start
    }

    /// Writes the escape of the character outside ASCII that begins at `index`, and returns the character's length in bytes.
    private mutating func escapeCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        // Safe: a Swift string is valid UTF-8, so all bytes that the first byte announces follow it.
        let first = unsafe UInt32(bytes[index])
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        var code = first & (0xFF >> UInt32(length + 1))
        for next in index + 1..<index + length { unsafe code = code << 6 | UInt32(bytes[next] & 0x3F) }
        if code < 0x10000 {
            escape(unit: code)
        } else {
            escape(unit: 0xD800 + (code - 0x10000) >> 10)
            escape(unit: 0xDC00 + (code - 0x10000) & 0x3FF)
        }
        return length
    }

    private mutating func escape(unit: UInt32) {
        append("\\u")
        for shift: UInt32 in [12, 8, 4, 0] { append(JSONWriter.hexadecimal(UInt8(truncatingIfNeeded: unit >> shift & 15))) }
    }

    /// Writes the escape of a byte, and returns the end after it. The caller has made space for six bytes.
    @inline(__always)
    private static func escape(_ byte: UInt8, _ end: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        unsafe end[0] = .backslash
        let short: UInt8? =
            switch byte {
            case .quote, .backslash: byte
            case 0x08: UInt8(ascii: "b")
            case 0x09: UInt8(ascii: "t")
            case 0x0A: UInt8(ascii: "n")
            case 0x0C: UInt8(ascii: "f")
            case 0x0D: UInt8(ascii: "r")
            default: nil
            }
        if let short {
            unsafe end[1] = short
            return unsafe end + 2
        }
        unsafe end[1] = UInt8(ascii: "u")
        unsafe end[2] = UInt8(ascii: "0")
        unsafe end[3] = UInt8(ascii: "0")
        unsafe end[4] = hexadecimal(byte &>> 4)
        unsafe end[5] = hexadecimal(byte & 15)
        return unsafe end + 6
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit
    }
}
