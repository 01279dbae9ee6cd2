// Decides what errors show of a document that may hold sensitive values. Of its text they show only the wrong value. They hide that
// value, too, if it is sensitive, or if no property binds it.

extension Binder {
    /// Whether the document may hold a sensitive value.
    var mayHoldSensitive: Bool {
        // The root's frame keeps the binding with which the document began.
        policy.isWithinSensitive
            || SensitiveTypes.hold(unsafe document.stackCount == 0 ? document.frame.binding : frames.stack[0].binding)
    }

    /// Whether the current value belongs to a sensitive property, or lies in one.
    var isSensitive: Bool {
        policy.isWithinSensitive || isSensitive(document.frame.row) || Binder.isSensitive(frames, below: document.stackCount)
            || (document.resumedRow.map { isSensitive($0) } ?? false)
    }

    /// Whether errors must not show the current value. Some values may have been meant for a sensitive property, and are hidden,
    /// too: those that no property binds, those in place of a model with such a property, and text that is skipped.
    var isHidden: Bool {
        if isSensitive { return true }
        guard mayHoldSensitive else { return false }
        if document.skipDepth > 0 || document.frame.row.kind == .ignored || document.frame.row.kind == .none { return true }
        if SensitiveTypes.hold(document.frame.row) { return true }
        // Safe: `stackCount` frames lie on the stack.
        return isCollected(document.frame) || (0..<document.stackCount).contains { unsafe isCollected(frames.stack[$0]) }
    }

    /// Whether errors must not name a key of the object that is open, or of one that is skipped.
    var hidesKeys: Bool {
        // It is asked for each unknown key: a getter that is not mutating would copy the binder.
        mutating get {
            policy.isWithinSensitive || Binder.isSensitive(frames, below: document.stackCount)
                || document.skipDepth > 0 && mayHoldSensitive
        }
    }

    /// An unknown key as errors show it. In damaged text, a value may be where a key belongs. So a key is only shown if it
    /// resembles one of the object's own keys.
    mutating func shown(_ key: String) -> String {
        guard mayHoldSensitive else { return key }
        let table = document.frame.level.table
        let keys = (0..<table.count).map { table.row(at: $0).keyText }
        return hidesKeys || KeyLikeness.closest(to: key, among: keys) == nil ? JSONError.redacted : key
    }

    /// The path for a syntax error. It lacks the last key of a dictionary, because the string before the error may be a value.
    var pathOfText: String { mayHoldSensitive && document.frame.kind == .dictionary ? pathOfFrames() : path() }

    /// Whether the keys of a frame's container must not be shown: it lies in a sensitive value, or in one whose key is unknown.
    func hidesKeys(at level: Int) -> Bool {
        guard mayHoldSensitive else { return false }
        // Safe: `stackCount` frames lie on the stack, and `level` is not more.
        return policy.isWithinSensitive || Binder.isSensitive(frames, below: level)
            || (0..<level).contains { unsafe isCollected(frames.stack[$0]) }
    }

    func isSensitive(_ row: RowHandle) -> Bool { unsafe row.policy?.pointee.isSensitive == true }

    /// Whether one of the outermost `count` frames has a value that is sensitive.
    private static func isSensitive(_ frames: Frames, below count: Int) -> Bool {
        // Safe: the frames below the current one lie on the stack, and `count` is not more.
        (0..<count).contains { unsafe frames.stack[$0].row.policy?.pointee.isSensitive == true }
    }

    /// Whether the value of a frame is collected, because its key is unknown.
    func isCollected(_ frame: Frame) -> Bool { frame.kind == .model && frame.level.table.collector == frame.row }

    /// The text around a position, for an error. If the document may hold a sensitive value, only the token at that position.
    func excerpt(at address: UnsafePointer<UInt8>) -> SourceExcerpt? {
        guard mayHoldSensitive else { return unsafe document.chunk.excerpt(at: address) }
        // A bracket is not shown: it explains nothing, and the text between two brackets may be sensitive.
        guard !isHidden, unsafe document.chunk.contains(document.token.start),
            unsafe document.token.end > document.token.start && document.token.end <= document.chunk.end,
            unsafe document.token.start.pointee != UInt8(ascii: "{") && document.token.start.pointee != UInt8(ascii: "["),
            unsafe document.token.start.pointee != UInt8(ascii: "}") && document.token.start.pointee != UInt8(ascii: "]"),
            unsafe address >= document.token.start && address <= document.token.end
        else { return nil }
        let text = unsafe UnsafeRawBufferPointer(start: document.token.start, count: document.token.end - document.token.start)
        return unsafe SourceExcerpt(of: text, at: address - document.token.start)
    }

    /// The words of an error for a scalar that was found.
    func words(for scalar: JSONScalar) -> String { isHidden ? scalar.kind.words : scalar.summary }
}

extension JSONReader {
    /// Whether errors must not show any text of a document, because the whole document counts as a sensitive value.
    package var hidesText: Bool {
        get { binder.state.policy.isWithinSensitive }
        nonmutating set { binder.state.policy.isWithinSensitive = newValue }
    }
}

extension JSONReadable {
    /// Whether a value of the type may hold a sensitive one.
    package static var holdsSensitive: Bool { SensitiveTypes.hold(Self.self) }
}

extension JSONError {
    /// What errors and descriptions show instead of a sensitive value.
    package static let redacted = "<redacted>"

    /// The same error without words that may quote a sensitive value.
    package func withoutWords(path: String? = nil) -> JSONError {
        JSONError(
            kind, path: path ?? self.path, position: position, expected: expected, keys: kind == .missingKeys ? keys : [],
            keyWords: kind == .missingKeys ? keyWords : [], hidesText: true)
    }
}
