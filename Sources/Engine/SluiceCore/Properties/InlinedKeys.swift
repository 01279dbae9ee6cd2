// A property without a key of its own: the keys of its value are in the object of the model around it.
//
//     struct Page { var total: Int; var next: String? }
//     struct List { @JSONInline var page: Page; var items: [Int] }        {"total": 2, "next": null, "items": [1, 2]}
//
// In the table of `List`, `page` has a slot and no key. The table knows the keys `total` and `next`, but they bind nothing.
// Instead, the text of the object is captured. It is read once for `page` and once for the other properties.

extension _ModelDescription {
    /// Inlines the property that was described last: it gets no key, and the keys of its value are in the model's own object.
    public mutating func _inline() {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].isInlined = true
        entries[entries.count - 1].keys = []
        entries[entries.count - 1].inferredKey = nil
    }
}

/// Finds the keys that a type has in its object.
enum InlinedKeys {
    /// The keys that a value of a binding has in its object, each once. Nil if the value is not always an object with keys that are known,
    /// or if its type is still being compiled.
    static func of(_ binding: BindingHandle) -> [String]? {
        switch binding.kind {
        case .model: binding.model.flatMap(keys(of:))
        case .captured where binding.adapter == .none: keys(ofVariants: binding)
        default: nil
        }
    }

    private static func keys(of layout: LayoutHandle) -> [String]? {
        let table = layout.table
        // What it collects would be what the model around it knows.
        guard table.layout == .object, table.problem == nil, layout.level.unknownKeys != .collect else { return nil }
        var result: [String] = []
        for (slot, property) in table.properties.enumerated() {
            // Safe: there is a first row for each slot.
            let inner = property.isInlined ? of(layout.row(ofSlot: slot).binding) : property.keys.map { $0.components[0] }
            guard let inner else { return nil }
            add(inner, to: &result)
        }
        return result
    }

    private static func keys(ofVariants binding: BindingHandle) -> [String]? {
        // Without variants it is a model that a hook sees first.
        guard let types = binding.variantTypes else { return binding.variants.first.flatMap { of($0.binding) } }
        var result: [String] = []
        switch types.form {
        case .adjacent(let key, let content): return key == content.components[0] ? nil : [key, content.components[0]]
        case .external: return types.names
        case .key(let key): result.append(key)
        case .presence: add(types.names.filter { !$0.isEmpty }, to: &result)
        case .untagged, .function: break
        }
        for row in binding.variants where row.kind != .raw {
            guard let keys = of(row.binding) else { return nil }
            add(keys, to: &result)
        }
        return result
    }

    private static func add(_ keys: [String], to result: inout [String]) {
        for key in keys where !result.contains(where: { $0.utf8.elementsEqual(key.utf8) }) { result.append(key) }
    }
}

extension KeyTableHandle {
    /// Whether this is one of the keys.
    func contains(_ key: TextString) -> Bool {
        if key.isPlain { return unsafe row(forKey: key.start, key.count) != nil }
        return key.decoded.map(contains) ?? false
    }

    /// Whether this is one of the keys.
    func contains(_ key: String) -> Bool {
        unsafe Array(key.utf8).withUnsafeBufferPointer { key in
            // Safe: the address has `key.count` bytes.
            unsafe row(forKey: key.baseAddress ?? NoBytes.address, key.count) != nil
        }
    }
}

extension PropertyTable {
    /// The keys of an inlined property's value; nil for other properties.
    func inlinedKeys(ofSlot slot: Int) -> KeyTableHandle? {
        guard properties[slot].isInlined, let layout = binding.model else { return nil }
        return layout.row(ofSlot: slot).level
    }
}
