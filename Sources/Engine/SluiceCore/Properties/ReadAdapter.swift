// An adapter binds a property whose own type cannot be bound, or not in the wanted JSON form. In the table the adapter takes the
// place of the property's type, and it stores values of the property's type.

/// A type that reads values of another type. For generated code: see `@JSONString` and `@JSONCodable`.
public protocol _ReadAdapter: JSONReadable {
    /// The type of the property.
    associatedtype Value
}
