// JSON that is kept as it stands: captured from the text, and written as it is.

extension RawJSON: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.raw, self, expectation: "a value")
    }

    public func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeRaw(text) }
}
