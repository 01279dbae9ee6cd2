// What each date format is called, and what the epochs count: one table, from which all else about epochs follows.
//
// A new epoch is a case in JSONDateFormat.swift, and a line each in `epoch`, `textForm`, `text` and `plain`. An epoch that has a `columnType`
// is also a type of columns, for the option --type and for Arrow, and `sluice infer` finds it. Reading, writing, errors, hints, schemas and
// Swift models need no change. A new format of texts is a case of `TextForm`, too: the compiler then asks how it is read, in
// JSONDateFormat+Parsing.swift, and written, in Writing/JSONWriter+Formats.swift.

/// What a format counts since 1970.
package struct Epoch: Sendable {
    /// How many decimal places a nanosecond is below the unit.
    let places: Int
    /// What is counted, in the plural.
    package let unit: StaticString
    /// What the type of such a column is called; nil if columns cannot have it. It must not change: checkpoints have it.
    package var columnType: StaticString?
    /// The last words of keys whose values count this unit and no other, as in `created_ms`, with blanks between.
    var keyWords: StaticString = ""

    /// How many of the unit are a second.
    var perSecond: Int64 { Int64(PowersOfTen.small(9 - places)) }

    /// Whether a key that ends with a word names the unit.
    func isNamed(by word: String) -> Bool { keyWords.description.split(separator: " ").contains { $0 == word } }
}

extension JSONDateFormat {
    /// What an epoch counts; nil for the formats that are no epochs.
    @inline(__always)
    package var epoch: Epoch? {
        switch self {
        case .unix: Epoch(places: 9, unit: "seconds", columnType: "unix")
        case .milliseconds:
            Epoch(places: 6, unit: "milliseconds", columnType: "unix-ms", keyWords: "ms millis milliseconds")
        case .microseconds: Epoch(places: 3, unit: "microseconds")
        case .iso8601, .rfc1123, .format: nil
        }
    }

    /// The formats that are no epochs.
    enum TextForm {
        case iso8601, rfc1123
        case pattern(String)

        /// What a value of a column has to be.
        fileprivate func expectation(isDay: Bool) -> String {
            switch self {
            case .iso8601: "a date in ISO 8601"
            case .rfc1123: "a date in RFC 1123"
            case .pattern(let pattern): "a date \(isDay ? "without a time " : "")in the form \(pattern)"
            }
        }
    }

    /// What the texts of this format are; nil for an epoch.
    @inline(__always)
    var textForm: TextForm? {
        switch self {
        case .iso8601: .iso8601
        case .rfc1123: .rfc1123
        case .format(let pattern): .pattern(pattern)
        case .unix, .milliseconds, .microseconds: nil
        }
    }

    /// The format as a text that ``init(text:)`` reads. It must not change: checkpoints have it. Without a pattern, it is also the name of
    /// the case.
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

    /// The formats without a pattern; the epochs among them from the largest unit to the smallest.
    private static let plain: [JSONDateFormat] = [.iso8601, .unix, .milliseconds, .microseconds, .rfc1123]

    /// The formats that count time since 1970.
    static let epochs = plain.filter { $0.epoch != nil }
    /// Those that are types of columns.
    static let epochsOfColumns = epochs.filter { $0.epoch?.columnType != nil }

    /// How many decimal places a nanosecond is below the unit of an epoch; nil for the formats that are no epochs.
    var places: Int? { epoch?.places }

    /// - Returns: nil if the text is not that of a format.
    package init?(text: String) {
        if let known = JSONDateFormat.plain.first(where: { $0.text == text }) {
            self = known
        } else if text.hasPrefix("format ") {
            self = .format(String(text.dropFirst("format ".count)))
        } else {
            return nil
        }
    }

    /// What a value of a column has to be.
    func expectation(isDay: Bool) -> String {
        textForm?.expectation(isDay: isDay) ?? "the \(epoch?.unit ?? "seconds") since 1970"
    }
}
