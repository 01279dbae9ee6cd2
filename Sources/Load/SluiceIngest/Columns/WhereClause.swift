// Turns a condition on the command line into a predicate over columns. A declared column has its own type; any other takes the
// type of the value that it is compared with.
//
//     condition   = all { "or" all }
//     all         = single { "and" single }
//     single      = "not" single | "(" condition ")" | "exists" path | path sign value | path [ "not" ] "in" "(" value { "," value } ")"

package import SluiceCore

/// Which records are wanted: `--where EXPR`.
package struct WhereClause: Sendable {
    /// The condition as it was written.
    package let text: String
    package let predicate: RecordPredicate
    /// What the filters of this condition have found.
    package let sightings: PathSightings

    /// - Parameter columns: The declared columns, which the condition can refer to by name.
    package init(_ text: String, columns: [JSONColumn] = []) throws(WhereError) {
        var parser = try WhereParser(text, columns)
        self.text = text
        predicate = try parser.condition()
        try parser.requireEnd()
        sightings = PathSightings(comparedBy: predicate)
    }

    /// Makes a filter. Several threads must not use it at once.
    package func makeFilter() -> PathWatch { sightings.makeWatch() }
}

private struct WhereParser {
    private typealias Value = (literal: RecordPredicate.Literal, offset: Int)
    private typealias Path = (name: String, keys: JSONKeyPath)

    private let text: String
    private let columns: [JSONColumn]
    private let tokens: [WhereToken]
    private var index = 0
    private var depth = 0
    private static let maximumDepth = 100
    private var count = 0
    private static let maximumCount = 1_000

    init(_ text: String, _ columns: [JSONColumn]) throws(WhereError) {
        self.text = text
        self.columns = columns
        tokens = try WhereToken.tokens(of: text)
    }

    private var token: WhereToken { tokens[index] }

    private func failure(_ expected: String, hint: String = "") -> WhereError {
        WhereError(text: text, offset: token.offset, expected: expected, found: token.words, hint: hint)
    }

    /// Skips a word if it is the next token, and returns whether it was.
    private mutating func takes(word: String) -> Bool {
        guard case .name(let name) = token.kind, name.lowercased() == word else { return false }
        index += 1
        return true
    }

    private mutating func takes(sign: String) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        index += 1
        return true
    }

    private mutating func require(sign: String) throws(WhereError) {
        guard takes(sign: sign) else { throw failure("'\(sign)'") }
    }

    func requireEnd() throws(WhereError) {
        guard token.kind == .end else { throw failure("'and', 'or' or the end") }
    }

    // MARK: Conditions

    mutating func condition() throws(WhereError) -> RecordPredicate {
        var result = try all()
        while takes(word: "or") { result = result || (try all()) }
        return result
    }

    private mutating func all() throws(WhereError) -> RecordPredicate {
        var result = try single()
        while takes(word: "and") { result = result && (try single()) }
        return result
    }

    private mutating func single() throws(WhereError) -> RecordPredicate {
        depth += 1
        defer { depth -= 1 }
        guard depth <= WhereParser.maximumDepth else {
            throw failure("at most \(WhereParser.maximumDepth) conditions inside each other")
        }
        if takes(word: "not") { return !(try single()) }
        if takes(sign: "(") {
            let inner = try condition()
            try require(sign: ")")
            return inner
        }
        count += 1
        guard count <= WhereParser.maximumCount else {
            throw failure(
                "at most \(WhereParser.maximumCount.grouped) conditions", hint: "'PATH in (…)' takes any number of values")
        }
        if takes(word: "exists") { return RecordPredicate(isPresent: column(try existingPath(), for: .text(""))) }
        return try comparison()
    }

    /// The path after `exists`, with or without parentheses.
    private mutating func existingPath() throws(WhereError) -> Path {
        let isInParentheses = takes(sign: "(")
        let path = try path()
        if isInParentheses { try require(sign: ")") }
        return path
    }

    private mutating func comparison() throws(WhereError) -> RecordPredicate {
        let path = try path()
        let isNegated = takes(word: "not")
        if takes(word: "in") {
            let predicate = try isOne(path)
            return isNegated ? !predicate : predicate
        }
        if isNegated { throw failure("'in' after 'not'") }
        let comparison = try comparisonSign()
        let value = try value()
        let column = column(path, for: value.literal)
        return try checked(value) { () throws(JSONError) in try RecordPredicate(column, comparison, value.literal) }
    }

    private mutating func comparisonSign() throws(WhereError) -> RecordPredicate.Operator {
        let other: [String: RecordPredicate.Operator] = ["==": .equal, "<>": .notEqual]
        guard case .sign(let sign) = token.kind, let found = RecordPredicate.Operator(rawValue: sign) ?? other[sign] else {
            throw failure("=, !=, <, <=, >, >= or in")
        }
        index += 1
        return found
    }

    private mutating func isOne(_ path: Path) throws(WhereError) -> RecordPredicate {
        try require(sign: "(")
        var values: [Value] = []
        repeat { values.append(try value()) } while takes(sign: ",")
        guard takes(sign: ")") else { throw failure("',' or ')'") }
        // Each value is compared in its own type, as after a comparison operator: the values of one type make one condition.
        var groups: [(column: JSONColumn, values: [Value])] = []
        for value in values {
            let column = column(path, for: value.literal)
            _ = try checked(value) { () throws(JSONError) in try RecordPredicate(column, isOneOf: [value.literal]) }
            if let known = groups.firstIndex(where: { $0.column == column }) {
                groups[known].values.append(value)
            } else {
                groups.append((column, [value]))
            }
        }
        var result: RecordPredicate?
        for group in groups {
            let single = try checked(group.values[0]) { () throws(JSONError) in
                try RecordPredicate(group.column, isOneOf: group.values.map(\.literal))
            }
            result = result.map { $0 || single } ?? single
        }
        guard let result else { throw failure("a value") }
        return result
    }

    /// Turns the predicate's error about a value that does not fit a declared column into an error with the value's position.
    private func checked(
        _ value: Value, _ make: () throws(JSONError) -> RecordPredicate
    ) throws(WhereError) -> RecordPredicate {
        do throws(JSONError) {
            return try make()
        } catch {
            throw WhereError(text: text, offset: value.offset, expected: error.expected, found: error.found)
        }
    }

    // MARK: Paths and values

    private static let words: Set<String> = ["and", "or", "not", "in", "exists", "true", "false", "null"]

    private mutating func path() throws(WhereError) -> Path {
        guard case .name(let text) = token.kind, !WhereParser.words.contains(text.lowercased()) else {
            throw failure("a path such as actor.login")
        }
        let name = PathSyntax.unquoted(text) ?? text
        if isDeclared(name) {
            index += 1
            return (name, .literal(name))
        }
        do throws(PathFault) {
            let keys = try PathSyntax.keys(of: text)
            index += 1
            return (name, JSONKeyPath(components: keys))
        } catch {
            throw WhereError(
                text: self.text, offset: token.offset + error.offset, expected: error.expected, found: error.found,
                hint: PathFault.hint)
        }
    }

    private func isDeclared(_ name: String) -> Bool { columns.contains { $0.name.utf8.elementsEqual(name.utf8) } }

    private mutating func value() throws(WhereError) -> Value {
        let offset = token.offset
        let literal: RecordPredicate.Literal
        switch token.kind {
        case .text(let text): literal = .text(text)
        case .number(let digits):
            if let integer = Int64(digits) {
                literal = .integer(integer)
            } else if let real = Double(digits), real.isFinite {
                // A number that JSON does not write so, such as 012.5, becomes the nearest double.
                literal =
                    JSONNumber(lexeme: digits.hasPrefix("+") ? String(digits.dropFirst()) : digits).map { .number($0) }
                    ?? .real(real)
            } else {
                throw failure("a number")
            }
        case .name(let name) where ["true", "false"].contains(name.lowercased()): literal = .boolean(name.lowercased() == "true")
        case .name(let name) where name.lowercased() == "null":
            throw failure("a number, a text in single quotes, true or false", hint: "'not exists PATH' finds what is null")
        case .name:
            throw failure("a number, a text in single quotes, true or false", hint: "texts stand in single quotes")
        case .sign, .end: throw failure("a number, a text in single quotes, true or false")
        }
        index += 1
        return (literal, offset)
    }

    /// The declared column of that name, or a new column for the path whose type is that of the value.
    private func column(_ path: Path, for literal: RecordPredicate.Literal) -> JSONColumn {
        if let declared = columns.first(where: { $0.name.utf8.elementsEqual(path.name.utf8) }) { return declared }
        let type: ColumnType =
            switch literal {
            case .integer: .integer
            case .real, .number: .real
            case .text: .text
            case .boolean: .bool
            }
        return JSONColumn(name: path.name, type: type, keys: [path.keys], isTolerant: true)
    }
}
