// A model: a type whose properties are bound through a table. The requirements that generated code meets.

/// A type whose stored properties are bound to the keys of a JSON object through a property table.
///
/// `@JSONModel` writes the conformance. A conformance by hand has the same few members: see `HandwrittenModelTests.swift`.
public protocol JSONModel: _ReadableModel, JSONBindable {
    /// Writes the property of a slot through `writer.property(…)`; unknown slots write nothing.
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError)

    /// Writes the property at an address, after the current member's key.
    ///
    /// - Parameter isOptional: Whether the memory holds a `Self?`.
    static func _writeProperty(
        at address: UnsafeRawPointer, isOptional: Bool, to writer: inout JSONWriter
    ) throws(JSONError)
}

/// A model with a hook that runs when it is written: ``JSONWillWrite`` or ``JSONDidWrite``. No model conforms to it directly.
public protocol _JSONWriteHook: JSONModel {}
