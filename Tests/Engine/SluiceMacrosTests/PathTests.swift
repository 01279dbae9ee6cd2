// The table of paths, Tests/Fixtures/paths.json, by @JSONKey.
#if Macros

import Foundation
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import SluiceMacros

@Suite struct PathTests {
    private struct Table: Decodable {
        struct Path: Decodable {
            let path: String
            let keys: [String]
        }
        struct Wrong: Decodable {
            let path: String
            let column: Int
        }
        let paths: [Path]
        let wrong: [Wrong]
        let many: [String]
    }

    private func table() throws -> Table {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        return try JSONDecoder().decode(Table.self, from: Data(contentsOf: tests.appendingPathComponent("Fixtures/paths.json")))
    }

    /// A path as it is written in a literal.
    private func written(_ path: String) -> String { path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }

    private func source(_ path: String) -> String {
        """
        @JSONModel
        struct Book {
            @JSONKey("\(written(path))") var a: Int
        }
        """
    }

    @Test func aPathIsTaken() throws {
        let paths = try table().paths
        #expect(paths.count > 20)
        for path in paths {
            #expect(try PathSyntax.keys(of: path.path) == path.keys)
            expectRefusal(of: source(path.path))
        }
    }

    @Test func aTextThatIsNoPathIsRefusedAtItsColumn() throws {
        for wrong in try table().wrong {
            let fault = #expect(throws: PathFault.self) { try PathSyntax.keys(of: wrong.path) }
            #expect(fault?.column == wrong.column)
            expectRefused(wrong.path, fault)
        }
    }

    @Test func aPathToManyValuesIsRefused() throws {
        for path in try table().many + ["$"] {
            expectRefused(path, #expect(throws: PathFault.self) { try PathSyntax.keys(of: path) })
        }
    }

    private func expectRefused(_ path: String, _ fault: PathFault?) {
        guard let fault else { return }
        expectRefusal(
            of: source(path),
            with: DiagnosticSpec(
                message:
                    "'\(path)' is not a path: expected \(fault.expected), found \(fault.found) (column \(fault.column)); "
                    + "a key with such characters is written '@JSONKey(literal: \"\(written(path))\")'",
                line: 3, column: 14, fixIts: [FixItSpec(message: "take the key literally")]),
            fixed: source(path).replacing("@JSONKey(", with: "@JSONKey(literal: "))
    }
}
#endif
