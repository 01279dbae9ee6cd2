// One disagreement of a value with its schema, with both places.

public import SluiceCore

/// A keyword of a schema that refuses a value, or a part of it.
///
/// ```swift
/// print(breach)     // minimum at /age (line 1, column 9, byte 8): expected at least 0, found -1; see #/properties/age/minimum
/// ```
public struct JSONSchemaBreach: Sendable, Hashable {
    /// The keyword, such as `minimum`. Where the schema `false` refuses a value, the keyword that has applied it; empty if it is the whole schema.
    public let keyword: String
    /// The place of the keyword in the schema: a JSON Pointer after `#`, such as `#/properties/age/minimum`; in another document than the
    /// first, after its URI.
    public let schemaPath: String
    /// The JSON Pointer of the value that is refused, such as `/age`; empty for the whole value.
    public let path: String
    /// Where the value is: the byte offset from the start of the text, the line, and the column in it. For a key that must not be there, the
    /// position of the key.
    public let position: SourcePosition
    /// What would have been accepted, in words.
    public let expected: String
    /// What was found instead, in words.
    public let found: String
    /// What may help, in a few words, such as a key that was probably meant; nil where nothing does.
    public let hint: String?
    /// The line of text around the position, and a caret under it.
    public let excerpt: String?

    /// The line of the position, counted from 1.
    public var line: Int { position.line }
    /// The column of the position in its line, counted in bytes from 1.
    public var column: Int { position.column }
    /// The byte offset of the position from the start of the text.
    public var offset: Int { position.offset }

    /// The breach on one line.
    public var summary: String {
        let name = keyword.isEmpty ? "false" : keyword
        let place = path.isEmpty ? "" : " at \(path)"
        var text = "\(name)\(place) (line \(line), column \(column), byte \(offset)): expected \(expected), found \(found)"
        if let hint { text += "; \(hint)" }
        return (text + "; see \(schemaPath)").printable
    }
}

extension JSONSchemaBreach: CustomStringConvertible {
    /// The summary, followed by the line of text with a caret under the position.
    public var description: String { summary + (excerpt.map { "\n" + $0 } ?? "") }
}
