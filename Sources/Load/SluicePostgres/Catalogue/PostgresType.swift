// The types of PostgreSQL that a COPY in binary can write. A value of any other type is sent as text, and the type's own input
// function reads it. These are types of columns that are there; which type a new column gets, ColumnType+PostgreSQL.swift says.

#if PostgreSQL
/// How a column takes values.
enum PostgresType: Hashable, Sendable {
    case int2, int4, int8
    case float4, float8
    /// A number of at most this many digits, of which `scale` are after the point; both nil if there is no limit.
    case numeric(precision: Int?, scale: Int?)
    case bool
    /// Text of at most this many characters. Blanks beyond the limit are cut off, as SQL demands.
    case text(limit: Int?)
    /// Text of at most 63 bytes.
    case name
    case json, jsonb
    case date, timestamp, timestamptz
    case uuid
    case bytea
    /// One of these texts.
    case enumeration(Set<String>)
    /// An array. `isOfJSON` says whether its elements are JSON.
    case array(isOfJSON: Bool)
    /// A number from 0 on, of at most this size. The type's own input makes another number of one below 0.
    case unsigned(UInt64)
    case other

    /// The type for an entry of `pg_type`, which is not a domain.
    ///
    /// - Parameters:
    ///   - name: The name in `pg_catalog`; empty if the type is in another schema. That of an array begins with `_`.
    ///   - modifier: `atttypmod`; below 0 if there is none.
    init(name: String, modifier: Int, labels: [String]?) {
        if let labels {
            self = .enumeration(Set(labels))
            return
        }
        // The modifiers of lengths and of numeric count a header of 4 bytes that was there long ago.
        let length = modifier >= 4 ? modifier - 4 : nil
        switch name {
        case "int2": self = .int2
        case "int4": self = .int4
        case "int8": self = .int8
        case "float4": self = .float4
        case "float8": self = .float8
        case "numeric":
            // The scale has 11 bits, and a sign since PostgreSQL 15.
            self = .numeric(
                precision: length.map { $0 >> 16 & 0xFFFF }, scale: length.map { ($0 & 0x7FF ^ 1024) - 1024 })
        case "bool": self = .bool
        case "text": self = .text(limit: nil)
        case "varchar", "bpchar": self = .text(limit: length)
        case "name": self = .name
        case "json": self = .json
        case "jsonb": self = .jsonb
        case "date": self = .date
        case "timestamp": self = .timestamp
        case "timestamptz": self = .timestamptz
        case "uuid": self = .uuid
        case "bytea": self = .bytea
        case "oid", "xid", "cid": self = .unsigned(UInt64(UInt32.max))
        case "xid8": self = .unsigned(.max)
        case "_json", "_jsonb": self = .array(isOfJSON: true)
        case _ where name.hasPrefix("_"): self = .array(isOfJSON: false)
        default: self = .other
        }
    }

    /// The type's name in errors.
    var words: String {
        switch self {
        case .int2: "smallint"
        case .int4: "integer"
        case .int8: "bigint"
        case .float4: "real"
        case .float8: "double precision"
        case .numeric(let precision?, let scale?): "numeric(\(precision),\(scale))"
        case .numeric: "numeric"
        case .bool: "boolean"
        case .text(let limit?): "text of at most \(limit) characters"
        case .text: "text"
        case .name: "text of at most 63 bytes"
        case .json, .jsonb: "JSON"
        case .date: "a date"
        case .timestamp, .timestamptz: "a date with a time"
        case .uuid: "a UUID"
        case .bytea: "bytes as \\x and hexadecimal digits"
        case .enumeration(let labels) where labels.count <= 8: "one of " + labels.sorted().joined(separator: ", ")
        case .enumeration(let labels): "one of \(labels.count) labels"
        case .array(isOfJSON: true): "an array of JSON"
        case .array: "an array, in JSON or as PostgreSQL writes it"
        case .unsigned(let largest): "a number from 0 to \(largest)"
        case .other: "a value of its type"
        }
    }
}
#endif
