// Compiles properties and their keys into levels of rows and the draft's template block.

/// Collects the properties of one model and lays out its table.
struct TableCompiler {
    @safe
    private struct Slot {
        let property: JSONProperty
        let offset: Int?
        /// How many optionals surround the value in memory.
        let depth: UInt8
        /// Whether null must be stored, because a fresh model has another value there.
        let storesNull: Bool
        let binding: _Binding
        /// The binding as the property's type has made it.
        let plainBinding: _Binding
        let policy: UnsafePointer<JSONPropertyPolicy>?
    }

    let modelName: String
    /// What the model is, in words for a schema.
    var summary: String?
    var problem: JSONError?
    var layout = JSONLayout.object
    var skipsHooks = false
    var hasHook = false
    var draftReason: String? = "its conformance has a draft of its own"
    var variant: ModelVariant?
    /// What happens to keys without a property.
    var unknownKeys = UnknownKeyRule.asReader
    /// The slot of the property that collects such keys.
    var collectorSlot: Int?
    private var slots: [Slot] = []
    /// The keys of the inlined properties, by slot.
    private var inlinedKeys: [Int: KeyTableHandle] = [:]

    /// Where the parts of the table go.
    private let parts: TableStorage

    init(modelName: String, in parts: TableStorage = .forever) { (self.modelName, self.parts) = (modelName, parts) }

    /// Adds a property.
    ///
    /// - Parameter field: The property in a model that is built in its own memory; nil in a draft.
    mutating func add(_ property: JSONProperty, offset: Int?, binding: _Binding, field: ModelField? = nil) {
        let isWrapped = property.presence == .optional || field?.asideOffset != nil || field == nil
        problem = problem ?? property.policy.date?.problem(of: property.name)
        problem = problem ?? property.policy.constraints?.problem(of: property.name, binding.pointer)
        let policy = unsafe _BindingCompiler.placed(property.policy, in: parts)
        unsafe slots.append(
            Slot(
                property: property, offset: offset == nil ? nil : field?.storedOffset ?? offset,
                depth: binding.depth + (isWrapped ? 1 : 0), storesNull: field?.hasValueForNil == true,
                binding: _BindingCompiler.binding(binding, with: policy, in: parts), plainBinding: binding, policy: policy))
    }

    /// Makes the table. The draft's bytes are copied into the template, or those of a model that is built in its own memory.
    ///
    /// - Parameter isRow: Whether the draft, which has cells alone, is all that is made of an object: it is filled where the row will lie.
    mutating func finish(
        binding: BindingHandle, draft: UnsafeRawPointer, draftSize: Int, draftAlignment: Int, memory: ModelMemory? = nil,
        isRow: Bool = false
    ) -> (layout: LayoutHandle, table: PropertyTable) {
        let root = KeyNode(key: "")
        for (number, slot) in slots.enumerated() where slot.offset != nil {
            for (rank, path) in slot.property.keys.enumerated() {
                let node = path.components.reduce(root) { $0.child($1) }
                node.rows.append((number, rank))
            }
        }
        let clash = inline(into: root)
        var sentinel = row(slot: 0, rank: 0, key: "")
        sentinel.kind = .none
        let firstRows = unsafe stored(
            slots.enumerated().map { number, slot in
                row(slot: number, rank: 0, key: slot.property.keys.first.map { $0.components.last ?? "" } ?? slot.property.name)
            }, sentinel)

        let wordCount = max((slots.count + 63) / 64, 1)
        let rankOffset = wordCount * 16
        let draftOffset = roundedUp(rankOffset + slots.count, to: max(draftAlignment, 16))
        let blockSize = draftOffset + max(draftSize, 1)
        let alignment = max(draftAlignment, 16)
        let template = unsafe parts.allocate(byteCount: blockSize, alignment: alignment)
        unsafe template.initializeMemory(as: UInt8.self, repeating: 0, count: blockSize)
        // 255 is worse than every rank, so the first alternative that comes is bound.
        unsafe (template + rankOffset).initializeMemory(as: UInt8.self, repeating: 255, count: slots.count)
        // Safe: a fresh draft holds only nils, and a model's template only placeholders, whose bytes may be copied.
        unsafe (template + draftOffset).copyMemory(from: draft, byteCount: draftSize)

        let adapted = Set(slots.indices.filter { slots[$0].binding.pointer.adapter != .none })
        let table = PropertyTable(
            modelName: modelName, summary: summary, properties: slots.map(\.property), layout: layout,
            problem: problem ?? clash ?? conflict(root), binding: binding, variant: variant,
            adaptedSlots: adapted, bindings: slots.map { $0.offset == nil ? nil : $0.plainBinding },
            draftReason: memory.map(\.fields.obstacle) ?? draftReason)
        let layout = unsafe parts.make(
            ModelLayout(
                level: level(of: root, isTop: true), template: UnsafeRawPointer(template), blockSize: blockSize,
                blockAlignment: alignment, draftOffset: draftOffset, rankOffset: rankOffset, wordCount: wordCount,
                slotCount: slots.count, isPositional: self.layout == .array, skipsHooks: skipsHooks, hasHook: hasHook,
                isUncommon: table.problem != nil || slots.contains(where: \.property.isInlined),
                inlinedRows: slots.indices.filter { slots[$0].property.isInlined }.map { unsafe RowHandle(firstRows + $0) },
                firstRows: RowHandle(firstRows), table: parts.keep(table),
                fields: memory.map { unsafe parts.keep($0.fields) }, required: requiredBits(wordCount),
                modelSize: memory?.size ?? (isRow ? draftSize : 0), optionalSize: memory?.optionalSize ?? (isRow ? draftSize : 0),
                nilBits: memory?.nilBits,
                isSettled: memory?.fields.isSettled ?? isRow, isBuiltThere: memory.map { !$0.hasAsides } ?? isRow,
                isTemplateValue: memory?.isValue ?? false))
        return unsafe (LayoutHandle(layout), table)
    }

    /// The presence bits of the required properties.
    private func requiredBits(_ wordCount: Int) -> UnsafePointer<UInt64> {
        let words = unsafe parts.allocate(UInt64.self, wordCount)
        unsafe words.initialize(repeating: 0, count: wordCount)
        for (number, slot) in slots.enumerated()
        where slot.property.presence == .required && slot.property.direction != .writing && slot.binding.depth == 0 {
            unsafe words[number / 64] |= 1 << UInt64(number % 64)
        }
        return unsafe UnsafePointer(words)
    }

    /// The table of a model without properties.
    mutating func emptyTable(type: any JSONReadable.Type) -> PropertyTable {
        let binding = unsafe _BindingCompiler.allocate(Binding(kind: .model, type: type, expectation: "an object"))
        let made = unsafe finish(
            binding: BindingHandle(binding), draft: UnsafeRawPointer(NoBytes.address), draftSize: 0, draftAlignment: 1)
        unsafe binding.pointee.model = made.layout
        return made.table
    }

    private func conflict(_ root: KeyNode) -> JSONError? {
        if layout == .array, let slot = slots.first(where: { $0.offset == nil || $0.property.direction != .both }) {
            return JSONError(
                .invalidModel, found: "'\(slot.property.name)' is not both read and written, which positions in an array must be")
        }
        if layout == .array, unknownKeys == .collect {
            return JSONError(.invalidModel, found: "\(modelName) is an array, which has no keys to collect")
        }
        if let slot = slots.first(where: { $0.property.keys.count > 250 }) {
            return JSONError(.invalidModel, found: "'\(slot.property.name)' has more than 250 alternative keys")
        }
        let keyCount = root.greatestChildCount
        if keyCount > KeyTable.greatestCount {
            return JSONError(
                .invalidModel, found: "\(modelName) has \(keyCount) keys on one level; \(KeyTable.greatestCount) are the limit")
        }
        return nil
    }

    /// Adds the keys of the inlined properties to the top level, where they are known and not bound. Returns the reason why that cannot be.
    private mutating func inline(into root: KeyNode) -> JSONError? {
        func fault(_ words: String) -> JSONError { JSONError(.invalidModel, found: "\(modelName): \(words)") }
        var owners: [String: String] = [:]
        for slot in slots where slot.property.direction != .reading || slot.offset != nil {
            for key in slot.property.keys { owners[key.components[0]] = slot.property.name }
        }
        for (number, slot) in slots.enumerated() where slot.property.isInlined {
            let name = slot.property.name
            if layout == .array { return fault("'\(name)' cannot be inlined in an array, which has no keys") }
            guard let keys = InlinedKeys.of(slot.binding.pointer) else {
                return fault(
                    "'\(name)' is inlined; only a model, or an enum whose cases hold models, that does not contain this one can be"
                )
            }
            for key in keys {
                if let other = owners[key] { return fault("'\(other)' and the inlined '\(name)' both have the key '\(key)'") }
                owners[key] = name
                root.child(key).isInlined = true
            }
            var sentinel = ignoredRow(key: "")
            sentinel.keyCount = .max
            let rows = unsafe stored(keys.map { ignoredRow(key: $0) }, sentinel)
            inlinedKeys[number] = unsafe KeyTable.make(rows: rows, count: keys.count, in: parts)
        }
        return nil
    }

    /// The row of a key that is known, and whose value another part of the reader takes.
    private func ignoredRow(key: String) -> PropertyRow {
        let bytes = Array(key.utf8)
        return unsafe PropertyRow(
            kind: .ignored, depth: 0, flags: .special, rank: 0, slot: 0, offset: 0, key: PropertyRow.makeKey(bytes, in: parts),
            keyCount: bytes.count, binding: ReaderRows.ignored.binding)
    }

    /// Stores rows, and after them one that no key equals.
    private func stored(_ rows: [PropertyRow], _ sentinel: PropertyRow) -> UnsafeMutablePointer<PropertyRow> {
        let memory = unsafe parts.allocate(PropertyRow.self, rows.count + 1)
        for (number, row) in (rows + [sentinel]).enumerated() { unsafe (memory + number).initialize(to: row) }
        return unsafe memory
    }

    private func level(of node: KeyNode, isTop: Bool = false) -> KeyTableHandle {
        let rows = node.children.map { row(of: $0) }
        var sentinel = row(slot: 0, rank: 0, key: "")
        // The sentinel: no key is this long, so expected-next never matches after the last row.
        sentinel.keyCount = .max
        // Unknown keys of an object on a key path are not collected, because they would have to be written back into that object.
        let rule = unknownKeys == .collect && !isTop ? .ignore : unknownKeys
        return unsafe KeyTable.make(
            rows: stored(rows, sentinel), count: rows.count, unknownKeys: rule, collector: collectorRow, in: parts)
    }

    /// The row of a collected value: any JSON, whose address is set when its key has come.
    private var collectorRow: RowHandle? {
        guard let number = collectorSlot, let element = slots[number].binding.pointer.element else { return nil }
        var row = row(slot: number, rank: 0, key: slots[number].property.name)
        row.kind = .value
        row.depth = 0
        row.flags = []
        row.binding = element.binding
        unsafe row.policy = nil
        return _BindingCompiler.placed(row, in: parts)
    }

    /// The row of a key: that of its property or of its path. If there are several, a row of kind `sharedKey` that leads to all.
    private func row(of node: KeyNode) -> PropertyRow {
        var rows = node.rows.map { row(slot: $0.slot, rank: $0.rank, key: node.key) }
        if !node.children.isEmpty { rows.append(pathRow(of: node)) }
        if node.isInlined { return ignoredRow(key: node.key) }
        guard let first = rows.first, rows.count > 1 else { return rows.first ?? pathRow(of: node) }
        var binding = Binding(kind: .sharedKey, type: JSONValue.self, expectation: "a value")
        binding.sharedRows = rows.map { _BindingCompiler.placed($0, in: parts) }
        binding.holdsSensitive = parts.holdsSensitive(binding.sharedRows.contains { SensitiveTypes.hold($0) })
        var junction = first
        junction.kind = .sharedKey
        junction.depth = 0
        // All other flags are on the single rows.
        junction.flags = .special
        unsafe junction.policy = nil
        junction.binding = _BindingCompiler.placed(binding, in: parts)
        return junction
    }

    private func pathRow(of node: KeyNode) -> PropertyRow {
        var path = row(slot: 0, rank: 0, key: node.key)
        path.kind = .path
        path.depth = 0
        path.flags = .special
        unsafe path.policy = nil
        path.level = level(of: node)
        return path
    }

    private func row(slot number: Int, rank: Int, key: String) -> PropertyRow {
        let bytes = Array(key.utf8)
        let copy = unsafe PropertyRow.makeKey(bytes, in: parts)
        var flags: PropertyFlags = []
        guard slots.indices.contains(number) else {
            return unsafe PropertyRow(
                kind: .none, depth: 0, flags: flags, rank: 0, slot: 0, offset: 0, key: copy,
                keyCount: bytes.count, binding: ReaderRows.ignored.binding)
        }
        let slot = slots[number]
        let kind = slot.binding.pointer.kind
        if slot.property.keys.count > 1 { flags.formUnion([.ranked, .special]) }
        if slot.property.presence == .optional || slot.binding.depth > 0 { flags.insert(.nullable) }
        if slot.property.presence != .optional, slot.binding.depth > 0 { flags.insert(.renamedOptional) }
        if slot.storesNull { flags.insert(.renamedOptional) }
        if kind == .raw || kind == .jsonCell { flags.insert(.special) }
        if slot.property.isInlined { flags.insert(.inlined) }
        if slot.property.policy.constraints != nil { flags.formUnion([.constrained, .special]) }
        return unsafe PropertyRow(
            kind: kind, depth: slot.depth, flags: flags, rank: UInt8(truncatingIfNeeded: rank),
            slot: UInt32(number), offset: slot.offset ?? 0, key: copy, keyCount: bytes.count,
            binding: slot.binding.pointer, level: inlinedKeys[number], policy: slot.policy)
    }
}

extension _ModelDescription.Entry {
    var property: JSONProperty {
        JSONProperty(
            name: name, typeName: typeName, keys: keys, direction: direction, presence: presence, policy: policy,
            isObserved: isObserved, isCollector: isCollector, isInlined: isInlined, column: column, summary: summary)
    }
}
