// The first paragraph of the comment before a declaration, which schemas have as a description.
#if Macros

import SwiftSyntax

extension SyntaxProtocol {
    /// The first paragraph of the documentation comment before the node, on one line; nil without one.
    var summary: String? {
        var lines: [Substring] = []
        var isApart = false
        // The comment that belongs to the node is the last one; an earlier one stands apart by an empty line.
        for piece in leadingTrivia {
            switch piece {
            case .newlines(let count), .carriageReturns(let count), .carriageReturnLineFeeds(let count):
                isApart = count > 1
            case .docLineComment(let text):
                if isApart { lines = [] }
                isApart = false
                lines.append(text.dropFirst(3))
            case .docBlockComment(let text):
                isApart = false
                lines = text.dropFirst(3).dropLast(2).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                    let line = $0.drop(while: \.isWhitespace)
                    return line.first == "*" ? line.dropFirst() : line
                }
            default: break
            }
        }
        guard !lines.isEmpty else { return nil }
        let plain = lines.map(\.trimmed).drop(while: \.isEmpty)
        let paragraph = plain.prefix { !$0.isEmpty && !$0.hasPrefix("```") && !$0.hasPrefix("- ") }
        return paragraph.isEmpty ? nil : paragraph.joined(separator: " ")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

#endif
