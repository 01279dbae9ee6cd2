// Parses the types of columns of dates that options name: what is stored, and the form of the dates in JSON.

/// The type of a column of dates: `date`, `timestamp`, `unix`, `unix-ms`, `date(dd.MM.yyyy)` or `timestamp(dd.MM.yyyy HH:mm)`.
package struct DateColumnType: Sendable, Hashable {
    /// Whether the column holds days, and not moments.
    package let isDay: Bool
    /// The form of the dates in JSON; nil for texts in any known form.
    package let format: JSONDateFormat?

    /// Reads the name of a type; nil if it is not one of dates.
    ///
    /// - Throws: ``JSONError`` of kind `invalidModel` for a pattern that is not understood.
    package init?(named name: String) throws(JSONError) {
        if let plain = Self.plainTypes.first(where: { $0.name == name }) {
            (isDay, format) = (plain.isDay, plain.format)
            return
        }
        guard name.hasSuffix(")"), let start = Self.patternStart(of: name[...]) else { return nil }
        let pattern = String(name[start...].dropLast())
        _ = try DatePattern.compiled(pattern)
        (isDay, format) = (name.hasPrefix("date"), .format(pattern))
    }

    /// The names without a pattern.
    package static var names: [String] { plainTypes.map(\.name) }

    /// Where the pattern of a text begins that begins with `date(` or `timestamp(`; nil for other texts.
    package static func patternStart(of text: Substring) -> String.Index? {
        for name in ["date(", "timestamp("] where text.hasPrefix(name) {
            return text.index(text.startIndex, offsetBy: name.count)
        }
        return nil
    }

    private static let plainTypes: [(name: String, isDay: Bool, format: JSONDateFormat?)] = [
        ("date", true, nil), ("timestamp", false, nil), ("unix", false, .unix), ("unix-ms", false, .milliseconds),
    ]
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
