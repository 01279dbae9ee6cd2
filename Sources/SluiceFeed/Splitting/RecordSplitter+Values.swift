// Records that stand in an array, or one behind the other: their ends are found by brackets and quotes.

internal import SluiceCore

extension RecordSplitter {
    mutating func nextElement() throws(JSONError) -> Record? {
        while true {
            if open != nil { return try scanValue() }
            guard let byte = buffer.nextNonBlank() else {
                if canWait { return wait() }
                if arrayState == .closed { return nil }
                throw truncated()
            }
            switch (arrayState, byte) {
            case (.beforeBracket, UInt8(ascii: "[")):
                arrayState = .beforeFirst
                arrayStart = buffer.position
                buffer.skip(1)
            case (.beforeFirst, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
                arrayState = .closed
                // The walk shows the bracket to yajl.
                if walk != nil { return nil }
                buffer.skip(1)
            case (.afterElement, UInt8(ascii: ",")):
                arrayState = .beforeElement
                buffer.skip(1)
            case (.beforeBracket, _), (.afterElement, _), (.closed, _), (.beforeElement, UInt8(ascii: "]")),
                (_, UInt8(ascii: ",")):
                // The same bytes are looked at however they come.
                if buffer.count < FeedBuffer.diagnosedSize, canWait { return wait() }
                throw broken()
            case (.beforeFirst, _), (.beforeElement, _):
                arrayState = .afterElement
                return try scanValue()
            }
        }
    }

    mutating func nextValue() throws(JSONError) -> Record? {
        if open == nil, buffer.nextNonBlank() == nil { return canWait ? wait() : nil }
        return try scanValue()
    }

    /// The only value of the feed; more behind it is an error.
    mutating func nextDocument() throws(JSONError) -> Record? {
        if open == nil {
            if buffer.nextNonBlank() == nil { return canWait ? wait() : nil }
            if hasDocument { return try refuseMore() }
            hasDocument = true
        }
        return try scanValue()
    }

    /// Something stands behind all that the feed may hold.
    mutating func refuseMore() throws(JSONError) -> Record? {
        arrayState = .closed
        if buffer.count < FeedBuffer.diagnosedSize, canWait { return wait() }
        throw broken()
    }

    /// The record that starts at the next byte, or goes on there, by its brackets and quotes.
    mutating func scanValue() throws(JSONError) -> Record? {
        if open == nil, let end = cutsAhead.popLast(), end > buffer.position.offset {
            let place = buffer.position
            let bytes = unsafe buffer.take(end - place.offset)
            return try unsafe cutOff(bytes, [bytes.count], OpenRecord(place: place), place)
        }
        var value = open ?? OpenRecord(place: buffer.position)
        var isUnfinished = false
        let unseen = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[value.searched...])
        if let length = unsafe value.scanner.end(in: unseen) {
            value.searched += length
        } else {
            value.searched = buffer.count
            if canWait { return try waitForEnd(of: &value) }
            isUnfinished = !value.scanner.isInScalar
        }
        open = nil
        let place = buffer.position
        let bytes = unsafe buffer.take(value.searched)
        if buffer.position.line > place.line, mayCut {
            let cuts = unsafe isUnfinished ? value.cut.places(inUnfinished: bytes) : value.cut.places(in: bytes)
            if !cuts.isEmpty { return try unsafe cutOff(bytes, cuts, value, place) }
        }
        return try unsafe record(bytes, behind: value.discarded, at: value.place)
    }

    /// Whether another record may stand behind the one at hand.
    private var mayCut: Bool { format != .object || walk != nil }

    /// The value goes on behind what is there, or ends at a line break that no JSON goes on from.
    private mutating func waitForEnd(of value: inout OpenRecord) throws(JSONError) -> Record? {
        let cuts = unsafe mayCut ? value.cut.places(in: buffer.unread) : []
        if !cuts.isEmpty {
            let place = buffer.position
            let bytes = unsafe buffer.take(buffer.count)
            return try unsafe cutOff(bytes, cuts, value, place)
        }
        // White space at the end may not belong to the value, and what may be another record is kept.
        let candidate = unsafe value.cut.firstCandidate(in: buffer.unread)
        let length = unsafe candidate ?? LineCut.lengthWithoutBlanks(buffer.unread)
        if value.discarded > 0 || length > maximumRecordSize || candidate == nil && value.searched > 2 * maximumRecordSize {
            let count = unsafe value.cut.pass(over: buffer.unread)
            let bytes = unsafe buffer.take(count)
            unsafe passedOver?(bytes)
            value.discarded += count
            value.searched -= count
        }
        open = value
        return wait()
    }

    /// A value that is damaged: it ends at a line break, and what begins behind that is another.
    ///
    /// - Parameters:
    ///   - bytes: What has been taken out of the buffer, from `place` on.
    ///   - lengths: How much of that belongs to the value, and where the values behind it end that are damaged, too.
    private mutating func cutOff(
        _ bytes: UnsafeRawBufferPointer, _ lengths: [Int], _ value: OpenRecord, _ place: SourcePosition
    ) throws(JSONError) -> Record {
        open = nil
        if lengths.count > 1 { cutsAhead = lengths.dropFirst().reversed().map { place.offset + $0 } }
        var damaged = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<lengths[0]])
        unsafe damaged = unsafe UnsafeRawBufferPointer(rebasing: damaged[..<LineCut.lengthWithoutBlanks(damaged)])
        // All of it lies in the memory that `bytes` are a part of.
        _ = buffer.rewind(to: unsafe place.advancedByLines(over: damaged))
        arrayState = .beforeElement
        return try unsafe record(damaged, behind: value.discarded, at: value.place)
    }

    // MARK: Damaged arrays

    /// The feed ends inside the array, or before it.
    mutating func truncated() -> JSONError {
        isBroken = true
        let isOpen = arrayState != .beforeBracket
        return JSONError(
            .unexpectedEnd, position: buffer.position, expected: expectation,
            found: isOpen ? "" : buffer.position.offset == 0 ? "an empty input" : "only white space",
            hint: isOpen ? "the array began at" : "", hintPlace: isOpen ? arrayStart : nil)
    }

    /// The array is damaged between its elements, where the next byte stands.
    mutating func broken() -> JSONError {
        isBroken = true
        let count = min(buffer.count, FeedBuffer.diagnosedSize)
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[..<count])
        let fault = unsafe diagnosis(of: rest).fault()
        return unsafe JSONError(
            arrayState == .closed ? .trailingContent : .syntax, position: buffer.position, expected: expectation,
            found: fault.found, hint: fault.hint, excerpt: SourceExcerpt(of: rest, at: 0))
    }

    private func diagnosis(of rest: UnsafeRawBufferPointer) -> SyntaxDiagnosis {
        let event: SyntaxDiagnosis.Event =
            switch arrayState {
            case .beforeFirst: .opening
            case .beforeElement, .afterElement: .value
            case .beforeBracket, .closed: .end
            }
        return unsafe SyntaxDiagnosis(
            text: rest, before: nil, event: event, hasSeparator: arrayState == .beforeElement,
            container: event == .end ? .none : .array, isStart: arrayState == .beforeBracket,
            isWhole: buffer.isAtEnd && rest.count == buffer.count)
    }

    /// What may stand next in the array.
    private var expectation: String {
        switch arrayState {
        case .beforeBracket: "an array of records"
        case .beforeFirst: "a record or ']'"
        case .beforeElement: "a record"
        case .afterElement: "',' or ']'"
        case .closed: "the end of the input"
        }
    }
}
