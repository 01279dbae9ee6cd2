// A model: a type whose properties are bound through a table. The requirements that generated code meets, and their defaults.

/// A type whose stored properties are bound to the keys of a JSON object through a property table.
///
/// `@JSONModel` writes the conformance. A conformance by hand has the same few members: see `HandwrittenModelTests.swift`.
public protocol JSONModel: JSONBindable {
    /// The model before it is complete: an optional for each property that is read.
    associatedtype JSONDraft: _JSONModelDraft

    /// The compiled table: `PropertyTable._compiled(for: Self.self)`, kept in a static property unless the type is generic.
    static var _jsonTable: PropertyTable { get }

    /// Describes the properties in the order of their slots.
    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>)

    /// Makes the model from a draft. It may move values out of the draft; the rest is destroyed afterwards.
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError)

    /// A draft with all properties that are read; nil if the model cannot be updated.
    func _makeDraft() -> JSONDraft?

    /// Copies the properties that are not read from the model that this one replaces.
    mutating func _keepUnread(of old: Self)

    /// Writes the property of a slot through `writer.property(…)`; unknown slots write nothing.
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError)

    /// Writes the property at an address, behind the current member's key.
    ///
    /// - Parameter isOptional: Whether the memory holds a `Self?`.
    static func _writeProperty(
        at place: UnsafeRawPointer, isOptional: Bool, to writer: inout JSONWriter
    ) throws(JSONError)

    /// The key path of a slot's property, by which callers select the properties to write; nil for slots that have none.
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath?
}

/// The draft of a model: optionals that all start as nil.
///
/// A fresh draft holds only nils, so the reader makes one by copying the bytes of another.
public protocol _JSONModelDraft {
    /// A draft in which every property is nil.
    init()
}

extension JSONModel {
    public func _makeDraft() -> JSONDraft? { nil }

    public mutating func _keepUnread(of old: Self) {}

    public static func _prefill(_ draft: UnsafeMutableRawPointer, from place: _Destination) -> Bool {
        guard let filled = place.load(Self.self)?._makeDraft() else { return false }
        // Safe: the reader passes a draft of this very type, made from the table's template.
        unsafe draft.assumingMemoryBound(to: JSONDraft.self).pointee = filled
        return true
    }

    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.model(Self.self) }

    @inlinable
    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // Safe: the reader passes a draft of this very type, initialised from the table's template.
        let draft = unsafe contents.base.assumingMemoryBound(to: JSONDraft.self)
        // Destroys the values that the model has not moved out. The draft stays in this memory: moving it out first would copy it.
        defer { unsafe draft.deinitialize(count: 1) }
        unsafe destination.store(try Self(_jsonDraft: &draft.pointee, bound: contents.bound))
    }

    @inlinable
    public static func _destroy(_ contents: _Contents) {
        // Safe: as in `_complete`; the reader calls either `_complete` or `_destroy`, once.
        unsafe contents.base.assumingMemoryBound(to: JSONDraft.self).deinitialize(count: 1)
    }

    public static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { nil }
}
