// JSON as a tree of texts, to be made at random, changed, merged and shuffled before it is written out.

/// A JSON value whose scalars are kept as they are written.
package indirect enum SampleJSON: Equatable, Sendable {
    /// A string with its quotes, a number, true, false or null.
    case lexeme(String)
    case array([SampleJSON])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: SampleJSON

        package init(_ key: String, _ value: SampleJSON) { (self.key, self.value) = (key, value) }

        /// Byte by byte: two spellings of one character are two keys.
        fileprivate func has(_ key: String) -> Bool { self.key.utf8.elementsEqual(key.utf8) }
    }

    package static let null = SampleJSON.lexeme("null")

    package var isNull: Bool { self == .null }

    /// The members; nil of anything but an object.
    package var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The elements; nil of anything but an array.
    package var elements: [SampleJSON]? { if case .array(let elements) = self { elements } else { nil } }

    // MARK: Members by path

    /// The value at the end of a path; nil where a level is absent or no object.
    package subscript(path: some Collection<String>) -> SampleJSON? {
        guard let key = path.first else { return self }
        return members?.first { $0.has(key) }?.value[path.dropFirst()]
    }

    /// Puts a value at the end of a path, in place of what is there; levels that are missing are made.
    ///
    /// - Returns: Whether there was room: a level may hold something else than an object.
    @discardableResult
    package mutating func put(_ value: SampleJSON, at path: some Collection<String>) -> Bool {
        guard let key = path.first else {
            self = value
            return true
        }
        guard var members else { return false }
        if let index = members.firstIndex(where: { $0.has(key) }) {
            guard members[index].value.put(value, at: path.dropFirst()) else { return false }
        } else {
            var inner = SampleJSON.object([])
            inner.put(value, at: path.dropFirst())
            members.append(Member(key, inner))
        }
        self = .object(members)
        return true
    }

    /// Removes the member at the end of a path; the objects around it stay.
    package mutating func remove(_ path: some Collection<String>) {
        guard let key = path.first, var members, let index = members.firstIndex(where: { $0.has(key) }) else { return }
        if path.count == 1 {
            members.remove(at: index)
        } else {
            members[index].value.remove(path.dropFirst())
        }
        self = .object(members)
    }

    /// The same with the members of every object in another order.
    package func shuffled(_ random: inout SplitMix64) -> SampleJSON {
        switch self {
        case .lexeme: self
        case .array(let elements): .array(elements.map { $0.shuffled(&random) })
        case .object(let members):
            .object(members.map { Member($0.key, $0.value.shuffled(&random)) }.shuffled(using: &random))
        }
    }

    /// The value and all that is inside it.
    package var all: [SampleJSON] {
        [self] + (elements ?? []).flatMap(\.all) + (members ?? []).flatMap(\.value.all)
    }

    // MARK: Shrinking

    /// A small part of the value of which something still holds: what can be taken out is.
    package func shrunk(_ holds: (SampleJSON) -> Bool) -> SampleJSON {
        var value = self
        while let smaller = value.smaller.first(where: holds) { value = smaller }
        return value
    }

    /// The same with one member or element taken out, or with one that is smaller itself.
    private var smaller: [SampleJSON] {
        var result: [SampleJSON] = []
        if let elements {
            for (index, element) in elements.enumerated() {
                var rest = elements
                rest.remove(at: index)
                result.append(.array(rest))
                rest = elements
                for smaller in element.smaller {
                    rest[index] = smaller
                    result.append(.array(rest))
                }
            }
        }
        if let members {
            for (index, member) in members.enumerated() {
                var rest = members
                rest.remove(at: index)
                result.append(.object(rest))
                rest = members
                for smaller in member.value.smaller {
                    rest[index].value = smaller
                    result.append(.object(rest))
                }
            }
        }
        return result
    }

    // MARK: Text

    /// Compact text.
    package var text: String {
        switch self {
        case .lexeme(let text): text
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    /// Text with blanks here and there, and with keys of which some characters are escaped.
    package func text(_ random: inout SplitMix64) -> String {
        func blank() -> String { random.below(8) == 0 ? random.pick([" ", "\n", "\t", "\r\n  "]) : "" }
        switch self {
        case .lexeme(let text): return text
        case .array(let elements):
            let texts = elements.map { blank() + $0.text(&random) + blank() }
            return "[" + (texts.isEmpty ? blank() : texts.joined(separator: ",")) + "]"
        case .object(let members):
            let texts = members.map { member in
                let key = random.below(6) == 0 ? Self.escaped(member.key, &random) : Self.quoted(member.key)
                return blank() + key + blank() + ":" + blank() + member.value.text(&random) + blank()
            }
            return "{" + (texts.isEmpty ? blank() : texts.joined(separator: ",")) + "}"
        }
    }

    /// A string as JSON has it.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20: result += escape(UInt16(scalar.value))
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// The same with some characters as `\u` escapes, for which there is no need.
    private static func escaped(_ text: String, _ random: inout SplitMix64) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if random.below(2) == 0 || scalar.value < 0x20 || scalar == "\"" || scalar == "\\" {
                for unit in String(scalar).utf16 { result += escape(unit) }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func escape(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    // MARK: At random

    /// Scalars of all kinds, those at the edges of types among them.
    package static let scalars = [
        "null", "true", "false", "0", "1", "-0", "7", "-1", "127", "128", "300", "1.5", "2.0", "1e2", "-0.0", "1e400", "1e-400",
        "0.1", "3.4028236e38", "9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "340282366920938463463374607431768211456", "123456.789e-3", "\"\"", "\" \"", "\"x\"", "\"7\"",
        "\" 42 \"", "\"12abc\"", "\"1.50\"", "\"null\"", "\"yes\"", "\"on\"", "\"red\"", "\"true\"", "\"(null)\"",
        "\"2014-05-06\"", "\"2014-01-20T12:24:48Z\"", "\"é\\u00e9\\n\\/\"", "\"\\ud83d\\ude00😀\"",
        "\"a string of more than fifteen bytes\"",
    ]

    /// Any JSON, no key twice in an object.
    package static func random(_ random: inout SplitMix64, depth: Int, keys: [String] = ["a", "b", "type", "é", "id"])
        -> SampleJSON
    {
        switch random.below(depth > 0 ? 8 : 5) {
        case 0..<5: return .lexeme(random.pick(scalars))
        case 5: return .array((0..<random.below(4)).map { _ in .random(&random, depth: depth - 1, keys: keys) })
        default:
            return .object(
                keys.shuffled(using: &random).prefix(random.below(4)).map {
                    Member($0, .random(&random, depth: depth - 1, keys: keys))
                })
        }
    }
}

extension SplitMix64 {
    /// A number of 0 ..< limit.
    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// One of some values.
    package mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    /// Text that is no JSON any more, as a rule: cut off, or with a byte changed, taken out or put in.
    package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var bytes = bytes
        let offset = below(bytes.count)
        switch below(4) {
        case 0: bytes.removeSubrange(offset...)
        case 1: bytes[offset] = pick(Array("{}[]\",:x\\0\u{B}".utf8) + [0xFF])
        case 2: bytes.insert(pick(Array("{}[]\",:1\\ -".utf8)), at: offset)
        default: bytes.remove(at: offset)
        }
        return bytes
    }
}

extension [UInt8] {
    /// A small part of the bytes of which something still holds: what can be taken out is.
    package func shrunk(_ holds: ([UInt8]) -> Bool) -> [UInt8] {
        var bytes = self
        var size = bytes.count / 2
        while size > 0 {
            var start = 0
            while start < bytes.count {
                var fewer = bytes
                fewer.removeSubrange(start..<Swift.min(start + size, bytes.count))
                if holds(fewer) { bytes = fewer } else { start += size }
            }
            size /= 2
        }
        return bytes
    }
}
