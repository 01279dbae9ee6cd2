/// A type that reads and writes values of another type. For generated code: see `@JSONString` and `@JSONCodable`.
public protocol _JSONAdapter: _ReadAdapter {
    /// Writes a value.
    static func _write(_ value: Value, to writer: inout JSONWriter) throws(JSONError)
}
