// The public JSON files that are measured when they are there: where SLUICE_CORPUS says, where Scripts/fetch-corpus puts them, or in
// a folder `shared/corpus` beside the checkout. What is absent is skipped, visibly.

internal import Foundation

enum Corpus {
    /// Where the corpus is; nil if absent.
    static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_CORPUS"] { return URL(fileURLWithPath: path) }
        var place = URL(fileURLWithPath: #filePath)
        let fetched = place.appendingPathComponent("../../../.build/corpus").standardizedFileURL
        if FileManager.default.fileExists(atPath: fetched.path) { return fetched }
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
