// What an ingest is asked to do.

#if CommandLine
internal import SluiceCore
internal import SluiceFeed

extension Ingest {
    /// What is done, and how.
    struct Options: Sendable {
        var database: String
        var table = "records"
        /// The declared columns; empty if they are to be found in the records.
        var columns: [Column] = []
        /// The types of single columns, by their names.
        var types: [TypeOption] = []
        /// How the inputs hold their records.
        var feed = FeedReading()
        /// Records that are looked at to find columns; -1 is all.
        var sample = 1_000
        /// Keys of one object beyond which it is no record but a dictionary, and goes into one column.
        var mapThreshold = 200
        /// Threads that read records, while one writes rows; with 1, it does both. Nil is two, where there is more than one processor
        /// and the input is not small.
        var workers: Int? = 1
        /// Rows in one transaction.
        var batch = 10_000
        var existing = ExistingTable.refuse
        /// The columns of the table's key; those that the table has if empty.
        var primaryKey: [String] = []
        var conflict = KeyConflict.reject
        /// What happens to keys that no column reads; nil is `evolve` where columns are found and `discard-value` where they are declared.
        var contract: KeyContract?
        /// The column that takes as JSON what no other column can take.
        var overflow: String?
        /// Whether each row holds the name of its input.
        var addsFileName = false
        /// Records after which to stop; nil is no limit.
        var limit: Int?
        /// Whether nothing is written.
        var isDryRun = false
        /// Where rejected records go: a table, or a file if the name has a dot or slash.
        var rejects: String?
        /// Rejected records beyond which to stop; nil is no limit.
        var maximumErrors: Int?
        /// The share of rejected records beyond which to stop; nil is no limit.
        var maximumErrorRatio: Double?
        /// Rejected records that the report shows with their reasons.
        var keptRejections = 5
        /// Whether what an earlier run has done is forgotten.
        var restarts = false
        /// Bytes that one record may have; a longer one is rejected.
        var maximumRecordSize = 64 << 20
        /// Bytes of the feed after which no further record is looked at to find columns: about what memory has room for.
        var maximumSampleSize = 8 << 20

        /// The contract that holds.
        var effectiveContract: KeyContract { contract ?? (columns.isEmpty ? .evolve : .discardValue) }

        /// Whether rows may be added to a table that is there.
        var addsToTable: Bool { existing != .refuse || conflict != .reject }

        /// What must be the same when a run is taken up again.
        var signature: String {
            let columns = columns.map { "\($0.name):\($0.type.name)=\($0.keys[0].components)" }
            let types = types.map { "\($0.column):\($0.type.name)" }
            return "\(columns) \(types) \(feed.path?.description ?? "automatic") \(addsFileName) \(overflow ?? "") "
                + (feed.filter?.text ?? "")
        }
    }
}
#endif
