// In an update, a model may open at a position that already holds a model. The new model then begins with the values of the old one.

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
    /// Copies the values of the model at a position to the draft of the model that has just opened there. False if the position holds no
    /// model.
    @inline(never)
    mutating func prefill(_ binding: BindingHandle, _ layout: LayoutHandle, from outer: _Destination)
        -> Bool
    {
        // The document may have updated the same object at another position. The draft then begins with the values that the object
        // will have after that update.
        var latest = binding.type is AnyClass ? outer.load(AnyObject.self).flatMap { update.objects?.latest(of: $0) } : nil
        let isFilled =
            latest == nil
            ? fill(binding, layout, from: outer)
            : unsafe withUnsafeMutablePointer(to: &latest) { latest in
                let address = UnsafeMutableRawPointer(latest)
                return unsafe fill(binding, layout, from: _Destination(address: address, depth: 1, isInitialized: true))
            }
        guard isFilled else { return false }
        document.frame.isPrefilled = true
        let words = unsafe document.frame.block.assumingMemoryBound(to: UInt64.self)
        assert(layout.slotCount <= layout.wordCount * 64)
        // Safe: the block begins with as many presence bits as there are slots.
        for slot in 0..<layout.slotCount { unsafe words[slot >> 6] |= 1 << UInt64(slot & 63) }
        return true
    }

    /// Completes a model that began as a copy of the one in its place.
    @inline(never)
    mutating func completeUpdate(of finished: Frame) throws(JSONError) {
        var contents = finished.draftContents
        update.objects?.begin(at: document.stackCount)
        unsafe contents.updates = update.objects.map { unsafe .passUnretained($0) }
        if finished.isInPlace {
            try finish(finished)
        } else {
            try finished.binding.type._completeUpdate(contents, at: destination)
        }
        update.objects?.settle(to: document.stackCount)
    }

    /// The binding of the class of the object at a position, if that is a subclass of the one in a binding; otherwise nil.
    @inline(never)
    func bindingOfSubclass(_ binding: BindingHandle, at outer: _Destination) -> BindingHandle? {
        guard binding.type is AnyClass, let object = outer.load(AnyObject.self),
            let own = type(of: object) as? any (_ReadableModel & AnyObject).Type, own != binding.type
        else { return nil }
        let table = own._jsonTable
        return table.binding.type == own ? table.binding : nil
    }

    /// Fills a draft from the model at a position. The draft of a class that has subclasses, or is a subclass, is only filled if the position holds
    /// an object of exactly this class.
    private func fill(
        _ binding: BindingHandle, _ layout: LayoutHandle, from outer: _Destination
    ) -> Bool {
        if unsafe binding.type._prefill(document.frame.base, from: outer) {
            unsafe layout.fields?.reopen(document.frame.base)
            return true
        }
        guard let model = binding.type as? any (_ReadableModel & AnyObject).Type,
            let object = outer.load(AnyObject.self), type(of: object) == binding.type
        else { return false }
        return unsafe layout.table.fill(document.frame.base, from: object, of: model)
    }

    /// Whether a model that opens now updates the one that its position holds.
    var updatesAddress: Bool {
        guard update.isActive else { return false }
        if document.frame.kind == .root { return true }
        return unsafe document.frame.isPrefilled && document.frame.row.policy?.pointee.update ?? .merge != .replace
    }

    /// Notes that an update gives a property of a prefilled model a value.
    ///
    /// - Parameter member: The key, if the property collects unknown keys.
    mutating func noteAssignment(_ row: RowHandle, of member: String? = nil) {
        update.objects?.note(Int(row.slot), at: modelLevel(of: document.stackCount))
        let property = assignment(of: row, member)
        // The entry replaces those of the models around the property, and an earlier one of the property itself.
        update.assigned.removeAll { property.names.starts(with: $0.names) }
        update.assigned.append(property)
    }

    /// Whether the update has given a property, or a member that it collects, a value.
    func isAssigned(_ row: RowHandle, of member: String? = nil) -> Bool {
        let names = assignment(of: row, member).names
        return update.assigned.contains { $0.names.starts(with: names) }
    }

    private func assignment(of row: RowHandle, _ member: String?) -> AssignedProperty {
        var property = AssignedProperty()
        for index in 0...document.stackCount {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe index == document.stackCount ? document.frame : frames.stack[index]
            guard open.kind == .model || open.kind == .path else { continue }
            let current = index == document.stackCount ? row : open.row
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
        return property
    }

    /// Takes the last note back, because no value has come for the property.
    mutating func withdrawAssignment(_ row: RowHandle) {
        update.objects?.withdraw(Int(row.slot), at: document.stackCount)
        if !update.assigned.isEmpty { update.assigned.removeLast() }
    }
}
