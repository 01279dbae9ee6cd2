// JSON that is kept as text: captured from the input, and written unchanged.

extension RawJSON: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.builtin(.raw, self, expectation: "a value")
    }

    public func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeVerbatim(text) }
}
