// Parses the text of a --column option into a column.

package import SluiceCore

/// A column as the user declares it: `name:type` or `name:type=key.path`.
package struct ColumnOption: Sendable, Hashable {
    package let name: String
    package let type: DeclaredType
    package let path: JSONKeyPath

    /// - Throws: ``IngestError/usage(_:)`` with the reason if the text is not a column.
    package init(_ text: String) throws(IngestError) {
        let (name, type, path) = ColumnOption.parts(of: text)
        guard let type else {
            throw .usage("'\(text)' has no type; write \(name):text, or another of \(DeclaredType.names)")
        }
        guard let type = try DeclaredType(named: type) else {
            throw .usage("'\(type)' in '\(text)' is no column type; \(DeclaredType.hint(for: type))")
        }
        guard !name.isEmpty else { throw .usage("'\(text)' has no column name") }
        guard path != "" else { throw .usage("'\(text)' has no key after '='") }
        let plain = PathSyntax.unquoted(name) ?? name
        self.name = plain
        self.type = type
        self.path = try path.map { path throws(IngestError) in try ColumnOption.keyPath(path) } ?? .literal(plain)
    }

    /// The text of an option that declares a column, without `--column`.
    package static func text(of column: JSONColumn) -> String {
        let name =
            column.name.unicodeScalars.contains { $0 == "=" || $0 == "\"" || $0.isCommand }
            ? PathSyntax.quoted(column.name) : column.name
        let isNamedAfterKey = column.keys[0] == .literal(column.name)
        return "\(name):\(column.declaredType.name)" + (isNamedAfterKey ? "" : "=\(column.keys[0].text)")
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
    package var column: JSONColumn { JSONColumn(name: name, type: type.type, keys: [path], dates: type.dates) }

    /// The columns of all options.
    ///
    /// - Throws: ``IngestError/usage(_:)`` if two columns have the same name, or read the same value.
    package static func columns(_ options: [ColumnOption]) throws(IngestError) -> [JSONColumn] {
        for (index, option) in options.enumerated() {
            for other in options[..<index] {
                // SQLite ignores the case of letters in names.
                if ColumnName.areEqual(option.name, other.name) {
                    throw .usage("there are two columns named '\(option.name)'")
                }
                let (shorter, longer) =
                    option.path.components.count < other.path.components.count ? (option, other) : (other, option)
                if ColumnName.path(longer.path.components, startsWith: shorter.path.components) {
                    throw .usage(
                        "the columns '\(other.name)' and '\(option.name)' both read '\(shorter.path.text)': "
                            + "a value goes to one column")
                }
            }
        }
        return options.map(\.column)
    }

    /// The parts of `name:type=path`; the type and the path are nil if they are not there.
    fileprivate static func parts(of text: String) -> (name: String, type: String?, path: String?) {
        let equals = PathSyntax.positions(of: "=", in: text).first
        for colon in PathSyntax.positions(of: ":", in: text) where equals.map({ colon < $0 }) ?? true {
            // A date pattern may have colons and equals signs.
            let rest = text[text.index(after: colon)...]
            guard let start = DeclaredType.patternStart(of: rest) else { continue }
            for end in rest.indices where end >= start && rest[end] == ")" {
                let next = rest.index(after: end)
                guard next == rest.endIndex || rest[next] == "=" else { continue }
                return (
                    String(text[..<colon]), String(rest[..<next]),
                    next == rest.endIndex ? nil : String(rest[rest.index(after: next)...])
                )
            }
        }
        let (declaration, path) = halves(of: text, at: equals)
        // Other types have no colon, but a name may have one.
        let (name, type) = halves(of: declaration, at: PathSyntax.positions(of: ":", in: declaration).last)
        return (name, type, path)
    }

    private static func halves(of text: String, at index: String.Index?) -> (String, String?) {
        guard let index else { return (text, nil) }
        return (String(text[..<index]), String(text[text.index(after: index)...]))
    }
}

/// The type that `--type` gives an inferred column: `name:type`, or `path:type`.
package struct TypeOption: Sendable, Hashable {
    /// The column's name, or the path of its value.
    package let column: String
    package let type: DeclaredType
    /// The keys, if the text is a path.
    private let keys: [String]?
    /// The keys, or the name as one of them.
    package var path: [String] { keys ?? [column] }

    /// - Throws: ``IngestError/usage(_:)`` with the reason if the text is not a name and a type.
    package init(_ text: String) throws(IngestError) {
        let option = try ColumnOption(text)
        column = option.name
        type = option.type
        keys = try? PathSyntax.keys(of: ColumnOption.parts(of: text).name)
    }

    /// A column with this type. It rejects records whose value is not of its type.
    package func typed(_ column: JSONColumn) -> JSONColumn {
        column.with { ($0.type, $0.dates, $0.isTolerant) = (type.type, type.dates, false) }
    }

    /// Whether the option names a path inside a value.
    package func liesInside(_ path: [String]) -> Bool {
        keys.map { $0.count > path.count && ColumnName.path($0, startsWith: path) } == true
    }

    /// Whether the option is for a column with a name, and with a path if it reads one.
    package func isMeant(for name: String, _ path: [String]?) -> Bool {
        ColumnName.areEqual(column, name)
            || path.flatMap { path in keys.map { JSONKeyPath(components: $0) == JSONKeyPath(components: path) } } == true
    }
}

extension [TypeOption] {
    /// A column with the type that an option gives it; nil if none does.
    ///
    /// - Parameter home: The keys that lead to the object whose keys the column reads.
    package func typed(_ column: JSONColumn, below home: [String] = []) -> JSONColumn? {
        first { $0.isMeant(for: column.name, home + column.keys[0].components) }?.typed(column)
    }

    /// Checks that each option is for one of the columns.
    ///
    /// - Parameter sensitive: The paths whose keys are not shown.
    /// - Throws: ``IngestError/usage(_:)`` with the name that was probably meant.
    package func check(among columns: [JSONColumn], hiding sensitive: SensitivePaths) throws(IngestError) {
        for option in self where !columns.contains(where: { option.isMeant(for: $0.name, $0.keys[0].components) }) {
            let shown = columns.filter { !sensitive.hidesKey(at: $0.keys[0].components) }
            let hint = ColumnName.hint(for: option.column, among: shown.map(\.name))
            throw .usage("\(option: .type(option.column)): there is no such column\(hint)")
        }
    }
}
