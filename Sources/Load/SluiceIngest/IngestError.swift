// Errors that end an ingest. Most come before its work begins; errors of single records go into the report instead.

package import SluiceCore

/// Why an ingest, or another way through the records of feeds, could not do its work.
public enum IngestError: Error, Hashable, CustomStringConvertible {
    /// Options that contradict each other or the feed.
    case usage(IngestMessage)
    /// No columns were declared, and none could be found in the records.
    case noColumns(IngestMessage)
    /// The database cannot be opened or used.
    case database(IngestMessage)
    /// The database was locked by another process for too long, or until a signal came.
    case locked(IngestMessage)
    /// Another run reads an input, or has read it since this run looked.
    case outrun(IngestMessage)
    /// An input cannot be used.
    case input(IngestMessage)
    /// The file of rejected records cannot be written.
    case output(IngestMessage)
    /// A key appeared that the contract forbids.
    case frozen(IngestMessage)

    /// What went wrong.
    package var message: IngestMessage {
        switch self {
        case .usage(let text), .noColumns(let text), .database(let text), .locked(let text), .outrun(let text), .input(let text),
            .output(let text), .frozen(let text):
            text
        }
    }

    public var description: String { message.description }

    /// Whether another run reads an input, or has read it since this run looked.
    var isOutrun: Bool { if case .outrun = self { true } else { false } }

    /// The error of something kept from an earlier run that this version does not understand. To ignore it would store rows twice or
    /// lose lines.
    package static func unreadable(_ what: IngestMessage, remedy: IngestMessage) -> IngestError {
        .database("\(what) is damaged, or comes from another version of sluice: use that version, or \(remedy)")
    }

    /// The error of a folder that cannot be read.
    static func unreadable(folder: String, _ failure: FolderEntries.Failure) -> IngestError {
        .input("the folder \(folder) cannot be read: \(failure.reason)")
    }
}

extension JSONError {
    /// The description without the names of options that only a reader of models has.
    package var loaderText: String {
        // The text of the record stands on the lines after the first one.
        let lines = description.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let first = [" (maximumRecordSize)", " (maximumDepth)", " for conversions with nonFiniteStrings"].reduce(String(lines[0]))
        {
            $0.replacing($1, with: "", maxReplacements: 1)
        }
        return ([first] + lines.dropFirst().map(String.init)).joined(separator: "\n")
    }
}
