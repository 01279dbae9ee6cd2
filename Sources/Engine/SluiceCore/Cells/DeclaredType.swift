// The types of columns as options name them: what is stored, and the form of dates in JSON.

/// A type as a user declares it: that of a column, or one of dates in a form of their own, such as `unix` or `date(dd.MM.yyyy)`.
package struct DeclaredType: Sendable, Hashable {
    package let type: ColumnType
    /// The form of a column's dates in JSON; nil for texts in any known form.
    package let dates: JSONDateFormat?

    package init(_ type: ColumnType, dates: JSONDateFormat? = nil) { (self.type, self.dates) = (type, dates) }

    /// Reads the name of a type; nil if it is not one.
    ///
    /// - Parameter types: The types that are not of dates.
    /// - Throws: ``JSONError`` of kind `invalidModel` for a date pattern that is not understood.
    package init?(named name: String, among types: [(name: String, type: ColumnType)]) throws(JSONError) {
        if let type = types.first(where: { $0.name == name }) {
            self.init(type.type)
        } else if let dated = Self.ofDates.first(where: { $0.name == name }) {
            self = dated
        } else if name.hasSuffix(")"), let start = Self.patternStart(of: name[...]) {
            let pattern = String(name[start...].dropLast())
            _ = try DatePattern.compiled(pattern)
            self.init(name.hasPrefix("date") ? .date : .timestamp, dates: .format(pattern))
        } else {
            return nil
        }
    }

    /// The types of dates without a pattern.
    package static let ofDates =
        [DeclaredType(.date), DeclaredType(.timestamp)]
        + JSONDateFormat.epochsOfColumns.map { DeclaredType(.timestamp, dates: $0) }

    /// The types whose values are numbers that count time, as a list in words.
    static var namesOfEpochs: String {
        ErrorWords.list(JSONDateFormat.epochsOfColumns.map { DeclaredType(.timestamp, dates: $0).name })
    }

    /// The type as a text, which must not change: checkpoints have it.
    package var name: String {
        guard let dates else { return type.name }
        if type == .timestamp, let name = dates.epoch?.columnType { return name.description }
        if case .format(let pattern) = dates { return "\(type.name)(\(pattern))" }
        return "\(type.name) in \(dates.text)"
    }

    /// Where the pattern of a text begins that begins with `date(` or `timestamp(`; nil for other texts.
    package static func patternStart(of text: Substring) -> String.Index? {
        for name in ["date(", "timestamp("] where text.hasPrefix(name) {
            return text.index(text.startIndex, offsetBy: name.count)
        }
        return nil
    }
}
