// TESTPLAN.md says which tests hold which feature; these tests see to it that it says so of all features, and of tests that are there.

import Foundation
import Testing

@Suite struct TestPlanTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    @Test func everyFeatureHasARow() throws {
        #expect(try rows().map(\.feature) == (1...38).map { "F\($0)" })
        for row in try rows() { #expect(!row.tests.isEmpty, "\(row.feature)") }
    }

    @Test func everyTestOfThePlanExists() throws {
        let suites = try suites()
        for row in try rows() {
            for (suite, functions) in row.tests {
                let source = try #require(suites[suite], "\(row.feature): there is no suite \(suite)")
                #expect(source.contains("@Test"), "\(row.feature): \(suite) has no tests")
                for function in functions {
                    #expect(source.contains("func \(function)("), "\(row.feature): there is no test \(suite).\(function)")
                }
            }
        }
    }

    private typealias Row = (feature: String, tests: [(suite: String, functions: [String])])

    /// The rows of the plan: "| F1 | meaning | `Suite`: `test`, `test`; `Suite` |".
    private func rows() throws -> [Row] {
        let plan = try String(contentsOf: Self.tests.appendingPathComponent("TESTPLAN.md"), encoding: .utf8)
        return plan.split(separator: "\n").filter { $0.hasPrefix("| F") }.map { line in
            let cells = line.components(separatedBy: " | ")
            let tests = cells[cells.count - 1].components(separatedBy: ";").map { entry in
                // What stands between grave accents has an odd index.
                let names = entry.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
                return (suite: names.first ?? "", functions: Array(names.dropFirst()))
            }
            return (feature: String(cells[0].dropFirst(2)), tests: tests)
        }
    }

    /// The source of each suite, by its name: from its first line to the brace in the first column.
    private func suites() throws -> [String: String] {
        var suites: [String: String] = [:]
        let files = FileManager.default.enumerator(at: Self.tests, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            var name: String?
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
                if ["@Suite", "struct", "extension"].contains(where: { line.hasPrefix($0) }),
                    let declared = line.wholeMatch(of: /(?:@Suite.* )?(?:struct|extension) (\w+Tests)\b.*/)
                {
                    name = String(declared.1)
                }
                if let name { suites[name, default: ""] += line + "\n" }
                if line == "}" { name = nil }
            }
        }
        return suites
    }
}
