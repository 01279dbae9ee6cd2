// TESTPLAN.md says which tests hold which feature; these tests see to it that it says so of all features, and of tests that are there.

import Foundation
import SluiceTestSupport
import Testing

@Suite struct TestPlanTests {
    private func rows() throws -> [TestRow] {
        try TestTables.rows(of: TestTables.folder.appendingPathComponent("TESTPLAN.md"), "F")
    }

    @Test func everyFeatureHasARow() throws {
        #expect(try rows().map(\.name) == (1...38).map { "F\($0)" })
        for row in try rows() { #expect(!row.tests.isEmpty, "\(row.name)") }
    }

    @Test func everyTestOfThePlanExists() throws {
        #expect(try TestTables.problems(of: rows()) == [])
    }
}
