// What it takes to be written: the requirements of any type that is written as a JSON value, and of a type written as one scalar.

/// A type that can be written as a JSON value.
///
/// Models (``JSONModel``), scalars (``JSONScalarWritable``), `Optional`, `Array`, `Set`, `Dictionary`, ``JSONValue`` and
/// ``RawJSON`` are writable. Conform a type of your own through one of the first two; the requirements below are for generated
/// code and for the library only.
public protocol JSONWritable: SendableMetatype {
    /// Writes the value.
    func _write(to writer: inout JSONWriter) throws(JSONError)

    /// Whether the value is absent where its container leaves out what is nil.
    var _isNil: Bool { get }

    /// Writes an array of such values at once, if the type has a way to do that; false if they have to be written one by one.
    ///
    /// - Parameter first: The address of the first of `count` values; as `Self` it would keep classes with subclasses out.
    static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool

    /// Writes a model that consists of strings, numbers, booleans and other such models, if the type is one; false, and nothing is
    /// written, if it has to be written by ``_write(to:)``.
    ///
    /// - Parameter model: The address of the model.
    static func _writePlainModel(_ model: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool
}

extension JSONWritable {
    @inlinable
    public static func _writeArray(_ first: UnsafeRawPointer, _ count: Int, to writer: inout JSONWriter) -> Bool { false }

    @inlinable
    public static func _writePlainModel(_ model: UnsafeRawPointer, to writer: inout JSONWriter) -> Bool { false }

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
