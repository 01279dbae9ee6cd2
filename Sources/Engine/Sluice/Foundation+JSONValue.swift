// Foundation's value types: dates by our own parser, the rest by Foundation's.

public import Foundation
public import SluiceCore

extension Date: JSONScalarBindable, DatedScalar {
    /// Reads a date from a string in one of the known formats: ISO 8601 and RFC 3339 in all usual spellings, RFC 1123, and
    /// `Sun Aug 31 00:29:15 +0000 2014`. A date without a zone is in UTC.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let moment = scalar.timestamp else { return nil }
        self.init(moment)
    }

    /// Writes ISO 8601 in UTC, with a fraction only if there is one: `2014-01-20T12:24:48Z`. If the property or else the writer's options
    /// set another format, the date is written in that.
    ///
    /// A `Date` near the present resolves about 100 ns, so the fraction is rounded to microseconds.
    public func write(to writer: inout JSONWriter) throws(JSONError) {
        guard let moment = JSONTimestamp(self) else {
            throw JSONError.notWritable("a date within ±292 billion years", found: "\(timeIntervalSince1970) s")
        }
        try writer.write(moment)
    }

    /// The hint in an error for a number or a text in another format: how to tell the property its date format.
    public static func jsonHint(for scalar: JSONScalar) -> String? { scalar.dateHint }

    /// Makes the date nearest to a timestamp.
    public init(_ moment: JSONTimestamp) {
        // Relative to 2001, the date's own origin, whole seconds stay exact and the fraction keeps its precision.
        let seconds = Double(moment.seconds) - Date.timeIntervalBetween1970AndReferenceDate
        self.init(timeIntervalSinceReferenceDate: seconds + Double(moment.nanoseconds) / 1e9)
    }
}

extension JSONTimestamp {
    /// Makes a timestamp from a date, rounded to microseconds; nil beyond the range of 64-bit seconds.
    package init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let seconds = Int64(exactly: whole),
            case let (sum, overflow) = seconds.addingReportingOverflow(Int64(Date.timeIntervalBetween1970AndReferenceDate)),
            !overflow
        else { return nil }
        let microseconds = Int32(((interval - whole) * 1e6).rounded())
        if microseconds == 1_000_000 {
            guard sum < .max else { return nil }
            self.init(seconds: sum + 1, nanoseconds: 0)
        } else {
            self.init(seconds: sum, nanoseconds: microseconds * 1000)
        }
    }
}

extension URL: JSONScalarBindable {
    /// Reads a URL from a string, without the white space around it; nil, so a mismatch, for an empty or invalid one.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let text = scalar.string else { return nil }
        let trimmed = String(
            text.trimmingPrefix(while: \.isWhitespace).reversed().trimmingPrefix(while: \.isWhitespace).reversed())
        guard !trimmed.isEmpty, let url = URL(string: trimmed) else { return nil }
        self = url
    }

    /// Writes the absolute string.
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(absoluteString) }
}

extension UUID: JSONScalarBindable {
    /// Reads a UUID from a string such as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in upper or lower case.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let text = scalar.string, let value = UUID(uuidString: text) else { return nil }
        self = value
    }

    /// Writes the UUID as a string in upper case.
    public func write(to writer: inout JSONWriter) throws(JSONError) { writer.write(uuidString) }

    /// The hint in an error for a string that is not a UUID.
    public static func jsonHint(for scalar: JSONScalar) -> String? {
        scalar.kind == .string ? "a UUID is a string such as \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"" : nil
    }
}

extension Data: JSONScalarBindable {
    /// Reads bytes from a Base64 string, or the UTF-8 bytes of the string itself, depending on `JSONScalar.dataFormat`.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let text = scalar.string else { return nil }
        switch scalar.dataFormat {
        case .base64:
            guard let value = Data(base64Encoded: text) else { return nil }
            self = value
        case .utf8:
            self = Data(text.utf8)
        }
    }

    /// Writes a Base64 string; or, if the property asks for it, the text whose UTF-8 bytes they are.
    ///
    /// - Throws: `JSONError` of kind `notWritable` for bytes that are to be written as text but are not UTF-8.
    public func write(to writer: inout JSONWriter) throws(JSONError) {
        switch writer.dataFormat {
        case .base64: writer.write(base64EncodedString())
        case .utf8:
            guard let text = String(validating: self, as: UTF8.self) else {
                throw JSONError.notWritable("bytes that are UTF-8", found: "\(count) bytes that are not")
            }
            writer.write(text)
        }
    }

    /// The hint in an error for a string that is not Base64: how to read the bytes of its text instead.
    public static func jsonHint(for scalar: JSONScalar) -> String? {
        guard scalar.kind == .string, scalar.dataFormat == .base64 else { return nil }
        return "the string is not Base64; for the bytes of its text mark the property @JSONData(.utf8)"
    }
}

extension Decimal: JSONScalarBindable {
    /// Reads the number's exact value, from its text and never through a double; nil if a decimal cannot hold it exactly.
    public init?(jsonScalar scalar: JSONScalar) {
        guard let text = scalar.numberText else { return nil }
        // Up to 38 digits without an exponent always fit. `Decimal(string:)` silently rounds a number that does not fit.
        let isPlain = text.utf8.count <= 38 && !text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
        guard let value = isPlain ? Decimal(string: text) : DecimalLexeme.of(text, \.decimal) else { return nil }
        self = value
    }

    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws(JSONError) {
        if isNaN { return try writer.writeNonFinite(.nan) }
        guard let number = JSONNumber(lexeme: description) else {
            throw JSONError.notWritable("a finite number", found: description)
        }
        writer.writeNumber(number)
    }
}

extension Data: JSONBytes {}

extension JSONWritable {
    /// The value as JSON text in UTF-8.
    ///
    /// - Throws: `JSONError` of kind `notWritable` or `depthLimit`.
    public func jsonData(options: JSONWriter.Options = .init()) throws(JSONError) -> Data {
        try unsafe withJSON(options: options) { unsafe Data($0) }
    }
}

extension UUID: JSONKeyBindable {
    /// The identifier with this text.
    public init?(jsonKey text: String) { self.init(uuidString: text) }
    /// The text, in capital letters.
    public var jsonKey: String { uuidString }
}

// The values that properties of these types have until their own are read.

extension Date: PlaceholderValue {
    package static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension UUID: PlaceholderValue {
    package static var placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Data: PlaceholderValue {
    package static var placeholder: Data { Data() }
}

extension Decimal: PlaceholderValue {
    package static var placeholder: Decimal { Decimal() }
}

// What these types are in JSON, for schemas and constraints.

extension Decimal: KnownScalar {
    package static var form: ScalarForm { .number }
    package var exactNumber: String? { isNaN ? nil : description }
}

extension URL: KnownScalar {
    package static var form: ScalarForm { .text(format: "uri-reference") }
}

extension UUID: KnownScalar {
    package static var form: ScalarForm { .text(format: "uuid") }
}

extension Data: KnownScalar {
    package static var form: ScalarForm { .data }
}
