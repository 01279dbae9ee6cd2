// A folder of logs that a test rotates as logrotate and applications do, and the table that runs fill from it.

#if SQLite
import Foundation
import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// What a command names: the folder of a log, or the log itself.
enum LogArgument: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case folder, file

    var testDescription: String { "named by its \(rawValue)" }
}

/// What begins as gzip's files do, and cannot be decompressed.
let damagedGzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0xFF, count: 200)

/// A folder of logs, and the table that their lines go into. The log is `app.ndjson` unless a test says otherwise.
final class LogFolder {
    let loader: Loader
    /// What each run is given.
    var arguments: [String]
    /// The folders to which rotation moves files.
    var movedTo: [String] = []
    var settle = 30.0

    init(_ sink: LoaderSink = .sqlite, _ argument: LogArgument = .folder) throws {
        loader = try Loader(sink)
        arguments = [loader.scratch.path(argument == .folder ? "logs" : "logs/app.ndjson")]
        try makeFolder("logs")
    }

    // MARK: Files

    /// The path of a file of the folder; `../archive/x` is one beside it.
    func path(_ name: String) -> String { loader.scratch.path("logs") + "/" + name }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: loader.scratch.path(name), withIntermediateDirectories: true)
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    /// Makes a file. One that is there is truncated and written anew, as `>` of a shell does: it stays the same file.
    func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(fileURLWithPath: path(name))
        guard exists(name) else { return try Data(bytes).write(to: file) }
        let handle = try FileHandle(forUpdating: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    func write(_ text: String, to name: String = "app.ndjson") throws { try write(Array(text.utf8), to: name) }

    func append(_ bytes: [UInt8], to name: String = "app.ndjson") throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path(name)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    func append(_ text: String, to name: String = "app.ndjson") throws { try append(Array(text.utf8), to: name) }

    /// Puts another file in place of one: the name stays, and the inode is another one, because both files are there for a while.
    func replace(_ name: String = "app.ndjson", with text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(".new")))
        try #require(unsafe rename(path(".new"), path(name)) == 0)
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }

    /// Writes a copy, which is another file.
    func copy(_ name: String, to other: String) throws { try write(try bytes(of: name), to: other) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// Makes a file look as if it had not changed for some seconds. Two files that change in a row may have the same time.
    func age(_ name: String, by seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path(name))
    }

    /// Rotates as logrotate does: `app.ndjson.1` becomes `app.ndjson.2` and so on, the log `app.ndjson.1`, and a new log begins.
    func rotate(then text: String) throws {
        var count = 1
        while exists("app.ndjson.\(count)") { count += 1 }
        for number in (1..<count).reversed() { try move("app.ndjson.\(number)", to: "app.ndjson.\(number + 1)") }
        try move("app.ndjson", to: "app.ndjson.1")
        try write(text)
    }

    // MARK: Runs

    var rotation: Rotation {
        var rotation = Rotation()
        (rotation.folders, rotation.settle) = (movedTo, settle)
        return rotation
    }

    func job(
        into sink: (any RecordSink)? = nil, _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestJob {
        var options = IngestOptions()
        options.rotation = rotation
        try change(&options)
        return IngestJob(options, into: sink ?? loader.target())
    }

    /// Reads what is new.
    @discardableResult
    func run(
        into sink: (any RecordSink)? = nil, _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        try job(into: sink, change).run(inputs: arguments, progress: SilentProgress())
    }

    /// Reads what is new, and checks that all went well and that the table then has the rows with these numbers, and no others.
    @discardableResult
    func run(
        giving ids: some Sequence<Int>, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout IngestOptions) throws -> Void = { _ in }
    ) throws -> IngestReport {
        let report = try run(into: nil, change)
        let said: Comment = "\(report): \(report.unread) \(report.notes) \(report.rejections)"
        #expect(report.isSuccess, said, sourceLocation: sourceLocation)
        #expect(try self.ids() == ids.sorted(), said, sourceLocation: sourceLocation)
        return report
    }

    // MARK: What is stored

    /// The numbers of the table's rows, sorted.
    func ids() throws -> [Int] {
        try loader.rows("id", by: "id").map { row in
            if case .integer(let number) = row[0] { Int(number) } else { -1 }
        }
    }

    /// The table's checkpoints; none without a database.
    func checkpoints() throws -> [SinkCheckpoint] {
        let run = RunIdentity.new()
        defer { run.end() }
        let connection = try loader.target().connect(SinkRun(identity: run, isDryRun: true))
        let checkpoints = try connection.look().checkpoints
        try connection.close(isComplete: false)
        return checkpoints
    }
}

extension IngestReport {
    /// How many notes and losses name a file.
    func mentions(of path: String) -> Int { (notes + unread).count { $0.contains(path) } }
}

#if Compression
extension CompressionFormat {
    var ending: String { self == .gzip ? ".gz" : ".zst" }
}

/// The bytes of a text, compressed.
func packed(_ text: [UInt8], _ format: CompressionFormat) throws -> [UInt8] {
    var sink = try CompressingSink(to: [UInt8](), format: format)
    try unsafe text.withUnsafeBytes { try unsafe sink.write($0) }
    try sink.finish()
    return sink.sink
}

extension LogFolder {
    /// Compresses a file as `gzip` does: the compressed file takes its place, with the ending of the format.
    func compress(_ name: String, _ format: CompressionFormat) throws {
        try write(packed(bytes(of: name), format), to: name + format.ending)
        try remove(name)
    }
}
#endif
#endif
