// Counts how often each property of a model had a value, null or neither, and how often its value was converted or did not fit. So the
// owner of a feed notices when a property stops coming. An object costs one addition for each of its properties that is present.

/// How often a property was present, null, converted or unfit in all objects of its model.
///
/// ```swift
/// let feed = try JSONFeed<Event>(path: "events.ndjson", options: .init(reading: .init(countsProperties: true)))
/// while let event = try feed.next() { store(event) }
/// for count in feed.report.properties where count.missingCount > 0 {
///     print("\(count.model).\(count.name): missing in \(count.missingCount) of \(count.objectCount)")
/// }
/// ```
public struct JSONPropertyCount: Sendable, Hashable {
    /// The name of the model, as in `Book`.
    public let model: String
    /// The property's name in Swift.
    public let name: String
    /// The keys that bind the property.
    public let keys: [JSONKeyPath]
    /// The number of objects of the model that were read.
    public let objectCount: Int
    /// The number of objects that had a value for the property.
    public let presentCount: Int
    /// The number of objects that had null for the property.
    public let nullCount: Int
    /// The number of values that were converted from another JSON type, including elements of collections.
    public let convertedCount: Int
    /// The number of values that did not fit, including elements of collections, and of objects that were refused because the property was
    /// missing. It includes values that policies left out and values that made a record invalid.
    public let failedCount: Int

    /// The number of objects that had neither a value nor null for the property. An object whose value was left out is included.
    public var missingCount: Int { objectCount - presentCount - nullCount }
}

/// Counts by model and property.
@safe
package struct PropertyCounts: Sendable {
    /// What happened to a value.
    enum Event { case converted, failed }

    private struct Count {
        var present = 0
        var null = 0
        var converted = 0
        var failed = 0

        static func += (left: inout Count, right: Count) {
            left.present += right.present
            left.null += right.null
            left.converted += right.converted
            left.failed += right.failed
        }
    }

    private struct Model {
        let table: PropertyTable
        var objectCount = 0
        var counts: [Count]

        init(_ table: PropertyTable) {
            self.table = table
            counts = Array(repeating: Count(), count: table.properties.count)
        }

        var hasFailures: Bool { counts.contains { $0.failed > 0 } }
        /// Whether nothing has been counted.
        var isBlank: Bool { objectCount == 0 && counts.allSatisfy { $0.present | $0.null | $0.converted | $0.failed == 0 } }
    }

    private var models: [Model] = []
    /// The index of the last model; tried first, because objects of one model often follow each other.
    private var last = 0
    /// Whether nothing has been counted.
    private(set) var isBlank = true

    package init() {}

    /// Whether nothing was ever counted.
    var isUnused: Bool { models.isEmpty }

    private mutating func index(of table: PropertyTable) -> Int {
        if last < models.count, models[last].table === table { return last }
        last = models.firstIndex { $0.table === table } ?? models.count
        if last == models.count { models.append(Model(table)) }
        return last
    }

    /// Counts an object that has been read.
    mutating func countObject(of table: PropertyTable, _ bound: _BoundProperties) {
        let index = index(of: table)
        isBlank = false
        models[index].objectCount += 1
        for slot in models[index].counts.indices where bound.contains(slot) {
            if bound.isNull(slot) {
                models[index].counts[slot].null += 1
            } else {
                models[index].counts[slot].present += 1
            }
        }
    }

    mutating func count(_ event: Event, of table: PropertyTable, _ slot: Int) {
        let index = index(of: table)
        guard models[index].counts.indices.contains(slot) else { return }
        isBlank = false
        switch event {
        case .converted: models[index].counts[slot].converted += 1
        case .failed: models[index].counts[slot].failed += 1
        }
    }

    /// Sets everything to 0.
    mutating func clear() {
        isBlank = true
        for index in models.indices {
            models[index].objectCount = 0
            for slot in models[index].counts.indices { models[index].counts[slot] = Count() }
        }
    }

    /// Adds the counts of another document.
    ///
    /// - Parameter isRejected: Whether the document was rejected. Then its objects do not count as read, and only its failures are added.
    package mutating func add(_ other: PropertyCounts, isRejected: Bool) {
        guard !other.isBlank else { return }
        for model in other.models {
            // A value inside an object that has not ended may have been counted before the object itself.
            guard isRejected ? model.hasFailures : !model.isBlank else { continue }
            isBlank = false
            let index = index(of: model.table)
            if !isRejected { models[index].objectCount += model.objectCount }
            for slot in model.counts.indices {
                models[index].counts[slot] += isRejected ? Count(failed: model.counts[slot].failed) : model.counts[slot]
            }
        }
    }

    /// The counts of all properties, sorted by the models' names, in declaration order within a model.
    package var list: [JSONPropertyCount] {
        models.sorted { $0.table.modelName < $1.table.modelName }.flatMap { model in
            zip(model.table.properties, model.counts).filter { !$0.0.isObserved && $0.0.direction != .writing }
                .map { property, count in
                    JSONPropertyCount(
                        model: model.table.modelName, name: property.name, keys: property.keys, objectCount: model.objectCount,
                        presentCount: count.present, nullCount: count.null, convertedCount: count.converted,
                        failedCount: count.failed)
                }
        }
    }
}
