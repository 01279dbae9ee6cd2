// What should follow text that ends too early.

/// What is missing where the input ends.
struct Truncation {
    let expected: String
    var hint = ""
    /// Where the innermost open container began; the error puts it at the end of the hint.
    var opening: SourcePosition?
}

extension SyntaxDiagnosis {
    /// What should follow the text, behind which the input ends.
    ///
    /// - Parameter isQuoting: Whether the words may show a value that is cut off.
    func missing(isQuoting: Bool = true) -> String {
        // Blanks, and one comma or colon, lie between tokens.
        let start =
            unsafe text.firstIndex { !JSONWhiteSpace.contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ":") }
            ?? text.count
        let hasSeparator = unsafe hasSeparator || text[..<start].contains { !JSONWhiteSpace.contains($0) }
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
