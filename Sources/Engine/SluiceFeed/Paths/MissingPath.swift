// If a path leads nowhere, the error names the keys that exist at the level where the path went wrong, or the value that ends it there.

package import SluiceCore

/// What has been seen along a path that led nowhere: in one document, or in several.
struct MissingPath {
    /// A value on the path that does not lead any further.
    enum End: String {
        case null
        case emptyArray = "an empty array"
        case array = "an array"
        case emptyObject = "an empty object"
        case string = "a string"
        case number = "a number"
        case bool = "true or false"

        /// - Parameter byte: The first byte of the value, which is not a container.
        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "n"): self = .null
            case UInt8(ascii: "\""): self = .string
            case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
            default: self = .number
            }
        }
    }

    /// A key of an object on the path, as it is written. They lie in one array, because documents are many and few lack the path.
    private struct Key {
        let depth: Int
        let bytes: Range<Int>
    }

    private var text: [UInt8] = []
    private var keys: [Key] = []
    /// For each level of the path, the number of keys.
    private var counts: [Int] = []
    /// The deepest value on the path that leads no further, and its level.
    private var end: (depth: Int, kind: End)?
    /// The deepest level at which there is an array of containers, and the path has a key.
    private var arrayDepth: Int?

    /// How many keys are kept for one level, and how long they may be.
    private static let (limit, longest) = (32, 256)

    mutating func clear() {
        text.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        counts.removeAll(keepingCapacity: true)
        end = nil
        arrayDepth = nil
    }

    mutating func note(_ key: UnsafeRawBufferPointer, at depth: Int) {
        while counts.count <= depth { counts.append(0) }
        guard counts[depth] < Self.limit, key.count <= Self.longest else { return }
        counts[depth] += 1
        unsafe text += key
        keys.append(Key(depth: depth, bytes: (text.count - key.count)..<text.count))
    }

    /// Notes the value at a level that leads no further.
    mutating func note(_ kind: End, at depth: Int) { if depth >= end?.depth ?? 0 { end = (depth, kind) } }

    /// Notes that the value at a level is an array of containers, if the path has a key there.
    mutating func noteArray(at depth: Int, _ path: JSONRecordPath) {
        guard case .key(let key) = path.components[depth], Int(key) == nil else { return }
        arrayDepth = max(arrayDepth ?? 0, depth)
    }

    /// Whether an object at a level has a key.
    func hasKeys(at depth: Int) -> Bool { depth < counts.count && counts[depth] > 0 }

    /// Adds what another document has along the path.
    mutating func add(_ other: MissingPath) {
        for key in other.keys where !keys.contains(where: { $0.depth == key.depth && text[$0.bytes] == other.text[key.bytes] }) {
            unsafe other.text[key.bytes].withUnsafeBytes { unsafe note($0, at: key.depth) }
        }
        if let end = other.end { note(end.kind, at: end.depth) }
        if let depth = other.arrayDepth { arrayDepth = max(arrayDepth ?? 0, depth) }
    }

    /// - Parameter hidesText: Whether values are sensitive. Keys below the first level may lie inside one.
    func error(_ path: JSONRecordPath, at position: SourcePosition, hidesText: Bool) -> JSONError {
        JSONError(
            .missingKeys, position: position, expected: "records there", keys: [path.description],
            hint: hidesText && deepest > 0 ? "" : hint(for: path))
    }

    /// The deepest level that the path reached, where it went wrong.
    private var deepest: Int { max(counts.count - 1, end?.depth ?? 0, arrayDepth ?? 0) }

    private func hint(for path: JSONRecordPath) -> String {
        let depth = deepest
        func whole(_ middle: [PathStep], _ rest: ArraySlice<PathStep>) -> String {
            "'" + PathSyntax.text(of: Array(path.components.prefix(depth)) + middle + rest) + "'"
        }
        let candidates = keys.filter { $0.depth == depth }.map { key in
            unsafe text[key.bytes].withUnsafeBytes { unsafe EnvelopeParser.text(of: $0) }
        }
        guard !candidates.isEmpty else {
            if arrayDepth == depth {
                return "an array stands there; did you mean \(whole([.any], path.components[depth...]))?"
            }
            guard let end, depth > 0 else { return "the documents hold no object on the way there" }
            return "the value at \(whole([], [])) is \(end.kind.rawValue)"
        }
        let rest = path.components.dropFirst(depth + 1)
        let step = path.components[depth]
        let wanted = if case .key(let key) = step { key } else { PathSyntax.text(of: [step]) }
        let parts = wanted.split(separator: "/").map(String.init)
        if parts.count > 1, candidates.contains(where: { $0.utf8.elementsEqual(parts[0].utf8) }) {
            return "did you mean \(whole(parts.map { .key($0) }, rest))?"
        }
        if let meant = KeyLikeness.closest(to: wanted, among: candidates) {
            return "did you mean \(whole([.key(meant)], rest))?"
        }
        let listed = candidates.prefix(8).map { whole([.key($0)], []) }.joined(separator: ", ")
        return "there are \(listed)\(candidates.count > 8 ? " and others" : "")"
    }
}

/// What a feed's documents have at the path of the records.
package struct PathFindings: Sendable {
    /// Whether a document has the path.
    package var isFound = false
    /// How many documents have been read to their end and lack it. An element under a `*` counts as a document.
    package var absentCount = 0
    /// The error if no document has the path; nil without such documents.
    private var error: JSONError?

    package init() {}

    init(isFound: Bool, absentCount: Int, error: JSONError?) {
        (self.isFound, self.absentCount, self.error) = (isFound, absentCount, error)
    }

    /// Adds the findings of another feed of the run.
    package mutating func add(_ other: PathFindings) {
        isFound = isFound || other.isFound
        absentCount += other.absentCount
        error = error ?? other.error
    }

    /// - Throws: `JSONError` of kind `missingKeys` if there are documents, and all of them lack the path.
    package func check() throws(JSONError) { if !isFound, let error { throw error } }
}
