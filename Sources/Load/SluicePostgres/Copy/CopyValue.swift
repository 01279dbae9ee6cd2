// A value in the type of its column. First a cell is read as the column's type, and then the value is written in the format of
// the COPY. So both formats refuse the same values.

#if PostgreSQL
internal import SluiceCore

/// A value that fits its column; a text is valid as long as the cell is.
@safe
enum CopyValue {
    case null
    case int2(Int16)
    case int4(Int32)
    case int8(Int64)
    case float4(Float)
    case float8(Double)
    case bool(Bool)
    case text(UnsafeRawBufferPointer)
    /// A text that becomes a string of JSON.
    case jsonString(UnsafeRawBufferPointer)
    /// What another value becomes as text or JSON, or an array as PostgreSQL writes it: `{1,NULL,"a b"}`.
    case plain(String)
    case numeric(DecimalLexeme)
    /// The digits of a number of another type.
    case digits(String)
    /// Days since 2000-01-01.
    case date(Int32)
    /// Microseconds since 2000-01-01, in UTC or in no zone.
    case moment(Int64)
    case uuid(UInt64, UInt64)
    /// Hexadecimal digits, two for each byte.
    case bytes(UnsafeRawBufferPointer)
    /// Infinity, as numbers and dates have it.
    case infinity(isNegative: Bool)
    case notANumber
}

/// A column that a COPY writes.
struct CopyField: Hashable, Sendable {
    let name: String
    let type: PostgresType
    /// The type and the collation of the column, as SQL has them.
    var declaration = "text"
    /// The type that the records' values were read as.
    var source: ColumnType = .text
    /// Whether errors must not show its values.
    var isSensitive = false
    /// Whether its values say where the record is.
    var isOfPlace = false

    /// Whether its values are read as truth values. This is asked for each integer, and the pattern costs less than a comparison.
    var isOfTruth: Bool { if case .bool = source { true } else { false } }
}

/// Why a value does not fit its column.
struct CopyRefusal: Error, Hashable, Sendable {
    let column: String
    let expected: String
    let found: String

    var description: String { "\(column): expected \(expected), found \(found)" }
}
#endif
