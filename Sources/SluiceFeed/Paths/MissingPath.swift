// If a path leads nowhere, the error names the keys that exist at the level where the path went wrong.

internal import SluiceCore

/// The keys seen along a path that has led nowhere so far.
struct MissingPath {
    /// For each level of the path, the keys of the objects at that level.
    private var keys: [[String]] = []

    /// How many keys are kept for one level.
    private static let limit = 32

    mutating func note(_ key: String, at depth: Int) {
        while keys.count <= depth { keys.append([]) }
        guard keys[depth].count < Self.limit, !keys[depth].contains(where: { $0.utf8.elementsEqual(key.utf8) }) else { return }
        keys[depth].append(key)
    }

    func error(_ path: JSONRecordPath, at position: SourcePosition) -> JSONError {
        // The deepest level that the path reached is where it went wrong.
        let depth = max(keys.count - 1, 0)
        func whole(_ key: String, _ rest: some Sequence<JSONRecordPath.Component>) -> String {
            let text = JSONRecordPath.joined(path.components.prefix(depth) + [.name(key)] + rest)
            return text.map { "'\($0)'" } ?? "the key '\(key)'"
        }
        var hint = "the documents hold no object on the way there"
        if let candidates = keys.last, !candidates.isEmpty {
            let wanted = path.components[depth].description
            if let meant = KeyLikeness.closest(to: wanted, among: candidates) {
                hint = "did you mean \(whole(meant, path.components.dropFirst(depth + 1)))?"
            } else {
                let listed = candidates.prefix(8).map { whole($0, []) }.joined(separator: ", ")
                hint = "there are \(listed)\(candidates.count > 8 ? " and others" : "")"
            }
        }
        return JSONError(
            .missingKeys, position: position, expected: "records there", keys: [path.description], hint: hint)
    }
}
