// How far a run has come, and who is told.

/// How far an ingest has come.
public struct IngestProgress: Sendable {
    /// How many bytes of the inputs have been read.
    public let bytes: Int
    /// The size of all inputs in bytes; nil if it is unknown, as that of a pipe is.
    public let totalBytes: Int?
    /// How many records have been read, and how many of them were rejected.
    public let records: Int
    public let rejected: Int
    /// The time since the start of the run.
    public let nanoseconds: UInt64

    package init(bytes: Int, totalBytes: Int?, records: Int, rejected: Int, nanoseconds: UInt64) {
        self.bytes = bytes
        self.totalBytes = totalBytes
        self.records = records
        self.rejected = rejected
        self.nanoseconds = nanoseconds
    }

    /// The part of the inputs that has been read, from 0 to 1; nil if their size is unknown.
    public var fraction: Double? {
        guard let totalBytes, totalBytes > 0 else { return nil }
        return min(1, Double(bytes) / Double(totalBytes))
    }
}

/// Shows how far a run has come.
package protocol ProgressDisplay {
    /// Whether an update is due at this time (nanoseconds since the start); cheap enough to ask after every slice of records.
    func isDue(_ nanoseconds: UInt64) -> Bool
    mutating func show(_ progress: IngestProgress)
    /// Ends the display, when the work is done.
    mutating func clear()
    /// Ends the display of an ingest, which has come this far.
    mutating func end(_ progress: IngestProgress)
}

extension ProgressDisplay {
    package mutating func end(_ progress: IngestProgress) { clear() }
}
