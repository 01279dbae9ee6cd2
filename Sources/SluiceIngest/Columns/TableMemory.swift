// What a table remembers of all runs that have stored rows in it: for each column the path that it takes, and the kind of its values.
// So records that come in several commands are stored as in one.
//
//     {"version": 1, "columns": [{"name": "id", "type": "integer", "path": ["id"]}, …], "children": [{…}]}
//
// A sink keeps this text beside the rows, written in their transactions, and does not understand it.

internal import SluiceCore

/// The columns and child tables that runs have filled, whoever they were.
package struct TableMemory: Sendable {
    package private(set) var layout = TableLayout()
    /// How many rejected records of an input replays have stored since, by the input's name.
    private var replayed: [String: Int] = [:]

    /// A later version that changes the meaning of the text counts this up.
    package static let version = 1

    package init() {}

    /// A memory of tables from before there was one.
    ///
    /// - Parameter layouts: The columns of the inputs' checkpoints.
    package init(_ layouts: [TableLayout]) { for layout in layouts { add(layout) } }

    /// - Throws: ``IngestError/database(_:)`` if a later version has written the text.
    package init(text: String, of table: String) throws(IngestError) {
        let json = (try? JSONValue(json: text)) ?? .null
        if let found = json["version"]?.int, found > TableMemory.version {
            throw .database(
                "what the table \(table) remembers has version \(found), which comes from a later version of sluice; "
                    + "this version knows \(TableMemory.version): use the later version, or another table")
        }
        for member in json["replayed"]?.object?.members ?? [] { replayed[member.key] = member.value.int }
        for column in json["columns"]?.array ?? [] { if let column = IngestColumn(json: column) { layout.append(column.stored) } }
        for child in json["children"]?.array ?? [] {
            if let child = ChildTable(json: child, in: layout) { layout.append(child) }
        }
    }

    package var text: String {
        var members: [JSONObject.Member] = [
            ("version", .number(JSONNumber(TableMemory.version))), ("columns", .array(layout.columns.map(\.json))),
            ("children", .array(layout.children.map(\.json))),
        ]
        if !replayed.isEmpty {
            let counts = replayed.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.number(JSONNumber($0.value))) }
            members.append(("replayed", .object(JSONObject(counts))))
        }
        return (try? JSONValue.object(JSONObject(members)).jsonString()) ?? ""
    }

    // MARK: Replays

    /// How many of an input's rejected records replays have stored.
    package func replayed(of input: String) -> Int { replayed[input] ?? 0 }

    package mutating func noteReplayed(_ count: Int, of input: String) { replayed[input, default: 0] += count }

    /// Forgets the replays of inputs that are read anew; nil for all inputs.
    package mutating func forgetReplays(of inputs: [String]?) {
        if let inputs { for input in inputs { replayed[input] = nil } } else { replayed = [:] }
    }

    // MARK: Columns

    /// Adds what a run has seen.
    package mutating func add(_ other: TableLayout) { layout.remember(other) }

    /// Forgets columns that the table no longer has.
    ///
    /// - Parameter names: The names of its columns. The database may have cut them: PostgreSQL cuts names after 63 bytes.
    package mutating func forget(allBut names: [String]) {
        let names = names.map(ColumnName.folded)
        let known = Set(names)
        let cut = names.filter { $0.count >= 60 }
        layout.removeColumns { column in
            let name = ColumnName.folded(column.name)
            return !known.contains(name) && !cut.contains { name.starts(with: $0) }
        }
    }

    /// The column with the name of another one, and with another path; nil if there is none.
    package func rival(of column: IngestColumn) -> IngestColumn? {
        guard let path = column.path else { return nil }
        return layout.columns.first {
            ColumnName.areEqual($0.name, column.name) && $0.path.map { !ColumnName.areEqual($0, path) } == true
        }
    }
}

extension TableLayout {
    fileprivate mutating func remember(_ other: TableLayout) {
        var places: [[UInt8]: Int] = [:]
        for (place, column) in columns.enumerated() { places[ColumnName.folded(column.name)] = place }
        for column in other.columns {
            if let place = places[ColumnName.folded(column.name)] {
                if columns[place].isUndecided, !column.isUndecided { columns[place] = column.uncovered }
            } else {
                append(column.uncovered)
            }
        }
        for child in other.children {
            if let index = children.firstIndex(where: { ColumnName.areEqual($0.path, child.path) }) {
                children[index].layout.remember(child.layout)
            } else {
                append(child.uncovered)
            }
        }
    }

    fileprivate mutating func removeColumns(where isGone: (IngestColumn) -> Bool) { columns.removeAll(where: isGone) }
}
