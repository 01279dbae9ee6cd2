// The tag in a row that says, between two tokens and without a call, what to do with a value.

/// How a value is bound.
enum PropertyKind: UInt8 {
    /// No property wants the value.
    case ignored
    case bool
    case int8, int16, int32, int64
    case uint8, uint16, uint32, uint64
    case int128, uint128
    case float, double
    case string
    /// A type with its own conversion, reached through its metatype.
    case scalar
    /// Any JSON, as a tree.
    case value
    /// Any JSON, as its bytes.
    case raw
    case model
    /// Elements that become an `Array`, `Set` or another collection.
    case array
    /// Pairs that become a `Dictionary`.
    case dictionary
    /// A cell of a table made at run time: see `ColumnTable`.
    case cell
    /// A cell that takes any JSON, as its bytes.
    case rawCell
    /// An intermediate level of a key path: the object's keys lead on.
    case path
    /// A key that several properties want, or one property and deeper paths: its text is captured and read for each.
    case sharedKey
    /// A value whose text is captured first, because what it is made into depends on what is in it.
    case captured
    /// A value of which nothing is kept: it only has to be JSON.
    case checked
    /// Behind the end of the document: any value is one too many.
    case none
}

extension PropertyKind {
    /// Whether values of the kind are scalars in the text.
    var isScalar: Bool { rawValue >= PropertyKind.bool.rawValue && rawValue <= PropertyKind.scalar.rawValue }
}

extension PropertyKind {
    /// Whether the kind is a number or a boolean.
    var isNumeric: Bool { rawValue >= PropertyKind.bool.rawValue && rawValue <= PropertyKind.double.rawValue }
}

/// What leaves a property out.
public enum JSONExclusion: Sendable, Hashable {
    /// Reading and writing.
    case both
    /// Reading.
    case reading
    /// Writing.
    case writing
    /// Archives; it is read and written as JSON.
    case archive
}

/// Which way a property is carried.
public enum JSONDirection: Sendable, Hashable {
    /// Read and written.
    case both
    /// Read only.
    case reading
    /// Written only.
    case writing
}
