// What a table was before a run: which path each of its columns takes, and which columns no run has filled.

internal import SluiceCore

/// A table before a run.
package struct TablePast: Sendable {
    /// The names of the columns that inferred paths have.
    private var names: [[[UInt8]]: String] = [:]
    /// These names, folded, and those of the columns below.
    private(set) var givenNames: Set<[UInt8]> = []
    /// The names of the columns for names of inputs, and for places.
    private(set) var madeNames: [IngestColumn.Source: String] = [:]
    /// The columns that runs have filled, by their folded names.
    private var columns: [[UInt8]: IngestColumn] = [:]
    /// The folded names of the others.
    private var others: Set<[UInt8]> = []

    package init() {}

    /// - Parameters:
    ///   - memory: What the table remembers.
    ///   - names: The names of all its columns.
    ///   - keepsNames: Whether paths keep the names of their columns.
    package init(_ memory: TableMemory, of names: [String], keepsNames: Bool) {
        for column in memory.layout.columns { columns[ColumnName.folded(column.name)] = column }
        others = Set(names.map(ColumnName.folded)).subtracting(columns.keys)
        guard keepsNames else { return }
        for column in memory.layout.columns {
            let isMade = column.source == .fileName || column.isOfPlace
            if isMade { madeNames[column.source] = column.name }
            if let path = column.path, !TablePast.isInferred(column.name, of: path) { continue }
            guard column.path != nil || isMade else { continue }
            if let path = column.path.map(ColumnName.bytes), self.names[path] == nil { self.names[path] = column.name }
            givenNames.insert(ColumnName.folded(column.name))
        }
    }

    /// Whether no option has chosen the name of a path's column. Where the names of two paths differ only in their case, one has a number;
    /// it has two, as `a_b_2_2`, where the first did not suffice among the columns of the table.
    private static func isInferred(_ name: String, of path: [String]) -> Bool {
        let plain = ColumnName.folded(TableLayout().freeName(like: path.joined(separator: "_")))
        let name = ColumnName.folded(name)
        guard name.starts(with: plain) else { return false }
        let numbers = name[plain.count...].split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        return numbers.first?.isEmpty == true
            && numbers.dropFirst().allSatisfy { number in
                !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
    }

    /// The name of the column that an inferred path has; nil if it has none.
    func name(of path: [String]) -> String? { names.isEmpty ? nil : names[ColumnName.bytes(path)] }

    /// Says in a column what the table remembers of it.
    func mark(_ column: inout IngestColumn, _ name: [UInt8]) {
        if let known = columns[name] {
            (column.isStored, column.isForeign) = (true, known.isForeign)
        } else if others.contains(name) {
            column.isForeign = true
        }
    }
}
