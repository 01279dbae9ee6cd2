// The types of columns, and what a property declares about its own column.

/// The type of a column's values.
///
/// | type | values that it accepts | in Arrow |
/// |---|---|---|
/// | `bool` | `true`, `false` | `bool` |
/// | `integer` | integers of 64 bits, `7.0` and `7e0` included; booleans as 1 and 0 | `int64` |
/// | `int32` | the same integers, of 32 bits | `int32` |
/// | `real` | finite numbers; integers whose digits a double can hold | `float64` |
/// | `text` | strings; numbers and booleans as they are written | `utf8` |
/// | `timestamp` | strings that are a date in a known format, or what the column's ``JSONColumn/dates`` says | `timestamp` in microseconds, UTC |
/// | `date` | the same, at 0:00 UTC | `date32`, days since 1970 |
/// | `decimal` | numbers, and strings that are a number, all of whose digits fit | `decimal128` |
/// | `json` | any value, as it is written, without the white space between its tokens | `utf8` |
/// | `list` | arrays | `list` |
/// | `object` | objects, by their keys | `struct` |
///
/// Null counts as no value for all of them. A record with a value of another type is an error. The tables of an ingest have columns of the
/// types `integer`, `real`, `text`, `bool`, `date`, `timestamp` and `json`.
public enum ColumnType: Sendable, Hashable {
    case bool, integer, int32, real, text
    /// Days: `2024-01-31`. A date with a time of day other than 0:00 in UTC is a value of another type.
    case date
    /// Moments, in UTC: `2024-01-31T09:30:00Z`.
    case timestamp
    case json
    /// Numbers with up to `precision` digits (1 to 18), `scale` of them after the point: `12.5` is 12.50 in `decimal(4, 2)`.
    case decimal(precision: Int, scale: Int)
    /// Arrays of values of one type; elements may be null.
    indirect case list(of: ColumnType)
    /// Objects with these keys; other keys are skipped.
    case object([JSONColumn])

    /// The types that columns of tables have.
    package static let ofTables: [ColumnType] = [.integer, .real, .text, .bool, .date, .json, .timestamp]

    /// The digits that a decimal may have: as many as any integer of 64 bits has.
    package static let decimalDigits = 1...18

    /// Whether the values are dates, whose form in JSON a column can name.
    package var isOfDates: Bool { self == .date || self == .timestamp }

    /// Whether a column inside is sensitive.
    var holdsSensitive: Bool {
        switch self {
        case .list(let element): element.holdsSensitive
        case .object(let columns): columns.holdSensitive
        default: false
        }
    }

    /// The type's name in options, reports and errors. It is spelled out here because `"\(self)"` looks the name up at run time,
    /// which took much of the time when tables were made again for columns added after the sample.
    public var name: String {
        switch self {
        case .integer: "integer"
        case .int32: "int32"
        case .real: "real"
        case .text: "text"
        case .bool: "bool"
        case .date: "date"
        case .json: "json"
        case .timestamp: "timestamp"
        case .decimal(let precision, let scale): "decimal(\(precision),\(scale))"
        case .list: "list"
        case .object: "object"
        }
    }

    /// - Returns: nil if no type of a table's column has the name.
    package init?(named name: String) {
        guard let type = ColumnType.ofTables.first(where: { $0.name == name }) else { return nil }
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
