#if CommandLine && os(Linux)
import Foundation
import GRDB
import Testing

@testable import SluiceTool

/// SIGKILL at any moment, and the same command again: the table equals that of an undisturbed run.
@Suite struct KilledIngestTests {
    enum Shape: String, CaseIterable {
        case lines, array, path, twoInputs, workers
    }

    /// How often each shape is killed; SLUICE_KILLS asks for more.
    private static let moments =
        (ProcessInfo.processInfo.environment["SLUICE_KILLS"].flatMap(Int.init) ?? 8) / Shape.allCases.count

    /// The inputs of a shape, and the options that they need. Some records are damaged, and keys come late.
    private func inputs(_ shape: Shape, _ scratch: Scratch) throws -> [String] {
        var lines = String(decoding: try generated(1_500), as: UTF8.self).split(separator: "\n").map(String.init)
        for index in stride(from: 70, to: lines.count, by: 211) { lines[index] = #"{"id":"broken","# + "\"x\":[1,}" }
        switch shape {
        case .workers: return [try scratch.file("a.ndjson", lines.joined(separator: "\n") + "\n"), "--workers", "2"]
        case .lines: return [try scratch.file("a.ndjson", lines.joined(separator: "\n") + "\n")]
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
        let undisturbed = try BuiltTool.run(arguments("whole.db"))
        let seconds = Date().timeIntervalSince(start)
        #expect([0, 2].contains(undisturbed.code), "\(undisturbed.error)")
        let expected = try rows(scratch.path("whole.db"))
        #expect(expected.count > 1_400)
        var random = SplitMix64(seed: 4_711)
        for moment in 0..<max(1, Self.moments) {
            let name = "\(moment).db"
            let delay = seconds * Double(random.next(below: 1_000)) / 1_000
            _ = try BuiltTool.kill(arguments(name), after: delay)
            let again = try BuiltTool.run(arguments(name))
            #expect([0, 2].contains(again.code), "\(again.error)")
            #expect(try rows(scratch.path(name)) == expected, "killed after \(delay) s")
            #expect(try BuiltTool.run(arguments(name)).code == 0)
        }
    }

    @Test func twoRunsThatMakeOneTableAtTheSameTimeBothGetTheirRowsIn() throws {
        let scratch = try Scratch()
        var processes: [Process] = []
        for index in 0..<2 {
            let feed = String(decoding: try generated(600, seed: UInt64(index + 1)), as: UTF8.self)
            let file = try scratch.file("\(index).ndjson", feed)
            let process = try BuiltTool.process(["ingest", file, "-o", scratch.path("out.db"), "--append", "--batch", "40", "-q"])
            try process.run()
            processes.append(process)
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        #expect(try scratch.count() == 1_200)
        #expect(try scratch.value("PRAGMA integrity_check") == "ok")
    }
}

/// The command line of `sluice ingest`.
@Suite struct IngestCommandTests {
    @Test func severalInputsNeedTheNameOfTheDatabase() throws {
        let scratch = try Scratch()
        let a = try scratch.file("a.ndjson", #"{"a":1}"#)
        let b = try scratch.file("b.ndjson", #"{"a":2}"#)
        let second = try BuiltTool.run(["ingest", a, b])
        #expect(second.code == 64)
        #expect(second.error.contains("\(b) is no database. Where it is an input too, name the database with -o OUT.db."))
        #expect(try BuiltTool.run(["ingest", a, b, a]).error.contains("Name the database with -o: sluice ingest"))
        #expect(try BuiltTool.run(["ingest", a, "-o", "-"]).error.contains("-o - is no database: SQLite needs a file"))
        #expect(try BuiltTool.run(["ingest", a, "-"]).error.contains("- is no database"))
        let both = try BuiltTool.run(["ingest", a, b, "-o", scratch.path("out.db")])
        #expect(both.code == 0)
        #expect(both.output.hasPrefix("2 added, 2 now in records"))
        let again = try BuiltTool.run(["ingest", a, b, "-o", scratch.path("out.db")])
        #expect(again.code == 0)
        #expect(again.output.hasPrefix("nothing to do: all records of the 2 inputs are in "))
        #expect(try BuiltTool.run(["ingest", a, scratch.path("out.db"), "--drop"]).output.hasPrefix("1 added, 1 now in records"))
    }

    @Test func optionsReachTheirWork() throws {
        let scratch = try Scratch()
        let feed = #"{"id":1,"zip":7,"m":{"a":1}}"# + "\n" + #"{"id":1,"zip":8,"late":true}"# + "\nx\n"
        let file = try scratch.file("a.ndjson", feed)
        let result = try BuiltTool.run([
            "ingest", file, "-o", scratch.path("out.db"), "--pk", "id", "--upsert", "--type", "zip", "text", "--sample-size", "1",
            "--rejects", scratch.path("bad.ndjson"), "--max-errors", "5", "--filename", "--report", "json",
        ])
        #expect(result.code == 2)
        #expect(result.output.contains(#""added":1,"changed":1"#))
        #expect(
            try scratch.rows("SELECT * FROM records")
                == [["id": 1, "zip": "8", "m_a": 1, "filename": file, "late": 1]])
        #expect(FileManager.default.fileExists(atPath: scratch.path("bad.ndjson")))
        for contract in ["evolve", "report", "freeze", "discard-row", "discard-value"] {
            let codes = ["evolve": 2, "report": 2, "freeze": 5, "discard-row": 2, "discard-value": 2]
            let result = try BuiltTool.run([
                "ingest", file, scratch.path("\(contract).db"), "--contract", contract, "--sample-size", "1", "-q",
            ])
            #expect(Int(result.code) == codes[contract], "\(contract): \(result.error)")
        }
        let wrong = try BuiltTool.run(["ingest", file, scratch.path("x.db"), "--append", "--drop"])
        #expect(wrong.code == 64)
        let input = try BuiltTool.run(["ingest", "-", scratch.path("in.db"), "--format", "array"], input: #"[{"a":1}]"#)
        #expect(input.output.hasPrefix("1 added, 1 now in records"))
    }
}
#endif
