// A field is bound like its value, at a depth of its own: the destination wraps values and nulls in a field, and a draft without either
// becomes an absent field.

extension JSONField: _JSONReadable, JSONReadable where Value: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.field(of: Value.self) }
}

extension JSONField: JSONWritable where Value: JSONWritable {
    /// Writes the value or null.
    ///
    /// - Throws: ``JSONError`` of kind `rejected` for an absent field, upon which its container leaves the field out.
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .absent: throw JSONError(.rejected, expected: "a value or null", found: "an absent field")
        case .null: writer.writeNull()
        case .value(let value): try value._write(to: &writer)
        }
    }
}

extension JSONWriter {
    /// Writes a property that is a field. An absent field is not written; null is written as null, whatever the options for nils are.
    public mutating func property<Value: JSONWritable>(_ field: JSONField<Value>) throws(JSONError) {
        switch field {
        case .absent:
            // In an array an absent field keeps its index, unless nothing follows it.
            if keyCount == 0, form == nil { absentAddress() }
        case .null:
            appendKey()
            writeNull()
            endElement()
        case .value(let value):
            appendKey()
            try value._write(to: &self)
            endElement()
        }
    }

    /// `property` for macros that know the type only by name.
    public mutating func _property<Value: JSONWritable>(_ field: JSONField<Value>) throws(JSONError) { try property(field) }

    /// Writes null for an absent element of a model's array. It is removed again if no element with a value follows.
    private mutating func absentAddress() {
        let start = absentRange?.upperBound == count ? absentRange?.lowerBound ?? count : count
        appendKey()
        writeNull()
        endElement()
        absentRange = start..<count
    }
}
