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

    fileprivate init(_ row: PropertyRow) {
        key = row.keyText
        kind = row.kind
        slot = Int(row.slot)
        offset = row.offset
        depth = Int(row.depth)
        rank = Int(row.rank)
        flags = row.flags
        expectation = unsafe row.binding.pointee.expectation
    }
}

/// The rows of a model's top level, or of the level under path rows.
func rows<Model: JSONModel>(of type: Model.Type, under path: String...) -> [RowLook] {
    let binding = BindingRegistry.shared.binding(for: type)
    guard var level = unsafe binding.pointer.pointee.model?.pointee.level else { return [] }
    for key in path {
        guard let row = unsafe rows(level).first(where: { $0.keyText == key }), let next = unsafe row.level else { return [] }
        unsafe level = unsafe next
    }
    return unsafe rows(level).map(RowLook.init)
}

private func rows(_ level: UnsafePointer<KeyTable>) -> [PropertyRow] {
    unsafe (0..<level.pointee.count).map { unsafe level.pointee.rows[$0] }
}

/// The row of the elements of a collection.
func elementRow<Value: JSONBindable>(of type: Value.Type) -> RowLook? {
    unsafe BindingRegistry.shared.binding(for: type).pointer.pointee.element.map { RowLook(unsafe $0.pointee) }
}
