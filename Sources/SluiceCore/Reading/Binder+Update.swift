// A model that opens where another one lies begins with what that one has.

/// One property that an update gives a value: its names and its keys from the root inwards.
struct AssignedProperty: Equatable {
    var names: [String] = []
    var keys: [String] = []
}

extension Binder {
    /// Fills the draft of a model that has just been opened with what the place that it goes to holds.
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

    /// Fills the draft of a class that has subclasses, or is one, if the place holds an object of this very class.
    private func fill(
        _ binding: BindingHandle, _ layout: LayoutHandle, from outer: _Destination
    ) -> Bool {
        guard let model = binding.type as? any (JSONModel & AnyObject).Type,
            let object = outer.load(AnyObject.self), type(of: object) == binding.type
        else { return false }
        return unsafe layout.table.fill(frame.base, from: object, of: model)
    }

    /// Whether a model that opens here updates the one that the place holds.
    var updatesPlace: Bool {
        guard isUpdating else { return false }
        if frame.kind == .root { return true }
        return unsafe frame.isPrefilled && frame.row.policy?.pointee.update ?? .merge != .replace
    }

    /// Notes that a key of a prefilled model brings a value.
    ///
    /// - Parameter member: The key, where the property collects such keys.
    mutating func noteAssignment(_ row: RowHandle, of member: String? = nil) {
        var property = AssignedProperty()
        for index in 0...stackCount {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe index == stackCount ? frame : stack[index]
            guard open.kind == .model || open.kind == .path else { continue }
            let current = index == stackCount ? row : open.row
            guard current.kind != .path, let layout = open.modelLayout else { continue }
            let described = layout.table.properties[Int(current.slot)]
            property.names.append(described.name)
            property.keys += described.keys.first?.components ?? []
        }
        if let member {
            property.names.append(member)
            property.keys.append(member)
        }
        // A model that is updated in turn is told by its own properties.
        assigned.removeAll { $0.names == Array(property.names.dropLast()) || $0 == property }
        assigned.append(property)
    }
}
