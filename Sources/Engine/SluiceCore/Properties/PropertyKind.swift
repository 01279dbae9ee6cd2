// The tag of a row: it tells the reader, without a call, what to do with a value.

/// How a value is bound.
enum PropertyKind: UInt8 {
    /// The value is not bound to any property.
    case ignored
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case int128, uint128
    case float, double
    case string
    /// A string that is a slice of the document's text.
    case substring
    /// A string of a model whose properties are read as columns: a cell that says where the text lies, and no `String`.
    case modelText
    /// A type with its own conversion, called through its metatype.
    case scalar
    /// Any JSON, kept as a tree.
    case value
    /// Any JSON, kept as its bytes.
    case raw
    case model
    /// Elements that become an `Array`, `Set` or another collection.
    case array
    /// Pairs that become a `Dictionary`.
    case dictionary
    /// Cells of a table whose columns are named at run time: see ``JSONColumn``. The scanner stores most of their values itself.
    case integerCell, realCell, boolCell, textCell
    /// A moment or a day: a text in UTC in a table, and a count since 1970 in a batch.
    case momentCell, dayCell
    /// An integer of 32 bits.
    case int32Cell
    /// The digits of a decimal number, without its point.
    case decimalCell
    /// A cell that takes any JSON and keeps its bytes.
    case jsonCell
    /// An intermediate level of a key path: the value is an object whose keys continue the path.
    case path
    /// A key that several properties share, or a property and longer paths. The value's text is captured, and then read once for
    /// each of them.
    case sharedKey
    /// A value whose text is captured first, because its content decides how it is read.
    case captured
    /// A value that is only checked to be JSON; nothing of it is kept.
    case checked
    /// The kind that is expected after the end of the document: any further value is an error.
    case none

    /// Whether values of the kind are scalars in JSON.
    var isScalar: Bool { rawValue >= PropertyKind.bool.rawValue && rawValue <= PropertyKind.scalar.rawValue }

    /// Whether values of the kind are texts.
    var isText: Bool { self == .string || self == .substring || self == .modelText }

    /// Whether values of the kind are scalars that become cells.
    var isCell: Bool { rawValue >= PropertyKind.integerCell.rawValue && rawValue <= PropertyKind.decimalCell.rawValue }

    /// Whether the text of a captured value is read again anyway, and so need not be checked at once.
    @inline(__always)
    var isReadAgain: Bool { self == .captured || self == .sharedKey || self == .model }

    /// Whether the kind is an integer.
    var isInteger: Bool { rawValue >= PropertyKind.int8.rawValue && rawValue <= PropertyKind.uint128.rawValue }

    /// Whether the kind is a number or a boolean.
    var isNumeric: Bool { rawValue >= PropertyKind.bool.rawValue && rawValue <= PropertyKind.double.rawValue }

    /// The kind of a scalar type: `scalar`, unless the reader knows the type.
    init(ofScalar type: any JSONScalarReadable.Type) {
        switch ObjectIdentifier(type) {
        case ObjectIdentifier(Bool.self): self = .bool
        case ObjectIdentifier(String.self): self = .string
        case ObjectIdentifier(Substring.self): self = .substring
        case ObjectIdentifier(Double.self): self = .double
        case ObjectIdentifier(Float.self): self = .float
        case ObjectIdentifier(Int.self), ObjectIdentifier(Int64.self): self = .int64
        case ObjectIdentifier(Int8.self): self = .int8
        case ObjectIdentifier(Int16.self): self = .int16
        case ObjectIdentifier(Int32.self): self = .int32
        case ObjectIdentifier(Int128.self): self = .int128
        case ObjectIdentifier(UInt.self), ObjectIdentifier(UInt64.self): self = .uint64
        case ObjectIdentifier(UInt8.self): self = .uint8
        case ObjectIdentifier(UInt16.self): self = .uint16
        case ObjectIdentifier(UInt32.self): self = .uint32
        case ObjectIdentifier(UInt128.self): self = .uint128
        default: self = .scalar
        }
    }
}

/// The uses of a property from which it is excluded.
public enum JSONExclusion: Sendable, Hashable {
    /// Neither read nor written.
    case both
    /// Not read.
    case reading
    /// Not written.
    case writing
    /// Not archived; still read and written as JSON.
    case archive
}

/// Whether a property is read, written or both.
public enum JSONDirection: Sendable, Hashable {
    /// Read and written.
    case both
    /// Read only.
    case reading
    /// Written only.
    case writing
}
