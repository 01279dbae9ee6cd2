// A model: a type whose properties are bound through a table. What generated code fulfils, and what follows from it.

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

    /// Writes a property that lies at an address, behind the key of the member at hand.
    ///
    /// - Parameter isOptional: Whether a `Self?` lies there.
    static func _writeProperty(
        at place: UnsafeRawPointer, isOptional: Bool, to writer: inout JSONWriter
    ) throws(JSONError)

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
        guard Self.self is AnyClass, let updates = unsafe contents.updates?.takeUnretainedValue(),
            let adopt = Self._jsonTable.adoption(of: new as AnyObject, by: old as AnyObject, Self.self)
        else { return destination.store(new) }
        // The old object stays, and takes the values over at the end.
        updates.add(adopt)
        destination.store(old)
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

    @inlinable
    public static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool {
        unsafe writer.plainModels(first, count, stride: MemoryLayout<Self>.stride, Self._jsonTable)
    }

    @inlinable
    public static func _writePlainModel(_ model: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool {
        unsafe writer.plainModel(model, Self._jsonTable)
    }

    @inlinable
    public static func _writeProperty(
        at place: UnsafeRawPointer, isOptional: Bool, to writer: inout JSONWriter
    ) throws(JSONError) {
        if isOptional, case .none = unsafe place.assumingMemoryBound(to: Self?.self).pointee { return writer.nilProperty() }
        // Safe: nothing writes to the value. Passed as `inout` it is lent; in any other way it is copied. What an optional
        // wraps lies at its beginning.
        let lent = unsafe UnsafeMutablePointer(mutating: place.assumingMemoryBound(to: Self.self))
        try unsafe writer.lentProperty(&lent.pointee)
    }

    public static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { nil }
}
