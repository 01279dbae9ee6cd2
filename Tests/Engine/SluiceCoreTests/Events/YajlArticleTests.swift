// Sources/Engine/Sluice/Sluice.docc/YAJL.md says what yajl does and what Sluice does about it, and names the tests that hold it. These tests see to it
// that the article speaks of every point, and of tests that are there.

import Foundation
import SluiceTestSupport
import Testing

@Suite struct YajlArticleTests {
    private static let article = TestTables.repository.appendingPathComponent("Sources/Engine/Sluice/Sluice.docc/YAJL.md")
    /// How the last cell of a row begins that has no test.
    private static let exception = "No test: "

    private func rows() throws -> [TestRow] { try TestTables.rows(of: Self.article, "P") }

    @Test func everyPointHasARow() throws {
        #expect(try rows().map(\.name) == (1...40).map { "P\($0)" })
        for row in try rows() {
            #expect(row.cells.count == 4, "\(row.name)")
            for cell in row.cells { #expect(!cell.isEmpty, "\(row.name)") }
        }
    }

    @Test func everyPointIsNamedByATestOrSaysWhyNot() throws {
        for row in try rows() {
            if let reason = row.cells.last, reason.hasPrefix(Self.exception) {
                #expect(reason.count > Self.exception.count + 20, "\(row.name) gives no reason")
                continue
            }
            let number = row.name.lowercased()
            let named = row.tests.flatMap(\.functions).filter { function in
                function.prefix { !$0.isUppercase }.matches(of: /p\d+/).contains { $0.output == number }
            }
            #expect(!named.isEmpty, "no test is named after \(row.name)")
        }
    }

    @Test func everyTestOfTheArticleExists() throws {
        let tested = try rows().filter { $0.cells.last?.hasPrefix(Self.exception) != true }
        let problems = try TestTables.problems(of: tested)
        #expect(problems == [])
    }

    @Test func everyTestOfAPointIsInTheArticle() throws {
        let named = try Set(rows().flatMap { $0.tests.flatMap(\.functions) })
        for (suite, source) in try TestTables.suites() {
            for function in source.matches(of: /func (p\d+\w+)\(/) {
                #expect(named.contains(String(function.1)), "\(suite).\(function.1) is in no row")
            }
        }
    }
}
