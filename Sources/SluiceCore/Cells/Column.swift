// The description of a run-time column: the counterpart of a declared property.

/// The type of a column's values.
public enum ColumnType: UInt8, Sendable, Hashable, CaseIterable, Codable {
    case integer, real, text, bool, date, json

    /// The type's name in options, reports and errors. It is spelled out here because `"\(self)"` looks the name up at run time,
    /// which took much of the time when tables were made again for columns added after the sample.
    public var name: String {
        switch self {
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .bool: "bool"
        case .date: "date"
        case .json: "json"
        }
    }
}

/// A column of a table made at run time.
package struct Column: Sendable, Hashable {
    package typealias ColumnType = SluiceCore.ColumnType

    package let name: String
    package let type: ColumnType
    package let keys: [JSONKeyPath]
    /// Whether a value of another type is kept as it is (containers as JSON text), instead of being an error.
    package let isTolerant: Bool
    /// Whether errors must not show its values.
    package var isSensitive: Bool

    package init(
        name: String, type: ColumnType, keys: [JSONKeyPath], isTolerant: Bool = false, isSensitive: Bool = false
    ) {
        self.name = name
        self.type = type
        self.keys = keys
        self.isTolerant = isTolerant
        self.isSensitive = isSensitive
    }
}

extension CellType {
    init(_ type: Column.ColumnType) {
        switch type {
        case .integer: self = .integer
        case .real: self = .real
        case .bool: self = .bool
        case .date: self = .date
        case .text, .json: self = .text
        }
    }
}
