// Looks into a compiled table: that the table bound a property, and not something else, is shown by its rows.

@testable import SluiceCore

/// A row, without its addresses.
struct RowLook: Equatable {
    let key: String
    let kind: PropertyKind
    let slot: Int
    let offset: Int
    let depth: Int
    let rank: Int
    let flags: PropertyFlags
    let expectation: String

    fileprivate init(_ row: RowHandle) {
        key = row.keyText
        kind = row.kind
        slot = Int(row.slot)
        offset = row.offset
        depth = Int(row.depth)
        rank = Int(row.rank)
        flags = row.flags
        expectation = row.binding.expectation
    }
}

/// The rows of a model's top level, or of the level under path rows.
func rows<Model: JSONModel>(of type: Model.Type, under path: String...) -> [RowLook] {
    let binding = BindingRegistry.shared.binding(for: type)
    guard var level = binding.pointer.model?.level else { return [] }
    for key in path {
        guard let row = rows(level).first(where: { $0.keyText == key }), let next = row.level else { return [] }
        level = next
    }
    return rows(level).map(RowLook.init)
}

private func rows(_ level: KeyTableHandle) -> [RowHandle] {
    // Safe: there are as many rows.
    (0..<level.content.count).map { unsafe level.rows[$0] }
}

/// The row of the elements of a collection.
func elementRow<Value: JSONBindable>(of type: Value.Type) -> RowLook? {
    BindingRegistry.shared.binding(for: type).pointer.element.map(RowLook.init)
}
