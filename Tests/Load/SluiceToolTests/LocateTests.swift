#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceTool

/// Rows that say where they come from, and `sluice locate`, which prints their records.
@Suite(.enabled(if: Shell.isPresent)) struct LocateTests {
    private static let feed = "{\"id\":1,\"t\":[\"a\"]}\n{\"id\":2,\"t\":[\"b\", \"c\"]}\n"

    /// A folder with a feed, and a database that it was loaded into.
    private func scratch(_ file: String = "in.ndjson", _ options: String = "--provenance") throws -> Scratch {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", LocateTests.feed)
        if file != "in.ndjson" {
            #expect(try scratch.shell("sluice convert -o \(file) in.ndjson && rm in.ndjson").status == 0)
        }
        let load = "sluice ingest -q --pk id --children tables \(options) \(file) out.db"
        #expect(try scratch.shell(load) == Shell.Result(status: 0, output: "", errors: ""))
        return scratch
    }

    /// What the tool prints of a row, with the names of files alone.
    private func locate(_ words: String, in scratch: Scratch) throws -> Shell.Result {
        var result = try scratch.shell("sluice locate out.db \(words)")
        let folder = scratch.folder.resolvingSymlinksInPath().path + "/"
        result.output = result.output.replacing(folder, with: "")
        result.errors = result.errors.replacing(folder, with: "")
        return result
    }

    private func expect(_ words: String, _ output: String, in scratch: Scratch) throws {
        #expect(try locate(words, in: scratch) == Shell.Result(status: 0, output: output, errors: ""))
    }

    @Test(arguments: ["--provenance", "--provenance-table origins", "--provenance --provenance-names a,b,c,d"])
    func theRecordOfARowIsPrinted(options: String) throws {
        let scratch = try scratch("in.ndjson", options)
        try expect("records 2", "in.ndjson: line 2, byte 19\n{\"id\":2,\"t\":[\"b\", \"c\"]}\n", in: scratch)
        try expect("records id=1", "in.ndjson: line 1, byte 0\n{\"id\":1,\"t\":[\"a\"]}\n", in: scratch)
        try expect("records_t 2 1", "in.ndjson: line 2, byte 37\n\"c\"\n", in: scratch)
    }

    #if Compression
    @Test(arguments: ["in.ndjson.gz", "in.ndjson.zst"]) func theRecordIsReadOutOfACompressedFile(file: String) throws {
        let scratch = try scratch(file)
        let result = try locate("records 2", in: scratch)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.hasPrefix("\(file): line 2, byte 19\n{\"id\":2,"), "\(result)")
    }

    /// As logrotate does it: first a number or a date, then a compression.
    @Test(
        arguments: [
            "mv in.ndjson in.ndjson.1", "gzip in.ndjson", "mv in.ndjson in.ndjson-20261125; gzip in.ndjson-20261125",
            "sluice convert -o x.ndjson.zst in.ndjson; mv x.ndjson.zst in.ndjson.2.zst; rm in.ndjson",
        ], ["--provenance", "--provenance --rotated", "--provenance-table origins --rotated"])
    func aRotatedFileIsFound(rotation: String, options: String) throws {
        let scratch = try scratch("in.ndjson", options)
        #expect(try scratch.shell(rotation + "; echo '{\"id\":9}' > in.ndjson").status == 0)
        let result = try locate("records 1", in: scratch)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.hasSuffix(": line 1, byte 0, which was in in.ndjson\n{\"id\":1,\"t\":[\"a\"]}\n"), "\(result)")
    }
    #endif

    @Test func anotherTextAtThePlaceIsAnError() throws {
        let scratch = try scratch()
        _ = try scratch.file("in.ndjson", LocateTests.feed.replacing("\"b\"", with: "\"x\""))
        try expect("records 1", "in.ndjson: line 1, byte 0\n{\"id\":1,\"t\":[\"a\"]}\n", in: scratch)
        let changed = try locate("records 2", in: scratch)
        #expect(changed.status == 3 && changed.output.isEmpty)
        #expect(changed.errors.contains("another text is at byte 19 of in.ndjson now"), "\(changed)")
        _ = try scratch.file("in.ndjson", "{}\n")
        let shorter = try locate("records 2", in: scratch)
        #expect(shorter.status == 3 && shorter.errors.contains("in.ndjson has no record at byte 19 any more"), "\(shorter)")
        _ = try scratch.shell("rm in.ndjson")
        let gone = try locate("records 2", in: scratch)
        #expect(gone.status == 3 && gone.errors.contains("in.ndjson is no file any more"), "\(gone)")
    }

    @Test(arguments: [
        ("record 1", 3, "out.db has no table record; did you mean records?"),
        ("records 9", 3, "the table records has no row with id = 9"),
        ("records 1 2", 64, "the key of records is id: name a value for each of its columns, in this order"),
        ("records_t 1", 64, "the key of records_t is records_id, position"),
        ("records", 64, "Missing expected argument '<key> ...'"),
        ("plain 1", 3, "the table plain does not say where its rows come from"),
    ])
    func theErrorSaysWhatIsWrong(words: String, status: Int32, message: String) throws {
        let scratch = try scratch()
        try scratch.execute("CREATE TABLE plain (id INTEGER PRIMARY KEY)")
        let result = try locate(words, in: scratch)
        #expect(result.status == status && result.output.isEmpty && result.errors.contains(message), "\(result)")
    }

    @Test func aDatabaseThatIsNotThereIsNotMade() throws {
        let scratch = try Scratch()
        #expect(try locate("records 1", in: scratch).status == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
    }

    @Test func standardInputCannotBeReadAgain() throws {
        let scratch = try scratch()
        #expect(try scratch.shell("sluice ingest -q --provenance --table piped - out.db < in.ndjson").status == 0)
        let result = try locate("piped id=2", in: scratch)
        #expect(result.status == 3 && result.errors.contains("standard input is no file that can be read again"), "\(result)")
    }

    @Test func aReplayedRecordHasThePlaceInItsFeed() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"id\":1,\"v\":1}\n{\"id\":2,\"v\":nul}\n")
        #expect(try scratch.shell("sluice ingest -q --provenance --rejects bad in.ndjson out.db").status == 2)
        try scratch.execute("UPDATE bad SET json_line = replace(json_line, 'nul', '2')")
        #expect(try scratch.shell("sluice replay -q --provenance bad out.db").status == 0)
        let isOneInput = "(SELECT count(DISTINCT _input) FROM records) = 1"
        let rows = try scratch.rows("SELECT id, v, _line, _byte, \(isOneInput) FROM records ORDER BY id")
        #expect(
            rows.map { row in row.databaseValues.map { Int.fromDatabaseValue($0) } } == [[1, 1, 1, 0, 1], [2, 2, 2, 15, 1]])
        // What the feed has is not what was stored.
        let result = try locate("records id=2", in: scratch)
        #expect(result.status == 3 && result.errors.contains("at byte 15"), "\(result)")
    }

    /// A table of rows has the columns of places, too, if it was loaded with them.
    @Test(arguments: ["", "--truncate", "--drop"]) func noTableOfRowsIsTakenForOneOfPlaces(options: String) throws {
        let scratch = try scratch()
        let before = try scratch.rows("SELECT * FROM records")
        let load = "sluice ingest -q in.ndjson out.db --table items --pk id"
        if !options.isEmpty { #expect(try scratch.shell(load).status == 0) }
        let result = try scratch.shell("\(load) --provenance-table records \(options)")
        #expect(result.status != 0 && result.errors.contains("records"), "\(result)")
        #expect(try scratch.rows("SELECT * FROM records") == before)
    }

    @Test func filesGetTheSameColumns() throws {
        let scratch = try scratch()
        let convert = "sluice convert --to csv --columns id --provenance in.ndjson"
        let sheet = try scratch.shell("\(convert) | cut -d , -f 1,3,4 | tr -d '\\r'")
        #expect(sheet.output == "id,_line,_byte\n1,1,0\n2,2,19\n", "\(sheet)")
        let lines = try scratch.shell("sluice convert --provenance --provenance-names file,row,at,hash in.ndjson")
        #expect(lines.output.contains("\"row\":2,\"at\":19,\"hash\":"), "\(lines)")
    }

    @Test(arguments: [
        ("ingest --provenance --provenance-table t in.ndjson new.db", "choose one"),
        ("ingest --provenance-names a,b,c,d in.ndjson new.db", "for --provenance or --provenance-table"),
        ("ingest --provenance --provenance-names a,b in.ndjson new.db", "--provenance-names has four names"),
        ("ingest --provenance --provenance-names a,b,c,A in.ndjson new.db", "a name for each of its columns"),
        ("ingest --provenance-table t in.ndjson new.db", "name rows by their key: name its column with --pk"),
        ("ingest --pk id --provenance-table records in.ndjson new.db", "needs a table of its own"),
        ("ingest --pk id --changes t --provenance-table t in.ndjson new.db", "needs a table of its own"),
        ("ingest --pk id --provenance-table t.csv in.ndjson new.db", "needs a table of its own"),
        ("ingest --pk id --provenance-table t --provenance-names id,a,b,c in.ndjson new.db", "is a column of the key"),
        ("ingest --pk id --upsert --children tables --restart in.ndjson out.db", "add --provenance"),
        ("convert --provenance-table t -o new.csv in.ndjson", "--provenance-table t"),
        ("convert --provenance --to arrow -o new.arrow in.ndjson", "--provenance is not for --to arrow"),
    ])
    func optionsThatContradictEachOtherAreNamed(words: String, message: String) throws {
        let scratch = try scratch()
        let result = try scratch.shell("sluice \(words)")
        #expect(result.status == 64 && result.errors.contains(message), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("new.csv")))
    }
}
#endif
