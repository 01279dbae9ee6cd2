// Numbers of a tape, by the rules of Foundation's decoder: an integer may be written with a fraction or an exponent, and a number that
// is out of the range of a float type is an error.

/// The result of decoding a number's entry as a number type.
package enum TapeNumber<Value> {
    case value(Value)
    /// The number is out of the type's range, or has a fraction that the type cannot hold.
    case unfit
    /// The text is not a valid number.
    case damaged
}

extension JSONTape {
    /// The integer at an index, whose entry is a number but not ``TapeEntry/Kind/integer``.
    @inline(never)
    package func otherInteger<Value: FixedWidthInteger>(_ type: Value.Type, at index: Int) -> TapeNumber<Value> {
        guard let (first, count) = unsafe lexeme(at: index) else { return .damaged }
        if let value = unsafe plainInteger(first, count).flatMap({ Value(exactly: $0) }) { return .value(value) }
        if Value.bitWidth == 128, !Value.isSigned, let value = unsafe NumberParsing.uint128(first, count) {
            return Value(exactly: value).map { .value($0) } ?? .unfit
        }
        // As in Foundation: if the value as a double is below 2^53, that double decides.
        guard let double = unsafe NumberParsing.double(first, count), let value = Value(exactly: double) else {
            return .unfit
        }
        if double.magnitude < 0x1p53 { return .value(value) }
        guard let exact = unsafe NumberParsing.exactInteger(first, count).flatMap({ Value(exactly: $0) }) else {
            return .unfit
        }
        return .value(exact)
    }

    private func plainInteger(_ first: UnsafePointer<UInt8>, _ count: Int) -> Int128? {
        if let value = unsafe NumberParsing.int64(first, count) { return Int128(value) }
        return unsafe NumberParsing.int128(first, count)
    }

    /// The double at an index, whose entry is ``TapeEntry/Kind/number``.
    @inline(never)
    package func otherDouble(at index: Int) -> TapeNumber<Double> {
        unsafe float(at: index, NumberParsing.double)
    }

    /// The float at an index, whose entry is a number.
    @inline(never)
    package func float(at index: Int) -> TapeNumber<Float> {
        unsafe float(at: index, NumberParsing.float)
    }

    private func float<Value: BinaryFloatingPoint>(
        at index: Int, _ parse: (UnsafePointer<UInt8>, Int) -> Value?
    ) -> TapeNumber<Value> {
        guard let (first, count) = unsafe lexeme(at: index), let value = unsafe parse(first, count) else { return .damaged }
        guard value.isFinite else { return .unfit }
        // A number too small for the type must not become zero.
        if value == 0, unsafe !isZero(UnsafeRawBufferPointer(start: first, count: count)) { return .unfit }
        return .value(value)
    }

    /// Whether all digits in front of the exponent are zero.
    private func isZero(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = unsafe text.first(where: { $0 | 0x20 == .e || $0 > .digitZero }) else { return true }
        return first | 0x20 == .e
    }

    /// Whether the text of the number at an index is valid JSON.
    package func isNumber(at index: Int) -> Bool { unsafe lexeme(at: index) != nil }

    /// The text of the number at an index; nil if it is not valid JSON.
    private func lexeme(at index: Int) -> (first: UnsafePointer<UInt8>, count: Int)? {
        let text = unsafe text(at: index)
        // Safe: a number has at least one byte.
        let first = unsafe text.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
        return unsafe NumberParsing.lexemeEnd(first, first + text.count) == first + text.count ? (first, text.count) : nil
    }
}
