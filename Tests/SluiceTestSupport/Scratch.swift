// Files that a test makes.

package import Foundation

/// A folder of one test, gone with it.
package final class Scratch: Sendable {
    package let folder: URL

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Writes a file, and returns its path.
    package func file(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        return path(name)
    }
}
