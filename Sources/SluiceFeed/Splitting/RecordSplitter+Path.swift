// Records that stand inside documents. A line, or a text of a sequence, is a document of its own that lies in memory; any other is
// read on while its bytes come.

internal import SluiceCore

extension RecordSplitter {
    mutating func nextRecord(along walk: RecordWalk) throws(JSONError) -> Record? {
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
                        try walk.requireMatch(at: position)
                    }
                    return nil
                }
            }
            do throws(JSONError) {
                if walk.state == .records {
                    if let record = try nextElement() { return record }
                    if needsBytes || open != nil { return nil }
                    try walk.leaveRecords(&buffer)
                }
                switch try walk.step(&buffer) {
                case .needsBytes: return wait()
                case .record: return try scanValue()
                case .records:
                    arrayState = .beforeFirst
                    arrayStart = position
                case .documentEnd: try endDocument()
                }
            } catch {
                if walk.envelope.isDamaged || isBroken || error.kind != .sizeLimit { giveUpDocument(walk, error) }
                throw error
            }
        }
    }

    /// Begins the next document; false at the end of the feed, or if its first byte has not come.
    private mutating func beginDocument(_ walk: RecordWalk) throws(JSONError) -> Bool {
        switch format {
        case .lines, .automatic, .sequence:
            guard try fenceText() else { return false }
        case .object, .array, .concatenated:
            if isRecovering, !recover() {
                _ = wait()
                return false
            }
            guard buffer.nextNonBlank() != nil else {
                if canWait { _ = wait() }
                return false
            }
            if hasDocument, format != .concatenated {
                _ = try refuseMore()
                return false
            }
            hasDocument = true
        }
        try walk.begin()
        return true
    }

    /// Makes the next line, or the next text of a sequence, all there is; false at the end, or if its own end has not come.
    private mutating func fenceText() throws(JSONError) -> Bool {
        let before = (mark, recordPosition, recordSize)
        guard let text = try format == .sequence ? nextText() : nextLine() else { return false }
        // It is no record itself.
        recordCount -= 1
        (mark, recordPosition, recordSize) = before
        unsafe buffer.fence(text.bytes.count, separator: lineBreakSize, at: text.position)
        return true
    }

    /// Behind the document of a line there is nothing.
    private mutating func endDocument() throws(JSONError) {
        guard buffer.isFenced else { return }
        if buffer.nextNonBlank() != nil { _ = try refuseMore() }
        buffer.unfence()
        resumedText = nil
    }

    /// The document is damaged: the next one follows where it can be told.
    private mutating func giveUpDocument(_ walk: RecordWalk, _ error: JSONError) {
        walk.close()
        // How much yajl was shown at once depends on how the bytes came.
        let lost = buffer.rewind(to: error.position)
        recordCount += 1
        isBroken = false
        recordPosition = error.position
        recordSize = 0
        defer { markPlace() }
        if buffer.isFenced {
            unsafe rejectedBytes = unsafe buffer.fenced
            // Where the feed was taken up inside the line, its beginning is no longer there.
            recordPosition = resumedText ?? buffer.fencePosition
            recordSize = unsafe buffer.fencePosition.offset - recordPosition.offset + rejectedBytes.count
            buffer.unfence()
            resumedText = nil
            endsInDocument = error.kind == .unexpectedEnd && lineBreakSize == 0 && buffer.count == 0 && !canWait
        } else if format == .concatenated {
            isRecovering = true
            lostBytes = lost
            endsInDocument =
                unsafe error.kind == .unexpectedEnd && !canWait && buffer.unread.allSatisfy(JSONWhiteSpace.contains)
        } else {
            isBroken = true
        }
    }

    /// Passes over the rest of a damaged document: the next one begins with a bracket at the beginning of a line. False if more bytes
    /// are needed to find it; at the end nothing follows.
    private mutating func recover() -> Bool {
        // A token that began in earlier pieces, and in no token stands a line break.
        buffer.passOverLost(lostBytes)
        lostBytes = 0
        while true {
            guard let lineEnd = buffer.lineEnd(searched: 0) else {
                // The last byte may be the line break before a bracket.
                buffer.skip(buffer.count)
                return !canWait
            }
            guard lineEnd + 1 < buffer.count || !canWait else {
                buffer.skip(lineEnd)
                return false
            }
            buffer.skip(lineEnd + 1)
            guard buffer.count > 0, RecordSplitter.opensContainer(buffer[0]) else { continue }
            isRecovering = false
            return true
        }
    }

    static func opensContainer(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }
}
