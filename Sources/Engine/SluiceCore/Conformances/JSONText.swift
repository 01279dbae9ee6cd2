// JSON inside a JSON string: `"payload": "{\"id\": 7}"`.

/// Binds a string that holds the JSON text of a value. For generated code: see `@JSONString`.
public enum _JSONText<Value: JSONBindable>: _JSONAdapter {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.text(of: Value.self, by: self) }

    public static func _bind(_ captured: _CapturedValue, at destination: _Destination) throws(JSONError) -> _CapturedValue.Outcome
    {
        destination.store(try captured.readText(Value.self))
        return .bound
    }

    public static func _write(_ value: Value, to writer: inout JSONWriter) throws(JSONError) {
        // Output that is not JSON (for display, comparison or storage) contains the value itself, not its text.
        guard writer.form == nil else { return try value._write(to: &writer) }
        var options = writer.options
        // The outer string escapes the characters of the inner text anyway.
        (options.escapesSlashes, options.escapesNonASCII) = (false, false)
        var inner = JSONWriter(options: options, context: writer.context)
        inner.nesting = writer.nesting
        try value._write(to: &inner)
        // Safe: the bytes are copied while the inner writer lives.
        unsafe inner.withBytes { unsafe writer.writeString($0.bindMemory(to: UInt8.self)) }
    }
}
