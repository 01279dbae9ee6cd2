// Rows that stand where no property does.

/// Rows that belong to no table.
enum ReaderRows {
    /// The row of a key that no property has.
    static let ignored = make(.ignored)
    /// The row of a container whose text is captured, to be converted.
    static let captured = make(.raw)
    /// The row behind the end of a document.
    static let none = make(.none)
    /// The keys of a container that has none.
    static let emptyLevel: KeyTableHandle = {
        let rows = UnsafeMutablePointer<PropertyRow>.allocate(capacity: 1)
        unsafe rows.initialize(to: none.content)
        unsafe rows.pointee.keyCount = .max
        return unsafe KeyTable.make(rows: rows, count: 0)
    }()

    private static func make(_ kind: PropertyKind) -> RowHandle {
        let binding = _BindingCompiler.immortal(
            Binding(kind: kind, type: JSONValue.self, expectation: "the end of the input"))
        return _BindingCompiler.elementRow(_Binding(binding))
    }
}
