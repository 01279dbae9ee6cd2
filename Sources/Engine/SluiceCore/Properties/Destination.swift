// The few typed steps between the reader, which knows only addresses, and a Swift type. These structs are passed down a call and never
// stored.

/// The position where a finished value is stored.
@safe
public struct _Destination {
    @usableFromInline let address: UnsafeMutableRawPointer
    /// The count of `Optional`s around the value in that memory: 0 for an array's element, 1 for a draft's field, and so on. From
    /// ``fieldDepth`` on, the innermost is a ``JSONField`` instead.
    @usableFromInline let depth: UInt8
    /// Whether the memory already holds a value, which storing releases.
    @usableFromInline let isInitialized: Bool

    /// The depth of a ``JSONField`` without an optional around it.
    @usableFromInline static var fieldDepth: UInt8 { 8 }

    @inline(__always)
    init(address: UnsafeMutableRawPointer, depth: UInt8, isInitialized: Bool) {
        unsafe self.address = unsafe address
        self.depth = depth
        self.isInitialized = isInitialized
    }

    /// Stores a value, wrapped in as many optionals as the position has.
    @inlinable @inline(__always)
    public func store<Value>(_ value: consuming Value) {
        switch depth {
        case 0: put(value, as: Value.self)
        case 1: put(value, as: Value?.self)
        case 2: put(value, as: Value??.self)
        case 3: put(value, as: Value???.self)
        default: put(field: .value(value))
        }
    }

    @inlinable @inline(never)
    func put<Value>(field: consuming JSONField<Value>) {
        if depth == _Destination.fieldDepth {
            put(field, as: JSONField<Value>.self)
        } else {
            put(field, as: JSONField<Value>?.self)
        }
    }

    /// The value in the memory; nil if it is nil there, or the memory is not initialised.
    func load<Value>(_ type: Value.Type) -> Value? {
        guard isInitialized else { return nil }
        // Safe: the property table was compiled with this type at this depth, so the memory is bound to it.
        switch depth {
        case 0: return unsafe address.assumingMemoryBound(to: Value.self).pointee
        case 1: return unsafe address.assumingMemoryBound(to: Value?.self).pointee
        case 2: return unsafe address.assumingMemoryBound(to: Value??.self).pointee ?? nil
        case 3: return unsafe (address.assumingMemoryBound(to: Value???.self).pointee ?? nil) ?? nil
        case _Destination.fieldDepth: return unsafe address.assumingMemoryBound(to: JSONField<Value>.self).pointee.value
        default: return unsafe address.assumingMemoryBound(to: JSONField<Value>?.self).pointee?.value
        }
    }

    /// Stores the innermost nil, for an optional element or a property whose type is an optional under another name.
    @inlinable
    package func storeNil<Value>(as type: Value.Type) {
        switch depth {
        case 0: break
        case 1: put(nil, as: Value?.self)
        case 2: put(Value?.none, as: Value??.self)
        case 3: put(Value??.some(nil), as: Value???.self)
        default: put(field: JSONField<Value>.null)
        }
    }

    @inlinable @inline(__always)
    func put<Stored>(_ value: consuming Stored, as type: Stored.Type) {
        // Safe: the property table was compiled with this type at this depth, so the memory is bound to `Stored`.
        let address = unsafe address.assumingMemoryBound(to: Stored.self)
        if isInitialized {
            unsafe address.pointee = value
        } else {
            unsafe address.initialize(to: value)
        }
    }
}

/// The contents of a container that has ended: a draft, elements, or pairs of key and value.
@safe
public struct _Contents {
    /// The address of the draft, the first element or the first pair.
    @usableFromInline package let base: UnsafeMutableRawPointer
    /// The count of elements or pairs; 1 for a draft.
    @usableFromInline package let count: Int
    /// Whether the elements are pairs: a `String`, and a value at ``valueOffset`` bytes from its start.
    package let isKeyed: Bool
    /// Whether there is one more key than values, as when an object breaks off after a key.
    let hasPendingKey: Bool
    /// The distance in bytes from one element or pair to the next.
    package let stride: Int
    /// The distance in bytes from a pair's start to its value.
    package let valueOffset: Int
    /// For a draft: which properties were present.
    @usableFromInline package let bound: _BoundProperties
    /// The table of a model; nil for other contents.
    private var layout: LayoutHandle?
    /// The list of objects that an update will change; nil outside updates.
    var updates: Unmanaged<ObjectUpdates>?
    /// The blocks of a large array that come before the elements at ``base``.
    @usableFromInline var earlier = unsafe UnsafeBufferPointer<_ElementBlock>(start: nil, count: 0)

    init(
        base: UnsafeMutableRawPointer, count: Int, isKeyed: Bool = false, hasPendingKey: Bool = false, stride: Int = 0,
        valueOffset: Int = 0, bound: _BoundProperties
    ) {
        unsafe self.base = unsafe base
        self.count = count
        self.isKeyed = isKeyed
        self.hasPendingKey = hasPendingKey
        self.stride = stride
        self.valueOffset = valueOffset
        self.bound = bound
    }

    /// The contents of a model: its draft, and the block that begins with its presence bits.
    @inline(__always)
    init(of layout: LayoutHandle, draft: UnsafeMutableRawPointer, block: UnsafeMutableRawPointer) {
        // Safe: the block begins with these words.
        let words = unsafe UnsafePointer(block.assumingMemoryBound(to: UInt64.self))
        unsafe self.init(
            base: draft, count: layout.slotCount, bound: _BoundProperties(words: words, wordCount: layout.wordCount))
        self.layout = layout
    }

    /// Whether the model is made without calling its hook.
    var skipsHooks: Bool { layout?.skipsHooks == true }

    /// Whether all required properties of a model have a value.
    var isComplete: Bool { unsafe layout?.missingBits(bound.words) == 0 }

    /// The address of a pair's key.
    func key(at index: Int) -> UnsafeMutablePointer<String> {
        // Safe: the reader initialises the key of a pair before it counts the pair.
        unsafe (base + index * stride).assumingMemoryBound(to: String.self)
    }

    /// The address of a pair's value.
    func value<Value>(at index: Int, as type: Value.Type) -> UnsafeMutablePointer<Value> {
        // Safe: `count` covers only pairs whose value is initialised, and the table fixed the type.
        unsafe (base + (index * stride + valueOffset)).assumingMemoryBound(to: Value.self)
    }
}

/// A block of memory with some of the elements of a large array.
@safe
@usableFromInline struct _ElementBlock {
    @usableFromInline let base: UnsafeMutableRawPointer
    @usableFromInline let count: Int
    /// The count of open containers around the elements.
    let level: Int
    /// Whether the memory was allocated for this block alone.
    let isOwned: Bool

    init(base: UnsafeMutableRawPointer, count: Int, level: Int, isOwned: Bool) {
        unsafe self.base = unsafe base
        self.count = count
        self.level = level
        self.isOwned = isOwned
    }

    /// Frees the memory, whose elements have been moved out or destroyed.
    @usableFromInline
    func free() {
        if isOwned { unsafe base.deallocate() }
    }
}

extension _Contents {
    /// An array of all elements, moved out of their memory block by block.
    @inlinable
    func gathered<Element>(of type: Element.Type) -> [Element] {
        let total = unsafe earlier.reduce(count) { $0 + $1.count }
        return unsafe Array(unsafeUninitializedCapacity: total) { buffer, initialized in
            // Safe: the table was compiled with this element type, and there are `total` elements; each is moved out once.
            var address = unsafe buffer.baseAddress.unsafelyUnwrapped
            for index in unsafe earlier.indices {
                let block = unsafe earlier[index]
                unsafe address.moveInitialize(from: block.base.assumingMemoryBound(to: Element.self), count: block.count)
                unsafe address += block.count
                block.free()
            }
            unsafe address.moveInitialize(from: base.assumingMemoryBound(to: Element.self), count: count)
            initialized = total
        }
    }
}

/// Which properties of a model were present in its object: a bit for each slot.
@safe
public struct _BoundProperties {
    /// The presence bits in words of 64, followed by as many words of null bits.
    @usableFromInline let words: UnsafePointer<UInt64>
    @usableFromInline let wordCount: Int

    init(words: UnsafePointer<UInt64>, wordCount: Int) {
        unsafe self.words = unsafe words
        self.wordCount = wordCount
    }

    /// Whether a key of the slot's property was present, with a value or with null.
    @inlinable @inline(__always)
    public func contains(_ slot: Int) -> Bool {
        assert(slot >= 0 && slot >> 6 < wordCount)
        // Safe: the slot is one of the model's own description, which has a bit for each slot.
        return unsafe words[slot >> 6] & (1 << UInt64(slot & 63)) != 0
    }

    /// Whether the last key of the slot's property had the value null.
    func isNull(_ slot: Int) -> Bool {
        assert(slot >= 0 && slot >> 6 < wordCount)
        return unsafe words[wordCount + slot >> 6] & (1 << UInt64(slot & 63)) != 0
    }

    /// The value of a required property.
    ///
    /// - Throws: ``JSONError`` of kind `missingKeys`; the reader completes it with all keys that are missing.
    @inlinable @inline(__always)
    public func required<Value>(_ value: consuming Value?, _ slot: Int) throws(JSONError) -> Value {
        guard let value else { throw JSONError._missing }
        return value
    }

    /// The value of a property whose type is an optional under another name; nil if absent.
    @inlinable @inline(__always)
    public func required<Value>(_ value: consuming Value??, _ slot: Int) throws(JSONError) -> Value? {
        value ?? nil
    }

    /// The value of a property that may be absent.
    @inlinable @inline(__always)
    public func required<Value>(_ value: consuming JSONField<Value>?, _ slot: Int) throws(JSONError) -> JSONField<Value> {
        value ?? .absent
    }

    /// Throws if the draft has no value for a required property.
    ///
    /// - Throws: ``JSONError`` of kind `missingKeys`, as ``required(_:_:)`` does.
    @inlinable @inline(__always)
    public func check<Value>(_ value: Value?, _ slot: Int) throws(JSONError) {
        if case .none = value { throw JSONError._missing }
    }

    /// Accepts every draft, because the property's type is an optional under another name, which may be absent.
    @inlinable @inline(__always)
    public func check<Value>(_ value: Value??, _ slot: Int) throws(JSONError) {}

    /// Accepts every draft, because the property may be absent.
    @inlinable @inline(__always)
    public func check<Value>(_ value: JSONField<Value>?, _ slot: Int) throws(JSONError) {}

    /// The value of a required property, after ``check(_:_:)`` has found it.
    @inlinable @inline(__always)
    public func checked<Value>(_ value: consuming Value?) -> Value {
        guard let value else { preconditionFailure("a draft is checked before its values are taken") }
        return value
    }

    /// The value of a property whose type is an optional under another name; nil if absent.
    @inlinable @inline(__always)
    public func checked<Value>(_ value: consuming Value??) -> Value? {
        value ?? nil
    }

    /// The value of a property that may be absent.
    @inlinable @inline(__always)
    public func checked<Value>(_ value: consuming JSONField<Value>?) -> JSONField<Value> {
        value ?? .absent
    }
}

extension JSONError {
    /// A placeholder that the reader replaces with an error naming every missing key.
    public static var _missing: JSONError { JSONError(.missingKeys) }

    @usableFromInline
    static func _notAContainer(_ type: Any.Type) -> JSONError {
        JSONError(.invalidModel, found: "\(type) is no container")
    }
}
