// Splits the text of a condition into words, values and signs, each with its position.

internal import SluiceCore

/// A token of a condition.
package struct WhereToken {
    package enum Kind: Hashable {
        /// A path, as it is written, or a word such as `and`.
        case name(String)
        case number(String)
        case text(String)
        case sign(String)
        case end
    }

    package let kind: Kind
    /// How many characters come before it.
    package let offset: Int

    /// The token as an error names it.
    package var words: String {
        switch kind {
        case .name(let name): name.hasPrefix("\"") ? name : "'\(name)'"
        case .number(let digits): digits
        case .text(let text): "the text '\(text)'"
        case .sign(let sign): "'\(sign)'"
        case .end: "the end"
        }
    }
}

/// The error of a condition, with its position.
package struct WhereError: Error, Hashable, CustomStringConvertible {
    package let text: String
    /// How many characters come before the position.
    package let offset: Int
    package let expected: String
    package let found: String
    package var hint = ""

    package var description: String {
        "expected \(expected), found \(found) (column \(offset + 1))\(hint.isEmpty ? "" : "; \(hint)")".printable + "\n"
            + "  \(text.dotted)\n  \(String(repeating: " ", count: offset))^"
    }
}

extension WhereToken {
    private static let signs = ["!=", "<>", "<=", ">=", "==", "=", "<", ">", "(", ")", ","]

    /// The tokens of a condition; the last one is always ``Kind/end``.
    package static func tokens(of text: String) throws(WhereError) -> [WhereToken] {
        let characters = Array(text)
        var tokens: [WhereToken] = []
        var index = 0
        while index < characters.count {
            let start = index
            let first = characters[index]
            if first.isWhitespace {
                index += 1
            } else if first == "'" {
                guard let quoted = quoted(characters, &index) else {
                    throw WhereError(
                        text: text, offset: start, expected: "' at the end of what it begins", found: "the end",
                        hint: "a quote inside a text is doubled: 'it''s'")
                }
                tokens.append(WhereToken(kind: .text(quoted), offset: start))
            } else if let sign = signs.first(where: { characters[index...].starts(with: $0) }) {
                index += sign.count
                tokens.append(WhereToken(kind: .sign(sign), offset: start))
            } else {
                let word = String(characters[index..<(try wordEnd(characters, index, text))])
                guard !word.isEmpty else {
                    throw WhereError(
                        text: text, offset: start, expected: "a path, a value or a sign", found: "'\(first)'",
                        hint: "a key with other characters stands in double quotes")
                }
                index += word.count
                let isNumber = first.isNumber || (first == "-" || first == "+") && word.dropFirst().first?.isNumber == true
                tokens.append(WhereToken(kind: isNumber ? .number(word) : .name(word), offset: start))
            }
        }
        return tokens + [WhereToken(kind: .end, offset: characters.count)]
    }

    private static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_.-+[]@$#/:".contains(character)
    }

    /// The index after a word or path; any character may stand in a key in double quotes.
    private static func wordEnd(_ characters: [Character], _ start: Int, _ text: String) throws(WhereError) -> Int {
        var index = start
        while index < characters.count {
            if characters[index] == "\"" {
                index += 1
                while index < characters.count, characters[index] != "\"" { index += characters[index] == "\\" ? 2 : 1 }
                guard index < characters.count else {
                    throw WhereError(
                        text: text, offset: characters.count, expected: "'\"' at the end of the key", found: "the end")
                }
            } else if !isPartOfWord(characters[index]), characters[index] != "*", index == start || characters[index] != "~" {
                break
            }
            index += 1
        }
        return index
    }

    /// The text in single quotes (a doubled quote inside stands for one); nil if the closing quote is missing.
    private static func quoted(_ characters: [Character], _ index: inout Int) -> String? {
        let quote = characters[index]
        var result = ""
        index += 1
        while index < characters.count {
            if characters[index] == quote {
                index += 1
                guard index < characters.count, characters[index] == quote else { return result }
            }
            result.append(characters[index])
            index += 1
        }
        return nil
    }
}
