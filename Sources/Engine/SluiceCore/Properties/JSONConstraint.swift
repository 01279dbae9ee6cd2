// What a value must meet besides its type. A property declares it with `@JSONConstraint`; the binder checks it, and schemas contain it.

/// A rule that the values of a property must meet besides their type.
///
/// ```swift
/// @JSONModel
/// struct Order {
///     @JSONConstraint(.range(1...100), .multiple(of: 5)) var amount: Int
///     @JSONConstraint(.length(1...80), .pattern("^[A-Z]")) var customer: String
///     @JSONConstraint(.count(1...), .unique) var items: [String]
/// }
/// ```
///
/// | rule | properties | in JSON Schema |
/// |---|---|---|
/// | `range` | numbers | `minimum`, `maximum`, `exclusiveMaximum` |
/// | `multiple` | numbers | `multipleOf` |
/// | `length` | strings | `minLength`, `maxLength` |
/// | `pattern` | strings | `pattern` |
/// | `format` | strings | `format` |
/// | `count` | arrays | `minItems`, `maxItems` |
/// | `unique` | arrays of `Hashable` elements | `uniqueItems` |
///
/// A type with a raw value that is a number or a string counts as one. Nil meets every rule. A value that does not meet one is an error of
/// kind ``JSONError/Kind/constraint``, whose key is the keyword; the property's ``JSONMismatchPolicy`` applies to it. Only values that are read are checked: not
/// those that a program assigns, and not copies and archives.
public struct JSONConstraint: Sendable, Hashable {
    /// The types of values that rules are made for.
    enum Family: Sendable { case number, text, array }

    /// The end of a range, or a divisor.
    enum Bound: Sendable, Hashable {
        case integer(Int)
        /// A finite number.
        case double(Double)
    }

    enum Rule: Sendable, Hashable {
        case range(lower: Bound?, upper: Bound?, excludesUpper: Bool)
        case multiple(Bound)
        case length(Size)
        case pattern(String)
        case format(JSONTextFormat)
        case count(Size)
        case unique
    }

    /// A least and a greatest count.
    struct Size: Sendable, Hashable {
        let least: Int
        /// Nil for any.
        let most: Int?
    }

    let rule: Rule

    /// A number in a range: `.range(0...130)`, `.range(1...)`, `.range(..<8)`.
    public static func range(_ range: some _JSONRange<Int>) -> JSONConstraint {
        JSONConstraint(
            rule: .range(
                lower: range._lower.map { .integer($0) }, upper: range._upper.map { .integer($0) },
                excludesUpper: range._excludesUpper))
    }

    /// A number in a range: `.range(-273.15...)`.
    public static func range(_ range: some _JSONRange<Double>) -> JSONConstraint {
        // An end at infinity excludes nothing.
        JSONConstraint(
            rule: .range(
                lower: range._lower.flatMap { Bound($0) }, upper: range._upper.flatMap { Bound($0) },
                excludesUpper: range._excludesUpper))
    }

    /// A number that is this number times an integer, exactly: `.multiple(of: 5)`.
    public static func multiple(of divisor: Int) -> JSONConstraint { JSONConstraint(rule: .multiple(.integer(divisor))) }

    /// A number that is this number times an integer, as decimals: 0.07 is `.multiple(of: 0.01)`.
    public static func multiple(of divisor: Double) -> JSONConstraint {
        JSONConstraint(rule: .multiple(Bound(divisor) ?? .integer(0)))
    }

    /// A string with so many Unicode scalars: `.length(1...80)`, `.length(...80)`.
    public static func length(_ range: some _JSONRange<Int>) -> JSONConstraint { JSONConstraint(rule: .length(Size(range))) }

    /// A string with exactly so many Unicode scalars.
    public static func length(_ count: Int) -> JSONConstraint { .length(count...count) }

    /// A string in which a pattern of ECMA-262, as in JSON Schema, matches somewhere: `.pattern("^[a-z]+$")`.
    ///
    /// Look-around and back-references are not supported: with them, the model is an error of kind ``JSONError/Kind/invalidModel``.
    public static func pattern(_ pattern: String) -> JSONConstraint { JSONConstraint(rule: .pattern(pattern)) }

    /// A string in one of JSON Schema's formats.
    ///
    /// ```swift
    /// @JSONModel
    /// struct Rule {
    ///     @JSONConstraint(.format(.ipv4)) var host: String
    ///     @JSONConstraint(.format(.ipv6)) var gateway: String?
    ///     @JSONConstraint(.format(.regex)) var agents: String
    ///     @JSONConstraint(.format(.jsonPointer)) var field: String
    ///     @JSONConstraint(.format(.uriReference)) var page: String
    ///     @JSONConstraint(.format(.dateTime)) var since: String     // kept as text; a `Date` needs no constraint
    /// }
    /// ```
    public static func format(_ format: JSONTextFormat) -> JSONConstraint { JSONConstraint(rule: .format(format)) }

    /// An array with so many elements: `.count(1...)`.
    public static func count(_ range: some _JSONRange<Int>) -> JSONConstraint { JSONConstraint(rule: .count(Size(range))) }

    /// An array with exactly so many elements.
    public static func count(_ count: Int) -> JSONConstraint { .count(count...count) }

    /// An array without equal elements.
    public static let unique = JSONConstraint(rule: .unique)

    /// The values that the rule is for.
    var family: Family {
        switch rule {
        case .range, .multiple: .number
        case .length, .pattern, .format: .text
        case .count, .unique: .array
        }
    }

    /// The rule as it is written in Swift, without its arguments.
    var name: String {
        switch rule {
        case .range: ".range"
        case .multiple: ".multiple"
        case .length: ".length"
        case .pattern: ".pattern"
        case .format: ".format"
        case .count: ".count"
        case .unique: ".unique"
        }
    }
}

extension JSONConstraint.Bound {
    /// Nil for a number that is not finite.
    fileprivate init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self = .double(value)
    }

    /// The number as JSON has it.
    var text: String {
        switch self {
        case .integer(let value): "\(value)"
        case .double(let value): value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
        }
    }

    var isZero: Bool {
        switch self {
        case .integer(let value): value == 0
        case .double(let value): value == 0
        }
    }
}

extension JSONConstraint.Size {
    fileprivate init(_ range: some _JSONRange<Int>) {
        least = max(range._lower ?? 0, 0)
        most = range._upper.map { range._excludesUpper ? $0.subtractingReportingOverflow(1).partialValue : $0 }
    }
}

/// The ranges of the standard library, for the rules of ``JSONConstraint``.
public protocol _JSONRange<Bound> {
    associatedtype Bound
    var _lower: Bound? { get }
    var _upper: Bound? { get }
    var _excludesUpper: Bool { get }
}

extension _JSONRange {
    public var _lower: Bound? { nil }
    public var _upper: Bound? { nil }
    public var _excludesUpper: Bool { false }
}

extension ClosedRange: _JSONRange {
    public var _lower: Bound? { lowerBound }
    public var _upper: Bound? { upperBound }
}

extension Range: _JSONRange {
    public var _lower: Bound? { lowerBound }
    public var _upper: Bound? { upperBound }
    public var _excludesUpper: Bool { true }
}

extension PartialRangeFrom: _JSONRange {
    public var _lower: Bound? { lowerBound }
}

extension PartialRangeThrough: _JSONRange {
    public var _upper: Bound? { upperBound }
}

extension PartialRangeUpTo: _JSONRange {
    public var _upper: Bound? { upperBound }
    public var _excludesUpper: Bool { true }
}
