// A document's bytes go in, and the positions of its records come out. The walk reads the keys of the containers on the path, and looks
// for the ends of all other values. The whole envelope goes through yajl, which sees an empty array, or null, in place of the records.

internal import SluiceCore

/// Follows a path through one document after the other.
final class EnvelopeParser {
    /// What a step has reached in a document.
    enum Step {
        case needsBytes
        /// An array of records; its bracket has been read.
        case records
        /// One record.
        case record
        /// An element under a `*` has ended that lacks the rest of the path.
        case absent
        case documentEnd
    }

    enum State {
        case closed, value, keyOrEnd, key, colon, elementOrEnd, skip, afterValue
        /// `recordsAhead`: an array of records begins after the bytes read so far. `records`: it is being read. `recordAhead`: a
        /// single record comes next.
        case recordsAhead, records, recordAhead
    }

    /// A container on the path.
    struct Level: Sendable, Hashable, Codable {
        var isObject: Bool
        /// The index of the current element.
        var index = 0
    }

    let path: JSONRecordPath
    /// Reads the members around the records.
    var envelope: EnvelopeReader
    private(set) var state = State.closed
    private(set) var levels: [Level] = []
    /// Whether the value after the current key lies on the path.
    private var isOnPath = false
    /// How many unread bytes of the envelope the walk has looked at and not yet shown to yajl.
    private var seen = 0
    private var scanner = ContainerScanner()
    /// How many bytes of the current key have been searched, if its end has not come.
    private var keyLength = 0
    /// Whether yajl does not know the walk's position yet, because reading was resumed inside a document.
    private var isDetached = false

    /// The key that a `*` of the path has matched last, as it is written; in an array, the element's number.
    private(set) var anyKey: [UInt8] = []

    // A document, or an element under a `*`, has the path if all keys up to the next `*` exist and lead to a container, or if those up to
    // the end exist and lead to something else than null.

    /// Whether documents may lack the path.
    let isOptional: Bool
    /// Whether the path has led to records, or to an empty container under a `*`, in any document so far.
    var hasMatched = false
    /// Whether the current document has an empty container under a `*`. That counts when yajl has seen it: before, the document may turn out
    /// to be damaged further ahead.
    private var hasEmpty = false
    /// How many documents, and elements under a `*`, lack the path.
    var absentCount = 0
    /// Whether the current document, or the current element under a `*`, has the path. In the documents around such an element, the walk
    /// has come to the `*`, so that they have it.
    private(set) var isFound = false
    /// Where the document or element begins: the number of bytes before it that yajl has not seen, or its offset once yajl has.
    private var unitSeen: Int?
    private(set) var unitStart = SourcePosition.start
    /// What the document or element has along the path.
    private var current = MissingPath()
    /// What all those had that lack the path, as long as none has it.
    private var missing = MissingPath()
    /// Whether the current document is not a container.
    private var isScalar = false

    init(path: JSONRecordPath, isOptional: Bool, options: JSONReader.Options) {
        self.path = path
        self.isOptional = isOptional
        envelope = EnvelopeReader(options: options)
    }

    // MARK: Documents

    /// Whether a document has begun and not ended.
    var isOpen: Bool { state != .closed }

    /// Begins a document at the next byte.
    func begin(at position: SourcePosition) throws(JSONError) {
        levels = []
        (isFound, hasEmpty) = (false, false)
        current.clear()
        (unitStart, unitSeen) = (position, nil)
        isScalar = false
        isDetached = false
        seen = 0
        keyLength = 0
        state = .value
        try envelope.begin()
    }

    /// Gives up a damaged document.
    func close() {
        envelope.cancel()
        state = .closed
    }

    /// Continues inside an array of records, or after a single record, from a checkpoint.
    func resume(_ levels: [Level], isInArray: Bool, anyKey: String?) {
        self.levels = levels
        // The walk is after records, or after an element that lacked them.
        isFound = true
        self.anyKey = anyKey.map { Array($0.utf8) } ?? []
        state = isInArray ? .records : .afterValue
        envelope.leaveUnbound()
        isDetached = true
    }

    /// Leaves the array of records, whose closing bracket is the next byte.
    func leaveRecords(_ buffer: inout FeedBuffer) throws(JSONError) {
        if isDetached { try attach(buffer) }
        seen = 1
        state = .afterValue
    }

    /// Counts the document or element that has ended and lacks the path. Returns its error; nil if it may lack it.
    func takeAbsent(hidesText: Bool) -> JSONError? {
        absentCount += 1
        if isOptional { return nil }
        if !hasMatched { missing.add(current) }
        return current.error(path, at: unitStart, hidesText: hidesText)
    }

    /// What the documents have at the path.
    func findings(at position: SourcePosition, hidesText: Bool) -> PathFindings {
        let isError = !hasMatched && !isOptional && absentCount > 0
        return PathFindings(
            isFound: hasMatched, absentCount: absentCount,
            error: isError ? missing.error(path, at: position, hidesText: hidesText) : nil)
    }

    // MARK: Steps

    /// Continues to the next records, or to the end of the document.
    func step(_ buffer: inout FeedBuffer) throws(JSONError) -> Step {
        while true {
            if isDetached, state != .skip, state != .closed { try attach(buffer) }
            switch state {
            case .closed: return .documentEnd
            case .recordsAhead:
                state = .records
                return .records
            case .recordAhead:
                state = .afterValue
                return .record
            case .skip:
                guard try skip(&buffer) else { return .needsBytes }
                continue
            case .afterValue where levels.isEmpty:
                // Wait for enough bytes, so that the error for a damaged word, or for text in another encoding, is the same however the
                // bytes are cut into pieces.
                if isScalar, buffer.count - seen < FeedBuffer.diagnosedSize, !buffer.isAtEnd { return .needsBytes }
                try end(&buffer)
                continue
            case .afterValue where !isFound && path.components[levels.count - 1] == .any:
                guard try endElement(&buffer) else { return .needsBytes }
                return .absent
            default: break
            }
            guard let byte = nextNonBlank(in: buffer) else {
                guard buffer.isAtEnd else {
                    try showSeen(of: &buffer)
                    return .needsBytes
                }
                throw try breakOff(&buffer)
            }
            guard let isRight = try take(byte, from: &buffer) else {
                try showSeen(of: &buffer)
                return .needsBytes
            }
            if isRight { continue }
            // Wait for enough bytes, so that the error is the same however they are cut into pieces.
            if buffer.count - seen < FeedBuffer.diagnosedSize, !buffer.isAtEnd { return .needsBytes }
            throw try fault(&buffer)
        }
    }

    private func nextNonBlank(in buffer: borrowing FeedBuffer) -> UInt8? {
        while seen < buffer.count {
            let byte = buffer[seen]
            if !JSONWhiteSpace.contains(byte) { return byte }
            seen += 1
        }
        return nil
    }

    /// Takes the next byte that is not white space. Returns false if that byte is not allowed here, nil if more bytes are needed.
    private func take(_ byte: UInt8, from buffer: inout FeedBuffer) throws(JSONError) -> Bool? {
        switch (state, byte) {
        case (.keyOrEnd, UInt8(ascii: "}")), (.elementOrEnd, UInt8(ascii: "]")): return leave()
        case (.keyOrEnd, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")): return takeKey(of: buffer)
        case (.colon, UInt8(ascii: ":")):
            seen += 1
            state = isOnPath ? .value : .skip
            scanner = ContainerScanner()
            return true
        case (.elementOrEnd, _):
            let holdsContainers = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
            if !isFound, holdsContainers { current.noteArray(at: levels.count - 1, path) }
            return enterElement()
        case (.value, UInt8(ascii: ",")), (.value, UInt8(ascii: ":")), (.value, UInt8(ascii: "]")), (.value, UInt8(ascii: "}")):
            return false
        case (.value, _): return try enter(byte, &buffer)
        case (.afterValue, UInt8(ascii: ",")):
            seen += 1
            if levels[levels.count - 1].isObject {
                state = .key
                return true
            }
            levels[levels.count - 1].index &+= 1
            return enterElement()
        case (.afterValue, UInt8(ascii: "}")): return levels.last?.isObject == true && leave()
        case (.afterValue, UInt8(ascii: "]")): return levels.last?.isObject == false && leave()
        default: return false
        }
    }

    private func enterElement() -> Bool {
        let (component, index) = (path.components[levels.count - 1], levels[levels.count - 1].index)
        isOnPath = component.matches(index: index)
        if component == .any { anyKey.replaceSubrange(0..., with: String(index).utf8) }
        state = isOnPath ? .value : .skip
        scanner = ContainerScanner()
        return true
    }

    private func leave() -> Bool {
        let (depth, isEmpty) = (levels.count - 1, state == .keyOrEnd || state == .elementOrEnd)
        if isEmpty, path.components[depth] == .any { hasEmpty = true }
        if !isFound {
            if !levels[depth].isObject {
                current.note(isEmpty ? MissingPath.End.emptyArray : .array, at: depth)
            } else if !current.hasKeys(at: depth) {
                current.note(MissingPath.End.emptyObject, at: depth)
            }
        }
        seen += 1
        levels.removeLast()
        state = .afterValue
        return true
    }

    /// Begins a value on the path: a container around the records, the records themselves, or a scalar where a container was expected.
    private func enter(_ byte: UInt8, _ buffer: inout FeedBuffer) throws(JSONError) -> Bool {
        let isContainer = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
        guard levels.count == path.components.count else {
            if !levels.isEmpty, path.components[levels.count - 1] == .any {
                isFound = false
                current.clear()
                unitSeen = seen
            }
            guard isContainer else {
                isScalar = levels.isEmpty
                current.note(MissingPath.End(byte), at: levels.count)
                return beginSkipping()
            }
            levels.append(Level(isObject: byte == UInt8(ascii: "{")))
            if path.components[levels.count - 1] == .any { isFound = true }
            seen += 1
            state = byte == UInt8(ascii: "{") ? .keyOrEnd : .elementOrEnd
            return true
        }
        if byte == UInt8(ascii: "[") {
            seen += 1
            state = .recordsAhead
            try show(seen, of: &buffer)
            (isFound, hasMatched) = (true, true)
            return true
        }
        // Null at the path means that the document lacks it. Below `*` or `[*]`, each value is a record, and so is null.
        if byte == UInt8(ascii: "n"), path.components.last != .any {
            current.note(MissingPath.End.null, at: levels.count)
            return beginSkipping()
        }
        state = .recordAhead
        try show(seen, of: &buffer)
        (isFound, hasMatched) = (true, true)
        let null: StaticString = "null"
        try unsafe envelope.read(UnsafeRawBufferPointer(start: null.utf8Start, count: 4), at: buffer.position)
        return true
    }

    private func beginSkipping() -> Bool {
        state = .skip
        scanner = ContainerScanner()
        return true
    }

    /// Skips a value that holds no records; returns false if more bytes are needed.
    private func skip(_ buffer: inout FeedBuffer) throws(JSONError) -> Bool {
        if !scanner.isInside {
            guard let byte = nextNonBlank(in: buffer) else {
                if buffer.isAtEnd { throw try breakOff(&buffer) }
                try showSeen(of: &buffer)
                return false
            }
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                if buffer.count - seen < FeedBuffer.diagnosedSize, !buffer.isAtEnd { return false }
                throw try fault(&buffer)
            default: break
            }
        }
        let unseen = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[seen...])
        if let length = unsafe scanner.end(in: unseen) {
            seen += length
            state = .afterValue
            return true
        }
        seen = buffer.count
        if buffer.isAtEnd {
            guard scanner.isInScalar else { throw try breakOff(&buffer) }
            state = .afterValue
            return true
        }
        // The last bytes are held back: so yajl sees a damaged word as a whole when it words the error.
        let count = seen - FeedBuffer.diagnosedSize
        if count >= max(FeedBuffer.diagnosedSize, envelope.leastPiece) { try show(count, of: &buffer) }
        return false
    }

    // MARK: Keys

    /// Reads a key; nil if its end has not come.
    private func takeKey(of buffer: borrowing FeedBuffer) -> Bool? {
        if keyLength == 0 { scanner = ContainerScanner() }
        let unseen = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[(seen + keyLength)...])
        guard let length = unsafe scanner.end(in: unseen) else {
            keyLength = buffer.count - seen
            if !buffer.isAtEnd { return nil }
            keyLength = 0
            return false
        }
        let count = keyLength + length
        let inside = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread[(seen + 1)..<(seen + count - 1)])
        unsafe isOnPath = matches(inside)
        seen += count
        keyLength = 0
        state = .colon
        return true
    }

    private func matches(_ key: UnsafeRawBufferPointer) -> Bool {
        let depth = levels.count - 1
        if !isFound { unsafe current.note(key, at: depth) }
        switch path.components[depth] {
        case .any:
            unsafe anyKey.replaceSubrange(0..., with: key)
            return true
        case .index(let number): return unsafe Self.isEqual(key, String(number))
        case .key(let name): return unsafe Self.isEqual(key, name)
        }
    }

    private static func isEqual(_ key: UnsafeRawBufferPointer, _ name: String) -> Bool {
        if unsafe key.elementsEqual(name.utf8) { return true }
        return unsafe key.contains(UInt8(ascii: "\\")) && text(of: key).utf8.elementsEqual(name.utf8)
    }

    /// A key without its escapes.
    static func text(of key: UnsafeRawBufferPointer) -> String {
        let plain = unsafe String(decoding: key, as: UTF8.self)
        guard unsafe key.contains(UInt8(ascii: "\\")) else { return plain }
        var reader = JSONReader()
        return (try? reader.read(String.self, from: "\"\(plain)\"")) ?? plain
    }

    // MARK: Showing bytes to yajl

    /// Shows yajl the bytes that have been looked at, before more bytes come. Fewer than `diagnosedSize` bytes wait for the next ones,
    /// because the first bytes of a document show its encoding.
    private func showSeen(of buffer: inout FeedBuffer) throws(JSONError) {
        if seen >= FeedBuffer.diagnosedSize { try show(seen, of: &buffer) }
    }

    /// Shows yajl the next bytes of the envelope, and takes them out of the buffer.
    private func show(_ count: Int, of buffer: inout FeedBuffer) throws(JSONError) {
        guard count > 0 else { return }
        if let start = unitSeen {
            unitSeen = start < count ? nil : start - count
            if start < count {
                unitStart = unsafe buffer.position.advancedByLines(
                    over: UnsafeRawBufferPointer(rebasing: buffer.unread[..<start]))
            }
        }
        let position = buffer.position
        let bytes = unsafe buffer.take(count)
        seen -= count
        let lookahead = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread.prefix(FeedBuffer.diagnosedSize))
        try unsafe envelope.read(bytes, at: position, before: lookahead)
    }

    /// Brings yajl to the walk's position.
    private func attach(_ buffer: borrowing FeedBuffer) throws(JSONError) {
        isDetached = false
        try envelope.goOn(after: standing, at: buffer.position)
    }

    /// The shortest text that brings a parser to the walk's position.
    private var standing: String {
        var text = ""
        for level in levels.dropLast() { text += level.isObject ? "{\"\":" : "[" }
        let isObject = levels.last?.isObject
        let before = isObject == nil ? "" : isObject == true ? "{\"\":" : "["
        switch state {
        case .closed, .value, .skip: text += before
        case .keyOrEnd: text += "{"
        case .key: text += "{\"\":null,"
        case .colon: text += "{\"\""
        case .elementOrEnd: text += "["
        case .afterValue, .recordAhead: text += before + "null"
        case .recordsAhead, .records: text += before + "["
        }
        return text
    }

    // MARK: Ends

    private func end(_ buffer: inout FeedBuffer) throws(JSONError) {
        try show(seen, of: &buffer)
        state = .closed
        try envelope.finish(at: buffer.position)
        if hasEmpty { hasMatched = true }
    }

    /// Ends an element under a `*` that lacks the rest of the path: yajl checks it first. Returns false if more bytes are needed.
    private func endElement(_ buffer: inout FeedBuffer) throws(JSONError) -> Bool {
        let isScalar = seen > 0 && !"}]\"".utf8.contains(buffer[seen - 1])
        // Wait for enough bytes, so that the error for a damaged word is the same however the bytes are cut into pieces.
        if isScalar, buffer.count - seen < FeedBuffer.diagnosedSize, !buffer.isAtEnd { return false }
        // A number at the end of the text is probably cut off.
        let isLast = unsafe buffer.isAtEnd && buffer.unread[seen...].allSatisfy(JSONWhiteSpace.contains)
        if isScalar, isLast { throw try breakOff(&buffer) }
        try show(seen, of: &buffer)
        if hasEmpty { hasMatched = true }
        // yajl takes a number or word for ended when something follows it, which the walk has not read yet.
        let blank: StaticString = " "
        let lookahead = unsafe UnsafeRawBufferPointer(rebasing: buffer.unread.prefix(FeedBuffer.diagnosedSize))
        if isScalar {
            try unsafe envelope.read(
                UnsafeRawBufferPointer(start: blank.utf8Start, count: 1), at: buffer.position, before: lookahead)
        }
        isFound = true
        return true
    }

    /// The error of a document that the end of the text cuts off.
    private func breakOff(_ buffer: inout FeedBuffer) throws(JSONError) -> JSONError {
        let position = buffer.position
        try show(buffer.count, of: &buffer)
        try envelope.finish(at: buffer.position)
        return damaged(position)
    }

    /// The error of a document in which the next byte that is not white space is not allowed.
    private func fault(_ buffer: inout FeedBuffer) throws(JSONError) -> JSONError {
        let position = buffer.position
        let first = buffer[seen]
        let isCut = buffer.count - seen >= FeedBuffer.diagnosedSize
        let count = isCut ? seen + FeedBuffer.diagnosedSize : buffer.count
        seen = count
        try show(count, of: &buffer)
        if isCut {
            // The token is longer than that, and yajl reports nothing before the token ends. So this ends the token, which is not
            // allowed here in any case.
            let end: StaticString = first == .quote ? "\"\"" : " "
            try unsafe envelope.read(
                UnsafeRawBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount), at: buffer.position)
        } else if buffer.isAtEnd {
            try envelope.finish(at: buffer.position)
        }
        return damaged(position)
    }

    /// The error if yajl accepts a document that the walk refuses. That would be a bug in the walk.
    private func damaged(_ position: SourcePosition) -> JSONError {
        envelope.isDamaged = true
        return JSONError(.syntax, position: position, found: "a document that cannot be followed along '\(path)'")
    }
}
