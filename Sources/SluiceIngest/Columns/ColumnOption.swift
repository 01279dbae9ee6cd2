// Parses the text of a --column option into a column.

package import SluiceCore

/// A column as the user declares it: `name:type` or `name:type=key.path`.
package struct ColumnOption: Sendable, Hashable {
    package let name: String
    package let type: Column.ColumnType
    package let path: JSONKeyPath

    /// - Throws: ``IngestError/usage(_:)`` with the reason if the text is not a column.
    package init(_ text: String) throws(IngestError) {
        let (declaration, path) = ColumnOption.halves(of: text, at: PathSyntax.places(of: "=", in: text).first)
        // A type has no colon, but a name may have one.
        let (name, type) = ColumnOption.halves(of: declaration, at: PathSyntax.places(of: ":", in: declaration).last)
        guard let type else {
            throw .usage("'\(text)' has no type; write \(name):text, or another of \(ColumnOption.typeNames)")
        }
        guard let type = Column.ColumnType.named(type) else {
            throw .usage("'\(type)' in '\(text)' is no column type; there are \(ColumnOption.typeNames)")
        }
        guard !name.isEmpty else { throw .usage("'\(text)' has no column name") }
        guard path != "" else { throw .usage("'\(text)' has no key behind '='") }
        let plain = PathSyntax.unquoted(name) ?? name
        self.name = plain
        self.type = type
        self.path = try path.map { path throws(IngestError) in try ColumnOption.keyPath(path) } ?? .literal(plain)
    }

    /// The text of an option that declares a column, without `--column`.
    package static func text(of column: Column) -> String {
        let name =
            column.name.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\"") }
            ? PathSyntax.quoted(column.name) : column.name
        let isNamedAfterKey = column.keys[0] == .literal(column.name)
        return "\(name):\(column.type.name)" + (isNamedAfterKey ? "" : "=\(column.keys[0].text)")
    }

    /// Reads a path to one value.
    package static func keyPath(_ text: String) throws(IngestError) -> JSONKeyPath {
        do throws(PathFault) {
            return JSONKeyPath(components: try PathSyntax.keys(of: text))
        } catch {
            throw .usage(
                "the path '\(text)': expected \(error.expected), found \(error.found) (column \(error.column)); \(PathFault.hint)"
            )
        }
    }

    /// The column that this option declares. It rejects records whose value is not of its type.
    package var column: Column { Column(name: name, type: type, keys: [path]) }

    /// The columns of all options.
    ///
    /// - Throws: ``IngestError/usage(_:)`` if two columns have the same name, or read the same value.
    package static func columns(_ options: [ColumnOption]) throws(IngestError) -> [Column] {
        for (index, option) in options.enumerated() {
            for other in options[..<index] {
                // SQLite ignores the case of letters in names.
                if ColumnName.areEqual(option.name, other.name) {
                    throw .usage("there are two columns named '\(option.name)'")
                }
                let (shorter, longer) =
                    option.path.components.count < other.path.components.count ? (option, other) : (other, option)
                if longer.path.components.starts(with: shorter.path.components, by: { $0.utf8.elementsEqual($1.utf8) }) {
                    throw .usage(
                        "the columns '\(other.name)' and '\(option.name)' both read '\(shorter.path.text)': "
                            + "a value goes to one column")
                }
            }
        }
        return options.map(\.column)
    }

    private static func halves(of text: String, at index: String.Index?) -> (String, String?) {
        guard let index else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }

    private static var typeNames: String { Column.ColumnType.allCases.map(\.name).joined(separator: ", ") }
}

/// The type that `--type` gives an inferred column: `name:type`, or `path:type`.
package struct TypeOption: Sendable, Hashable {
    /// The column's name, or the path of its value.
    package let column: String
    package let type: Column.ColumnType
    /// The keys, if the text is a path.
    private let keys: [String]?

    /// - Throws: ``IngestError/usage(_:)`` with the reason if the text is not a name and a type.
    package init(_ text: String) throws(IngestError) {
        let option = try ColumnOption(text)
        column = option.name
        type = option.type
        keys = try? PathSyntax.keys(of: String(text[..<(PathSyntax.places(of: ":", in: text).last ?? text.endIndex)]))
    }

    /// Whether the option is for a column with a name, and with a path if it reads one.
    package func isMeant(for name: String, _ path: [String]?) -> Bool {
        ColumnName.areEqual(column, name)
            || path.flatMap { path in keys.map { JSONKeyPath(components: $0) == JSONKeyPath(components: path) } } == true
    }
}

extension Column.ColumnType {
    package static func named(_ name: String) -> Self? { allCases.first { $0.name == name } }
}
