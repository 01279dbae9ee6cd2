// How many rows of a table have a value in each column. Nobody counts them unless somebody watches the run.

/// Counts of rows that were stored, and of their values.
package struct ValueCounts: Hashable, Sendable {
    package var rows = 0
    /// For each column, how many rows have a value that is not null; shorter if the last columns have none.
    private var values: [Int] = []

    package init() {}

    /// Counts a value.
    package mutating func note(_ column: Int) {
        guard column >= 0 else { return }
        while values.count <= column { values.append(0) }
        values[column] += 1
    }

    /// How many rows have a value in a column.
    package func values(of column: Int) -> Int { column < values.count ? values[column] : 0 }

    /// How many rows are null there, because the record says so or lacks the key.
    package func nulls(of column: Int) -> Int { rows - values(of: column) }
}
