// An object, or an array with a position for each property, becomes a model: its draft is filled, and completed when it closes.

extension Binder {
    @inline(__always)
    mutating func openModel(_ binding: BindingHandle, as form: JSONLayout) -> Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        if layout.isUncommon { return openUncommon(binding, as: form) }
        guard layout.isPositional == (form == .array) else {
            return mismatch(found: form == .array ? "an array" : "an object")
        }
        let outer = update.isActive && updatesAddress ? destination : nil
        if let outer, let own = bindingOfSubclass(binding, at: outer) { return openUpdated(own, from: outer, as: form) }
        if layout.isBuiltThere, isBuildingThere { return openThere(binding, layout, as: form) }
        return openDraft(binding, layout, from: outer, as: form)
    }

    /// Whether a model that opens now may be built at its destination, which has no value yet.
    @inline(__always)
    var isBuildingThere: Bool {
        guard !document.frame.isReplacing, document.frame.row.depth <= 1, !update.isActive else { return false }
        return switch document.frame.kind {
        case .model, .path, .array, .dictionary: true
        case .root: document.isRootEmpty && document.frame.row.depth == 1
        case .nested: false
        }
    }

    /// Opens a model that is built at its destination. The destination holds nil, a placeholder or nothing, so nothing there has to
    /// be destroyed.
    @inline(__always)
    mutating func openThere(_ binding: BindingHandle, _ layout: LayoutHandle, as form: JSONLayout) -> Bool {
        let frame = unsafe frame(of: binding, layout, builtAt: document.frame.address, depth: document.frame.row.depth)
        push()
        document.frame = frame
        return form == .object || bindAddress(layout.firstRows)
    }

    /// Opens the object of a property of the model that is open, if it is a model that is built at its destination. Returns false, and has
    /// done nothing, if the value must be opened in the general way.
    @inline(__always)
    mutating func openNested(_ row: RowHandle) -> Bool {
        guard row.kind == .model, row.isDirect, !update.isActive, document.nesting < policy.maximumDepth,
            let layout = row.binding.model, layout.isBuiltThere, !layout.isUncommon, !layout.isPositional
        else { return false }
        // Safe: a direct row belongs to a model's table, in whose block there is a bit for each slot.
        let word = unsafe document.frame.block.assumingMemoryBound(to: UInt64.self) + Int(row.slot &>> 6)
        guard unsafe word.pointee & row.bit == 0 else { return false }
        unsafe word.pointee |= row.bit
        document.frame.row = row
        unsafe document.frame.address = unsafe document.frame.base + row.offset
        document.frame.isReplacing = false
        document.nesting &+= 1
        return openThere(row.binding, layout, as: .object)
    }

    /// Closes the object that ``openNested(_:)`` has opened.
    @inline(__always)
    mutating func closeNested() -> Bool {
        guard document.skipDepth == 0, document.frame.isThere, isFinished else { return closeObject() }
        document.nesting &-= 1
        frames.arena.release(to: document.frame.mark)
        document.stackCount &-= 1
        // An assignment, written so that the frame is copied once. The model around it has no elements to advance to.
        // Safe: below a model is at least the frame of the root.
        let outer = unsafe frames.stack + document.stackCount
        unsafe withUnsafeMutablePointer(to: &document.frame) { unsafe $0.update(from: outer, count: 1) }
        return true
    }

    /// The frame of a model that is built at an address, or of an optional one.
    @inline(__always)
    mutating func frame(of binding: BindingHandle, _ layout: LayoutHandle, builtAt address: UnsafeMutableRawPointer, depth: UInt8)
        -> Frame
    {
        let mark = frames.arena.mark
        let block = unsafe frames.arena.allocate(layout.draftOffset, alignment: layout.blockAlignment)
        unsafe layout.copyHead(to: block)
        // An optional that is not nil begins with the bits of its value. If they cannot express nil, a tag follows them, and the
        // tag 0 means that there is a value. The template has this tag after the model.
        let size = depth == 0 ? layout.modelSize : layout.optionalSize
        unsafe address.copyMemory(from: layout.template + layout.draftOffset, byteCount: size)
        let level = expectedKeys.level(of: layout.level)
        var frame = unsafe Frame(
            row: policy.ignoredRow, address: address, stride: 0, limit: nil, lastKey: level.start, level: level, base: address,
            block: block, binding: binding, mark: mark, kind: .model)
        frame.isThere = true
        return frame
    }

    /// Opens a model of another class than its property's: the class of the object that is updated.
    @inline(never)
    private mutating func openUpdated(_ binding: BindingHandle, from outer: _Destination, as form: JSONLayout) -> Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        return layout.isUncommon ? openUncommon(binding, as: form) : openDraft(binding, layout, from: outer, as: form)
    }

    @inline(__always)
    mutating func openDraft(
        _ binding: BindingHandle, _ layout: LayoutHandle, from outer: _Destination?, as form: JSONLayout
    ) -> Bool {
        let mark = frames.arena.mark
        let block = unsafe frames.arena.allocate(layout.blockSize, alignment: layout.blockAlignment)
        unsafe block.copyMemory(from: layout.template, byteCount: layout.blockSize)
        push()
        let level = expectedKeys.level(of: layout.level)
        let draft = unsafe block + layout.draftOffset
        document.frame = unsafe Frame(
            row: policy.ignoredRow, address: draft, stride: 0, limit: nil, lastKey: level.start, level: level,
            base: draft, block: block, binding: binding, mark: mark, kind: .model)
        if let outer { _ = prefill(binding, layout, from: outer) }
        return form == .object || bindAddress(layout.firstRows)
    }

    /// Completes the model of a draft that no frame was pushed for.
    @inline(__always)
    mutating func completeModel(
        _ binding: BindingHandle, block: UnsafeMutableRawPointer, draft: UnsafeMutableRawPointer, _ mark: Arena.Mark
    ) -> Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        let contents = unsafe _Contents(of: layout, draft: draft, block: block)
        if policy.countsProperties { countProperties(layout, contents.bound) }
        do throws(JSONError) {
            if layout.isInPlace {
                try binding.type._finish(contents, at: destination, isThere: false)
            } else {
                try binding.type._complete(contents, at: destination)
            }
        } catch {
            let finished = unsafe Frame(
                row: policy.ignoredRow, address: draft, stride: 0, limit: nil, lastKey: policy.noLevel.start,
                level: policy.noLevel,
                base: draft, block: block, binding: binding, mark: mark, kind: .model)
            return failCompletion(of: finished, error)
        }
        frames.arena.release(to: mark)
        return advance()
    }

    @inline(never)
    mutating func failModel(_ layout: LayoutHandle) -> Bool {
        park(layout.table.problem ?? JSONError(.invalidModel))
    }

    @inline(__always)
    mutating func closeModel() -> Bool {
        if document.frame.isThere, isFinished {
            let mark = document.frame.mark
            pop()
            frames.arena.release(to: mark)
            return advance()
        }
        if document.frame.hasPostponed, let failure = settlePostponed() { return failPostponed(failure) }
        return closeOtherModel()
    }

    /// Closes a model that is an element of an array, and opens the next element: the frame, its block and its level of keys stay. Returns
    /// false if that has to be done in the general way; then nothing has happened.
    @inline(__always)
    mutating func beginNextModel() -> Bool {
        guard document.skipDepth == 0, document.frame.isThere, document.frame.kind == .model, !document.frame.notesKeys,
            isFinished
        else { return false }
        // Safe: below a model is at least the frame of the root.
        let array = unsafe frames.stack + (document.stackCount &- 1)
        let next = unsafe array.pointee.address + array.pointee.stride
        guard unsafe array.pointee.kind == .array && array.pointee.row.depth == 0 && next != array.pointee.limit else {
            return false
        }
        unsafe array.pointee.address = unsafe next
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe document.frame.binding.model.unsafelyUnwrapped
        unsafe layout.copyHead(to: document.frame.block)
        unsafe next.copyMemory(from: layout.template + layout.draftOffset, byteCount: layout.modelSize)
        unsafe document.frame.address = unsafe next
        unsafe document.frame.base = unsafe next
        document.frame.row = policy.ignoredRow
        document.frame.lastKey = document.frame.level.start
        document.frame.isReplacing = false
        document.frame.hasUnknownKeys = false
        document.frame.wasNull = false
        document.frame.previousRank = 255
        return true
    }

    /// Closes the object that ``beginModel(_:at:_:)`` or ``beginAgain(_:at:_:)`` has opened.
    @inline(__always)
    mutating func closeRootModel() -> Bool {
        guard isFinished else {
            endRepetition()
            return closeObject()
        }
        // The document is complete, so nothing reads its frames any more.
        frames.arena.release(to: document.frame.mark)
        document.stackCount = 0
        document.nesting = 0
        return true
    }

    /// Whether the model that is open, and built where it will live, has all that it needs: nothing has to be done when it closes.
    @inline(__always)
    private var isFinished: Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe document.frame.binding.model.unsafelyUnwrapped
        return unsafe layout.isPlain && !document.frame.hasPostponed && !policy.countsProperties
            && layout.missingBits(document.frame.block) == 0
    }

    @inline(__always)
    private mutating func closeOtherModel() -> Bool {
        let finished = document.frame
        pop()
        if policy.countsProperties, let layout = finished.modelLayout {
            countProperties(layout, finished.draftContents.bound)
        }
        do throws(JSONError) {
            if finished.isPrefilled {
                try completeUpdate(of: finished)
            } else if finished.isInPlace {
                try finish(finished)
            } else {
                try finished.binding.type._complete(finished.draftContents, at: destination)
            }
        } catch {
            return failCompletion(of: finished, error)
        }
        frames.arena.release(to: finished.mark)
        return advance()
    }

    /// Finishes a model that was built in its own memory; its frame has been popped. If it throws, the model is destroyed.
    @inline(__always)
    mutating func finish(_ finished: Frame) throws(JSONError) {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe finished.binding.model.unsafelyUnwrapped
        let contents = finished.draftContents
        guard unsafe layout.missingBits(finished.block) == 0, layout.isSettled || settle(finished, layout) else {
            destroyModel(of: finished)
            throw JSONError._missing
        }
        if finished.isThere, !layout.hasHook { return }
        do throws(JSONError) {
            try finished.binding.type._finish(contents, at: destination, isThere: finished.isThere)
        } catch {
            if finished.isThere { clearDestination(of: layout) }
            throw error
        }
    }

    @inline(never)
    private func settle(_ finished: Frame, _ layout: LayoutHandle) -> Bool {
        unsafe layout.fields?.settle(finished.base, finished.draftContents.bound, isUpdate: finished.isPrefilled) ?? true
    }

    /// Destroys the model or the draft of a frame that has just been popped.
    @inline(never)
    mutating func destroyModel(of open: Frame) {
        guard let layout = open.modelLayout, let fields = layout.fields else {
            return open.binding.assembly._destroy(open.contents)
        }
        unsafe fields.destroy(open.base, isUpdate: open.isPrefilled)
        if open.isThere { clearDestination(of: layout) }
    }

    /// After a model at a property has been destroyed, gives the property the bits of the outer model's template again, and the root
    /// those of nil. An element, or a value of a dictionary, needs no such bits: it is not counted before it is complete, so nothing
    /// reads it.
    @inline(never)
    private mutating func clearDestination(of model: LayoutHandle) {
        if document.frame.kind == .root, let nilBits = unsafe model.nilBits {
            // Safe: the root is the memory of an optional model.
            return unsafe document.frame.address.copyMemory(from: nilBits, byteCount: model.optionalSize)
        }
        guard document.frame.kind == .model || document.frame.kind == .path, let layout = document.frame.modelLayout else {
            return
        }
        let row = document.frame.row
        // Safe: the template of the model around it has as many bytes at this offset.
        unsafe document.frame.address.copyMemory(
            from: layout.template + layout.draftOffset + row.offset,
            byteCount: row.depth == 0 ? model.modelSize : model.optionalSize)
    }

    /// Ends a model that is written as an array. The frame has already marked the next property as present; if its element has not
    /// come, the mark is removed.
    mutating func closePositionalModel() -> Bool {
        if document.frame.row.kind != .ignored, let layout = document.frame.modelLayout, layout.isPositional {
            let slot = Int(document.frame.row.slot)
            if document.frame.isPrefilled {
                withdrawAssignment(document.frame.row)
            } else {
                // Safe: the block has a presence bit for every slot.
                unsafe document.frame.block.assumingMemoryBound(to: UInt64.self)[slot >> 6] &= ~(1 << UInt64(slot & 63))
            }
        }
        return closeModel()
    }

    /// Makes the frame store the next element at the row of its property; elements after the last property are not bound.
    mutating func bindAddress(_ row: RowHandle) -> Bool {
        guard row.kind != .none else {
            document.frame.row = ReaderRows.ignored
            unsafe document.frame.limit = nil
            return true
        }
        guard bind(row) else { return false }
        // The stride is 0, so the address is at its limit after each value, and `reachLimit` goes on with the next property.
        unsafe document.frame.limit = unsafe document.frame.address
        if row.flags.contains(.constrained) { expectConstrained(row) }
        return true
    }

    /// Opens an object that a key path leads through: it shares the draft of the model around it.
    mutating func openPath(_ row: RowHandle) -> Bool {
        // Safe: the table compiler gives every path row a level.
        let level = unsafe expectedKeys.level(of: row.level.unsafelyUnwrapped)
        push()
        document.frame.kind = .path
        document.frame.row = policy.ignoredRow
        document.frame.level = level
        document.frame.lastKey = level.start
        document.frame.mark = frames.arena.mark
        return true
    }

    mutating func closePath() -> Bool {
        pop()
        return true
    }
}
