// The description of a run-time column: the counterpart of a declared property.

/// A column of a table made at run time.
package struct Column: Sendable, Hashable {
    package typealias ColumnType = SluiceCore.ColumnType

    package let name: String
    package let type: ColumnType
    package let keys: [JSONKeyPath]
    /// The form of a column's dates; nil for texts in any known form.
    package var dates: JSONDateFormat?
    /// Whether a value of another type is kept as it is (containers as JSON text), instead of being an error.
    package let isTolerant: Bool
    /// Whether errors must not show its values.
    package var isSensitive: Bool
    /// Whether each record has a value for it that is not null.
    package var isRequired: Bool

    package init(
        name: String, type: ColumnType, keys: [JSONKeyPath], isTolerant: Bool = false, isSensitive: Bool = false,
        isRequired: Bool = false, dates: JSONDateFormat? = nil
    ) {
        self.name = name
        self.type = type
        self.keys = keys
        self.isTolerant = isTolerant
        self.isSensitive = isSensitive
        self.isRequired = isRequired
        self.dates = dates
    }
}
