// The one table of paths, Tests/Fixtures/paths.json, which the tests of all that read paths go through.

import Foundation
package import SluiceCore

/// A path, and where it leads in the table's document.
package struct PathCase: Sendable, CustomStringConvertible {
    package let path: String
    package let keys: [String]
    /// Nil if the document has no such value.
    package let value: JSONValue?

    package var description: String { path }
}

/// A text that is not a path, and the column of its first mistake.
package struct WrongPath: Sendable, CustomStringConvertible {
    package let path: String
    package let column: Int

    package var description: String { path }
}

package enum PathCases {
    private static let table: JSONValue = {
        let file = TestTables.repository.appendingPathComponent("Tests/Fixtures/paths.json")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return (try? JSONValue(json: text)) ?? .null
    }()

    /// The document on one line.
    package static let document: String = (try? table["document"]?.jsonString()) ?? ""

    package static let all: [PathCase] = (table["paths"]?.array ?? []).map { row in
        PathCase(path: row["path"]?.string ?? "", keys: (row["keys"]?.array ?? []).compactMap(\.string), value: row["value"])
    }

    package static let wrong: [WrongPath] = (table["wrong"]?.array ?? []).map {
        WrongPath(path: $0["path"]?.string ?? "", column: $0["column"]?.int ?? 0)
    }

    /// Paths that lead to many values.
    package static let many: [String] = (table["many"]?.array ?? []).compactMap(\.string)
}
