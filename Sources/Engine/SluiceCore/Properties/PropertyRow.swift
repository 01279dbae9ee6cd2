// A row of the flat table: all that the reader must know about a value, in one cache line.

/// A row's facts about its property besides the kind.
struct PropertyFlags: OptionSet {
    let rawValue: UInt8

    /// The declared type is an optional: null is a value of it.
    static let nullable = PropertyFlags(rawValue: 1)
    /// One of several alternative keys: the ranks decide which of them binds, not the order of arrival.
    static let ranked = PropertyFlags(rawValue: 2)
    /// The key needs more work than storing the value's address: a path level, raw bytes, ranks, several properties.
    static let special = PropertyFlags(rawValue: 4)
    /// The type is an optional under another name: null must be stored, because otherwise the property would keep its initial value.
    static let renamedOptional = PropertyFlags(rawValue: 8)
    /// The property has no key: its value is read from the members of the model's own object.
    static let inlined = PropertyFlags(rawValue: 16)
    /// Values are checked when they have been stored: see ``Binder/checkConstraints()``.
    static let constrained = PropertyFlags(rawValue: 32)
}

/// A row of a property table: a key and where its value goes.
///
/// Rows are plain memory, written once when the table is compiled: see ``TableStorage``.
@safe
struct PropertyRow {
    var kind: PropertyKind
    /// How many optionals surround the value in the draft, or in the model if it has no draft.
    var depth: UInt8
    var flags: PropertyFlags
    /// The rank among the alternative keys of a property: 0 wins.
    var rank: UInt8
    /// The property's number in its model.
    let slot: UInt32
    /// The offset of the value in the draft, or in the model if it has no draft, in bytes.
    var offset: Int
    /// The key's bytes, unescaped. For a path, this level's component only.
    var key: UnsafePointer<UInt8>
    var keyCount: Int
    /// How to bind the value.
    var binding: BindingHandle
    /// The keys one level further down, for a path. For an inlined property: the keys of its value.
    var level: KeyTableHandle?
    /// The policy of the property; nil if it has none, like most.
    var policy: UnsafePointer<JSONPropertyPolicy>?
    /// The slot's bit in its word of presence bits.
    let bit: UInt64

    init(
        kind: PropertyKind, depth: UInt8, flags: PropertyFlags, rank: UInt8, slot: UInt32, offset: Int, key: UnsafePointer<UInt8>,
        keyCount: Int, binding: BindingHandle, level: KeyTableHandle? = nil, policy: UnsafePointer<JSONPropertyPolicy>? = nil
    ) {
        self.kind = kind
        self.depth = depth
        self.flags = flags
        self.rank = rank
        self.slot = slot
        self.offset = offset
        unsafe self.key = unsafe key
        self.keyCount = keyCount
        self.binding = binding
        self.level = level
        unsafe self.policy = unsafe policy
        bit = 1 &<< UInt64(slot & 63)
    }

    var keyBytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: key, count: keyCount) }
}

/// How values are bound if not by their own type.
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
    /// The kind of element if the reader itself makes the array; `model` if the element's type makes it; `modelText` if its text is kept;
    /// `none` if the container's type does.
    var builtinArray: PropertyKind = .none
    /// The type of the values; it makes them from scalars.
    let type: any JSONReadable.Type
    /// The type that makes values from contents, and destroys contents: mostly `OwnAssembly` of `type`.
    var assembly: any Assembly.Type
    /// The accepted values, in words.
    var expectation: String
    /// The type of an array's elements, if that type makes the array.
    var elementType: any JSONReadable.Type = JSONValue.self
    /// Whether this is a model whose JSON is an array of doubles, all of them required.
    var isOfDoubles = false
    /// The row for an element: no key, offset 0.
    var element: RowHandle?
    /// Distance from one element (or pair) to the next, and their alignment.
    var elementStride = 0
    var elementAlignment = 1
    /// Whether a dictionary's type must check each key.
    var checksKeys = false
    /// Whether variants have no tag, and are tried one after the other.
    var isUntagged = false
    /// How values are bound if not by their own type.
    var adapter = Adapter.none
    /// The type that `init(from:)` makes, if it can also be bound.
    var codedType: (any JSONReadable.Type)?
    /// In a pair, the distance from its start to the value.
    var valueOffset = 0
    /// Whether values are read from a stored form, in which variants have a tag of its own.
    var isStored = false
    /// Whether cells count dates, and lose no digit of a number unnoticed, as a batch needs it.
    var isCounted = false
    /// The digits of a decimal column, and those after the point.
    var precision: UInt8 = 0
    var scale: UInt8 = 0
    /// Whether that column keeps values of other types.
    var isTolerant = false
    /// Whether values may hold a sensitive one, if that is known from the beginning: of bindings that can be freed. See ``SensitiveTypes``.
    var holdsSensitive: Bool?
    /// The type that errors name, if cells stand in for its values; else nil.
    var namedType: (any JSONReadable.Type)?
    /// The model's table.
    var model: LayoutHandle?
    /// The rows of a key that belongs to several properties.
    var sharedRows: [RowHandle] = []
    /// The rows of the types that a captured value may become.
    var variants: [RowHandle] = []
    /// How those types are told apart; nil if there is only one.
    var variantTypes: _VariantTypes?

    init(kind: PropertyKind, type: any JSONReadable.Type, expectation: String) {
        self.kind = kind
        self.type = type
        self.expectation = expectation
        assembly = Self.own(type)
    }

    private static func own<Value: JSONReadable>(_ type: Value.Type) -> any Assembly.Type {
        type as? any Assembly.Type ?? OwnAssembly<Value>.self
    }
}

/// The memory that an open object of a model needs: one block, filled by copying a template.
///
/// The block is `[presence bits][null bits][ranks][draft]`. A model without a draft is built in place of the draft, or where it will live.
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
    /// Whether the model's JSON form is an array, so that its properties are identified by their index.
    let isPositional: Bool
    /// Whether the model is made without calling its hook.
    let skipsHooks: Bool
    /// Whether its type, a struct, has a hook that runs when it has been read.
    let hasHook: Bool
    /// Whether opening such an object takes more than a draft: the table has a problem, or some properties are inlined.
    let isUncommon: Bool
    /// The rows of the inlined properties.
    let inlinedRows: [RowHandle]
    /// For each slot, the row of its first key, followed by a sentinel. Used for elements of an array, and for errors.
    let firstRows: RowHandle
    /// The table, which has the names for errors.
    let table: Unmanaged<PropertyTable>
    /// The stored properties of a model that is built in its own memory; nil if it has a draft.
    let fields: Unmanaged<ModelFields>?
    /// The presence bits of required properties, in a model without a draft.
    let required: UnsafePointer<UInt64>
    /// The sizes of a model without a draft and of an optional one, and of a row of cells; 0 for others.
    let modelSize: Int
    let optionalSize: Int
    /// The bits of an optional one that is nil; nil for others.
    let nilBits: UnsafeRawPointer?
    /// Whether such a model is finished when all required values have come.
    let isSettled: Bool
    /// Whether it may be built where it will live.
    let isBuiltThere: Bool
    /// Whether its template is a value of its type.
    let isTemplateValue: Bool
    /// Whether nothing has to be done when it closes, if all required values have come.
    var isPlain: Bool { isBuiltThere && isSettled && !hasHook }

    /// Whether the model is an array of doubles, all of them required, and its memory or its draft holds nothing else.
    var isOfDoubles: Bool {
        let isInPlace = unsafe fields != nil
        guard isPositional, !isUncommon, slotCount > 0, slotCount < 64, !isInPlace || isBuiltThere && isSettled else {
            return false
        }
        let draftSize = (slotCount - 1) * MemoryLayout<Double?>.stride + MemoryLayout<Double?>.size
        guard isInPlace ? modelSize == slotCount * MemoryLayout<Double>.size : blockSize - draftOffset == draftSize else {
            return false
        }
        return (0..<slotCount).allSatisfy { index in
            // Safe: there is a row for each slot.
            let row = unsafe firstRows[index]
            return unsafe row.kind == .double && row.depth == (isInPlace ? 0 : 1) && row.policy == nil
        }
    }
}
