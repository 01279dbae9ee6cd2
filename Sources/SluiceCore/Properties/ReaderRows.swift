// Rows that stand where no property does.

/// Rows that belong to no table.
enum ReaderRows {
    /// The row of a key that no property has.
    nonisolated(unsafe) static let ignored = unsafe make(.ignored)
    /// The row of a container whose text is captured, to be converted.
    nonisolated(unsafe) static let captured = unsafe make(.raw)
    /// The row behind the end of a document.
    nonisolated(unsafe) static let none = unsafe make(.none)
    /// The keys of a container that has none.
    nonisolated(unsafe) static let emptyLevel: UnsafePointer<KeyTable> = {
        let rows = UnsafeMutablePointer<PropertyRow>.allocate(capacity: 1)
        unsafe rows.initialize(to: none.pointee)
        unsafe rows.pointee.keyCount = .max
        return unsafe KeyTable.make(rows: rows, count: 0)
    }()

    private static func make(_ kind: PropertyKind) -> UnsafePointer<PropertyRow> {
        let binding = unsafe _BindingCompiler.immortal(
            Binding(kind: kind, type: JSONValue.self, expectation: "the end of the input"))
        return unsafe _BindingCompiler.elementRow(_Binding(binding))
    }
}
