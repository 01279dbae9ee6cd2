// An object is bound: each of its properties is counted, for readers that count them.

extension Binder {
    /// Counts the properties of an object whose end has come.
    @inline(never)
    mutating func countProperties(_ layout: LayoutHandle, _ bound: _BoundProperties) {
        // What an update does not name keeps what it had: its objects say nothing about what is missing.
        guard !isUpdating else { return }
        propertyCounts.countObject(of: layout.table, bound)
    }

    /// Counts something about the value at hand, for the property that it belongs to.
    @inline(never)
    mutating func countValue(_ event: PropertyCounts.Event) {
        var level = stackCount
        while level >= 0 {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe level == stackCount ? frame : stack[level]
            level -= 1
            guard open.kind == .model || open.kind == .path else { continue }
            guard open.row.kind != .path, let layout = open.modelLayout else { continue }
            if open.row != ignoredRow && open.row.kind != .ignored {
                propertyCounts.count(event, of: layout.table, Int(open.row.slot))
            }
            return
        }
    }
}

extension JSONReader {
    /// What became of the properties of the document read last.
    package var propertyCounts: PropertyCounts { unsafe binder.pointee.propertyCounts }
}
