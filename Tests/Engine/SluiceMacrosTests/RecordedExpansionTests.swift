// One whole expansion for each kind of declaration: Tests/Fixtures/expansions has the source and after it the text that the compiler is
// given. The other tests of the emission say only in which lines a declaration differs from a similar one.
//
// After you change what the macro emits, run `SLUICE_RECORD=1 Scripts/test macros`. It writes these files anew. Then read the difference.
#if Macros

import Foundation
import Testing

@Suite struct RecordedExpansionTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/expansions")
    /// The text between a source and its expansion.
    private static let divider = "\n// ---- expands to ----\n\n"

    @Test(arguments: [
        "struct", "generic-struct", "markers", "final-class", "base-class", "subclass", "raw-enum", "open-enum",
        "enum-with-values",
    ])
    func aDeclarationExpandsAsRecorded(name: String) throws {
        let file = Self.folder.appendingPathComponent(name + ".txt")
        var parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: Self.divider)
        if ProcessInfo.processInfo.environment["SLUICE_RECORD"] != nil {
            parts = [parts[0], String(expansion(of: parts[0]).drop(while: \.isNewline))]
            try Data(parts.joined(separator: Self.divider).utf8).write(to: file)
        }
        try #require(parts.count == 2, "\(file.path) has no expansion: SLUICE_RECORD=1 Scripts/test macros")
        expectExpansion(of: parts[0], is: parts[1])
    }
}

#endif
