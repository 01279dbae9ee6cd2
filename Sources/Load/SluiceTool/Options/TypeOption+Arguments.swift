// The option --type takes its column and type as one word or as two.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest

extension TypeOption {
    /// Rewrites the arguments `--type COLUMN TYPE` as `--type COLUMN:TYPE`.
    static func joined(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            if argument == "--" { return result + arguments[index...] }
            if argument == "--type", index + 2 < arguments.count, isPair(arguments[index + 1], arguments[index + 2]) {
                result += ["--type", arguments[index + 1] + ":" + arguments[index + 2]]
                index += 3
            } else {
                result.append(argument)
                index += 1
            }
        }
        return result
    }

    /// Whether two words are a column and its type. If the first word has no colon, it has no type, so the next word must be the
    /// type.
    private static func isPair(_ column: String, _ type: String) -> Bool {
        if (try? DeclaredType(named: type)) != nil { return true }
        return !column.contains(":") && !type.hasPrefix("-")
    }
}
#endif
