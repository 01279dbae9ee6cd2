// How generated code describes the properties of a model that is built in its own memory: each with its key path in the model, and with
// its initial value. Every stored property is described, because the template needs a value for each.

extension _ModelDescription {
    /// Adds a property that must have a value.
    public mutating func _required<Model, Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Model, Value>, keys: [JSONKeyPath] = [], direction: JSONDirection = .both,
        policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        add(name, field, nil, keys, .required, direction, policy)
    }

    /// Adds a property with an initial value.
    public mutating func _defaulted<Model, Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Model, Value>, _ initial: _Initial<Value>, keys: [JSONKeyPath] = [],
        direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        add(name, field, initial, keys, .defaulted, direction, policy)
    }

    /// Adds a property that is an optional.
    public mutating func _optional<Model, Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Model, Value?>, _ initial: _Initial<Value?> = .literal(nil), keys: [JSONKeyPath] = [],
        direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        addOptional(name, field, initial, Value.self, keys, direction, policy) { $0.binding(for: Value.self) }
    }

    /// Adds a property that must have a value, and whose values an adapter reads and writes.
    public mutating func _required<Model, Adapter: _ReadAdapter>(
        _ name: String, _ field: KeyPath<Model, Adapter.Value>, by adapter: Adapter.Type, keys: [JSONKeyPath] = [],
        direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        addAdapted(name, field, nil, adapter, keys, .required, direction, policy)
    }

    /// Adds a property with an initial value, whose values an adapter reads and writes.
    public mutating func _defaulted<Model, Adapter: _ReadAdapter>(
        _ name: String, _ field: KeyPath<Model, Adapter.Value>, _ initial: _Initial<Adapter.Value>, by adapter: Adapter.Type,
        keys: [JSONKeyPath] = [], direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        addAdapted(name, field, initial, adapter, keys, .defaulted, direction, policy)
    }

    /// Adds a property that is an optional, whose values an adapter reads and writes.
    public mutating func _optional<Model, Adapter: _ReadAdapter>(
        _ name: String, _ field: KeyPath<Model, Adapter.Value?>, _ initial: _Initial<Adapter.Value?> = .literal(nil),
        by adapter: Adapter.Type, keys: [JSONKeyPath] = [], direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) where Draft == _InPlace<Model> {
        addOptional(name, field, initial, Adapter.Value.self, keys, direction, policy) { $0.binding(for: adapter) }
    }

    /// Adds a stored property that is not read.
    public mutating func _kept<Model, Value>(
        _ field: KeyPath<Model, Value>, _ initial: _Initial<Value>
    ) where Draft == _InPlace<Model> {
        let name = "\(field)"
        guard let offset = MemoryLayout<Model>.offset(of: field) else {
            // The macro takes a name for that of a plain type where the initial value looks like one.
            problem = JSONError(
                .invalidModel, found: "'\(name)' may be a function: write its type out, in place of a name for it")
            return
        }
        let facts = BitFacts(Value.self)
        let typed = TypedModelField(
            name, at: offset, initial, placeholder: nil, hasFreeBits: facts.hasFreeBits, isFree: facts.isFree)
        keptFields.append((entries.count, typed))
    }

    private mutating func add<Model, Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Model, Value>, _ initial: _Initial<Value>?, _ keys: [JSONKeyPath],
        _ presence: JSONPresence, _ direction: JSONDirection, _ policy: JSONPropertyPolicy
    ) where Draft == _InPlace<Model> {
        guard let offset = offset(of: field, name) else { return }
        let facts = BitFacts(Value.self)
        let typed = TypedModelField(
            name, at: offset, initial, placeholder: facts.placeholder, hasFreeBits: facts.hasFreeBits, isFree: facts.isFree)
        append(name, Value.self, at: offset, keys, presence, direction, policy, field: typed) { $0.binding(for: Value.self) }
    }

    private mutating func addAdapted<Model, Adapter: _ReadAdapter>(
        _ name: String, _ field: KeyPath<Model, Adapter.Value>, _ initial: _Initial<Adapter.Value>?, _ adapter: Adapter.Type,
        _ keys: [JSONKeyPath], _ presence: JSONPresence, _ direction: JSONDirection, _ policy: JSONPropertyPolicy
    ) where Draft == _InPlace<Model> {
        guard let offset = offset(of: field, name) else { return }
        let facts = BitFacts(Adapter.Value.self)
        let typed = TypedModelField(
            name, at: offset, initial, placeholder: facts.placeholder, hasFreeBits: facts.hasFreeBits, isFree: facts.isFree)
        append(name, Adapter.Value.self, at: offset, keys, presence, direction, policy, field: typed) { $0.binding(for: adapter) }
    }

    private mutating func addOptional<Model, Value>(
        _ name: String, _ field: KeyPath<Model, Value?>, _ initial: _Initial<Value?>, _ type: Value.Type, _ keys: [JSONKeyPath],
        _ direction: JSONDirection, _ policy: JSONPropertyPolicy, bind: @escaping (inout _BindingCompiler) -> _Binding
    ) where Draft == _InPlace<Model> {
        guard let offset = offset(of: field, name) else { return }
        let facts = BitFacts(Value.self)
        let typed = TypedModelField<Value?>(
            name, at: offset, initial, placeholder: .some(nil), hasFreeBits: facts.hasFreeBits,
            isFree: { $0.map(facts.isFree) ?? true })
        if initial.isLiteral, case .some = initial.make() { typed.hasValueForNil = true }
        append(name, type, at: offset, keys, .optional, direction, policy, field: typed, bind: bind)
    }

    private mutating func offset<Model, Value>(of field: KeyPath<Model, Value>, _ name: String) -> Int? {
        let offset = MemoryLayout<Model>.offset(of: field)
        if offset == nil { problem = JSONError(.invalidModel, found: "'\(name)' is no plain stored property of \(Model.self)") }
        return offset
    }

    /// The stored properties in the order of declaration.
    func describedFields(_ bindings: [_Binding]) -> [DescribedField] {
        var result: [DescribedField] = []
        var kept = keptFields[...]
        for (slot, entry) in entries.enumerated() {
            while let next = kept.first, next.position <= slot {
                result.append(DescribedField(field: next.field, slot: nil, isOptional: false, binding: nil))
                kept.removeFirst()
            }
            guard let field = entry.field else { continue }
            result.append(
                DescribedField(
                    field: field, slot: entry.offset == nil ? nil : slot,
                    // Null is a value of a field, and of an optional under another name.
                    isOptional: entry.presence == .optional || bindings[slot].depth > 0,
                    binding: bindings[slot]))
        }
        return result + kept.map { DescribedField(field: $0.field, slot: nil, isOptional: false, binding: nil) }
    }
}
