// Counts what happened to the properties of each object, for readers that are asked to.

extension Binder {
    /// Counts the properties of an object that has ended.
    @inline(never)
    mutating func countProperties(_ layout: LayoutHandle, _ bound: _BoundProperties) {
        // An update may leave properties out, so a property that its objects lack is not missing.
        guard !update.isActive else { return }
        document.findings.propertyCounts.countObject(of: layout.table, bound)
    }

    /// Counts an event of the current value, for the property that the value belongs to.
    @inline(never)
    mutating func countValue(_ event: PropertyCounts.Event) {
        var level = document.stackCount
        while level >= 0 {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe level == document.stackCount ? document.frame : frames.stack[level]
            level -= 1
            guard open.kind == .model || open.kind == .path else { continue }
            guard open.row.kind != .path, let layout = open.modelLayout else { continue }
            if open.row != policy.ignoredRow && open.row.kind != .ignored {
                document.findings.propertyCounts.count(event, of: layout.table, Int(open.row.slot))
            }
            return
        }
    }
}

extension JSONReader {
    /// What happened to the properties in the last document.
    package var propertyCounts: PropertyCounts { binder.state.document.findings.propertyCounts }
}
