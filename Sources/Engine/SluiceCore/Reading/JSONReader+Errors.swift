// When yajl has stopped, or the binder has an error, this file decides which error comes first and what it says.

extension JSONReader {
    /// Whether errors must not show the text, because it may hold a sensitive value.
    private var isHidden: Bool { binder.state.mayHoldSensitive }

    /// The error after a chunk, or nil. A document that has not ended yet is no error: more chunks may come.
    func failure(
        in parser: YajlEvents, at status: YajlStatus, isSearched: Bool = false, _ more: () -> [UInt8]
    ) -> JSONError? {
        let chunk = binder.state.document.chunk
        if !isSearched,
            let blank = unsafe controlBlank(in: chunk, before: status == .ok ? chunk.end : parser.reached)
        {
            return blank
        }
        if let end = binder.state.document.rootEnd {
            // All text after the root value gives this one error, whether it is JSON or not. yajl's own status cannot be used: it
            // accepts even an unterminated string there (P29).
            let tail = max(0, end - chunk.position.offset)
            guard unsafe firstNonBlank(in: chunk.bytes, from: tail) != nil else { return nil }
            return encodingError(in: chunk) ?? diagnosed(.trailingContent, "more", parser, more)
        }
        if let error = binder.state.document.error { return error }
        return status == .ok ? nil : syntaxError(parser, more)
    }

    /// The error for a control character that yajl took for white space, or nil if yajl stopped before any.
    private func controlBlank(in chunk: Chunk, before end: UnsafePointer<UInt8>) -> JSONError? {
        guard let index = unsafe InvalidWhiteSpace.first(in: chunk.bytes) else { return nil }
        let address = unsafe chunk.start + index
        guard unsafe address < end else { return nil }
        // How much was read after that character depends on the source of events. The report would depend on it, too, so it is
        // emptied.
        binder.state.document.findings.report = JSONReadReport()
        // The error has no path, because the value that was bound last may lie before or after the character.
        return unsafe JSONError(
            .syntax, position: chunk.position(of: address), expected: "JSON white space", found: "a vertical tab or form feed",
            excerpt: isHidden ? nil : chunk.excerpt(at: address), hidesText: isHidden)
    }

    private func syntaxError(_ parser: YajlEvents, _ more: () -> [UInt8]) -> JSONError {
        let chunk = binder.state.document.chunk
        // At the end yajl parses a blank of its own. If it refuses that, the real cause is the end of the input.
        guard !parser.isCompleting, case .other(let found) = parser.syntaxError() else { return endOfInput(parser) }
        return encodingError(in: chunk) ?? diagnosed(.syntax, found, parser, more)
    }

    /// The error for the text after the last valid token.
    ///
    /// - Parameter reason: The words for what was found, if the diagnosis has none.
    private func diagnosed(
        _ kind: JSONError.Kind, _ reason: String, _ parser: YajlEvents, _ more: () -> [UInt8]
    ) -> JSONError {
        var lookahead: [UInt8] = []
        var isWhole = false
        var address = parser.syntaxFault(lookahead: lookahead, isWhole: isWhole)
        while address.fault.isCut, !isWhole {
            let next = more()
            lookahead += next
            isWhole = next.isEmpty
            address = parser.syntaxFault(lookahead: lookahead, isWhole: isWhole)
        }
        let fault = isHidden ? address.fault.withoutText : address.fault
        // In damaged text, a value may stand where a key is expected. The unknown keys may contain it, so they are dropped.
        if isHidden { binder.state.document.findings.unknownKeyCounts.begin() }
        return JSONError(
            kind, path: binder.state.pathOfText, position: address.position, expected: fault.expected,
            found: fault.found.isEmpty ? reason : fault.found, hint: fault.hint, excerpt: isHidden ? nil : address.excerpt,
            hidesText: isHidden)
    }

    /// The error for text in UTF-16 or UTF-32, which its first bytes show; nil for other text.
    private func encodingError(in chunk: Chunk) -> JSONError? {
        guard chunk.position.offset <= 3, let encoding = unsafe foreignEncoding(of: chunk.bytes) else { return nil }
        return unsafe JSONError(
            .unsupportedEncoding, path: binder.state.path(), position: chunk.position, expected: "UTF-8", found: encoding,
            hint: "convert the text to UTF-8 first",
            excerpt: isHidden ? nil : chunk.excerpt(at: chunk.start), hidesText: isHidden)
    }

    func endOfInput(_ parser: YajlEvents) -> JSONError {
        let chunk = binder.state.document.chunk
        let missing = parser.truncation()
        let blank = parser.hasNoText ? "an empty input" : "only white space"
        return unsafe JSONError(
            .unexpectedEnd, path: missing.isInKey ? binder.state.pathOfContainer() : binder.state.pathOfText,
            position: chunk.position(of: chunk.end), expected: missing.expected,
            found: missing.opening == nil && missing.expected == "a value" ? blank : "", hint: missing.hint,
            hintPosition: missing.opening, excerpt: isHidden ? nil : SourceExcerpt(endOf: chunk.bytes),
            hidesText: isHidden)
    }
}
