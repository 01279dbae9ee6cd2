// Records in an array, or one after the other: their ends are found by brackets and quotes.

internal import SluiceCore

extension RecordSplitter {
    mutating func nextElement() throws(JSONError) -> Record? {
        while true {
            if hasOpen { return try scanValue() }
            guard let byte = buffer.nextNonBlank() else {
                if canWait { return wait() }
                if standing.place == .closed { return nil }
                throw truncated()
            }
            switch (standing.place, byte) {
            case (.beforeArray, UInt8(ascii: "[")):
                beginArray()
                buffer.skip(1)
            case (.beforeFirst, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
                standing.place = .closed
                // The walk shows the closing bracket to yajl.
                if walk != nil { return nil }
                buffer.skip(1)
            case (.afterElement, UInt8(ascii: ",")):
                standing.place = .beforeElement
                buffer.skip(1)
            case (.beforeFirst, let byte) where byte != UInt8(ascii: ","),
                (.beforeElement, let byte) where byte != UInt8(ascii: ",") && byte != UInt8(ascii: "]"):
                standing.place = .afterElement
                return try scanValue()
            default:
                // Wait for enough bytes, so that the error is the same however the bytes are cut into pieces.
                if buffer.count < FeedBuffer.diagnosedSize, canWait { return wait() }
                throw broken()
            }
        }
    }

    /// Notes that an array of records begins at the next byte, or that its bracket has been read.
    mutating func beginArray() {
        standing.place = .beforeFirst
        standing.arrayStart = position.numbers
    }

    mutating func nextValue() throws(JSONError) -> Record? {
        if open == nil, buffer.nextNonBlank() == nil { return canWait ? wait() : nil }
        return try scanValue()
    }

    /// The only value of the feed; another value after it is an error.
    mutating func nextDocument() throws(JSONError) -> Record? {
        if open == nil {
            if buffer.nextNonBlank() == nil {
                if canWait { return wait() }
                if standing.hasDocument || recordCount > 0 { return nil }
                throw truncated()
            }
            if standing.hasDocument { return try refuseMore() }
            standing.hasDocument = true
        }
        return try scanValue()
    }

    /// Throws the error for text after the end of the feed's only value.
    mutating func refuseMore() throws(JSONError) -> Record? {
        standing.place = .closed
        if buffer.count < FeedBuffer.diagnosedSize, canWait { return wait() }
        throw broken()
    }

    /// The record that starts or continues at the next byte; its end is found by brackets and quotes.
    mutating func scanValue() throws(JSONError) -> Record? {
        if open == nil, let end = cutsAhead.popLast(), end > buffer.position.offset {
            let position = buffer.position
            let bytes = unsafe buffer.take(end - position.offset)
            return try unsafe cutOff(bytes, [bytes.count], OpenRecord(position: position), position)
        }
        var value = open ?? OpenRecord(position: buffer.position)
        var isUnfinished = false
        let position = buffer.position
        // The value is searched piece by piece, each as long as all before it: so a short damaged value costs little, however much text
        // follows it in the buffer.
        while true {
            let limit = min(buffer.count, max(2 * value.searched, Self.firstPiece))
            let unseen = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[value.searched..<limit])
            if let length = unsafe value.scanner.end(in: unseen) {
                value.searched += length
                break
            }
            value.searched = limit
            if limit == buffer.count {
                if canWait { return try waitForEnd(of: &value) }
                isUnfinished = !value.scanner.isInScalar
                // In a line, or a text of a sequence, that has ended, no rest can come.
                endsInRecord = !buffer.isFenced || isLastTextOpen
                break
            }
            if let cuts = cuts(of: &value, in: limit) { return try unsafe cutOff(buffer.take(cuts[0]), cuts, value, position) }
        }
        open = nil
        let bytes = unsafe buffer.take(value.searched)
        if buffer.position.line > position.line, mayCut {
            let cuts = unsafe isUnfinished ? value.cut.ends(inUnfinished: bytes) : value.cut.ends(in: bytes)
            if !cuts.isEmpty { return try unsafe cutOff(bytes, cuts, value, position) }
        }
        return try unsafe record(bytes, after: value.discarded, at: value.position)
    }

    /// How many bytes of a value are searched at first.
    private static let firstPiece = 1 << 10

    /// The offsets at which a value must be cut, as far as its first bytes show damage; nil if they show none.
    private func cuts(of value: inout OpenRecord, in count: Int) -> [Int]? {
        guard mayCut else { return nil }
        let cuts = unsafe value.cut.ends(in: UnsafeRawBufferPointer(rebasing: buffer.unread[..<count]))
        return cuts.isEmpty ? nil : cuts
    }

    /// Whether another record may follow the current one.
    private var mayCut: Bool { format != .object || walk != nil }

    /// Waits for the rest of the value; or, if no JSON can continue it after one of its line breaks, cuts it off there.
    private mutating func waitForEnd(of value: inout OpenRecord) throws(JSONError) -> Record? {
        if let cuts = cuts(of: &value, in: buffer.count) {
            let position = buffer.position
            return try unsafe cutOff(buffer.take(cuts[0]), cuts, value, position)
        }
        // Some bytes are kept even of a value that is too long: white space at the end, which may not be part of the value, and text
        // that may be another record.
        let end = unsafe value.end.length(of: buffer.unread)
        let endBeforeCandidate = unsafe value.cut.endBeforeCandidate(in: buffer.unread)
        let length = endBeforeCandidate ?? end
        let hasMuchSpace = endBeforeCandidate == nil && buffer.count - length > LineResynchronizer.keptBlanks
        if value.discarded > 0 || length > maximumRecordSize || hasMuchSpace && buffer.count > maximumRecordSize {
            let count = unsafe value.cut.pass(over: buffer.unread, length: end)
            value.end.drop(count)
            let bytes = unsafe buffer.take(count)
            unsafe passedOver?(bytes)
            value.discarded += count
            value.searched -= count
        }
        open = value
        return wait()
    }

    /// Cuts a damaged value off at a line break: the text after it is another value.
    ///
    /// - Parameters:
    ///   - bytes: The bytes taken out of the buffer, from `position` on: the value, or more.
    ///   - lengths: The offsets from `position` where damaged values end: first this value, then the damaged ones after it.
    private mutating func cutOff(
        _ bytes: UnsafeRawBufferPointer, _ lengths: [Int], _ value: OpenRecord, _ position: SourcePosition
    ) throws(JSONError) -> Record {
        open = nil
        endsInRecord = false
        if lengths.count > 1 { cutsAhead = lengths.dropFirst().reversed().map { position.offset + $0 } }
        var damaged = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<lengths[0]])
        unsafe damaged = unsafe UnsafeRawBufferPointer(rebasing: damaged[..<TextEnd.length(of: damaged)])
        // Nothing is lost: all bytes to go back over are still in the buffer's memory.
        _ = buffer.rewind(to: unsafe position.advancedByLines(over: damaged))
        standing.place = .beforeElement
        return try unsafe record(damaged, after: value.discarded, at: value.position)
    }

    // MARK: Damaged arrays

    /// The error of a feed that ends inside its array, or before it.
    mutating func truncated() -> JSONError {
        isBroken = true
        let isOpen = standing.place != .beforeArray
        return JSONError(
            .unexpectedEnd, position: buffer.position, expected: expectation,
            found: isOpen ? "" : buffer.position.offset == 0 ? "an empty input" : "only white space",
            hint: isOpen ? "the array began at" : "", hintPosition: isOpen ? SourcePosition(numbers: standing.arrayStart) : nil)
    }

    /// The error of an array that is damaged between its elements, at the next byte.
    mutating func broken() -> JSONError {
        isBroken = true
        let count = min(buffer.count, FeedBuffer.diagnosedSize)
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[..<count])
        let words = unsafe diagnosis(of: rest).fault()
        let fault = hidesText ? words.withoutText : words
        return unsafe JSONError(
            standing.place == .closed ? .trailingContent : .syntax, position: buffer.position, expected: expectation,
            found: fault.found, hint: fault.hint, excerpt: hidesText ? nil : SourceExcerpt(of: rest, at: 0), hidesText: hidesText)
    }

    private func diagnosis(of rest: UnsafeRawBufferPointer) -> SyntaxDiagnosis {
        let event: SyntaxDiagnosis.Event =
            switch standing.place {
            case .beforeFirst: .opening
            case .beforeElement, .afterElement: .value
            default: .end
            }
        return unsafe SyntaxDiagnosis(
            text: rest, before: nil, event: event, hasSeparator: standing.place == .beforeElement,
            container: event == .end ? .none : .array, isStart: standing.place == .beforeArray,
            isWhole: buffer.isAtEnd && rest.count == buffer.count)
    }

    /// The tokens that may come next in the array, for errors.
    private var expectation: String {
        switch standing.place {
        case .beforeFirst: "a record or ']'"
        case .beforeElement: "a record"
        case .afterElement: "',' or ']'"
        case .closed: "the end of the input"
        default: format == .object ? "a value" : "an array of records"
        }
    }
}
