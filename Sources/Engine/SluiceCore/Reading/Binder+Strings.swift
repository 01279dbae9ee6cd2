// Bytes become a `String` here, and are checked once.

extension Binder {
    /// A string of the bytes; nil if they are not valid Unicode.
    @inline(__always)
    mutating func makeString(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String? {
        if unsafe document.chunk.contains(bytes), unsafe UnicodeValidation.isASCII(bytes, count) {
            return unsafe asciiString(bytes, count)
        }
        if unsafe hasBrokenEscape(bytes, count) { return nil }
        return unsafe String.validated(bytes, count)
    }

    /// The same for bytes of the chunk, or of `capture.decoded`, that are known to be ASCII.
    @inline(__always)
    mutating func asciiString(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String? {
        if count <= SmallString.capacity, policy.makesSmallStrings, unsafe hasBlock(at: bytes, before: document.chunk.end) {
            // Safe: 16 bytes are readable.
            return unsafe SmallString.make(bytes, count)
        }
        return unsafe String.validated(bytes, count, isASCII: true)
    }

    /// Whether 16 bytes are readable where text starts that lies in the chunk or in `capture.decoded`.
    @inline(__always)
    func hasBlock(at bytes: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) -> Bool {
        // Decoded text starts where its buffer starts, which has 1024 bytes at least. Where that lies far below the chunk the first
        // comparison says yes already.
        unsafe end - bytes >= 16 || UnsafePointer(capture.decoded.start) == bytes
    }

    /// The text of a string, as a slice of the document's text where that is possible; nil if it is not valid Unicode.
    ///
    /// - Parameter isASCII: Whether the bytes lie in the chunk or in `capture.decoded` and are known to be ASCII.
    @inline(__always)
    mutating func makeSubstring(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> Substring? {
        if count > SmallString.capacity, unsafe document.chunk.contains(bytes), !document.chunk.isCopy {
            return unsafe shared.slice(bytes, count, before: document.chunk.end, shift: document.textShift)
        }
        guard let text = unsafe isASCII ? asciiString(bytes, count) : makeString(bytes, count) else { return nil }
        return shared.whole(text, count)
    }

    /// Whether yajl decoded these bytes from half a surrogate pair. The scanner refuses such escapes itself.
    @inline(__always)
    func hasBrokenEscape(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard let yajl = unsafe document.yajl, unsafe yajl.pointee.hasSurrogate, count != 0 else { return false }
        return unsafe yajl.pointee.hasBrokenEscape(bytes, count)
    }

    /// Whether the text of a string or key is valid Unicode.
    ///
    /// It is `mutating`, although it changes nothing: otherwise the binder would be copied for the call.
    @inline(never)
    mutating func isUnicode(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe !hasBrokenEscape(bytes, count) && UnicodeValidation.isUTF8(bytes, count)
    }

    /// Whether the text of the current value, which is not stored, is checked in full.
    ///
    /// It is `mutating` for the same reason as ``isUnicode(_:_:)``.
    @inline(__always)
    mutating func checksIgnored() -> Bool { policy.validatesEverything || document.frame.row == policy.leftOutRow }

    /// Checks a string or key that no property binds.
    @inline(__always)
    mutating func validateIgnored(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if unsafe document.chunk.contains(bytes) && UnicodeValidation.isASCII(bytes, count) { return true }
        return unsafe isUnicode(bytes, count) || failUnicode()
    }

    /// Fails because the current string or key is not valid Unicode; the error points to the byte.
    @inline(never)
    mutating func failUnicode() -> Bool {
        guard let yajl = unsafe document.yajl else {
            // Safe: the scanner's tokens lie in the chunk.
            let text = unsafe UnsafeRawBufferPointer(
                start: document.token.start, count: document.token.end - document.token.start)
            return unsafe failUnicode(UnicodeFault(in: text))
        }
        return unsafe failUnicode(yajl.pointee.withTokenText { unsafe UnicodeFault(in: $0) })
    }

    /// - Parameter fault: What is wrong with the token's text; its index is counted from the start of the token.
    mutating func failUnicode(_ fault: UnicodeFault?) -> Bool {
        unsafe fail(
            .invalidUnicode, expected: fault?.expected ?? "valid UTF-8 and whole surrogate pairs",
            found: fault?.found ?? "a string that is not valid Unicode", hint: fault?.hint ?? "",
            at: fault.map { unsafe document.token.start + $0.index })
    }
}

extension String {
    /// A string of bytes that are checked here; nil if they are not UTF-8.
    ///
    /// `String(validating:as:)` is generic over the encoding and not specialised outside the standard library: it looks
    /// metadata up at every call, which costs 90 ns for 8 bytes where this costs 17.
    @inline(__always)
    static func validated(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String? {
        unsafe validated(bytes, count, isASCII: UnicodeValidation.isASCII(bytes, count))
    }

    /// The same where it is known whether all bytes are ASCII.
    @inline(__always)
    static func validated(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> String? {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return unsafe String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
        guard unsafe isASCII || UnicodeValidation.isUTF8(bytes, count) else { return nil }
        if HeapString.counts.contains(count), let storage = unsafe HeapString.storage {
            return unsafe HeapString.make(bytes, count, isASCII: isASCII, storage)
        }
        // Safe: the bytes were checked on the lines above.
        return unsafe String(copying: UTF8Span(unchecked: Span(_unsafeStart: bytes, count: count), isKnownASCII: isASCII))
    }
}
