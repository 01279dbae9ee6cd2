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
        /// Bytes that one record may have; more is an error of kind `sizeLimit`.
        public var maximumRecordSize = 64 << 20
        /// How many reasons of rejected records are kept.
        public var keptReasons = 10
        /// How each record is read.
        public var reading = JSONReader.Options()

        /// Automatic format, errors thrown, records of 64 MiB at the most.
        public init(
            format: JSONFeedFormat = .automatic, at path: JSONRecordPath? = nil, compression: JSONCompression = .automatic,
            invalidRecords: InvalidRecords = .throw, maximumRecordSize: Int = 64 << 20, keptReasons: Int = 10,
            reading: JSONReader.Options = .init()
        ) {
            self.format = format
            at = path
            self.compression = compression
            self.invalidRecords = invalidRecords
            self.maximumRecordSize = maximumRecordSize
            self.keptReasons = keptReasons
            self.reading = reading
        }

        func splitter(_ source: (any ByteSource)?) -> RecordSplitter {
            RecordSplitter(
                source: source, format: format, at: at, maximumRecordSize: maximumRecordSize, envelopeReading: reading)
        }

        /// For feeds from strangers: each record is read with ``JSONReader/Options/untrusted``, and has at most 1 MiB.
        public static var untrusted: Options { Options(maximumRecordSize: 1 << 20, reading: .untrusted) }
    }
}
