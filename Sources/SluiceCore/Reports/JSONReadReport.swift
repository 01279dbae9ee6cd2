// What a reader left out of a value, because a policy told it to.

/// What a document held that was left out of the value: elements that did not fit, properties that kept what they had.
///
/// Only a policy leaves something out (``JSONElementPolicy``, ``JSONMismatchPolicy``, a hook's veto), and all of it is counted
/// here.
public struct JSONReadReport: Sendable, Equatable {
    /// How many values were left out.
    public internal(set) var droppedCount = 0
    /// The first of them, with path, offset, expected and found; as many as ``JSONReader/Options/reportLimit`` allows.
    public internal(set) var issues: [JSONError] = []

    /// How many keys in objects of models no property binds; keys inside an unbound value are not counted. Only readers that report
    /// unknown keys (``JSONReader/Options/unknownKeys``) or validate everything (``JSONReader/Options/Validation/full``) count
    /// them.
    public internal(set) var unknownKeyCount = 0
    /// Those keys by name, in the order in which they were first met; for readers that report them.
    public package(set) var unknownKeys: [JSONUnknownKey] = []
    /// Counts for each property of the models, in the order of the models' names; only for readers that count them
    /// (``JSONReader/Options/countsProperties``).
    public package(set) var properties: [JSONPropertyCount] = []

    /// An empty report.
    public init() {}

    /// Whether nothing was left out.
    public var isEmpty: Bool { droppedCount == 0 }

    /// Whether nothing was left out and no unknown key was counted.
    package var isBlank: Bool { droppedCount | unknownKeyCount == 0 }

    /// The same with its places moved: a record's own become those in the feed that it came from.
    package func shifted(by base: SourcePosition) -> JSONReadReport {
        var moved = self
        moved.issues = issues.map { $0.shifted(by: base) }
        for index in unknownKeys.indices { moved.unknownKeys[index].position = unknownKeys[index].position.shifted(by: base) }
        return moved
    }

    /// Adds what another document left out.
    package mutating func add(_ other: JSONReadReport, limit: Int) {
        droppedCount += other.droppedCount
        unknownKeyCount += other.unknownKeyCount
        if issues.count < limit { issues += other.issues.prefix(limit - issues.count) }
    }
}
