// Counts the values that have lost digits, because the type of their column keeps fewer.

/// How many values of records are not in their columns as they were.
package struct CellLosses: Sendable {
    /// Moments with digits below the microseconds.
    package var fractions = 0
    /// Numbers with more digits than a double keeps.
    package var digits = 0

    /// Adds what another record has lost.
    mutating func add(_ other: CellLosses) {
        fractions &+= other.fractions
        digits &+= other.digits
    }
}
