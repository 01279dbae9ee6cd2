// Lists the values that a reader left out because of a policy, and optionally unknown keys and counts of properties.

/// The values of a document that were left out: elements that did not fit, and values of properties that kept their default or old value.
///
/// Values are left out only by a policy (``JSONElementPolicy``, ``JSONMismatchPolicy``), by a hook's veto, or for another key that becomes the
/// same one in Swift (``JSONReader/Options/DuplicateKeys``). Each one is counted here.
public struct JSONReadReport: Sendable, Equatable {
    /// The number of values that were left out.
    public internal(set) var droppedCount = 0
    /// The first values that were left out, with path, offset, expected and found; at most ``JSONReader/Options/reportLimit``.
    public internal(set) var issues: [JSONError] = []

    /// The number of keys in models' objects that no property binds. Keys inside an unbound value are not counted. It is 0 unless the
    /// reader reports unknown keys (``JSONReader/Options/unknownKeys``) or validates everything
    /// (``JSONReader/Options/Validation/full``).
    public internal(set) var unknownKeyCount = 0
    /// The unknown keys by name, in the order in which they first occurred; empty unless the reader reports unknown keys.
    public package(set) var unknownKeys: [JSONUnknownKey] = []
    /// Counts for each property of the models, in the order of the models' names; only for readers that count them
    /// (``JSONReader/Options/countsProperties``).
    public package(set) var properties: [JSONPropertyCount] = []

    /// An empty report.
    package init() {}

    /// Whether nothing was left out.
    public var isEmpty: Bool { droppedCount == 0 }

    /// Whether nothing was left out and no unknown key was counted.
    package var isBlank: Bool { droppedCount | unknownKeyCount == 0 }

    /// The same report with all positions shifted: from positions in a record to positions in its feed.
    package func shifted(by base: SourcePosition) -> JSONReadReport {
        var moved = self
        moved.issues = issues.map { $0.shifted(by: base) }
        for index in unknownKeys.indices { moved.unknownKeys[index].position = unknownKeys[index].position.shifted(by: base) }
        return moved
    }

    /// Adds the values that were left out of another document, and its number of unknown keys.
    package mutating func add(_ other: JSONReadReport, limit: Int) {
        droppedCount += other.droppedCount
        unknownKeyCount += other.unknownKeyCount
        if issues.count < limit { issues += other.issues.prefix(limit - issues.count) }
    }
}

extension JSONReadReport: CustomStringConvertible {
    /// The report on one line: `2 values left out, the first: type mismatch at tags[0] …`.
    public var description: String {
        var parts: [String] = []
        if droppedCount > 0 {
            let first = issues.first.map { ", the first: " + $0.summary } ?? ""
            parts.append("\(droppedCount) value\(droppedCount == 1 ? "" : "s") left out" + first)
        }
        if unknownKeyCount > 0 {
            let names = unknownKeys.prefix(3).map(\.path).joined(separator: ", ")
            parts.append("\(unknownKeyCount) unknown key\(unknownKeyCount == 1 ? "" : "s")" + (names.isEmpty ? "" : ": " + names))
        }
        return parts.isEmpty ? "nothing left out" : parts.joined(separator: "; ")
    }
}
