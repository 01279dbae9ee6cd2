// Converts keys between `snake_case` and `camelCase`, by the rules in Foundation's documentation of its key strategies.

internal import Foundation

/// Converts keys of one form into the other.
enum SnakeCase {
    /// `one_two_three` becomes `oneTwoThree`; underscores at either end stay.
    static func camelCase(_ key: String) -> String {
        let isUnderscore: (Character) -> Bool = { $0 == "_" }
        guard let first = key.firstIndex(where: { !isUnderscore($0) }), let last = key.lastIndex(where: { !isUnderscore($0) })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let joined = words[0].lowercased() + words.dropFirst().map { String($0).capitalized }.joined()
        return key[..<first] + joined + key[key.index(after: last)...]
    }

    /// `oneTwoThree` becomes `one_two_three`, and `myURLProperty` becomes `my_url_property`. A new word begins at a capital letter that is
    /// not the first character. In a row of capitals, the last one begins another word if a small letter follows it.
    static func snakeCase(_ key: String) -> String {
        let letters = Array(key)
        guard letters.count > 1 else { return key.lowercased() }
        var words: [String] = []
        var wordStart = 0
        var search = 1
        while let capital = letters[search...].firstIndex(where: isCapital) {
            words.append(String(letters[wordStart..<capital]))
            guard let small = letters[capital...].firstIndex(where: isSmall) else {
                wordStart = capital
                search = letters.count
                break
            }
            if small == capital + 1 {
                wordStart = capital
            } else {
                words.append(String(letters[capital..<(small - 1)]))
                wordStart = small - 1
            }
            search = small + 1
        }
        words.append(String(letters[wordStart...]))
        return words.map { $0.lowercased() }.joined(separator: "_")
    }

    private static func isCapital(_ letter: Character) -> Bool {
        letter.unicodeScalars.contains { [.uppercaseLetter, .titlecaseLetter].contains($0.properties.generalCategory) }
    }

    private static func isSmall(_ letter: Character) -> Bool {
        letter.unicodeScalars.contains { $0.properties.generalCategory == .lowercaseLetter }
    }
}
