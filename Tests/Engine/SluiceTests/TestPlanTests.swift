// TESTPLAN.md says which tests hold which feature and which promise about PostgreSQL, and which find which planted fault; these tests see
// to it that it says so of all of them, and of tests that are there.

import Foundation
import Testing

@testable import SluiceTestSupport

@Suite struct TestPlanTests {
    private func rows(_ letter: Character) throws -> [TestRow] {
        try TestTables.rows(of: TestTables.folder.appendingPathComponent("TESTPLAN.md"), letter)
    }

    @Test func everyFeatureHasARow() throws {
        #expect(try rows("F").map(\.name) == (1...38).map { "F\($0)" })
        for row in try rows("F") { #expect(!row.tests.isEmpty, "\(row.name)") }
    }

    @Test func everyPlantedFaultHasARow() throws {
        #expect(try rows("P").map(\.name) == (1...21).map { "P\($0)" })
        for row in try rows("P") { #expect(!row.tests.isEmpty, "\(row.name)") }
    }

    @Test func everyPromiseAboutPostgreSQLHasARow() throws {
        #expect(try rows("D").map(\.name) == (1...21).map { "D\($0)" })
        for row in try rows("D") { #expect(!row.tests.isEmpty, "\(row.name)") }
    }

    @Test func everyPromiseAboutModelsAsTablesHasARow() throws {
        #expect(try rows("M").map(\.name) == (1...9).map { "M\($0)" })
        for row in try rows("M") { #expect(!row.tests.isEmpty, "\(row.name)") }
    }

    @Test func everyTestOfThePlanExists() throws {
        let problems = try TestTables.problems(of: rows("F") + rows("P") + rows("D") + rows("M"))
        #expect(problems == [])
    }
}
