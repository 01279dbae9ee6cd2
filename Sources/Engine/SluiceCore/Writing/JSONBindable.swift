// A type that can be both read and written, like most types.

/// A type that can be read from a JSON value and written as one.
///
/// A type may also be only one of the two: ``JSONReadable`` or ``JSONWritable``.
///
/// ```swift
/// extension Deque: JSONBindable where Element: JSONBindable {}
/// ```
public typealias JSONBindable = _Readable & JSONReadable & JSONWritable

/// ``_JSONReadable`` by another name. A conditional conformance implies no other one, so ``JSONBindable`` has to name the protocol that
/// ``JSONReadable`` refines; under its own name the compiler would leave it out of the composition as implied.
public typealias _Readable = _JSONReadable

/// A type that is made from one JSON string, number or boolean by a conversion of its own.
///
/// Enums with a raw value need no code; other types make themselves from a ``JSONScalar`` and write one.
///
/// ```swift
/// enum Visibility: String, JSONScalarBindable { case everyone = "public", owner = "private" }
///
/// struct Percent: JSONScalarBindable {
///     var value: Double
///     init?(jsonScalar scalar: JSONScalar) {
///         guard let value = scalar.double else { return nil }
///         self.value = value
///     }
///     func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(value) }
///     static var jsonExpectation: String { "a percentage" }
/// }
/// ```
public typealias JSONScalarBindable = JSONScalarReadable & JSONScalarWritable
