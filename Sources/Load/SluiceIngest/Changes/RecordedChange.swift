// One change of a row, as it stands in a table or a file of changes.

internal import Foundation
internal import SluiceCore

/// One change of a row of a table, as it stands in a table of changes, which has these columns.
package struct RecordedChange: Hashable, Sendable {
    /// What became of a row.
    package enum Operation: String, Hashable, Sendable {
        case added, changed, removed
    }

    /// The table of the row.
    package let table: String
    /// The row's key: a JSON object with the columns of the table's key.
    package let key: String
    package let operation: Operation
    /// The time of the transaction, as `2026-11-25T16:03:05.123Z`.
    package let time: String
    /// The input and the position of the record that has changed the row; nil if no record has changed it.
    package let file: String?
    package let line: Int?
    package let byte: Int?
    /// The difference as a JSON Merge Patch; `null` if the row is gone.
    package let patch: String
    /// The paths of the values that became null, as a JSON array of JSON Pointers; nil if there are none.
    package let nulls: String?
    /// The columns that are left out of the patch, because they are sensitive, in the same form.
    package let hidden: String?

    /// The names of the columns, in order. The first one, `number`, is filled by the database.
    package static let columns = [
        "number", "table_name", "key", "operation", "changed_at", "file", "line", "byte_position", "patch", "nulls", "hidden",
    ]

    /// The time now, as changes have it.
    package static var now: String { Date().ISO8601Format(.init(includingFractionalSeconds: true)) }

    /// The change as a line of NDJSON.
    package var text: String {
        func text(_ text: String) -> String { (try? JSONValue.string(text).jsonString()) ?? "null" }
        let position = file.map { ",\"file\":\(text($0)),\"line\":\(line ?? 0),\"byte_position\":\(byte ?? 0)" } ?? ""
        return "{\"table_name\":\(text(table)),\"key\":\(key),\"operation\":\"\(operation.rawValue)\",\"changed_at\":\"\(time)\""
            + "\(position),\"patch\":\(patch)\(nulls.map { ",\"nulls\":\($0)" } ?? "")\(hidden.map { ",\"hidden\":\($0)" } ?? "")}\n"
    }
}

/// Where the changes of an ingest go.
public enum ChangesTarget: Sendable, Hashable {
    /// A table beside the rows, which is made if it is missing.
    case table(String)
    /// A file of NDJSON, to which each change is added.
    case file(path: String)

    /// A target as the command line names it: a name with a dot or slash is a file.
    package init(_ text: String) { self = text.namesFile ? .file(path: text) : .table(text) }

    /// The path, if it is a file.
    package var path: String? { if case .file(let path) = self { path } else { nil } }
}
