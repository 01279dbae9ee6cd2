// The article "Versions" against the tool: the exit codes, the report's keys, and the number itself wherever it is written.

#if CommandLine && os(Linux)
import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceTool

@Suite struct VersionsArticleTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: TestTables.repository.appendingPathComponent(path), encoding: .utf8)
    }

    private var article: String { get throws { try text("Sources/Engine/Sluice/Sluice.docc/Versions.md") } }

    @Test func eachExitCodeIsInTheTable() throws {
        let all: [SluiceTool.ExitStatus] = [
            .success, .invalid, .rejected, .inputOutput, .tooManyErrors, .frozen, .usage, .interrupted(signal: SIGINT),
            .interrupted(signal: SIGTERM),
        ]
        // A case that is not in the list above does not compile here.
        for status in all {
            switch status {
            case .success, .invalid, .rejected, .inputOutput, .tooManyErrors, .frozen, .usage, .interrupted: break
            }
        }
        let table = try #require(try article.split(separator: "| exit code | meaning |").last)
        let rows = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
        let codes = rows.flatMap { $0.split(separator: "|")[0].split(separator: ",") }.compactMap {
            Int32($0.trimmingCharacters(in: .whitespaces))
        }
        #expect(codes == all.map(\.code))
    }

    @Test(.enabled(if: Shell.isPresent)) func theReportHasTheKeysOfTheArticle() throws {
        let scratch = try Scratch()
        _ = try scratch.file("events.ndjson", "{\"id\":1}\n{\"id\":\n")
        let run = try scratch.shell("sluice ingest --report json events.ndjson events.db")
        #expect(run.status == 2)
        let report = try JSONObject(json: run.output)
        let block = try #require(try article.split(separator: "```text\n").last?.split(separator: "```").first)
        #expect(report.members.map(\.key) == block.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    @Test(.enabled(if: Shell.isPresent)) func theReportNamesThePathsOfTheColumnsOfEachTable() throws {
        let scratch = try Scratch()
        _ = try scratch.file("a.ndjson", #"{"id":1,"u":{"name":"x"},"items":[{"sku":"a","in":[5]}]}"# + "\n")
        let words = ["ingest", "a.ndjson", "-o", "out.db", "--children", "tables", "--report", "json"]
        let report = try JSONObject(json: try scratch.sluice(words).output)
        func paths(_ table: JSONValue?) -> [String] {
            table?["columns"]?.array?.map { "\($0["name"]?.string ?? "")=\($0["path"]?.string ?? "")" } ?? []
        }
        #expect(paths(.object(report)) == ["id=id", "u_name=u.name"])
        let children = report["children"]?.array ?? []
        #expect(children.map { $0["table"]?.string } == ["records_items", "records_items_in"])
        #expect(children.map(paths) == [["sku=items.sku"], ["value=items.in.value"]])
        let keys = try #require(try article.split(separator: "`children`: `").last?.split(separator: "`").first)
        #expect(children.first?.object?.members.map(\.key) == keys.split(separator: " ").map(String.init))
    }

    @Test(arguments: ["README.md", "Sources/Engine/Sluice/Sluice.docc/GettingStarted.md"])
    func thePackageThatIsShownAsksForThisVersion(path: String) throws {
        #expect(try text(path).contains("from: \"\(SluiceVersion.text)\""))
    }

    @Test func theChangelogBeginsWithThisVersion() throws {
        let versions = try text("CHANGELOG.md").matches(of: /(?m)^## \[([0-9.]+)\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$/).map(\.1)
        #expect(versions.first == SluiceVersion.text[...])
    }
}
#endif
