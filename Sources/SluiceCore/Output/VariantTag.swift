// The member with which an object begins if a member names its type.

/// A member that tells the variant of the object that it stands in.
struct VariantTag {
    let key: String
    let name: String

    /// The only key of a stored variant. The empty name is for a value that matched no variant.
    static func stored(_ name: String) -> String { "#" + name }
}
