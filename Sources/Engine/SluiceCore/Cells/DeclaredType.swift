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
    package static let ofDates = [
        DeclaredType(.date), DeclaredType(.timestamp), DeclaredType(.timestamp, dates: .unix),
        DeclaredType(.timestamp, dates: .milliseconds),
    ]

    /// The type as a text, which must not change: checkpoints have it.
    package var name: String {
        switch dates {
        case nil: type.name
        case .unix? where type == .timestamp: "unix"
        case .milliseconds? where type == .timestamp: "unix-ms"
        case .format(let pattern)?: "\(type.name)(\(pattern))"
        case let dates?: "\(type.name) in \(dates.text)"
        }
    }

    /// Where the pattern of a text begins that begins with `date(` or `timestamp(`; nil for other texts.
    package static func patternStart(of text: Substring) -> String.Index? {
        for name in ["date(", "timestamp("] where text.hasPrefix(name) {
            return text.index(text.startIndex, offsetBy: name.count)
        }
        return nil
    }
}

extension JSONDateFormat {
    /// The format as a text that ``init(text:)`` reads.
    package var text: String {
        switch self {
        case .iso8601: "iso8601"
        case .unix: "unix"
        case .milliseconds: "milliseconds"
        case .microseconds: "microseconds"
        case .rfc1123: "rfc1123"
        case .format(let pattern): "format " + pattern
        }
    }

    /// - Returns: nil if the text is not that of a format.
    package init?(text: String) {
        let plain: [JSONDateFormat] = [.iso8601, .unix, .milliseconds, .microseconds, .rfc1123]
        if let known = plain.first(where: { $0.text == text }) {
            self = known
        } else if text.hasPrefix("format ") {
            self = .format(String(text.dropFirst("format ".count)))
        } else {
            return nil
        }
    }

    /// What a value of a column has to be.
    func expectation(isDay: Bool) -> String {
        switch self {
        case .iso8601: "a date in ISO 8601"
        case .unix: "the seconds since 1970"
        case .milliseconds: "the milliseconds since 1970"
        case .microseconds: "the microseconds since 1970"
        case .rfc1123: "a date in RFC 1123"
        case .format(let pattern): "a date \(isDay ? "without a time " : "")in the form \(pattern)"
        }
    }
}
