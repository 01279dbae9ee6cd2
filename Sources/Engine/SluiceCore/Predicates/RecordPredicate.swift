// Conditions on the values of records, joined with "and", "or" and "not".

/// What one comparison asks of a record: the value of some keys.
package struct RecordCondition: Sendable {
    /// A condition for one filter.
    @safe
    struct Test {
        /// The alternative keys of the value, the preferred key first; empty if the condition can be decided only after the record is bound.
        let keys: [JSONKeyPath]
        /// The truth of the condition for the text of its value in a record, which has not been validated, or for an absent value; nil if it
        /// can be decided only after the record is bound.
        let truth: (UnsafeRawBufferPointer?) -> FilterTruth?
    }

    /// The path of the value that is compared; nil if nothing is compared with a constant.
    fileprivate let comparedPath: [String]?
    /// Makes the test for a filter of records that are read with some options.
    fileprivate let makeTest: @Sendable (JSONReader.Options) -> Test

    init(comparing path: [String]? = nil, _ makeTest: @escaping @Sendable (JSONReader.Options) -> Test) {
        (comparedPath, self.makeTest) = (path, makeTest)
    }

    /// A condition that no record meets, for a filter that only looks whether records have a path.
    package init(watching path: [String]) {
        self.init(comparing: path) { _ in unsafe Test(keys: [JSONKeyPath(components: path)]) { _ in .no } }
    }
}

/// A condition, or several that are joined.
///
/// ```swift
/// let type = JSONColumn(name: "type", type: .text, keys: ["type"])
/// let size = JSONColumn(name: "size", type: .integer, keys: ["payload.size"])
/// let predicate = try RecordPredicate(type, .equal, .text("PushEvent")) && RecordPredicate(size, .greater, .integer(3))
/// var filter = predicate.makeFilter()
/// if filter.matches(record) { try reader.read(record) }
/// ```
package struct RecordPredicate: Sendable {
    private var conditions: [RecordCondition]
    private var expression: FilterExpression

    init(_ condition: RecordCondition) { (conditions, expression) = ([condition], .condition(0)) }

    /// Whether at least one of the conditions is met.
    package init(anyOf conditions: [RecordCondition]) {
        self.conditions = conditions
        expression = .or(conditions.indices.map { .condition($0) })
    }

    package static func && (left: Self, right: Self) -> Self { left.joined(right) { $0.and($1) } }

    package static func || (left: Self, right: Self) -> Self { left.joined(right) { $0.or($1) } }

    package static prefix func ! (predicate: Self) -> Self {
        var negated = predicate
        negated.expression = .not(predicate.expression)
        return negated
    }

    private func joined(_ other: Self, _ join: (FilterExpression, FilterExpression) -> FilterExpression) -> Self {
        var both = self
        both.expression = join(expression, other.expression.shifted(by: conditions.count))
        both.conditions += other.conditions
        return both
    }

    /// The number of conditions.
    package var conditionCount: Int { conditions.count }

    /// The conditions that compare a value, with the first path of that value. Tests of whether there is a value are left out.
    package var comparedPaths: [(number: Int, path: [String])] {
        conditions.enumerated().compactMap { number, condition in condition.comparedPath.map { (number, $0) } }
    }

    /// The truth of the whole, from that of each condition.
    func evaluate(_ truth: (Int) -> FilterTruth?) -> FilterTruth? { expression.evaluate(truth) }

    /// Makes a filter, which must not be used by several threads at once.
    ///
    /// - Parameter options: The options with which the values are read.
    package func makeFilter(options: JSONReader.Options = .strict) -> RecordFilter {
        let options = options.withoutContract
        return RecordFilter(expression, conditions.map { $0.makeTest(options) }, duplicateKeys: options.duplicateKeys)
    }
}
