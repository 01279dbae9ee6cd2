// What should follow text that ends too early.

/// What is missing where the input ends.
struct Truncation {
    let expected: String
    var hint = ""
    /// Where the innermost open container began; the error puts it at the end of the hint.
    var opening: SourcePosition?
    /// Whether the input ends inside a key: the member before it is complete.
    var isInKey = false
}

extension SyntaxDiagnosis {
    /// Whether the text ends inside a key that follows a member.
    var isInKey: Bool { event == .value && container == .object && byte(separated.start) == .quote }

    /// The index of the first byte after the blanks and the one comma or colon that lie between tokens, and whether there was one.
    private var separated: (start: Int, hasSeparator: Bool) {
        let start =
            unsafe text.firstIndex { !JSONWhiteSpace.contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ":") }
            ?? text.count
        return (start, unsafe hasSeparator || text[..<start].contains { !JSONWhiteSpace.contains($0) })
    }

    /// What should follow the text, after which the input ends.
    ///
    /// - Parameter isQuoting: Whether the words may show a value that is cut off.
    func missing(isQuoting: Bool = true) -> String {
        let (start, hasSeparator) = separated
        switch byte(start) {
        case UInt8(ascii: "\""): return "the rest of the string"
        case .some where !isQuoting: return "the rest of the value"
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
