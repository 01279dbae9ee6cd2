#if CommandLine && os(Linux)
import Foundation
import GRDB
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceSQLite
@testable import SluiceTool

/// Paths that options name and no record has.
@Suite(.enabled(if: Shell.isPresent)) struct MisspeltPathTests {
    private static let records = "{\"id\":1,\"name\":\"a\",\"when\":\"2020-01-01T00:00:00Z\"}\n{\"id\":2,\"name\":null}\n"

    private func run(_ command: String) throws -> Shell.Result {
        let scratch = try Scratch()
        _ = try scratch.file("r.ndjson", Self.records)
        return try scratch.shell(command)
    }

    @Test(
        arguments: [
            ("ingest r.ndjson x.db --type whn:date", "no record has whn, whose type --type sets; did you mean when?"),
            ("ingest r.ndjson x.db --where 'idd = 1'", "no record has idd, which --where compares; did you mean id?"),
            (
                "ingest r.ndjson x.db --workers 2 --where 'idd = 1 or id > 0'",
                "no record has idd, which --where compares; did you mean id?"
            ),
            ("check --where 'idd = 1' r.ndjson", "no record has idd, which --where compares; did you mean id?"),
            ("check --workers 2 --where 'nam in (1)' r.ndjson", "no record has nam, which --where compares; did you mean name?"),
            ("convert --sensitive nam r.ndjson", "no record has nam, which --sensitive hides; did you mean name?"),
            ("convert --sensitive nam --workers 2 r.ndjson", "no record has nam, which --sensitive hides; did you mean name?"),
            ("convert --sensitive nam --to csv r.ndjson", "no record has nam, which --sensitive hides; did you mean name?"),
            (
                "convert --sensitive nam --to arrow -o x --columns id - < r.ndjson",
                "no record has nam, which --sensitive hides; did you mean name?"
            ),
            ("check --sensitive nam r.ndjson", "no record has nam, which --sensitive hides; did you mean name?"),
            (
                "check --workers 2 --sensitive id --sensitive nam --where 'id = 7' r.ndjson r.ndjson",
                "no record has nam, which --sensitive hides; did you mean name?"
            ),
            ("ingest r.ndjson x.db --json nam", "no record has nam, which --json keeps whole; did you mean name?"),
            ("infer --json nam r.ndjson", "no record has nam, which --json keeps whole; did you mean name?"),
            ("infer --as sql --json nam r.ndjson", "no record has nam, which --json keeps whole; did you mean name?"),
            ("convert --to csv --json nam r.ndjson", "no record has nam, which --json keeps whole; did you mean name?"),
            ("convert --to arrow -o x --json nam r.ndjson", "no record has nam, which --json keeps whole; did you mean name?"),
            ("query --json nam r.ndjson 'SELECT * FROM r'", "no record has nam, which --json keeps whole; did you mean name?"),
            ("convert --where 'idd = 1' r.ndjson", "no record has idd, which --where compares; did you mean id?"),
            ("convert --to csv --columns id,nam r.ndjson", "no record has nam, which nam reads; did you mean name?"),
            ("convert --to tsv --columns id,who=nam r.ndjson", "no record has nam, which who reads; did you mean name?"),
            ("convert --to arrow -o x --columns id,nam r.ndjson", "no record has nam, which nam reads; did you mean name?"),
            ("convert --to arrow -o x --columns id,nam - < r.ndjson", "no record has nam, which nam reads; did you mean name?"),
        ])
    func aMisspeltPathIsNamedWithTheOneThatWasMeant(command: String, message: String) throws {
        let result = try run("sluice \(command)")
        #expect(result.status == 2, "\(command)")
        #expect((result.output + result.errors).contains(message + "\n"), "\(command): \(result)")
    }

    @Test(
        arguments: [
            (
                "ingest r.ndjson x.db --type else:date",
                "no record has else, whose type --type sets; the columns are id, name, when\n"
            ),
            ("ingest r.ndjson x.db --where 'id = 1 or else = 3'", "no record has else, which --where compares\n"),
            ("ingest r.ndjson x.db --json else", "no record has else, which --json keeps whole\n"),
            ("check --sensitive else --sensitive else r.ndjson", "no record has else, which --sensitive hides\n"),
            ("convert --to csv --columns id,else r.ndjson", "no record has else, which else reads\n"),
        ])
    func aPathThatIsLikeNoneIsNamedWithoutAnErrorCode(command: String, message: String) throws {
        let result = try run("sluice \(command)")
        #expect(result.status == 0)
        #expect((result.output + result.errors).contains(message), "\(command): \(result)")
    }

    @Test func aTypeOfNoColumnIsRefusedWithTheColumnsThatThereAre() throws {
        let wide = "{" + (1...13).map { "\"c\($0)\":1" }.joined(separator: ",") + "}\n"
        for (name, hint) in [
            ("c14", "; did you mean c1?"), ("else", "; the columns are c1, c2, c3, c4, c5, c6, c7, c8, c9, c10 and 3 more"),
        ] {
            let scratch = try Scratch()
            _ = try scratch.file("w.ndjson", wide)
            let result = try scratch.shell("sluice ingest w.ndjson x.db --contract report --type \(name):text")
            #expect(result.status != 0)
            #expect(result.errors.contains("--type \(name): there is no such column\(hint)\n"), "\(result)")
        }
    }

    @Test(
        arguments: [
            "ingest r.ndjson x.db --type when:text", "ingest r.ndjson x.db --where 'not exists nam'",
            "check --where 'name = 1' r.ndjson", "convert --to csv --columns name r.ndjson",
            "check --where 'id = 7 and idd = 1' r.ndjson", "check --sensitive name --sensitive when r.ndjson",
            "check --workers 2 --where 'id = 2' --sensitive when r.ndjson",
            "ingest r.ndjson x.db --sample-size 1 --type when:text", "convert --to arrow -o x --columns name,when r.ndjson",
            "ingest r.ndjson x.db --json name --json when", "ingest r.ndjson x.db --sample-size 1 --json name.first",
            "infer --json when r.ndjson", "convert --to csv --json name --json when.x r.ndjson",
            "convert --where 'when = 1' r.ndjson", "ingest r.ndjson x.db --where 'name[0] != 1'",
        ])
    func aPathThatARecordHasIsNotNamed(command: String) throws {
        let result = try run("sluice \(command)")
        #expect(result.status == 0, "\(command)")
        #expect(!(result.output + result.errors).contains("did you mean"), "\(command): \(result)")
    }

    private static let unstored: [(records: String, option: String)] = [
        ("{\"id\":1,\"extra\":1}\n{\"id\":2,\"extra\":1}\n", "--contract discard-row"),
        ("{\"id\":1,\"extra\":1}\n{\"name\":\"x\"}\n", "--contract discard-row"),
        ("{\"id\":\"x\"}\n{\"id\":\"y\"}\n", ""), ("{\"id\":\"x\"}\n{\"name\":\"x\"}\n", ""),
        ("{\"id\":\"x\"}\n{\"id\":1,\"extra\":2}\n", "--contract discard-row"),
    ]

    @Test(arguments: unstored, [1, 2])
    func aPathOfARecordThatIsNotStoredIsNotNamed(_ feed: (records: String, option: String), workers: Int) throws {
        let scratch = try Scratch()
        _ = try scratch.file("m.ndjson", feed.records)
        let result = try scratch.shell(
            "sluice ingest m.ndjson x.db --workers \(workers) \(feed.option) --column id:integer --column nick:text=name")
        #expect(!(result.output + result.errors).contains("no record has id"), "\(result)")
    }

    @Test func thePathOfAnElementIsNamedAsErrorsDo() throws {
        for path in ["tags.0", "tags[0]"] {
            let result = try run("sluice ingest r.ndjson x.db --column id:integer --column 'first:text=\(path)'")
            #expect((result.output + result.errors).contains("no record has tags[0], which first reads\n"), "\(result)")
        }
    }

    @Test func aMisspeltCommandIsNamedWithTheOneThatWasMeant() throws {
        let result = try run("sluice inges r.ndjson x.db")
        #expect(result.status == 64)
        #expect(
            result.errors == "Error: 'inges' is no command; did you mean 'ingest'?\n  See 'sluice --help' for more information.\n"
        )
        let commands = "there are ingest, check, infer, convert, query, replay, status, locate, generate"
        #expect(try run("sluice r.ndjson").errors.contains(commands))
        #expect(try run("sluice help check").status == 0)
    }

    @Test(
        arguments: [
            ("{\"id\":1}\n{\"id\":2,\"item\":{\"a\":1},\"items\":{\"b\":1}}\n", "--sample-size 1"),
            ("{\"id\":1,\"item\":2}\n{\"items\":{\"b\":1}}\n", "--contract report --sample-size 1"),
            ("{\"id\":1,\"items\":[{\"a\":{\"b\":1}}]}\n", "--pk id --child items --json items.a"),
        ])
    func aPathOfJSONThatComesLateIsNotNamed(records: String, options: String) throws {
        let scratch = try Scratch()
        _ = try scratch.file("l.ndjson", records)
        let result = try scratch.shell("sluice ingest l.ndjson x.db --json items \(options)")
        #expect(!(result.output + result.errors).contains("no record has"), "\(result)")
    }

    // MARK: Options and their values

    @Test(
        arguments: [
            ("ingest r.ndjson x.db --pk id --chidlren tables", "--chidlren", "--children"),
            ("ingest r.ndjson x.db --chagnes ch", "--chagnes", "--changes"),
            ("ingest r.ndjson x.db --missng mark", "--missng", "--missing"),
            ("ingest r.ndjson x.db --dept 1", "--dept", "--depth"),
            ("ingest r.ndjson x.db --overflw rest", "--overflw", "--overflow"),
            ("ingest r.ndjson x.db --child-reject element", "--child-reject", "--child-rejects"),
            ("ingest r.ndjson x.db --chagnes=ch", "--chagnes", "--changes"),
            ("ingest r.ndjson -o x.db --chagnes ch", "--chagnes", "--changes"),
            ("convert --fromat ndjson r.ndjson", "--fromat", "--format"), ("check --worker 2 r.ndjson", "--worker", "--workers"),
            ("infer --dialekt postgres r.ndjson", "--dialekt", "--dialect"), ("query --memry 5", "--memry", "--memory"),
            ("replay --tabel t bad x.db", "--tabel", "--table"), ("generate --record 5 x", "--record", "--records"),
            ("ingest --no-resum r.ndjson x.db", "--no-resum", "--no-resume"),
        ])
    func aMisspeltOptionIsNamedWithTheOneThatWasMeant(command: String, option: String, meant: String) throws {
        let result = try run("sluice \(command)")
        #expect(result.status == 64, "\(command): \(result)")
        #expect(result.errors.hasPrefix("Error: Unknown option '\(option)'. Did you mean '\(meant)'?\n"), "\(command): \(result)")
        #expect(result.errors.contains("\nUsage: sluice "), "\(command): \(result)")
    }

    @Test(
        arguments: [
            ("replay --missing mark bad x.db", "Unknown option '--missing': replay does not have it; it is an option of ingest."),
            ("check --depth 1 r.ndjson", "it is an option of ingest, infer, convert, query, replay."),
            ("ingest --qwertz 1 r.ndjson x.db", "Error: Unknown option '--qwertz'\n"),
            ("ingest --format nonsense r.ndjson x.db", "'--format <format>'. Please provide one of"),
            ("ingest --append --drop r.ndjson x.db", "Error: --append, --truncate and --drop exclude each other.\n"),
            ("ingest -- --chagnes", "Error: Name the database with -o: sluice ingest --chagnes -o OUT.db\n"),
        ])
    func anOptionThatIsLikeNoneIsNamedAlone(command: String, error: String) throws {
        let result = try run("sluice \(command)")
        #expect(result.errors.contains(error), "\(command): \(result)")
        #expect(!result.errors.lowercased().contains("did you mean"), "\(command): \(result)")
    }

    @Test(
        arguments: [
            ("ingest --format ndjsn r.ndjson x.db", "'--format <format>'; did you mean 'ndjson'? Please provide one of"),
            ("ingest --contract evolv r.ndjson x.db", "; did you mean 'evolve'? Please provide one of"),
            ("convert --to cvs r.ndjson", "; did you mean 'csv'? Please provide one of"),
            ("ingest --children tabels r.ndjson x.db", "; did you mean 'tables'? Please provide one of"),
            ("ingest --pk id --child name=jso r.ndjson x.db", "'jso' in 'name=jso' is not json or tables; did you mean 'json'?"),
            ("ingest --pk id --child name=tabels r.ndjson x.db", "is not json or tables; did you mean 'tables'?"),
            ("infer --as sql --pk id --child name=jso r.ndjson", "is not json or tables; did you mean 'json'?"),
        ])
    func aMisspeltValueIsNamedWithTheOneThatWasMeant(command: String, error: String) throws {
        let result = try run("sluice \(command)")
        #expect(result.status == 64, "\(command): \(result)")
        #expect(result.errors.contains(error), "\(command): \(result)")
    }

    @Test func aKeyWithAnEqualsSignMayLeadToAnArray() throws {
        let scratch = try Scratch()
        _ = try scratch.file("e.ndjson", #"{"id":1,"a=b":[1],"c=jso":[2,3]}"# + "\n")
        let result = try scratch.shell(#"sluice ingest e.ndjson out.db --pk id --child a=b --child '"c=jso"'"#)
        #expect(result.status == 0, "\(result)")
        let tables: [String] = try scratch.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'records_%=%' AND type = 'table'")
            .map { $0[0] }
        #expect(tables.sorted() == ["records_a=b", "records_c=jso"])
    }

    @Test(arguments: ["ingest n.ndjson x.db", "infer --as sql n.ndjson"]) func aMisspeltPathOfTheKeyIsNamedWithItsColumn(
        command: String
    ) throws {
        let scratch = try Scratch()
        _ = try scratch.file("n.ndjson", #"{"k":{"id":1,"name":"a"},"other":2}"# + "\n")
        let result = try scratch.shell("sluice \(command) --pk k.idd")
        #expect(result.status == 64)
        #expect(result.errors.contains("--pk k.idd: there is no such column; did you mean k_id?"), "\(result)")
        let typed = try scratch.shell("sluice ingest n.ndjson y.db --type k.nam text")
        #expect((typed.output + typed.errors).contains("whose type --type sets; did you mean k_name?"))
    }

    @Test(arguments: [
        "ingest r.ndjson x.db --sample-size -1", "infer --sample-size -1 r.ndjson", "ingest --sample -1 r.ndjson -o x.db",
    ])
    func allRecordsAreSampledWithMinusOne(command: String) throws { #expect(try run("sluice \(command)").status == 0) }
}
#endif
