// Conditions on columns that are known only at run time, for example from a command line or a query. They have the rules of SQL: a
// comparison with null is neither true nor false.

extension RecordPredicate {
    package enum Operator: String, Sendable, CaseIterable {
        case equal = "="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Whether the comparison holds for a value that is less than the literal (below 0), equal (0), or greater.
        fileprivate func holds(for order: Int) -> Bool {
            switch self {
            case .equal: order == 0
            case .notEqual: order != 0
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        }
    }

    package enum Literal: Sendable {
        case integer(Int64)
        case real(Double)
        /// A number of any size, with all its digits.
        case number(JSONNumber)
        case text(String)
        case boolean(Bool)
    }

    /// Compares a column's value with a literal. The result is neither true nor false if the value is null or absent.
    ///
    /// Numbers are compared by value, texts byte by byte, dates as points in time. If a tolerant column has accepted a value of another
    /// type, that value is unequal to every literal, and neither less nor greater.
    ///
    /// - Throws: ``JSONError`` of kind `invalidValue` for a literal of another type than the column's.
    package init(_ column: JSONColumn, _ comparison: Operator, _ literal: Literal) throws(JSONError) {
        let operand = try Operand(literal, for: column)
        unsafe self.init(column, ofOtherType: FilterTruth(comparison == .notEqual)) { value, text in
            unsafe operand.order(of: value, text).map { FilterTruth(comparison.holds(for: $0)) }
        }
    }

    /// Tests whether a column's value equals one of the literals.
    ///
    /// - Throws: ``JSONError`` of kind `invalidValue` for a literal of another type than the column's.
    package init(_ column: JSONColumn, isOneOf literals: [Literal]) throws(JSONError) {
        var operands: [Operand] = []
        for literal in literals { operands.append(try Operand(literal, for: column)) }
        unsafe self.init(column, ofOtherType: .no) { [operands] value, text in
            FilterTruth(operands.contains { unsafe $0.order(of: value, text) == 0 })
        }
    }

    /// Tests whether a column has a value that is not null.
    package init(isPresent column: JSONColumn) {
        unsafe self.init(column, ofNull: .no, ofOtherType: .yes) { _, _ in .yes }
    }

    /// - Parameters:
    ///   - null: The truth for null, and for an absent value.
    ///   - other: The truth for a value that is not of the column's type.
    ///   - truth: The truth for another value, which comes with its text in the record; nil if it is not of the column's type.
    private init(
        _ column: JSONColumn, ofNull null: FilterTruth = .unknown, ofOtherType other: FilterTruth,
        _ truth: @escaping @Sendable (RawCellValue, UnsafeRawBufferPointer) -> FilterTruth?
    ) {
        self.init(
            RecordCondition(comparing: null == .unknown ? column.keys.first?.components : nil) { options in
                let reader = ColumnReader(columns: [column], options: options)
                return unsafe RecordCondition.Test(keys: column.keys) { text in
                    guard let text = unsafe text else { return null }
                    guard let value = unsafe reader.readValue(ofColumn: 0, text) else { return nil }
                    // A tolerant column of texts also reads numbers, and a tolerant column of numbers also reads booleans. Such a value is
                    // compared by its own type.
                    if column.isTolerant, let first = unsafe text.first, !column.type.begins(with: first) { return other }
                    if case .null = value { return null }
                    return unsafe truth(value, text) ?? other
                }
            })
    }
}

/// A literal, converted to the form that is compared with a column's values.
private enum Operand: Sendable {
    case integer(Int64, ComparedNumber)
    case number(ComparedNumber)
    case text([UInt8])
    case moment(JSONTimestamp)

    init(_ literal: RecordPredicate.Literal, for column: JSONColumn) throws(JSONError) {
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

    private static func unfit(_ literal: RecordPredicate.Literal, _ column: JSONColumn) -> JSONError {
        let expected =
            switch column.type {
            case .integer, .real: "a number to compare '\(column.name)' with"
            case .text: "a text to compare '\(column.name)' with"
            case .bool: "true or false to compare '\(column.name)' with"
            case .date, .timestamp: "a date to compare '\(column.name)' with, such as 2014-01-20T12:24:48Z"
            default:
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
    func order(of value: RawCellValue, _ text: UnsafeRawBufferPointer) -> Int? {
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

extension ColumnType {
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
