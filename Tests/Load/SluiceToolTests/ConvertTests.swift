#if CommandLine
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

@Suite(.enabled(if: Shell.isPresent)) struct ConvertCommandTests {
    private static let pretty =
        "[\n  {\n    \"a\": 1.00,\n    \"b\": \"x \\u00e9\\\" y\"\n  },\n  {\n    \"a\": [ 1, {} ]\n  }\n]\n"

    @Test func recordsStayAsTheyAreWritten() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.json", Self.pretty)
        let lines = #"{"a":1.00,"b":"x \u00e9\" y"}"# + "\n" + #"{"a":[1,{}]}"# + "\n"
        #expect(try scratch.shell("sluice convert in.json") == .init(status: 0, output: lines, errors: ""))
        let array = #"[\#n{"a":1.00,"b":"x \u00e9\" y"},\#n{"a":[1,{}]}\#n]\#n"#
        #expect(try scratch.shell("sluice convert in.json | sluice convert --to json -").output == array)
        #expect(
            try scratch.shell("sluice convert --limit 1 --to json in.json").output == #"[\#n{"a":1.00,"b":"x \u00e9\" y"}\#n]\#n"#
        )
        #expect(try scratch.shell("printf '' | sluice convert --to json -").output == "[\n]\n")
    }

    @Test func eachKeyOfAFileHasItsColumn() throws {
        let scratch = try Scratch()
        var text = (0..<1_200).map { "{\"id\":\($0)}\n" }.joined()
        text += #"{"id":1e2,"actor":{"login":"a,b \"c\"\nd"},"tags":["x",1.0],"none":null,"empty":""}"# + "\n"
        _ = try scratch.file("in.ndjson", text)
        let csv = try scratch.shell("sluice convert --to csv in.ndjson")
        #expect(csv.status == 0)
        #expect(csv.errors == "")
        let lines = csv.output.components(separatedBy: "\r\n")
        #expect(lines[0] == "id,actor_login,tags,none,empty")
        #expect(lines[1] == "0,,,,")
        #expect(lines[1_201] == "1e2,\"a,b \"\"c\"\"\nd\",\"[\"\"x\"\",1.0]\",,\"\"")
        #expect(lines.count == 1_203 && lines[1_202] == "")

        let tsv = try scratch.shell("tail -n 1 in.ndjson | sluice convert --to tsv -")
        #expect(tsv.output == "id\tactor_login\ttags\tnone\tempty\n1e2\ta,b \"c\"\\nd\t[\"x\",1.0]\t\t\n")
    }

    /// `psql -c '\copy …'` would end there, and say nothing of the rows after it.
    @Test func aTextThatEndsTheRowsForPsqlIsQuoted() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"a":"\\."}"# + "\n")
        #expect(try scratch.shell("sluice convert --to csv in.ndjson").output == "a\r\n\"\\.\"\r\n")
    }

    @Test func aDeclaredRealKeepsTheDigitsOfAnInteger() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"k\":9007199254740993}\n{\"k\":12345678901234567891}\n{\"k\":0.5}\n")
        let csv = try scratch.shell("sluice convert --to csv --column k:real in.ndjson")
        #expect(csv == .init(status: 0, output: "k\r\n9007199254740993\r\n12345678901234567891\r\n0.5\r\n", errors: ""))
        let lines = try scratch.shell("sluice convert --column k:real in.ndjson").output
        #expect(lines == "{\"k\":9007199254740993}\n{\"k\":12345678901234567891}\n{\"k\":0.5}\n")
    }

    @Test(arguments: ["csv", "tsv"]) func ofARepeatedKeyTheLastValueIsWrittenAlsoNull(form: String) throws {
        let scratch = try Scratch()
        let records = [#"{"a":4,"b":1,"a":null}"#, #"{"a":null,"b":2,"a":5}"#, #"{"b":3,"c":{"d":6,"d":null}}"#]
        _ = try scratch.file("in.ndjson", records.map { $0 + "\n" }.joined())
        let inferred = try scratch.shell("sluice convert --to \(form) in.ndjson | tr '\\t' , | tr -d '\\r'").output
        #expect(inferred == "a,b,c_d\n,1,\n5,2,\n,3,\n")
        let columns = "--column a:integer --column b:integer --column c_d:integer=c.d"
        let declared = try scratch.shell("sluice convert --to \(form) \(columns) in.ndjson | tr '\\t' , | tr -d '\\r'").output
        #expect(declared == inferred)
    }

    @Test func objectsWithTheSameKeyFillTheirColumnsTogether() throws {
        let scratch = try Scratch()
        let records = [#"{"id":1,"a":{"b":1,"c":2},"a":{"b":3}}"#, #"{"id":2,"a":{"b":1},"a":5}"#]
        _ = try scratch.file("in.ndjson", records.map { $0 + "\n" }.joined())
        let csv = try scratch.shell("sluice convert --to csv --columns id,a.b,a.c in.ndjson | tr -d '\\r'").output
        #expect(csv == "id,a_b,a_c\n1,3,2\n2,1,\n")
        #expect(try scratch.shell("sluice ingest in.ndjson out.db --sample-size 1").status == 0)
        #expect(
            try scratch.rows("SELECT id, a_b, a_c, a FROM records ORDER BY id").map { $0.databaseValues.map { "\($0)" } }
                == [["1", "3", "2", "NULL"], ["2", "1", "NULL", "\"5\""]])
        let whole = try scratch.shell("sluice convert --to csv --json a in.ndjson | tr -d '\\r'").output
        #expect(whole == "id,a\n1,\"{\"\"b\"\":3}\"\n2,5\n")
    }

    /// Python's csv skips an empty line, and with it the record. TSV has no quotes: there, an empty line is the only form.
    @Test(arguments: ["", "--column a:text"]) func noLineOfCSVIsEmpty(columns: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"a\":\"x\"}\n{\"a\":null}\n{\"a\":\"\"}\n{}\n")
        let csv = try scratch.shell("sluice convert --to csv \(columns) in.ndjson")
        #expect(csv == .init(status: 0, output: "a\r\nx\r\n\"\"\r\n\"\"\r\n\"\"\r\n", errors: ""))
        #expect(try scratch.shell("sluice convert --to tsv \(columns) in.ndjson").output == "a\nx\n\n\n\n")
    }

    @Test func keysOfAPipeThatComeTooLateAreNamed() throws {
        let scratch = try Scratch()
        var text = (0..<1_200).map { "{\"id\":\($0)}\n" }.joined()
        text += #"{"id":1,"late":{"x":1}}"# + "\n" + #"{"id":{"y":2},"late":2}"# + "\n"
        _ = try scratch.file("in.ndjson", text)
        let result = try scratch.shell("cat in.ndjson | sluice convert --to csv -")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("sluice: values that came too late for a column: 'late' (2)\n"))
        #expect(result.output.hasSuffix("1\r\n\"{\"\"y\"\":2}\"\r\n"))
        #expect(try scratch.shell("cat in.ndjson | sluice convert --to csv --columns id,late - > /dev/null").status == 0)
    }

    @Test func columnsAreChosenAndNamed() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.json", #"{"items":[{"id":7,"user":{"name":"ann","age":3}}]}"#)
        let result = try scratch.shell("sluice convert --at items --to csv --columns who=user.name,id,user.age in.json")
        #expect(result == .init(status: 0, output: "who,id,user_age\r\nann,7,3\r\n", errors: ""))
        #expect(try scratch.shell("sluice convert --columns id in.json").status == 64)
        #expect(try scratch.shell("sluice convert --to csv --columns id,,x in.json").status == 64)
    }

    @Test func recordsThatCannotBeReadAreNamedAndLeftOut() throws {
        let scratch = try Scratch()
        let result = try scratch.shell("printf '{\"a\":1}\\n{\"a\":}\\n{\"a\":3}\\n' | sluice convert -")
        #expect(result.status == 2)
        #expect(result.output == "{\"a\":1}\n{\"a\":3}\n")
        #expect(result.errors.hasPrefix("sluice: 1 record could not be read, and left out; the first:\n  invalid JSON (line 2"))
        if Shell.hasFullDevice {
            #expect(try scratch.shell("echo '{\"a\":1}' | sluice convert - > /dev/full").status == 3)
        }
        #expect(try scratch.shell("sluice convert gone.json").status == 3)
        #expect(try scratch.shell("echo 1 | sluice convert --to csv -").status == 2)
    }

    @Test func arrowGoesToAFileOrToStandardOutput() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", "{\"a\":{\"b\":1},\"s\":\"x\"}\n{\"a\":{\"b\":2}}\n")
        #expect(
            try scratch.shell("sluice convert --to arrow -o out in.ndjson && sluice convert --to arrow in.ndjson | cmp - out")
                == .init(status: 0, output: "", errors: ""))
        // A stream begins and ends with a mark; names and text are in it unchanged.
        #expect(
            try scratch.shell("head -c 4 out | od -An -tx1; tail -c 8 out | od -An -tx1").output
                == " ff ff ff ff\n ff ff ff ff 00 00 00 00\n")
        #expect(try scratch.shell("grep -ac 'a_b' out; grep -ac x out").output == "1\n1\n")
        // A pipe gives the same, and so do columns that are chosen.
        #expect(try scratch.shell("cat in.ndjson | sluice convert --to arrow - | cmp - out").status == 0)
        #expect(try scratch.shell("sluice convert --to arrow --columns a.b,s in.ndjson | cmp - out").status == 0)
        #expect(try scratch.shell("sluice convert --to arrow --where 'a.b = 2' in.ndjson | grep -ac x").output == "0\n")
    }

    @Test(arguments: [
        ("9007199254740993.0", 2, "a number that a double can hold"),
        ("0.1234567890123456789012", 2, "1 number with more digits"),
        ("1e-400", 2, "1 number with more digits"), ("0.30000000000000004", 0, ""), ("1.10", 0, ""), ("9007199254740993", 0, ""),
    ]) func numbersThatADoubleDoesNotHoldAreToldWhereAColumnIsOfDoubles(number: String, status: Int32, words: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("n.ndjson", #"{"n":0.5}"# + "\n" + #"{"n":\#(number)}"#)
        let arrow = try scratch.shell("sluice convert --to arrow -o n.arrows n.ndjson")
        #expect(arrow.status == status)
        #expect(words.isEmpty || arrow.errors.contains(words))
        // A text keeps all digits.
        #expect(try scratch.shell("sluice convert --to csv n.ndjson").output == "n\r\n0.5\r\n\(number)\r\n")
    }

    #if Compression
    @Test func fractionsOfASecondThatAreCutOffAreTold() throws {
        let scratch = try Scratch()
        _ = try scratch.file(
            "t.ndjson", #"{"t":"2024-01-01T00:00:00.1234567Z"}"# + "\n" + #"{"t":"2024-01-01T00:00:00.123456Z"}"#)
        let arrow = try scratch.shell("sluice convert --to arrow --type t:timestamp -o t.arrows t.ndjson")
        #expect(arrow.status == 2)
        #expect(arrow.errors.contains("1 timestamp cut off after the microseconds"))
        // The damaged record has no row, and each record is read through both parsers.
        _ = try scratch.file(
            "d.ndjson", #"{"t":"2024-01-01T00:00:00.1234567Z"}"# + "\n" + #"{"t":"2024-01-01T00:00:00.1234567Z","x":[}"# + "\n")
        let damaged = try scratch.shell("sluice convert --to arrow --column t:timestamp -o d.arrows d.ndjson")
        #expect(damaged.status == 2)
        #expect(damaged.errors.contains("1 timestamp cut off after the microseconds"))
        let sheet = try scratch.shell("sluice convert --to csv --type t:timestamp t.ndjson")
        #expect(sheet.status == 0)
        #expect(sheet.output == "t\r\n2024-01-01T00:00:00.123456700Z\r\n2024-01-01T00:00:00.123456Z\r\n")
        _ = try scratch.file(
            "n.ndjson", #"{"t":"2024-01-01T00:00:00.1234567891Z"}"# + "\n" + #"{"t":"2024-01-01T00:00:00.1234567890Z"}"#)
        let rejected = try scratch.shell("sluice convert --to csv --type t:timestamp n.ndjson")
        #expect(rejected.status == 2)
        #expect(rejected.output == "t\r\n2024-01-01T00:00:00.123456789Z\r\n")
        #expect(rejected.errors.contains("expected at most nine digits of a fraction of a second"))
    }

    @Test func arrowMayBeCompressed() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", String(repeating: "{\"a\":\"the same text\"}\n", count: 1000))
        #expect(try scratch.shell("sluice convert --to arrow --arrow-compression none in.ndjson > plain").status == 0)
        #expect(try scratch.shell("sluice convert --to arrow --arrow-compression zstd in.ndjson > packed").status == 0)
        #expect(try scratch.shell("test $(wc -c < plain) -gt $((2 * $(wc -c < packed))) && echo smaller").output == "smaller\n")
        let wrong = try scratch.shell("sluice convert --to csv --arrow-compression zstd in.ndjson")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("--arrow-compression is for --to arrow."))
    }
    #endif

    @Test func arrowsBatchesEndAfterSixteenMegabytesOfRecords() throws {
        let scratch = try Scratch()
        let record = "{\"t\":\"" + String(repeating: "x", count: 2_000_000) + "\"}\n"
        _ = try scratch.file("in.ndjson", String(repeating: record, count: 30))
        for input in ["in.ndjson", "- < in.ndjson"] {
            let path = scratch.path("out")
            #expect(try scratch.shell("sluice convert --to arrow \(input) > \(path)").status == 0)
            // Each message begins with a mark: the schema, the batches, and the end. The text has none.
            let words = try unsafe Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes {
                unsafe Array($0.bindMemory(to: UInt32.self))
            }
            let batches = words.count { $0 == .max } - 2
            #expect((3...8).contains(batches), "\(input): \(batches)")
        }
    }

    @Test func arrowFromAPipeReportsKeysFoundAfterTheSample() throws {
        let scratch = try Scratch()
        let first = "seq 1000 | sed 's/.*/{\"id\":&,\"a\":{\"b\":1}}/'"
        let late =
            #"echo '{"id":1,"a":5}'; echo '{"id":2,"late":7}'; echo '{"id":3,"a":{"b":1,"c":[2]}}'; echo '{"id":4,"a":[]}'"#
        let result = try scratch.shell("(\(first); \(late)) | sluice convert --to arrow - > out")
        #expect(result.status == 2)
        #expect(
            result.errors.hasPrefix("sluice: values that came too late for a column: 'a' (2), 'late' (1), 'a.c' (1)\n"),
            "\(result.errors)")
        // Columns that were asked for leave out the others; those of a file are found in all of it.
        #expect(try scratch.shell("(\(first); \(late)) | sluice convert --to arrow --columns id - > out").status == 0)
        #expect(try scratch.shell("(\(first); \(late)) > in.ndjson && sluice convert --to arrow in.ndjson > out").status == 0)
    }

    @Test func arrowLeavesOutWhatDoesNotFit() throws {
        let scratch = try Scratch()
        let ones = "seq 1000 | sed 's/.*/{\"id\":&}/'"
        let result = try scratch.shell("(\(ones); echo '{\"id\":\"x\"}'; echo '{\"id\":') | sluice convert --to arrow - > out")
        #expect(result.status == 2)
        #expect(
            result.errors.hasPrefix(
                "sluice: 2 records could not be read, and left out; the first:\n  type mismatch at id (line 1001, column 7, "))
        #expect(try scratch.shell("\(ones) | sluice convert --to arrow - | cmp - out").status == 0)
        #expect(try scratch.shell("echo 1 | sluice convert --to arrow -").status == 2)
        if Shell.hasFullDevice {
            #expect(try scratch.shell("echo '{\"a\":1}' | sluice convert --to arrow - > /dev/full").status == 3)
        }
        #expect(try scratch.shell("echo '{\"a\":1}' | sluice convert -o missing/out -").status == 3)
    }

    // MARK: The options of ingest

    @Test func convertHasTheOptionsOfIngest() throws {
        let scratch = try Scratch()
        _ = try scratch.shell("mkdir feeds")
        _ = try scratch.file("feeds/a.ndjson", "{\"id\":1,\"n\":1.50}\n{\"id\":\"x\"}\n")
        _ = try scratch.file("feeds/b.ndjson", "{\"id\":2,\"late\":[1]}\n{\n")
        let strict = try scratch.shell(
            "sluice convert --column id:integer --filename --rejects bad.ndjson --to csv feeds -o out.csv")
        #expect(strict.status == 2)
        #expect(strict.errors.hasPrefix("sluice: 2 records could not be read, and left out; all are in bad.ndjson; the first:\n"))
        #expect(try scratch.shell("cat out.csv").output == "id,filename\r\n1,feeds/a.ndjson\r\n2,feeds/b.ndjson\r\n")
        #expect(try scratch.shell("wc -l < bad.ndjson").output.contains("2"))
        let few = try scratch.shell("sluice convert --max-errors 0 'feeds/*.ndjson' -o out.csv --to csv")
        #expect(few.status == 4)
        #expect(try scratch.shell("cat out.csv").output.hasPrefix("id,filename"))
        #expect(try scratch.shell("sluice convert --contract freeze --column id:text feeds/a.ndjson").status == 5)
        let json = try scratch.shell("sluice convert --report json -o out.ndjson feeds/a.ndjson")
        #expect(json.status == 0)
        #expect(json.output.hasPrefix(#"{"outcome":"complete","reason":null,"exit_code":0,"database":"out.ndjson","table":"","#))
        #expect(json.output.contains(#""added":2"#))
        let dry = try scratch.shell("sluice convert --dry-run --to csv -o none.csv feeds/a.ndjson")
        #expect(dry.output.hasPrefix("dry run, nothing was written: 2 records would go into none.csv\n"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none.csv")))
        for wrong in [
            "--rejects bad feeds", "--to csv --contract evolve feeds", "--to arrow --rejects bad.ndjson feeds",
            "--to csv --columns id --column id:text feeds",
        ] {
            #expect(try scratch.shell("sluice convert \(wrong)").status == 64, "\(wrong)")
        }
    }

    #if os(Linux)
    @Test(arguments: ["ndjson", "csv", "arrow"]) func aFileTakesItsNameWhenItIsComplete(form: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("out", "precious\n")
        var fifo: Fifo? = try Fifo(scratch)
        for number in 0..<2_000 { fifo?.write("{\"a\":\(number)}\n") }
        let tool = try scratch.start("exec sluice convert --to \(form) -o out feed")
        fifo?.awaitReader()
        kill(tool.id, SIGTERM)
        #expect(try tool.result().status == 143)
        fifo = nil
        #expect(try scratch.shell("cat out; ls").output == "precious\nfeed\nout\n")
        #expect(
            try scratch.shell("echo '{\"a\":1}' | sluice convert --to \(form) -o out - && grep -c precious out").output == "0\n")
        #expect(try scratch.shell("ls").output == "feed\nout\n")
    }
    #endif

    @Test func aFeedWhoseLayoutIsDamagedIsNotReadToItsEnd() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.json", #"[{"a":1} {"a":2},{"a":3}]"#)
        let result = try scratch.shell("sluice convert -o out.ndjson in.json")
        #expect(result.status == 3)
        #expect(result.errors.contains("a comma is missing before it"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out.ndjson")))
        #expect(try scratch.shell("sluice convert in.json").output == "{\"a\":1}\n")
    }

    @Test func arrowHasDeclaredTypes() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"a":"2024-01-02","b":1,"c":1}"# + "\n" + #"{"a":"soon","b":2,"c":2}"# + "\n")
        let options = "--to arrow -o x.arrows --type a:date --type b:unix"
        let first = try scratch.shell("sluice convert \(options) in.ndjson")
        #expect(first.status == 2)
        #expect(first.errors.contains("expected a date without a time or null"))
        #expect(
            try scratch.shell("sluice convert --to arrow -o y.arrows --column a:date --column b:unix=c in.ndjson").status == 2)
        let wrong = try scratch.shell("sluice convert --to arrow -o x.arrows --type bb:unix in.ndjson")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("there is no such column"))
    }
}
#endif
