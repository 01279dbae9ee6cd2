// Logs in the folder of a test of the tool, and the rows that come from them.

#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

/// Lines of a log, which count from a number.
func logLines(_ numbers: ClosedRange<Int>) -> String { numbers.map { "{\"id\":\($0),\"name\":\"n\($0)\"}\n" }.joined() }

/// What begins as gzip's files do, and cannot be decompressed.
let damagedGzip = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] as [UInt8]) + Data(repeating: 0xFF, count: 200)

extension Scratch {
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Appends to a log, which is made if it is not there.
    func append(_ text: String, to name: String = "logs/app.ndjson") throws {
        guard let handle = FileHandle(forUpdatingAtPath: path(name)) else {
            _ = try file(name, text)
            return
        }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
    }

    /// Rotates as logrotate does: `app.ndjson.1` becomes `app.ndjson.2` and so on, the log `app.ndjson.1`, and a new log begins.
    func rotate(then text: String) throws {
        func exists(_ number: Int) -> Bool { FileManager.default.fileExists(atPath: path("logs/app.ndjson.\(number)")) }
        var count = 1
        while exists(count) { count += 1 }
        for number in (1..<count).reversed() { try move("logs/app.ndjson.\(number)", to: "logs/app.ndjson.\(number + 1)") }
        try move("logs/app.ndjson", to: "logs/app.ndjson.1")
        try append(text)
    }

    /// The numbers of the table's rows, sorted.
    func ids() throws -> [Int] { try rows("SELECT id FROM records ORDER BY id").map { $0["id"] } }

    /// Waits until the table has as many rows as these, and checks that it has these.
    func wait(for ids: ClosedRange<Int>, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let deadline = Date(timeIntervalSinceNow: 60)
        while ((try? self.ids().count) ?? 0) < ids.count, Date() < deadline { usleep(10_000) }
        #expect(try self.ids() == Array(ids), sourceLocation: sourceLocation)
    }
}
#endif
