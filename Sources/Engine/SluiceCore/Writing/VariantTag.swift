// The member that names the variant of an object, written as the object's first member.

/// A member that names the variant of its object.
struct VariantTag {
    let key: String
    let name: String

    /// The only key of a variant in a stored form, such as an archive. The empty name is for a value that matched no variant.
    static func stored(_ name: String) -> String { "#" + name }
}
