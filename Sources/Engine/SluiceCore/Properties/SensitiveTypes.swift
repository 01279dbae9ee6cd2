// Which types may hold a sensitive value. The search runs only when an error is built or a value is shown, so reading costs nothing
// more.

internal import Synchronization

/// Finds the types with a property that is marked sensitive, at any depth.
enum SensitiveTypes {
    // Bindings of types are never freed, so their addresses stay good keys.
    private static let known = Mutex<[BindingHandle: Bool]>([:])

    /// Whether a value of this binding may hold a sensitive one.
    static func hold(_ binding: BindingHandle) -> Bool {
        if let answer = binding.holdsSensitive { return answer }
        if let answer = known.withLock({ $0[binding] }) { return answer }
        var search = Search()
        let answer = search.finds(in: binding)
        known.withLock { $0[binding] = answer }
        return answer
    }

    /// Whether the value of a row is sensitive, or may hold a sensitive one.
    static func hold(_ row: RowHandle) -> Bool {
        if unsafe row.policy?.pointee.isSensitive == true { return true }
        // The binding of a path's row is that of some property, and does not belong to the path.
        guard row.kind == .path else { return hold(row.binding) }
        var search = Search()
        return search.finds(in: row)
    }

    /// Whether a type that may be a model holds a sensitive value.
    static func hold(_ type: Any.Type) -> Bool {
        func open<Value: JSONReadable>(_ type: Value.Type) -> Bool { hold(BindingRegistry.shared.binding(for: type).pointer) }
        guard let type = type as? any JSONReadable.Type else { return false }
        return open(type)
    }

    /// A walk over the types that a type leads to; each is visited once, so types that hold themselves end.
    private struct Search {
        private var seen: Set<BindingHandle> = []

        mutating func finds(in binding: BindingHandle) -> Bool {
            guard seen.insert(binding).inserted else { return false }
            if let model = binding.model {
                if model.table.properties.contains(where: \.policy.isSensitive) { return true }
                for slot in 0..<model.slotCount where finds(in: model.row(ofSlot: slot)) { return true }
            }
            if let element = binding.element, finds(in: element) { return true }
            if let coded = binding.codedType, SensitiveTypes.hold(coded) { return true }
            return binding.sharedRows.contains { finds(in: $0) } || binding.variants.contains { finds(in: $0) }
        }

        mutating func finds(in row: RowHandle) -> Bool {
            if unsafe row.policy?.pointee.isSensitive == true { return true }
            guard row.kind == .path, let level = row.level else { return finds(in: row.binding) }
            return (0..<level.count).contains { finds(in: level.row(at: $0)) }
        }
    }
}
