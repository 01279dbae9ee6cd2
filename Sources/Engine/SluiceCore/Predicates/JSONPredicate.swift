// Conditions on the properties of a model, written with key paths.

/// A condition on the properties of records, with which a feed selects records.
///
/// ```swift
/// let feed = try JSONFeed<Event>(
///     path: "events.ndjson", options: .init(where: \.type == "PushEvent" && (\.size > 3 || \.note != nil)))
/// while let event = try feed.next() { print(event.id) }
/// print(feed.unmatchedCount)
/// ```
///
/// The operators are `==`, `!=`, `<`, `<=`, `>`, `>=`, `&&`, `||` and `!`, and there is `property(_:isOneOf:)`. They compare as Swift
/// compares the properties' values. A property that is nil equals nil, and is neither less nor greater than any value.
///
/// The condition is decided as soon as the values of these properties are found; the rest of a record that does not match is not read.
/// Any property can be compared. If it has no key of its own, for example because it is computed, the whole record is read first.
public struct JSONPredicate<Record>: Sendable {
    private let predicate: RecordPredicate
    /// The conditions for a record that has been read.
    private let tests: [@Sendable (Record) -> Bool]

    init(_ condition: RecordCondition, _ test: @escaping @Sendable (Record) -> Bool) {
        self.init(RecordPredicate(condition), [test])
    }

    private init(_ predicate: RecordPredicate, _ tests: [@Sendable (Record) -> Bool]) {
        (self.predicate, self.tests) = (predicate, tests)
    }

    /// A predicate that is true if both predicates are.
    public static func && (left: Self, right: Self) -> Self { Self(left.predicate && right.predicate, left.tests + right.tests) }

    /// A predicate that is true if at least one of two predicates is.
    public static func || (left: Self, right: Self) -> Self { Self(left.predicate || right.predicate, left.tests + right.tests) }

    /// A predicate that is true if the given predicate is not.
    public static prefix func ! (predicate: Self) -> Self { Self(!predicate.predicate, predicate.tests) }

    /// Whether a record that has been read matches.
    package func matches(_ record: Record) -> Bool { predicate.evaluate { FilterTruth(tests[$0](record)) } == .yes }

    /// Makes a filter, which must not be used by several threads at once.
    ///
    /// - Parameter options: The options with which the records are read.
    package func makeFilter(options: JSONReader.Options) -> RecordFilter { predicate.makeFilter(options: options) }
}

extension JSONPredicate where Record: JSONModel {
    /// A condition that a property has one of the given values.
    public static func property<Value: JSONReadable & Hashable & Sendable>(
        _ property: any KeyPath<Record, Value> & Sendable, isOneOf values: [Value]
    ) -> Self {
        Self(property, texts: values) { values.contains($0) }
    }

    /// A condition that an optional property has one of the given values; false if it is nil.
    public static func property<Value: JSONReadable & Hashable & Sendable>(
        _ property: any KeyPath<Record, Value?> & Sendable, isOneOf values: [Value]
    ) -> Self {
        Self(optional: property, texts: values) { values.contains($0) }
    }
}

/// Whether a property equals a value.
public func == <Model: JSONModel, Value: JSONReadable & Hashable & Sendable>(
    property: any KeyPath<Model, Value> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(property, texts: [value]) { $0 == value }
}

/// Whether an optional property equals a value; nil equals nil.
public func == <Model: JSONModel, Value: JSONReadable & Hashable & Sendable>(
    property: any KeyPath<Model, Value?> & Sendable, value: Value?
) -> JSONPredicate<Model> {
    JSONPredicate(optional: property, texts: value.map { [$0] } ?? [], acceptsNil: value == nil) { $0 == value }
}

/// Whether a property differs from a value.
public func != <Model: JSONModel, Value: JSONReadable & Hashable & Sendable>(
    property: any KeyPath<Model, Value> & Sendable, value: Value
) -> JSONPredicate<Model> { !(property == value) }

/// Whether an optional property differs from a value; nil differs from every value but nil.
public func != <Model: JSONModel, Value: JSONReadable & Hashable & Sendable>(
    property: any KeyPath<Model, Value?> & Sendable, value: Value?
) -> JSONPredicate<Model> { !(property == value) }

/// Whether a property is less than a value.
public func < <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(property) { $0 < value }
}

/// Whether a property is not nil and less than a value.
public func < <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value?> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(optional: property) { $0 < value }
}

/// Whether a property is less than a value, or equal.
public func <= <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(property) { $0 <= value }
}

/// Whether a property is not nil and less than a value, or equal.
public func <= <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value?> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(optional: property) { $0 <= value }
}

/// Whether a property is greater than a value.
public func > <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(property) { $0 > value }
}

/// Whether a property is not nil and greater than a value.
public func > <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value?> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(optional: property) { $0 > value }
}

/// Whether a property is greater than a value, or equal.
public func >= <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(property) { $0 >= value }
}

/// Whether a property is not nil and greater than a value, or equal.
public func >= <Model: JSONModel, Value: JSONReadable & Hashable & Comparable & Sendable>(
    property: any KeyPath<Model, Value?> & Sendable, value: Value
) -> JSONPredicate<Model> {
    JSONPredicate(optional: property) { $0 >= value }
}
