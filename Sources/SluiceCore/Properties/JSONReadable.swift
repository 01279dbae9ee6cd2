// The requirements of types that a JSON value binds to, and of types that are made from one scalar.

/// A type that a JSON value can be bound to.
///
/// Models (``JSONModel``), scalars (``JSONScalarReadable``), `Optional`, `Array`, `Set`, `Dictionary`, ``JSONValue`` and
/// ``RawJSON`` are readable. Conform a type of your own through one of the first two; the requirements below are for generated
/// code and for the library only.
public protocol JSONReadable: SendableMetatype {
    /// Describes how values of this type are bound; called once per type.
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding

    /// Makes a value from the contents of a finished container, consuming them, and stores it.
    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Makes an array from the elements of a finished container, consuming them, and stores it. It is called on the element's type,
    /// whose module knows the size of an element.
    static func _completeArray(_ contents: _Contents, at destination: _Destination)

    /// Makes a value from a captured text and stores it.
    static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome

    /// Like `_complete`, for a model that an update replaces: the draft began with the properties of the model at the destination.
    static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Adds the contents of a finished container to the collection at the destination, consuming them. If the destination is empty,
    /// returns false and consumes nothing.
    static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool

    /// Fills a draft of nils with the properties of the model at a destination; false if the destination is empty.
    static func _prefill(_ draft: UnsafeMutableRawPointer, from place: _Destination) -> Bool

    /// Destroys the contents of a container that will not be finished.
    static func _destroy(_ contents: _Contents)

    /// Moves the elements of a container that has outgrown its memory.
    static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer)

    /// Makes a value from a scalar and stores it; false is a mismatch.
    static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool

    /// Stores an explicit nil.
    static func _storeNil(at destination: _Destination)

    /// Stores the type's empty value (`""`, `[]`, 0); false if it has none.
    static func _storeEmpty(at destination: _Destination) -> Bool

    /// The error in a key of a dictionary; nil if the type accepts the key.
    static func _problem(ofKey key: String) -> JSONError?
}

extension JSONReadable {
    @inlinable
    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        throw JSONError._notAContainer(Self.self)
    }

    @inlinable
    public static func _completeArray(_ contents: _Contents, at destination: _Destination) {
        if unsafe !contents.earlier.isEmpty { return destination.store(contents.gathered(of: Self.self)) }
        // Safe: the table was compiled with this element type, and `count` elements are initialised.
        unsafe destination.store(Array(moving: contents.base.assumingMemoryBound(to: Self.self), count: contents.count))
    }

    public static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome
    {
        throw JSONError._notAContainer(Self.self)
    }

    public static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        try _complete(contents, at: destination)
    }

    public static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool { false }

    public static func _prefill(_ draft: UnsafeMutableRawPointer, from place: _Destination) -> Bool { false }

    @inlinable
    public static func _destroy(_ contents: _Contents) {}

    @inlinable
    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {}

    @inlinable
    public static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool { false }

    @inlinable
    public static func _storeNil(at destination: _Destination) {
        destination.storeNil(as: Self.self)
    }

    @inlinable
    public static func _storeEmpty(at destination: _Destination) -> Bool { false }

    @inlinable
    public static func _problem(ofKey key: String) -> JSONError? { nil }
}

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
    /// place.
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
}

extension JSONScalarReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.scalar(Self.self, expectation: jsonExpectation)
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

/// The raw values of an enum's cases, in words.
private enum RawCases {
    /// How many cases are listed at most; the others are only counted.
    static let limit = 12

    /// The raw values of a type that knows its cases; nil for others.
    static func list(of type: any RawRepresentable.Type) -> String? {
        // Tested at run time, because a type need not be known as `CaseIterable` where it is made bindable.
        guard let type = type as? any CaseIterable.Type else { return nil }
        let values = rawValues(of: type)
        let listed = values.prefix(limit).joined(separator: ", ")
        return values.count > limit ? "\(listed) and \(values.count - limit) more" : listed
    }

    private static func rawValues<Type: CaseIterable>(of type: Type.Type) -> [String] {
        type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue }.map { value in
            (value as? String).map { "\"\($0)\"" } ?? "\(value)"
        }
    }
}
