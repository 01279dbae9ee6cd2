// What generated code calls for a property whose type it does not know. Where the type cannot be bound, the generated code has a check that
// says so at the property's own line; the overloads for such types are here so that it remains the only error.

extension _ModelDescription {
    /// A property of a type that can be bound: the same as ``property(_:_:keys:presence:direction:policy:)``.
    public mutating func _property<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {
        property(name, field, keys: keys, presence: presence, direction: direction, policy: policy)
    }

    /// A property of a type that cannot be bound, which does not compile: see the check in front of it.
    @_disfavoredOverload
    public mutating func _property<Value>(
        _ name: String, _ field: KeyPath<Draft, Value?>, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {}

    /// The same without the arguments that say what is usual.
    public mutating func _unmarkedRow<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, keys: [JSONKeyPath] = []
    ) {
        property(name, field, keys: keys, presence: presence)
    }

    /// The same with a key that is no path.
    public mutating func _unmarkedRow<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, literal key: String
    ) {
        property(name, field, keys: [.literal(key)], presence: presence)
    }

    /// The same for a type that cannot be bound, which does not compile.
    @_disfavoredOverload
    public mutating func _unmarkedRow<Value>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, keys: [JSONKeyPath] = []
    ) {}

    /// The same for a type that cannot be bound, which does not compile.
    @_disfavoredOverload
    public mutating func _unmarkedRow<Value>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, literal key: String
    ) {}

    /// A property that is only written, of a type that can be bound.
    public mutating func _writeOnly<Value: JSONWritable>(
        _ name: String, _ type: Value.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {
        writeOnly(name, type, keys: keys, policy: policy)
    }

    /// A property that is only written, of a type that cannot be bound.
    @_disfavoredOverload
    public mutating func _writeOnly<Value>(
        _ name: String, _ type: Value.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {}
}

extension JSONWriter {
    /// Writes a property of a type that can be bound: the same as ``property(_:)``.
    @inlinable @inline(__always)
    public mutating func _property<Value: JSONWritable>(_ value: borrowing Value) throws(JSONError) {
        try property(value)
    }

    /// A property of a type that is only read. It is asked for where all properties are kept, as in an archive.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable`.
    @_disfavoredOverload
    public mutating func _property<Value: JSONReadable>(_ value: borrowing Value) throws(JSONError) {
        throw JSONError.notWritable("a type that can be written", found: TypeSpelling.of(Value.self))
    }

    /// A property of a type that cannot be bound, which does not compile.
    @_disfavoredOverload
    public mutating func _property<Value>(_ value: borrowing Value) throws(JSONError) {}
}

extension JSONVariants {
    /// A variant with a value of a type that can be bound: the same as ``variant(_:_:_:)``.
    @inlinable
    public func _variant<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants {
        variant(name, type, make)
    }

    /// A variant with a value of a type that cannot be bound, which does not compile.
    @_disfavoredOverload
    public func _variant<Value>(
        _ name: String, _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants { self }

    /// Writes a value of a type that cannot be bound, which does not compile.
    @_disfavoredOverload
    public func _write<Value>(_ name: String, _ value: Value, to writer: inout JSONWriter) throws(JSONError) {}
}
