// What a feed is told before it reads.

public import SluiceCompression
public import SluiceCore

extension JSONFeed {
    /// What happens to a record that cannot be read.
    public enum InvalidRecords: Sendable, Hashable {
        /// ``JSONFeed/next()`` throws; the call after it goes on.
        case `throw`
        /// It is counted, and its reason kept among the first ones. A feed that ends too early is still an error.
        case skip
        /// The same, and its bytes are written down.
        case quarantine(JSONQuarantine)
    }

    /// How a feed is read.
    public struct Options: Sendable, Hashable {
        /// How records stand one behind the other.
        public var format = JSONFeedFormat.automatic
        /// Where the records stand inside the documents of the feed; nil, or the empty path, if they are the feed's own values.
        public var at: JSONRecordPath?
        /// How the bytes are compressed. What needs the package trait `Compression` is an error that says so without it.
        public var compression = JSONCompression.automatic
        /// What happens to a record that cannot be read.
        public var invalidRecords = InvalidRecords.throw
        /// Whether records are arrays under a first row of names: each is read as an object with these names.
        public var hasHeader = false
        /// Rejected records that a feed may have; one more ends it with an error of kind `tooManyErrors`. Nil for no limit.
        public var maximumErrors: Int?
        /// The part of all records that may be rejected, such as 0.01; more ends the feed with an error of kind `tooManyErrors`. It is
        /// looked at from 1,000 records on, and at the end. Nil for no limit.
        public var maximumErrorRatio: Double?
        /// Records that are given out at the most, which are those that match; behind them the feed is over, whatever follows. Nil for all.
        public var limit: Int?
        /// Which records are wanted; nil for all. The others are neither accepted nor rejected, and counted in
        /// ``JSONFeed/unmatchedCount``.
        ///
        /// A record is decided as soon as the keys that the predicate names have come, by the first value of each. Of one that does
        /// not match, nothing else is read: brackets and quotes must balance, or it is rejected like any damaged record, but what
        /// stands between them is not checked, and its unknown keys are not reported. With `validation: .full` in ``reading``,
        /// records that do not match are read and checked all the same.
        public var predicate: JSONPredicate<Record>?
        /// Bytes that one record may have; more is an error of kind `sizeLimit`.
        public var maximumRecordSize = 64 << 20
        /// How many rejected records are kept in ``JSONFeed/rejectedRecords``.
        public var keptReasons = 10
        /// How each record is read.
        public var reading = JSONReader.Options()

        /// Automatic format, errors thrown, records of 64 MiB at the most.
        public init(
            format: JSONFeedFormat = .automatic, at path: JSONRecordPath? = nil, compression: JSONCompression = .automatic,
            invalidRecords: InvalidRecords = .throw, maximumRecordSize: Int = 64 << 20, keptReasons: Int = 10,
            reading: JSONReader.Options = .init(), hasHeader: Bool = false, maximumErrors: Int? = nil,
            maximumErrorRatio: Double? = nil, limit: Int? = nil, where predicate: JSONPredicate<Record>? = nil
        ) {
            self.format = format
            at = path
            self.compression = compression
            self.invalidRecords = invalidRecords
            self.maximumRecordSize = maximumRecordSize
            self.keptReasons = keptReasons
            self.reading = reading
            self.hasHeader = hasHeader
            self.maximumErrors = maximumErrors
            self.maximumErrorRatio = maximumErrorRatio
            self.limit = limit
            self.predicate = predicate
        }

        /// Whether rejected records go to a quarantine.
        var writesRejectedBytes: Bool { if case .quarantine = invalidRecords { true } else { false } }

        func splitter(_ source: (any ByteSource)?) -> RecordSplitter {
            RecordSplitter(
                source: source, format: format, at: at, hasHeader: hasHeader, maximumRecordSize: maximumRecordSize,
                envelopeReading: reading)
        }

        /// For feeds from strangers: each record is read with `JSONReader.Options.untrusted`, and has at most 1 MiB.
        public static var untrusted: Options { Options(maximumRecordSize: 1 << 20, reading: .untrusted) }
    }
}
