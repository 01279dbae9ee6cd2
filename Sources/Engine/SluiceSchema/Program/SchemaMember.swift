// What a schema says of the members of objects, as far as references and `allOf` lead: whoever stores records makes columns of it.

/// A member of the objects that a schema accepts.
package struct SchemaMember: Sendable {
    /// What its value is, apart from null.
    package enum Kind: Sendable {
        case integer, number, boolean, string, date, dateTime, array, object
    }

    package let key: String
    package let kind: Kind
    /// Whether each object has the member, and it is never null.
    package let isRequired: Bool
    /// Of an object: what the schema says of its members.
    package let members: [SchemaMember]
}
