// The parts of a model that copies and archives contain.

/// The forms, besides JSON, in which models are stored: an object that has each property under its first key, in the default form of
/// its type. Variants have a tag of their own here, whatever their tag in JSON is.
enum StoredForm: Sendable {
    /// All properties that are read.
    case copy
    /// The properties of a copy that are not excluded from archives.
    case archive

    /// Whether the form contains a property. It does not if the property could not be read back.
    func has(_ property: JSONProperty) -> Bool {
        StoredForm.canHave(property) && (self == .copy || property.policy.isArchived)
    }

    private static func canHave(_ property: JSONProperty) -> Bool { property.direction != .writing && !property.isObserved }

    /// The key of each property: its first; a path becomes one key with dots. If another property has the key already, `#` and the
    /// property's name are appended.
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

/// The type of a reference, which is bound wherever an object of a class is stored.
protocol ObjectReference {
    /// The type of the object.
    static var object: any JSONReadable.Type { get }
}

/// The types of all references.
protocol ObjectReferences {
    /// The type of a reference to an object.
    static func type<Object: _ReadableModel & AnyObject>(for object: Object.Type) -> any JSONReadable.Type
}
