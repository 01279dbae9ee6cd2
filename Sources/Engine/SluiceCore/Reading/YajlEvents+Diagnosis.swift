// yajl has refused the text, or the text ends too early. The text around that position is put together here: from the chunk, what was
// kept of earlier chunks, and a few bytes that follow. SyntaxDiagnosis describes what is wrong with it.

extension YajlEvents {
    typealias Fault = (fault: SyntaxFault, position: SourcePosition, excerpt: SourceExcerpt?)

    /// The words and the position of a syntax error that the parser has just reported, and the line around it.
    ///
    /// - Parameters:
    ///   - lookahead: Bytes that follow the chunk.
    ///   - isWhole: Whether the input ends after `lookahead`.
    func syntaxFault(lookahead: [UInt8], isWhole: Bool) -> Fault {
        unsafe context.pointee.syntaxFault(lookahead: lookahead, isWhole: isWhole)
    }

    /// What is missing where the input ends.
    func truncation() -> Truncation { unsafe context.pointee.truncation() }

    /// Whether the parser has been given no text at all.
    var hasNoText: Bool { unsafe context.pointee.lastByte == nil && context.pointee.binder.state.document.chunk.bytes.isEmpty }
}

extension YajlEvents.Context {
    fileprivate func syntaxFault(lookahead: [UInt8], isWhole: Bool) -> YajlEvents.Fault {
        let chunk = binder.state.document.chunk
        if !head.isEmpty {
            return unsafe (head.bytes + chunk.bytes + lookahead).withUnsafeBytes { text in
                let fault = unsafe diagnosis(of: text, before: byteBeforeHead, isWhole).fault()
                let address = unsafe head.position.advanced(over: text, to: fault.index)
                return unsafe (fault, address, SourceExcerpt(of: text, at: fault.index))
            }
        }
        let start =
            unsafe binder.state.document.rootEnd.map { max(0, $0 - chunk.position.offset) }
            ?? (binder.state.document.token.end - chunk.start)
        func look(_ text: UnsafeRawBufferPointer) -> YajlEvents.Fault {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: text[start...])
            let before = unsafe start > 0 ? text[start - 1] : lastByte
            let fault = unsafe diagnosis(of: rest, before: before, isWhole).fault()
            let address = unsafe chunk.position.advanced(over: text, to: start + fault.index)
            return unsafe (fault, address, SourceExcerpt(of: text, at: start + fault.index))
        }
        // Without lookahead the chunk, which may be a whole document, need not be copied.
        return unsafe lookahead.isEmpty ? look(chunk.bytes) : (chunk.bytes + lookahead).withUnsafeBytes { unsafe look($0) }
    }

    private func diagnosis(of text: UnsafeRawBufferPointer, before: UInt8?, _ isWhole: Bool) -> SyntaxDiagnosis {
        let isOpen = binder.state.document.rootEnd == nil
        return unsafe SyntaxDiagnosis(
            text: text, before: before, event: isOpen ? lastEvent : .end, hasSeparator: hasSeparator,
            container: openContainers.kind, isStart: isOpen && lastEvent == .opening && openContainers.kind == .none,
            isWhole: isWhole)
    }

    fileprivate func truncation() -> Truncation {
        let chunk = binder.state.document.chunk
        let lastEnd = unsafe binder.state.document.token.end
        let isQuoting = !binder.state.mayHoldSensitive
        let rest = unsafe head.isEmpty ? Array(UnsafeRawBufferPointer(start: lastEnd, count: chunk.end - lastEnd)) : head.bytes
        var truncation = unsafe rest.withUnsafeBytes { rest in
            let diagnosis = unsafe diagnosis(of: rest, before: nil, true)
            return Truncation(expected: diagnosis.missing(isQuoting: isQuoting), isInKey: diagnosis.isInKey)
        }
        guard openContainers.kind != .none else { return truncation }
        truncation.hint = "the \(openContainers.kind == .object ? "object" : "array") that is open began at"
        truncation.opening = openContainers.start(in: chunk)
        return truncation
    }
}
