// Reads a text from front to back, as a format expects it. A function that begins with `take` moves the position after what it has found;
// where it returns false, the position does not matter any more.

/// A set of ASCII characters: one bit each.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static let digits = ASCIISet("0123456789")
    static let hexadecimal = ASCIISet("0123456789abcdefABCDEF")
    static let letters = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    static let alphanumeric = letters.union("0123456789")

    init(_ characters: StaticString) {
        // Safe: these are the indices of the characters.
        for index in 0..<characters.utf8CodeUnitCount { insert(unsafe characters.utf8Start[index]) }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }

    func union(_ characters: StaticString) -> ASCIISet {
        let other = ASCIISet(characters)
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 != 0
    }
}

/// A position in a text that is not changed meanwhile.
@safe
struct FormatCursor {
    private let text: UnsafeBufferPointer<UInt8>
    private(set) var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { unsafe self.text = text }

    var isAtEnd: Bool { unsafe index == text.count }

    var peek: UInt8? {
        // Safe: the index is never above the count.
        unsafe index < text.count ? text[index] : nil
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let byte = peek, UInt32(byte) == character.value else { return false }
        index &+= 1
        return true
    }

    mutating func take(_ set: ASCIISet) -> Bool {
        guard let byte = peek, set.contains(byte) else { return false }
        index &+= 1
        return true
    }

    /// Skips characters of a set, and returns how many.
    @discardableResult
    mutating func skip(_ set: ASCIISet) -> Int {
        let start = index
        while take(set) {}
        return index &- start
    }

    /// A number of just so many digits, at most nine, that is not above a limit.
    mutating func takeNumber(digits: Int, upTo limit: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let byte = peek, byte &- 0x30 <= 9 else { return nil }
            number = number &* 10 &+ Int(byte &- 0x30)
            index &+= 1
        }
        return number <= limit ? number : nil
    }

    /// Skips bytes that are there.
    mutating func move(_ distance: Int) {
        assert(unsafe distance >= 0 && distance <= text.count - index)
        index &+= distance
    }

    // MARK: Short formats

    mutating func takeUUID() -> Bool {
        for (group, digits) in [8, 4, 4, 4, 12].enumerated() {
            if group > 0, !take("-") { return false }
            for _ in 0..<digits where !take(.hexadecimal) { return false }
        }
        return true
    }

    mutating func takePointer() -> Bool {
        guard let first = peek else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        while let byte = peek {
            index &+= 1
            if byte == UInt8(ascii: "~"), !take("0"), !take("1") { return false }
        }
        return true
    }

    mutating func takePattern() -> Bool {
        index = unsafe text.count
        return unsafe String(validating: text, as: UTF8.self).map(TextPattern.isValid) ?? false
    }
}
