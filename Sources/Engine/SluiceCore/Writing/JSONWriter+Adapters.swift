// Properties that an adapter writes.

extension JSONWriter {
    /// Writes a property through its adapter.
    public mutating func _property<Adapter: _JSONAdapter>(
        _ value: Adapter.Value, by adapter: Adapter.Type
    ) throws(JSONError) {
        appendKey()
        try Adapter._write(value, to: &self)
        endElement()
    }

    /// Writes an optional property through its adapter.
    @_disfavoredOverload
    public mutating func _property<Adapter: _JSONAdapter>(
        _ value: Adapter.Value?, by adapter: Adapter.Type
    ) throws(JSONError) {
        guard let value else { return nilProperty() }
        try _property(value, by: adapter)
    }
}
