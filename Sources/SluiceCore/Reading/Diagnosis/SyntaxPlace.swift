// The parser has refused the text, or the text ends too early: what it was looking at is put together from the chunk, what was
// kept of earlier ones, and a few bytes that come behind it. SyntaxDiagnosis gives the words.

/// The bytes between tokens.
enum TokenSeparators {
    /// Whether a byte stands between tokens: white space, what yajl takes for it, or a separator.
    static func isBetweenTokens(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (9...13).contains(byte) || isSeparator(byte)
    }

    /// A byte that separates tokens and is not white space.
    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") }
}

extension YajlEvents {
    typealias Fault = (fault: SyntaxFault, position: SourcePosition, excerpt: SourceExcerpt?)

    /// The words and the place of a syntax error that the parser has just reported, and the line around it.
    ///
    /// - Parameters:
    ///   - lookahead: Bytes behind the chunk.
    ///   - isWhole: Whether the input ends behind those.
    func syntaxFault(lookahead: [UInt8], isWhole: Bool) -> Fault {
        unsafe context.pointee.syntaxFault(lookahead: lookahead, isWhole: isWhole)
    }

    /// What is missing where the input ends.
    func truncation() -> Truncation { unsafe context.pointee.truncation() }

    /// Whether no text has come.
    var hasNoText: Bool { unsafe context.pointee.lastByte == nil && context.pointee.binder.pointee.chunk.bytes.isEmpty }
}

/// What is missing where the input ends.
struct Truncation {
    let expected: String
    var hint = ""
    /// Where the container began that is open there; the hint ends with it.
    var opening: SourcePosition?
}

extension YajlEvents.Context {
    fileprivate func syntaxFault(lookahead: [UInt8], isWhole: Bool) -> YajlEvents.Fault {
        let chunk = unsafe binder.pointee.chunk
        if !head.isEmpty {
            return unsafe (head.bytes + chunk.bytes + lookahead).withUnsafeBytes { text in
                let fault = unsafe diagnosis(of: text, before: byteBeforeHead, isWhole).fault()
                let place = unsafe head.position.advanced(over: text, to: fault.index)
                return unsafe (fault, place, SourceExcerpt(of: text, at: fault.index))
            }
        }
        let start =
            unsafe binder.pointee.rootEnd.map { max(0, $0 - chunk.position.offset) } ?? (binder.pointee.token.end - chunk.start)
        func look(_ text: UnsafeRawBufferPointer) -> YajlEvents.Fault {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: text[start...])
            let before = unsafe start > 0 ? text[start - 1] : lastByte
            let fault = unsafe diagnosis(of: rest, before: before, isWhole).fault()
            let place = unsafe chunk.position.advanced(over: text, to: start + fault.index)
            return unsafe (fault, place, SourceExcerpt(of: text, at: start + fault.index))
        }
        // Without bytes behind it, the chunk may be a whole document and need not be copied.
        return unsafe lookahead.isEmpty ? look(chunk.bytes) : (chunk.bytes + lookahead).withUnsafeBytes { unsafe look($0) }
    }

    private func diagnosis(of text: UnsafeRawBufferPointer, before: UInt8?, _ isWhole: Bool) -> SyntaxDiagnosis {
        let isOpen = unsafe binder.pointee.rootEnd == nil
        return unsafe SyntaxDiagnosis(
            text: text, before: before, event: isOpen ? lastEvent : .end, hasSeparator: hasSeparator,
            container: openContainers.kind, isStart: isOpen && lastEvent == .opening && openContainers.kind == .none,
            isWhole: isWhole)
    }

    fileprivate func truncation() -> Truncation {
        let chunk = unsafe binder.pointee.chunk
        let lastEnd = unsafe binder.pointee.token.end
        let rest = unsafe head.isEmpty ? Array(UnsafeRawBufferPointer(start: lastEnd, count: chunk.end - lastEnd)) : head.bytes
        let expected = unsafe rest.withUnsafeBytes { unsafe diagnosis(of: $0, before: nil, true).missing() }
        let opening = openContainers.start(in: chunk)
        return switch openContainers.kind {
        case .none: Truncation(expected: expected)
        case .object: Truncation(expected: expected, hint: "the object that is open began at", opening: opening)
        case .array: Truncation(expected: expected, hint: "the array that is open began at", opening: opening)
        }
    }
}

extension SyntaxDiagnosis {
    /// What would have to follow the text, which ends the input.
    func missing() -> String {
        // Blanks, and one comma or colon, lie between tokens.
        let start =
            unsafe text.firstIndex { !JSONWhiteSpace.contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ":") }
            ?? text.count
        let hasSeparator = unsafe hasSeparator || text[..<start].contains { !JSONWhiteSpace.contains($0) }
        switch byte(start) {
        case UInt8(ascii: "\""): return "the rest of the string"
        case .some: return unsafe "the rest of '\(String(decoding: text[start...].prefix(24), as: UTF8.self))'"
        case nil: break
        }
        return switch (event, container) {
        case (.key, _): hasSeparator ? "a value" : "':'"
        case (.value, .object): hasSeparator ? "a key" : "',' or '}'"
        case (.value, _): hasSeparator ? "a value" : "',' or ']'"
        case (.opening, .object): "a key or '}'"
        case (.opening, .array): "a value or ']'"
        case (.opening, .none), (.end, _): "a value"
        }
    }
}

extension SourcePosition {
    /// The place of an index of `bytes`, which begin here; -1 is the byte before, on the same line.
    func advanced(over bytes: UnsafeRawBufferPointer, to index: Int) -> SourcePosition {
        guard index >= 0 else { return SourcePosition(offset: offset + index, line: line, column: column + index) }
        return unsafe advanced(over: UnsafeRawBufferPointer(rebasing: bytes[..<min(index, bytes.count)]))
    }
}
