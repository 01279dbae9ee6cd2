// Collects the changes of a table's rows while a sink stores them, and keeps their differences as text until the batch is
// committed.

package import SluiceCore

/// Takes the changes of one table's rows.
///
/// A sink with ``SinkAbilities/changes`` gets a recorder in ``SinkTable/changes``, and calls it for each row that it has written:
///
/// ```swift
/// table.changes?.add(row: index, before: earlier, after: ["id": 7, "name": "new"])
/// ```
// Unchecked: a recorder belongs to the connection of one run, and only one thread uses that at a time.
package final class ChangeRecorder: @unchecked Sendable {
    /// A change; the position of its record in the input is not known yet.
    package struct Entry {
        package enum Origin {
            /// The row of the batch.
            case row(Int)
            /// The record of a row in the batch of the parent table. The recorder is that of the child table whose parent is
            /// meant.
            case parent(Int, ChangeRecorder)
            /// No record: the inputs do not have the row.
            case none
        }

        package let origin: Origin
        package let key: String
        package let operation: RecordedChange.Operation
        package let patch: String
        package let nulls: String?
        package let hidden: String?
    }

    package let table: String
    private let key: [[UInt8]]
    /// For each column of the key, where the last row had it: all rows of a table have their columns in one order.
    private var keyMembers: [(index: Int, name: String)]
    private var hidden: [[UInt8]] = []
    /// The columns that say where the records are. They are no part of a change.
    private var places: [[UInt8]] = []
    /// The changes of the open batch.
    package private(set) var entries: [Entry] = []

    package init(table: String, key: [String]) {
        self.table = table
        self.key = key.map(ColumnName.folded)
        keyMembers = key.map { (.max, $0) }
    }

    /// Notes which columns have values that must not be shown, and which are no part of a change.
    package func hide(in layout: TableLayout) {
        hidden = layout.hiddenNames.map(ColumnName.folded)
        places = layout.places.map { ColumnName.folded($0.name) }
    }

    package func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Takes back the changes from an index on.
    package func truncate(to count: Int) { entries.removeSubrange(min(count, entries.count)...) }

    // MARK: Changes

    /// Takes a row that was added or changed.
    ///
    /// - Parameters:
    ///   - row: The row's index in its batch; nil if no record has changed it.
    ///   - before: The row before; nil if it was added. A column that it lacks is null. A column of JSON has its JSON value, not
    ///     a text.
    ///   - after: The row as the table has it now.
    package func add(row: Int?, before: JSONObject?, after: JSONObject) {
        add(row: row, before: before, after: after, rewritten: [])
    }

    /// The same with the columns whose stored values differ, even if their JSON values are the same.
    package func add(row: Int?, before: JSONObject?, after: JSONObject, rewritten: Set<String>) {
        let patch = MergePatch(
            from: before.map(withoutPlace), to: withoutPlace(after), rewriting: rewritten
        ) { ChangeRecorder.isOne(of: hidden, $0) }
        entries.append(
            Entry(
                origin: row.map { .row($0) } ?? .none, key: text(.object(keyOf(after))),
                operation: before == nil ? .added : .changed,
                patch: text(.object(patch.patch)), nulls: list(patch.nulls), hidden: list(patch.hidden)))
    }

    /// The same for rows as texts of JSON.
    ///
    /// A new row without null is its own patch. Most are that, and reading their texts would take longer than all else.
    package func add(row: Int?, before: String?, after: String) {
        if before == nil, hidden.isEmpty, places.isEmpty,
            let key = unsafe after.utf8.withContiguousStorageIfAvailable({ unsafe keyText(of: $0) }) ?? nil
        {
            return entries.append(
                Entry(
                    origin: row.map { .row($0) } ?? .none, key: key, operation: .added, patch: after, nulls: nil, hidden: nil))
        }
        let object = { (text: String) in (try? JSONValue(json: text))?.object }
        add(row: row, before: before.map { object($0) ?? JSONObject() }, after: object(after) ?? JSONObject())
    }

    /// Takes a row of a child table that was removed, because the record that now has the key of its parent's row has fewer
    /// elements.
    ///
    /// - Parameters:
    ///   - before: The row as it was; the columns of its key are enough.
    ///   - parent: The index of that record's row in the batch of the parent of `replaced`.
    ///   - replaced: The recorder of the table whose rows were replaced: this table or an ancestor of it.
    package func remove(_ before: JSONObject, after parent: Int, in replaced: ChangeRecorder) {
        remove(before, .parent(parent, replaced))
    }

    /// Takes a row that was removed, because the inputs do not have it.
    package func remove(_ before: JSONObject) { remove(before, .none) }

    private func remove(_ before: JSONObject, _ origin: Entry.Origin) {
        entries.append(
            Entry(origin: origin, key: text(.object(keyOf(before))), operation: .removed, patch: "null", nulls: nil, hidden: nil))
    }

    // MARK: Columns

    private func keyOf(_ row: JSONObject) -> JSONObject {
        let members = row.members
        return JSONObject(
            key.indices.compactMap { index in
                let known = keyMembers[index]
                if known.index < members.count, members[known.index].key.utf8.elementsEqual(known.name.utf8) {
                    return members[known.index]
                }
                let found = members.firstIndex { ChangeRecorder.names(ColumnName.folded($0.key), key[index]) }
                guard let found else { return nil }
                keyMembers[index] = (found, members[found].key)
                return members[found]
            })
    }

    /// The key as JSON, cut out of the text of a row without null, arrays, objects and white space, which has the key where the last row had
    /// it; nil for any other row.
    private func keyText(of row: UnsafeBufferPointer<UInt8>) -> String? {
        var (cursor, members) = unsafe (MemberCursor(row), [MemberCursor.Member]())
        // The brackets, and a comma between each two members.
        var count = 1
        while let member = cursor.next() {
            switch unsafe member.value.first.flatMap(ValueKind.init(firstByte:)) {
            case .string, .number, .bool: break
            case .null, .array, .object, nil: return nil
            }
            count += unsafe member.key.bytes.count + member.value.count + 4
            members.append(member)
        }
        guard unsafe cursor.end != nil, count == row.count else { return nil }
        var key: [UInt8] = []
        for (index, name) in keyMembers {
            // A name with a character that JSON escapes is not found.
            guard index < members.count, unsafe members[index].key.bytes.elementsEqual(name.utf8) else { return nil }
            unsafe key += [UInt8(ascii: key.isEmpty ? "{" : ","), UInt8(ascii: "\"")] + members[index].key.bytes
            unsafe key += [UInt8(ascii: "\""), UInt8(ascii: ":")] + members[index].value
        }
        return key.isEmpty ? nil : String(decoding: key, as: UTF8.self) + "}"
    }

    private static func isOne(of names: [[UInt8]], _ column: String) -> Bool {
        guard !names.isEmpty else { return false }
        let name = ColumnName.folded(column)
        return names.contains { ChangeRecorder.names(name, $0) }
    }

    private func withoutPlace(_ row: JSONObject) -> JSONObject {
        guard !places.isEmpty else { return row }
        return JSONObject(row.members.filter { !ChangeRecorder.isOne(of: places, $0.key) })
    }

    /// Whether a column of the table has this name. The database may have cut the name: PostgreSQL cuts names after 63 bytes.
    private static func names(_ column: [UInt8], _ name: [UInt8]) -> Bool {
        column == name || ColumnName.isCut(name, to: column)
    }

    private func text(_ value: JSONValue) -> String { (try? value.jsonString()) ?? "null" }

    private func list(_ texts: [String]) -> String? { texts.isEmpty ? nil : text(.array(texts.map { .string($0) })) }
}
