// What an object begins with where its type is told by a member.

/// A member that tells the variant of the object that it stands in.
struct VariantTag {
    let key: String
    let name: String

    /// The only key of a stored variant; that of the empty name is for a value that no variant took.
    static func stored(_ name: String) -> String { "#" + name }
}
