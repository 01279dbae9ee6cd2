// The types that a JSON value can be bound to, and those of them that are made from one scalar.

/// A type that a JSON value can be bound to.
///
/// Models (``JSONModel``), scalars (``JSONScalarReadable``), collections (``JSONCollection``), `Optional`, `Array`, `Set`,
/// `Dictionary`, ``JSONValue`` and ``RawJSON`` are readable. Nothing is implemented for this protocol itself: a type of your own
/// becomes readable in one of three ways.
///
/// ```swift
/// @JSONModel
/// struct Author { var name: String }                  // an object: the macro writes the code
///
/// enum Size: String, JSONScalarBindable { case s, m }  // a scalar with a raw value: no code
///
/// struct Port: JSONScalarReadable {                    // a scalar with a conversion of its own
///     var number: UInt16
///     init?(jsonScalar scalar: JSONScalar) {
///         guard let number = scalar.integer(as: UInt16.self) else { return nil }
///         self.number = number
///     }
/// }
/// ```
///
/// All of them, and all collections of them, are read in the same ways:
///
/// ```swift
/// let authors = try [Author](json: #"[{"name": "Jane Austen"}]"#)
/// ```
public protocol JSONReadable: _JSONReadable {}

/// A type that is made from one JSON string, number or boolean by a conversion of its own.
///
/// Enums with a raw value need no code. Other types make themselves from a ``JSONScalar``; with ``JSONScalarWritable`` they can be
/// written as well.
///
/// ```swift
/// struct Port: JSONScalarReadable {
///     var number: UInt16
///     init?(jsonScalar scalar: JSONScalar) {
///         guard let number = scalar.integer(as: UInt16.self) else { return nil }
///         self.number = number
///     }
///     static var jsonExpectation: String { "a port" }
/// }
/// ```
public protocol JSONScalarReadable: JSONReadable {
    /// Makes a value from a scalar; nil if the scalar does not denote one. The reader reports that with ``jsonExpectation`` and the
    /// position.
    init?(jsonScalar scalar: JSONScalar)

    /// The accepted values, in words that follow "expected": `"an ISO 8601 date"`.
    static var jsonExpectation: String { get }

    /// Advice for a scalar that the type does not accept, in a few words for ``JSONError/hint``; nil, the default, if there is
    /// none.
    ///
    /// ```swift
    /// static func jsonHint(for scalar: JSONScalar) -> String? {
    ///     scalar.kind == .number ? "a percentage is a string such as \"12 %\"" : nil
    /// }
    /// ```
    static func jsonHint(for scalar: JSONScalar) -> String?

    /// The cases of an enum of raw values, or the strings that an enum with a case `unknown(String)` names; empty for other types. For generated
    /// code.
    static var _jsonCases: [Any] { get }
}

extension JSONScalarReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(PropertyKind(ofScalar: Self.self), Self.self, expectation: jsonExpectation)
    }

    @inlinable
    public static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool {
        guard let value = Self(jsonScalar: scalar) else { return false }
        destination.store(value)
        return true
    }

    /// The type's name, unless the type defines its own text.
    public static var jsonExpectation: String { TypeSpelling.of(Self.self) }

    public static func jsonHint(for scalar: JSONScalar) -> String? { nil }

    public static var _jsonCases: [Any] { [] }
}

extension JSONScalarReadable where Self: RawRepresentable, RawValue: JSONScalarReadable {
    /// The case with this raw value; nil if no case has it.
    @inlinable
    public init?(jsonScalar scalar: JSONScalar) {
        guard let raw = RawValue(jsonScalar: scalar) else { return nil }
        self.init(rawValue: raw)
    }

    /// For example `a case of Visibility ("public", "owner")`; the cases are listed if the type is `CaseIterable`.
    public static var jsonExpectation: String {
        let words = "a case of \(TypeSpelling.of(Self.self))"
        guard let cases = RawCases.list(of: Self.self) else { return words }
        return "\(words) (\(cases))"
    }
}

/// The raw values of an enum's cases.
enum RawCases {
    /// How many cases are listed at most; the others are only counted.
    private static let limit = 12

    /// The raw values of a type that knows its cases, in words; nil for others.
    fileprivate static func list(of type: any RawRepresentable.Type) -> String? {
        let values = rawValues(of: type)
        guard !values.isEmpty else { return nil }
        let words = values.map { value in (value as? String).map { "\"\($0)\"" } ?? "\(value)" }
        let listed = words.prefix(limit).joined(separator: ", ")
        return words.count > limit ? "\(listed) and \(words.count - limit) more" : listed
    }

    /// The raw values of a type that knows its cases; none for others.
    static func rawValues(of type: Any.Type) -> [Any] {
        // Tested at run time, because a type need not be known as `CaseIterable` where it is made bindable.
        var cases = (type as? any JSONScalarReadable.Type)?._jsonCases ?? []
        if cases.isEmpty, let type = type as? any CaseIterable.Type { cases = all(of: type) }
        return cases.compactMap { ($0 as? any RawRepresentable)?.rawValue }
    }

    /// The cases of a type.
    static func all<Type: CaseIterable>(of type: Type.Type) -> [Any] { Array(type.allCases) }
}
