// A scalar of another JSON type than its property's, or a number that its type has no room for, is converted here, if the
// conversions in force allow it. None of this runs for values that fit as they are.

extension Binder {
    private enum Outcome {
        case stored
        /// The value counts as null.
        case null
        case mismatch
    }

    /// Stores a scalar by conversion, or raises the error.
    @inline(never)
    mutating func convert(_ scalar: JSONScalar, orRaise kind: JSONError.Kind) -> Bool {
        let row = document.frame.row
        let rules = unsafe conversions(of: row.policy)
        var isNull = scalar.kind == .null
        // Text that is not valid Unicode must not reach a conversion or the words of an error. It is an error even if the value
        // would be left out.
        if scalar.kind == .string, !isWhole(scalar) { return failUnicode() }
        if rules != .strict {
            let outcome =
                rules.profile == .yyModel
                ? convertAsYYModel(scalar, to: row.kind, rules)
                : convert(scalar, to: row.kind, rules)
            switch outcome {
            case .stored:
                if policy.countsProperties { countValue(.converted) }
                return advance()
            case .null where takesNull:
                if policy.countsProperties { countValue(.converted) }
                return boundNull()
            case .null: isNull = true
            case .mismatch: break
            }
        }
        let raised = isNull ? JSONError.Kind.typeMismatch : kind
        let hint = isShown(raised, isNull: isNull) && !isHidden ? hint(for: scalar) : ""
        return unsafe raise(
            raised, expected: raised == .invalidValue ? expectedContent : expectation,
            found: words(for: scalar), hint: hint, at: document.token.start, isNull: isNull,
            isText: scalar.kind == .string)
    }

    /// Whether the current property or element accepts null, whatever it then does with it.
    private var takesNull: Bool {
        mutating get {
            switch document.frame.kind {
            case .model, .path: nullPolicy(document.frame.row) != .error
            default: document.frame.row.flags.contains(.nullable)
            }
        }
    }

    /// Whether a string is valid Unicode.
    mutating func isWhole(_ scalar: JSONScalar) -> Bool {
        guard let start = unsafe scalar.start, scalar.count > 0 else { return true }
        return unsafe isUnicode(start, scalar.count)
    }

    /// Stores a text for a string, a substring or a text cell.
    private mutating func storeText(_ text: String) {
        switch document.frame.row.kind {
        case .substring: store(Substring(text))
        case .modelText: storeTextCell(text)
        default: store(text)
        }
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
            if rules.nonFiniteStrings, let value = nonFinite(scalar, target) {
                target == .float ? store(Float(value)) : store(value)
                return .stored
            }
            guard rules.profile != .strict else {
                return rules.emptyStringIsNull && scalar.count == 0 ? .null : .mismatch
            }
            return convertText(scalar, to: target, rules)
        }
    }

    /// The value of the strings `NaN`, `Infinity` and `-Infinity`; nil for other strings.
    private func nonFinite(_ scalar: JSONScalar, _ target: PropertyKind) -> Double? {
        guard target == .float || target == .double else { return nil }
        return switch scalar.string {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: nil
        }
    }

    private mutating func convert(_ truth: Bool, to target: PropertyKind) -> Outcome {
        switch target {
        case .string, .substring, .modelText:
            storeText(truth ? "true" : "false")
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
        case _ where target.isText && !isStrict:
            guard let lexeme = scalar.numberText else { return .mismatch }
            storeText(lexeme)
            return .stored
        case .bool where !isStrict:
            guard let value = scalar.integer(as: Int.self), value == 0 || value == 1 else { return .mismatch }
            store(value == 1)
            return .stored
        case .float:
            guard rules.overflow == .clamp else { return .mismatch }
            // A number that does not fit a float is too large: one that is too small becomes 0.
            store(scalar.isNegative ? -Float.greatestFiniteMagnitude : .greatestFiniteMagnitude)
            return .stored
        case .double:
            guard rules.overflow == .clamp else { return .mismatch }
            store(scalar.isNegative ? -Double.greatestFiniteMagnitude : .greatestFiniteMagnitude)
            return .stored
        case _ where target.isInteger:
            return storeInteger(
                truncated(scalar), as: target, overflow: rules.overflow, truncating: rules.truncatesFractions)
        default:
            return .mismatch
        }
    }

    private mutating func convertText(_ scalar: JSONScalar, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        guard !target.isText, let start = unsafe scalar.start else { return .mismatch }
        let text = unsafe LenientText(start, scalar.count).trimmed
        if text.count == 0 { return rules.emptyStringIsNull ? .null : .mismatch }
        if text.isNull { return .null }
        // Only numbers and booleans can be made from a word such as `true`.
        if target.isNumeric, let truth = text.truth ?? (rules.extendedBooleans ? text.extendedTruth : nil) {
            return convert(truth, to: target)
        }
        // Digits make a boolean only if they are one of the extended words.
        if target == .bool { return .mismatch }
        return unsafe text.withNumber { bytes, count in
            unsafe number(JSONScalar(kind: .number, start: bytes, count: count), to: target, rules)
        } ?? .mismatch
    }

    /// Stores the number that a boolean becomes.
    private mutating func number(_ lexeme: StaticString, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        var scalar = unsafe JSONScalar(kind: .number, start: lexeme.utf8Start, count: lexeme.utf8CodeUnitCount)
        scalar.isMadeOfBoolean = true
        return number(scalar, to: target, rules)
    }

    /// Stores a number that the text has in another form: as a string or boolean.
    private mutating func number(_ scalar: JSONScalar, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        switch target {
        case .double:
            if let value = scalar.double {
                store(value)
                return .stored
            }
        case .float:
            if let value = scalar.float {
                store(value)
                return .stored
            }
        case .scalar:
            do throws(JSONError) {
                let converted = withPolicy(scalar)
                return try document.frame.row.binding.type._store(converted, at: destination) ? .stored : .mismatch
            } catch {
                return .mismatch
            }
        default:
            break
        }
        return convertNumber(scalar, to: target, rules)
    }

    // MARK: As YYModel does

    /// YYModel converts the values of properties. It takes elements as they are, and leaves out those of other classes. Here the
    /// text of an element is converted if nothing is lost, and an element that does not fit is left out.
    private mutating func convertAsYYModel(_ scalar: JSONScalar, to target: PropertyKind, _ rules: JSONConversions) -> Outcome {
        switch (scalar.kind, target) {
        case (.boolean, _) where target.isText:
            storeText(scalar.boolean == true ? "1" : "0")
            return .stored
        case (.number, .bool):
            store(scalar.double != 0)
            return .stored
        case (.number, .float), (.number, .double):
            // The number is not finite as this type.
            storeFloatingPoint(0, as: target)
            return .stored
        case (.number, _) where target.isInteger:
            return storeInteger(truncated(scalar), as: target, overflow: .wrap, truncating: true, isYYModel: true)
        case (.string, _) where target.isNumeric && isProperty:
            guard let start = unsafe scalar.start else { return .mismatch }
            let text = unsafe LenientText(start, scalar.count)
            if rules.emptyStringIsNull, text.trimmed.count == 0 { return .null }
            return text.yyNumber.map { yyNumber($0, as: target) } ?? .null
        case (.string, _) where target.isNumeric, (_, .string), (_, .substring), (_, .modelText), (_, .scalar):
            return convert(scalar, to: target, JSONConversions(emptyStringIsNull: rules.emptyStringIsNull))
        case (.boolean, _) where target.isNumeric:
            return convert(scalar.boolean == true, to: target)
        default:
            return .mismatch
        }
    }

    private mutating func yyNumber(_ value: LenientText.YYNumber, as target: PropertyKind) -> Outcome {
        switch (value, target) {
        case (.integer(let value), .bool): store(value != 0)
        case (.fraction(let value), .bool): store(value != 0)
        case (.integer(let value), .double), (.integer(let value), .float): storeFloatingPoint(Double(value), as: target)
        case (.fraction(let value), .double), (.fraction(let value), .float): storeFloatingPoint(value, as: target)
        case (.integer(let value), _):
            return storeInteger(TruncatedInteger(value), as: target, overflow: .wrap, truncating: true)
        case (.fraction(let value), _):
            // Like a cast in C on YYModel's machines: a number that no 64-bit integer holds becomes the nearest one.
            let limited = Int64(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
            return storeInteger(TruncatedInteger(limited), as: target, overflow: .wrap, truncating: true)
        }
        return .stored
    }

    /// Stores a finite number; one that is not finite as a `Float` becomes 0.
    private mutating func storeFloatingPoint(_ value: Double, as target: PropertyKind) {
        if target == .float {
            let narrow = Float(value)
            store(narrow.isFinite ? narrow : 0)
        } else {
            store(value)
        }
    }

    // MARK: Integers

    /// A number without its fraction; nil for scalars that are not numbers.
    private func truncated(_ scalar: JSONScalar) -> TruncatedInteger? {
        guard scalar.kind == .number, let start = unsafe scalar.start else { return nil }
        return unsafe TruncatedInteger(start, scalar.count)
    }

    private mutating func storeInteger(
        _ number: TruncatedInteger?, as target: PropertyKind, overflow: JSONConversions.Overflow, truncating: Bool,
        isYYModel: Bool = false
    ) -> Outcome {
        guard var number, truncating || !number.hasFraction else { return .mismatch }
        // YYModel's integers have 64 bits; a larger number becomes the nearest that fits.
        if isYYModel, target != .int128, target != .uint128 { number.limitTo64Bits() }
        func put<Value: FixedWidthInteger>(_ type: Value.Type) -> Outcome {
            if let exact = number.exactly(Value.self) {
                store(exact)
                return .stored
            }
            switch overflow {
            case .mismatch: return .mismatch
            case .clamp: store(number.isNegative ? Value.min : .max)
            case .wrap: store(Value(truncatingIfNeeded: number.bits))
            }
            return .stored
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
        default: .mismatch
        }
    }

    // MARK: Containers

    /// Whether a container in place of a scalar can be converted to one; its text is then captured.
    mutating func openConvertible(_ found: String) -> Bool {
        let row = document.frame.row
        let isJoined =
            unsafe row.policy?.pointee.joinSeparator != nil && row.kind.isText && found == "an array"
        // YYModel turns a container into the number 0, or into nil if the number is an object.
        let isZero =
            unsafe row.kind.isNumeric && isProperty && conversions(of: row.policy).profile == .yyModel
            && !row.flags.contains(.nullable)
        guard isJoined || isZero else { return false }
        document.resumedRow = row
        document.frame.row = ReaderRows.captured
        return openCapture()
    }

    /// Converts the captured text of a container to a scalar.
    mutating func storeConverted(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let row = document.resumedRow else { return true }
        document.frame.row = row
        document.resumedRow = nil
        guard let separator = unsafe row.policy?.pointee.joinSeparator, row.kind.isText else {
            _ = row.binding.assembly.storeEmpty(at: destination)
            return true
        }
        var reader = JSONReader(options: JSONReader.Options(maximumDepth: policy.options.maximumDepth, conversions: .strict))
        do throws(JSONError) {
            let elements = try unsafe reader.read([JSONValue].self, from: UnsafeRawBufferPointer(bytes))
            storeText(elements.filter { !$0.isNull }.map { $0.string ?? $0.description }.joined(separator: separator))
            return true
        } catch {
            return park(error.prefixed(by: path()))
        }
    }

    /// Whether the current value is that of a property, and not an element.
    private var isProperty: Bool { document.frame.kind == .model || document.frame.kind == .path }
}

extension JSONScalar {
    /// Whether a number has a minus sign.
    fileprivate var isNegative: Bool {
        guard count > 0, let start = unsafe start else { return false }
        // Safe: there is a first byte.
        return unsafe start.pointee == UInt8(ascii: "-")
    }
}

extension JSONScalar.Kind {
    /// The kind in words, for errors that must not show the value.
    var words: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        }
    }
}
