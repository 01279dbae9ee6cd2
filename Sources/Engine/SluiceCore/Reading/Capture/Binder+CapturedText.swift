// The text of a value is kept as it stands, from its first byte to its last, in one chunk or several.

extension Binder {
    /// Starts to keep the text of the container that has just opened.
    mutating func openCapture() -> Bool {
        unsafe capture.begin(at: document.token.start)
        document.skipDepth = 1
        return true
    }

    /// Binds the text of the captured container, which ends with the current token.
    @inline(never)
    mutating func finishCapture() -> Bool {
        guard let start = unsafe capture.start else { return true }
        return unsafe bindText(from: start, capture.end())
    }

    /// Binds the text of a scalar as it stands.
    @inline(never)
    mutating func captureScalar() -> Bool {
        let head = unsafe document.yajl?.pointee.head ?? CarriedText()
        return unsafe bindText(from: head.isEmpty ? document.token.start : document.chunk.start, head)
    }

    /// Binds the text that ends with the current token and starts in this chunk, or in earlier ones.
    private mutating func bindText(from start: UnsafePointer<UInt8>, _ carried: CarriedText) -> Bool {
        let tail = unsafe UnsafeBufferPointer(start: start, count: max(0, document.token.end - start))
        if carried.isEmpty { return unsafe bindText(tail) }
        let outer = (document.chunk, document.token)
        defer { (document.chunk, document.token) = outer }
        return unsafe (carried.bytes + tail).withUnsafeBytes { whole in
            document.chunk = unsafe Chunk(whole, at: carried.position, isCopy: true)
            document.token = unsafe TokenRange(document.chunk.start, document.chunk.end)
            return unsafe bindText(UnsafeBufferPointer(start: document.chunk.start, count: whole.count))
        }
    }

    private mutating func bindText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // From here on the whole value is the token.
        if let start = text.baseAddress { unsafe document.token.start = unsafe start }
        switch document.frame.row.kind {
        case .sharedKey, .captured, .path: return unsafe bindCapturedText(text)
        case .model: return unsafe readInlining(text)
        default: return unsafe storeRaw(text) && advance()
        }
    }

    mutating func storeRaw(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Safe: a trimmed raw value has at least one byte, so it has an address.
        guard let start = bytes.baseAddress, unsafe UnicodeValidation.isUTF8(start, bytes.count) else {
            return unsafe failUnicode(UnicodeFault(in: UnsafeRawBufferPointer(bytes)))
        }
        if document.frame.row == ReaderRows.captured { return unsafe storeConverted(bytes) }
        // Raw JSON must be valid, whatever else is checked.
        guard unsafe UnicodeValidation.hasPairedSurrogates(UnsafeRawBufferPointer(bytes)) else {
            return unsafe failUnicode(UnicodeFault(in: UnsafeRawBufferPointer(bytes)))
        }
        if document.frame.row.kind == .jsonCell || document.frame.row.kind.isCell { return unsafe storeRawCell(bytes) }
        unsafe destination.store(RawJSON(validated: bytes))
        return true
    }
}
