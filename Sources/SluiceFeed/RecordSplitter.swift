// A source of bytes becomes one record's bytes after the other. The buffer holds no more than the longest record, so memory does
// not depend on the length of the feed.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
package import SluiceCore

/// Cuts a feed into records.
@safe
package struct RecordSplitter: ~Copyable {
    /// One record: its bytes, valid until the next call, and where it starts in the feed.
    @safe
    package struct Record {
        package let bytes: UnsafeRawBufferPointer
        package let position: SourcePosition
    }

    private var source: any ByteSource
    private var format: JSONFeedFormat
    private let maximumRecordSize: Int

    private var buffer: UnsafeMutableRawBufferPointer
    /// The bytes not yet given out are `buffer[start..<end]`; the first of them is at `position`.
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    private var hasStarted = false
    /// Where the array's elements stand: before the first, before a comma, or behind the closing bracket.
    private var arrayState = ArrayState.beforeBracket
    /// Whether nothing more comes after an error: the source gave one, or the layout is damaged.
    package private(set) var isBroken = false

    /// Where the array began, for errors.
    private var arrayStart = SourcePosition.start

    private enum ArrayState { case beforeBracket, beforeFirst, beforeElement, afterElement, closed }

    /// The place of the next byte that is not given out.
    package private(set) var position = SourcePosition.start
    /// Where the record stands in the feed that was given out last, or rejected for its length.
    package private(set) var recordRange = 0..<0
    /// The bytes that the buffer holds: those of one read, or of the longest record.
    package var bufferSize: Int { unsafe buffer.count }
    /// The layout, once it is known.
    package var detectedFormat: JSONFeedFormat { format }

    package init(
        source: any ByteSource, format: JSONFeedFormat = .automatic, readSize: Int = 256 << 10,
        maximumRecordSize: Int = 64 << 20
    ) {
        self.source = source
        self.format = format
        self.maximumRecordSize = maximumRecordSize
        unsafe buffer = .allocate(byteCount: max(readSize, 16), alignment: 64)
    }

    deinit { unsafe buffer.deallocate() }

    /// The next record, or nil at the end.
    ///
    /// - Throws: ``JSONError``. After one of kind `sizeLimit` the feed goes on behind that record; after any other it is over.
    package mutating func next() throws(JSONError) -> Record? {
        if isBroken { return nil }
        if !hasStarted { try begin() }
        switch format {
        case .lines, .automatic: return try nextLine()
        case .array: return try nextElement()
        case .concatenated: return try nextValue()
        }
    }

    private mutating func begin() throws(JSONError) {
        hasStarted = true
        // The layout is found from a full buffer, or from all there is. Where it is given, three bytes tell a byte order mark,
        // and a live stream's first record need not wait for more.
        let wanted = unsafe format == .automatic ? buffer.count : 3
        while end < wanted, !isAtEnd { try fill() }
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<end])
        if unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            start = 3
            position = SourcePosition(offset: 3, line: 1, column: 4)
        }
        if format == .automatic { format = unsafe .detect(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
    }

    // MARK: Layouts

    private mutating func nextLine() throws(JSONError) -> Record? {
        while true {
            let lineStart = position
            var searched = 0
            // Bytes of the line that were passed over without being kept, because it is too long.
            var discarded = 0
            var isBlankLine = true
            var line = lineEnd(&searched)
            while line == nil, !isAtEnd {
                if end - start > maximumRecordSize {
                    discarded += end - start
                    if unsafe !discard(end - start).allSatisfy(JSONWhiteSpace.contains) { isBlankLine = false }
                    searched = 0
                }
                try fill()
                line = lineEnd(&searched)
            }
            let count = line ?? end - start
            let bytes = unsafe discard(count)
            if line != nil {
                start += 1
                position = SourcePosition(offset: position.offset + 1, line: position.line + 1, column: 1)
            }
            if unsafe isBlankLine && bytes.allSatisfy(JSONWhiteSpace.contains) {
                if line == nil { return nil }
                continue
            }
            try note(discarded + count, at: lineStart)
            return unsafe Record(bytes: bytes, position: lineStart)
        }
    }

    /// The number of bytes before the next line break in the buffer; `searched` says how many are known to hold none.
    private func lineEnd(_ searched: inout Int) -> Int? {
        let from = start + searched
        guard from < end, let base = unsafe buffer.baseAddress else { return nil }
        // Safe: the range searched lies inside what has been read.
        guard let found = unsafe memchr(base + from, Int32(UInt8(ascii: "\n")), end - from) else {
            searched = end - start
            return nil
        }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base + start)
    }

    private mutating func nextElement() throws(JSONError) -> Record? {
        while true {
            guard let byte = try nextNonBlank() else {
                if arrayState == .closed { return nil }
                throw truncated()
            }
            switch (arrayState, byte) {
            case (.beforeBracket, UInt8(ascii: "[")):
                arrayState = .beforeFirst
                arrayStart = position
                skip(1)
            case (.beforeFirst, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
                arrayState = .closed
                skip(1)
            case (.afterElement, UInt8(ascii: ",")):
                arrayState = .beforeElement
                skip(1)
            case (.beforeBracket, _), (.afterElement, _), (.closed, _), (.beforeElement, UInt8(ascii: "]")),
                (_, UInt8(ascii: ",")):
                throw try broken()
            case (.beforeFirst, _), (.beforeElement, _):
                arrayState = .afterElement
                return try scanValue()
            }
        }
    }

    private mutating func nextValue() throws(JSONError) -> Record? {
        guard try nextNonBlank() != nil else { return nil }
        return try scanValue()
    }

    /// The record that starts at the next byte, by its brackets and quotes.
    private mutating func scanValue() throws(JSONError) -> Record {
        var scanner = ContainerScanner()
        var scanned = 0
        var discarded = 0
        let valueStart = position
        while true {
            let unseen = unsafe UnsafeRawBufferPointer(rebasing: buffer[(start + scanned)..<end])
            if let length = unsafe scanner.end(in: unseen) {
                scanned += length
                break
            }
            scanned = end - start
            if isAtEnd { break }
            if scanned > maximumRecordSize {
                discarded += scanned
                skip(scanned)
                scanned = 0
            }
            try fill()
        }
        let bytes = unsafe take(scanned)
        position = unsafe position.advancedByLines(over: bytes)
        try note(discarded + scanned, at: valueStart)
        return unsafe Record(bytes: bytes, position: valueStart)
    }

    /// Notes where a record stands.
    ///
    /// - Throws: ``JSONError`` of kind `sizeLimit` if it is too long.
    private mutating func note(_ count: Int, at place: SourcePosition) throws(JSONError) {
        recordRange = place.offset..<(place.offset + count)
        guard count > maximumRecordSize else { return }
        throw JSONError(
            .sizeLimit, position: place, expected: "a record of at most \(maximumRecordSize) bytes (maximumRecordSize)",
            found: "one of \(count) bytes")
    }

    // MARK: The buffer

    /// The next byte that is not white space, left in place; nil at the end.
    private mutating func nextNonBlank() throws(JSONError) -> UInt8? {
        while true {
            var index = start
            while index < end, unsafe JSONWhiteSpace.contains(buffer[index]) { index += 1 }
            skip(index - start)
            if start < end { return unsafe buffer[start] }
            if isAtEnd { return nil }
            try fill()
        }
    }

    /// Passes over bytes and counts their lines.
    private mutating func skip(_ count: Int) {
        position = unsafe position.advancedByLines(over: take(count))
    }

    /// Passes over bytes of a line that has no break in them.
    private mutating func discard(_ count: Int) -> UnsafeRawBufferPointer {
        position = SourcePosition(
            offset: position.offset + count, line: position.line, column: position.column + count)
        return unsafe take(count)
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<(start + count)])
        start += count
        return unsafe bytes
    }

    /// Reads more, behind what is there; what has been given out makes room, and the buffer grows only for a record that it
    /// cannot hold.
    private mutating func fill() throws(JSONError) {
        if unsafe end == buffer.count {
            if start > 0 {
                unsafe buffer.baseAddress?.copyMemory(
                    from: UnsafeRawPointer(buffer.baseAddress.unsafelyUnwrapped + start), byteCount: end - start)
                end -= start
                start = 0
            } else {
                let grown = unsafe UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 64)
                unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
                unsafe buffer.deallocate()
                unsafe buffer = unsafe grown
            }
        }
        do throws(JSONError) {
            let count = try unsafe source.readChecked(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
            if count == 0 { isAtEnd = true }
            end += count
        } catch {
            isBroken = true
            throw error
        }
    }

    /// The feed ends inside the array, or before it.
    private mutating func truncated() -> JSONError {
        isBroken = true
        let isOpen = arrayState != .beforeBracket
        return JSONError(
            .unexpectedEnd, position: position, expected: expectation,
            found: isOpen ? "" : position.offset == 0 ? "an empty input" : "only white space",
            hint: isOpen ? "the array began at" : "", hintPlace: isOpen ? arrayStart : nil)
    }

    /// The array is damaged between its elements, where the next byte stands.
    private mutating func broken() throws(JSONError) -> JSONError {
        isBroken = true
        // The same bytes are looked at however the source cuts them.
        while end - start < RecordSplitter.diagnosedSize, !isAtEnd { try fill() }
        let count = min(end - start, RecordSplitter.diagnosedSize)
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<(start + count)])
        let fault = unsafe diagnosis(of: rest).fault()
        return unsafe JSONError(
            arrayState == .closed ? .trailingContent : .syntax, position: position, expected: expectation,
            found: fault.found, hint: fault.hint, excerpt: SourceExcerpt(of: rest, at: 0))
    }

    /// Bytes that are enough to say what stands where an array is damaged, and to show it.
    private static let diagnosedSize = 64

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
            isWhole: isAtEnd && start + rest.count == end)
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

extension SourcePosition {
    /// The place behind some bytes; lines are found with `memchr`, because feeds have few of them.
    func advancedByLines(over bytes: UnsafeRawBufferPointer) -> SourcePosition {
        var result = SourcePosition(offset: offset + bytes.count, line: line, column: column + bytes.count)
        guard let base = bytes.baseAddress else { return result }
        var index = 0
        // Safe: the search never goes past `bytes.count`.
        while index < bytes.count,
            let found = unsafe memchr(base + index, Int32(UInt8(ascii: "\n")), bytes.count - index)
        {
            index = unsafe UnsafeRawPointer(found) - base + 1
            result.line += 1
            result.column = bytes.count - index + 1
        }
        return result
    }
}
