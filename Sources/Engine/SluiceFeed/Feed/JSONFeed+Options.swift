// The options of a feed.

public import SluiceCompression
public import SluiceCore
public import SluiceSchema

extension JSONFeed {
    /// What happens to a record that cannot be read.
    public enum InvalidRecords: Sendable {
        /// ``JSONFeed/next()`` throws its error; the call after that continues with the next record.
        case `throw`
        /// The record is skipped and counted; the first ``JSONFeed/Options/keptReasons`` are kept with their errors. A feed that ends
        /// too early still throws.
        case skip
        /// The record is skipped as with `skip`, and its bytes are written to the file of rejects.
        case rejects(JSONRejects)
    }

    /// How a feed is read.
    public struct Options: Sendable {
        /// The layout of the feed, that is, how its records follow each other.
        public var format = JSONFeedFormat.automatic
        /// The path to the records inside the documents of the feed; nil, or the empty path, if the feed's values are the records.
        ///
        /// A document without this path is rejected with an error of kind `missingKeys`. If no document has it, a feed that skips rejected
        /// records ends with that error.
        public var at: JSONRecordPath?
        /// Whether documents may lack the path ``at``: they then have no records, and that is no error.
        ///
        /// ```swift
        /// let pages = try JSONFeed<Item>(path: "pages.ndjson", options: .init(at: "data.items", atOptional: true))
        /// ```
        public var atOptional = false
        /// How the bytes are compressed. Without the package trait `Compression`, reading a format that needs it throws an error that
        /// says so.
        public var compression = JSONCompression.automatic
        /// What happens to a record that cannot be read.
        public var invalidRecords = InvalidRecords.throw
        /// Whether the first record is an array of names, and the others are arrays of values: each is read as an object with these
        /// names. In a range of a file, the names are those of the file's first record.
        public var hasHeader = false
        /// How many records may be rejected; one more ends the feed with an error of kind `tooManyErrors`. Nil for no limit.
        public var maximumErrors: Int?
        /// The share of all records that may be rejected, such as 0.01; more ends the feed with an error of kind `tooManyErrors`. It is
        /// checked after each rejected record from 1,000 records on, and at the end. Nil for no limit.
        public var maximumErrorRatio: Double?
        /// How many records ``JSONFeed/next()`` returns at most; records that do not match the predicate do not count. After them the
        /// feed is over, whatever follows. Nil for all.
        public var limit: Int?
        /// Which records are wanted; nil for all. The others are neither accepted nor rejected; they are counted in
        /// ``JSONFeed/unmatchedCount``.
        ///
        /// A record is decided as soon as all keys that the predicate names have been seen; if a key occurs twice, its first value counts.
        /// The rest of a record that does not match is not parsed. Its brackets and quotes must balance, or it is rejected like any
        /// damaged record, but the text between them is not checked, and its unknown keys are not reported. With `validation: .full` in
        /// ``reading``, records that do not match are parsed and checked, too.
        public var predicate: JSONPredicate<Record>?
        /// How many bytes one record may have; a longer one is rejected with an error of kind `sizeLimit`.
        public var maximumRecordSize = 64 << 20
        /// How many rejected records ``JSONFeed/rejectedRecords`` keeps, from the first on.
        public var keptReasons = 10
        /// How each record is read.
        public var reading = JSONReader.Options()
        /// The schema that each record must fit; nil for none. A record that does not fit is rejected with an error of kind `constraint`, which
        /// has the keyword, the place in the schema and the position in the feed.
        public var schema: JSONSchema? {
            get { reading.schema }
            set { reading.schema = newValue }
        }
        /// Whether a feed that skips rejected records fails if no document has the path ``at``.
        package var requiresPath = true
        /// Whether errors must not show the text of records, whatever the records' type says.
        package var hidesText = false

        /// By default: automatic format, errors thrown, records of at most 64 MiB.
        public init(
            format: JSONFeedFormat = .automatic, at path: JSONRecordPath? = nil, atOptional: Bool = false,
            compression: JSONCompression = .automatic,
            invalidRecords: InvalidRecords = .throw, maximumRecordSize: Int = 64 << 20, keptReasons: Int = 10,
            reading: JSONReader.Options = .init(), hasHeader: Bool = false, maximumErrors: Int? = nil,
            maximumErrorRatio: Double? = nil, limit: Int? = nil, schema: JSONSchema? = nil,
            where predicate: JSONPredicate<Record>? = nil
        ) {
            self.format = format
            at = path
            self.atOptional = atOptional
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
            if let schema { self.schema = schema }
        }

        /// Whether rejected records go to a file of rejects.
        var writesRejectedBytes: Bool { if case .rejects = invalidRecords { true } else { false } }

        /// Whether errors must not show the text of records: the options or the records' type say so.
        var hidesRecords: Bool { hidesText || Record.holdsSensitive }

        func splitter(_ source: (any ByteSource)?) -> RecordSplitter {
            var splitter = RecordSplitter(
                source: source, format: format, at: at, isPathOptional: atOptional, hasHeader: hasHeader,
                maximumRecordSize: maximumRecordSize, envelopeReading: reading)
            if hidesRecords { splitter.hideText() }
            // A caller who gets each error knows what is wrong.
            if case .throw = invalidRecords {} else { splitter.requiresPath = requiresPath }
            return splitter
        }

        /// A reader of records.
        func reader() -> JSONReader {
            let reader = JSONReader(options: reading)
            reader.hidesText = hidesText
            return reader
        }

        /// For feeds from sources that you do not trust: each record is read with `JSONReader.Options.untrusted` and has at most 1 MiB.
        public static var untrusted: Options { Options(maximumRecordSize: 1 << 20, reading: .untrusted) }
    }
}
