// The records of a feed by what became of them, and whether there are more.

/// How many records of a feed were given out, passed over and rejected.
///
/// They are stored in a property that is not public. So the compiler sees all uses, and needs no check for each access at run time.
struct RecordCounts {
    var accepted = 0
    var unmatched = 0
    var rejected = 0

    var total: Int { accepted + unmatched + rejected }
}

extension JSONFeed {
    /// Records given out so far.
    public var acceptedCount: Int { counts.accepted }
    /// Records so far that do not match ``Options/predicate``. They are neither accepted nor rejected.
    public var unmatchedCount: Int { counts.unmatched }
    /// Records that could not be read so far.
    public var rejectedCount: Int { counts.rejected }

    /// Whether all records of the feed have been given out: ``next()`` has returned nil, and more bytes would not change that.
    ///
    /// Of a feed that is pushed, nil alone only says that no whole record has come yet.
    public var isFinished: Bool { hasEnded }
}
