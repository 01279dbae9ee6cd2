// Columns and child tables of earlier runs, where values had another form: an object instead
// of a number, or JSON instead of columns.

package import SluiceCore

extension TableLayout {
    /// Adds the columns of an earlier run, which records that are merged into its rows may clear.
    ///
    /// Values may stand where earlier records had objects, or the other way round. The column of these values becomes a variant. If they
    /// were all null and the table has no such column, it is left out.
    ///
    /// - Parameters:
    ///   - names: The folded names of the table's columns.
    ///   - isNull: Whether all values at a path were null.
    ///   - isWhole: Whether a column of this run takes the objects at a path as JSON. It clears the columns of the keys inside.
    ///   - hasTable: Whether an array at a path goes into a table of its own.
    ///   - typed: The column with the type that the options give it; nil if they give none.
    package mutating func addColumns(
        of earlier: [IngestColumn], in names: Set<[UInt8]>, isNull: ([String]) -> Bool, isWhole: ([String]) -> Bool,
        hasTable: ([String]) -> Bool, typed: (JSONColumn) -> JSONColumn?
    ) {
        var known = Set(columns.compactMap { $0.path.map(ColumnName.bytes) })
        for column in earlier {
            // A column that has only had null has nothing to clear. Its first value decides its type.
            guard !column.isUndecided, let path = column.path, past.name(of: path) == column.name,
                names.contains(ColumnName.folded(column.name)),
                !known.contains(ColumnName.bytes(path)), index(of: column.name) == nil, columns.count < mostColumns
            else { continue }
            let above = columns.firstIndex {
                $0.path.map { $0.count < path.count && ColumnName.path(path, startsWith: $0) } == true
            }
            if let above, let outer = columns[above].path {
                if isWhole(outer) || columns[above].read.flatMap(typed) != nil {
                    append(column.covered)
                    continue
                }
                if isNull(outer), !columns[above].isStored {
                    taken.remove(ColumnName.folded(columns.remove(at: above).name))
                    known.remove(ColumnName.bytes(outer))
                } else {
                    columns[above] = variant(of: columns[above], at: outer)
                }
            }
            let isAbove = columns.contains {
                $0.path.map { path.count < $0.count && ColumnName.path($0, startsWith: path) } == true
            }
            if isAbove || hasTable(path) {
                append(column.variant(at: path))
            } else if let read = column.uncovered.read {
                let read = JSONColumn(name: read.name, type: read.type, keys: read.keys, isTolerant: true)
                append(IngestColumn(typed(read) ?? read))
            } else {
                append(column)
            }
        }
    }

    /// A column for values that are not objects, where other columns read an object's keys. A new one has JSON.
    private func variant(of column: IngestColumn, at path: [String]) -> IngestColumn {
        if column.isStored && !column.isUndecided || column.type == .json { return column.variant(at: path) }
        return IngestColumn(name: column.name, type: .json, source: .value).variant(at: path)
    }

    /// The layout of an earlier run, before this one covers anything.
    package var uncovered: TableLayout {
        var layout = self
        layout.columns = columns.map(\.uncovered)
        layout.children = children.map(\.uncovered)
        return layout
    }

    /// Gives each value one column where this run takes a value whole that earlier runs have split, or the other way round.
    ///
    ///     this run        earlier runs     then
    ///     b is JSON       b.e, a column    records with b clear b.e
    ///     b is JSON       b.f, a table     records with b remove its rows
    ///     b.e, b.f        b is JSON        the column of b takes values that are not objects
    ///
    /// - Parameters:
    ///   - isWhole: Whether this run takes the objects in a column whole.
    ///   - isOwn: Whether this run has found the child table at a path.
    ///   - coversColumns: Whether columns inside of others are those of earlier runs.
    package mutating func settle(isWhole: (JSONColumn) -> Bool, isOwn: ([String]) -> Bool, coversColumns: Bool = true) {
        for index in columns.indices {
            guard let column = columns[index].read else { continue }
            let path = column.keys[0].components
            let inner = coversColumns ? self.columns(inside: path) : []
            let tables = children.indices.filter {
                !children[$0].isCovered && ColumnName.path(children[$0].path, startsWith: path)
            }
            guard !inner.isEmpty || !tables.isEmpty else { continue }
            if isWhole(column) {
                for index in inner { columns[index] = columns[index].covered }
                for index in tables where !isOwn(children[index].path) {
                    children[index] = children[index].with(children[index].layout, isCovered: true)
                }
            } else {
                columns[index] = variant(of: columns[index], at: path)
            }
        }
        guard coversColumns else { return }
        for child in children where child.kind == .map && !child.isCovered {
            for index in columns(inside: child.path) { columns[index] = columns[index].covered }
        }
    }

    /// The columns that read a value inside of the one at a path.
    private func columns(inside path: [String]) -> [Int] {
        columns.indices.filter { index in
            columns[index].source != .covered
                && columns[index].path.map { $0.count > path.count && ColumnName.path($0, startsWith: path) } == true
        }
    }

    /// Gives each value of the child tables' rows one column, where only earlier runs have chosen it.
    ///
    /// - Parameter wholePaths: The paths, in the records, of the columns that take objects whole.
    package mutating func settleChildren(wholePaths: Set<[String]>) {
        for index in children.indices {
            let home = children[index].layout.home
            children[index].layout.settle(
                isWhole: { wholePaths.contains(home + $0.keys[0].components) },
                isOwn: { wholePaths.contains(home + $0) })
            children[index].layout.settleChildren(wholePaths: wholePaths)
        }
    }

    /// The paths, in the records, of the columns that hold JSON, those of child tables too.
    package var jsonPaths: Set<[String]> {
        let own = columns.compactMap { column in column.type == .json ? column.read?.keys[0].components : nil }
        return children.reduce(into: Set(own.map { home + $0 })) { $0.formUnion($1.layout.jsonPaths) }
    }
}
