// The row of a column says by one of these types how a scalar becomes a cell.

/// The type of a scalar's cell, after the column's type has been found to accept scalars.
enum CellType: UInt8 {
    case integer, real, text, bool
    /// The text of a moment, in UTC.
    case date
    /// The text of a date without a time.
    case dayText
    /// Microseconds since 1970.
    case timestamp
    /// A real number; an integer only if a double holds all of its digits.
    case double
    /// An integer of 32 bits.
    case int32
    /// Days since 1970.
    case day
    /// The digits of a decimal number, without its point.
    case decimal
}
