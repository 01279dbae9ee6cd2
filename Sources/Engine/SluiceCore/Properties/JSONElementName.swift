// Derives the name of a collection's elements from the collection's name: `userList` holds users. It only cuts and capitalises words.

/// The name of a collection's elements, derived from the collection's name.
///
/// ```swift
/// JSONElementName.stem(of: "userList")           // "user"
/// JSONElementName.typeName(for: "feedItems")     // "Feed"
/// JSONElementName.typeName(for: "links")         // "Link"
/// JSONElementName.typeName(for: "Items")         // nil: the name has nothing before the word
/// ```
///
/// Only one of the words `Array`, `Items`, `List` and `Collection` is removed, and only at the end of a name, so that
/// `myArrayObjectCollection` holds `MyArrayObject`. A name without such a word loses a plural `s`, unless it ends in `ss`.
package enum JSONElementName {
    /// The words that turn an element's name into a collection's name.
    package static let suffixes = ["Array", "Items", "List", "Collection"]

    /// The name without the word or the plural `s` at its end; nil if it has neither, or consists of nothing else.
    package static func stem(of name: String) -> String? {
        for suffix in suffixes where name.hasSuffix(suffix) {
            return name.utf8.count > suffix.utf8.count ? String(name.dropLast(suffix.count)) : nil
        }
        guard name.hasSuffix("s"), !name.hasSuffix("ss"), name.utf8.count > 1 else { return nil }
        return String(name.dropLast())
    }

    /// The type name of the elements: the stem with its first letter capitalised; nil if the name has no stem.
    package static func typeName(for name: String) -> String? {
        stem(of: name).map { $0.prefix(1).uppercased() + $0.dropFirst() }
    }
}
