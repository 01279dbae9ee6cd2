// Documents without the path of --at: an API that answers with an error in place of a page.

#if CommandLine && !os(iOS)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@Suite(.enabled(if: Shell.isPresent)) struct AbsentPathTests {
    private static let page = #"{"data":{"items":[{"id":1},{"id":2}]}}"# + "\n"
    private static let snapshot = #"{"data":{"items":[{"id":1}]}}"# + "\n" + #"{"error":"rate limited"}"# + "\n"

    /// A folder with a page, and a table that has its rows.
    private func loaded() throws -> Scratch {
        let scratch = try Scratch()
        _ = try scratch.file("p1.json", Self.page)
        _ = try scratch.file("snap.ndjson", Self.snapshot)
        let result = try scratch.shell("sluice ingest -q --at data.items p1.json out.db --pk id --upsert")
        #expect(result.status == 0, "\(result)")
        return scratch
    }

    @Test func aReportSaysWhyNoRowsWereLookedFor() throws {
        let scratch = try loaded()
        #expect(try scratch.shell("gzip -k snap.ndjson").status == 0)
        let command = "sluice ingest --at data.items snap.ndjson.gz out.db --pk id --upsert --missing delete"
        let result = try scratch.shell(command)
        #expect(result.status == 2, "\(result)")
        #expect(result.output.contains("rows that the inputs lack were not looked for: records were rejected: 1"), "\(result)")
        #expect(result.output.contains("there are 'error'"), "\(result)")
        #expect(try scratch.count() == 2)
    }

    /// The documents of all inputs of a command are those of its run.
    @Test func oneFileOfSeveralMayLackThePath() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.json", #"{"error":"rate limited"}"#)
        _ = try scratch.file("b.json", Self.page)
        for (command, count) in [
            ("ingest a.json b.json -o out.db", 2), ("ingest --column id:integer a.json b.json -o out.db --drop", 2),
            ("ingest --workers 2 b.json a.json -o out.db --drop", 2),
        ] {
            let result = try scratch.shell("sluice \(command) --at data.items")
            #expect(result.status == 2, "\(command): \(result)")
            #expect(try scratch.count() == count, "\(command)")
        }
        for command in [
            "convert a.json b.json", "convert --to csv a.json b.json", "convert --to csv --columns id b.json a.json",
            "convert --to arrow a.json b.json", "infer a.json b.json", "convert --to csv --workers 2 a.json b.json",
        ] {
            let result = try scratch.shell("sluice \(command) --at data.items > out.txt")
            #expect(result.status == 2, "\(command): \(result)")
            #expect(result.errors.contains("data.items"), "\(command): \(result)")
        }
    }

    @Test(arguments: [
        #"{"error":"rate limited"}"#, #"{"data":{"Items":[{"id":1}]}}"#, #"{"data":[]}"#, #"{"data":{"items":null}}"#,
        "{\"error\":1}\n{\"error\":2}\n",
    ])
    func nothingIsWrittenIfNoDocumentHasThePath(_ text: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("p.json", text)
        for command in [
            "ingest p.json out.db", "ingest p.json p.json -o out.db", "ingest - out.db < p.json",
            "ingest --column id:integer p.json out.db",
            "ingest --column id:integer - out.db < p.json", "ingest --workers 2 p.json out.db --rejects bad",
            "convert -o out.ndjson p.json", "convert -o out.csv p.json", "convert -o out.csv --columns id p.json",
            "convert -o out.arrows p.json", "convert -o out.arrows --columns id - < p.json", "infer p.json",
            "infer --workers 2 p.json",
            "infer --as swift - < p.json", "query p.json 'SELECT 1'",
        ] {
            let parts = command.split(separator: "<", maxSplits: 1)
            let result = try scratch.shell("sluice \(parts[0]) --at data.items" + (parts.count > 1 ? " <\(parts[1])" : ""))
            #expect(result.status == 3, "\(command): \(result)")
            #expect(result.errors.contains("missing key 'data.items'"), "\(command): \(result)")
            #expect(!result.errors.contains("did you mean 'data.items'"), "\(command): \(result)")
            #expect(try scratch.shell("ls").output == "p.json\n", "\(command)")
        }
        let check = try scratch.shell("sluice check --at data.items p.json")
        #expect(check.status == 1 && check.output.contains("missing key 'data.items'"), "\(check)")
    }

    @Test func documentsThatMayLackThePathHaveNoRecords() throws {
        for (option, status, rows, words) in [
            (
                "--at-optional", 2, 2,
                "were not looked for: 1 document has no records at 'data.items'; with --at-optional=empty they count as empty"
            ),
            ("--at-optional=empty", 0, 1, "1 that the inputs lack removed"),
        ] as [(String, Int32, Int, String)] {
            for workers in ["", "--workers 2"] {
                let scratch = try loaded()
                let result = try scratch.shell(
                    "sluice ingest --at data.items \(option) snap.ndjson out.db --pk id --upsert --missing delete \(workers)")
                #expect(result.status == status, "\(option): \(result)")
                #expect(result.output.contains(words), "\(option): \(result)")
                #expect(try scratch.count() == rows)
            }
        }
        let scratch = try loaded()
        for command in [
            "ingest snap.ndjson out.db --pk id --upsert", "check snap.ndjson", "convert snap.ndjson", "infer snap.ndjson",
            "convert --to arrow snap.ndjson", "query snap.ndjson 'SELECT * FROM snap'",
        ] {
            let result = try scratch.shell("sluice \(command) --at data.items --at-optional > out.txt")
            #expect(result.status == 0 && result.errors.isEmpty, "\(command): \(result)")
        }
        #expect(try scratch.shell("sluice check --at-optional snap.ndjson").status == 64)
    }

    @Test func anElementUnderAWildcardIsADocument() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.json", #"[{"jobs":[{"id":1}]},{"error":1},{"jobs":[]},{"jobs":[{"id":2}]}]"#)
        let result = try scratch.shell("sluice ingest --at '*.jobs' a.json out.db --rejects bad")
        #expect(result.status == 2, "\(result)")
        #expect(try scratch.count() == 2)
        #expect(try scratch.value("SELECT error_type || ' ' || line_byte_position FROM bad") == "missingKeys (document) 21")
        _ = try scratch.file("empty.json", "[]")
        #expect(try scratch.shell("sluice convert --at '*.jobs' empty.json").status == 0)
        #expect(try scratch.shell("sluice check --at '*.jobs' empty.json").status == 0)
        #expect(try scratch.shell("sluice check --at '*.jobs' a.json").status == 1)
        #expect(try scratch.shell("sluice check --workers 2 --at '*.jobs' a.json").status == 1)
    }
}
#endif
