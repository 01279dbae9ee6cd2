// Turns the arguments of a command line (files, patterns, folders and standard input) into a list of inputs.

internal import Foundation
package import SluiceCore
internal import SluiceFeed

/// An input whose records are read.
package enum IngestInput {
    case file(String)
    case standardInput
    /// A file of a rotated log, which is known by its text.
    case member(LogMember)
    /// A source that cannot be opened twice.
    case source(any ByteSource, totalBytes: Int?)

    /// A file, or standard input for `-`.
    package init(_ path: String) { self = path == "-" ? .standardInput : .file(path) }

    /// The input's name in reports.
    package var name: String {
        switch self {
        case .file(let path): path
        case .member(let member): member.file.path
        case .standardInput: "standard input"
        case .source(let source, _): source.name
        }
    }

    /// Identifies an input that can be read again: the absolute path of a regular file, with symbolic links resolved, or the number of
    /// its text among those of a rotated log. Nil for other inputs.
    package var identity: String? {
        if case .member(let member) = self { return member.identity }
        guard case .file(let path) = self, IngestInput.isRegularFile(path) else { return nil }
        return IngestInput.identity(ofFile: path)
    }

    /// The absolute path of a file, with symbolic links resolved, which is equal to another one only if both name the same file.
    ///
    /// To Swift, both Unicode spellings of é are one string, and on Linux they are the names of two files. So a path that is not composed
    /// (NFC) has the bytes of its other letters as `%CC%81`, and each `%` is `%25`.
    package static func identity(ofFile path: String) -> String {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        #if os(Linux)
        let isComposed = path.utf8.elementsEqual(path.precomposedStringWithCanonicalMapping.utf8)
        let percent = UInt8(ascii: "%")
        guard !isComposed || path.utf8.contains(percent) else { return path }
        let bytes = path.utf8.flatMap { byte -> [UInt8] in
            guard byte == percent || byte >= 0x80 && !isComposed else { return [byte] }
            return Array("%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
        #else
        // The file systems of macOS take both spellings for one name.
        return path
        #endif
    }

    /// The path of the file that an ``identity(ofFile:)`` is of, or that of the log that it is a text of.
    package static func path(ofIdentity identity: String) -> String {
        let path = identity.ranges(of: FamilyName.mark).last.map { String(identity[..<$0.lowerBound]) } ?? identity
        #if os(Linux)
        return path.removingPercentEncoding ?? path
        #else
        return path
        #endif
    }

    /// Identifies the input's checkpoints: a range of a file counts as an input of its own.
    package func identity(of reading: FeedReading) -> String? {
        guard let range = reading.range else { return identity }
        return identity.map { "\($0)[\(range.text)]" }
    }

    /// What the places of records name: what identifies the input, but the path of a file of a rotated log.
    package func origin(of reading: FeedReading) -> String? {
        if case .member(let member) = self { return IngestInput.identity(ofFile: member.file.path) }
        return identity(of: reading)
    }

    /// Whether it is a file of a rotated log.
    package var isMember: Bool { if case .member = self { true } else { false } }

    /// Whether another file has the name by now; or the file has changed since the look, which has taken its last line for complete.
    package var isMoved: Bool {
        guard case .member(let member) = self else { return false }
        return FileStamp(path: member.openPath).map {
            member.isEnded ? !$0.isUnchanged(since: member.file) : !$0.isSameFile(as: member.file)
        } ?? true
    }

    /// Whether anything about the file has changed since the look.
    package var hasChanged: Bool {
        guard case .member(let member) = self else { return false }
        return FileStamp(path: member.openPath).map { !$0.isUnchanged(since: member.file) } ?? true
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
    /// - Parameters:
    ///   - areRotated: Whether the files of folders may have names such as `app.ndjson.1`.
    ///   - mayBeEmpty: Whether a folder or pattern may have no files.
    ///   - passedOver: Gets the other files of the folders.
    /// - Throws: ``IngestError`` if a folder or pattern has no files, or standard input is named twice.
    package static func list(
        _ arguments: [String], areRotated: Bool = false, mayBeEmpty: Bool = false, passedOver: inout [FolderRest]
    ) throws(IngestError) -> [IngestInput] {
        var inputs: [IngestInput] = []
        var known: Set<String> = []
        var files: Set<FileIdentity> = []
        for argument in arguments {
            for input in try IngestInput.inputs(of: argument, areRotated, mayBeEmpty, &passedOver) {
                let isNew: Bool
                if case .file(let path) = input, let file = FileIdentity(path: path) {
                    isNew = files.insert(file).inserted
                } else {
                    isNew = known.insert(input.name).inserted
                    if argument == "-" && !isNew { throw .usage("standard input is named twice") }
                }
                if isNew { inputs.append(input) }
            }
        }
        return inputs
    }

    /// The files of a folder whose names do not end as those of JSON files.
    package struct FolderRest {
        let folder: String
        var files: [String] = []

        /// What the report says of them, if they are no files of an output; nil if there are none.
        package func note(besides outputs: [String]) -> String? {
            func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
            let own = outputs.filter { $0 != "-" }.map(absolute)
            let others = files.filter { file in
                let file = absolute(file)
                return !own.contains { file.hasPrefix($0) }
            }.sorted()
            guard let first = others.first else { return nil }
            let names = others.prefix(3).joined(separator: ", ")
            return "the folder \(folder) has \(counted(others.count, "other file")), not read: \(names)"
                + "\(others.count > 3 ? " and others" : ""); a pattern such as '\(first[..<(first.lastIndex(of: "/") ?? first.startIndex)])/*' reads "
                + "files of any name"
        }
    }

    private static func inputs(
        of argument: String, _ areRotated: Bool, _ mayBeEmpty: Bool, _ passedOver: inout [FolderRest]
    ) throws(IngestError) -> [IngestInput] {
        if argument == "-" { return [.standardInput] }
        try InputHint.check([argument])
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) {
            guard isFolder.boolValue else { return [.file(argument)] }
            var rest = FolderRest(folder: argument)
            let files = try files(in: argument, areRotated, &rest)
            guard !files.isEmpty || mayBeEmpty else {
                let other = rest.note(besides: []).map { "; \($0)" } ?? ""
                throw .input(
                    "the folder \(argument) has no file that ends in \(endings.map { "." + $0 }.joined(separator: ", "))\(other)")
            }
            passedOver.append(rest)
            return files.map { .file($0) }
        }
        guard hasWildcard(argument) else { return [.file(argument)] }
        let matches = matches(of: argument)
        guard !matches.isEmpty || mayBeEmpty else { throw .input("no file matches \(argument)") }
        return matches.map { .file($0) }
    }

    /// The JSON files of a folder and its sub-folders, sorted. Links to folders are not followed.
    ///
    /// - Throws: ``IngestError`` if a folder cannot be read, or a file cannot be named or is not there. FileManager would leave such files
    ///   out without a word.
    ///
    /// - Parameter rest: Gets the other files, without those that are hidden.
    private static func files(
        in folder: String, _ areRotated: Bool, _ rest: inout FolderRest
    ) throws(IngestError) -> [String] {
        let entries: [FolderEntries.Entry]
        do throws(FolderEntries.Failure) { entries = try FolderEntries.read(folder) } catch {
            throw .unreadable(folder: folder, error)
        }
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        var found: [String] = []
        var folders: [String] = []
        for entry in entries {
            let name = String(decoding: entry.bytes, as: UTF8.self)
            let path = start + name
            var status = stat()
            // The bytes themselves, because a name may not be UTF-8.
            let isThere = unsafe lstat((Array(start.utf8) + entry.bytes + [0]).map { CChar(bitPattern: $0) }, &status) == 0
            guard isThere else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            guard isFolder || (areRotated ? isRotatedJSON(name) : isJSON(name)) else {
                if !name.hasPrefix("."), isRegularFile(path) { rest.files.append(path) }
                continue
            }
            guard entry.name != nil else {
                throw .input(
                    "the folder \(folder) has a \(isFolder ? "folder" : "file") whose name is not UTF-8: \(name); rename it")
            }
            if isFolder {
                folders.append(path)
            } else if isRegularFile(path) {
                found.append(path)
            } else if status.st_mode & S_IFMT == S_IFLNK, unsafe stat(path, &status) != 0 {
                throw .input("\(path) is a link to a file that is not there")
            }
        }
        for inner in folders { found += try files(in: inner, areRotated, &rest) }
        return found.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    /// Whether a file's name ends as that of a JSON file does. Hidden files are left out.
    private static func isJSON(_ name: String) -> Bool {
        var parts = name.split(separator: ".").dropFirst().map { $0.lowercased() }
        if let last = parts.last, ["gz", "zst"].contains(last) { parts.removeLast() }
        return !name.hasPrefix(".") && parts.last.map(endings.contains) == true
    }

    /// Whether a file of a folder is read if it has this name: `app.ndjson.1` is, for example.
    static func isRotatedJSON(_ name: String) -> Bool { isJSON(FamilyName(ofFile: name).stem) }

    private static func hasWildcard(_ text: some StringProtocol) -> Bool { text.contains { "*?[".contains($0) } }

    /// The names that make up a pattern, and the first of them with a wildcard; nil for an argument that names a file or folder.
    private static func parts(ofPattern argument: String) -> (names: [Substring], first: Int)? {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard !FileManager.default.fileExists(atPath: argument), let first = parts.firstIndex(where: hasWildcard) else {
            return nil
        }
        return (parts, first)
    }

    /// The folders in which files or folders may appear that a pattern names; those of the files have the pattern of their names.
    static func places(ofPattern argument: String) -> [(folder: String, names: String?)] {
        guard let (parts, first) = parts(ofPattern: argument) else { return [] }
        return (first..<parts.count).flatMap { index in
            let parent = parts[..<index].map { $0 + "/" }.joined()
            let names = index == parts.count - 1 ? String(parts[index]) : nil
            return (index == first ? [parent] : matches(of: parent)).map { (folder: $0, names: names) }
        }
    }

    /// A pattern with its folders before the first wildcard without links; nil for an argument that names a file or folder.
    static func resolvedPattern(_ argument: String) -> String? {
        guard let (parts, first) = parts(ofPattern: argument) else { return nil }
        let folder = parts[..<first].map { $0 + "/" }.joined()
        return path(ofIdentity: identity(ofFile: folder.isEmpty ? "." : folder)) + "/" + parts[first...].joined(separator: "/")
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
