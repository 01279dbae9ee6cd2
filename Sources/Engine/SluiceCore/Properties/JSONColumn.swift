// A column that is named at run time: the counterpart of a declared property.

/// A column of the values at a path: of a ``JSONColumnBatch``, or of a table that records are ingested into.
///
/// ```swift
/// let columns = [JSONColumn("id", .integer), JSONColumn("actor.login", .text)]
/// ```
public struct JSONColumn: Sendable, Hashable {
    /// The column's name.
    public package(set) var name: String
    /// The type of its values.
    public package(set) var type: ColumnType
    /// The keys and paths that its value is read from; the first that is present wins.
    public package(set) var keys: [JSONKeyPath]
    /// Whether null, or no value for the column, is an error: in a record, in an object of a list, and in an object of another column. A
    /// table takes required columns only from a model, and an ingest refuses others.
    public package(set) var isRequired: Bool
    /// Whether errors must not show its values, as with `@JSONSensitive`.
    public package(set) var isSensitive: Bool
    /// The form of its dates in JSON, also inside a list; nil for texts in any known form.
    public package(set) var dates: JSONDateFormat?
    /// Whether a value of another type is kept as it is (containers as JSON text), instead of being an error.
    package var isTolerant = false

    /// Makes a column with a name and keys.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The type of its values.
    ///   - keys: The keys and paths that its value is read from; without any, its name is the key.
    ///   - isRequired: Whether null, or no value for the column, is an error; see ``isRequired``.
    ///   - isSensitive: Whether errors must not show its values.
    ///   - dates: The form of its dates in JSON, also inside a list; nil for texts in any known form.
    public init(
        name: String, type: ColumnType, keys: [JSONKeyPath] = [], isRequired: Bool = false, isSensitive: Bool = false,
        dates: JSONDateFormat? = nil
    ) {
        self.name = name
        self.type = type
        self.keys = keys.isEmpty ? [.literal(name)] : keys
        self.isRequired = isRequired
        self.isSensitive = isSensitive
        self.dates = dates
    }

    package init(
        name: String, type: ColumnType, keys: [JSONKeyPath] = [], isTolerant: Bool, isSensitive: Bool = false,
        dates: JSONDateFormat? = nil
    ) {
        self.init(name: name, type: type, keys: keys, isSensitive: isSensitive, dates: dates)
        self.isTolerant = isTolerant
    }

    /// Makes a column of the values at a path, named after its keys: `"actor.login"`.
    ///
    /// ```swift
    /// let created = JSONColumn("created", .timestamp, dates: .unix)
    /// ```
    public init(_ path: String, _ type: ColumnType, dates: JSONDateFormat? = nil) {
        let keys = JSONKeyPath(path)
        self.init(name: keys.description, type: type, keys: [keys], dates: dates)
    }

    /// The same column with other values.
    package func with(_ change: (inout JSONColumn) -> Void) -> JSONColumn {
        var column = self
        change(&column)
        return column
    }
}

extension [JSONColumn] {
    /// Whether a column is sensitive, at any depth.
    package var holdSensitive: Bool { contains { $0.isSensitive || $0.type.holdsSensitive } }
}
