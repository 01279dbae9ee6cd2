// The public JSON files that are measured when they are there: a folder `corpus` in a folder `shared` beside the checkout, or
// wherever SLUICE_CORPUS says. What is absent is skipped, visibly.

internal import Foundation

enum Corpus {
    /// Where the corpus is; nil when there is none.
    static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_CORPUS"] { return URL(fileURLWithPath: path) }
        var place = URL(fileURLWithPath: #filePath)
        while place.pathComponents.count > 1 {
            place.deleteLastPathComponent()
            let candidate = place.appendingPathComponent("shared/corpus")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        return nil
    }()

    /// A file such as `twitter.json`; nil when it is absent.
    static func document(_ name: String) -> Document? {
        guard let path = folder?.appendingPathComponent(name).path, FileManager.default.fileExists(atPath: path) else {
            return nil
        }
        return try? Document(name, path: path)
    }
}
