// Refuses outputs that are also inputs, and two outputs in the same file, before any file is opened for writing.

internal import Foundation

/// The files that an ingest writes.
package struct OutputNames {
    /// The files of the sink.
    private let files: [String]
    /// The files beside it that the run writes, each with the option that names it.
    private let logs: [(path: String, option: IngestOption)]

    package init(
        _ files: [String], rejects: RejectsTarget? = nil, changes: ChangesTarget? = nil, metrics: String? = nil
    ) {
        self.files = files
        var logs: [(path: String, option: IngestOption)] = []
        if let path = rejects?.path { logs.append((path, .rejects(path))) }
        if let path = changes?.path { logs.append((path, .changes(path))) }
        if let metrics { logs.append((metrics, .metrics(metrics))) }
        self.logs = logs
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
        for (index, log) in logs.enumerated() {
            let identity = IngestInput.identity(ofFile: log.path)
            guard let other = logs[..<index].first(where: { IngestInput.identity(ofFile: $0.path) == identity }) else { continue }
            throw .usage("\(option: other.option) and \(option: log.option) are one file; name another file")
        }
        for (path, option) in logs {
            guard let identity = FileIdentity(path: path) else { continue }
            if let input = identity.input(in: inputs) {
                throw .usage("\(option: option) is an input too\(input == path ? "" : ", \(input)"); name another file")
            }
            if files.contains(where: { OutputNames.identity(of: $0) == identity }) {
                throw .usage("\(option: option) is a file of the output; name another file")
            }
            // A stream that is not in append mode would overwrite the first lines.
            if [STDOUT_FILENO, STDERR_FILENO].contains(where: { FileIdentity(descriptor: $0) == identity }) {
                throw .usage("\(option: option) is where standard output or standard error goes; name another file")
            }
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
                case .member(let member): FileIdentity(path: member.file.path)
                case .standardInput: FileIdentity(descriptor: STDIN_FILENO)
                case .source: nil
                }
            if identity == self { return input.name }
        }
        return nil
    }
}
