// SECURITY.md says what is promised and which limits there are. These tests see to it that each promise has a test, and that the
// limits are those of the code.

import Foundation
import SluiceCore
import SluiceTestSupport
import Testing

@testable import SluiceFeed

@Suite struct SecurityArticleTests {
    private static let article = TestTables.repository.appendingPathComponent("SECURITY.md")

    @Test func everyPromiseNamesTestsThatExist() throws {
        let rows = try TestTables.rows(of: Self.article, "S")
        #expect(rows.count > 10)
        #expect(rows.map(\.name) == (1...rows.count).map { "S\($0)" })
        for row in rows { #expect(row.cells.count == 3 && !row.tests.contains { $0.suite.isEmpty }, "\(row.name)") }
        let problems = try TestTables.problems(of: rows)
        #expect(problems == [])
    }

    @Test func theLimitsAreThoseOfTheOptions() throws {
        let rows = try TestTables.rows(of: Self.article, "L")
        let plain = JSONReader.Options()
        let untrusted = JSONReader.Options.untrusted
        let expected: [(String, Int?, Int?)] = [
            ("maximumDepth", plain.maximumDepth, untrusted.maximumDepth),
            ("maximumTokenSize", plain.maximumTokenSize, untrusted.maximumTokenSize),
            ("maximumDocumentSize", plain.maximumDocumentSize, untrusted.maximumDocumentSize),
            ("maximumKeyCount", plain.maximumKeyCount, untrusted.maximumKeyCount),
            ("maximumElementCount", plain.maximumElementCount, untrusted.maximumElementCount),
            (
                "maximumRecordSize", JSONFeed<Int>.Options().maximumRecordSize,
                JSONFeed<Int>.Options.untrusted.maximumRecordSize
            ),
        ]
        #expect(rows.count == expected.count)
        for (row, (name, standard, strict)) in zip(rows, expected) {
            #expect(row.cells[1].hasPrefix("`\(name)`: "))
            #expect(Array(row.cells[2...]) == [standard, strict].map { $0.map { "\($0)" } ?? "none" }, "\(name)")
        }
    }
}
