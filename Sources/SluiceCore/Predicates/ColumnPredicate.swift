// Conditions on columns that are known only at run time, for example from a command line or a query.

/// A condition on the values of columns, with the rules of SQL: a comparison with null is neither true nor false.
///
/// ```swift
/// let type = Column(name: "type", type: .text, keys: ["type"])
/// let size = Column(name: "size", type: .integer, keys: ["payload.size"])
/// let predicate = try ColumnPredicate(type, .equal, .text("PushEvent")) && ColumnPredicate(size, .greater, .integer(3))
/// var filter = predicate.makeFilter()
/// if filter.matches(record) { try reader.read(record) }
/// ```
package struct ColumnPredicate: Sendable {
    package enum Operator: String, Sendable, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    package enum Literal: Sendable {
        case integer(Int64)
        case real(Double)
        /// A number of any size, with all its digits.
        case number(JSONNumber)
        case text(String)
        case boolean(Bool)
    }

    fileprivate enum Condition: Sendable {
        case comparison(Operator, Operand)
        case isOne(of: [Operand])
        case isPresent
    }

    fileprivate var columns: [Column]
    fileprivate var conditions: [Condition]
    fileprivate var expression: FilterExpression

    private init(_ column: Column, _ condition: Condition) {
        columns = [column]
        conditions = [condition]
        expression = .condition(0)
    }

    /// Compares a column's value with a literal. The result is neither true nor false if the value is null or absent.
    ///
    /// Numbers are compared by value, texts byte by byte, dates as points in time. If a tolerant column has accepted a value of another
    /// type, that value is unequal to every literal, and neither less nor greater.
    ///
    /// - Throws: ``JSONError`` of kind `invalidValue` for a literal of another type than the column's.
    package init(_ column: Column, _ comparison: Operator, _ literal: Literal) throws(JSONError) {
        self.init(column, .comparison(comparison, try Operand(literal, for: column)))
    }

    /// Tests whether a column's value equals one of the literals.
    ///
    /// - Throws: ``JSONError`` of kind `invalidValue` for a literal of another type than the column's.
    package init(_ column: Column, isOneOf literals: [Literal]) throws(JSONError) {
        var operands: [Operand] = []
        for literal in literals { operands.append(try Operand(literal, for: column)) }
        self.init(column, .isOne(of: operands))
    }

    /// Tests whether a column has a value that is not null.
    package init(isPresent column: Column) { self.init(column, .isPresent) }

    package static func && (left: Self, right: Self) -> Self {
        left.joined(right) { $0.and($1) }
    }

    package static func || (left: Self, right: Self) -> Self { left.joined(right) { $0.or($1) } }

    package static prefix func ! (predicate: Self) -> Self {
        var negated = predicate
        negated.expression = .not(predicate.expression)
        return negated
    }

    private func joined(
        _ other: Self, _ join: (FilterExpression, FilterExpression) -> FilterExpression
    ) -> Self {
        var both = self
        both.expression = join(expression, other.expression.shifted(by: columns.count))
        both.columns += other.columns
        both.conditions += other.conditions
        return both
    }

    /// The number of conditions.
    package var conditionCount: Int { conditions.count }

    /// The conditions that compare a value, with the first path of that value. Tests of whether there is a value are left out.
    package var comparedPaths: [(number: Int, path: [String])] {
        conditions.indices.compactMap { number in
            if case .isPresent = conditions[number] { return nil }
            return (number, columns[number].keys[0].components)
        }
    }

    /// Makes a filter, which must not be used by several threads at once.
    ///
    /// - Parameter options: The options with which the values of the columns are read.
    package func makeFilter(options: JSONReader.Options = .strict) -> RecordFilter {
        RecordFilter(
            expression, ColumnConditions(self, options), count: conditions.count, duplicateKeys: options.duplicateKeys)
    }
}

/// A literal, converted to the form that is compared with a column's values.
private enum Operand: Sendable {
    case integer(Int64, ComparedNumber)
    case number(ComparedNumber)
    case text([UInt8])
    case moment(JSONTimestamp)

    init(_ literal: ColumnPredicate.Literal, for column: Column) throws(JSONError) {
        switch (column.type, literal) {
        case (.integer, .integer(let value)), (.real, .integer(let value)): self = Self.comparing(value)
        case (.integer, .real(let value)), (.real, .real(let value)):
            guard let number = JSONNumber(value) else { throw Self.unfit(literal, column) }
            self = .number(ComparedNumber(number))
        case (.integer, .number(let number)), (.real, .number(let number)): self = .number(ComparedNumber(number))
        case (.bool, .boolean(let value)): self = Self.comparing(value ? 1 : 0)
        case (.bool, .integer(let value)) where 0...1 ~= value: self = Self.comparing(value)
        case (.text, .text(let value)): self = .text(Array(value.utf8))
        case (.date, .text(let value)), (.timestamp, .text(let value)):
            guard let moment = Self.moment(Array(value.utf8)) else { throw Self.unfit(literal, column) }
            self = .moment(moment)
        default: throw Self.unfit(literal, column)
        }
    }

    private static func comparing(_ value: Int64) -> Operand { .integer(value, ComparedNumber(JSONNumber(value))) }

    static func moment(_ text: some Collection<UInt8>) -> JSONTimestamp? {
        let bytes = Array(text)
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.flatMap { unsafe DateParsing.parse($0, bytes.count) }
        }
    }

    private static func unfit(_ literal: ColumnPredicate.Literal, _ column: Column) -> JSONError {
        let expected =
            switch column.type {
            case .integer, .real: "a number to compare '\(column.name)' with"
            case .text: "a text to compare '\(column.name)' with"
            case .bool: "true or false to compare '\(column.name)' with"
            case .date, .timestamp: "a date to compare '\(column.name)' with, such as 2014-01-20T12:24:48Z"
            case .json:
                "no comparison with '\(column.name)', which holds JSON; it can only be looked whether it is there"
            }
        let found =
            switch literal {
            case .integer(let value): "the number \(value)"
            case .real(let value): "the number \(value)"
            case .number(let number): "the number \(number)"
            case .text(let value): "the text '\(value)'"
            case .boolean(let value): "\(value)"
            }
        return JSONError(.invalidValue, expected: expected, found: found)
    }

    /// Compares a value with the literal. Below 0 if the value is less, 0 if they are equal, above 0 if it is greater; nil if the value is
    /// of another type.
    ///
    /// - Parameter text: The value as the record has it.
    func order(of value: CellValue, _ text: UnsafeRawBufferPointer) -> Int? {
        switch (self, value) {
        case (.integer(let own, _), .integer(let value)): return ComparedNumber.order(value, own)
        case (.integer(_, let own), _), (.number(let own), _): return unsafe own.order(of: value, text)
        case (.text(let own), .text(let value)):
            if unsafe value.elementsEqual(own) { return 0 }
            return unsafe value.lexicographicallyPrecedes(own) ? -1 : 1
        case (.moment(let own), .text(let value)):
            guard let moment = unsafe Self.moment(value) else { return nil }
            return ComparedNumber.order(moment, own)
        default: return nil
        }
    }
}

/// The conditions of a ``ColumnPredicate``, for a filter.
private final class ColumnConditions: FilterConditions {
    private let columns: [Column]
    private let conditions: [ColumnPredicate.Condition]
    private var reader: ColumnReader

    init(_ predicate: ColumnPredicate, _ options: JSONReader.Options) {
        columns = predicate.columns
        conditions = predicate.conditions
        reader = ColumnReader(columns: predicate.columns, options: options)
    }

    func keys(of number: Int) -> [JSONKeyPath] { columns[number].keys }

    func truth(of number: Int, _ value: UnsafeRawBufferPointer) -> FilterTruth? {
        guard unsafe reader.readValue(ofColumn: number, value) else { return nil }
        // A tolerant column of texts also reads numbers, and a tolerant column of numbers also reads booleans. Such a value is
        // compared by its own type.
        if columns[number].isTolerant, let first = unsafe value.first, !columns[number].type.begins(with: first) {
            return truthOfOtherType(conditions[number])
        }
        return unsafe truth(of: conditions[number], reader.value(at: number), value)
    }

    func truthIfAbsent(of number: Int) -> FilterTruth? {
        unsafe truth(of: conditions[number], .null, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The truth of a condition for a value that is not of its column's type.
    private func truthOfOtherType(_ condition: ColumnPredicate.Condition) -> FilterTruth {
        switch condition {
        case .isPresent: .yes
        case .isOne: .no
        case .comparison(let comparison, _): FilterTruth(comparison == .notEqual)
        }
    }

    private func truth(
        of condition: ColumnPredicate.Condition, _ value: CellValue, _ text: UnsafeRawBufferPointer
    ) -> FilterTruth {
        if case .null = value {
            if case .isPresent = condition { return .no }
            return .unknown
        }
        switch condition {
        case .isPresent: return .yes
        case .isOne(let operands): return FilterTruth(operands.contains { unsafe $0.order(of: value, text) == 0 })
        case .comparison(let comparison, let operand):
            guard let order = unsafe operand.order(of: value, text) else { return truthOfOtherType(condition) }
            switch comparison {
            case .equal: return FilterTruth(order == 0)
            case .notEqual: return FilterTruth(order != 0)
            case .less: return FilterTruth(order < 0)
            case .lessOrEqual: return FilterTruth(order <= 0)
            case .greater: return FilterTruth(order > 0)
            case .greaterOrEqual: return FilterTruth(order >= 0)
            }
        }
    }
}

extension Column.ColumnType {
    /// Whether a JSON value of the type, or null, may begin with a byte.
    fileprivate func begins(with byte: UInt8) -> Bool {
        switch ValueKind(firstByte: byte) {
        case .null: true
        case .string: self == .text || self.isOfDates || self == .json
        case .bool: self == .bool || self == .json
        case .object, .array: self == .json
        case .number, nil: self == .integer || self == .real || self == .json
        }
    }
}
