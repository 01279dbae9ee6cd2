// Errors that end an ingest. Most come before its work begins; errors of single records go into the report instead.

/// Why an ingest, or another way through the records of feeds, could not do its work.
public enum IngestError: Error, Hashable, CustomStringConvertible {
    /// Options that contradict each other or the feed.
    case usage(String)
    /// No columns were declared, and none could be found in the records.
    case noColumns(String)
    /// The database cannot be opened or used.
    case database(String)
    /// The database was locked by another process for too long, or until a signal came.
    case locked(String)
    /// Another run reads an input, or has read it since this run looked.
    case outrun(String)
    /// An input cannot be used.
    case input(String)
    /// The file of rejected records cannot be written.
    case output(String)
    /// A key appeared that the contract forbids.
    case frozen(String)

    public var description: String {
        switch self {
        case .usage(let text), .noColumns(let text), .database(let text), .locked(let text), .outrun(let text), .input(let text),
            .output(let text), .frozen(let text):
            text
        }
    }
}
