// Decodes labels of host names (RFC 3492): `9n2bp8q` is 실례.

enum Punycode {
    /// The scalars of a label whose `xn--` is left out, in lower case; nil if it is not a code. A label has at most 59 bytes.
    ///
    /// Each list of scalars has one code, so a code that can be decoded is also the one that an encoder makes.
    static func decode(_ code: [UInt8]) -> [Unicode.Scalar]? {
        var scalars: [Unicode.Scalar] = []
        var index = 0
        if let hyphen = code.lastIndex(of: UInt8(ascii: "-")), hyphen > 0 {
            scalars = code[..<hyphen].map { Unicode.Scalar($0) }
            index = hyphen + 1
        }
        // Something besides ASCII must follow; otherwise nothing had to be encoded.
        guard index < code.count else { return nil }
        var (scalar, position, bias) = (128, 0, 72)
        while index < code.count {
            let before = position
            var weight = 1
            var threshold = bias
            for base in stride(from: 36, through: .max, by: 36) {
                // Safe: a digit is below 36, so neither product below overflows.
                guard index < code.count, let digit = digit(code[index]), weight < 1 << 40, position < 1 << 50 else { return nil }
                index += 1
                position += digit * weight
                threshold = min(max(base - bias, 1), 26)
                if digit < threshold { break }
                weight *= 36 - threshold
            }
            let count = scalars.count + 1
            bias = adapt(position - before, count, isFirst: before == 0 && scalar == 128)
            scalar += position / count
            position %= count
            guard let decoded = UInt32(exactly: scalar).flatMap(Unicode.Scalar.init) else { return nil }
            scalars.insert(decoded, at: position)
            position += 1
        }
        return scalars
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    /// RFC 3492, section 6.1.
    private static func adapt(_ distance: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? distance / 700 : distance / 2
        delta += delta / count
        var bias = 0
        while delta > 455 {
            delta /= 35
            bias += 36
        }
        return bias + 36 * delta / (delta + 38)
    }
}
