// The constraints of one property, with their patterns compiled.

/// The constraints of a property, ready to be checked.
package final class ConstraintSet: Sendable, Hashable {
    package let constraints: [JSONConstraint]
    /// The compiled patterns, in the order of the constraints that have one.
    private let patterns: [TextPattern]
    /// Why a pattern cannot be used.
    private let fault: String?
    /// Whether equal elements of an array matter.
    let areUnique: Bool

    init(_ constraints: [JSONConstraint]) {
        self.constraints = constraints
        areUnique = constraints.contains(.unique)
        var patterns: [TextPattern] = []
        var fault: String?
        for constraint in constraints {
            guard case .pattern(let source) = constraint.rule else { continue }
            do throws(TextPattern.Failure) {
                patterns.append(try TextPattern(source))
            } catch {
                fault = fault ?? "the pattern \(source) is not usable: \(error.reason) (byte \(error.offset))"
            }
        }
        self.patterns = patterns
        self.fault = fault
    }

    package static func == (left: ConstraintSet, right: ConstraintSet) -> Bool { left.constraints == right.constraints }
    package func hash(into hasher: inout Hasher) { hasher.combine(constraints) }

    /// Why the constraints cannot be those of a property; nil if they can.
    func problem(of name: String, _ binding: BindingHandle) -> JSONError? {
        func fault(_ words: String) -> JSONError { JSONError(.invalidModel, found: "'\(name)': \(words)") }
        if let words = self.fault { return fault(words) }
        let family = binding.constrainedFamily
        for constraint in constraints where constraint.family != family {
            let type = TypeSpelling.of(binding.spelledType)
            return fault("the constraint \(constraint.name) is for \(constraint.family.words), and the type is \(type)")
        }
        if areUnique, let element = binding.element?.binding.spelledType, !(element is any Hashable.Type) {
            return fault(
                "the constraint .unique compares elements, and \(TypeSpelling.of(element)) is not Hashable")
        }
        for constraint in constraints {
            if case .multiple(let divisor) = constraint.rule, divisor.isZero { return fault("no number is a multiple of 0") }
        }
        return nil
    }

    /// A value does not meet a rule.
    struct Breach {
        /// The keyword of the rule in a schema.
        let keyword: String
        let expected: String
        let found: String
    }

    /// The first rule that a value does not meet; nil if it meets all.
    ///
    /// - Parameter hides: Whether the words must not show the value.
    func breach(of value: ConstrainedValue, hides: Bool) -> Breach? {
        var patterns = patterns[...]
        for constraint in constraints {
            let breach: (keyword: String, found: String)?
            if case .pattern = constraint.rule, let pattern = patterns.popFirst(), case .text(let text) = value {
                breach = pattern.matches(text) ? nil : ("pattern", value.words)
            } else {
                breach = constraint.breach(of: value)
            }
            guard let breach else { continue }
            return Breach(
                keyword: breach.keyword, expected: constraint.words, found: hides ? value.hiddenWords : breach.found)
        }
        return nil
    }
}

extension JSONConstraint.Family {
    fileprivate var words: String {
        switch self {
        case .number: "numbers"
        case .text: "strings"
        case .array: "arrays"
        }
    }
}

extension TableHandle where Content == Binding {
    /// The constraints that values of the type can have; nil if none.
    fileprivate var constrainedFamily: JSONConstraint.Family? {
        guard adapter == .none else { return nil }
        if kind.isText { return .text }
        if kind.isNumeric { return kind == .bool ? nil : .number }
        switch kind {
        // A set has dropped equal elements before it could be checked.
        case .array: return spelledType is any Collection.Type && !(spelledType is any SetAlgebra.Type) ? .array : nil
        case .scalar:
            if let known = spelledType as? any KnownScalar.Type, case .number = known.form { return .number }
            return (spelledType as? any RawRepresentable.Type).flatMap { Self.rawFamily(of: $0) }
        default: return nil
        }
    }

    private static func rawFamily<Raw: RawRepresentable>(of type: Raw.Type) -> JSONConstraint.Family? {
        if Raw.RawValue.self == String.self { return .text }
        return Raw.RawValue.self is any BinaryInteger.Type ? .number : nil
    }
}

extension JSONConstraint {
    /// The keyword that a value breaks, and what the value is; nil if it meets the rule. A pattern is not checked here.
    fileprivate func breach(of value: ConstrainedValue) -> (keyword: String, found: String)? {
        switch (rule, value) {
        case (.range(let lower, let upper, let excludesUpper), .integer),
            (.range(let lower, let upper, let excludesUpper), .double),
            (.range(let lower, let upper, let excludesUpper), .number):
            // A number that is not finite as a decimal has no order, and is in no range.
            if let lower, value.order(to: lower).map({ $0 < 0 }) ?? true { return ("minimum", value.words) }
            guard let upper, value.order(to: upper).map({ excludesUpper ? $0 >= 0 : $0 > 0 }) ?? true else { return nil }
            return (excludesUpper ? "exclusiveMaximum" : "maximum", value.words)
        case (.multiple(let divisor), .integer), (.multiple(let divisor), .double), (.multiple(let divisor), .number):
            return value.isMultiple(of: divisor) ? nil : ("multipleOf", value.words)
        case (.length(let size), .text(let text)):
            return size.breach(text.unicodeScalars.count, "minLength", "maxLength")
        case (.format(let format), .text(let text)):
            return format.accepts(text) ? nil : ("format", value.words)
        case (.count(let size), .elements(let count, _)):
            return size.breach(count, "minItems", "maxItems")
        case (.unique, .elements(_, let twins)):
            return twins.map { ("uniqueItems", "equal ones at [\($0.0)] and [\($0.1)]") }
        default:
            return nil
        }
    }

    /// The values that the rule accepts, in words.
    var words: String {
        switch rule {
        case .range(let lower?, let upper?, let excludesUpper):
            "a number from \(lower.text) to \(upper.text)" + (excludesUpper ? ", which is excluded" : "")
        case .range(let lower?, nil, _): "a number of at least \(lower.text)"
        case .range(nil, let upper?, let excludesUpper): "a number " + (excludesUpper ? "below " : "of at most ") + upper.text
        case .range(nil, nil, _): "a number"
        case .multiple(let divisor): "a multiple of \(divisor.text)"
        case .length(let size): "a string of \(size.words) Unicode scalars"
        case .pattern(let pattern): "a string that matches \(pattern)"
        case .format(let format): "a string with the format \(format.rawValue)"
        case .count(let size): "an array of \(size.words) elements"
        case .unique: "an array without equal elements"
        }
    }
}

extension JSONConstraint.Size {
    /// The keyword that a count breaks, and the count.
    fileprivate func breach(_ count: Int, _ least: String, _ most: String) -> (keyword: String, found: String)? {
        if count < self.least { return (least, "one of \(count)") }
        return self.most.map { count > $0 } == true ? (most, "one of \(count)") : nil
    }

    fileprivate var words: String {
        guard let most else { return "at least \(least)" }
        return least == most ? "exactly \(least)" : least == 0 ? "at most \(most)" : "\(least) to \(most)"
    }
}
