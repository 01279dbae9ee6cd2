// The values that constraints can be checked on, and the checks.

/// A scalar type whose JSON is always a number, or always a string, and what it says in a schema.
package protocol KnownScalar {
    static var form: ScalarForm { get }
    /// The number as JSON has it; nil for a type of strings, and for a value that is not finite.
    var exactNumber: String? { get }
}

extension KnownScalar {
    package var exactNumber: String? { nil }
}

/// The JSON of a scalar type.
package enum ScalarForm: Sendable {
    case number
    /// A string, and the format of JSON Schema that its text has.
    case text(format: String?)
    /// Bytes, as a string in an encoding.
    case data
}

/// A value as constraints see it.
enum ConstrainedValue {
    case integer(Int128)
    case double(Double)
    /// A number with digits that neither of them has.
    case number(String)
    case text(String)
    /// The count of an array's elements, and two indices with equal elements, if there are such and if it matters.
    case elements(Int, twins: (Int, Int)?)

    /// The value of a scalar type, if constraints can be checked on it.
    static func of(scalar value: Any) -> ConstrainedValue? {
        if let known = value as? any KnownScalar { return known.exactNumber.map { .number($0) } }
        guard let raw = (value as? any RawRepresentable).map({ rawValue($0) }) else { return nil }
        if let text = raw as? String { return .text(text) }
        return (raw as? any BinaryInteger).flatMap { Int128(exactly: $0) }.map { .integer($0) }
    }

    private static func rawValue<Raw: RawRepresentable>(_ value: Raw) -> Any { value.rawValue }

    /// An array.
    static func of(array value: Any, findsTwins: Bool) -> ConstrainedValue? {
        guard let elements = value as? any Collection else { return nil }
        func open<Elements: Collection>(_ elements: Elements) -> ConstrainedValue {
            .elements(elements.count, twins: findsTwins ? twins(in: elements) : nil)
        }
        return open(elements)
    }

    private static func twins<Elements: Collection>(in elements: Elements) -> (Int, Int)? {
        var known: [AnyHashable: Int] = [:]
        for (index, element) in elements.enumerated() {
            guard let key = element as? AnyHashable else { continue }
            if let earlier = known.updateValue(index, forKey: key) { return (earlier, index) }
        }
        return nil
    }

    /// Compares a number with a bound: below 0, 0 or above 0. Nil for other values, and for a number that is not one.
    func order(to bound: JSONConstraint.Bound) -> Int? {
        switch (self, bound) {
        case (.integer(let value), .integer(let bound)): value < bound ? -1 : value > bound ? 1 : 0
        case (.integer(let value), .double(let bound)): Self.order(value, bound)
        case (.double(let value), .integer(let bound)): Self.order(Int128(bound), value).map { -$0 }
        case (.double(let value), .double(let bound)): value.isNaN ? nil : value < bound ? -1 : value > bound ? 1 : 0
        case (.number(let text), _):
            DecimalLexeme.of(text) { number in DecimalLexeme.of(bound.text) { number.order(to: $0) } }
        case (.text, _), (.elements, _): nil
        }
    }

    private static func order(_ integer: Int128, _ double: Double) -> Int? {
        if double.isNaN { return nil }
        guard let whole = Int128(exactly: double.rounded(.down)) else { return double > 0 ? -1 : 1 }
        if integer != whole { return integer < whole ? -1 : 1 }
        return Double(whole) < double ? -1 : 0
    }

    /// Whether a number is a divisor times an integer.
    func isMultiple(of divisor: JSONConstraint.Bound) -> Bool {
        if case .integer(let value) = self, case .integer(let divisor) = divisor {
            return divisor != 0 && (divisor == -1 || value % Int128(divisor) == 0)
        }
        let text: String? =
            switch self {
            case .integer(let value): "\(value)"
            case .double(let value): value.isFinite ? "\(value)" : nil
            case .number(let text): text
            case .text, .elements: nil
            }
        guard let text else { return false }
        return DecimalLexeme.of(text) { number in DecimalLexeme.of(divisor.text) { number.isMultiple(of: $0) } } ?? false
    }

    /// The value in the words of an error.
    var words: String {
        switch self {
        case .integer(let value): "the number \(value)"
        case .double(let value): "the number \(value)"
        case .number(let text): "the number \(text)"
        case .text(var text): text.withUTF8 { unsafe "the string \"\(ErrorWords.beginning(of: UnsafeRawBufferPointer($0)))\"" }
        case .elements(let count, _): "one of \(count)"
        }
    }

    /// The same without its content.
    var hiddenWords: String {
        switch self {
        case .integer, .double, .number: "a number"
        case .text: "a string"
        case .elements: "an array"
        }
    }
}
