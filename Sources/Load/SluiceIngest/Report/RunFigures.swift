// What operators watch of a run. The figures are taken after each commit and at the end, and only if somebody watches. They are the report so
// far, and what only operators want. Each form is made of them: Prometheus' text and swift-metrics of their series (RunFigures+Series.swift),
// log events and lines of JSON of the figures themselves.

/// The figures of a run after a commit, or at its end.
package struct RunFigures: Sendable {
    /// An input of the run that is a file.
    package struct Input: Sendable {
        /// Its name in reports.
        package let name: String
        /// What the file has after what was read of it.
        package var rest = FileRest.unknown
    }

    /// What the rows that this run has stored have in a column.
    package struct Column: Sendable {
        /// The names of its table and of the column, as reports show them: several columns inside a sensitive value have one name.
        package let table: String
        package let name: String
        package var values = 0
        package var nulls = 0
        /// Values of another type than that of the column.
        package var offType = 0
    }

    /// The report so far; at the end, the report.
    package internal(set) var report: IngestReport
    /// OpenTelemetry's name for the kind of database; nil for a sink that is no database.
    package let system: String?
    package internal(set) var isEnd = false
    /// Why a run that follows logs cannot go on for now; nil otherwise.
    package internal(set) var pause: String?
    /// The inputs that are files, in the order in which they are read.
    package internal(set) var inputs: [Input] = []
    /// The columns of the table, and of the child tables.
    package internal(set) var columns: [Column] = []
    /// Rows that the tables have refused, by the names of the tables. Their records or elements count as rejected.
    package internal(set) var refused: [String: Int] = [:]
    /// Rejected records, documents and elements, by the kind of the error.
    package internal(set) var rejections: [String: Int] = [:]
    /// The rejections of the last commit, as many as ``mostRejections``, and how many there were.
    package internal(set) var lastRejections: [RejectedRecord] = []
    package internal(set) var lastRejectionCount = 0
    package internal(set) var commits = 0
    /// How long the last commit took, with the storing of its rows.
    package internal(set) var commitNanoseconds: UInt64 = 0
    /// When it ended, in seconds since 1970: before the first one, when the last one of an earlier run ended; 0 if that is unknown.
    package internal(set) var commitTime = 0.0

    /// How many rejections of a commit are kept: a damaged feed must not flood a log.
    package static let mostRejections = 10

    package init(_ report: IngestReport, system: String?) { (self.report, self.system) = (report, system) }

    /// How many bytes of all inputs are behind what was read of them; nil if that is unknown of one.
    package var behind: Int? {
        inputs.reduce(0) { sum, input in
            guard let sum, let count = input.rest.count else { return nil }
            return sum + count
        }
    }
}
