// Turns the arguments of a command line (files, patterns, folders and standard input) into a list of inputs.

internal import Foundation
package import SluiceCore
internal import SluiceFeed

/// An input whose records are read.
package enum IngestInput {
    case file(String)
    case standardInput
    /// A source that cannot be opened twice.
    case source(any ByteSource, totalBytes: Int?)

    /// A file, or standard input for `-`.
    package init(_ path: String) { self = path == "-" ? .standardInput : .file(path) }

    /// The input's name in reports.
    package var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .source(let source, _): source.name
        }
    }

    /// Identifies an input that can be read again: the absolute path of a regular file, with symbolic links resolved. Nil for
    /// other inputs.
    package var identity: String? {
        guard case .file(let path) = self, IngestInput.isRegularFile(path) else { return nil }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// Identifies the input's checkpoints: a range of a file counts as an input of its own.
    package func identity(of reading: FeedReading) -> String? {
        guard let range = reading.range else { return identity }
        return identity.map { "\($0)[\(range.text)]" }
    }

    package var isRegularFile: Bool {
        guard case .file(let path) = self else { return false }
        return IngestInput.isRegularFile(path)
    }

    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Opens the input to see that this is possible. A pipe or device is not opened: that might wait for its writer.
    ///
    /// - Throws: ``JSONError`` of kind `inputOutput`.
    package func checkThatItOpens() throws(JSONError) {
        guard case .file(let path) = self else { return }
        var status = stat()
        guard unsafe stat(path, &status) != 0 || [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
        _ = try OpenFile(path: path)
    }

    // MARK: The command line

    /// The file name endings that are read in a folder; an ending of compression may follow.
    private static let endings = ["json", "jsonl", "ndjson", "geojson"]

    /// The inputs that arguments name: `-` is standard input, a folder stands for its JSON files, and a pattern with `*`, `?` or
    /// `[` for the files that it matches. A file that is named twice is listed once, also if its names are hard links.
    ///
    /// - Throws: ``IngestError`` if a folder or pattern has no files, or standard input is named twice.
    package static func list(_ arguments: [String]) throws(IngestError) -> [IngestInput] {
        var inputs: [IngestInput] = []
        var known: Set<String> = []
        var files: Set<FileIdentity> = []
        for argument in arguments {
            for input in try IngestInput.inputs(of: argument) {
                let key = input.identity ?? input.name
                if argument == "-" && known.contains(key) { throw .usage("standard input is named twice") }
                guard known.insert(key).inserted else { continue }
                if case .file(let path) = input, let file = FileIdentity(path: path), !files.insert(file).inserted { continue }
                inputs.append(input)
            }
        }
        return inputs
    }

    private static func inputs(of argument: String) throws(IngestError) -> [IngestInput] {
        if argument == "-" { return [.standardInput] }
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) {
            guard isFolder.boolValue else { return [.file(argument)] }
            let files = files(in: argument)
            guard !files.isEmpty else {
                throw .input(
                    "the folder \(argument) has no file that ends in \(endings.map { "." + $0 }.joined(separator: ", "))")
            }
            return files.map { .file($0) }
        }
        guard argument.contains(where: { "*?[".contains($0) }) else { return [.file(argument)] }
        let matches = matches(of: argument)
        guard !matches.isEmpty else { throw .input("no file matches \(argument)") }
        return matches.map { .file($0) }
    }

    private static func files(in folder: String) -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.sorted().filter { path in
            let name = path.split(separator: "/").last.map(String.init) ?? path
            var parts = name.split(separator: ".").dropFirst().map { $0.lowercased() }
            if let last = parts.last, ["gz", "zst"].contains(last) { parts.removeLast() }
            return !name.hasPrefix(".") && parts.last.map(endings.contains) == true
        }.map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }.filter(isRegularFile)
    }

    private static func matches(of pattern: String) -> [String] {
        var result = unsafe glob_t()
        defer { unsafe globfree(&result) }
        guard unsafe glob(pattern, 0, nil, &result) == 0 else { return [] }
        // Safe: `gl_pathc` is the number of paths that glob has stored.
        return unsafe (0..<Int(result.gl_pathc)).compactMap { index in
            unsafe result.gl_pathv[index].map { unsafe String(cString: $0) }
        }
    }
}
