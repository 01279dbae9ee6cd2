// `const`, `enum` and `uniqueItems` ask whether values are equal: 1 and 1.0 are, and so are objects whose members have another order. A value
// becomes a digest, which depends on nothing else; where two digests are equal, the values' canonical bytes decide.

internal import SluiceCore

/// Values of one tape as digests and as canonical bytes. It must not outlive the tape's text.
@safe
struct CanonicalValue {
    let entries: UnsafeMutablePointer<TapeEntry>
    let text: UnsafePointer<UInt8>
    let tape: JSONTape

    // MARK: Digests

    /// The digest of the value at an index.
    ///
    /// - Parameter known: The digests of containers by their index, which arrays inside of each other would calculate again and again.
    func digest(of index: Int, _ known: inout [Int: UInt64]) -> UInt64 {
        let entry = unsafe entries[index]
        switch entry.kind {
        case .null, .true, .false, .bounds: return CanonicalValue.mixed(UInt64(entry.kind.rawValue) &+ 1, 0)
        case .integer, .double, .number: return numberDigest(index)
        case .string: return stringDigest(index)
        case .array, .object: break
        }
        if let digest = known[index] { return digest }
        let end = entry.next
        var (sum, item) = (UInt64(entry.kind.rawValue) &+ 1, index &+ 2)
        while item < end {
            if entry.kind == .array {
                sum = CanonicalValue.mixed(sum, digest(of: item, &known))
            } else {
                // A sum, because the order of members does not matter.
                sum &+= CanonicalValue.mixed(stringDigest(item), digest(of: item &+ 1, &known))
                item &+= 1
            }
            item = unsafe entries[item].kind.code < TapeEntry.Kind.array.code ? item &+ 1 : entries[item].next
        }
        let digest = CanonicalValue.mixed(sum, UInt64(truncatingIfNeeded: entry.count))
        known[index] = digest
        return digest
    }

    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ KeyHash.seed).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        let other = (product.high ^ product.low &+ right).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        return other.high ^ other.low
    }

    private func stringDigest(_ index: Int) -> UInt64 {
        unsafe withString(index) { bytes in
            // Safe: an empty text has a digest of its own, for which no byte is read.
            guard let start = bytes.baseAddress else { return CanonicalValue.mixed(KeyHash.seed, 0) }
            return unsafe UInt64(bitPattern: Int64(KeyHash.full(start, bytes.count, KeyHash.seed)))
        }
    }

    private func numberDigest(_ index: Int) -> UInt64 {
        let entry = unsafe entries[index]
        if entry.kind == .integer, entry.flags == 0 { return CanonicalValue.mixed(entry.bits, 3) }
        guard let number = lexeme(at: index) else { return 0 }
        if let value = number.integer().flatMap({ Int64(exactly: $0) }) {
            return CanonicalValue.mixed(UInt64(bitPattern: value), 3)
        }
        var digest = UInt64(bitPattern: Int64(number.point &- number.significant.lowerBound)) ^ (number.isNegative ? .max : 0)
        for digit in number.significant { digest = CanonicalValue.mixed(digest, UInt64(number.digit(digit))) }
        return digest
    }

    // MARK: Parts

    /// The number at an index; nil for other values.
    @inline(never)
    func lexeme(at index: Int) -> DecimalLexeme? {
        let bytes = unsafe tape.text(at: index)
        guard let start = bytes.baseAddress else { return nil }
        return unsafe DecimalLexeme(start.assumingMemoryBound(to: UInt8.self), bytes.count)
    }

    /// Passes the bytes of the string at an index, without its escapes.
    @inline(__always)
    func withString<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let entry = unsafe entries[index]
        if entry.flags & TapeEntry.isNotPlain == 0 {
            // Safe: the walk has found that many bytes between the quotes.
            return unsafe body(UnsafeBufferPointer(start: text + Int(entry.offset), count: entry.count))
        }
        return unsafe withDecoded(index, body)
    }

    @inline(never)
    private func withDecoded<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // The text has been checked, so each of its strings can be decoded.
        var string = tape.string(at: index) ?? ""
        return string.withUTF8 { unsafe body($0) }
    }

    // MARK: Canonical bytes

    /// The same bytes for equal values, and for no others.
    func bytes(of index: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        append(index, to: &bytes)
        return bytes
    }

    private func append(_ index: Int, to bytes: inout [UInt8]) {
        let entry = unsafe entries[index]
        switch entry.kind {
        case .null, .bounds: bytes.append(UInt8(ascii: "n"))
        case .true: bytes.append(UInt8(ascii: "t"))
        case .false: bytes.append(UInt8(ascii: "f"))
        case .integer, .double, .number: appendNumber(index, to: &bytes)
        case .string:
            bytes.append(UInt8(ascii: "s"))
            let string = unsafe withString(index) { unsafe Array($0) }
            bytes += "\(string.count):".utf8
            bytes += string
        case .array:
            bytes.append(UInt8(ascii: "["))
            var item = index + 2
            while item < entry.next {
                append(item, to: &bytes)
                item = tape.index(after: item)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            var members: [(key: [UInt8], value: Int)] = []
            var member = index + 2
            while member < entry.next {
                members.append((unsafe withString(member) { unsafe Array($0) }, member))
                member = tape.index(after: member + 1)
            }
            // The index keeps repeated keys in the order of the text.
            members.sort { $0.key == $1.key ? $0.value < $1.value : $0.key.lexicographicallyPrecedes($1.key) }
            bytes.append(UInt8(ascii: "{"))
            for (_, member) in members {
                append(member, to: &bytes)
                append(member + 1, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private func appendNumber(_ index: Int, to bytes: inout [UInt8]) {
        guard let number = lexeme(at: index), !number.significant.isEmpty else { return bytes.append(UInt8(ascii: "0")) }
        bytes.append(number.isNegative ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        for digit in number.significant { bytes.append(UInt8(ascii: "0") + number.digit(digit)) }
        bytes += "e\(number.point - number.significant.lowerBound);".utf8
    }
}
