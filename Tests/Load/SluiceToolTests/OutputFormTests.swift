#if CommandLine && os(Linux)
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceIngest
@testable import SluiceTool

/// The form that the name of an output chooses.
@Suite struct OutputFormTests {
    static let forms = [
        ("csv", "id\r\n1\r\n"), ("tsv", "id\n1\n"), ("tab", "id\n1\n"), ("ndjson", "{\"id\":1}\n"), ("jsonl", "{\"id\":1}\n"),
        ("json", "[\n{\"id\":1}\n]\n"), ("CSV", "id\r\n1\r\n"),
    ]

    @Test(.enabled(if: Shell.isPresent), arguments: forms)
    func theNameOfTheOutputChoosesItsForm(ending: String, text: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n")
        let result = try scratch.shell("sluice convert -o out.\(ending) in.ndjson && cat out.\(ending)")
        #expect(result == Shell.Result(status: 0, output: text, errors: ""))
        let packed = try scratch.shell("sluice convert -o out.\(ending).gz in.ndjson && gzip -dc out.\(ending).gz")
        #expect(packed == Shell.Result(status: 0, output: text, errors: ""))
        let zstd = try scratch.shell(
            "sluice convert -o out.\(ending).zst in.ndjson && sluice convert --compression zstd --format concatenated out.\(ending).zst"
        )
        // CSV is no JSON: that the text comes back is seen where it is.
        if ending.hasPrefix("json") || ending == "ndjson" { #expect(zstd.output.contains("\"id\":1"), "\(zstd)") }
    }

    @Test(.enabled(if: Shell.isPresent)) func arrowIsChosenByNameAndCompressedToo() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n")
        let asked = try scratch.shell("sluice convert --to arrow in.ndjson | cksum")
        #expect(try scratch.shell("sluice convert -o out.arrows in.ndjson && cksum < out.arrows").output == asked.output)
        #expect(
            try scratch.shell("sluice convert -o out.arrow.gz in.ndjson && gzip -dc out.arrow.gz | cksum").output == asked.output)
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            ("--to ndjson -o out.csv", "--to ndjson contradicts the name out.csv"),
            ("--to csv -o out.json.gz", "--to csv contradicts the name out.json.gz"),
            ("-o out.parquet", "convert does not write .parquet"), ("-o out.db", "sluice ingest writes databases"),
        ])
    func aNameThatContradictsTheFormIsRefused(arguments: String, error: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n")
        let result = try scratch.shell("sluice convert \(arguments) in.ndjson")
        #expect(result.status == 64)
        #expect(result.errors.contains(error), "\(result)")
        #expect(try scratch.shell("ls").output == "in.ndjson\n")
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            ("q.parquet", "q.parquet: query does not write .parquet. Write .csv"), ("q.arrow", "sluice convert writes Arrow"),
            ("q.arrows.gz", "sluice convert writes Arrow"), ("q.xlsx", "Write .csv"), ("q.db", "sluice ingest writes databases"),
            ("q.sqlite3", "sluice ingest writes databases"),
        ])
    func aNameOfAFormThatAQueryDoesNotWriteIsRefused(name: String, error: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n")
        let query = "in.ndjson 'SELECT id FROM \"in\"'"
        let result = try scratch.shell("sluice query -o \(name) \(query)")
        #expect(result.status == 64)
        #expect(result.errors.contains(error), "\(result)")
        #expect(try scratch.shell("ls").output == "in.ndjson\n")
        #expect(try scratch.shell("sluice query --to csv -o \(name) \(query)").status == 0)
        #expect(try scratch.shell("sluice query -o q.tab \(query) && cat q.tab").output == "id\n1\n")
    }

    @Test(.enabled(if: Shell.isPresent)) func aFormThatIsNamedIsWrittenWhereTheNameSaysNothing() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1}\n")
        #expect(try scratch.shell("sluice convert --to csv -o out.txt in.ndjson && cat out.txt").output == "id\r\n1\r\n")
        #expect(try scratch.shell("sluice convert --to csv -o out.csv in.ndjson && cat out.csv").output == "id\r\n1\r\n")
        #expect(try scratch.shell("sluice convert -o a.b/out in.ndjson").status == 3)
        #expect(FileEnding(of: "folder.csv/out").form == nil)
        #expect(FileEnding(of: ".json").form == "json")
    }
}
#endif
