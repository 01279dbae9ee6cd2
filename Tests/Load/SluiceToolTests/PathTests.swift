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

/// The table of paths, by the options of the tool.
@Suite struct PathTests {
    private func text(_ value: JSONValue?) -> String { value.map { $0.string ?? "\($0.int ?? -1)" } ?? "" }

    @Test(arguments: PathCases.all) func columnTypeAndKeyFindThePath(path: PathCase) throws {
        let column = try ColumnOption("x:text=" + path.path).column
        #expect(column.keys == [JSONKeyPath(components: path.keys)])
        #expect(try TypeOption(path.path + ":text").isMeant(for: "another", path.keys))
        #expect(!(try TypeOption(path.path + ":text").isMeant(for: "another", path.keys + ["more"])))
        let layout = TableLayout([IngestColumn(name: "y", type: .text, source: .overflow), IngestColumn(column)])
        #expect(layout.index(of: path.path) == 1)
        // What infer prints is read again.
        let printed = JSONColumn(name: path.keys.joined(separator: "_"), type: .text, keys: column.keys)
        #expect(try ColumnOption(ColumnOption.text(of: printed)).column == printed)
    }

    @Test(arguments: PathCases.all) func conditionsFindThePath(path: PathCase) throws {
        let literal = path.value?.int.map { "\($0)" } ?? "'\(text(path.value))'"
        for (condition, holds) in [("exists \(path.path)", path.value != nil), ("\(path.path) = \(literal)", path.value != nil)] {
            var filter = try WhereClause(condition).makeFilter()
            let record = Array(PathCases.document.utf8)
            #expect(unsafe record.withUnsafeBytes { unsafe filter.matches($0) } == holds, "\(condition)")
        }
    }

    @Test(.enabled(if: Shell.isPresent)) func columnsOfConvertAreReadAtTheirPaths() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", PathCases.document + "\n")
        let columns = PathCases.all.enumerated().map { "c\($0)=\($1.path)" }.joined(separator: ",")
        let result = try scratch.sluice(["convert", "--to", "tsv", "--columns", columns, scratch.path("in.ndjson")])
        let values = result.output.split(separator: "\n").last?.split(separator: "\t", omittingEmptySubsequences: false).map(
            String.init)
        #expect(values == PathCases.all.map { text($0.value) })
    }

    @Test(arguments: PathCases.all) func recordsAreReadAtThePath(path: PathCase) throws {
        let feed = try JSONFeed<JSONValue>(
            bytes: Array(PathCases.document.utf8), options: .init(format: .object, at: JSONRecordPath(path.path)))
        if path.value == nil {
            #expect(throws: JSONError.self) { while try feed.next() != nil {} }
        } else {
            #expect(try feed.next() == path.value)
            #expect(try feed.next() == nil)
        }
    }

    @Test(arguments: PathCases.wrong) func aTextThatIsNoPathIsRefusedAtItsColumn(wrong: WrongPath) throws {
        let column = #expect(throws: IngestError.self) { try ColumnOption("x:text=" + wrong.path) }
        #expect(column?.description.contains("(column \(wrong.column)); ") == true, "\(column?.description ?? "")")
        let condition = #expect(throws: WhereError.self) { try WhereClause("exists " + wrong.path) }
        #expect(condition?.offset == "exists ".count + wrong.column - 1)
        let records = #expect(throws: JSONError.self) { try JSONRecordPath(wrong.path) }
        #expect(records?.column == wrong.column)
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            (["convert", "--to", "csv", "--columns", "id, a..b", "in"], "(column 7)"),
            (["convert", "--to", "csv", "--columns", "id,who=a[", "in"], "(column 10)"),
            (["convert", "--at", "a..b", "in"], "(column 3 of the path 'a..b')"),
            (["ingest", "--column", "x:text=a[-1]", "in", "out"], "(column 3)"),
            (["check", "--where", "id = 1 and a..b = 1", "in"], "(column 14)"),
        ])
    func theCommandLineSaysWhere(arguments: [String], position: String) throws {
        let result = try Scratch().sluice(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains(position), "\(result.errors)")
    }

    @Test(
        .enabled(if: Shell.isPresent),
        arguments: [
            (#"{"performances":[{"seats":[1,2]},{"seats":[3]}]}"#, "performances.seats", "'performances[*].seats'"),
            (#"{"data":{"items":[1,2,3]}}"#, "data/items", "'data.items'"),
            (#"{"data":{"my.items":[1,2,3]}}"#, "data.my_items", #"'data."my.items"'"#),
            (#"{"data":[{"a":[{"x":1},{"x":2},{"x":3}]}]}"#, "data.a", "'data[*].a'"),
        ])
    func theSuggestedPathLeadsToTheRecords(text: String, wrong: String, suggested: String) throws {
        let scratch = try Scratch()
        let file = try scratch.file("in.json", text)
        let result = try scratch.sluice(["check", "--at", wrong, file])
        let path = try #require(result.output.firstMatch(of: /did you mean ('.+')\?/)?.1)
        #expect(path == suggested)
        let found = try scratch.sluice(["check", "--at", String(path.dropFirst().dropLast()), file])
        #expect(found.output.contains("valid: 3 records"), "\(found.output)")
    }

    @Test(.enabled(if: Shell.isPresent)) func whatInferPrintsIsRead() throws {
        let scratch = try Scratch()
        let record = #"{"k8s.pod.name":"p","k8s":{"pod":{"name":"q"}},"a=b":1,"n":{"x y":2},"q\"":3}"#
        _ = try scratch.file("in.ndjson", record + "\n")
        let printed = try scratch.shell("sluice infer in.ndjson").output.split(separator: "\n").map(String.init)
        #expect(
            printed == [
                "k8s.pod.name:text", "k8s_pod_name:text=k8s.pod.name", #""a=b":integer"#, #"n_x y:integer=n."x y""#,
                #""q\"":integer"#,
            ])
        let options = printed.flatMap { ["--column", $0] }
        let result = try scratch.sluice(["ingest", scratch.path("in.ndjson"), scratch.path("out.db")] + options)
        #expect(result.status == 0, "\(result)")
        #expect(
            try scratch.rows("SELECT * FROM records")
                == [["k8s.pod.name": "p", "k8s_pod_name": "q", "a=b": 1, "n_x y": 2, "q\"": 3]])
    }

    @Test(.enabled(if: Shell.isPresent)) func keysAndTypesAreNamedByPaths() throws {
        let scratch = try Scratch()
        _ = try scratch.file("in.ndjson", #"{"actor":{"id":1},"k8s.pod":{"ip":7}}"# + "\n")
        let result = try scratch.shell(
            #"sluice ingest in.ndjson out.db --pk actor.id --type actor.id:text --type '"k8s.pod".ip' text"#)
        #expect(result.status == 0, "\(result)")
        #expect(try scratch.value("SELECT typeof(actor_id) || typeof(\"k8s.pod_ip\") FROM records") == "texttext")
    }
}
#endif
