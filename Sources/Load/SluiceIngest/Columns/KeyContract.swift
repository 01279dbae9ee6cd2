// What happens to keys that no column reads.

/// What happens to a record with a value that no column reads: its key is unknown, or the value is not an object although columns
/// read an object's keys there. The names of the cases are dlt's.
public enum KeyContract: String, CaseIterable, Sendable, Codable {
    /// The value gets a column of its own.
    case evolve
    /// The value is left out, counted and named.
    case report
    /// The work ends with an error that names the key.
    case freeze
    /// The record is left out.
    case discardRow = "discard-row"
    /// The value is left out.
    case discardValue = "discard-value"
}

extension KeyContract {
    /// Whether values of keys without a column are lost, although no option asks for that.
    package func losesKeys(hasOverflow: Bool) -> Bool { self == .evolve || self == .report && !hasOverflow }
}
