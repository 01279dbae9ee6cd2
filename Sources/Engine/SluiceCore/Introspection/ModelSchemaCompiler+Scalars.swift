// What decides which values a scalar accepts, or how it is written: the options, completed by the policy of the property.

/// The rules for a value in a schema.
struct ModelSchemaRules {
    /// How scalars convert; strict unless the schema is for reading.
    var conversions = JSONConversions.strict
    var elements = JSONElementPolicy.strict
    var nulls: JSONNullPolicy?
    var mismatch: JSONMismatchPolicy?
    var date: JSONDateFormat?
    var data = JSONDataFormat.base64
    var isJoined = false
    /// Whether YYModel's rules hold, under which nearly every value is accepted.
    var isYYModel: Bool { conversions.profile == .yyModel }
    /// Whether text, numbers and booleans convert into each other.
    var isLenient: Bool { conversions.profile != .strict }
}

extension ModelSchemaCompiler {
    /// The rules of a property.
    func rules(of policy: JSONPropertyPolicy) -> ModelSchemaRules {
        var rules = ModelSchemaRules()
        rules.date = policy.date
        switch purpose {
        case .reading(let options):
            rules.conversions = policy.conversions ?? options.conversions
            rules.nulls = policy.nulls ?? options.nulls
            rules.mismatch = policy.mismatch ?? options.mismatch ?? (rules.isYYModel ? .keep : nil)
            let own = policy.elements ?? options.elements
            rules.elements = own ?? (rules.isYYModel ? .skipInvalid : .strict)
            rules.date = rules.date ?? options.dates
            rules.data = policy.dataFormat ?? .base64
            rules.isJoined = policy.joinSeparator != nil
        case .tools:
            rules.date = rules.date ?? .iso8601
            rules.data = policy.dataFormat ?? .base64
        case .writing(let options):
            rules.date = rules.date ?? options.dates
            rules.data = policy.dataFormat ?? options.data
        }
        return rules
    }

    // MARK: Scalars

    /// The schema of a scalar, or of any JSON.
    func scalar(_ binding: BindingHandle, _ rules: ModelSchemaRules) -> JSONValue {
        if rules.isYYModel { return .bool(true) }
        switch binding.kind {
        case .bool: return typed("boolean", rules)
        case .string, .substring:
            var types = rules.isLenient ? ["string", "number", "boolean"] : ["string"]
            if rules.isJoined { types.append("array") }
            return .object(["type": JSONValue.types(types)])
        case .int8: return integer(Int8.self, rules)
        case .int16: return integer(Int16.self, rules)
        case .int32: return integer(Int32.self, rules)
        case .int64: return integer(Int64.self, rules)
        case .int128: return integer(Int128.self, rules)
        case .uint8: return integer(UInt8.self, rules)
        case .uint16: return integer(UInt16.self, rules)
        case .uint32: return integer(UInt32.self, rules)
        case .uint64: return integer(UInt64.self, rules)
        case .uint128: return integer(UInt128.self, rules)
        case .float: return number(Double(Float.greatestFiniteMagnitude), rules)
        case .double: return number(.greatestFiniteMagnitude, rules)
        case .scalar: return converted(binding.type, rules)
        default: return .bool(true)
        }
    }

    private func typed(_ type: String, _ rules: ModelSchemaRules, _ further: [JSONObject.Member] = []) -> JSONValue {
        var types = [type]
        if rules.isLenient {
            types += ["number", "string", "boolean"].filter { $0 != type && !($0 == "number" && type == "integer") }
        } else if rules.conversions.emptyStringIsNull {
            types.append("string")
        }
        return .object(JSONObject([("type", JSONValue.types(types))] + further))
    }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type, _ rules: ModelSchemaRules) -> JSONValue {
        // A wide type accepts more than a caller of tools needs to be told.
        var isLimited = rules.conversions.overflow == .mismatch
        if case .tools = purpose { isLimited = isLimited && (Value.bitWidth < 64 || !Value.isSigned) }
        var limits: [JSONObject.Member] = []
        if isLimited {
            limits.append(("minimum", .number(JSONNumber(Value.min))))
            if case .tools = purpose, Value.bitWidth >= 64 {} else { limits.append(("maximum", .number(JSONNumber(Value.max)))) }
        }
        return typed(rules.conversions.truncatesFractions ? "number" : "integer", rules, limits)
    }

    private func number(_ greatest: Double, _ rules: ModelSchemaRules) -> JSONValue {
        if case .writing(let options) = purpose, options.nonFinite == .strings {
            return .object(["anyOf": .array([.object(["type": "number"]), .nonFinite])])
        }
        var limits: [JSONObject.Member] = []
        if case .reading = purpose, rules.conversions.overflow != .clamp, let most = JSONNumber(greatest),
            let least = JSONNumber(-greatest)
        {
            limits = [("minimum", .number(least)), ("maximum", .number(most))]
        }
        let plain = typed("number", rules, limits)
        guard rules.conversions.nonFiniteStrings, !rules.isLenient else { return plain }
        return .object(["anyOf": .array([plain, .nonFinite])])
    }

    /// A type that converts scalars itself.
    private func converted(_ type: any JSONReadable.Type, _ rules: ModelSchemaRules) -> JSONValue {
        if type is any DatedScalar.Type { return date(rules) }
        if let known = type as? any KnownScalar.Type {
            switch known.form {
            case .number: return typed("number", rules)
            case .text(let format):
                return .object(JSONObject([("type", "string")] + (format.map { [("format", .string($0))] } ?? [])))
            case .data:
                let encoding: [JSONObject.Member] = rules.data == .base64 ? [("contentEncoding", "base64")] : []
                return .object(JSONObject([("type", "string")] + encoding))
            }
        }
        let names = (type as? any JSONScalarReadable.Type)?._jsonCases.compactMap { $0 as? String } ?? []
        if !names.isEmpty {
            // Any string is a value of the enum; a caller of tools should use one that it names.
            var keyword = "examples"
            if case .tools = purpose { keyword = "enum" }
            return .object(JSONObject([("type", "string"), (keyword, .array(names.map { .string($0) }))]))
        }
        if let raw = type as? any (RawRepresentable & JSONScalarReadable).Type { return self.raw(raw, rules) }
        let words = (type as? any JSONScalarReadable.Type)?.jsonExpectation
        let isPlain = words == nil || words == TypeSpelling.of(type)
        return isPlain ? .bool(true) : .object(["description": .string(words ?? "")])
    }

    private func date(_ rules: ModelSchemaRules) -> JSONValue {
        guard let format = rules.date else {
            let types = rules.conversions.detectsEpochs ? ["string", "number"] : ["string"]
            return .object(["type": JSONValue.types(types), "format": "date-time"])
        }
        if let unit = format.epoch?.unit {
            var isText = false
            // A string may hold the number.
            if case .reading = purpose { isText = true }
            return .object([
                "description": .string("Unix time in \(unit)"),
                "type": JSONValue.types(isText ? ["number", "string"] : ["number"]),
            ])
        }
        switch format {
        case .format("yyyy-MM-dd"): return .object(["type": "string", "format": "date"])
        case .format(let pattern): return .object(["description": .string("a date as \(pattern)"), "type": "string"])
        case .rfc1123: return .object(["description": "a date as Mon, 20 Jan 2014 12:24:48 GMT", "type": "string"])
        default: return .object(["type": "string", "format": "date-time"])
        }
    }

    /// An enum with raw values, or another type that has one.
    private func raw<Raw: RawRepresentable & JSONScalarReadable>(_ type: Raw.Type, _ rules: ModelSchemaRules) -> JSONValue {
        let isText = Raw.RawValue.self == String.self
        let values = RawCases.rawValues(of: type).compactMap { value -> JSONValue? in
            (value as? String).map { .string($0) } ?? (value as? any FixedWidthInteger).map { .number(JSONNumber($0)) }
        }
        // The text of a number may be one of an enum's numbers.
        guard !values.isEmpty, isText || !rules.isLenient else {
            if isText { return .object(["type": "string"]) }
            return Raw.RawValue.self is any BinaryInteger.Type ? typed("integer", rules) : .bool(true)
        }
        return .object(["type": isText ? "string" : "integer", "enum": .array(values)])
    }
}

extension JSONValue {
    /// The value of the keyword `type`.
    static func types(_ names: [String]) -> JSONValue { names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) }) }

    /// The strings that stand for numbers that are not finite.
    fileprivate static var nonFinite: JSONValue { .object(["enum": ["NaN", "Infinity", "-Infinity"]]) }

    /// The schema of a property, with the keywords of its constraints.
    func adding(_ set: ConstraintSet, to kind: PropertyKind) -> JSONValue {
        guard case .object(var object) = self else { return self }
        for constraint in set.constraints {
            switch constraint.rule {
            case .range(let lower, let upper, let excludesUpper):
                if let lower { object.narrow("minimum", to: lower) { $0 < 0 } }
                if let upper, excludesUpper { object["exclusiveMaximum"] = upper.value }
                if let upper, !excludesUpper { object.narrow("maximum", to: upper) { $0 > 0 } }
            case .multiple(let divisor): object["multipleOf"] = divisor.value
            case .length(let size): object.limit("minLength", "maxLength", size)
            case .pattern(let pattern): object.require("pattern", .string(pattern))
            case .format(let format): object.require("format", .string(format.rawValue))
            case .count(let size): object.limit("minItems", "maxItems", size)
            case .unique: object["uniqueItems"] = .bool(true)
            }
        }
        return .object(object)
    }
}

extension JSONConstraint.Bound {
    fileprivate var value: JSONValue { .number(JSONNumber(validated: text)) }
}

extension JSONObject {
    /// Sets a limit, unless the one of the type is narrower.
    ///
    /// - Parameter isWider: Whether the type's limit, by its order to the constraint's, accepts more.
    fileprivate mutating func narrow(_ keyword: String, to bound: JSONConstraint.Bound, _ isWider: (Int) -> Bool) {
        if case .number(let known)? = self[keyword], let order = ConstrainedValue.number(known.lexeme).order(to: bound),
            !isWider(order)
        {
            return
        }
        self[keyword] = bound.value
    }

    fileprivate mutating func limit(_ least: String, _ most: String, _ size: JSONConstraint.Size) {
        if size.least > 0 { self[least] = .number(JSONNumber(size.least)) }
        if let limit = size.most { self[most] = .number(JSONNumber(Swift.max(limit, 0))) }
    }

    /// Adds a keyword; a second pattern or format gets a schema of its own.
    fileprivate mutating func require(_ keyword: String, _ value: JSONValue) {
        guard self[keyword] != nil else { return self[keyword] = value }
        let known = if case .array(let schemas)? = self["allOf"] { schemas } else { [JSONValue]() }
        self["allOf"] = .array(known + [.object([keyword: value])])
    }
}
