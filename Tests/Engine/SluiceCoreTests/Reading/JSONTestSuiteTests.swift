// Nicolas Seriot's parser cases (https://github.com/nst/JSONTestSuite): `y_` must be accepted, `n_` refused, and each `i_`, where the
// RFC leaves the choice, is decided as Sources/Engine/Sluice/Sluice.docc/YAJL.md says.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct JSONTestSuiteTests {
    /// What is done where the RFC leaves it to the implementation, as the table of Sources/Engine/Sluice/Sluice.docc/YAJL.md says: nil is accepted.
    private func choices() throws -> [String: JSONError.Kind?] {
        let article = try String(
            contentsOf: TestTables.repository.appendingPathComponent("Sources/Engine/Sluice/Sluice.docc/YAJL.md"), encoding: .utf8
        )
        var choices: [String: JSONError.Kind?] = [:]
        for line in article.split(separator: "\n") {
            guard let row = line.wholeMatch(of: /\| `(i_[^`]+)` \| (accepted|refused: `(\w+)`) \| (.+) \|/) else { continue }
            // An unknown kind is a mistake in the table, and must not count as accepted.
            let kind = try row.3.map { name in try #require(JSONError.Kind(rawValue: String(name)), "\(line)") }
            choices[String(row.1)] = .some(kind)
        }
        return choices
    }

    @Test func everyCaseHasItsOutcomeHoweverItIsRead() throws {
        var counts = (accepted: 0, refused: 0, chosen: 0)
        let choices = try choices()
        for name in try Corpus.testSuite() where name.hasSuffix(".json") {
            let bytes = try Corpus.bytes("JSONTestSuite/\(name)")
            let (outcome, disagreements) = readEveryWay(JSONValue.self, bytes)
            #expect(disagreements == [], "\(name)")
            var kind: JSONError.Kind?
            if case .failure(let found, _) = outcome { kind = found }
            switch name.prefix(2) {
            case "y_":
                #expect(kind == nil, "\(name)")
                counts.accepted += 1
            case "n_":
                #expect(kind != nil, "\(name)")
                counts.refused += 1
            default:
                let choice = try #require(choices[String(name.dropLast(5))], "the table has no row for \(name)")
                #expect(kind == choice, "\(name)")
                counts.chosen += 1
            }
        }
        #expect(counts == (95, 188, 35))
        #expect(choices.count == counts.chosen)
    }

    @Test func rawValuesHaveTheSameOutcomes() throws {
        for name in try Corpus.testSuite() where name.hasSuffix(".json") {
            let bytes = try Corpus.bytes("JSONTestSuite/\(name)")
            let (outcome, disagreements) = readEveryWay(RawJSON.self, bytes)
            #expect(disagreements == [], "\(name)")
            if name.hasPrefix("y_"), case .failure = outcome { Issue.record("\(name): \(outcome)") }
            if name.hasPrefix("n_"), case .value = outcome { Issue.record("\(name): \(outcome)") }
        }
    }

    @Test func whatIsAcceptedIsWrittenAndReadAgain() throws {
        for name in try Corpus.testSuite() where name.hasPrefix("y_") {
            let value = try JSONValue(json: Corpus.bytes("JSONTestSuite/\(name)"))
            #expect(try JSONValue(json: value.jsonBytes()) == value, "\(name)")
            #expect(try JSONValue(json: value.jsonBytes(options: .pretty)) == value, "\(name)")
        }
    }
}
