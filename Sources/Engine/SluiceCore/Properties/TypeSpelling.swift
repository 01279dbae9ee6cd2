// How a type is written in Swift, for errors: `[String: Int?]` instead of `Dictionary<String, Optional<Int>>`.

/// The names of types as users write them.
enum TypeSpelling {
    /// A type's name without its module, with brackets for arrays and dictionaries and `?` for optionals.
    static func of(_ type: Any.Type) -> String {
        let name = Array(String(describing: type).utf8)
        var index = 0
        return spelling(name[...], &index)
    }

    /// Spells the name that begins at an index, and moves the index to the comma or bracket after it.
    private static func spelling(_ text: ArraySlice<UInt8>, _ index: inout Int) -> String {
        let start = index
        // A tuple or a function has commas inside its parentheses: such a name is kept unchanged.
        var parentheses = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"): parentheses -= 1
            case UInt8(ascii: "<"), UInt8(ascii: ","), UInt8(ascii: ">"):
                guard parentheses == 0 else { break }
                let name = String(decoding: text[start..<index], as: UTF8.self)
                guard text[index] == UInt8(ascii: "<") else { return name }
                return spelling(of: name, arguments(text, &index))
            default: break
            }
            index += 1
        }
        return String(decoding: text[start...], as: UTF8.self)
    }

    /// Spells the names between `<` and `>`, and moves the index after the `>`.
    private static func arguments(_ text: ArraySlice<UInt8>, _ index: inout Int) -> [String] {
        var result: [String] = []
        while index < text.count, text[index] != UInt8(ascii: ">") {
            index += 1
            if index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
            result.append(spelling(text, &index))
        }
        index += 1
        return result
    }

    private static func spelling(of name: String, _ arguments: [String]) -> String {
        switch (name, arguments.count) {
        case ("Array", 1): "[\(arguments[0])]"
        case ("Dictionary", 2): "[\(arguments[0]): \(arguments[1])]"
        case ("Optional", 1): "\(arguments[0])?"
        default: "\(name)<\(arguments.joined(separator: ", "))>"
        }
    }
}
