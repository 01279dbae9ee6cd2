// Where rejected records go.

/// Where the rejected records of an ingest go.
public enum RejectsTarget: Sendable, Hashable {
    /// A table beside the rows, if the sink has tables.
    case table(String)
    /// A file of NDJSON, to which each rejection is added.
    case file(path: String)

    /// A target as the command line names it: a name with a dot or slash is a file.
    package init(_ text: String) { self = text.namesFile ? .file(path: text) : .table(text) }

    /// The name of the table, or the path of the file.
    package var name: String {
        switch self {
        case .table(let name), .file(let name): name
        }
    }

    /// The path, if it is a file.
    package var path: String? { if case .file(let path) = self { path } else { nil } }
}
