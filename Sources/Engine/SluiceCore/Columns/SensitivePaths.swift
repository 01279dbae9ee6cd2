// The paths of values that errors and reports must not show, as `--sensitive` and the option `sensitive` of a scan name them.

/// Paths of sensitive values.
package struct SensitivePaths: Sendable, Hashable {
    private let paths: [JSONKeyPath]

    package var isEmpty: Bool { paths.isEmpty }

    /// - Parameter texts: The paths as they are written; a text that is not a path is one key.
    package init(_ texts: [String] = []) { paths = texts.map { JSONKeyPath($0) } }

    /// The paths' keys.
    package var keys: [[String]] { paths.map(\.components) }

    /// The sensitive path that leads to a value, or to one that the value lies in, or nil.
    package func path(above keys: [String]) -> JSONKeyPath? { paths.first { keys.begins(with: $0) } }

    /// Whether a value is sensitive, as a whole or in part.
    package func touches(_ keys: [String]) -> Bool {
        paths.contains { keys.begins(with: $0) || $0.components.begins(with: JSONKeyPath(components: keys)) }
    }

    /// What reports show in place of a path that goes on inside a sensitive value, or of a name made of it; nil for other paths.
    package func hidden(_ keys: [String]) -> String? {
        guard let path = path(above: keys), path.components.count < keys.count else { return nil }
        return "\(path.text).\(JSONError.redacted)"
    }

    /// A path as reports show it: without the keys inside a sensitive value.
    package func shown(_ text: String) -> String {
        guard !isEmpty, let keys = try? PathSyntax.keys(of: text) else { return text }
        return hidden(keys) ?? text
    }

    /// The columns, with those marked whose values are sensitive, or have a sensitive part.
    package func marking(_ columns: [JSONColumn]) -> [JSONColumn] {
        guard !isEmpty else { return columns }
        return columns.map { column in
            column.keys.contains { touches($0.components) } ? column.with { $0.isSensitive = true } : column
        }
    }
}

extension [String] {
    /// Whether the first keys are those of a path.
    package func begins(with path: JSONKeyPath) -> Bool { starts(with: path.components) { $0.utf8.elementsEqual($1.utf8) } }
}
