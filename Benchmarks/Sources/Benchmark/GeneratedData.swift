// Feeds that are made here: the tool's own events, and GitHub's published ones repeated. They are written into a temporary folder,
// never into the repository.

internal import Foundation
internal import Sluice

/// Makes the feeds, and keeps their files until it is gone.
final class GeneratedData {
    private let folder: URL
    private let megabytes: Int
    private let keepsFolder: Bool
    private var documents: [String: Document] = [:]

    /// - Parameters:
    ///   - megabytes: the size of the feeds that are read from memory.
    ///   - folder: where the files go; a new folder, which is removed at the end, when nil.
    init(megabytes: Int, folder: String? = nil) throws {
        self.megabytes = megabytes
        keepsFolder = folder != nil
        self.folder =
            folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("sluice-benchmark-\(getpid())")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    deinit {
        if !keepsFolder { try? FileManager.default.removeItem(at: folder) }
    }

    /// Where the files are.
    var path: String { folder.path }

    /// A text as a file, for lanes that are processes of their own. They are asked in words, so its name has no blanks.
    func document(named name: String, _ text: [UInt8]) throws -> Document {
        let url = folder.appendingPathComponent("written-" + name.replacing(" ", with: "_"))
        try Data(text).write(to: url)
        return Document(name, text, path: url.path)
    }

    /// The feed that `sluice generate --seed 1` makes, of about the configured size.
    func feed(_ layout: EventFeed.Layout) throws -> Document {
        let name = layout == .ndjson ? "feed.ndjson" : "feed.json"
        if let document = documents[name] { return document }
        let path = try feedFile(name, layout, bytes: megabytes << 20)
        let document = try Document(name, path: path)
        documents[name] = document
        return document
    }

    /// The same as a file of any size.
    func feedFile(_ name: String, _ layout: EventFeed.Layout = .ndjson, bytes: Int) throws -> String {
        let path = folder.appendingPathComponent(name).path
        if FileManager.default.fileExists(atPath: path) { return path }
        // An event has 661 bytes on average.
        var sink = try FileSink(path)
        _ = try EventFeed(records: max(1, bytes / 661), seed: 1, layout: layout).write(to: &sink)
        try sink.close()
        return path
    }

    /// The events of github_events.json, one a line, repeated with changed ids to the configured size.
    func githubEvents() throws -> Document? {
        let name = "github_events.ndjson"
        if let document = documents[name] { return document }
        guard let path = try githubEventsFile(name, bytes: megabytes << 20) else { return nil }
        let document = try Document(name, path: path)
        documents[name] = document
        return document
    }

    /// The same events with other orders of their keys.
    func githubEvents(_ change: KeyChange) throws -> Document? {
        let name = "github_events.ndjson, \(change.rawValue)"
        if let document = documents[name] { return document }
        guard let events = try githubEvents() else { return nil }
        var random = SplitMix64(seed: 1)
        var text: [UInt8] = []
        for line in events.array.split(separator: UInt8(ascii: "\n")) {
            text += try change.applied(to: JSONValue(json: Array(line)), &random).jsonBytes() + [UInt8(ascii: "\n")]
        }
        let document = try self.document(named: name, text)
        documents[name] = document
        return document
    }

    /// The same as a file of any size; nil when the corpus is absent.
    func githubEventsFile(_ name: String, bytes: Int) throws -> String? {
        guard let source = Corpus.document("github_events.json") else { return nil }
        let path = folder.appendingPathComponent(name).path
        if FileManager.default.fileExists(atPath: path) { return path }
        var sink = try FileSink(path)
        // Each event is cut at the text of its id, between which the new ids go.
        let events = try [RawJSON](json: source.array).map { event in
            let text = try JSONValue(json: event.text).jsonString()
            let id = try GitHubEventFive(json: text).id
            let place = text.range(of: "\"id\":\"\(id)\"", options: .backwards)
            guard let place else { throw BenchmarkError("an event without an id") }
            return (head: Array(text[..<place.lowerBound].utf8), tail: Array(text[place.upperBound...].utf8))
        }
        var id = 1_652_857_722
        var buffer: [UInt8] = []
        var written = 0
        while written < bytes {
            buffer.removeAll(keepingCapacity: true)
            for event in events {
                id += 1
                buffer += event.head
                buffer += Array("\"id\":\"\(id)\"".utf8)
                buffer += event.tail
                buffer.append(UInt8(ascii: "\n"))
            }
            unsafe buffer.withUnsafeBytes { unsafe sink.write($0) }
            written += buffer.count
        }
        try sink.close()
        return path
    }
}

/// Writes a file.
@safe
struct FileSink: ByteSink {
    private let file: UnsafeMutablePointer<FILE>
    private var isComplete = true

    init(_ path: String) throws {
        guard let file = unsafe fopen(path, "wb") else { throw BenchmarkError("cannot write \(path)") }
        unsafe self.file = unsafe file
    }

    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        if unsafe fwrite(bytes.baseAddress, 1, bytes.count, file) != bytes.count { isComplete = false }
    }

    /// - Throws: ``BenchmarkError`` if something could not be written.
    func close() throws {
        guard unsafe fclose(file) == 0, isComplete else { throw BenchmarkError("the disk is full") }
    }
}
