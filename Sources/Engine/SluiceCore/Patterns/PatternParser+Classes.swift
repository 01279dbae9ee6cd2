// Classes, escapes and characters of a pattern: what one code point of a text is compared with.

extension PatternParser {
    /// One character, or a class such as `\d`.
    enum ClassAtom {
        case scalar(UInt32)
        case set(ScalarSet)
    }

    // MARK: Bytes

    func peek(_ distance: Int = 0) -> UInt8? { index + distance < source.count ? source[index + distance] : nil }

    /// Skips this text if it comes next.
    mutating func take(_ text: StaticString) -> Bool {
        let isNext = text.withUTF8Buffer { bytes in
            unsafe bytes.count <= source.count - index && source[index..<(index + bytes.count)].elementsEqual(bytes)
        }
        if isNext { index += text.utf8CodeUnitCount }
        return isNext
    }

    /// The code point at the index, which is not the end.
    mutating func nextScalar() -> UInt32 {
        unsafe source.withUnsafeBufferPointer { unsafe PatternAlphabet.nextScalar(in: $0, &index) }
    }

    func fault(_ reason: String, at offset: Int? = nil) -> TextPattern.Failure {
        TextPattern.Failure(offset: offset ?? index, reason: reason, isRefusal: false)
    }

    // MARK: Classes

    /// `[…]`, from its opening bracket on.
    mutating func parseClass() throws(TextPattern.Failure) -> ScalarSet {
        let start = index
        index += 1
        let isNegated = take("^")
        var ranges: [ScalarSet.Range] = []
        while !take("]") {
            let offset = index
            let first = try parseClassAtom(of: start)
            var parts: [ScalarSet.Range]
            if peek() == UInt8(ascii: "-"), let next = peek(1), next != UInt8(ascii: "]") {
                index += 1
                guard case .scalar(let low) = first, case .scalar(let high) = try parseClassAtom(of: start) else {
                    throw fault("a class cannot be the end of a range", at: offset)
                }
                guard low <= high else { throw fault("the ends of the range are out of order", at: offset) }
                parts = [low...high]
            } else {
                switch first {
                case .scalar(let scalar): parts = [scalar...scalar]
                case .set(let set): parts = set.ranges
                }
            }
            if countRanges(parts.count, at: offset) { ranges += parts }
        }
        let set = ScalarSet(ranges)
        return isNegated ? set.inverted : set
    }

    private mutating func parseClassAtom(of start: Int) throws(TextPattern.Failure) -> ClassAtom {
        guard let byte = peek() else { throw fault("'[' is never closed", at: start) }
        return byte == UInt8(ascii: "\\") ? try parseClassEscape(isInClass: true) : .scalar(nextScalar())
    }

    // MARK: Escapes

    /// An escape for one character or a class of them, from its backslash on.
    mutating func parseClassEscape(isInClass: Bool) throws(TextPattern.Failure) -> ClassAtom {
        let start = index
        index += 1
        guard let letter = peek() else { throw fault("a character is missing after '\\'", at: start) }
        index += 1
        switch letter {
        case UInt8(ascii: "d"): return .set(.digits)
        case UInt8(ascii: "D"): return .set(ScalarSet.digits.inverted)
        case UInt8(ascii: "s"): return .set(.space)
        case UInt8(ascii: "S"): return .set(ScalarSet.space.inverted)
        case UInt8(ascii: "w"): return .set(.word)
        case UInt8(ascii: "W"): return .set(ScalarSet.word.inverted)
        case UInt8(ascii: "p"): return .set(try parseProperty(from: start))
        case UInt8(ascii: "P"): return .set(try parseProperty(from: start).inverted)
        case UInt8(ascii: "f"): return .scalar(0x0C)
        case UInt8(ascii: "n"): return .scalar(0x0A)
        case UInt8(ascii: "r"): return .scalar(0x0D)
        case UInt8(ascii: "t"): return .scalar(0x09)
        case UInt8(ascii: "v"): return .scalar(0x0B)
        case UInt8(ascii: "b") where isInClass: return .scalar(0x08)
        case UInt8(ascii: "-") where isInClass: return .scalar(0x2D)
        case UInt8(ascii: "0"):
            if let digit = peek(), digit &- 0x30 <= 9 { throw fault("a digit follows '\\0'", at: start) }
            return .scalar(0)
        case UInt8(ascii: "c"):
            guard let control = peek(), control | 0x20 >= UInt8(ascii: "a"), control | 0x20 <= UInt8(ascii: "z") else {
                throw fault("a letter is missing after '\\c'", at: start)
            }
            index += 1
            return .scalar(UInt32(control & 0x1F))
        case UInt8(ascii: "x"):
            guard let value = parseHexadecimal(digits: 2) else {
                throw fault("two hexadecimal digits are missing after '\\x'", at: start)
            }
            return .scalar(value)
        case UInt8(ascii: "u"): return .scalar(try parseUnicodeEscape())
        default:
            if #"^$\.*+?()[]{}|/"#.utf8.contains(letter) { return .scalar(UInt32(letter)) }
            index = start + 1
            let character = Unicode.Scalar(nextScalar()).map { String($0).printable } ?? ""
            throw fault("ECMA-262 with the u flag has no escape '\\\(character)'", at: start)
        }
    }

    /// `FFFF`, a pair of surrogates such as `D83D\uDE00`, or `{1F600}`, after `\u`. Half a pair is a code point that no text has.
    mutating func parseUnicodeEscape() throws(TextPattern.Failure) -> UInt32 {
        let start = index
        if take("{") {
            var value: UInt32?
            while let digit = peek().flatMap(UnicodeValidation.hexadecimalDigit) {
                value = min((value ?? 0) << 4 | UInt32(digit), ScalarSet.last + 1)
                index += 1
            }
            guard let value, value <= ScalarSet.last, take("}") else {
                throw fault("'\\u{' is followed by a code point in hexadecimal digits, up to 10FFFF, and '}'", at: start)
            }
            return value
        }
        guard let value = parseHexadecimal(digits: 4) else {
            throw fault("four hexadecimal digits are missing after '\\u'", at: start)
        }
        let next = index
        if value & 0xFC00 == 0xD800, take("\\u") {
            if let low = parseHexadecimal(digits: 4), low & 0xFC00 == 0xDC00 {
                return 0x10000 + (value & 0x3FF) << 10 | low & 0x3FF
            }
            index = next
        }
        return value
    }

    private mutating func parseHexadecimal(digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for distance in 0..<digits {
            guard let digit = peek(distance).flatMap(UnicodeValidation.hexadecimalDigit) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        index += digits
        return value
    }

    /// `{Name}` or `{Name=Value}` after `\p`.
    private mutating func parseProperty(from start: Int) throws(TextPattern.Failure) -> ScalarSet {
        var name = ""
        guard take("{") else { throw fault("a property, as in '\\p{Letter}', is missing", at: start) }
        while let byte = peek(), byte != UInt8(ascii: "}"), byte > 0x20, byte < 0x7F, name.utf8.count < 64 {
            name.unicodeScalars.append(Unicode.Scalar(byte))
            index += 1
        }
        guard take("}") else { throw fault("the name of the property is too long, or '}' is missing", at: start) }
        switch UnicodeProperties.lookUp(name) {
        case .set(let set): return set
        case .unknown(let reason): throw fault(reason, at: start)
        case .unsupported(let reason):
            refuse(reason, at: start)
            return ScalarSet([])
        }
    }
}
