#if CommandLine
import Foundation
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

    /// `psql -c '\copy …'` would end there, and say nothing of the rows behind it.
    @Test func aTextThatEndsTheRowsForPsqlIsQuoted() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"a":"\\."}"# + "\n")
        #expect(try scratch.shell("sluice convert --to csv in.ndjson").output == "a\r\n\"\\.\"\r\n")
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
        // A stream begins and ends with a mark; names and text stand in it as they are.
        #expect(
            try scratch.shell("head -c 4 out | od -An -tx1; tail -c 8 out | od -An -tx1").output
                == " ff ff ff ff\n ff ff ff ff 00 00 00 00\n")
        #expect(try scratch.shell("grep -ac 'a_b' out; grep -ac x out").output == "1\n1\n")
        // A pipe gives the same, and so do columns that are chosen.
        #expect(try scratch.shell("cat in.ndjson | sluice convert --to arrow - | cmp - out").status == 0)
        #expect(try scratch.shell("sluice convert --to arrow --columns a.b,s in.ndjson | cmp - out").status == 0)
        #expect(try scratch.shell("sluice convert --to arrow --where 'a.b = 2' in.ndjson | grep -ac x").output == "0\n")
    }

    #if Compression
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
}
#endif
