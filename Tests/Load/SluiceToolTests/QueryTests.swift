#if CommandLine && os(Linux)
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// Questions in SQL about feeds.
@Suite(.enabled(if: Shell.isPresent)) struct QueryTests {
    private func scratch() throws -> Scratch {
        let scratch = try Scratch()
        _ = try scratch.file(
            "events.ndjson",
            #"{"id":1,"user":{"id":7},"ok":true,"tags":["a"],"price":1.5}"# + "\n"
                + #"{"id":2,"user":{"id":8},"ok":false,"note":"x, \"y\""}"# + "\n")
        _ = try scratch.file("users.json", #"[{"id":7,"name":"Ann"},{"id":8,"name":"Bö"}]"#)
        return scratch
    }

    @Test(arguments: [
        ("csv", "id,ok,tags,price,note\r\n1,true,\"[\"\"a\"\"]\",1.5,\r\n2,false,,,\"x, \"\"y\"\"\"\r\n"),
        ("tsv", "id\tok\ttags\tprice\tnote\n1\ttrue\t[\"a\"]\t1.5\t\n2\tfalse\t\t\tx, \"y\"\n"),
        (
            "ndjson",
            #"{"id":1,"ok":true,"tags":["a"],"price":1.5,"note":null}"# + "\n"
                + #"{"id":2,"ok":false,"tags":null,"price":null,"note":"x, \"y\""}"# + "\n"
        ),
        (
            "json",
            "[\n" + #"{"id":1,"ok":true,"tags":["a"],"price":1.5,"note":null}"# + ",\n"
                + #"{"id":2,"ok":false,"tags":null,"price":null,"note":"x, \"y\""}"# + "\n]\n"
        ),
        (
            "table",
            "id  ok     tags   price  note\n--  -----  -----  -----  --------\n 1  true   [\"a\"]    1.5  \n 2  false                x, \"y\"\n2 rows\n"
        ),
    ])
    func anAnswerIsWrittenInEachForm(form: String, text: String) throws {
        let scratch = try scratch()
        let sql = "SELECT id, ok, tags, price, note FROM events ORDER BY id"
        let result = try scratch.shell("sluice query --to \(form) events.ndjson '\(sql)'")
        #expect(result == Shell.Result(status: 0, output: text.replacing("--------", with: "------"), errors: ""))
    }

    @Test func infinityIsAWord() throws {
        let scratch = try scratch()
        let sql = "SELECT 1e999 AS i, -1e999 AS j, NULL AS n, char() AS e"
        let sheet = try scratch.shell("sluice query --to csv events.ndjson '\(sql)'")
        #expect(sheet == Shell.Result(status: 0, output: "i,j,n,e\r\nInfinity,-Infinity,,\"\"\r\n", errors: ""))
        let lines = try scratch.shell("sluice query events.ndjson '\(sql)'")
        #expect(lines.output == #"{"i":"Infinity","j":"-Infinity","n":null,"e":""}"# + "\n")
    }

    @Test func valuesThatAreInNoTableAreNamed() throws {
        let scratch = try scratch()
        let lines = (0..<2_100).map { #"{"id":\#($0),"k\#($0)":1}"# }
        _ = try scratch.file("wide.ndjson", lines.joined(separator: "\n"))
        let result = try scratch.shell("sluice query wide.ndjson 'SELECT count(*) AS n FROM wide'")
        #expect(result.status == 2)
        #expect(result.output == #"{"n":2100}"# + "\n")
        #expect(result.errors.contains("101 values of keys beyond the columns of a table left out: 'k1999' (1)"))
        // The text comes after the sample.
        _ = try scratch.file("late.ndjson", (0..<1_000).map { "{\"a\":\($0)}\n" }.joined() + #"{"a":"007"}"#)
        let late = try scratch.shell("sluice query late.ndjson 'SELECT count(*) AS n FROM late'")
        #expect(late.status == 2)
        #expect(late.errors.contains("a: the database made other digits of 1 value"))
    }

    @Test func feedsAreJoinedByTheNamesOfTheirFiles() throws {
        let scratch = try scratch()
        let sql = "SELECT events.id, users.id, name FROM events JOIN users ON users.id = user_id ORDER BY 1"
        let result = try scratch.shell("sluice query events.ndjson users.json '\(sql)'")
        #expect(
            result
                == Shell.Result(
                    status: 0, output: "{\"id\":1,\"id_2\":7,\"name\":\"Ann\"}\n{\"id\":2,\"id_2\":8,\"name\":\"Bö\"}\n",
                    errors: ""))
        // NDJSON is what the tool reads.
        #expect(
            try scratch.shell("sluice query users.json 'SELECT name FROM users' | sluice query - 'SELECT count(*) n FROM stdin'")
                .output
                == "{\"n\":2}\n")
        #expect(
            try scratch.shell("sluice query -o out.csv.gz users.json 'SELECT id FROM users' && gzip -dc out.csv.gz").output
                == "id\r\n7\r\n8\r\n")
    }

    @Test(arguments: [
        ("events.ndjson.gz", "events"), ("a/my-feed.json", "my_feed"), ("2024.json", "_2024"), ("logs/*.ndjson", "logs"),
        ("sqlite_x.json", "_sqlite_x"), ("-", "stdin"), ("größe.json", "größe"), ("folder/", "folder"), ("...", "feed"),
        ("part-*.json", "part__"),
    ])
    func aTableIsNamedAfterItsFile(argument: String, name: String) {
        #expect(FeedDatabase.name(of: argument) == name)
    }

    @Test func filesOfOneNameAreTwoTablesAndAPatternIsOne() throws {
        let scratch = try scratch()
        _ = try scratch.shell("mkdir a b; cp users.json a; cp users.json b")
        let two = try scratch.shell(
            "sluice query a/users.json b/users.json 'SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM users_2) n'")
        #expect(two.output == "{\"n\":4}\n", "\(two)")
        #expect(try scratch.shell("sluice query '?/users.json' 'SELECT count(*) n FROM users'").output == "{\"n\":4}\n")
        #expect(try scratch.shell("sluice query a 'SELECT count(*) n FROM a'").output == "{\"n\":2}\n")
    }

    @Test(arguments: [
        "ATTACH 'x.db' AS x", "PRAGMA journal_mode = WAL", "PRAGMA writable_schema = 1", "INSERT INTO users VALUES (9, 'x')",
        "DELETE FROM users", "UPDATE users SET id = 1", "DROP TABLE users", "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)",
        "VACUUM INTO 'x.db'",
        "BEGIN", "SAVEPOINT s", "ANALYZE", "REINDEX", "SELECT load_extension('x')", "WITH a AS (SELECT 1) DELETE FROM users",
        "UPDATE sqlite_master SET sql = 1", "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM users", "", " -- nothing",
    ])
    func aQueryThatDoesMoreThanReadIsRefused(sql: String) throws {
        let scratch = try scratch()
        let result = try scratch.shell("sluice query users.json \"\(sql)\"")
        #expect(result.status == 64, "\(result)")
        #expect(result.output == "")
        #expect(try scratch.shell("ls").output == "events.ndjson\nusers.json\n")
    }

    @Test(arguments: [
        "SELECT count(*) AS n FROM users;",
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2) SELECT max(n) AS n FROM c",
        "SELECT count(*) AS n FROM users, json_each('[1]')", "SELECT count(*) AS n FROM pragma_table_info('users') -- columns",
    ])
    func aQueryThatReadsIsAnswered(sql: String) throws {
        let result = try scratch().shell("sluice query users.json \"\(sql)\"")
        #expect(result == Shell.Result(status: 0, output: "{\"n\":2}\n", errors: ""))
    }

    @Test(arguments: [
        ("SELECT id FORM users", "sluice: the query: near \"users\": syntax error\n  SELECT id FORM users\n                 ^\n"),
        (
            "SELECT 'ä', nme FROM users",
            "no such column: nme; did you mean name?\n  SELECT 'ä', nme FROM users\n              ^\n"
        ),
        ("SELECT * FROM usrs", "no such table: usrs; did you mean users?\n  SELECT * FROM usrs\n                ^\n"),
        ("SELECT\n  zzz\nFROM users", "no such column: zzz; the columns are id, name\n    zzz\n    ^\n"),
        ("SELECT json_extract(name, '$') FROM users", "the query: malformed JSON\n"),
    ])
    func anErrorOfAQueryPointsAtThePosition(sql: String, text: String) throws {
        let result = try scratch().shell("sluice query users.json \"\(sql.replacing("$", with: "\\$"))\"")
        #expect(result.status == 64)
        #expect(result.errors.hasSuffix(text), "\(result.errors)")
    }

    @Test func aMisspeltQueryIsRefusedBeforeItsFeedsAreRead() throws {
        let scratch = try scratch()
        let result = try scratch.shell("mkfifo pipe; sluice query pipe 'SELEC 1'")
        #expect(result.status == 64)
        #expect(result.errors.contains("near \"SELEC\": syntax error"))
    }

    @Test func recordsThatCannotBeReadAreNamed() throws {
        let scratch = try scratch()
        _ = try scratch.file("bad.ndjson", "{\"id\":1}\n{\"id\":nul}\n")
        let result = try scratch.shell("sluice query bad.ndjson 'SELECT count(*) n FROM bad'")
        #expect(result.status == 2)
        #expect(result.output == "{\"n\":1}\n")
        #expect(result.errors.contains("1 record could not be read"))
    }

    @Test(arguments: [
        "users.json", "'SELECT 1' users.json", "missing.json 'SELECT 1'", "--to csv -o x.json users.json 'SELECT 1'",
        "--memory 0 users.json 'SELECT 1'",
        "-o users.json users.json 'SELECT 1'", "--to cvs users.json 'SELECT 1'",
    ])
    func aWrongCommandLineIsRefused(arguments: String) throws {
        let scratch = try scratch()
        let result = try scratch.shell("sluice query \(arguments)")
        #expect([64, 3].contains(result.status) && result.output == "", "\(result)")
        #expect(try scratch.shell("ls").output == "events.ndjson\nusers.json\n")
    }

    @Test func whatIsMoreThanTheMemoryIsInATemporaryFile() throws {
        let scratch = try Scratch()
        let lines = (0..<40_000).map { "{\"id\":\($0),\"text\":\"\(String(repeating: "x", count: 200))\"}\n" }.joined()
        _ = try scratch.file("big.ndjson", lines)
        let result = try scratch.shell("sluice query --memory 1 big.ndjson 'SELECT count(*) n, max(id) m FROM big'")
        #expect(result == Shell.Result(status: 0, output: "{\"n\":40000,\"m\":39999}\n", errors: ""))
        #expect(try scratch.shell("ls").output == "big.ndjson\n")
    }

    // MARK: The table on a terminal

    private func grid(_ rows: [[ResultValue]], _ names: [String], width: Int = 80) throws -> String {
        final class Memory: ByteSink, @unchecked Sendable {
            var bytes: [UInt8] = []
            func write(_ new: UnsafeRawBufferPointer) { unsafe bytes += Array(new) }
        }
        let memory = Memory()
        var grid = ResultGrid(width: width, to: memory)
        grid.begin(names.map { ResultColumn(name: $0) })
        for row in rows { try grid.append(row) }
        try grid.finish()
        return String(decoding: memory.bytes, as: UTF8.self)
    }

    @Test func aTableCommandsNoTerminalAndCutsLongTexts() throws {
        let escape = ResultValue.text(Array("\u{1B}[2J\na\u{202E}".utf8))
        #expect(try grid([[escape]], ["v"]) == "v\n\(String(repeating: "-", count: 20))\n\\u{1b}[2J\\na\\u{202e}\n1 row\n")
        let long = ResultValue.text(Array(String(repeating: "x", count: 100).utf8))
        let text = try grid([[.integer(1), long]], ["id", "v"], width: 40)
        #expect(text.split(separator: "\n").allSatisfy { ResultGrid.width(of: String($0)) <= 40 })
        #expect(text.contains("x…"))
        #expect(try grid([[.text(Array("日本".utf8)), .integer(1)]], ["v", "n"]) == "v     n\n----  -\n日本  1\n1 row\n")
        #expect(try grid([], ["v"]) == "v\n-\n0 rows\n")
    }

    @Test func rowsAfterTheSampleAreWrittenToo() throws {
        let text = try grid((0..<2_500).map { [.integer(Int64($0))] }, ["n"])
        #expect(text.split(separator: "\n").count == 2_503)
        #expect(text.hasSuffix("2499\n2,500 rows\n"))
    }

    @Test func theAnswerOnATerminalIsATable() throws {
        let scratch = try scratch()
        let terminal = try PseudoTerminal()
        #expect(try scratch.shell("sluice query users.json 'SELECT id FROM users' > \(terminal.path)").status == 0)
        #expect(terminal.shown() == "id\n--\n 7\n 8\n2 rows\n")
    }
}
#endif
