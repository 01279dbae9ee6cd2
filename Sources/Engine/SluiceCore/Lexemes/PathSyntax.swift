// The one grammar of paths: text goes in, and the steps from value to value come out, and back. The macro's target has this file too, by
// a symbolic link, because a macro cannot import this module: so it imports nothing.
//
//     path   = "$" | [ "$." ] first { next }       or a JSON Pointer (RFC 6901), if it begins with "/"
//     first  = step | index | "$" index
//     next   = "." step | index
//     index  = "[" number "]" | "[*]"
//     step   = name | quoted | "*"                 digits name an element where the value is an array, and a key where it is an object
//     name   = any characters but . [ ] " *
//     quoted = a JSON string
//
// A path has at most 512 keys: no value that can be read lies deeper.

/// What a path requires at one level.
package enum PathStep: Sendable, Hashable {
    /// A key; in an array, the element with this number.
    case key(String)
    /// The element with this number, counted from 0; in an object, the member with this key.
    case index(Int)
    /// Each element or member.
    case any
}

/// Why a text is not a path.
package struct PathFault: Error, Hashable {
    /// How many characters come before the position.
    package let offset: Int
    package let expected: String
    package let found: String

    package init(offset: Int, expected: String, found: String) {
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    /// The position as people count it, from 1.
    package var column: Int { offset + 1 }

    /// What helps nearly always.
    package static let hint = #"a key with other characters stands in double quotes, such as "a.b".c"#
}

/// Reads and writes paths.
package enum PathSyntax {
    /// The steps of a path; none if the path leads to the whole.
    package static func steps(of text: String) throws(PathFault) -> [PathStep] {
        var parser = PathParser(text)
        return try parser.path()
    }

    /// The keys of a path to one value. The number of an element is a key of digits.
    package static func keys(of text: String) throws(PathFault) -> [String] {
        var keys: [String] = []
        for step in try steps(of: text) {
            switch step {
            case .key(let key): keys.append(key)
            case .index(let number): keys.append(String(number))
            case .any: throw PathFault(offset: 0, expected: "a path to one value", found: "'*', which stands for many")
            }
        }
        guard !keys.isEmpty else { throw PathFault(offset: 0, expected: "a key", found: "'$', which is the whole") }
        return keys
    }

    /// The text of a path with these steps. A key that is not made of letters, digits and a few signs is quoted.
    package static func text(of steps: [PathStep]) -> String {
        var text = ""
        for step in steps {
            switch step {
            case .key(let key): append(key, to: &text)
            case .index(let number): text += "[\(number)]"
            case .any: text += text.isEmpty ? "*" : "[*]"
            }
        }
        return text.isEmpty ? "$" : text
    }

    /// Adds a key to the text of a path.
    package static func append(_ key: String, to text: inout String) {
        let isFirst = text.isEmpty
        if !isFirst { text += "." }
        text += isPlain(key, isFirst: isFirst) ? key : quoted(key)
    }

    package static func text(ofKeys keys: some Sequence<String>) -> String { text(of: keys.map { .key($0) }) }

    /// A name for each of these paths: the keys, joined by dots; or the path's text, if another path has the same keys in other positions.
    package static func names(of paths: [[String]]) -> [String] {
        var counts: [[UInt8]: Int] = [:]
        for path in paths { counts[Array(path.joined(separator: ".").utf8), default: 0] += 1 }
        return paths.map { path in
            let name = path.joined(separator: ".")
            // A quote might make the name equal to the text of another path.
            let isUnique = counts[Array(name.utf8)] == 1 && !name.utf8.contains(UInt8(ascii: "\""))
            return isUnique ? name : text(ofKeys: path)
        }
    }

    // MARK: Longer texts

    /// The parts of a text between signs, each with the count of characters before it. A sign inside a quoted key does not separate.
    package static func parts(of text: String, between sign: Unicode.Scalar) -> [(text: String, offset: Int)] {
        var parts: [(text: String, offset: Int)] = []
        var start = text.startIndex
        for position in positions(of: sign, in: text) {
            parts.append((String(text[start..<position]), text.distance(from: text.startIndex, to: start)))
            start = text.unicodeScalars.index(after: position)
        }
        parts.append((String(text[start...]), text.distance(from: text.startIndex, to: start)))
        return parts
    }

    /// The positions of a sign outside of quoted keys. A quote inside a name begins no quoted key.
    package static func positions(of sign: Unicode.Scalar, in text: String) -> [String.Index] {
        var positions: [String.Index] = []
        var isInQuotes = false
        var isEscaped = false
        var mayQuote = true
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if isInQuotes {
                if scalar == "\"", !isEscaped { isInQuotes = false }
                isEscaped = scalar == "\\" && !isEscaped
                continue
            }
            if scalar == sign { positions.append(index) }
            isInQuotes = scalar == "\"" && mayQuote
            mayQuote = scalar == sign || ".=,: ".unicodeScalars.contains(scalar)
        }
        return positions
    }

    // MARK: Keys

    private static func isPlain(_ key: String, isFirst: Bool) -> Bool {
        let scalars = key.unicodeScalars
        guard let first = scalars.first, !isFirst || first != "/" && key != "$" else { return false }
        return scalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-+@$#/".unicodeScalars.contains($0)
        }
    }

    /// A key as a JSON string, without characters that command a terminal.
    package static func quoted(_ key: String) -> String {
        var text = "\""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                text += "\\"
                text.unicodeScalars.append(scalar)
            case "\n": text += "\\u000a"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text.printableJSON + "\""
    }

    /// The key of a text that is one quoted key and nothing else; nil for other texts.
    package static func unquoted(_ text: String) -> String? {
        guard text.unicodeScalars.first == "\"", let steps = try? steps(of: text), steps.count == 1, case .key(let key) = steps[0]
        else { return nil }
        return key
    }
}

/// Reads one path, by Unicode scalars: a combining mark at the beginning of a key would form one character with the dot or quote
/// before it.
private struct PathParser {
    private let scalars: [Unicode.Scalar]
    private var index = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    private func fault(_ expected: String, at position: Int? = nil) -> PathFault {
        let position = position ?? index
        let before = String(String.UnicodeScalarView(scalars[..<position]))
        return PathFault(
            offset: before.count, expected: expected, found: position < scalars.count ? "'\(scalars[position])'" : "the end")
    }

    mutating func path() throws(PathFault) -> [PathStep] {
        let steps = try next == "/" ? pointer() : dotted()
        guard steps.count <= PathParser.maximumKeys else {
            throw PathFault(offset: 0, expected: "at most \(PathParser.maximumKeys) keys", found: "\(steps.count)")
        }
        return steps
    }

    /// Tables of columns are made level by level, and so many levels still fit on a thread's stack.
    private static let maximumKeys = 512

    private mutating func dotted() throws(PathFault) -> [PathStep] {
        var steps: [PathStep] = []
        let second = index + 1 < scalars.count ? scalars[index + 1] : nil
        if next == "$", second == nil || second == "." || second == "[" {
            index += 1
            if next == nil { return [] }
        } else if next == "[" {
            steps.append(try bracket())
        } else {
            steps.append(try step())
        }
        while next != nil {
            if takes(".") {
                steps.append(try step())
            } else if next == "[" {
                steps.append(try bracket())
            } else {
                throw fault("'.', '[' or the end")
            }
        }
        return steps
    }

    private mutating func step() throws(PathFault) -> PathStep {
        if takes("*") { return .any }
        if takes("\"") { return .key(try string()) }
        let start = index
        while let scalar = next, !".[]\"*".unicodeScalars.contains(scalar) { index += 1 }
        guard index > start else { throw fault("a key") }
        return .key(String(String.UnicodeScalarView(scalars[start..<index])))
    }

    private mutating func bracket() throws(PathFault) -> PathStep {
        index += 1
        if takes("*") {
            guard takes("]") else { throw fault("']'") }
            return .any
        }
        let start = index
        while let scalar = next, "0"..."9" ~= scalar { index += 1 }
        guard index > start else { throw fault("the number of an element, or '*'") }
        guard let number = Int(String(String.UnicodeScalarView(scalars[start..<index]))) else {
            throw fault("a smaller number", at: start)
        }
        guard takes("]") else { throw fault("']'") }
        return .index(number)
    }

    /// The rest of a JSON string, whose opening quote has been taken.
    private mutating func string() throws(PathFault) -> String {
        var key = String.UnicodeScalarView()
        while let scalar = next {
            index += 1
            switch scalar {
            case "\"": return String(key)
            case "\\": key.append(try escaped())
            case "\u{0}"..<"\u{20}": throw fault("an escape in place of a control character", at: index - 1)
            default: key.append(scalar)
            }
        }
        throw fault("'\"' at the end of the key")
    }

    private mutating func escaped() throws(PathFault) -> Unicode.Scalar {
        let start = index - 1
        guard let scalar = next else { throw fault("an escape") }
        index += 1
        switch scalar {
        case "\"", "\\", "/": return scalar
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": break
        default: throw fault("an escape of JSON", at: start)
        }
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, takes("\\"), takes("u") else { throw fault("a pair of surrogates", at: start) }
        let second = try codeUnit()
        let value = 0x10000 + ((first - 0xD800) << 10) + (second &- 0xDC00)
        guard 0xDC00..<0xE000 ~= second, let scalar = Unicode.Scalar(value) else {
            throw fault("a pair of surrogates", at: start)
        }
        return scalar
    }

    private mutating func codeUnit() throws(PathFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw fault("four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    // MARK: JSON Pointers

    private mutating func pointer() throws(PathFault) -> [PathStep] {
        var steps: [PathStep] = []
        while takes("/") {
            var key = String.UnicodeScalarView()
            while let scalar = next, scalar != "/" {
                index += 1
                if scalar != "~" {
                    key.append(scalar)
                } else if takes("0") {
                    key.append("~")
                } else if takes("1") {
                    key.append("/")
                } else {
                    throw fault("'~0' for '~', or '~1' for '/'", at: index - 1)
                }
            }
            steps.append(.key(String(key)))
        }
        return steps
    }
}
