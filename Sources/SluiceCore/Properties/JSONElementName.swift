// The name of a collection says what its elements are: `userList` holds users. Here is what it says, and nothing is looked up.

/// What the name of a collection says about its elements.
///
/// ```swift
/// JSONElementName.stem(of: "userList")           // "user"
/// JSONElementName.typeName(for: "feedItems")     // "Feed"
/// JSONElementName.typeName(for: "links")         // "Link"
/// JSONElementName.typeName(for: "Items")         // nil: nothing is left of it
/// ```
///
/// The words `Array`, `Items`, `List` and `Collection` count at the end of a name only, and only one of them, so that
/// `myArrayObjectCollection` holds `MyArrayObject`. A name without such a word loses the `s` of a plural, but not an `s` behind another one.
public enum JSONElementName {
    /// The words that make a collection's name of an element's.
    public static let suffixes = ["Array", "Items", "List", "Collection"]

    /// The name without the word or the plural `s` at its end; nil if it has neither, or if nothing else is in it.
    public static func stem(of name: String) -> String? {
        for suffix in suffixes where name.hasSuffix(suffix) {
            return name.utf8.count > suffix.utf8.count ? String(name.dropLast(suffix.count)) : nil
        }
        guard name.hasSuffix("s"), !name.hasSuffix("ss"), name.utf8.count > 1 else { return nil }
        return String(name.dropLast())
    }

    /// The name that the type of the elements would have: the stem with its first letter capitalised.
    public static func typeName(for name: String) -> String? {
        stem(of: name).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    }
}
