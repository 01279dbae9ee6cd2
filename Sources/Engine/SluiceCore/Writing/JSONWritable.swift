// The protocols of types that can be written: as any JSON value, and as one scalar.

/// A type that can be written as a JSON value.
///
/// Models (``JSONModel``), scalars (``JSONScalarWritable``), `Optional`, `Array`, `Set`, `Dictionary`, ``JSONValue`` and
/// ``RawJSON`` are writable. To make your own type writable, conform it to ``JSONModel`` or ``JSONScalarWritable``. The requirements
/// below are only for generated code and for the library.
public protocol JSONWritable: SendableMetatype {
    /// Writes the value.
    func _write(to writer: inout JSONWriter) throws(JSONError)

    /// Whether the value is a nil, which its container may leave out.
    var _isNil: Bool { get }

    /// Writes the elements of an array in one call, if the type supports that. Returns false if it does not; then the caller writes
    /// the elements one by one.
    ///
    /// - Parameter first: The address of the first of `count` values. It is untyped, because with `Self` as a parameter, classes that
    ///   have subclasses could not conform.
    static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool
}

extension JSONWritable {
    @inlinable
    public static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool { false }

    @inlinable
    public var _isNil: Bool { false }
}

/// A type that is written as one JSON string, number or boolean.
///
/// ```swift
/// struct Masked: JSONScalarWritable {
///     var digits: String
///     func write(to writer: inout JSONWriter) throws(JSONError) { writer.write("…" + digits.suffix(4)) }
/// }
/// ```
public protocol JSONScalarWritable: JSONWritable {
    /// Writes the value as one scalar.
    func write(to writer: inout JSONWriter) throws(JSONError)
}

extension JSONScalarWritable {
    @inlinable
    public func _write(to writer: inout JSONWriter) throws(JSONError) { try write(to: &writer) }
}

extension JSONScalarWritable where Self: RawRepresentable, RawValue: JSONScalarWritable {
    /// Writes the raw value.
    @inlinable
    public func write(to writer: inout JSONWriter) throws(JSONError) { try rawValue.write(to: &writer) }
}
