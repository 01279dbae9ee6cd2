// Where a string of the text ends, and what is known about its bytes by then.

internal import CScan

/// A string of the text, with its escapes.
@safe
package struct TextString {
    /// The first byte after the opening quote.
    package let start: UnsafePointer<UInt8>
    /// The position after the closing quote.
    package let end: UnsafePointer<UInt8>
    /// ``isNotASCII`` and ``isNotPlain``.
    let flags: UInt8

    /// Some bytes are not ASCII.
    static var isNotASCII: UInt8 { 1 }
    /// There are escapes, or control characters, which are errors.
    static var isNotPlain: UInt8 { 2 }

    @inline(__always)
    init(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, flags: UInt8) {
        unsafe self.start = unsafe start
        unsafe self.end = unsafe end
        self.flags = flags
    }

    /// The string that a value is; nil if the value is something else.
    init?(of value: UnsafeRawBufferPointer) {
        guard let base = value.baseAddress, unsafe value.first == UInt8(ascii: "\"") else { return nil }
        // Safe: the end is that of the value.
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        guard let string = unsafe TextCursor(end: start + value.count).string(at: start) else { return nil }
        self = string
    }

    /// The number of bytes between the quotes.
    @inline(__always)
    var count: Int { unsafe end - start - 1 }

    @inline(__always)
    var isPlain: Bool { flags & TextString.isNotPlain == 0 }

    /// The bytes between the quotes.
    package var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }

    /// The string without its escapes; nil if it is not valid.
    package var decoded: String? {
        guard !isPlain else { return unsafe String(validating: bytes, as: UTF8.self) }
        var scratch = ScratchBytes()
        defer { scratch.deallocate() }
        guard unsafe scratch.decodeString(from: start, end: end) == end else { return nil }
        return unsafe String(validating: UnsafeBufferPointer(start: scratch.start, count: scratch.count), as: UTF8.self)
    }

    /// Whether the string without its escapes is this text.
    package func isEqual(to text: String) -> Bool {
        guard isPlain else { return decoded?.utf8.elementsEqual(text.utf8) == true }
        var text = text
        return text.withUTF8 { text in
            unsafe text.count == count && (text.baseAddress.map { unsafe equalBytes($0, start, text.count) } ?? true)
        }
    }
}

/// How closely a walk looks at a string while it looks for its end.
enum StringRule {
    /// A backslash escapes the next byte, even if the two are not a valid escape.
    case loose
    /// Also, none of the four bytes after a `\u` may be a quote. Decoding would find this error at another position.
    case measured
    /// Control characters are errors, and so are escapes and bytes that are not Unicode.
    case checked
    /// The same, and the string's flags are determined. In a check that would cost 6 % (callgrind, `sluice check`).
    case checkedAndMeasured
}

extension TextCursor {
    /// The string whose opening quote is at a position; nil if it has no end, or is against the rule.
    @inline(__always)
    func string(at quote: Address, _ rule: StringRule = .loose) -> TextString? {
        if rule == .checked || rule == .checkedAndMeasured { return unsafe checkedString(at: quote, rule) }
        let start = unsafe quote + 1
        var address = unsafe start
        var high: UInt32 = 0
        guard unsafe skipPlain(&address, &high), unsafe address.pointee == UInt8(ascii: "\"") else {
            return unsafe restOfString(start, address, isASCII: high == 0, rule)
        }
        return unsafe TextString(start, end: address + 1, flags: high == 0 ? 0 : TextString.isNotASCII)
    }

    /// The rest of a string, from its first special byte on, or from where fewer than 16 bytes are left.
    @inline(never)
    private func restOfString(_ start: Address, _ special: Address, isASCII: Bool, _ rule: StringRule) -> TextString? {
        var flags: UInt8 = isASCII ? 0 : TextString.isNotASCII
        var address = unsafe special
        while unsafe address < end {
            let byte = unsafe address.pointee
            if byte == UInt8(ascii: "\"") { return unsafe TextString(start, end: address + 1, flags: flags) }
            if byte == UInt8(ascii: "\\") {
                flags |= TextString.isNotPlain
                guard let next = unsafe skipEscape(address, rule) else { return nil }
                unsafe address = unsafe next
            } else {
                if byte < 0x20 { flags |= TextString.isNotPlain }
                if byte >= 0x80 { flags |= TextString.isNotASCII }
                unsafe address += 1
            }
            var high: UInt32 = 0
            _ = unsafe skipPlain(&address, &high)
            if high != 0 { flags |= TextString.isNotASCII }
        }
        return nil
    }

    /// The position after an escape, which must not end the string.
    @inline(__always)
    private func skipEscape(_ backslash: Address, _ rule: StringRule) -> Address? {
        guard unsafe end - backslash >= 2 else { return nil }
        guard rule == .measured, unsafe backslash[1] == UInt8(ascii: "u") else { return unsafe backslash + 2 }
        guard unsafe end - backslash >= 6 else { return nil }
        for index in 2..<6 where unsafe backslash[index] == UInt8(ascii: "\"") { return nil }
        return unsafe backslash + 6
    }

    // MARK: Checked strings

    @inline(__always)
    private func checkedString(at quote: Address, _ rule: StringRule) -> TextString? {
        let start = unsafe quote + 1
        var address = unsafe start
        var high: UInt32 = 0
        var flags: UInt8 = 0
        while unsafe skipPlain(&address, &high) {
            if unsafe address.pointee == UInt8(ascii: "\"") {
                // Escapes are ASCII, and so never a part of another character: UTF-8 can be checked without decoding them.
                guard unsafe high == 0 || cscan_is_utf8(start, address - start) else { return nil }
                if rule == .checkedAndMeasured, high != 0 { flags |= TextString.isNotASCII }
                return unsafe TextString(start, end: address + 1, flags: flags)
            }
            guard let next = unsafe checkEscape(address) else { return nil }
            if rule == .checkedAndMeasured { flags = TextString.isNotPlain }
            unsafe address = unsafe next
        }
        guard let string = unsafe checkedTail(start, address, high) else { return nil }
        return unsafe rule == .checkedAndMeasured ? measured(at: quote) : string
    }

    /// A string near the end of the text, gone through once more for its flags.
    @inline(never)
    private func measured(at quote: Address) -> TextString? { unsafe string(at: quote, .measured) }

    /// The same near the end of the text, where fewer than 16 bytes are left.
    @inline(never)
    private func checkedTail(_ start: Address, _ scanned: Address, _ highBefore: UInt32) -> TextString? {
        var (address, high) = unsafe (scanned, highBefore)
        while unsafe address < end {
            switch unsafe address.pointee {
            case UInt8(ascii: "\""):
                guard unsafe high == 0 || cscan_is_utf8(start, address - start) else { return nil }
                return unsafe TextString(start, end: address + 1, flags: 0)
            case UInt8(ascii: "\\"):
                guard let next = unsafe checkEscape(address) else { return nil }
                unsafe address = unsafe next
            case 0..<0x20:
                return nil
            case let byte:
                high |= UInt32(byte & 0x80)
                unsafe address += 1
            }
        }
        return nil
    }

    /// The position after the escape that starts at a position; nil if it is invalid, and for a control character.
    @inline(__always)
    private func checkEscape(_ address: Address) -> Address? {
        // Safe: the second byte is looked at only where there is one.
        guard unsafe address.pointee == UInt8(ascii: "\\"), unsafe end - address >= 2 else { return nil }
        let letter = unsafe address[1]
        if letter == UInt8(ascii: "u") { return unsafe checkUnicodeEscape(address) }
        return unsafe ScratchBytes.character(escapedBy: letter) == nil ? nil : address + 2
    }

    @inline(never)
    private func checkUnicodeEscape(_ address: Address) -> Address? {
        // Safe: the buffer has no more bytes than are left.
        let text = unsafe UnsafeRawBufferPointer(start: address, count: min(end - address, 12))
        guard let length = unsafe UnicodeValidation.escapeLength(in: text, at: 0), length > 2 else { return nil }
        return unsafe address + length
    }
}
