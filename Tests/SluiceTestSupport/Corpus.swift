// The real JSON that tests read when it is there: a folder `corpus` in a folder `shared` beside the checkout, or wherever
// SLUICE_CORPUS says. Tests that need it are skipped, visibly, when it is absent.

package import Foundation

/// The corpus folder and its files.
package enum Corpus {
    /// Where the corpus is; nil if absent.
    package static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_CORPUS"] { return URL(fileURLWithPath: path) }
        var directory = URL(fileURLWithPath: #filePath)
        while directory.pathComponents.count > 1 {
            directory.deleteLastPathComponent()
            let candidate = directory.appendingPathComponent("shared/corpus")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        return nil
    }()

    /// Whether tests that need the corpus can run.
    package static var isPresent: Bool { folder != nil }

    /// The bytes of a file, such as `twitter.json`.
    package static func bytes(_ name: String) throws -> [UInt8] {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        // Of an empty file, `Data(contentsOf:)` leaks 4 KiB on Linux.
        let file = try FileHandle(forReadingFrom: folder.appendingPathComponent(name))
        defer { try? file.close() }
        return [UInt8](try file.readToEnd() ?? Data())
    }

    /// The names of the parser cases, in order.
    package static func testSuite() throws -> [String] {
        guard let folder else { return [] }
        return try FileManager.default
            .contentsOfDirectory(atPath: folder.appendingPathComponent("JSONTestSuite").path).sorted()
    }
}
