// The positions in an array that have no row: their elements were rejected or left out, or the sink has refused their rows. A record that
// replaces the elements of its row leaves nothing of the earlier ones there.

internal import SluiceCore

extension RowBatch {
    /// The positions that have no row among the rows of a parent.
    ///
    /// - Parameters:
    ///   - rows: The rows of the parent, including those that are not stored.
    ///   - column: The column of the positions.
    ///   - count: How many elements the parent has.
    ///   - refused: The rows that the sink has refused.
    package func gaps(in rows: Range<Int>, column: Int, count: Int64, refused: Set<Int>) -> [Int64] {
        var stored: Set<Int64> = []
        for row in rows where !isLeftOut(row) && !refused.contains(row) {
            if let position = withRow(row, { $0.integer(at: column) }) { stored.insert(position) }
        }
        return (0..<max(0, count)).filter { !stored.contains($0) }
    }
}

extension RowCells {
    /// The integer of a column; nil if the row has none.
    package func integer(at column: Int) -> Int64? {
        for cell in cellIndices where self.column(cell) == column {
            if case .integer(let number) = value(cell) { return number }
        }
        return nil
    }
}
