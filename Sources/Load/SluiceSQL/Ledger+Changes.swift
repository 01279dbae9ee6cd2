// Tables of changes.

internal import SluiceCore
package import SluiceIngest

extension Ledger {
    /// The columns after `number`, which counts the changes.
    private static let changeColumns: [SQLColumn] = [
        SQLColumn("table_name", .text, isRequired: true), SQLColumn("key", .json, isRequired: true),
        SQLColumn("operation", .text, isRequired: true), SQLColumn("changed_at", .timestamp, isRequired: true),
        SQLColumn("file", .text), SQLColumn("line", .integer), SQLColumn("byte_position", .integer),
        SQLColumn("patch", .json, isRequired: true), SQLColumn("nulls", .json), SQLColumn("hidden", .json),
    ]

    package func record(_ changes: [RecordedChange], into table: String) throws {
        try connection.checkName(of: table)
        let columns = try columns(of: table)
        guard columns.isEmpty || columns == RecordedChange.columns else {
            throw IngestError.database(
                "\(dialect.destination) has a table \(table) already that is no table of changes; name another one")
        }
        try make(table, Ledger.changeColumns, after: "number \(dialect.countingKey), ")
        guard !changes.isEmpty else { return }
        func text(_ text: String?) -> SQLParameter { text.map { .text($0) } ?? .null }
        func integer(_ number: Int?) -> SQLParameter { number.map { .integer($0) } ?? .null }
        try connection.insert(
            changes.map { change in
                [
                    .text(change.table), .text(change.key), .text(change.operation.rawValue), .text(change.time),
                    change.file.map { .name($0) } ?? .null, integer(change.line), integer(change.byte), .text(change.patch),
                    text(change.nulls), text(change.hidden),
                ]
            }, into: table, Ledger.changeColumns)
    }
}
