// A subschema as the walk sees it: numbers only, so that it is read without counting references.

internal import SluiceCore

/// The kinds of values, a bit each.
struct SchemaTypes: OptionSet, Sendable {
    let rawValue: UInt8

    static let null = SchemaTypes(rawValue: 1)
    static let boolean = SchemaTypes(rawValue: 2)
    static let integer = SchemaTypes(rawValue: 4)
    /// A number that is not an integer.
    static let fraction = SchemaTypes(rawValue: 8)
    static let string = SchemaTypes(rawValue: 16)
    static let array = SchemaTypes(rawValue: 32)
    static let object = SchemaTypes(rawValue: 64)
    static let number: SchemaTypes = [.integer, .fraction]
    static let all = SchemaTypes(rawValue: 127)

    /// The names of `type`.
    static let names: [(String, SchemaTypes)] = [
        ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number), ("string", .string),
        ("array", .array), ("object", .object),
    ]
}

extension SchemaTypes {
    /// The type of a value by its entry on a tape. A number that is not written as an integer may be one all the same.
    init(_ kind: TapeEntry.Kind) {
        self =
            switch kind {
            case .null: .null
            case .true, .false: .boolean
            case .integer: .integer
            case .double, .number: .fraction
            case .string: .string
            case .array: .array
            case .object, .bounds: .object
            }
    }
}

/// What a subschema looks at.
struct SchemaNeeds: OptionSet, Sendable {
    let rawValue: UInt16

    static let numbers = SchemaNeeds(rawValue: 1)
    static let strings = SchemaNeeds(rawValue: 2)
    static let objects = SchemaNeeds(rawValue: 4)
    static let arrays = SchemaNeeds(rawValue: 8)
    /// `enum` or `const`.
    static let values = SchemaNeeds(rawValue: 16)
    /// Keywords that the plain check of one subschema does not know: applicators in place, patterns of keys, `unevaluatedItems`, …
    static let everything = SchemaNeeds(rawValue: 32)
    /// The schema `false`.
    static let never = SchemaNeeds(rawValue: 64)
    /// `multipleOf`.
    static let multiples = SchemaNeeds(rawValue: 128)
    /// `unevaluatedProperties` or `unevaluatedItems`.
    static let unevaluated = SchemaNeeds(rawValue: 256)
    static let uniqueItems = SchemaNeeds(rawValue: 512)
    /// `pattern` or `format`.
    static let matches = SchemaNeeds(rawValue: 1024)
}

/// One subschema. A number of another subschema is -1 if there is none.
struct SchemaNode: BitwiseCopyable {
    var types = SchemaTypes.all
    var needs: SchemaNeeds = []
    /// The kinds of entries of a tape whose values are all accepted, a bit each: most values are checked by it alone. An integer that is
    /// written with a fraction or an exponent is looked at all the same.
    private(set) var sureKinds: UInt16 = 0

    /// Notes which kinds are accepted, once the rest is known.
    mutating func noteSureKinds() {
        guard needs.isDisjoint(with: [.everything, .values, .never]) else { return }
        func note(_ kinds: [TapeEntry.Kind], _ types: SchemaTypes, without needs: SchemaNeeds) -> UInt16 {
            guard self.types.isSuperset(of: types), self.needs.isDisjoint(with: needs) else { return 0 }
            return kinds.reduce(0) { $0 | 1 &<< UInt16($1.code) }
        }
        sureKinds =
            note([.null], .null, without: []) | note([.true, .false], .boolean, without: [])
            | note([.integer], .integer, without: .numbers) | note([.double], .number, without: .numbers)
            | note([.string], .string, without: .strings) | note([.array], .array, without: [.arrays, .uniqueItems])
            | note([.object], .object, without: .objects)
    }

    /// For a subschema that is nothing but a reference: the one that it means. Only the evaluation path tells them apart.
    var alias: Int32 = -1
    /// The resource that the subschema is part of.
    var resource: Int32 = 0

    // Numbers. The bounds let numbers pass that surely fit; the exact limits decide about others.
    var lowest = Int64.min
    var highest = Int64.max
    var lowestDouble = -Double.infinity
    var highestDouble = Double.infinity
    /// A divisor, if it is an integer of 64 bits; else 0.
    var divisor: Int64 = 0
    var numbers: Int32 = -1

    var minLength = 0
    var maxLength = Int.max
    var pattern: Int32 = -1
    var format: Int32 = -1

    /// Where `enum` and `const` begin in the program's values, and their count.
    var values: Int32 = -1
    var valueCount: Int32 = 0
    /// The strings of `enum` or `const`; of none if both are there.
    var strings: SchemaKeys

    var keys: SchemaKeys
    var required: UInt64 = 0
    var additional: Int32 = -1
    var propertyNames: Int32 = -1
    var minProperties = 0
    var maxProperties = Int.max
    var unevaluatedProperties: Int32 = -1
    /// Which of ``SchemaProgram/keyRules`` has the rest, such as patterns of keys.
    var keyRules: Int32 = -1

    var items: Int32 = -1
    var prefixStart: Int32 = 0
    var prefixCount: Int32 = 0
    var contains: Int32 = -1
    var minContains = 1
    var maxContains = Int.max
    var minItems = 0
    var maxItems = Int.max
    var unevaluatedItems: Int32 = -1

    /// The applicators in place: where they begin in ``SchemaProgram/links``, and their count.
    var linkStart: Int32 = 0
    var linkCount: Int32 = 0
}

/// The nodes of a program.
@safe
struct SchemaNodes {
    private let base: UnsafeMutablePointer<SchemaNode>
    let count: Int

    init(_ nodes: [SchemaNode], in memory: SchemaMemory) {
        count = nodes.count
        unsafe base = unsafe memory.allocate(SchemaNode.self, max(nodes.count, 1))
        unsafe base.initialize(from: nodes, count: nodes.count)
    }

    subscript(_ node: Int32) -> SchemaNode {
        // An address, because a copy of the whole node for each field took 5 KB of stack for each level of a value.
        @inline(__always) unsafeAddress {
            assert(node >= 0 && Int(node) < count)
            // Safe: the compiler has made all numbers of nodes.
            return unsafe UnsafePointer(base + Int(node))
        }
    }
}

/// A subschema that is applied to the same value.
struct SchemaLink: Sendable {
    let keyword: SchemaKeyword
    /// The subschema; of a dynamic reference the one that is meant if no dynamic scope says otherwise.
    let node: Int32
    /// The number in `allOf` and the like; for `dependentSchemas` that of the key; for `$dynamicRef` that of the anchor, or -1.
    let number: Int32
}
