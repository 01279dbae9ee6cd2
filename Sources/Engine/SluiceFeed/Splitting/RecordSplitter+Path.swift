// Records inside documents. A line, or a text of a sequence, is a document that is in memory as a whole; any other document is read
// as its bytes come.

internal import SluiceCore

extension RecordSplitter {
    mutating func nextRecord(along walk: EnvelopeParser) throws(JSONError) -> Record? {
        if resumesInLine {
            guard try fenceText() else { return nil }
            resumesInLine = false
        }
        while true {
            if open != nil, walk.isOpen { return try scanValue() }
            if !walk.isOpen {
                guard try beginDocument(walk) else {
                    if !needsBytes {
                        isBroken = true
                        if requiresPath { try pathFindings.check() }
                    }
                    return nil
                }
            }
            var absent: JSONError?
            do throws(JSONError) {
                if walk.state == .records {
                    if let record = try nextElement() { return record }
                    if needsBytes || open != nil { return nil }
                    try walk.leaveRecords(&buffer)
                }
                switch try walk.step(&buffer) {
                case .needsBytes: return wait()
                case .record: return try scanValue()
                case .records: beginArray()
                case .absent: absent = unsafe passAbsent(walk)
                case .documentEnd:
                    let text = unsafe buffer.isFenced ? buffer.fenced : nil
                    try endDocument()
                    if !walk.isFound { absent = unsafe passAbsent(walk, document: text) }
                }
            } catch {
                if walk.envelope.isDamaged || isBroken || error.kind != .sizeLimit { giveUpDocument(walk, error) }
                throw error
            }
            if let absent { throw absent }
        }
    }

    /// Passes a document, or an element under a `*`, that lacks the path.
    ///
    /// - Parameter document: The bytes of the line, or of the text of a sequence, which the document is.
    /// - Returns: The error with which it is rejected; nil if documents may lack the path.
    private mutating func passAbsent(_ walk: EnvelopeParser, document: UnsafeRawBufferPointer? = nil) -> JSONError? {
        guard let error = walk.takeAbsent(hidesText: hidesText) else { return nil }
        recordCount += 1
        recordPosition = walk.unitStart
        recordSize = unsafe document?.count ?? position.offset - recordPosition.offset
        if let document = unsafe document { unsafe rejectedBytes = unsafe document }
        markPosition()
        return error
    }

    /// Whether a document so far has the path of the records.
    package var hasPath: Bool { walk?.hasMatched == true }

    /// What the documents so far have at the path of the records.
    package var pathFindings: PathFindings {
        walk.map { $0.findings(at: position, hidesText: hidesText) } ?? PathFindings()
    }

    /// Begins the next document. Returns false at the end of the feed, or if the document's first byte has not come.
    private mutating func beginDocument(_ walk: EnvelopeParser) throws(JSONError) -> Bool {
        switch format {
        case .lines, .automatic, .sequence:
            guard try fenceText() else { return false }
        case .object, .array, .concatenated:
            if standing.isRecovering, !recover() {
                _ = wait()
                return false
            }
            guard buffer.nextNonBlank() != nil else {
                if canWait { _ = wait() }
                return false
            }
            if standing.hasDocument, format != .concatenated {
                _ = try refuseMore()
                return false
            }
            standing.hasDocument = true
        }
        try walk.begin(at: position)
        return true
    }

    /// Fences the next line, or the next text of a sequence, in the buffer. Returns false at the end of the feed, or if the end of that
    /// line or text has not come.
    private mutating func fenceText() throws(JSONError) -> Bool {
        keepTail()
        let before = (mark, recordPosition, recordSize)
        guard let text = try format == .sequence ? nextText() : nextLine() else { return false }
        // The line itself is not a record.
        recordCount -= 1
        (mark, recordPosition, recordSize) = before
        unsafe buffer.fence(text.bytes.count, separator: lineBreakSize, at: text.position)
        return true
    }

    /// Ends a document that is a line or a text of a sequence: nothing may follow in that line.
    private mutating func endDocument() throws(JSONError) {
        guard buffer.isFenced else { return }
        if buffer.nextNonBlank() != nil { _ = try refuseMore() }
        buffer.unfence()
        resumedText = nil
    }

    /// Gives up a damaged document. Reading continues with the next document, if the layout shows where that begins.
    private mutating func giveUpDocument(_ walk: EnvelopeParser, _ error: JSONError) {
        walk.close()
        // yajl may have been shown bytes after the error: how many depends on the pieces in which the bytes came.
        let lost = buffer.rewind(to: error.position)
        recordCount += 1
        isBroken = false
        recordPosition = error.position
        recordSize = 0
        defer { markPosition() }
        if buffer.isFenced {
            unsafe rejectedBytes = unsafe buffer.fenced
            // If reading was resumed inside the line, the line's beginning is not in memory.
            recordPosition = resumedText ?? buffer.fencePosition
            recordSize = unsafe buffer.fencePosition.offset - recordPosition.offset + rejectedBytes.count
            buffer.unfence()
            resumedText = nil
            // Whatever is added to the line, or to the text of the sequence, belongs to the damaged document.
            endsInRecord = isLastTextOpen
        } else if format == .concatenated {
            standing.isRecovering = true
            lostBytes = lost
            endsInRecord =
                unsafe error.kind == .unexpectedEnd && !canWait && buffer.unread.allSatisfy(JSONWhiteSpace.contains)
        } else {
            isBroken = true
        }
    }

    /// Skips the rest of a damaged document: the next one begins with a bracket at the beginning of a line. Returns false if more bytes
    /// are needed to find it, and true at the end of the feed.
    private mutating func recover() -> Bool {
        // The lost bytes belong to one token, and a token contains no line break.
        buffer.passOverLost(lostBytes)
        lostBytes = 0
        while true {
            guard let lineEnd = buffer.lineEnd(searched: 0) else {
                // Without a line break, no document begins in these bytes.
                buffer.skip(buffer.count)
                return !canWait
            }
            // A line break at the end of the buffer is kept: the bracket may come next.
            guard lineEnd + 1 < buffer.count || !canWait else {
                buffer.skip(lineEnd)
                return false
            }
            buffer.skip(lineEnd + 1)
            guard buffer.count > 0, RecordSplitter.opensContainer(buffer[0]) else { continue }
            standing.isRecovering = false
            return true
        }
    }

    static func opensContainer(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
}
