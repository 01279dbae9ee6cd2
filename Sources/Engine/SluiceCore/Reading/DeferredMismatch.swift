// A value of an alternative key does not fit, and a better alternative may still come: only the end of the object tells whether
// that is an error.

/// A value of an alternative key that did not fit.
struct DeferredMismatch {
    /// The level of the model's frame: how many frames lie below it.
    let level: Int
    let slot: Int
    let rank: UInt8
    /// Whether the property's policy leaves such a value out, instead of failing.
    let isTolerated: Bool
    let error: JSONError
}

/// An alternative key of a required property that was null.
struct NullAlternative {
    /// The level of the model's frame: how many frames lie below it.
    let level: Int
    /// The model: another one at this level has other keys.
    let binding: BindingHandle
    let slot: Int
    let rank: UInt8

    /// Whether both are about the same property of the same object, or of an earlier one whose note is out of date.
    func replaces(_ other: NullAlternative) -> Bool { level == other.level && slot == other.slot && binding == other.binding }
}

extension Binder {
    /// The level of the model that the frame of a level, perhaps that of a path, belongs to.
    func modelLevel(of level: Int) -> Int {
        var model = level
        // Safe: frames below the current one lie on the stack; below the frame of a path lies that of its model.
        while model > 0, unsafe (model == document.stackCount ? document.frame.kind : frames.stack[model].kind) == .path {
            model -= 1
        }
        return model
    }

    /// Whether the current value of a frame belongs to an alternative key that is not the preferred one.
    func postpones(at level: Int) -> Bool {
        // Safe: frames below the current one lie on the stack, `stackCount` of them.
        let open = unsafe level == document.stackCount ? document.frame : frames.stack[level]
        return (open.kind == .model || open.kind == .path) && open.row.isWorseAlternative
    }

    /// Keeps an error until the model ends.
    mutating func postpone(_ error: JSONError, at level: Int) {
        // Safe: frames below the current one lie on the stack, `stackCount` of them.
        let row = unsafe level == document.stackCount ? document.frame.row : frames.stack[level].row
        let model = modelLevel(of: level)
        if model == document.stackCount {
            document.frame.hasPostponed = true
        } else {
            unsafe frames.stack[model].hasPostponed = true
        }
        frames.misfits.append(
            DeferredMismatch(
                level: model, slot: Int(row.slot), rank: row.rank,
                isTolerated: mismatchPolicy(row) != .throw, error: error))
    }

    /// At the end of the current model: an error counts unless a better alternative gave a value. Returns the first error that is not
    /// tolerated, or nil.
    @inline(never)
    mutating func settlePostponed() -> JSONError? {
        guard let first = frames.misfits.firstIndex(where: { $0.level >= document.stackCount }),
            let layout = document.frame.modelLayout
        else {
            return nil
        }
        // Safe: the block has a rank for every slot.
        let ranks = unsafe document.frame.block.assumingMemoryBound(to: UInt8.self) + layout.rankOffset
        var failure: JSONError?
        for misfit in frames.misfits[first...] where unsafe ranks[misfit.slot] >= misfit.rank {
            if misfit.isTolerated { count(misfit.error) } else { failure = failure ?? misfit.error }
        }
        frames.misfits.removeSubrange(first...)
        return failure
    }

    /// Ends the current model with an error that was postponed.
    @inline(never)
    mutating func failPostponed(_ failure: JSONError) -> Bool {
        let finished = document.frame
        pop()
        destroyModel(of: finished)
        frames.arena.release(to: finished.mark)
        return raise(failure)
    }
}
