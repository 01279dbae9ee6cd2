// What reading needs of a model: its table, and the draft that it is made from. Writing needs a little more: see `JSONModel`.

/// The part of ``JSONModel`` that reading needs. For generated code.
public protocol _ReadableModel: JSONReadable {
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

    /// The key path of a slot's property, by which callers select the properties to write; nil for slots that have none.
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath?

    /// Whether the text of an object is captured, because the model is asked before it is read: see ``JSONWillRead``.
    static var _isCaptured: Bool { get }

    /// Whether a hook runs when the model has been read: see ``JSONDidRead``. Ask it of structs only: a class answers for its base class,
    /// whose conformance it inherits.
    static var _hasReadHook: Bool { get }

    /// The variants of the model's objects; nil if there is only one: see ``JSONPolymorphic``.
    static var _variantTypes: _VariantTypes? { get }
}

/// The draft of a model: optionals that all start as nil.
///
/// A fresh draft holds only nils, so the reader makes one by copying the bytes of another.
public protocol _JSONModelDraft {
    /// A draft in which every property is nil.
    init()
}

extension _ReadableModel {
    public func _makeDraft() -> JSONDraft? { nil }

    public mutating func _keepUnread(of old: Self) {}

    /// Makes a copy, with which an initialiser can begin that assigns properties without their observers. For generated code.
    public init(_sameAs other: Self) { self = other }

    /// Copies a constant from another model. For generated code.
    public mutating func _take<Value>(_ property: KeyPath<Self, Value>, from other: Self) {
        guard let offset = MemoryLayout<Self>.offset(of: property) else { return }
        // Safe: the offset is that of a constant with a value of this type, and nobody has the model yet.
        unsafe withUnsafeMutableBytes(of: &self) { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe (base + offset).assumingMemoryBound(to: Value.self).pointee = other[keyPath: property]
        }
    }

    public static func _prefill(_ draft: UnsafeMutableRawPointer, from address: _Destination) -> Bool {
        guard let filled = address.load(Self.self)?._makeDraft() else { return false }
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

    @inlinable
    public static func _finish(_ contents: _Contents, at destination: _Destination, isThere: Bool) throws(JSONError) {
        // Safe: the reader passes a model of this very type, all of whose properties have been stored.
        if !isThere { unsafe destination.store(contents.base.assumingMemoryBound(to: Self.self).move()) }
    }

    public static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { nil }

    public static var _isCaptured: Bool { false }

    public static var _hasReadHook: Bool { false }

    public static var _variantTypes: _VariantTypes? { nil }
}

extension _ReadableModel where JSONDraft == _InPlace<Self> {
    /// Always throws an error of kind `invalidModel`: the model is built in its own memory.
    public init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        throw JSONError(.invalidModel, found: "\(Self.self) is not made of a draft")
    }

    public static func _prefill(_ draft: UnsafeMutableRawPointer, from address: _Destination) -> Bool {
        guard let model = address.load(Self.self) else { return false }
        // Safe: the reader passes memory for a model of this type, which holds the template's bits.
        unsafe draft.initializeMemory(as: Self.self, to: model)
        return true
    }
}
