// Regular expressions as JSON Schema has them. A pattern is parsed into a program, code points that it treats alike become symbols, and the
// automaton is built while texts are matched. No step goes back in the text.

/// A compiled regular expression: the regular part of ECMA-262 with the `u` flag, over UTF-8.
///
/// A pattern matches anywhere in a text, unless it has `^` or `$`. Matching takes time in proportion to the text, and whatever the text,
/// never more than one step for each of the pattern's states and each code point. A pattern may be used by several threads at once.
///
/// ```swift
/// let pattern = try TextPattern(#"^[A-Z]{2}\d+$"#)
/// pattern.matches("AB12")     // true
/// ```
///
/// - Not supported: look-ahead, look-behind and back-references; scripts that ``ScriptRanges`` does not list,
///   Script_Extensions, and the few properties that Swift does not know.
/// - A pattern has at most 10,000 states, its groups are nested at most 500 deep, and its classes have at most 200,000 ranges.
package struct TextPattern: Sendable {
    /// Why a pattern was not compiled.
    package struct Failure: Error, Sendable, Hashable {
        /// How many bytes of the pattern come before the position, in UTF-8.
        package let offset: Int
        /// What is wrong, such as `a '(' is never closed`.
        package let reason: String
        /// Whether the pattern is valid in ECMA-262, but not supported or larger than the limits.
        package let isRefusal: Bool
    }

    package let source: String
    private let matcher: PatternMatcher

    package init(_ source: String) throws(Failure) {
        var parser = PatternParser(source)
        try parser.parse()
        if let refusal = parser.refusal { throw refusal }
        guard let alphabet = PatternAlphabet(of: parser.program) else {
            throw Failure(offset: 0, reason: "its classes differ in too many characters", isRefusal: true)
        }
        self.source = source
        matcher = PatternMatcher(parser.program, alphabet)
    }

    /// Whether a text is a regular expression of ECMA-262 with the `u` flag, whatever is supported of it here.
    static func isValid(_ source: String) -> Bool {
        var parser = PatternParser(source)
        return (try? parser.parse()) != nil
    }

    /// Whether the pattern matches a part of the text. Bytes that are not UTF-8 count as U+FFFD, as in Swift's strings.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool { unsafe matcher.matches(text) }

    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { unsafe matches($0) }
    }
}

extension TextPattern: Hashable {
    /// Patterns are equal when their sources are, byte by byte.
    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.source.utf8.elementsEqual(right.source.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in source.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
