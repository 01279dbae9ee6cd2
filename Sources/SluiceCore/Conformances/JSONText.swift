// JSON inside a JSON string: `"payload": "{\"id\": 7}"`.

/// Binds a value that stands in a string as JSON text of its own, for generated code: see `@JSONString`.
public enum _JSONText<Value: JSONBindable>: _JSONAdapter {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.text(of: Value.self, by: self) }

    public static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome
    {
        destination.store(try captured.readText(Value.self))
        return .bound
    }

    public static func _write(_ value: Value, to writer: inout JSONWriter) throws(JSONError) {
        // What is shown, compared or stored is the value itself.
        guard writer.form == nil else { return try value._write(to: &writer) }
        var options = writer.options
        // The text in the string is compact, and escaped once more as a string anyway.
        (options.isPretty, options.escapesSlashes, options.escapesNonASCII) = (false, false, false)
        var inner = JSONWriter(options: options, context: writer.context)
        inner.nesting = writer.nesting
        try value._write(to: &inner)
        // Safe: the bytes are copied while the inner writer lives.
        unsafe inner.withBytes { unsafe writer.writeString($0.bindMemory(to: UInt8.self)) }
    }
}
