// The options of an ingest.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed

extension Ingest {
    /// What to ingest, and how.
    struct Options: Sendable {
        /// The declared columns; empty if they are to be inferred from the records.
        var columns: [Column] = []
        /// The types that `--type` gives to single inferred columns.
        var types: [TypeOption] = []
        /// How the inputs hold their records.
        var feed = FeedReading()
        /// How many records are sampled to infer columns; -1 is all.
        var sample = 1_000
        /// An inferred object with more keys than this, whose values are of one kind, is a dictionary and goes into one JSON
        /// column.
        var mapThreshold = 200
        /// How many threads read records while one more writes rows; with 1, one thread does both. Nil is two, if there is more
        /// than one processor and the input is not small.
        var workers: Int? = 1
        /// How many rows make one transaction.
        var batch = 10_000
        var existing = ExistingTable.refuse
        /// The columns of the table's key; if empty, the key that the table has.
        var primaryKey: [String] = []
        var conflict = KeyConflict.reject
        /// What happens to keys that no column reads. Nil is `evolve` for inferred columns and `discard-value` for declared ones.
        var contract: KeyContract?
        /// The name of a column that collects, as JSON, the values that no other column takes.
        var overflow: String?
        /// The columns whose values reports and rejections must not show, by name or by path.
        var sensitive: [String] = []
        /// Whether each row gets the name of its input.
        var addsFileName = false
        /// Stop after this many records; nil is no limit.
        var limit: Int?
        /// Whether to write nothing.
        var isDryRun = false
        /// Where rejected records go: a table, or a file if the name contains a dot or slash.
        var rejects: String?
        /// Stop when more records than this are rejected; nil is no limit.
        var maximumErrors: Int?
        /// Stop when a larger share of the records than this is rejected, from 0 to 1; nil is no limit.
        var maximumErrorRatio: Double?
        /// How many rejected records the report shows with their reasons.
        var keptRejections = 5
        /// Whether to ignore what earlier runs have read, and start from the beginning.
        var restarts = false
        /// Whether to wait for another run that reads the same input, and go on where it ends.
        var waits = false
        /// The most bytes that a record may have; a longer one is rejected.
        var maximumRecordSize = 64 << 20
        /// After this many bytes of the feed, no further record is sampled to infer columns. The sample of a pipe is kept in memory.
        var maximumSampleSize = 8 << 20

        /// The contract in force: the chosen one, or the default.
        var effectiveContract: KeyContract { contract ?? (columns.isEmpty ? .evolve : .discardValue) }

        /// Whether the rows of an existing table are deleted.
        var emptiesTable: Bool { existing == .drop || existing == .truncate }

        /// Whether rows may be added to an existing table.
        var addsToTable: Bool { existing != .refuse || conflict != .reject }

        /// The options that must not change when a run is resumed, as text.
        var signature: String {
            let columns = columns.map { "\($0.name):\($0.type.name)=\($0.keys[0].components)" }
            let types = types.map { "\($0.column):\($0.type.name)" }
            return "\(columns) \(types) \(feed.path?.description ?? "automatic") \(addsFileName) \(overflow ?? "") "
                + (feed.filter?.text ?? "")
        }
    }
}
#endif
