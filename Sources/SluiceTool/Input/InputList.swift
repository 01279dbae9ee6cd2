// The inputs of a command line: files, patterns, folders and standard input become a list of files.

#if CommandLine
internal import Foundation
internal import SluiceCore

/// Something that records are read from.
enum IngestInput {
    case file(String)
    case standardInput
    /// A source that cannot be opened again.
    case source(any ByteSource, totalBytes: Int?)

    /// Its name in reports.
    var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .source(let source, _): source.name
        }
    }

    /// What tells the input from others, where it can be read again: the file's path, without detours.
    var identity: String? {
        guard case .file(let path) = self, IngestInput.isRegularFile(path) else { return nil }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    /// What the checkpoints of the input are found by: a range of a file is an input of its own.
    func identity(of reading: FeedReading) -> String? {
        guard let range = reading.range else { return identity }
        return identity.map { "\($0)[\(range.text)]" }
    }

    var isRegularFile: Bool {
        guard case .file(let path) = self else { return false }
        return IngestInput.isRegularFile(path)
    }

    static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    // MARK: The command line

    /// What files of a folder end in, besides the endings of compression.
    private static let endings = ["json", "jsonl", "ndjson", "geojson"]

    /// The inputs that arguments mean: `-` is standard input, a folder is its files of JSON, and a pattern with `*`, `?` or `[` is the
    /// files that it matches.
    ///
    /// - Throws: ``CommandError`` if an argument means no file, or one is meant twice.
    static func list(_ arguments: [String]) throws(CommandError) -> [IngestInput] {
        var inputs: [IngestInput] = []
        var known: Set<String> = []
        for argument in arguments {
            for input in try IngestInput.inputs(of: argument) {
                let key = input.identity ?? input.name
                if argument == "-" && known.contains(key) { throw .usage("standard input is named twice") }
                if known.insert(key).inserted { inputs.append(input) }
            }
        }
        return inputs
    }

    private static func inputs(of argument: String) throws(CommandError) -> [IngestInput] {
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
        // Safe: glob gives as many paths as it says.
        return unsafe (0..<Int(result.gl_pathc)).compactMap { index in
            unsafe result.gl_pathv[index].map { unsafe String(cString: $0) }
        }
    }
}
#endif
