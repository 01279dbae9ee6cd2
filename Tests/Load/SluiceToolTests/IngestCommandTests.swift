#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// The command line of `sluice ingest`.
@Suite(.enabled(if: Shell.isPresent)) struct IngestCommandTests {
    @Test func severalInputsNeedTheNameOfTheDatabase() throws {
        let scratch = try Scratch()
        let a = try scratch.file("a.ndjson", #"{"a":1}"#)
        let b = try scratch.file("b.ndjson", #"{"a":2}"#)
        let second = try scratch.sluice(["ingest", a, b])
        #expect(second.status == 64)
        #expect(second.errors.contains("\(b) is no database. Where it is an input too, name the database with -o OUT.db."))
        #expect(try scratch.sluice(["ingest", a, b, a]).errors.contains("Name the database with -o: sluice ingest"))
        #expect(try scratch.sluice(["ingest", a, "-o", "-"]).errors.contains("-o - is no database: SQLite needs a file"))
        #expect(try scratch.sluice(["ingest", a, "-"]).errors.contains("- is no database"))
        // A misspelt input is not taken for a new database.
        for name in ["c.ndjson", "c.csv", "c.json.gz", "c.parquet", "c.gz"] {
            for arguments in [[scratch.path(name)], ["-o", scratch.path(name)]] {
                let run = try scratch.sluice(["ingest", a] + arguments)
                #expect(run.status == 64)
                #expect(run.errors.contains("\(name) is not the name of a database, which is what ingest writes."))
                #expect(!FileManager.default.fileExists(atPath: scratch.path(name)))
            }
        }
        let both = try scratch.sluice(["ingest", a, b, "-o", scratch.path("out.db")])
        #expect(both.status == 0)
        #expect(both.output.hasPrefix("2 added, 2 now in records"))
        let again = try scratch.sluice(["ingest", a, b, "-o", scratch.path("out.db")])
        #expect(again.status == 0)
        #expect(again.output.hasPrefix("nothing to do: all records of the 2 inputs are in "))
        #expect(
            try scratch.sluice(["ingest", a, scratch.path("out.db"), "--drop"]).output.hasPrefix("1 added, 1 now in records"))
    }

    @Test func optionsReachTheirWork() throws {
        let scratch = try Scratch()
        let feed = #"{"id":1,"zip":7,"m":{"a":1}}"# + "\n" + #"{"id":1,"zip":8,"late":true}"# + "\nx\n"
        let file = try scratch.file("a.ndjson", feed)
        let result = try scratch.sluice([
            "ingest", file, "-o", scratch.path("out.db"), "--pk", "id", "--upsert", "--type", "zip", "text", "--sample-size", "1",
            "--rejects", scratch.path("bad.ndjson"), "--max-errors", "5", "--filename", "--report", "json",
        ])
        #expect(result.status == 2)
        #expect(result.output.contains(#""added":1,"changed":1"#))
        #expect(
            try scratch.rows("SELECT * FROM records")
                == [["id": 1, "zip": "8", "m_a": 1, "filename": file, "late": 1]])
        #expect(FileManager.default.fileExists(atPath: scratch.path("bad.ndjson")))
        for contract in ["evolve", "report", "freeze", "discard-row", "discard-value"] {
            let codes = ["evolve": 2, "report": 2, "freeze": 5, "discard-row": 2, "discard-value": 2]
            let result = try scratch.sluice([
                "ingest", file, scratch.path("\(contract).db"), "--contract", contract, "--sample-size", "1", "-q",
            ])
            #expect(Int(result.status) == codes[contract], "\(contract): \(result.errors)")
        }
        let wrong = try scratch.sluice(["ingest", file, scratch.path("x.db"), "--append", "--drop"])
        #expect(wrong.status == 64)
        let input = try scratch.shell(#"echo '[{"a":1}]' | sluice ingest - in.db --format array"#)
        #expect(input.output.hasPrefix("1 added, 1 now in records"))
    }
}
#endif
