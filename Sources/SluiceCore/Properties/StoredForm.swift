// What is kept of a model by copies and archives.

/// What a model is stored in besides JSON: an object of its properties by their first keys, each in the form that its type has by
/// default. What tells the variants of a type apart in its JSON does so here.
enum StoredForm: Sendable {
    /// All properties that are read.
    case copy
    /// Those of them that an archive holds.
    case archive

    /// Whether the form has a property: one that could not be read back is not written.
    func has(_ property: JSONProperty) -> Bool {
        StoredForm.canHave(property) && (self == .copy || property.policy.isArchived)
    }

    private static func canHave(_ property: JSONProperty) -> Bool { property.direction != .writing && !property.isObserved }

    /// The key of each property: its first, a path being one key with dots; behind it the property's name, if another has the same.
    static func keys(of properties: [JSONProperty]) -> [String] {
        var taken: Set<String> = []
        return properties.map { property in
            let key = property.keys.first?.description ?? property.name
            guard canHave(property), !taken.insert(key).inserted else { return key }
            let longer = key + "#" + property.name
            taken.insert(longer)
            return longer
        }
    }
}

/// The type of a reference, which is bound where an object is asked for.
protocol ObjectReference {
    /// The type of the object.
    static var object: any JSONReadable.Type { get }
}
