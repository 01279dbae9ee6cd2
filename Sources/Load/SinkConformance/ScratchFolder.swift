// The files that the checks read.

internal import Foundation

/// A folder for the inputs of the checks, gone with them.
final class ScratchFolder: Sendable {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sink-conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file of lines, and returns its path.
    ///
    /// - Parameter rest: What comes after the last line break.
    func file(_ name: String, _ lines: [String], rest: String = "") throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data((lines.map { $0 + "\n" }.joined() + rest).utf8).write(to: file)
        return file.path
    }

    func lineCount(_ path: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: path)).count { $0 == UInt8(ascii: "\n") }
    }
}
