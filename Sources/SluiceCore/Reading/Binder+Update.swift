// In an update, a model that opens where its property already holds one begins with the values of that one.

/// One property that an update gives a value: its names, and the way to its JSON, from the root inwards.
struct AssignedProperty: Equatable {
    var names: [String] = []
    var steps: [JSONStep] = []
    /// Whether the update appends to a collection.
    var isAppended = false
    var isSet = false

    var name: String { names.joined(separator: ".") }
}

extension Binder {
    /// Fills the draft of a model that has just opened from the model that its place holds; false if that holds none.
    @inline(never)
    mutating func prefill(_ binding: BindingHandle, _ layout: LayoutHandle, from outer: _Destination)
        -> Bool
    {
        guard unsafe binding.type._prefill(frame.base, from: outer) || fill(binding, layout, from: outer) else {
            return false
        }
        frame.isPrefilled = true
        let words = unsafe frame.block.assumingMemoryBound(to: UInt64.self)
        // Safe: the block begins with as many presence bits as there are slots.
        for slot in 0..<(layout.slotCount) { unsafe words[slot >> 6] |= 1 << UInt64(slot & 63) }
        return true
    }

    /// Fills the draft of a class that has subclasses, or is a subclass, if the place holds an object of exactly this class.
    private func fill(
        _ binding: BindingHandle, _ layout: LayoutHandle, from outer: _Destination
    ) -> Bool {
        guard let model = binding.type as? any (JSONModel & AnyObject).Type,
            let object = outer.load(AnyObject.self), type(of: object) == binding.type
        else { return false }
        return unsafe layout.table.fill(frame.base, from: object, of: model)
    }

    /// Whether a model that opens now updates the one that its place holds.
    var updatesPlace: Bool {
        guard isUpdating else { return false }
        if frame.kind == .root { return true }
        return unsafe frame.isPrefilled && frame.row.policy?.pointee.update ?? .merge != .replace
    }

    /// Notes that an update gives a property of a prefilled model a value.
    ///
    /// - Parameter member: The key, if the property collects unknown keys.
    mutating func noteAssignment(_ row: RowHandle, of member: String? = nil) {
        var property = AssignedProperty()
        for index in 0...stackCount {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe index == stackCount ? frame : stack[index]
            guard open.kind == .model || open.kind == .path else { continue }
            let current = index == stackCount ? row : open.row
            guard current.kind != .path, let layout = open.modelLayout else { continue }
            let table = layout.table
            let slot = Int(current.slot)
            property.names.append(table.properties[slot].name)
            property.steps += table.stepsToModel + [table.step(toSlot: slot)]
            property.isAppended = table.properties[slot].policy.update == .append
            property.isSet = property.isAppended && table.isSet(slot: slot)
        }
        if let member {
            property.names.append(member)
            property.steps.append(.member([member]))
        }
        // The properties of an inner model replace the entries of the models around it.
        assigned.removeAll { property.names.starts(with: $0.names) }
        assigned.append(property)
    }
}
