// A member of an object that may be absent, null, or a value: a PATCH body tells these apart, an optional does not.

/// A member that is absent, null, or has a value, and is written in the same way.
///
/// ```swift
/// @JSONModel
/// struct UserPatch {
///     var name: JSONField<String>
///     var email: JSONField<String>
///     var address: JSONField<Address>
/// }
///
/// let patch = try UserPatch(json: #"{"name": "Ann", "email": null}"#)
/// patch.email                                // null: remove it
/// patch.address                              // absent: leave it alone
/// try patch.jsonString()                     // {"name":"Ann","email":null}
/// ```
///
/// Absence and null are part of the value, so the option `nils` says nothing about them. In an array, an absent
/// element is left out; in a model that is written as an array, an absent property is null unless only absent ones follow.
/// A value inside may be of any bindable type but an optional.
public enum JSONField<Value> {
    /// The key is absent.
    case absent
    /// The key is present, with null.
    case null
    /// The key is present, with a value.
    case value(Value)

    /// A value, or null for nil.
    public init(_ value: Value?) {
        self = if let value { .value(value) } else { .null }
    }

    /// The value; nil if the field is absent or null.
    public var value: Value? { if case .value(let value) = self { value } else { nil } }
    /// Whether the key is absent.
    public var isAbsent: Bool { if case .absent = self { true } else { false } }
    /// Whether the key is present, with null.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// Applies the field to an optional: a value is assigned, null makes it nil, and absence changes nothing.
    ///
    /// ```swift
    /// patch.email.apply(to: &user.email)
    /// ```
    public func apply(to property: inout Value?) {
        switch self {
        case .absent: break
        case .null: property = nil
        case .value(let value): property = value
        }
    }

    /// Applies the field to a property that is not an optional: a value is assigned, and absence changes nothing.
    ///
    /// ```swift
    /// try patch.name.apply(to: &user.name)
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `invalidValue` for null, which the property cannot be.
    @_disfavoredOverload
    public func apply(to property: inout Value) throws(JSONError) {
        switch self {
        case .absent: break
        case .null: throw JSONError(.invalidValue, expected: "a value of \(TypeSpelling.of(Value.self))", found: "null")
        case .value(let value): property = value
        }
    }

    /// The field with its value changed by a function.
    public func map<Other, Failure: Error>(_ transform: (Value) throws(Failure) -> Other) throws(Failure) -> JSONField<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension JSONField: Sendable where Value: Sendable {}
extension JSONField: Equatable where Value: Equatable {}
extension JSONField: Hashable where Value: Hashable {}

extension JSONField: CustomStringConvertible {
    /// `absent`, `null`, or the value.
    public var description: String {
        switch self {
        case .absent: "absent"
        case .null: "null"
        case .value(let value): String(describing: value)
        }
    }
}
