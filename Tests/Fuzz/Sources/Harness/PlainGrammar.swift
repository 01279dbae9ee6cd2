// RFC 8259 as a plain reference: one byte at a time, nothing of Sluice in it.

/// Says whether text is one JSON value, with valid Unicode, and how deep it goes.
struct PlainGrammar {
    /// Whether the text is JSON: UTF-8, paired surrogates, a byte order mark allowed in front.
    private(set) var isJSON = false
    /// The most containers that are open at once, as far as the text was read.
    private(set) var depth = 0
    /// Whether an object has a key twice, as far as the text was read.
    private(set) var repeatsKey = false

    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    /// The string that was read last, in UTF-8, and the keys of the objects that are open.
    private var string: [UInt8] = []
    private var keys: [Set<[UInt8]>] = []

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        isJSON = readDocument()
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        index += 1
        return true
    }

    /// A stack of brackets instead of recursion, so that no depth is too much.
    private mutating func readDocument() -> Bool {
        var open: [UInt8] = []
        while true {
            skipBlanks()
            var isClosed = true
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                let bracket = bytes[index]
                index += 1
                depth = max(depth, open.count + 1)
                skipBlanks()
                if take(bracket + 2) { break }
                open.append(bracket)
                keys.append([])
                isClosed = false
                if bracket == UInt8(ascii: "{"), !readKey() { return false }
            case UInt8(ascii: "\""): if !readString() { return false }
            case UInt8(ascii: "t"): if !take("true") { return false }
            case UInt8(ascii: "f"): if !take("false") { return false }
            case UInt8(ascii: "n"): if !take("null") { return false }
            default: if !readNumber() { return false }
            }
            // After a value: the next element or member, or the ends of containers.
            while isClosed {
                skipBlanks()
                guard let bracket = open.last else { return index == bytes.count }
                if take(UInt8(ascii: ",")) {
                    skipBlanks()
                    if bracket == UInt8(ascii: "{"), !readKey() { return false }
                    isClosed = false
                } else if take(bracket + 2) {
                    open.removeLast()
                    keys.removeLast()
                } else {
                    return false
                }
            }
        }
    }

    private mutating func readKey() -> Bool {
        guard byte == UInt8(ascii: "\""), readString() else { return false }
        if !keys[keys.count - 1].insert(string).inserted { repeatsKey = true }
        skipBlanks()
        return take(UInt8(ascii: ":"))
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard bytes[index...].starts(with: word) else { return false }
        index += word.count
        return true
    }

    private mutating func readDigits() -> Bool {
        let start = index
        while let byte, byte >= 0x30, byte <= 0x39 { index += 1 }
        return index > start
    }

    private mutating func readNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")), !readDigits() { return false }
        if take(UInt8(ascii: ".")), !readDigits() { return false }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            return readDigits()
        }
        return true
    }

    private mutating func readString() -> Bool {
        index += 1
        string = []
        var high: UInt32?
        while let byte {
            index += 1
            if byte == UInt8(ascii: "\"") { return high == nil && String(validating: string, as: UTF8.self) != nil }
            if byte < 0x20 { return false }
            guard byte == UInt8(ascii: "\\") else {
                if high != nil { return false }
                string.append(byte)
                continue
            }
            guard let unit = readEscape(), (unit >> 10 == 0x37) == (high != nil) else { return false }
            if unit >> 10 == 0x36 {
                high = unit
                continue
            }
            let scalar = high.map { 0x10000 + ($0 & 0x3FF) << 10 + unit & 0x3FF } ?? unit
            high = nil
            string += String(Character(Unicode.Scalar(scalar)!)).utf8
        }
        return false
    }

    /// The UTF-16 unit of an escape; nil if it is not one.
    private mutating func readEscape() -> UInt32? {
        guard let byte else { return nil }
        index += 1
        if let place = Array("\"\\/bfnrt".utf8).firstIndex(of: byte) {
            return [0x22, 0x5C, 0x2F, 0x08, 0x0C, 0x0A, 0x0D, 0x09][place]
        }
        guard byte == UInt8(ascii: "u"), index + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }
}
