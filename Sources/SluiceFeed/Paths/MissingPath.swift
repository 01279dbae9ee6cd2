// If a path leads nowhere, the error names the keys that exist at the level where the path went wrong.

internal import SluiceCore

/// The keys seen along a path that has led nowhere so far.
struct MissingPath {
    /// For each level of the path, the keys of the objects at that level.
    private var keys: [[String]] = []
    /// The levels at which an array was found instead of an object.
    private var arrays: Set<Int> = []

    /// How many keys are kept for one level.
    private static let limit = 32

    mutating func note(_ key: String, at depth: Int) {
        while keys.count <= depth { keys.append([]) }
        guard keys[depth].count < Self.limit, !keys[depth].contains(where: { $0.utf8.elementsEqual(key.utf8) }) else { return }
        keys[depth].append(key)
    }

    /// Notes that the value at a level is an array of containers, if the path has a key there.
    mutating func noteArray(at depth: Int, _ path: JSONRecordPath) {
        guard case .name(let name) = path.components[depth], Int(name) == nil else { return }
        while keys.count <= depth { keys.append([]) }
        arrays.insert(depth)
    }

    /// - Parameter hidesText: Whether values are sensitive. Keys below the first level may lie inside one.
    func error(_ path: JSONRecordPath, at position: SourcePosition, hidesText: Bool) -> JSONError {
        JSONError(
            .missingKeys, position: position, expected: "records there", keys: [path.description],
            hint: hidesText && keys.count > 1 ? "" : hint(for: path))
    }

    private func hint(for path: JSONRecordPath) -> String {
        typealias Component = JSONRecordPath.Component
        // The deepest level that the path reached is where it went wrong.
        let depth = max(keys.count - 1, 0)
        func whole(_ middle: [Component], _ rest: some Sequence<Component>) -> String {
            "'" + JSONRecordPath.joined(path.components.prefix(depth) + middle + rest) + "'"
        }
        guard let candidates = keys.last, !candidates.isEmpty else {
            guard arrays.contains(depth) else { return "the documents hold no object on the way there" }
            return "an array stands there; did you mean \(whole([.any], path.components[depth...]))?"
        }
        let rest = path.components.dropFirst(depth + 1)
        let wanted = path.components[depth].description
        let parts = wanted.split(separator: "/").map(String.init)
        if parts.count > 1, candidates.contains(where: { $0.utf8.elementsEqual(parts[0].utf8) }) {
            return "did you mean \(whole(parts.map { .name($0) }, rest))?"
        }
        if let meant = KeyLikeness.closest(to: wanted, among: candidates) {
            return "did you mean \(whole([.name(meant)], rest))?"
        }
        let listed = candidates.prefix(8).map { whole([.name($0)], []) }.joined(separator: ", ")
        return "there are \(listed)\(candidates.count > 8 ? " and others" : "")"
    }
}
