// Properties that are written and never read.

extension _ModelDescription {
    /// Adds a property that is written and never read, such as a constant.
    public mutating func writeOnly<Value: JSONWritable>(
        _ name: String, _ type: Value.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {
        append(name, type, at: nil, keys, .defaulted, .writing, policy) { $0.binding(ofWritten: type) }
    }
}

extension _BindingCompiler {
    /// The binding of a type that may be write-only. Such a type is bound as ``JSONValue``, because nothing is known of the JSON it writes.
    mutating func binding<Value: JSONWritable>(ofWritten type: Value.Type) -> _Binding {
        guard let readable = type as? any JSONReadable.Type else { return binding(for: JSONValue.self) }
        return binding(of: readable)
    }
}
