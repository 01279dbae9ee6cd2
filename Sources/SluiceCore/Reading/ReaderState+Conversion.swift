// A scalar of another JSON type than its property has, or a number that its type has no room for, is converted here, if the
// conversions in force allow it. Nothing of this runs for values that fit as they are.

extension ReaderState {
    private enum Outcome {
        case stored
        /// The value counts as null.
        case null
        case mismatch
    }

    /// Stores a scalar by conversion, or raises the error.
    @inline(never)
    mutating func convert(_ scalar: JSONScalar, orRaise kind: JSONError.Kind) -> Bool {
        let row = unsafe frame.row
        let rules = unsafe conversions(of: row.pointee.policy)
        if rules != .strict {
            let outcome =
                rules.profile == .yyModel
                ? convertAsYYModel(scalar, to: unsafe row.pointee.kind) : convert(scalar, to: unsafe row.pointee.kind, rules)
            switch outcome {
            case .stored: return advance()
            case .null: return boundNull()
            case .mismatch: break
            }
        }
        let isHidden = unsafe row.pointee.policy?.pointee.isSensitive == true
        return raise(
            kind, expected: expectation, found: isHidden ? scalar.kind.words : scalar.summary, at: start(of: scalar))
    }

    // MARK: Without a loss

    private mutating func convert(_ scalar: JSONScalar, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        switch scalar.kind {
        case .null:
            return .mismatch
        case .boolean:
            guard rules.profile != .strict else { return .mismatch }
            return convert(scalar.boolean == true, to: target)
        case .number:
            return convertNumber(scalar, to: target, rules)
        case .string:
            guard rules.profile != .strict else {
                return rules.emptyStringIsNull && scalar.count == 0 ? .null : .mismatch
            }
            return convertText(scalar, to: target, rules)
        }
    }

    private mutating func convert(_ truth: Bool, to target: PropertyKind) -> Outcome {
        switch target {
        case .string:
            store(truth ? "true" : "false")
            return .stored
        case .bool:
            store(truth)
            return .stored
        default:
            return number(truth ? "1" : "0", to: target, .lenient)
        }
    }

    private mutating func convertNumber(_ scalar: JSONScalar, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        let isStrict = rules.profile == .strict
        switch target {
        case .string where !isStrict:
            guard let lexeme = scalar.numberText else { return .mismatch }
            store(lexeme)
            return .stored
        case .bool where !isStrict:
            guard let value = scalar.integer(as: Int.self), value == 0 || value == 1 else { return .mismatch }
            store(value == 1)
            return .stored
        case .float, .double:
            guard rules.overflow == .clamp, let first = scalar.firstByte else { return .mismatch }
            // All that does not fit a float is too large: what is too small becomes 0.
            let sign: FloatingPointSign = first == UInt8(ascii: "-") ? .minus : .plus
            storeFloatingPoint(Double(sign: sign, exponent: 0, significand: .greatestFiniteMagnitude), as: target)
            return .stored
        case _ where target.isInteger:
            return storeInteger(scalar, as: target, overflow: rules.overflow, truncating: rules.truncatesFractions)
        default:
            return .mismatch
        }
    }

    private mutating func convertText(_ scalar: JSONScalar, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        guard target != .string, let start = unsafe scalar.start else { return .mismatch }
        let text = unsafe SpokenText(start, scalar.count).trimmed
        if text.count == 0 { return rules.emptyStringIsNull ? .null : .mismatch }
        if text.isNull { return .null }
        if let truth = text.truth ?? (rules.extendedBooleans ? text.extendedTruth : nil), target == .bool || target.isNumeric {
            return convert(truth, to: target)
        }
        return unsafe text.withNumber { bytes, count in
            unsafe number(JSONScalar(kind: .number, start: bytes, count: count), to: target, rules)
        } ?? .mismatch
    }

    private mutating func number(_ lexeme: StaticString, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        unsafe number(
            JSONScalar(kind: .number, start: lexeme.utf8Start, count: lexeme.utf8CodeUnitCount), to: target, rules)
    }

    /// Stores a number that did not stand in the text as one.
    private mutating func number(_ scalar: JSONScalar, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        switch target {
        case .double, .float:
            if let value = scalar.double {
                storeFloatingPoint(value, as: target)
                return .stored
            }
        case .scalar:
            do throws(JSONError) {
                let converted = withPolicy(scalar)
                return try unsafe frame.row.pointee.binding.pointee.type._store(converted, at: destination) ? .stored : .mismatch
            } catch {
                return .mismatch
            }
        default:
            break
        }
        return convertNumber(scalar, to: target, rules)
    }

    // MARK: As YYModel does

    private mutating func convertAsYYModel(_ scalar: JSONScalar, to target: PropertyKind) -> Outcome {
        switch (scalar.kind, target) {
        case (.boolean, .string):
            store(scalar.boolean == true ? "1" : "0")
            return .stored
        case (.number, .string):
            guard let lexeme = scalar.numberText else { return .mismatch }
            store(lexeme)
            return .stored
        case (.boolean, _) where target.isNumeric:
            return convert(scalar.boolean == true, to: target)
        case (.number, .bool):
            store(scalar.double != 0)
            return .stored
        case (.number, .float), (.number, .double):
            // Not a number, or none that is finite.
            storeFloatingPoint(0, as: target)
            return .stored
        case (.number, _) where target.isInteger:
            return storeInteger(scalar, as: target, overflow: .wrap, truncating: true)
        case (.string, _) where target.isNumeric:
            guard let start = unsafe scalar.start else { return .mismatch }
            switch unsafe SpokenText(start, scalar.count).yyNumber {
            case .none: return .null
            case .some(let text): return yyNumber(text, as: target)
            }
        case (.string, .scalar), (.number, .scalar):
            return convert(scalar, to: target, .lenient)
        default:
            return .mismatch
        }
    }

    private mutating func yyNumber(_ value: SpokenText.YYNumber, as target: PropertyKind) -> Outcome {
        switch (value, target) {
        case (.integer(let value), .bool): store(value != 0)
        case (.fraction(let value), .bool): store(value != 0)
        case (.integer(let value), .double), (.integer(let value), .float): storeFloatingPoint(Double(value), as: target)
        case (.fraction(let value), .double), (.fraction(let value), .float): storeFloatingPoint(value, as: target)
        case (.integer(let value), _): storeInteger(Int128(value), as: target, overflow: .wrap)
        case (.fraction(let value), _):
            // As a cast in C on the machines of YYModel: what no 64-bit integer holds becomes the nearest one.
            let limited = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
            storeInteger(Int128(limited), as: target, overflow: .wrap)
        }
        return .stored
    }

    // MARK: Numbers of each kind

    private mutating func storeInteger(
        _ scalar: JSONScalar, as target: PropertyKind, overflow: JSONConversions.Overflow, truncating: Bool
    ) -> Outcome {
        guard let start = unsafe scalar.start else { return .mismatch }
        if target == .uint128, let value = unsafe NumberParsing.uint128(start, scalar.count) {
            store(value)
            return .stored
        }
        let exact = unsafe NumberParsing.exactInteger(start, scalar.count)
        if let value = exact ?? (truncating ? scalar.truncated : nil) {
            return storeInteger(value, as: target, overflow: overflow) ? .stored : .mismatch
        }
        // Beyond 128 bits, or a fraction that must not be cut off.
        guard overflow == .clamp, (scalar.double?.magnitude ?? .infinity) > 1e38 else { return .mismatch }
        let isNegative = scalar.firstByte == UInt8(ascii: "-")
        return storeInteger(isNegative ? .min : .max, as: target, overflow: .clamp) ? .stored : .mismatch
    }

    @discardableResult
    private mutating func storeInteger(
        _ value: Int128, as target: PropertyKind, overflow: JSONConversions.Overflow
    ) -> Bool {
        func put<Value: FixedWidthInteger>(_ type: Value.Type) -> Bool {
            if let exact = Value(exactly: value) {
                store(exact)
                return true
            }
            switch overflow {
            case .mismatch: return false
            case .clamp: store(Value(clamping: value))
            case .wrap: store(Value(truncatingIfNeeded: value))
            }
            return true
        }
        return switch target {
        case .int8: put(Int8.self)
        case .int16: put(Int16.self)
        case .int32: put(Int32.self)
        case .int64: put(Int64.self)
        case .int128: put(Int128.self)
        case .uint8: put(UInt8.self)
        case .uint16: put(UInt16.self)
        case .uint32: put(UInt32.self)
        case .uint64: put(UInt64.self)
        case .uint128: put(UInt128.self)
        default: false
        }
    }

    private mutating func storeFloatingPoint(_ value: Double, as target: PropertyKind) {
        if target == .float {
            let narrow = Float(value)
            store(narrow.isFinite ? narrow : value < 0 ? -Float.greatestFiniteMagnitude : .greatestFiniteMagnitude)
        } else {
            store(value)
        }
    }

    // MARK: Containers

    /// Whether a container that stands in a scalar's place can be made one; its text is then captured.
    mutating func openConvertible(_ found: String) -> Bool {
        let row = unsafe frame.row
        let isJoined =
            unsafe row.pointee.policy?.pointee.joinSeparator != nil && row.pointee.kind == .string && found == "an array"
        let isZero = unsafe row.pointee.kind.isNumeric && conversions(of: row.pointee.policy).profile == .yyModel
        guard isJoined || isZero else { return false }
        unsafe resumedRow = unsafe row
        unsafe frame.row = unsafe ReaderRows.captured
        return openTape()
    }

    /// Makes a scalar of a container's text.
    mutating func storeConverted(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let row = unsafe resumedRow else { return true }
        unsafe frame.row = unsafe row
        unsafe resumedRow = nil
        guard let separator = unsafe row.pointee.policy?.pointee.joinSeparator, unsafe row.pointee.kind == .string else {
            _ = unsafe row.pointee.binding.pointee.type._storeEmpty(at: destination)
            return true
        }
        var reader = JSONReader(options: JSONReader.Options(maximumDepth: options.maximumDepth, conversions: .strict))
        do throws(JSONError) {
            let elements = try unsafe reader.read([JSONValue].self, from: UnsafeRawBufferPointer(bytes))
            store(elements.map { $0.string ?? $0.description }.joined(separator: separator))
            return true
        } catch {
            return park(error)
        }
    }
}

/// What a person, or another program, has written into a string in place of a number, boolean or null.
@safe
struct SpokenText {
    private let start: UnsafePointer<UInt8>
    let count: Int

    init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        unsafe self.start = unsafe start
        self.count = count
    }

    private var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: start, count: count) }

    /// Without white space around it.
    var trimmed: SpokenText {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard let first = unsafe bytes.firstIndex(where: { !isBlank($0) }),
            let last = unsafe bytes.lastIndex(where: { !isBlank($0) })
        else { return unsafe SpokenText(start, 0) }
        return unsafe SpokenText(start + first, last - first + 1)
    }

    private var lowercased: String {
        // The longest word that is looked for has seven characters.
        count <= 8 ? unsafe String(decoding: bytes, as: UTF8.self).lowercased() : ""
    }

    /// Whether it says that there is no value.
    var isNull: Bool { ["null", "nil", "(null)", "<null>"].contains(lowercased) }

    /// What it says in full words.
    var truth: Bool? {
        switch lowercased {
        case "true", "yes": true
        case "false", "no": false
        default: nil
        }
    }

    /// What it says in short.
    var extendedTruth: Bool? {
        switch lowercased {
        case "y", "t", "on", "1": true
        case "n", "f", "off", "0": false
        default: nil
        }
    }

    /// The number that the whole text is, as a JSON number: a plus sign and leading zeros are passed over.
    func withNumber<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result? {
        var digits = unsafe Array(bytes)
        if digits.first == UInt8(ascii: "+") {
            digits.removeFirst()
            guard let next = digits.first, next != UInt8(ascii: "-"), next != UInt8(ascii: "+") else { return nil }
        }
        let sign = digits.first == UInt8(ascii: "-") ? 1 : 0
        let isDigit: (UInt8) -> Bool = { $0 &- UInt8(ascii: "0") < 10 }
        while digits.count > sign + 1, digits[sign] == UInt8(ascii: "0"), isDigit(digits[sign + 1]) { digits.remove(at: sign) }
        return unsafe digits.withUnsafeBufferPointer { buffer -> Result? in
            guard let first = buffer.baseAddress else { return nil }
            let end = unsafe first + buffer.count
            guard unsafe FlatRunReader.numberEnd(first, end) == end else { return nil }
            return unsafe body(first, buffer.count)
        }
    }

    /// A number as YYModel reads it.
    enum YYNumber {
        case integer(Int64)
        case fraction(Double)
    }

    /// What `YYNSNumberCreateFromID` makes of a string: a word of its table, or as much of the text as is a number (`atof` with
    /// a point, `atoll` without); nil for its words for nothing, and for what is not finite.
    var yyNumber: YYNumber? {
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        switch text {
        case "TRUE", "True", "true", "YES", "Yes", "yes": return .integer(1)
        case "FALSE", "False", "false", "NO", "No", "no": return .integer(0)
        case "NIL", "Nil", "nil", "NULL", "Null", "null", "(NULL)", "(Null)", "(null)", "<NULL>", "<Null>", "<null>": return nil
        default: break
        }
        let body = text.drop { $0 == " " || ("\t"..."\r").contains($0) }
        if text.contains(".") {
            // The longest beginning that is a number; nobody writes one of more characters than these.
            var prefix = body.prefix(400)
            while let last = prefix.indices.last {
                if let value = Double(prefix) { return value.isFinite ? .fraction(value) : nil }
                prefix = prefix[..<last]
            }
            return .fraction(0)
        }
        var value: Int64 = 0
        var isNegative = false
        for (index, character) in body.utf8.enumerated() {
            if index == 0, character == UInt8(ascii: "-") || character == UInt8(ascii: "+") {
                isNegative = character == UInt8(ascii: "-")
                continue
            }
            let digit = character &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                isNegative ? product.subtractingReportingOverflow(Int64(digit)) : product.addingReportingOverflow(Int64(digit))
            if overflow || carry { return .integer(isNegative ? .min : .max) }
            value = sum
        }
        return .integer(value)
    }
}

extension JSONScalar {
    /// The first byte of a string or number.
    fileprivate var firstByte: UInt8? {
        guard count > 0, let start = unsafe start else { return nil }
        return unsafe start.pointee
    }

    /// The integer that is left of a number when its fraction is cut off; nil beyond 128 bits.
    fileprivate var truncated: Int128? {
        guard kind == .number, let text = numberText else { return nil }
        let isNegative = text.hasPrefix("-")
        var digits: [UInt8] = []
        var point: Int?
        var exponent = 0
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte | 0x20 == UInt8(ascii: "e") {
                // An exponent that no integer holds leaves nothing of the number, or nothing that fits.
                let written = Substring(rest)
                exponent = Int(written) ?? (written.hasPrefix("-") ? -10_000 : 10_000)
                break
            }
            if byte == UInt8(ascii: ".") {
                point = digits.count
            } else if byte != UInt8(ascii: "-") {
                digits.append(byte &- UInt8(ascii: "0"))
            }
        }
        let kept = (point ?? digits.count).addingReportingOverflow(exponent)
        guard !kept.overflow, kept.partialValue <= 10_000 else { return nil }
        var value: Int128 = 0
        for index in 0..<max(kept.partialValue, 0) {
            let digit = Int128(index < digits.count ? digits[index] : 0)
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }
}

extension JSONScalar.Kind {
    /// The kind in words, for errors that must not show the value.
    fileprivate var words: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        }
    }
}

extension PropertyKind {
    fileprivate var isInteger: Bool { rawValue >= PropertyKind.int8.rawValue && rawValue <= PropertyKind.uint128.rawValue }
}
