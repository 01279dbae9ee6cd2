// Rows for values without a property.

/// Rows that belong to no table.
enum ReaderRows {
    /// The row of a key without a property.
    static let ignored = make(.ignored)
    /// The row of a value that is left out by a rule, such as that for repeated keys, and that would be stored without it. Its text is checked
    /// like that of a value that is stored: leaving it out must not hide damage.
    static let leftOut = make(.ignored)
    /// The row of a container whose text is captured for a conversion.
    static let captured = make(.raw)
    /// The row after the end of a document.
    static let none = make(.none)
    /// The table of an object that has no keys.
    static let emptyLevel: KeyTableHandle = {
        let rows = UnsafeMutablePointer<PropertyRow>.allocate(capacity: 1)
        unsafe rows.initialize(to: none.content)
        unsafe rows.pointee.keyCount = .max
        return unsafe KeyTable.make(rows: rows, count: 0)
    }()

    private static func make(_ kind: PropertyKind) -> RowHandle {
        let binding = _BindingCompiler.placed(
            Binding(kind: kind, type: JSONValue.self, expectation: "the end of the input"))
        return _BindingCompiler.elementRow(_Binding(binding))
    }
}
