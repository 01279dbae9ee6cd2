// Refuses outputs that are inputs too, or that are one file, before any file is opened for writing.

internal import Foundation

/// The files that an ingest writes.
package struct OutputNames {
    /// The files of the sink.
    private let files: [String]
    /// The file of rejected records, if there is one.
    private let rejects: String?

    package init(_ files: [String], rejects: RejectsTarget? = nil) {
        self.files = files
        self.rejects = rejects?.path
    }

    /// The identity of a file of the sink; `-` is standard output.
    private static func identity(of file: String) -> FileIdentity? {
        file == "-" ? FileIdentity(descriptor: STDOUT_FILENO) : FileIdentity(path: file)
    }

    /// - Throws: ``IngestError/usage(_:)``.
    package func check(against inputs: [IngestInput]) throws(IngestError) {
        for file in files {
            guard let input = OutputNames.identity(of: file).flatMap({ $0.input(in: inputs) }) else { continue }
            let name = file == "-" ? "standard output" : "the output \(file)"
            throw .usage("\(name) is an input too\(input == file ? "" : ", \(input)"); name another file")
        }
        guard let rejects, let identity = FileIdentity(path: rejects) else { return }
        if let input = identity.input(in: inputs) {
            throw .usage("\(option: .rejects(rejects)) is an input too\(input == rejects ? "" : ", \(input)"); name another file")
        }
        if files.contains(where: { OutputNames.identity(of: $0) == identity }) {
            throw .usage("\(option: .rejects(rejects)) is a file of the output; name another file")
        }
        // A stream that was not opened for appending would write over the first lines.
        if [STDOUT_FILENO, STDERR_FILENO].contains(where: { FileIdentity(descriptor: $0) == identity }) {
            throw .usage("\(option: .rejects(rejects)) is where standard output or standard error goes; name another file")
        }
    }
}

extension FileIdentity {
    /// The name of the input that is this file; nil if no input is.
    package func input(in inputs: [IngestInput]) -> String? {
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
