// A row of the flat table: all that the reader must know about a value between two tokens, in one cache line.

/// What a row says about its property besides the kind.
struct PropertyFlags: OptionSet {
    let rawValue: UInt8

    /// The declared type is an optional: null is a value of it.
    static let nullable = PropertyFlags(rawValue: 1)
    /// One of several alternative keys: which one binds depends on the ranks, not on the order of arrival.
    static let ranked = PropertyFlags(rawValue: 2)
    /// The key needs more than storing the address: a path level, raw bytes, ranks, several properties.
    static let special = PropertyFlags(rawValue: 4)
    /// The key contains `?` or a character outside the basic plane: yajl decodes broken escapes to those.
    static let suspectKey = PropertyFlags(rawValue: 8)
    /// The type is an optional by another name: null is stored, or the property would keep its initial value.
    static let renamedOptional = PropertyFlags(rawValue: 32)
}

/// A row of a property table: a key and where its value goes.
///
/// Rows are plain memory, written once when the table is compiled and never freed: tables live as long as the process, like
/// the metadata of the types that they describe.
@safe
struct PropertyRow {
    var kind: PropertyKind
    /// How many optionals surround the value in the draft.
    var depth: UInt8
    var flags: PropertyFlags
    /// The place among the alternatives of a property: 0 wins.
    var rank: UInt8
    /// The property's number in its model.
    var slot: UInt32
    /// Where the value goes, in bytes from the start of the draft.
    var offset: Int
    /// The key's bytes, unescaped. For a path, this level's component only.
    var key: UnsafePointer<UInt8>
    var keyCount: Int
    /// How to bind the value.
    var binding: BindingHandle
    /// The keys one level further down, for a path.
    var level: KeyTableHandle?
    /// What the model says about values that do not fit as they are; nil where it says nothing, as most do.
    var policy: UnsafePointer<JSONPropertyPolicy>?

    var keyBytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: key, count: keyCount) }
}

/// What binds values in place of their own type.
enum Adapter: UInt8 {
    case none
    /// The JSON in a string.
    case text
    /// The type's `init(from:)` and `encode(to:)`.
    case codable
}

/// How values of one type are bound: the part of a row that does not depend on the property.
@safe
struct Binding {
    var kind: PropertyKind
    /// The container's kind of element, when the reader makes the array itself instead of asking the type; `model` when the element's
    /// type makes it.
    var builtinArray: PropertyKind = .none
    /// The type that makes values of contents and scalars.
    let type: any JSONReadable.Type
    /// What is accepted, in words.
    var expectation: String
    /// The type of an array's elements, if it makes the array.
    var elementType: any JSONReadable.Type = JSONValue.self
    /// Whether this is a model that is written as an array of doubles, each of which must be there.
    var isOfDoubles = false
    /// The row for an element: no key, offset 0.
    var element: RowHandle?
    /// Distance from one element (or pair) to the next, and their alignment.
    var elementStride = 0
    var elementAlignment = 1
    /// Whether a dictionary's type has to be asked which keys it has.
    var checksKeys = false
    /// Whether variants have no tag, and are tried one after the other.
    var isUntagged = false
    /// What binds values in place of their type.
    var adapter = Adapter.none
    /// In a pair, the distance from its start to the value.
    var valueOffset = 0
    /// Whether values are read of a stored form, which tells variants apart in a way of its own.
    var isStored = false
    /// What a run-time column holds.
    var cellType = CellType.text
    /// Whether that column keeps values of other types.
    var isTolerant = false
    /// The model's table.
    var model: LayoutHandle?
    /// The rows of a key that several properties want.
    var sharedRows: [RowHandle] = []
    /// The rows of the types that a captured value may become.
    var variants: [RowHandle] = []
}

/// What opening an object of a model takes: one block of memory, filled by copying a template.
///
/// The block is `[presence bits][null bits][ranks][draft]`.
@safe
struct ModelLayout {
    /// The keys of the top level.
    let level: KeyTableHandle
    let template: UnsafeRawPointer
    let blockSize: Int
    let blockAlignment: Int
    let draftOffset: Int
    let rankOffset: Int
    /// 64-bit words of presence bits.
    let wordCount: Int
    let slotCount: Int
    /// Whether the model's JSON form is an array, its properties told apart by their places.
    let isPositional: Bool
    /// Whether the model is made without asking its hook.
    let skipsHooks: Bool
    /// The presence bits of a draft that no more keys can change; 0 for a model whose bits do not tell.
    let completeBits: UInt64
    /// Whether the table has a problem, and must not be used.
    let isInvalid: Bool
    /// For each slot, the row of its first key, followed by a sentinel; for places in an array, and for errors.
    let firstRows: RowHandle
    /// Names for errors and for the table's owner.
    let table: Unmanaged<PropertyTable>
}

extension ModelLayout {
    /// Whether the model is an array of doubles, each of which must be there, and its draft holds nothing else.
    var isOfDoubles: Bool {
        guard isPositional, !isInvalid, slotCount > 0, slotCount < 64,
            blockSize - draftOffset == (slotCount - 1) * MemoryLayout<Double?>.stride + MemoryLayout<Double?>.size
        else { return false }
        return (0..<slotCount).allSatisfy { index in
            // Safe: there is a row for each slot.
            let row = unsafe firstRows[index]
            return unsafe row.kind == .double && row.depth == 1 && row.policy == nil
        }
    }
}
