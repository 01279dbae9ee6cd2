// The types of the columns of a table in a database, and what a property declares about its own column.

/// The type of a column's values.
public enum ColumnType: UInt8, Sendable, Hashable, CaseIterable, Codable {
    case integer, real, text, bool
    /// Days: `2024-01-31`. A date with a time of day other than 0:00 in UTC is a value of another type.
    case date
    case json
    /// Moments, in UTC: `2024-01-31T09:30:00Z`.
    case timestamp

    /// Whether the values are dates, whose form in JSON a column can name.
    package var isOfDates: Bool { self == .date || self == .timestamp }

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
        case .timestamp: "timestamp"
        }
    }

    /// - Returns: nil if no type has the name.
    package init?(named name: String) {
        guard let type = ColumnType.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }
}

/// Where the elements of an array of models go, for a table that records of the model are ingested into.
public enum ElementStorage: Sendable, Hashable {
    /// Each element is a row of a table of its own, which has the key of the record's row, and the element's position.
    case table
}

/// What a property declares about its column in a table of a database.
package struct ColumnChoice: Sendable, Hashable {
    /// The column's name; nil for that of the property's key.
    package let name: String?
    /// The column's type; nil for that of the property.
    package let type: ColumnType?
    /// Where the elements of an array go; nil for one column.
    package var elements: ElementStorage?

    package static let none = ColumnChoice(name: nil, type: nil)
}
