// A trigger that sees each row before it is stored. It may give the row another key than the record has, and then the row is not found
// by the key that was noted for it.

/// A trigger of a table.
package struct RowTrigger: Hashable, Sendable {
    package let name: String
    /// The text of its function in PL/pgSQL; nil if the text does not say what it does.
    private let text: String?

    package init(name: String, text: String?) { (self.name, self.text) = (name, text) }

    /// Whether the trigger may change a column of the key. Only a text that is easy to understand says no: it does not name the
    /// columns, it runs no SQL of its own making, and it uses the row only for single columns and as its result.
    package func mayChange(_ key: [String]) -> Bool {
        guard let text = text?.lowercased(), !key.contains(where: { RowTrigger.words(of: $0.lowercased()).isEmpty }) else {
            return true
        }
        let words = RowTrigger.words(of: text)
        let plain = " \(words.joined(separator: " ")) "
        for name in key {
            let column = RowTrigger.words(of: name.lowercased()).joined(separator: " ")
            if plain.contains(" \(column) ") { return true }
        }
        if words.contains("execute") { return true }
        for (index, word) in words.enumerated() {
            let next = words.dropFirst(index + 1).prefix(2)
            switch word {
            case "new" where index > 0 && words[index - 1] == "return" && next.first == ";": continue
            case "new": if next.first != "." || next.last == "*" { return true }
            case "return": if !["new", "null"].contains(next.first ?? "") || next.last != ";" { return true }
            default: continue
            }
        }
        return false
    }

    /// The names and numbers in a text, and the other characters one by one, without white space.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for character in text {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if !word.isEmpty { words.append(word) }
            word = ""
            if !character.isWhitespace { words.append(String(character)) }
        }
        return word.isEmpty ? words : words + [word]
    }
}
