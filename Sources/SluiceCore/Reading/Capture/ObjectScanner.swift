// Finds the members of an object, or the elements of an array, by quotes and brackets alone: a type that captures its text decides by
// them what the value is, before it is parsed.

internal import CScan

/// Finds the members of an object, one after the other, without parsing their values.
///
/// It trusts the text to be an object. If the text is not an object, reading it reports the error.
@safe
struct ObjectScanner {
    /// A member's parts in the text.
    @safe
    struct Member {
        /// The key without its quotes, and with its escapes.
        let key: UnsafeBufferPointer<UInt8>
        let value: UnsafeBufferPointer<UInt8>

        /// Whether the key is this text; a key with escapes is decoded first.
        func hasKey(_ name: String) -> Bool {
            var name = name
            let isEqual = name.withUTF8 { name in
                guard let left = name.baseAddress, let right = unsafe key.baseAddress else {
                    return unsafe name.count == key.count
                }
                return unsafe name.count == key.count && equalBytes(left, right, key.count)
            }
            return isEqual || (unsafe key.contains(UInt8(ascii: "\\")) && decoded(key) == name)
        }

        /// Whether ``tag`` is this text; a string without escapes is compared in place.
        func hasTag(_ name: String) -> Bool {
            guard unsafe value.first == UInt8(ascii: "\""), unsafe !value.contains(UInt8(ascii: "\\")) else { return tag == name }
            var name = name
            return name.withUTF8 { name in
                unsafe name.count + 2 == value.count && (unsafe name.elementsEqual(value.dropFirst().dropLast()))
            }
        }

        /// The value as text if it is a string, number or boolean, the forms that a discriminator may have; else nil.
        var tag: String? {
            switch unsafe value.first {
            case UInt8(ascii: "\""): return unsafe decoded(UnsafeBufferPointer(rebasing: value.dropFirst().dropLast()))
            case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): return nil
            default: return unsafe String(decoding: value, as: UTF8.self)
            }
        }

        private func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
            guard unsafe bytes.contains(UInt8(ascii: "\\")) else { return unsafe String(validating: bytes, as: UTF8.self) }
            let quoted = unsafe [UInt8(ascii: "\"")] + Array(bytes) + [UInt8(ascii: "\"")]
            return try? String(json: quoted, options: .strict)
        }
    }

    private let text: UnsafeBufferPointer<UInt8>
    private var index = 1

    init(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.text = unsafe text }

    /// The member with a key: the last one, if several have it, as everywhere.
    func member(_ key: String) -> Member? {
        var scanner = self
        var found: Member?
        while let member = scanner.next() {
            if member.hasKey(key) { found = member }
        }
        return found
    }

    /// The next member; nil at the end.
    mutating func next() -> Member? {
        guard unsafe text.first == UInt8(ascii: "{"), skip(to: UInt8(ascii: "\"")), let key = unsafe string(), skipBlanks(),
            unsafe text[index] == UInt8(ascii: ":")
        else { return nil }
        index += 1
        guard skipBlanks(), let value = unsafe value() else { return nil }
        return unsafe Member(key: key, value: value)
    }

    /// The next element of an array; nil at the end.
    mutating func nextElement() -> UnsafeBufferPointer<UInt8>? {
        guard unsafe text.first == UInt8(ascii: "["), skipBlanks() else { return nil }
        if unsafe text[index] == UInt8(ascii: ",") {
            index += 1
            guard skipBlanks() else { return nil }
        }
        return unsafe text[index] == UInt8(ascii: "]") ? nil : value()
    }

    /// Skips white space and a comma; false if the next byte is not the given one.
    private mutating func skip(to byte: UInt8) -> Bool {
        guard skipBlanks() else { return false }
        if unsafe text[index] == UInt8(ascii: ",") {
            index += 1
            guard skipBlanks() else { return false }
        }
        return unsafe text[index] == byte
    }

    /// Skips white space; false at the end of the text.
    private mutating func skipBlanks() -> Bool {
        while unsafe index < text.count {
            guard unsafe JSONWhiteSpace.contains(text[index]) else { return true }
            index += 1
        }
        return false
    }

    /// The inside of the string at `index`; moves `index` behind the string.
    private mutating func string() -> UnsafeBufferPointer<UInt8>? {
        let start = index + 1
        index = start
        while unsafe index < text.count {
            switch unsafe text[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""):
                index += 1
                return unsafe UnsafeBufferPointer(rebasing: text[start..<(index - 1)])
            default: index += 1
            }
        }
        return nil
    }

    private mutating func value() -> UnsafeBufferPointer<UInt8>? {
        let start = index
        switch unsafe text[index] {
        case UInt8(ascii: "\""):
            guard unsafe string() != nil else { return nil }
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let rest = unsafe UnsafeBufferPointer(rebasing: text[(index + 1)...])
            guard let address = rest.baseAddress else { return nil }
            let closing = unsafe cscan_container_end(address, rest.count, .max)
            guard closing < rest.count else { return nil }
            index += closing + 2
        default:
            scalar: while unsafe index < text.count {
                switch unsafe text[index] {
                case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), UInt8(ascii: "\t"),
                    UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                    break scalar
                default: index += 1
                }
            }
            // Without a value here the text is not JSON, and the scanner would never get further.
            if index == start { return nil }
        }
        return unsafe UnsafeBufferPointer(rebasing: text[start..<index])
    }
}
