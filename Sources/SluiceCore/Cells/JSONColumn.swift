// The name, type and keys of a batch's column.

/// A column of a ``JSONColumnBatch``.
///
/// ```swift
/// let columns = [JSONColumn("id", .int64), JSONColumn("actor.login", .string)]
/// ```
public struct JSONColumn: Sendable, Hashable {
    /// The column's name.
    public let name: String
    /// The type of its values.
    public let type: JSONColumnType
    /// The keys and paths that its value is read from; the first that is present wins.
    public let keys: [JSONKeyPath]
    /// Whether a record without a value for the column is an error.
    public let isRequired: Bool
    /// Whether errors must not show its values, as with `@JSONSensitive`.
    public let isSensitive: Bool
    /// The form of its dates in JSON, also inside a list; nil for texts in any known form.
    public let dates: JSONDateFormat?

    /// Makes a column with a name and keys.
    ///
    /// - Parameters:
    ///   - name: The name of the column.
    ///   - type: The type of its values.
    ///   - keys: The keys and paths that its value is read from; if there are none, the name as one key.
    ///   - isRequired: Whether a record without a value for the column is an error.
    ///   - isSensitive: Whether errors must not show its values.
    ///   - dates: The form of its dates in JSON, also inside a list; nil for texts in any known form.
    public init(
        name: String, type: JSONColumnType, keys: [JSONKeyPath] = [], isRequired: Bool = false, isSensitive: Bool = false,
        dates: JSONDateFormat? = nil
    ) {
        self.name = name
        self.type = type
        self.keys = keys.isEmpty ? [.literal(name)] : keys
        self.isRequired = isRequired
        self.isSensitive = isSensitive
        self.dates = dates
    }

    /// Makes a column of the values at a path, named after its keys: `"actor.login"`.
    ///
    /// ```swift
    /// let created = JSONColumn("created", .timestamp, dates: .unix)
    /// ```
    public init(_ path: String, _ type: JSONColumnType, dates: JSONDateFormat? = nil) {
        let keys = JSONKeyPath(path)
        self.init(name: keys.description, type: type, keys: [keys], dates: dates)
    }
}

/// The type of a column's values.
///
/// | type | values that it accepts | in Arrow |
/// |---|---|---|
/// | `bool` | `true`, `false` | `bool` |
/// | `int64` | integers of 64 bits, `7.0` and `7e0` included; booleans as 1 and 0 | `int64` |
/// | `int32` | the same integers, of 32 bits | `int32` |
/// | `double` | finite numbers; integers whose digits a double can hold | `float64` |
/// | `string` | strings; numbers and booleans as they are written | `utf8` |
/// | `timestamp` | strings that are a date in a known format, or what the column's ``JSONColumn/dates`` says | `timestamp` in microseconds, UTC |
/// | `date` | the same, at 0:00 UTC | `date32`, days since 1970 |
/// | `decimal` | numbers, and strings that are a number, all of whose digits fit | `decimal128` |
/// | `json` | any value, as it is written, without the white space between its tokens | `utf8` |
/// | `list` | arrays | `list` |
/// | `object` | objects, by their keys | `struct` |
///
/// Null counts as no value for all of them. A record with a value of another type is an error.
public indirect enum JSONColumnType: Sendable, Hashable {
    case bool, int64, int32, double, string, timestamp, date, json
    /// Numbers with up to `precision` digits (1 to 18), `scale` of them behind the point: `12.5` is 12.50 in `decimal(4, 2)`.
    case decimal(precision: Int, scale: Int)
    /// Arrays of values of one type; elements may be null.
    case list(of: JSONColumnType)
    /// Objects with these keys; other keys are skipped.
    case object([JSONColumn])
}

extension JSONColumnType {
    /// The column type that corresponds to a table column's type.
    package init(_ type: Column.ColumnType) {
        switch type {
        case .integer: self = .int64
        case .real: self = .double
        case .bool: self = .bool
        case .date: self = .date
        case .timestamp: self = .timestamp
        case .text: self = .string
        case .json: self = .json
        }
    }

    /// The names of the types for a single scalar or any JSON.
    package static let plainTypes: [(name: String, type: JSONColumnType)] = [
        ("bool", .bool), ("int64", .int64), ("int32", .int32), ("double", .double), ("string", .string),
        ("timestamp", .timestamp),
        ("date", .date), ("json", .json),
    ]

    /// The digits that a decimal may have: as many as any integer of 64 bits has.
    package static let decimalDigits = 1...18

    /// The type that a text names: one of the plain types, or `decimal(12,2)`.
    package static func named(_ name: String) -> JSONColumnType? {
        if let plain = plainTypes.first(where: { $0.name == name }) { return plain.type }
        guard name.hasPrefix("decimal("), name.hasSuffix(")") else { return nil }
        let numbers = name.dropFirst("decimal(".count).dropLast().split(separator: ",", omittingEmptySubsequences: false)
            .map { Int($0.drop { $0 == " " }) }
        guard numbers.count == 2, let precision = numbers[0], let scale = numbers[1], decimalDigits.contains(precision),
            (0...precision).contains(scale)
        else { return nil }
        return .decimal(precision: precision, scale: scale)
    }
}
