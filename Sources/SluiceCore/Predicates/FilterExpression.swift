// Combines what is known about single conditions into a result, as soon as the result is certain.

/// What is known of a condition.
package enum FilterTruth: Sendable {
    case yes, no
    /// Neither: a comparison with null, where the rules of SQL hold.
    case unknown

    package init(_ isTrue: Bool) { self = isTrue ? .yes : .no }
}

/// Conditions, by their numbers, and how they go together.
package indirect enum FilterExpression: Sendable, Hashable {
    case condition(Int)
    case and([FilterExpression])
    case or([FilterExpression])
    case not(FilterExpression)

    /// The result so far; nil while it depends on conditions that are not known yet.
    ///
    /// - Parameter truth: What is known of a condition.
    func evaluate(_ truth: (Int) -> FilterTruth?) -> FilterTruth? {
        switch self {
        case .condition(let number): return truth(number)
        case .and(let parts): return Self.evaluate(parts, deciding: .no, else: .yes, truth)
        case .or(let parts): return Self.evaluate(parts, deciding: .yes, else: .no, truth)
        case .not(let part):
            switch part.evaluate(truth) {
            case .yes: return .no
            case .no: return .yes
            case .unknown: return .unknown
            case nil: return nil
            }
        }
    }

    /// - Parameters:
    ///   - deciding: The truth of one part that decides the whole.
    ///   - otherwise: The result if no part decides it.
    private static func evaluate(
        _ parts: [FilterExpression], deciding: FilterTruth, else otherwise: FilterTruth,
        _ truth: (Int) -> FilterTruth?
    ) -> FilterTruth? {
        var isOpen = false
        var result = otherwise
        for part in parts {
            switch part.evaluate(truth) {
            case nil: isOpen = true
            case .unknown: result = .unknown
            case let known?:
                if known == deciding { return deciding }
            }
        }
        return isOpen ? nil : result
    }

    /// The same with the conditions' numbers moved.
    package func shifted(by count: Int) -> FilterExpression {
        switch self {
        case .condition(let number): .condition(number + count)
        case .and(let parts): .and(parts.map { $0.shifted(by: count) })
        case .or(let parts): .or(parts.map { $0.shifted(by: count) })
        case .not(let part): .not(part.shifted(by: count))
        }
    }
}
