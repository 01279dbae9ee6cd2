// Tables are plain memory that is written once, when a table is compiled. That of a type is never freed, and that of a plan not before the
// readers that hold the plan. So the memory of a handle can be read at any time and from any thread. Handles state this once, instead of at
// each access to a row.

internal import CScan

/// The address of a part of a property table.
@safe
struct TableHandle<Content>: Hashable, @unchecked Sendable {
    let address: UnsafePointer<Content>

    /// - Parameter address: Memory that is not written from now on, nor freed while the handle is used.
    @inline(__always)
    init(_ address: UnsafePointer<Content>) { unsafe self.address = unsafe address }

    @inline(__always)
    init(_ address: UnsafeMutablePointer<Content>) { unsafe self.address = UnsafePointer(address) }

    /// A copy of the part.
    var content: Content {
        @inline(__always) get { unsafe address.pointee }
    }

    /// The handle of the part `distance` positions on; there must be one.
    @unsafe @inline(__always)
    static func + (handle: TableHandle, distance: Int) -> TableHandle { unsafe TableHandle(handle.address + distance) }

    @unsafe
    subscript(index: Int) -> TableHandle {
        @inline(__always) get { unsafe TableHandle(address + index) }
    }

    // By hand: the synthesised code would cause a warning about the unsafe pointer.
    static func == (left: TableHandle, right: TableHandle) -> Bool { unsafe left.address == right.address }

    func hash(into hasher: inout Hasher) { unsafe hasher.combine(address) }
}

typealias RowHandle = TableHandle<PropertyRow>
typealias BindingHandle = TableHandle<Binding>
typealias LayoutHandle = TableHandle<ModelLayout>
typealias KeyTableHandle = TableHandle<KeyTable>

extension TableHandle where Content == PropertyRow {
    var kind: PropertyKind { @inline(__always) get { unsafe address.pointee.kind } }
    var depth: UInt8 { @inline(__always) get { unsafe address.pointee.depth } }
    var flags: PropertyFlags { @inline(__always) get { unsafe address.pointee.flags } }
    var rank: UInt8 { @inline(__always) get { unsafe address.pointee.rank } }
    var slot: UInt32 { @inline(__always) get { unsafe address.pointee.slot } }
    var bit: UInt64 { @inline(__always) get { unsafe address.pointee.bit } }
    var offset: Int { @inline(__always) get { unsafe address.pointee.offset } }
    var key: UnsafePointer<UInt8> { @inline(__always) get { unsafe address.pointee.key } }
    var keyCount: Int { @inline(__always) get { unsafe address.pointee.keyCount } }
    var binding: BindingHandle { @inline(__always) get { unsafe address.pointee.binding } }
    var level: KeyTableHandle? { @inline(__always) get { unsafe address.pointee.level } }
    var policy: UnsafePointer<JSONPropertyPolicy>? { @inline(__always) get { unsafe address.pointee.policy } }
    var keyText: String { unsafe String(decoding: UnsafeBufferPointer(start: key, count: keyCount), as: UTF8.self) }

    /// Whether the value is stored directly: in at most one optional, and without other work when the key comes.
    @inline(__always)
    var isDirect: Bool { depth <= 1 && !flags.contains(.special) }

    /// Whether the key is one of several alternatives of its property, and not the first.
    var isWorseAlternative: Bool { flags.contains(.ranked) && rank > 0 }
}

extension TableHandle where Content == Binding {
    var kind: PropertyKind { @inline(__always) get { unsafe address.pointee.kind } }
    var builtinArray: PropertyKind { @inline(__always) get { unsafe address.pointee.builtinArray } }
    var type: any JSONReadable.Type { @inline(__always) get { unsafe address.pointee.type } }
    /// The type as errors name it.
    var spelledType: any JSONReadable.Type { unsafe address.pointee.namedType ?? address.pointee.type }
    var assembly: any Assembly.Type { @inline(__always) get { unsafe address.pointee.assembly } }
    var expectation: String { @inline(__always) get { unsafe address.pointee.expectation } }
    var elementType: any JSONReadable.Type { @inline(__always) get { unsafe address.pointee.elementType } }
    var isOfDoubles: Bool { @inline(__always) get { unsafe address.pointee.isOfDoubles } }
    var element: RowHandle? { @inline(__always) get { unsafe address.pointee.element } }
    var elementStride: Int { @inline(__always) get { unsafe address.pointee.elementStride } }
    var elementAlignment: Int { @inline(__always) get { unsafe address.pointee.elementAlignment } }
    var checksKeys: Bool { @inline(__always) get { unsafe address.pointee.checksKeys } }
    var isUntagged: Bool { @inline(__always) get { unsafe address.pointee.isUntagged } }
    var adapter: Adapter { @inline(__always) get { unsafe address.pointee.adapter } }
    var codedType: (any JSONReadable.Type)? { @inline(__always) get { unsafe address.pointee.codedType } }
    var valueOffset: Int { @inline(__always) get { unsafe address.pointee.valueOffset } }
    var isStored: Bool { @inline(__always) get { unsafe address.pointee.isStored } }
    var isCounted: Bool { @inline(__always) get { unsafe address.pointee.isCounted } }
    var precision: Int { unsafe Int(address.pointee.precision) }
    var scale: Int { unsafe Int(address.pointee.scale) }
    var holdsSensitive: Bool? { unsafe address.pointee.holdsSensitive }
    var isTolerant: Bool { @inline(__always) get { unsafe address.pointee.isTolerant } }
    var model: LayoutHandle? { @inline(__always) get { unsafe address.pointee.model } }
    var sharedRows: [RowHandle] { @inline(__always) get { unsafe address.pointee.sharedRows } }
    var variantTypes: _VariantTypes? { unsafe address.pointee.variantTypes }
    var variants: [RowHandle] { @inline(__always) get { unsafe address.pointee.variants } }
}

extension TableHandle where Content == ModelLayout {
    var level: KeyTableHandle { @inline(__always) get { unsafe address.pointee.level } }
    var template: UnsafeRawPointer { @inline(__always) get { unsafe address.pointee.template } }
    var blockSize: Int { @inline(__always) get { unsafe address.pointee.blockSize } }
    var blockAlignment: Int { @inline(__always) get { unsafe address.pointee.blockAlignment } }
    var draftOffset: Int { @inline(__always) get { unsafe address.pointee.draftOffset } }
    var rankOffset: Int { @inline(__always) get { unsafe address.pointee.rankOffset } }
    var wordCount: Int { @inline(__always) get { unsafe address.pointee.wordCount } }
    var slotCount: Int { @inline(__always) get { unsafe address.pointee.slotCount } }
    var isPositional: Bool { @inline(__always) get { unsafe address.pointee.isPositional } }
    var skipsHooks: Bool { @inline(__always) get { unsafe address.pointee.skipsHooks } }
    var hasHook: Bool { @inline(__always) get { unsafe address.pointee.hasHook } }
    var isUncommon: Bool { @inline(__always) get { unsafe address.pointee.isUncommon } }
    var inlinedRows: [RowHandle] { unsafe address.pointee.inlinedRows }
    var firstRows: RowHandle { @inline(__always) get { unsafe address.pointee.firstRows } }
    var table: PropertyTable { @inline(__always) get { unsafe address.pointee.table.takeUnretainedValue() } }
    var isInPlace: Bool { @inline(__always) get { unsafe address.pointee.fields != nil } }
    var fields: ModelFields? { unsafe address.pointee.fields?.takeUnretainedValue() }
    var required: UnsafePointer<UInt64> { @inline(__always) get { unsafe address.pointee.required } }
    var modelSize: Int { @inline(__always) get { unsafe address.pointee.modelSize } }
    var optionalSize: Int { @inline(__always) get { unsafe address.pointee.optionalSize } }
    var nilBits: UnsafeRawPointer? { @inline(__always) get { unsafe address.pointee.nilBits } }
    /// Whether nothing has to be done when such a model closes, if all required values have come.
    var isPlain: Bool { @inline(__always) get { unsafe address.pointee.isPlain } }
    var isSettled: Bool { @inline(__always) get { unsafe address.pointee.isSettled } }
    var isBuiltThere: Bool { @inline(__always) get { unsafe address.pointee.isBuiltThere } }
    var isTemplateValue: Bool { @inline(__always) get { unsafe address.pointee.isTemplateValue } }

    /// The first row of a slot's property.
    @inline(__always)
    func row(ofSlot slot: Int) -> RowHandle {
        assert(slot >= 0 && slot < slotCount)
        // Safe: there is a first row for each slot.
        return unsafe firstRows[slot]
    }

    /// The presence bits of required properties that have no value, all words of them in one; 0 if none is missing.
    ///
    /// - Parameter block: The block of an open model.
    @inline(__always)
    func missingBits(_ block: UnsafeRawPointer) -> UInt64 {
        let words = unsafe block.assumingMemoryBound(to: UInt64.self)
        let (required, count) = unsafe (required, wordCount)
        assert(count >= 1 && blockSize >= count * 16)
        // Safe: the block begins with `count` words of presence bits and as many of null bits. There is at least one.
        var missing = unsafe required[0] & ~(words[0] & ~words[count])
        var index = 1
        while index < count {
            unsafe missing |= required[index] & ~(words[index] & ~words[count &+ index])
            index &+= 1
        }
        return missing
    }

    /// Copies what comes before the model from the template to a block. It is short, so a call would cost more.
    @inline(__always)
    func copyHead(to block: UnsafeMutableRawPointer) {
        let (template, end) = unsafe (template, draftOffset)
        assert(end >= 16 && end % 16 == 0 && end <= blockSize)
        var offset = 0
        repeat {
            // Safe: the offset of the draft is a multiple of 16 above 0, and both have that many bytes.
            unsafe block.storeBytes(
                of: (template + offset).loadUnaligned(as: SIMD16<UInt8>.self), toByteOffset: offset, as: SIMD16<UInt8>.self)
            offset &+= 16
        } while offset < end
    }
}

extension TableHandle where Content == KeyTable {
    var rows: RowHandle { @inline(__always) get { unsafe address.pointee.rows } }
    var number: Int { @inline(__always) get { unsafe address.pointee.number } }
    var count: Int { unsafe address.pointee.count }
    var hasIndices: Bool { @inline(__always) get { unsafe address.pointee.hasIndices } }
    var unknownKeys: UnknownKeyRule { @inline(__always) get { unsafe address.pointee.unknownKeys } }
    var collector: RowHandle? { @inline(__always) get { unsafe address.pointee.collector } }

    /// The row with an index.
    @inline(__always)
    func row(at index: Int) -> RowHandle {
        assert(index >= 0 && index < count)
        // Safe: there are `count` rows.
        return unsafe rows[index]
    }

    /// The row of a key, or nil.
    @inline(__always)
    func row(forKey bytes: UnsafePointer<UInt8>, _ count: Int) -> RowHandle? {
        guard unsafe address.pointee.lengths & (1 &<< UInt64(min(count, 63))) != 0 else { return nil }
        let multiplier = unsafe address.pointee.multiplier
        guard multiplier != 0 else { return unsafe rowOfManyKeys(bytes, count) }
        let slot = unsafe KeyHash.brief(bytes, count, multiplier, bits: address.pointee.bits)
        assert(unsafe slot >= 0 && slot <= address.pointee.mask)
        // Safe: the hash has as many bits as the count of the slots, a power of two.
        let number = unsafe Int(address.pointee.slots[slot])
        if number == 0 { return nil }
        let row = row(at: number &- 1)
        return unsafe row.keyCount == count && equalBytes(row.key, bytes, count) ? row : nil
    }

    /// The row of a key in a table whose keys the brief hash does not keep apart.
    @inline(never)
    private func rowOfManyKeys(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> RowHandle? {
        let mask = unsafe address.pointee.mask
        var slot = unsafe KeyHash.full(bytes, count, KeyHash.seed) & mask
        while true {
            // Safe: the slot is masked to the size of the index, which always has a free slot to end the loop.
            let number = unsafe Int(address.pointee.slots[slot])
            if number == 0 { return nil }
            let row = row(at: number &- 1)
            if row.keyCount == count, unsafe equalBytes(row.key, bytes, count) { return row }
            slot = (slot &+ 1) & mask
        }
    }
}
