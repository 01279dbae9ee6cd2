// Documents that say in a table which tests hold what: their rows, and the tests that there are.

package import Foundation

/// A row of a table whose last cell names tests: `Suite`: `test`, `test`; `Suite`.
package struct TestRow {
    package let cells: [String]
    /// The suites of the last cell, each with the functions that it names.
    package let tests: [(suite: String, functions: [String])]

    /// The first cell.
    package var name: String { cells.first ?? "" }
}

/// Tables of tests, and the sources of the tests.
package enum TestTables {
    /// The folder `Tests`.
    package static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    /// The folder of the repository.
    package static let repository = folder.deletingLastPathComponent()

    /// The rows of a document whose first cell begins with a letter and a number.
    package static func rows(of document: URL, _ letter: Character) throws -> [TestRow] {
        try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
            .filter { $0.wholeMatch(of: /\| (\w)\d+ \|.*/)?.1.first == letter }
            .map { line in
                let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
                let tests = (cells.last ?? "").components(separatedBy: ";").map { entry in
                    // The text between grave accents has an odd index.
                    let names = entry.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
                    return (suite: names.first ?? "", functions: Array(names.dropFirst()))
                }
                return TestRow(cells: cells, tests: tests)
            }
    }

    /// The source of each suite, by its name: from its first line to the brace in the first column.
    package static func suites() throws -> [String: String] {
        var suites: [String: String] = [:]
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
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

    /// What is wrong with the tests that rows name: suites and functions that are not there.
    package static func problems(of rows: [TestRow]) throws -> [String] {
        let suites = try suites()
        var problems: [String] = []
        for row in rows {
            for (suite, functions) in row.tests {
                guard let source = suites[suite] else {
                    problems.append("\(row.name): there is no suite \(suite)")
                    continue
                }
                if !source.contains("@Test") { problems.append("\(row.name): \(suite) has no tests") }
                for function in functions where !source.contains("func \(function)(") {
                    problems.append("\(row.name): there is no test \(suite).\(function)")
                }
            }
        }
        return problems
    }
}
