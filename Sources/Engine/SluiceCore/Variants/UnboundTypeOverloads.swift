// The functions that generated code calls for a property whose type the macro does not know. Generated code also has a check that fails to
// compile, at the property's own line, if the type cannot be bound. Each function here has an overload for types that cannot be bound, so
// that the check's error is the only one.

extension _ModelDescription {
    /// Adds a property whose type can be bound, as ``property(_:_:keys:presence:direction:policy:)`` does.
    public mutating func _property<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {
        property(name, field, keys: keys, presence: presence, direction: direction, policy: policy)
    }

    /// For a property whose type cannot be bound: does nothing, because the check in the generated code has already failed to compile.
    @_disfavoredOverload
    public mutating func _property<Value>(
        _ name: String, _ field: KeyPath<Draft, Value?>, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {}

    /// Adds a property whose type can be bound, with the default direction and policy.
    public mutating func _unmarkedRow<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, keys: [JSONKeyPath] = []
    ) {
        property(name, field, keys: keys, presence: presence)
    }

    /// For a property whose type cannot be bound: does nothing, see ``_property(_:_:keys:presence:direction:policy:)``.
    @_disfavoredOverload
    public mutating func _unmarkedRow<Value>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, keys: [JSONKeyPath] = []
    ) {}

    /// Adds a property that is only written, whose type can be written.
    public mutating func _writeOnly<Value: JSONWritable>(
        _ name: String, _ type: Value.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {
        writeOnly(name, type, keys: keys, policy: policy)
    }

    /// For a property that is only written, whose type cannot be written: does nothing, see
    /// ``_property(_:_:keys:presence:direction:policy:)``.
    @_disfavoredOverload
    public mutating func _writeOnly<Value>(
        _ name: String, _ type: Value.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {}
}

extension _ModelDescription {
    /// Adds a property whose type can be bound, as `_required` does.
    public mutating func _unmarkedRequired<Model, Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Model, Value>, keys: [JSONKeyPath] = [], direction: JSONDirection = .both,
        policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        _required(name, field, keys: keys, direction: direction, policy: policy)
    }

    /// For a property whose type cannot be bound: does nothing, see ``_property(_:_:keys:presence:direction:policy:)``.
    @_disfavoredOverload
    public mutating func _unmarkedRequired<Model, Value>(
        _ name: String, _ field: KeyPath<Model, Value>, keys: [JSONKeyPath] = [], direction: JSONDirection = .both,
        policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {}

    /// Adds a property with an initial value whose type can be bound, as `_defaulted` does.
    public mutating func _unmarkedDefaulted<Model, Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Model, Value>, _ initial: _Initial<Value>, keys: [JSONKeyPath] = [],
        direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        _defaulted(name, field, initial, keys: keys, direction: direction, policy: policy)
    }

    /// For a property whose type cannot be bound: does nothing, see ``_property(_:_:keys:presence:direction:policy:)``.
    @_disfavoredOverload
    public mutating func _unmarkedDefaulted<Model, Value>(
        _ name: String, _ field: KeyPath<Model, Value>, _ initial: _Initial<Value>, keys: [JSONKeyPath] = [],
        direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {}

    /// Adds a property that is an optional, whose type can be bound, as `_optional` does.
    public mutating func _unmarkedOptional<Model, Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Model, Value?>, _ initial: _Initial<Value?> = .literal(nil), keys: [JSONKeyPath] = [],
        direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        _optional(name, field, initial, keys: keys, direction: direction, policy: policy)
    }

    /// For a property whose type cannot be bound: does nothing, see ``_property(_:_:keys:presence:direction:policy:)``.
    @_disfavoredOverload
    public mutating func _unmarkedOptional<Model, Value>(
        _ name: String, _ field: KeyPath<Model, Value?>, _ initial: _Initial<Value?> = .literal(nil), keys: [JSONKeyPath] = [],
        direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {}
}

extension JSONWriter {
    /// Writes a property whose type can be written, as ``property(_:)`` does.
    @inlinable @inline(__always)
    public mutating func _property<Value: JSONWritable>(_ value: borrowing Value) throws(JSONError) {
        try property(value)
    }

    /// For a property whose type can only be read: always throws. It is called where all properties must be written, as in an archive.
    ///
    /// - Throws: ``JSONError`` of kind `notWritable`.
    @_disfavoredOverload
    public mutating func _property<Value: JSONReadable>(_ value: borrowing Value) throws(JSONError) {
        throw JSONError.notWritable("a type that can be written", found: TypeSpelling.of(Value.self))
    }

    /// For a property whose type cannot be bound: does nothing, because the check in the generated code has already failed to compile.
    @_disfavoredOverload
    public mutating func _property<Value>(_ value: borrowing Value) throws(JSONError) {}
}

extension JSONVariants {
    /// Adds a variant whose value has a type that can be bound, as ``variant(_:_:_:)`` does.
    @inlinable
    public func _variant<Value: JSONBindable>(
        _ name: String, _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants {
        variant(name, type, make)
    }

    /// For a variant whose value's type cannot be bound: adds nothing, because the check in the generated code has already failed to
    /// compile.
    @_disfavoredOverload
    public func _variant<Value>(
        _ name: String, _ type: Value.Type, _ make: @escaping @Sendable (Value) -> Base
    ) -> JSONVariants { self }

    /// For a variant whose value's type cannot be bound: writes nothing, because the check in the generated code has already failed to
    /// compile.
    @_disfavoredOverload
    public func _write<Value>(_ name: String, _ value: Value, to writer: inout JSONWriter) throws(JSONError) {}
}
