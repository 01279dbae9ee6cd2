// The paths that options name and no record has: probably misspelt, if a record has a similar one.

package import SluiceCore

/// A path that an option names, and that no record has.
public struct UnseenPath: Hashable, Sendable, Codable {
    /// The option that names it.
    package enum Reader: Hashable, Sendable, Codable {
        /// A declared column.
        case column(String)
        case type, condition, sensitive
        /// A value that stays JSON.
        case json
    }

    public let path: String
    package let reader: Reader
    /// The path that was probably meant; nil if no record has a similar one.
    public let meant: String?

    /// For a type, the columns that there are, if none is similar.
    package let others: String
    /// The column of JSON that the path lies in; nil if it lies in none.
    package private(set) var holder: String?

    /// - Parameters:
    ///   - paths: The paths of the first records, or the names of columns.
    ///   - sensitive: The paths whose keys are not shown.
    package init(
        _ path: [String], reader: Reader, among paths: [[String]], hiding sensitive: SensitivePaths, inside holder: String? = nil
    ) {
        self.holder = holder
        // A path is no misspelling of itself. It may be among the others if its record was not read.
        let paths = paths.filter { other in
            !sensitive.hidesKey(at: other) && !other.elementsEqual(path) { $0.utf8.elementsEqual($1.utf8) }
        }
        meant =
            holder != nil
            ? nil
            : UnseenPath.meant(by: path, among: paths)
                ?? (reader == .type ? ColumnName.meant(by: path[0], among: paths.map { $0[0] }) : nil)
        // Digits name an element, or a key: a similar path tells which.
        self.path = meant == nil ? UnseenPath.text(withElements: path) : PathSyntax.text(ofKeys: path)
        self.reader = reader
        others = reader == .type && holder == nil ? ColumnName.hint(for: self.path, among: paths.map { $0[0] }) : ""
    }

    /// The text of a path whose numbers are those of elements, as errors show it: `tags[0]`.
    private static func text(withElements path: [String]) -> String {
        PathSyntax.text(
            of: path.enumerated().map { index, key in
                guard index > 0, let number = Int(key), number >= 0, String(number) == key else { return .key(key) }
                return .index(number)
            })
    }

    /// The column that reads the path, if one does.
    package var column: String? {
        switch reader {
        case .column(let name): name
        case .type: path
        case .condition, .sensitive, .json: nil
        }
    }

    /// The path that is similar to the missing one; without one, a path whose last key is similar.
    private static func meant(by path: [String], among paths: [[String]]) -> String? {
        // A path that goes on after an existing one is not a misspelling of it.
        let paths = paths.filter { $0.count >= path.count || !ColumnName.path(path, startsWith: $0) }
        let texts = paths.map { $0.joined(separator: ".") }
        let lastKeys = paths.map { $0[$0.count - 1] }
        let meant =
            index(of: KeyLikeness.closest(to: path.joined(separator: "."), among: texts), in: texts)
            ?? index(of: KeyLikeness.closest(to: path[path.count - 1], among: lastKeys), in: lastKeys)
        return meant.map { PathSyntax.text(ofKeys: paths[$0]) }
    }

    private static func index(of text: String?, in texts: [String]) -> Int? {
        text.flatMap { text in texts.firstIndex { $0.utf8.elementsEqual(text.utf8) } }
    }
}

extension SensitivePaths {
    /// Whether a path lies inside a sensitive value, so that its last key is not shown. A path that the user has named is shown.
    package func hidesKey(at path: [String]) -> Bool {
        guard let above = self.path(above: path), above.components.count < path.count else { return false }
        return !keys.contains { $0.count == path.count && path.begins(with: JSONKeyPath(components: $0)) }
    }
}
