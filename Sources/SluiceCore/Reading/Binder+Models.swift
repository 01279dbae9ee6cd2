// An object, or an array with a place for each property, becomes a model: its draft is filled, and completed when it closes.

extension Binder {
    @inline(__always)
    mutating func openModel(_ binding: UnsafePointer<Binding>, as form: JSONLayout) -> Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.pointee.model.unsafelyUnwrapped
        if unsafe layout.pointee.isInvalid { return unsafe failModel(layout) }
        guard unsafe layout.pointee.isPositional == (form == .array) else {
            return mismatch(found: form == .array ? "an array" : "an object")
        }
        let outer = isUpdating && updatesPlace ? destination : nil
        let mark = arena.mark
        let block = unsafe arena.allocate(layout.pointee.blockSize, alignment: layout.pointee.blockAlignment)
        unsafe block.copyMemory(from: layout.pointee.template, byteCount: layout.pointee.blockSize)
        push()
        let level = unsafe layout.pointee.level
        let draft = unsafe block + layout.pointee.draftOffset
        frame = unsafe Frame(
            row: ignoredRow, address: draft, stride: 0, limit: nil, expected: level.pointee.rows, level: level,
            base: draft, block: block, binding: binding, mark: mark, kind: .model)
        if let outer { _ = unsafe prefill(binding, layout, from: outer) }
        return unsafe form == .object || bindPlace(layout.pointee.firstRows)
    }

    /// Makes a model of a draft that no frame was pushed for.
    @inline(__always)
    mutating func completeModel(
        _ binding: UnsafePointer<Binding>, block: UnsafeMutableRawPointer, draft: UnsafeMutableRawPointer, _ mark: Arena.Mark
    ) -> Bool {
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out, and a block starts with its bits.
        let layout = unsafe binding.pointee.model.unsafelyUnwrapped
        let bound = unsafe _BoundProperties(
            words: UnsafePointer(block.assumingMemoryBound(to: UInt64.self)), wordCount: layout.pointee.wordCount)
        var contents = unsafe _Contents(base: draft, count: layout.pointee.slotCount, bound: bound)
        contents.skipsHooks = unsafe layout.pointee.skipsHooks
        if countsProperties { unsafe countProperties(layout, bound) }
        do throws(JSONError) {
            try unsafe binding.pointee.type._complete(contents, at: destination)
        } catch {
            let finished = unsafe Frame(
                row: ignoredRow, address: draft, stride: 0, limit: nil, expected: emptyLevel.pointee.rows, level: emptyLevel,
                base: draft, block: block, binding: binding, mark: mark, kind: .model)
            return failCompletion(of: finished, error)
        }
        arena.release(to: mark)
        return advance()
    }

    @inline(never)
    private mutating func failModel(_ layout: UnsafePointer<ModelLayout>) -> Bool {
        unsafe park(layout.pointee.table.takeUnretainedValue().problem ?? JSONError(.invalidModel))
    }

    @inline(__always)
    mutating func closeModel() -> Bool {
        if frame.hasPostponed, let failure = settlePostponed() { return failPostponed(failure) }
        let finished = frame
        pop()
        if countsProperties, let layout = unsafe finished.modelLayout {
            unsafe countProperties(layout, finished.draftContents.bound)
        }
        do throws(JSONError) {
            if finished.isPrefilled {
                var contents = finished.draftContents
                objectUpdates?.level = stackCount
                unsafe contents.updates = objectUpdates.map { unsafe .passUnretained($0) }
                try unsafe finished.binding.pointee.type._completeUpdate(contents, at: destination)
            } else {
                try unsafe finished.binding.pointee.type._complete(finished.draftContents, at: destination)
            }
        } catch {
            return failCompletion(of: finished, error)
        }
        arena.release(to: finished.mark)
        return advance()
    }

    /// Points the frame at the property of the next place in an array; behind the last one nothing is bound.
    mutating func bindPlace(_ row: UnsafePointer<PropertyRow>) -> Bool {
        guard unsafe row.pointee.kind != .none else {
            unsafe frame.row = unsafe ReaderRows.ignored
            unsafe frame.limit = nil
            return true
        }
        guard unsafe bind(row) else { return false }
        // Any value moves on from here: see `reachLimit`.
        unsafe frame.limit = unsafe frame.address
        return true
    }

    /// An object on the way of a key path shares the draft of the model around it.
    mutating func openPath(_ row: UnsafePointer<PropertyRow>) -> Bool {
        // Safe: the table compiler gives every path row a level.
        let level = unsafe row.pointee.level.unsafelyUnwrapped
        push()
        frame.kind = .path
        unsafe frame.row = unsafe ignoredRow
        unsafe frame.level = unsafe level
        unsafe frame.expected = unsafe level.pointee.rows
        frame.mark = arena.mark
        return true
    }

    mutating func closePath() -> Bool {
        pop()
        return true
    }
}
