// How many records of a feed were accepted, skipped and rejected, and whether the feed is over.

/// How many records of a feed were accepted, skipped and rejected.
///
/// The feed stores them in a property that is not public: the compiler sees all its uses, and leaves out the check of each access at run
/// time.
struct RecordCounts {
    var accepted = 0
    var unmatched = 0
    var rejected = 0

    var total: Int { accepted + unmatched + rejected }
}

extension JSONFeed {
    /// How many records have been returned so far.
    public var acceptedCount: Int { counts.accepted }
    /// How many records so far do not match ``Options/predicate``. They are neither accepted nor rejected.
    public var unmatchedCount: Int { counts.unmatched }
    /// How many records could not be read so far.
    public var rejectedCount: Int { counts.rejected }

    /// Whether the feed is over: ``next()`` has returned nil, and always will. In a ``JSONFeedParser`` nil alone only means that no
    /// whole record has arrived yet.
    public var isFinished: Bool { hasEnded }
}
