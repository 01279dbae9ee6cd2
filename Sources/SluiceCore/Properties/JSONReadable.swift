// What it takes to be read: the requirements of any type that a JSON value binds to, and of a type made of one scalar.

/// A type that a JSON value can be bound to.
///
/// Models (``JSONModel``), scalars (``JSONScalarReadable``), `Optional`, `Array`, `Set`, `Dictionary`, ``JSONValue`` and
/// ``RawJSON`` are readable. Conform a type of your own through one of the first two; the requirements below are for generated
/// code and for the library only.
public protocol JSONReadable: SendableMetatype {
    /// Describes how values of this type are bound; called once per type.
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding

    /// Makes a value of a finished container's contents, which it consumes, and stores it.
    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Makes an array of a finished container's elements, which it consumes, and stores it. This is asked of the element's type, whose
    /// module knows how large an element is.
    static func _completeArray(_ contents: _Contents, at destination: _Destination)

    /// Makes a value of a captured text and stores it.
    static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome

    /// The same for a model whose draft began with the properties of the one that the place holds.
    static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Adds a finished container's contents, which it consumes, to the collection that the place holds. If the place is empty,
    /// returns false and consumes nothing.
    static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool

    /// Fills a draft that holds only nils with the properties of the model at a place; false if the place is empty.
    static func _prefill(_ draft: UnsafeMutableRawPointer, from place: _Destination) -> Bool

    /// Destroys the contents of a container that will not be finished.
    static func _destroy(_ contents: _Contents)

    /// Moves the elements of a container that outgrew its memory.
    static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer)

    /// Makes a value of a scalar and stores it; false is a mismatch.
    static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool

    /// Stores an explicit nil.
    static func _storeNil(at destination: _Destination)

    /// Stores the type's empty value (`""`, `[]`, 0); false if it has none.
    static func _storeEmpty(at destination: _Destination) -> Bool

    /// What is wrong with a key of a dictionary; nil for one that the type has.
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
        // Safe: the table was compiled with this type of element, and `count` of them are initialised.
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

/// A type made of one JSON string, number or boolean by a conversion of its own.
///
/// Enums with a raw value need no code. Others make themselves from a ``JSONScalar``; with ``JSONScalarWritable`` they are
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
    /// Makes a value of a scalar; nil where the scalar does not denote one, which is reported with
    /// ``jsonExpectation`` and the place.
    init?(jsonScalar scalar: JSONScalar)

    /// What is accepted, in words that follow "expected": `"an ISO 8601 date"`.
    static var jsonExpectation: String { get }

    /// What may help with a scalar that the type does not take, in a few words for ``JSONError/hint``; nil, as by default,
    /// where nothing does.
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

    /// The type's name, for types that do not say more.
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

    /// `a case of Visibility ("public", "owner")`, say; the cases are listed if the type is `CaseIterable`.
    public static var jsonExpectation: String {
        let words = "a case of \(TypeSpelling.of(Self.self))"
        guard let cases = RawCases.list(of: Self.self) else { return words }
        return "\(words) (\(cases))"
    }
}

/// The raw values of an enum's cases, in words.
private enum RawCases {
    /// More are counted, not listed.
    static let limit = 12

    /// The raw values of a type that knows its cases; nil for others.
    static func list(of type: any RawRepresentable.Type) -> String? {
        // Asked at run time: whether a type is `CaseIterable` need not be known where it is made bindable.
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
