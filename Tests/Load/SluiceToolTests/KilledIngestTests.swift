#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceCompression
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// SIGKILL at any moment, and the same command again: the table equals that of an undisturbed run.
@Suite(.enabled(if: Shell.isPresent)) struct KilledIngestTests {
    enum Shape: String, CaseIterable {
        case lines, array, path, twoInputs, workers
        #if Compression
        case gzip
        #endif
    }

    /// How often each shape is killed; SLUICE_KILLS asks for more.
    private static let moments: Int = {
        let kills = ProcessInfo.processInfo.environment["SLUICE_KILLS"].flatMap(Int.init) ?? 8
        return (max(kills, 1) + Shape.allCases.count - 1) / Shape.allCases.count
    }()

    /// The inputs of a shape, and the options that they need. Some records are damaged, and keys come late.
    private func inputs(_ shape: Shape, _ scratch: Scratch) throws -> [String] {
        var lines = String(decoding: try generated(1_500), as: UTF8.self).split(separator: "\n").map(String.init)
        for index in stride(from: 70, to: lines.count, by: 211) { lines[index] = #"{"id":"broken","# + "\"x\":[1,}" }
        switch shape {
        case .workers: return [try scratch.file("a.ndjson", lines.joined(separator: "\n") + "\n"), "--workers", "2"]
        #if Compression
        case .gzip:
            // Three members, so that some runs resume at the beginning of a member, and others inside a member.
            var bytes: [UInt8] = []
            for part in [lines[..<600], lines[600..<1_100], lines[1_100...]] {
                var sink = try CompressingSink(to: [UInt8](), format: .gzip)
                try unsafe Array((part.joined(separator: "\n") + "\n").utf8).withUnsafeBytes { try unsafe sink.write($0) }
                try sink.finish()
                bytes += sink.sink
            }
            try Data(bytes).write(to: URL(fileURLWithPath: scratch.path("a.ndjson.gz")))
            return [scratch.path("a.ndjson.gz")]
        #endif
        case .lines: return [try scratch.file("a.ndjson", lines.joined(separator: "\n") + "\n"), "--workers", "1"]
        case .array:
            return [try scratch.file("a.json", "[" + lines.filter { !$0.contains("broken") }.joined(separator: ",\n") + "]")]
        case .path:
            let records = lines.filter { !$0.contains("broken") }.joined(separator: ",")
            return [
                try scratch.file("a.json", #"{"meta":{"n":1},"data":{"items":["# + records + "]},\"end\":1}"), "--at",
                "data.items",
            ]
        case .twoInputs:
            return [
                try scratch.file("a.ndjson", lines[..<800].joined(separator: "\n")),
                try scratch.file("b.ndjson", lines[800...].joined(separator: "\n")), "--filename",
            ]
        }
    }

    private func rows(_ database: String) throws -> [[String]] {
        try DatabaseQueue(path: database).read { db in
            try ["records", "bad"].flatMap { table in
                let rows = try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY rowid")
                return [rows.first.map { Array($0.columnNames) } ?? []] + rows.map { $0.databaseValues.map(\.description) }
            }
        }
    }

    @Test(arguments: Shape.allCases)
    func aKilledRunIsTakenUpWithoutALossOrADouble(_ shape: Shape) throws {
        let scratch = try Scratch()
        let inputs = try inputs(shape, scratch)
        func arguments(_ name: String) -> [String] {
            ["ingest"] + inputs + [
                "-o", scratch.path(name), "--batch", "50", "--sample-size", "20", "--rejects", "bad", "--quiet",
            ]
        }
        let start = Date()
        let undisturbed = try scratch.sluice(arguments("whole.db"))
        let seconds = Date().timeIntervalSince(start)
        #expect([0, 2].contains(undisturbed.status), "\(undisturbed.errors)")
        let expected = try rows(scratch.path("whole.db"))
        #expect(expected.count > 1_400)
        var random = SluiceTool.SplitMix64(seed: 4_711)
        for moment in 0..<Self.moments {
            let name = "\(moment).db"
            let delay = seconds * Double(random.next(below: 1_000)) / 1_000
            try scratch.startSluice(arguments(name)).kill(after: delay)
            let again = try scratch.sluice(arguments(name))
            #expect([0, 2].contains(again.status), "\(again.errors)")
            #expect(try rows(scratch.path(name)) == expected, "killed after \(delay) s")
            // The run after that does nothing, but still says what was rejected.
            #expect(try scratch.sluice(arguments(name)).status == undisturbed.status)
        }
    }

    @Test func twoRunsThatMakeOneTableAtTheSameTimeBothGetTheirRowsIn() throws {
        let scratch = try Scratch()
        let runs = try (0..<2).map { index in
            let feed = String(decoding: try generated(600, seed: UInt64(index + 1)), as: UTF8.self)
            let file = try scratch.file("\(index).ndjson", feed)
            return try scratch.startSluice(["ingest", file, "-o", scratch.path("out.db"), "--append", "--batch", "40", "-q"])
        }
        for run in runs { #expect(try run.result().status == 0) }
        #expect(try scratch.count() == 1_200)
        #expect(try scratch.value("PRAGMA integrity_check") == "ok")
    }
}
#endif
