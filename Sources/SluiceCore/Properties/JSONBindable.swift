// The three protocols that a Swift type takes part through: anything that a JSON value binds to, scalars with a conversion of
// their own, and models with a property table.

/// A type that a JSON value can be bound to, and that can be written as a JSON value.
///
/// Models (``JSONModel``), scalars (``JSONScalarBindable``), `Optional`, `Array`, `Set`, `Dictionary`, ``JSONValue`` and
/// ``RawJSON`` are bindable. Conform a type of your own through one of the first two; the requirements below are for generated
/// code and for the library only.
public protocol JSONBindable: SendableMetatype {
    /// Describes how values of this type are bound; called once per type.
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding

    /// Makes a value of a finished container's contents, which it consumes, and stores it.
    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Makes a value of a captured text and stores it.
    static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome

    /// The same for a model whose draft began with the properties of the one that the place holds.
    static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError)

    /// Adds a finished container's contents, which it consumes, to the collection that the place holds; false, and nothing
    /// consumed, if there is none.
    static func _append(_ contents: _Contents, at destination: _Destination) throws(JSONError) -> Bool

    /// Fills a draft that holds only nils with the properties of the model at a place; false if there is none.
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

    /// Writes the value.
    func _write(to writer: inout JSONWriter) throws(JSONError)

    /// Whether the value is absent where its container leaves out what is nil.
    var _isNil: Bool { get }
}

extension JSONBindable {
    @inlinable
    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        throw JSONError._notAContainer(Self.self)
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

    @inlinable
    public var _isNil: Bool { false }
}

/// A type made of one JSON string, number or boolean by a conversion of its own.
///
/// Enums with a raw value need no code; other types make themselves from a ``JSONScalar`` and write one.
///
/// ```swift
/// enum Visibility: String, JSONScalarBindable { case everyone = "public", owner = "private" }
///
/// struct Percent: JSONScalarBindable {
///     var value: Double
///     init?(jsonScalar scalar: JSONScalar) {
///         guard let value = scalar.double else { return nil }
///         self.value = value
///     }
///     func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(value) }
///     static var jsonExpectation: String { "a percentage" }
/// }
/// ```
public protocol JSONScalarBindable: JSONBindable {
    /// Makes a value of a scalar; nil where the scalar does not denote one, which is reported with
    /// ``jsonExpectation`` and the place.
    init?(jsonScalar scalar: JSONScalar)

    /// Writes the value as one scalar.
    func write(to writer: inout JSONWriter) throws(JSONError)

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

extension JSONScalarBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.scalar(Self.self, expectation: jsonExpectation)
    }

    @inlinable
    public static func _store(_ scalar: JSONScalar, at destination: _Destination) throws(JSONError) -> Bool {
        guard let value = Self(jsonScalar: scalar) else { return false }
        destination.store(value)
        return true
    }

    @inlinable
    public func _write(to writer: inout JSONWriter) throws(JSONError) { try write(to: &writer) }

    /// The type's name, for types that do not say more.
    public static var jsonExpectation: String { TypeSpelling.of(Self.self) }

    public static func jsonHint(for scalar: JSONScalar) -> String? { nil }
}

extension JSONScalarBindable where Self: RawRepresentable, RawValue: JSONScalarBindable {
    /// The case with this raw value; nil when there is none.
    @inlinable
    public init?(jsonScalar scalar: JSONScalar) {
        guard let raw = RawValue(jsonScalar: scalar) else { return nil }
        self.init(rawValue: raw)
    }

    /// Writes the raw value.
    @inlinable
    public func write(to writer: inout JSONWriter) throws(JSONError) { try rawValue.write(to: &writer) }

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

/// A type whose stored properties are bound to the keys of a JSON object through a property table.
///
/// `@JSONModel` writes the conformance. By hand it is the same few members: see `HandwrittenModelTests.swift`.
public protocol JSONModel: JSONBindable {
    /// The model before it is complete: an optional for each property that is read.
    associatedtype JSONDraft: _JSONModelDraft

    /// The compiled table; `PropertyTable._compiled(for: Self.self)`, stored where the type is not generic.
    static var _jsonTable: PropertyTable { get }

    /// Names the properties in the order of their slots.
    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>)

    /// Makes the model of a draft, out of which it takes what it wants; the rest is destroyed afterwards.
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError)

    /// A draft with all properties that are read; nil where no update is meant to be possible.
    func _makeDraft() -> JSONDraft?

    /// Takes over the properties that are not read from the model that this one replaces.
    mutating func _keepUnread(of old: Self)

    /// Writes the property of a slot through `writer.property(…)`; unknown slots write nothing.
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError)

    /// The key path of a slot's property, by which a call says what is written; nil for slots that have none.
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath?
}

/// The draft of a model: optionals that all start as nil.
///
/// A fresh draft holds nothing but nils, so the reader makes one by copying the bytes of another.
public protocol _JSONModelDraft {
    /// A draft in which every property is nil.
    init()
}

extension JSONModel {
    public func _makeDraft() -> JSONDraft? { nil }

    public mutating func _keepUnread(of old: Self) {}

    public static func _prefill(_ draft: UnsafeMutableRawPointer, from place: _Destination) -> Bool {
        guard let filled = place.load(Self.self)?._makeDraft() else { return false }
        // Safe: the reader hands over a draft of this very type, made from the table's template.
        unsafe draft.assumingMemoryBound(to: JSONDraft.self).pointee = filled
        return true
    }

    public static func _completeUpdate(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        let old = destination.load(Self.self)
        try _complete(contents, at: destination)
        guard let old, var new = destination.load(Self.self) else { return }
        new._keepUnread(of: old)
        destination.store(new)
    }

    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.model(Self.self) }

    @inlinable
    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // Safe: the reader hands over a draft of this very type, initialised from the table's template.
        let draft = unsafe contents.base.assumingMemoryBound(to: JSONDraft.self)
        // What the model has not taken is destroyed; moved out of this memory before, the draft would be copied once more.
        defer { unsafe draft.deinitialize(count: 1) }
        unsafe destination.store(try Self(_jsonDraft: &draft.pointee, bound: contents.bound))
    }

    @inlinable
    public static func _destroy(_ contents: _Contents) {
        // Safe: as above; the reader calls either `_complete` or `_destroy`, once.
        unsafe contents.base.assumingMemoryBound(to: JSONDraft.self).deinitialize(count: 1)
    }

    @inlinable
    public func _write(to writer: inout JSONWriter) throws(JSONError) { try writer.model(self, Self._jsonTable) }

    public static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { nil }
}
