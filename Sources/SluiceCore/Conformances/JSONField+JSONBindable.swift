// A field is bound like its value, at a depth of its own: the destination wraps values and nulls in it, and a draft that holds none
// becomes an absent one.

extension JSONField: JSONReadable where Value: JSONReadable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.field(of: Value.self) }
}

extension JSONField: JSONWritable where Value: JSONWritable {
    /// Writes the value or null.
    ///
    /// - Throws: ``JSONError`` of kind `rejected` for an absent field, which its container takes for the sign to leave it out.
    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .absent: throw JSONError(.rejected, expected: "a value or null", found: "an absent field")
        case .null: writer.writeNull()
        case .value(let value): try value._write(to: &writer)
        }
    }
}

extension JSONWriter {
    /// Writes a property that is a field: nothing at all for an absent one, and null as null, whatever the options say of nils.
    public mutating func property<Value: JSONWritable>(_ field: JSONField<Value>) throws(JSONError) {
        switch field {
        case .absent:
            // A place in an array is kept, unless nothing follows.
            if keyCount == 0, form == nil { absentPlace() }
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

    /// The same where a macro knows the type by name only.
    public mutating func _property<Value: JSONWritable>(_ field: JSONField<Value>) throws(JSONError) { try property(field) }

    /// Writes null for a place that is absent, to be taken back if the array ends behind it.
    private mutating func absentPlace() {
        let start = absentPlaces?.upperBound == count ? absentPlaces?.lowerBound ?? count : count
        appendKey()
        writeNull()
        endElement()
        absentPlaces = start..<count
    }
}
