// Refuses outputs that are inputs too, or that are one file, before any file is opened for writing.

#if CommandLine
internal import Foundation

/// The files that an ingest writes.
struct OutputNames {
    private let database: String
    /// The file of rejected records, if there is one.
    private let rejects: String?

    init(_ options: Ingest.Options) {
        database = options.database
        rejects = options.rejects.flatMap { RejectedRecords.isFile($0) ? $0 : nil }
    }

    /// - Throws: ``CommandError/usage(_:)``.
    func check(against inputs: [IngestInput]) throws(CommandError) {
        if let input = FileIdentity(path: database).flatMap({ $0.input(in: inputs) }) {
            throw .usage("the database \(database) is an input too\(input == database ? "" : ", \(input)"); name another file")
        }
        guard let rejects, let identity = FileIdentity(path: rejects) else { return }
        if let input = identity.input(in: inputs) {
            throw .usage("--rejects \(rejects) is an input too\(input == rejects ? "" : ", \(input)"); name another file")
        }
        // SQLite keeps its log and its journal beside the database.
        if ["", "-wal", "-shm", "-journal"].contains(where: { FileIdentity(path: database + $0) == identity }) {
            throw .usage("--rejects \(rejects) is a file of the database; name another file")
        }
        // A stream that was not opened for appending would write over the first lines.
        if [STDOUT_FILENO, STDERR_FILENO].contains(where: { FileIdentity(descriptor: $0) == identity }) {
            throw .usage("--rejects \(rejects) is where standard output or standard error goes; name another file")
        }
    }
}

extension FileIdentity {
    /// The name of the input that is this file; nil if no input is.
    func input(in inputs: [IngestInput]) -> String? {
        for input in inputs {
            let identity: FileIdentity? =
                switch input {
                case .file(let path): FileIdentity(path: path)
                case .standardInput: FileIdentity(descriptor: STDIN_FILENO)
                case .source: nil
                }
            if identity == self { return input.name }
        }
        return nil
    }
}
#endif
