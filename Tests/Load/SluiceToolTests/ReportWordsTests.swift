// What reports and errors of the loader say in the words of the command line. What they are about is tested in SluiceIngestTests.

#if CommandLine
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore
@testable import SluiceFeed
@testable import SluiceIngest
@testable import SluiceTool

@Suite struct ReportWordsTests {
    // MARK: Rows with keys

    private static let first = #"{"id":1,"a":"x","b":1}"# + "\n" + #"{"id":2,"a":"y","b":2}"#
    private static let second = #"{"id":2,"a":null,"c":true}"# + "\n" + #"{"id":3,"a":"z","b":3}"#

    @Test(arguments: [
        (KeyConflict.upsert, "1 added, 1 changed, 3 now in records"), (.ignore, "1 added, 1 there already, 3 now in records"),
    ])
    func aReportCountsWhatBecameOfTheRows(conflict: KeyConflict, words: String) throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(Self.first) { $0.primaryKey = ["id"] }
        let report = try scratch.ingest(Self.second) { ($0.primaryKey, $0.conflict) = (["id"], conflict) }
        #expect(report.text.contains(words))
        #expect(try scratch.ingest(#"{"id":9}"#) { $0.existing = .drop }.text.contains("1 added, 1 now in records"))
        try scratch.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) INSERT INTO records SELECT 9 + i FROM n"
        )
        #expect(try scratch.ingest(#"{"id":1}"#) { $0.existing = .append }.text.contains("1 added, 1,202 now in records"))
    }

    @Test func anUnusablePrimaryKeyIsAnErrorThatNamesIt() throws {
        let scratch = try Scratch()
        let misspelt = #expect(throws: IngestError.self) { try scratch.ingest(Self.first) { $0.primaryKey = ["idd"] } }
        #expect(misspelt?.commandLine == "--pk idd: there is no such column; did you mean id?")
        #expect(misspelt?.status.code == 64)
        let missing = #expect(throws: IngestError.self) { try scratch.ingest(Self.first) { $0.conflict = .upsert } }
        #expect(missing?.commandLine.hasPrefix("--upsert, --ignore and --replace need a key") == true)
    }

    @Test(arguments: [ExistingTable.drop, .truncate]) func rowsThatOtherRowsReferToAreNamedWithTheOption(existing: ExistingTable)
        throws
    {
        let scratch = try Scratch()
        try scratch.execute(
            """
            CREATE TABLE records (id INTEGER PRIMARY KEY); CREATE TABLE other (ref INTEGER REFERENCES records (id) ON DELETE CASCADE);
            INSERT INTO records VALUES (1); INSERT INTO other VALUES (1)
            """)
        let error = #expect(throws: IngestError.self) { try scratch.ingest(#"{"id":3}"#) { $0.existing = existing } }
        let option = existing == .drop ? "--drop" : "--truncate"
        #expect(
            error?.commandLine == "rows of the table other refer to rows of records, which \(option) would remove; "
                + "remove those of other first, or load into another --table")
    }

    // MARK: Keys without a column

    private static let feed = [
        #"{"id":1,"actor":{"id":10,"login":"a"}}"#, #"{"id":2,"actor":{"id":11,"login":"b"}}"#,
        #"{"id":3,"actor":{"id":12,"login":"c","site":{"admin":true,"tags":[ 1, 2 ]}},"org":{"name":"x","n":1.5}}"#,
        #"{"id":4,"actor":"gone","note":"late"}"#, #"{"id":5,"actor":null,"note":null,"empty":{}}"#,
        #"{"id":6,"actor":[7],"org":3,"note":"again"}"#,
    ].joined(separator: "\n")

    @Test(arguments: [
        (KeyContract.evolve, "columns for keys that came late: actor.site.admin (line 3)", 0),
        (.report, "8 values of keys without a column are left out: actor.site (1, first at line 3), org (2", 2),
        (.freeze, "stopped: the key 'actor.site' has no column (line 3)", 5),
        (.discardRow, "4 records with keys without a column left out", 0),
    ])
    func aReportSaysWhatTheContractDid(contract: KeyContract, words: String, code: Int32) throws {
        let report = try Scratch().ingest(Self.feed) { ($0.sample, $0.contract) = (2, contract) }
        #expect(report.text.contains(words))
        #expect(report.status.code == code)
    }

    @Test(arguments: [
        ("who:text=actor.logn", "which who reads; did you mean actor.login?", 2),
        ("who:text=login", "which who reads; did you mean actor.login?", 2),
        ("who:text=Actor.Login", "which who reads; did you mean actor.login?", 2),
        ("x:text=nothing.like.it", "no record has nothing.like.it, which x reads\n", 0),
    ])
    func aDeclaredColumnThatNeverBoundIsNamed(column: String, words: String, code: Int32) throws {
        let report = try Scratch().ingest(Self.feed, columns: ["id:integer", column])
        #expect(report.text.contains(words))
        #expect(report.status.code == code)
    }

    // MARK: What was lost

    @Test func aLaterRunSaysWhatEarlierOnesHaveLeftOut() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", #"{"id":1}"# + "\n" + #"{"id":2,"late":5}"#)
        for run in 1...2 {
            let report = try scratch.ingest(file: file) { ($0.sample, $0.contract) = (1, .report) }
            #expect(report.status.code == 2)
            #expect(report.text.contains("nothing to do") == (run == 2))
            #expect(report.text.contains("note: 1 value of keys without a column left out by earlier runs\n") == (run == 2))
        }
    }

    @Test func digitsThatTheDatabaseChangesAreReported() throws {
        let report = try Scratch().ingest(#"{"zip":1}"# + "\n" + #"{"zip":"00123"}"# + "\n" + #"{"zip":"12"}"#) { $0.sample = 1 }
        #expect(
            report.text.contains("zip: the database made other digits of 2 values to fit the column's type, the first is '00123'")
        )
        #expect(report.status.code == 2)
    }

    @Test func valuesOfGeneratedColumnsAreLeftOutAndCounted() throws {
        let scratch = try Scratch()
        try scratch.execute("CREATE TABLE records (id INTEGER PRIMARY KEY, twice AS (a * 2) STORED, a INTEGER)")
        let report = try scratch.ingest(#"{"id":1,"a":2,"twice":5}"# + "\n" + #"{"id":2,"a":3,"twice":null}"#) {
            $0.existing = .append
        }
        #expect(report.text.contains("twice: the table generates its values, so 1 value of the records is left out"))
        #expect(report.json.contains(#""left_out":[{"path":"twice","count":1,"first":""}]"#))
        #expect(report.status.code == 2)
    }

    @Test func anArrayThatBecomesATextIsReportedWithItsRemedy() throws {
        let scratch = try Scratch()
        _ = try scratch.ingest(#"{"id":1,"v":"x"}"#)
        let second = [#"{"id":2,"v":{"d":1}}"#, #"{"id":3,"v":[1]}"#, #"{"id":4,"v":"y"}"#].joined(separator: "\n")
        let report = try scratch.ingest(second) { ($0.existing, $0.sample) = (.append, 1) }
        #expect(report.text.contains("v: the database changed 1 value to fit the column's type, the first is [1]"))
        #expect(report.text.contains("the first is [1]; --json v keeps them in a new table"))
        #expect(!report.text.contains("--type"))
        #expect(report.status.code == 2)
    }

    @Test(arguments: [
        ([#"{"id":1,"tags":[{"x":"s"}]}"#, #"{"id":4,"tags":[{"x":"a"},{"x":{"q":1}}]}"#], ["--children", "tables"], "tags.x"),
        ([#"{"id":1,"o":{"x":"s"}}"#, #"{"id":2,"o":{"x":[1]}}"#], ["--sensitive", "o.x"], "o.x"),
    ]) func theRemedyForAnArrayNamesItsPath(feeds: [String], options: [String], path: String) throws {
        let scratch = try Scratch()
        for (index, feed) in feeds.enumerated() { _ = try scratch.file("\(index).ndjson", feed + "\n") }
        let words = ["-o", "out.db"] + options
        #expect(try scratch.sluice(["ingest", "0.ndjson"] + words).status == 0)
        let run = try scratch.sluice(["ingest", "--append", "1.ndjson"] + words)
        #expect(run.status == 2 && run.output.contains("; --json \(path) keeps them in a new table"), "\(run)")
        let remedied = ["ingest", "0.ndjson", "1.ndjson", "-o", "new.db", "--json", path] + options
        #expect(try scratch.sluice(remedied).status == 0)
    }

    @Test func aLaterRunSaysWhatTheTableDoesNotTakeAndWhatItChanged() throws {
        for (table, line, note) in [
            (
                "v INTEGER, w INTEGER GENERATED ALWAYS AS (v * 2)", #"{"v":1,"w":5}"#,
                "note: 1 value of columns that the table does not take left out by earlier runs\n"
            ), ("v INTEGER", #"{"v":true}"#, "note: 1 value changed to fit a column's type by earlier runs\n"),
        ] {
            let scratch = try Scratch()
            try scratch.execute("CREATE TABLE records (\(table))")
            let file = try scratch.file("a.ndjson", line)
            for run in 1...2 {
                let report = try scratch.ingest(file: file) { $0.existing = .append }
                #expect(report.status.code == 2)
                #expect(report.text.contains(note) == (run == 2), "\(report.text)")
            }
        }
    }

    // MARK: Inputs that earlier runs have read

    @Test func aRunThatHasNothingToDoSaysWhatIsThere() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        _ = try scratch.ingest(file: file)
        let again = try scratch.ingest(file: file)
        #expect(again.text.hasPrefix("nothing to do: all records of the input are in "))
        #expect(again.text.contains("which has 2 rows"))
        #expect(again.status == .success)
        _ = try scratch.file("b.ndjson", "{\"a\":1}\nx\n{\"a\":2}\n")
        #expect(try scratch.ingest(file: scratch.path("b.ndjson")) { $0.existing = .append }.status == .rejected)
        let rejected = try scratch.ingest(file: scratch.path("b.ndjson"))
        #expect(rejected.text.hasPrefix("nothing to do: all records but 1, rejected by earlier runs, of the input are in "))
        #expect(rejected.status == .rejected)
        _ = try scratch.file("b.ndjson", "{\"a\":1}\nx\n{\"a\":2}\n{\"a\":3}\n")
        let grown = try scratch.ingest(file: scratch.path("b.ndjson"))
        #expect(grown.text.hasSuffix("\n1 record rejected by earlier runs\n"))
        #expect(grown.json.contains(#""rejected":0,"rejected_before":1,"#))
        #expect(grown.status == .rejected)
    }

    @Test func anInputThatIsNotTakenUpIsNamedWithTheOptionsThatHelp() throws {
        let scratch = try Scratch()
        let file = try scratch.file("a.ndjson", "{\"a\":1}\n{\"a\":2}\n")
        _ = try scratch.ingest(file: file) { $0.limit = 1 }
        let other = #expect(throws: IngestError.self) {
            try scratch.ingest(file: file) { $0.columns = try! [ColumnOption("b:integer=a").column] }
        }
        #expect(other?.commandLine.contains("with other columns, another --at or another --where; --restart forgets it") == true)
        _ = try scratch.ingest(file: file)
        _ = try scratch.file("a.ndjson", "{\"a\":7}\n{\"a\":8}\n{\"a\":9}\n")
        let changed = #expect(throws: IngestError.self) { try scratch.ingest(file: file) }
        #expect(
            changed?.commandLine.hasSuffix(
                "is not the input of which 2 records were read into the table: expected the feed of the checkpoint, found one that "
                    + "begins differently; --restart reads it from its start, as another input") == true)
    }

    @Test(arguments: [nil, "other"]) func aRejectionThatIsOutOfDateIsNoted(rejects: String?) throws {
        let scratch = try Scratch()
        let file = try scratch.file("in.json", "{\"a\":1}\n{\"a\":")
        #expect(try scratch.ingest(file: file) { $0.rejects = "bad" }.status == .rejected)
        _ = try scratch.file("in.json", "{\"a\":1}\n{\"a\":2}\n")
        let report = try scratch.ingest(file: file) { $0.rejects = rejects }
        let note = "note: 1 record in which an input had ended was read again; the earlier rejection is out of date, and was not "
        #expect(report.text.contains(note + (rejects.map { "found in \($0)" } ?? "removed")), "\(report.text)")
        #expect(report.status == .success)
    }
}
#endif
