// What a table remembers of all runs that have stored rows in it: for each column the path that it takes, and the kind of its values.
// So records that come in several commands are stored as in one.
//
//     {"version": 1, "columns": [{"name": "id", "type": "integer", "path": ["id"]}, …], "children": [{…}]}
//
// A sink keeps this text beside the rows, written in their transactions, and does not understand it.

internal import SluiceCore

/// The columns and child tables that all runs so far have filled.
package struct TableMemory: Sendable {
    package private(set) var layout = TableLayout()
    /// How many rejected records of an input replays have stored since, by the input's name.
    private var replayed: [String: Int] = [:]
    /// The table beside this one that has the places of its rows; nil if there is none.
    package var provenance: Provenance?

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
        provenance = json["provenance"].flatMap { Provenance(json: $0) }
        for column in json["columns"]?.array ?? [] { if let column = IngestColumn(json: column) { layout.append(column.stored) } }
        for child in json["children"]?.array ?? [] {
            if let child = ChildTable(json: child, in: layout, isRemembered: true) { layout.append(child) }
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
        if let provenance = provenance?.json { members.append(("provenance", provenance)) }
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
    ///
    /// - Parameters:
    ///   - isOfTexts: Whether a column still has texts, though the run wanted another type for it.
    ///   - isOpen: Whether a column of texts has had other values only.
    package mutating func add(
        _ other: TableLayout, isOfTexts: (IngestColumn) -> Bool = { _ in false }, isOpen: (IngestColumn) -> Bool = { _ in false }
    ) {
        layout.remember(other, isOfTexts: isOfTexts, isOpen: isOpen)
    }

    /// Forgets columns that the table no longer has.
    ///
    /// - Parameters:
    ///   - names: The names of its columns.
    ///   - longest: How many bytes of a name the database keeps; nil if it keeps all.
    ///   - child: The names of the columns of a child table, none if it is gone; nil if nothing is known of it.
    package mutating func forget(
        allBut names: [String], cutAfter longest: Int?, ofChild child: (String) -> [String]? = { _ in nil }
    ) {
        layout.forget(allBut: ColumnName.List(names, cutAfter: longest), longest, ofChild: child)
    }

    /// All child tables, the deepest first.
    package var childTables: [ChildTable] { layout.childTables }

    /// The columns of a child table; empty if no run has filled it.
    package func columns(ofChild name: String) -> [IngestColumn] { child(named: name)?.columns ?? [] }

    /// The layout of a child table; nil if no run has filled it.
    package func child(named name: String) -> TableLayout? { layout.child(named: name)?.layout }

    /// The column with the name of another one, and with another path; nil if there is none.
    package func rival(of column: IngestColumn) -> IngestColumn? {
        guard let path = column.path else { return nil }
        return layout.columns.first {
            ColumnName.areEqual($0.name, column.name) && $0.path.map { !ColumnName.areEqual($0, path) } == true
        }
    }
}

extension IngestColumn {
    /// The same column with texts.
    fileprivate var ofTexts: IngestColumn {
        guard let column = read else { return self }
        return IngestColumn(JSONColumn(name: name, type: .text, keys: column.keys, isTolerant: true)).stored
    }
}

extension TableLayout {
    fileprivate var childTables: [ChildTable] { children.flatMap { $0.layout.childTables + [$0] } }

    /// The child table of a name, at any depth.
    fileprivate func child(named name: String) -> ChildTable? {
        for child in children {
            if child.name == name { return child }
            if let found = child.layout.child(named: name) { return found }
        }
        return nil
    }

    fileprivate mutating func remember(
        _ other: TableLayout, isOfTexts: (IngestColumn) -> Bool, isOpen: (IngestColumn) -> Bool
    ) {
        var known: [[UInt8]: Int] = [:]
        for (index, column) in columns.enumerated() { known[ColumnName.folded(column.name)] = index }
        for column in other.columns {
            if let index = known[ColumnName.folded(column.name)] {
                guard !column.isUndecided, columns[index].isUndecided || columns[index].isOpen else { continue }
                if columns[index].isUndecided {
                    columns[index] = isOfTexts(column) ? column.uncovered.ofTexts : column.uncovered
                }
                columns[index].isOpen = isOpen(column)
            } else {
                var added = column.uncovered
                added.isOpen = !column.isUndecided && isOpen(column)
                append(added)
            }
        }
        let indices = childIndices
        for child in other.children {
            if let index = indices[ColumnName.bytes(child.path)] {
                children[index].layout.remember(child.layout, isOfTexts: { _ in false }, isOpen: { _ in false })
            } else {
                append(child.uncovered)
            }
        }
    }

    fileprivate mutating func forget(allBut names: ColumnName.List, _ longest: Int?, ofChild child: (String) -> [String]?) {
        // The first columns of a child table are its key, and their number says how long that is.
        let isGone = { (column: IngestColumn) in
            !names.contains(ColumnName.folded(column.name)) && column.source != .parentKey && column.source != .position
        }
        taken.subtract(columns.filter(isGone).map { ColumnName.folded($0.name) })
        columns.removeAll(where: isGone)
        children = children.compactMap { table in
            guard let found = child(table.name) else { return table }
            guard !found.isEmpty || longest.map({ table.name.utf8.count > $0 }) == true else { return nil }
            var layout = table.layout
            let names = found.isEmpty ? layout.columns.map(\.name) : found
            layout.forget(allBut: ColumnName.List(names, cutAfter: longest), longest, ofChild: child)
            return table.with(layout)
        }
    }
}
