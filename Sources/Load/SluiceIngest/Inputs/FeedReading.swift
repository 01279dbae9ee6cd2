// How an input holds its records.

package import SluiceCompression
package import SluiceCore
package import SluiceFeed

/// Whether the documents of a run may lack the path at which their records are: see ``Ingest/at(_:optional:)``.
public enum OptionalPath: String, Sendable, Hashable, Codable, ExpressibleByBooleanLiteral {
    /// A document without the path is rejected.
    case no
    /// It has no records. But it may have lacked them by mistake, so after one ``Ingest/missing(_:)`` removes and marks no rows.
    case yes
    /// It has no records, as if they were an empty array.
    case empty

    public init(booleanLiteral value: Bool) { self = value ? .yes : .no }
}

/// How the feed of an input is to be read.
package struct FeedReading: Sendable {
    package var format = JSONFeedFormat.automatic
    /// Where records are in the documents; nil if `--at` is not given.
    package var path: JSONRecordPath?
    /// Whether documents may lack that path.
    package var optional = OptionalPath.no
    package var compression = JSONCompression.automatic
    /// Whether records are arrays of values, and the first array holds the names.
    package var hasHeader = false
    /// How records that are not whole by themselves become objects; nil if they do not.
    package var wrapping: RecordWrapping?
    /// The range of the file's bytes to read records from; nil for the whole file.
    package var range: Range<Int>?
    /// The condition that records must match; nil for all records.
    package var filter: WhereClause?
    /// The values that errors and reports must not show.
    package var sensitive = SensitivePaths()
    package init(
        format: JSONFeedFormat = .automatic, path: JSONRecordPath? = nil, compression: JSONCompression = .automatic,
        hasHeader: Bool = false, range: Range<Int>? = nil, filter: WhereClause? = nil,
        sensitive: SensitivePaths = SensitivePaths()
    ) {
        self.format = format
        self.path = path
        self.compression = compression
        self.hasHeader = hasHeader
        self.range = range
        self.filter = filter
        self.sensitive = sensitive
    }

    /// Whether records become objects that are not in the feed.
    package var makesObjects: Bool { hasHeader || wrapping != nil }

    /// Whether errors must not show the text of records. Damaged text may be a sensitive value at any position.
    package var hidesText: Bool { !sensitive.isEmpty }

    /// Whether a run fails if no document has the path.
    package var requiresPath: Bool { path?.isEmpty == false && optional == .no }
}

extension Range<Int> {
    /// The range in the form that `--range` takes.
    package var text: String { "\(lowerBound):\(upperBound == .max ? "" : "\(upperBound)")" }
}
