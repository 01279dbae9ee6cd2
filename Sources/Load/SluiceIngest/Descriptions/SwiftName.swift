// Turns JSON keys into Swift names.

internal import SluiceCore

/// Makes Swift names.
enum SwiftName {
    /// The name of a property: `created_at` becomes `createdAt`, `ID` becomes `id`, `2x` becomes `_2x`.
    static func property(for key: String, taken: inout Set<String>) -> String {
        let words = words(of: key)
        var base = (words.first.map(lowercasedStart) ?? "value") + words.dropFirst().map(uppercasedStart).joined()
        // `_id` keeps its underscore.
        if key.hasPrefix("_"), !words.isEmpty { base = "_" + base }
        if base.unicodeScalars.first?.properties.isXIDStart == false, !base.hasPrefix("_") { base = "_" + base }
        // Names that a property of a model cannot have.
        if ["init", "self", "Type", "Protocol", "Self"].contains(base) { base += "Value" }
        return free(base, &taken)
    }

    /// The name of a type: `created_by` becomes `CreatedBy`. Names of types in the standard library and in Sluice are avoided.
    static func type(for key: String, taken: Set<String>) -> String {
        var base = words(of: key).map(uppercasedStart).joined()
        if base.isEmpty { base = "Record" }
        if base.unicodeScalars.first?.properties.isXIDStart == false { base = "_" + base }
        if reservedTypes.contains(base) { base += "Object" }
        var taken = taken
        return free(base, &taken)
    }

    /// The name of one element of a collection: `statuses` → `status`, `entries` → `entry`, `items` → `item`.
    static func singular(of key: String) -> String {
        let lower = key.lowercased()
        if lower.hasSuffix("ies"), key.count > 4 { return key.dropLast(3) + "y" }
        // `statuses` and `addresses` lose `es`; `houses` and `responses` lose only `s`.
        let isLengthened =
            ["sses", "xes", "ches", "shes"].contains(where: lower.hasSuffix)
            || lower.hasSuffix("uses") && !lower.hasSuffix("ouses") && !lower.hasSuffix("auses")
        if isLengthened, key.count > 4 { return String(key.dropLast(2)) }
        if lower.hasSuffix("s"), !["ss", "us", "is"].contains(where: lower.hasSuffix), key.count > 2 {
            return String(key.dropLast())
        }
        return key
    }

    /// The name as source text: keywords are put in backticks.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The text as a Swift string literal.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isCommand || scalar.properties.generalCategory == .format:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The words of a key: runs of letters, digits and marks. Everything else separates them.
    private static func words(of key: String) -> [String] {
        key.unicodeScalars.split { $0 == "_" || !$0.properties.isXIDContinue || $0.properties.isDefaultIgnorableCodePoint }
            .map { String(String.UnicodeScalarView($0)) }
    }

    /// `ID` → `id`, `HTMLText` → `htmlText`, `Name` → `name`.
    private static func lowercasedStart(_ word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count <= 1 || capitals.count == word.count { return capitals.lowercased() + word.dropFirst(capitals.count) }
        let rest = word.dropFirst(capitals.count)
        // The last capital begins the next word, unless a digit follows it.
        guard rest.first?.isLowercase == true else { return capitals.lowercased() + rest }
        return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
    }

    private static func uppercasedStart(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// The name, or the name with a number if it is taken. The result is then marked as taken.
    private static func free(_ base: String, _ taken: inout Set<String>) -> String {
        ColumnName.free(like: base, separator: "") { !taken.insert($0).inserted }
    }

    private static let reservedTypes: Set<String> = [
        "Any", "AnyObject", "Array", "Bool", "Character", "Codable", "Collection", "Data", "Date", "Decimal", "Decodable",
        "Dictionary", "Double", "Encodable", "Equatable", "Error", "Float", "Foundation", "Hashable", "Identifiable", "Int",
        "JSONDraft", "JSONKey", "JSONModel", "JSONValue", "Never", "Optional", "Protocol", "Result", "Self", "Sendable",
        "Sequence",
        "Set", "Sluice", "SluiceCore", "SluiceFeed", "String", "Swift", "Task", "Type", "URL", "UUID", "Void",
    ]

    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal",
        "is",
        "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "static",
        "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
