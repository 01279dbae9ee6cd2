// Some properties have a type that does not bind itself, or not in the JSON form that is wanted: then an adapter type does. In the table
// the adapter takes the place of the property's type; the values it stores are of the property's type.

/// A type that reads values of another type. For generated code: see `@JSONString` and `@JSONCodable`.
public protocol _ReadAdapter: JSONReadable {
    /// The type of the property.
    associatedtype Value
}
