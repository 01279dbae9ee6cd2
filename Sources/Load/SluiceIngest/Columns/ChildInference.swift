// Finds the child tables in the sampled records, and their columns.

package import SluiceCore

/// Splits what was seen in the sample into columns and child tables.
package struct ChildInference {
    package let options: ChildOptions
    package let types: [TypeOption]
    package let names: TableNames
    /// Whether keys that come after the sample get columns.
    package let takesLateKeys: Bool
    private let closed: SensitivePaths
    private let flattening: Flattening

    package init(
        _ options: ChildOptions, types: [TypeOption], names: TableNames, contract: KeyContract,
        flattening: Flattening = Flattening()
    ) {
        (self.options, self.types, self.names, self.flattening) = (options, types, names, flattening)
        takesLateKeys = contract == .evolve
        closed = SensitivePaths()
    }

    /// For a description of the tables.
    ///
    /// - Parameter closed: The paths of values that are not looked into.
    package init(_ options: ChildOptions, closed: SensitivePaths, flattening: Flattening = Flattening()) {
        (self.options, types, names, takesLateKeys, self.closed) = (options, [], TableNames(), false, closed)
        self.flattening = flattening
    }

    private typealias Leaf = ColumnInference.Leaf

    /// The tables for what was seen.
    ///
    /// - Parameters:
    ///   - table: The name of the records' table.
    ///   - key: The columns of its key; without one, records get numbers.
    ///   - choose: Leaves out columns that are not to be shown.
    package func plan(
        _ inference: ColumnInference, table: String, key: [String], choosing choose: ([JSONColumn]) -> [JSONColumn]
    ) throws(IngestError) -> TableLayout {
        names.take(table)
        let number = IngestColumn(name: RecordNumbers.column, type: .integer, source: .recordNumber)
        var layout = TableLayout(key.isEmpty ? [number] : [])
        let leaves = columns(among: leaves(of: inference, at: []) ?? [], of: layout, inference)
        for column in choose(inference.named(leaves, besides: layout)) { layout.append(IngestColumn(column)) }
        let indices = key.isEmpty ? [0] : key.compactMap { layout.index(of: $0) }
        guard indices.count == max(key.count, 1) else { return layout }
        try addTables(to: &layout, of: table, key: indices, inference)
        return layout
    }

    /// How the values of a leaf are split into rows; nil if it is a column.
    private func kind(of leaf: Leaf, in layout: TableLayout, _ inference: ColumnInference) -> ChildTable.Kind? {
        let home = layout.home
        guard layout.mayHaveTables else { return nil }
        guard closed.path(above: home + leaf.path) == nil, !flattening.keepsWhole(home + leaf.path) else { return nil }
        return options.kind(
            at: home + leaf.path, isArray: inference.hasOnlyArrays(leaf.shape),
            isDictionary: inference.hasOnlyDictionaries(leaf.shape), isObject: inference.hasOnlyObjects(leaf.shape))
    }

    /// The ends of the paths below a shape: objects that become child tables are not flattened.
    package func leaves(
        of inference: ColumnInference, at home: [String], _ shape: Int = RecordShapes.root
    ) -> [ColumnInference.Leaf]? {
        let inside = flattening.below(home)
        return inference.leaves(limit: .max, of: shape) {
            options.choice(at: home + $0) == .tables || !home.isEmpty && inside.keepsWhole($0)
        }
    }

    /// The leaves that are columns.
    ///
    /// A key that was always null may be that of an array. Where late keys get columns, it waits for its first value, unless the
    /// table has a column for it: the nulls replace the values there.
    ///
    /// - Parameters:
    ///   - layout: The layout that the columns are for, whose table stands where the leaves begin.
    ///   - isThere: Whether the table has a column for a path.
    package func columns(
        among leaves: [ColumnInference.Leaf], of layout: TableLayout, _ inference: ColumnInference,
        isThere: ([String]) -> Bool = { _ in false }
    ) -> [ColumnInference.Leaf] {
        leaves.filter { leaf in
            let mayWait =
                options.storage == .tables && takesLateKeys && layout.mayHaveTables && inference.hasOnlyNull(leaf.shape)
                && !isThere(leaf.path)
            return (!mayWait || flattening.keepsWhole(layout.home + leaf.path)) && kind(of: leaf, in: layout, inference) == nil
        }
    }

    /// Adds the child tables that the sample shows, and those that the options name.
    ///
    /// - Parameters:
    ///   - layout: The parent's layout, with all its columns.
    ///   - table: The name of the parent's table.
    ///   - key: The indices of the parent's key.
    ///   - inference: What was seen.
    ///   - shape: The shape of the parent's records in it.
    package func addTables(
        to layout: inout TableLayout, of table: String, key: [Int], _ inference: ColumnInference,
        at shape: Int = RecordShapes.root
    ) throws(IngestError) {
        let home = layout.home
        let found = (leaves(of: inference, at: home, shape) ?? []).compactMap { leaf in
            kind(of: leaf, in: layout, inference).map { (leaf, $0) }
        }
        guard found.count <= ChildTable.most else {
            throw .usage(
                "\(table) has \(found.count.grouped) arrays with tables of their own, and \(ChildTable.most.grouped) are the limit; "
                    + "keep them as JSON")
        }
        let indices = layout.childIndices
        for (leaf, kind) in found {
            let known = indices[ColumnName.bytes(leaf.path)]
            if let known, layout.children[known].kind != kind { continue }
            var child =
                known.map { layout.children[$0] }
                ?? ChildTable(path: leaf.path, kind: kind, parent: table, layout, key: key, names: names)
            switch kind {
            case .array:
                if let elements = inference.shapes.elements(of: leaf.shape) { try fill(&child, inference, at: elements) }
            case .map: try fill(&child, inference.inference(ofMembersOf: leaf.shape), at: RecordShapes.root)
            }
            if let known { layout.setChild(child, at: known) } else { layout.append(child) }
        }
        // An array that the options name may come after the sample.
        for choice in options.choices where choice.storage == .tables && isMissing(choice.path, in: layout) {
            layout.append(
                ChildTable(
                    path: Array(choice.path.dropFirst(home.count)), kind: .array, parent: table, layout, key: key, names: names))
        }
    }

    /// Whether an array lies in a table's records, not in those of a child, and has no table yet.
    private func isMissing(_ path: [String], in layout: TableLayout) -> Bool {
        let home = layout.home
        guard layout.mayHaveTables, path.count > home.count, ColumnName.path(path, startsWith: home) else { return false }
        return !layout.children.contains { ColumnName.path(path, startsWith: home + $0.path) }
    }

    /// Adds the columns of a table, and its own child tables.
    private func fill(_ child: inout ChildTable, _ inference: ColumnInference, at shape: Int) throws(IngestError) {
        guard let found = leaves(of: inference, at: child.layout.home, shape),
            found.count + child.keyCount + 2 <= child.layout.mostColumns
        else {
            throw .usage(
                "the elements of \(PathSyntax.text(ofKeys: child.layout.home)) have more keys than a table has columns; "
                    + "keep them as JSON")
        }
        let home = child.layout.home
        // A column or a table of an earlier run keeps its values. Where the table is, other values get a column of their own later.
        let known = child.layout.columns.compactMap(\.path) + child.layout.children.map(\.path)
        let leaves = columns(among: found, of: child.layout, inference).filter { leaf in
            !known.contains { ColumnName.areEqual($0, leaf.path) }
        }
        for column in inference.named(leaves, besides: child.layout) {
            child.layout.append(IngestColumn(typed(column, at: home)))
        }
        if let type = inference.scalarType(at: shape) {
            let name = child.layout.freeName(like: ChildTable.valueKey)
            let keys = [JSONKeyPath(components: [ChildTable.valueKey])]
            let isTable =
                child.layout.mayHaveTables && inference.hasOnlyArrays(shape)
                && options.choice(at: home + [ChildTable.valueKey]) != .json
            let isRead = (known + leaves.map(\.path)).contains([ChildTable.valueKey])
            if isTable, options.storage == .tables {
                // The elements of arrays in arrays.
                let index = child.layout.children.firstIndex { $0.path == [ChildTable.valueKey] }
                var inner =
                    index.map { child.layout.children[$0] }
                    ?? ChildTable(
                        path: [ChildTable.valueKey], kind: .array, parent: child.name, child.layout,
                        key: Array(0..<child.keyCount), names: names)
                if let elements = inference.shapes.elements(of: shape) { try fill(&inner, inference, at: elements) }
                if let index { child.layout.setChild(inner, at: index) } else { child.layout.append(inner) }
            } else if !isRead {
                child.layout.append(
                    IngestColumn(typed(JSONColumn(name: name, type: type, keys: keys, isTolerant: true), at: home)))
            }
        }
        try addTables(to: &child.layout, of: child.name, key: Array(0..<child.keyCount), inference, at: shape)
        child.layout.settle(
            isWhole: { column in
                let path = column.keys[0].components
                if types.typed(column, below: home) != nil || flattening.keepsWhole(home + path) { return true }
                if options.splits(home + path) { return false }
                return found.contains { $0.path == path && inference.shapes.kinds(of: $0.shape).contains(.object) }
            }, isOwn: { path in found.contains { ColumnName.areEqual($0.path, path) } })
    }

    /// A column with the type that an option gives it.
    package func typed(_ column: JSONColumn, at home: [String]) -> JSONColumn { types.typed(column, below: home) ?? column }
}
