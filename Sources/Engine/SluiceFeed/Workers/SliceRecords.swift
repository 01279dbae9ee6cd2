// The records of a slice as a worker has read them, with everything that the feed counts and reports about them.

internal import SluiceCore

/// The outcome of a record of a slice, or of several consecutive records that do not match. There is one for each record, so it
/// only has numbers; details that few records have are in separate lists.
struct RecordOutcome {
    enum Kind: Equatable {
        case accepted
        /// The records do not match.
        case unmatched
        /// The record is rejected; the index of the error in the slice.
        case rejected(error: Int)
        /// The feed ends with an error; its index in the slice.
        case failed(error: Int)
    }

    /// What is known of a record besides.
    struct Details: Sendable {
        /// What was left out of the record, with positions in the feed; nil if nothing was.
        var report: JSONReadReport?
        /// Counts per property of the record, if they are wanted.
        var propertyCounts: PropertyCounts?
    }

    var kind = Kind.accepted
    /// How many records this covers: more than one only if they do not match. It is then about the last of them.
    var recordCount = 1
    /// The record's byte range in the feed.
    var range: Range<Int>
    /// The position where the record starts.
    var start: SourcePosition
    /// The position after the record: the feed has been used up to here.
    var end: SourcePosition
    /// The record's number among the entries of the slice; nil in a slice of lines.
    var entry: Int?
    /// The index of its details in the slice; nil if it has none.
    var details: Int?
}

/// A slice as a worker has read it.
struct SliceRecords<Record>: Sendable {
    let slice: FeedSlice
    /// The records that were accepted.
    let records: RecordBuffer<Record?>
    var outcomes: [RecordOutcome] = []
    var errors: [JSONError] = []
    var details: [RecordOutcome.Details] = []

    init(_ slice: FeedSlice, capacity: Int) {
        self.slice = slice
        records = RecordBuffer(capacity: capacity)
        outcomes.reserveCapacity(capacity)
    }

    /// The entry of a record; nil in a slice of lines, where its position is enough.
    func entry(of outcome: RecordOutcome) -> FeedSlice.Entry? {
        guard let entries = slice.entries, let index = outcome.entry else { return nil }
        return entries[index]
    }
}
