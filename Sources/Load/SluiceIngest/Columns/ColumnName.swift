// The names of columns, compared as databases compare them.

internal import SluiceCore

/// Column names as SQLite compares them: by bytes, ignoring the case of ASCII letters.
package enum ColumnName {
    package static func folded(_ name: String) -> [UInt8] {
        name.utf8.map(folded)
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
    }

    /// A key as a part of a name. A name in SQL ends at the character U+0000, so that becomes `_`.
    package static func withoutNUL(_ key: String) -> String { key.escaping([("\0", "_")]) }

    /// The wanted name if it is not taken, or else the name with the first number, from 2, that makes one that is not.
    package static func free(like wanted: String, separator: String = "_", isTaken: (String) -> Bool) -> String {
        var (name, number) = (wanted, 2)
        while isTaken(name) { (name, number) = ("\(wanted)\(separator)\(number)", number + 1) }
        return name
    }

    /// How many names a hint lists.
    private static let listedCount = 10

    /// The end of an error about a name that no column has. It names the column that was probably meant, or lists the columns.
    package static func hint(for name: String, among names: [String]) -> String {
        if let meant = meant(by: name, among: names) { return "; did you mean \(meant)?" }
        guard !names.isEmpty else { return "" }
        let rest = names.count - listedCount
        return "; the columns are \(names.prefix(listedCount).joined(separator: ", "))"
            + (rest > 0 ? " and \(rest.grouped) more" : "")
    }

    /// The column that was probably meant by a name, or by the path of its value; nil if there is no similar one.
    package static func meant(by name: String, among names: [String]) -> String? {
        // The value at actor.id is in the column actor_id.
        KeyLikeness.closest(to: name, among: names) ?? KeyLikeness.closest(to: name.replacing(".", with: "_"), among: names)
    }

    /// The most bytes of a name in PostgreSQL. A server with a higher limit is very rare, and takes names of this length too.
    package static let longestInPostgreSQL = 63

    /// Whether a database that keeps so many bytes of a name has cut a name to another one: between two characters, as PostgreSQL does.
    package static func isCut(_ name: [UInt8], to short: [UInt8], _ longest: Int = longestInPostgreSQL) -> Bool {
        name.count > longest && short.count <= longest && short.count > longest - 4 && name.starts(with: short)
    }

    /// Names as a database has them, which may have cut some.
    package struct List {
        private let folded: Set<[UInt8]>
        private let longest: Int

        /// - Parameter longest: How many bytes of a name the database keeps; nil if it keeps all.
        package init(_ names: [String], cutAfter longest: Int? = longestInPostgreSQL) {
            folded = Set(names.map(ColumnName.folded))
            self.longest = longest ?? .max
        }

        /// Whether a folded name is among them, or what the database has made of it.
        package func contains(_ name: [UInt8]) -> Bool {
            folded.contains(name) || name.count > longest && folded.contains { ColumnName.isCut(name, to: $0, longest) }
        }
    }

    /// The bytes of a path's keys, which tell paths apart.
    package static func bytes(_ path: [String]) -> [[UInt8]] { path.map { Array($0.utf8) } }

    /// Whether two paths have the same keys. Keys are compared by their bytes: to Swift, both Unicode spellings of é are one string.
    package static func areEqual(_ left: some Sequence<String>, _ right: some Sequence<String>) -> Bool {
        left.elementsEqual(right) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Whether a path begins with the keys of another one.
    package static func path(_ path: some Sequence<String>, startsWith other: some Sequence<String>) -> Bool {
        path.starts(with: other) { $0.utf8.elementsEqual($1.utf8) }
    }

    package static func areEqual(_ left: String, _ right: String) -> Bool {
        // Each column of a table is compared with each other one.
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8) { folded($0) == folded($1) }
    }
}
