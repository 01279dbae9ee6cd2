// Combines the truth of single conditions into a result as soon as the result is certain.

/// The truth of a condition for a record.
package enum FilterTruth: Sendable {
    case yes, no
    /// Neither true nor false: by the rules of SQL, the result of a comparison with null.
    case unknown

    package init(_ isTrue: Bool) { self = isTrue ? .yes : .no }
}

/// A logical expression of conditions, which are identified by their numbers.
package indirect enum FilterExpression: Sendable {
    case condition(Int)
    case and([FilterExpression])
    case or([FilterExpression])
    case not(FilterExpression)

    /// The result; nil if it depends on conditions whose truth is not known yet.
    ///
    /// - Parameter truth: The truth of a condition; nil if it is not known yet.
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
    ///   - deciding: The truth that decides the whole if one part has it.
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

    /// Both expressions. A chain of them is one list, and no deeper than one of two.
    package func and(_ other: FilterExpression) -> FilterExpression {
        if case .and(let parts) = self { return .and(parts + [other]) }
        return .and([self, other])
    }

    /// One of two expressions.
    package func or(_ other: FilterExpression) -> FilterExpression {
        if case .or(let parts) = self { return .or(parts + [other]) }
        return .or([self, other])
    }

    /// The same expression, with `count` added to the number of each condition.
    package func shifted(by count: Int) -> FilterExpression {
        switch self {
        case .condition(let number): .condition(number + count)
        case .and(let parts): .and(parts.map { $0.shifted(by: count) })
        case .or(let parts): .or(parts.map { $0.shifted(by: count) })
        case .not(let part): .not(part.shifted(by: count))
        }
    }
}
