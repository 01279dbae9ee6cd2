// What JSON Schema calls formats: the decoded text of a JSON string flows in, and whether it has the format comes out.

/// A format of text, by its name in JSON Schema (draft 2020-12, "Validation", section 7.3).
///
/// ```swift
/// JSONTextFormat.email.accepts("ada@example.com")             // true
/// JSONTextFormat(rawValue: "date-time")?.accepts("today")     // false
/// ```
///
/// Each format is checked in one pass, in time in proportion to the text. Formats that are not in this list have no case:
/// `JSONTextFormat(rawValue: "idn-email")` is nil.
public enum JSONTextFormat: String, Sendable, Hashable, CaseIterable {
    /// A date and a time with an offset, as in RFC 3339: `1985-04-12T23:20:50.52Z`. Second 60 is accepted in the last minute of a day in
    /// UTC, whatever the date.
    case dateTime = "date-time"
    /// `1985-04-12`: a day of the Gregorian calendar with a year of four digits (RFC 3339, `full-date`).
    case date
    /// `23:20:50.52+01:00`: a time with an offset (RFC 3339, `full-time`).
    case time
    /// `P3Y6M4DT12H30M5S` or `P2W` (RFC 3339, appendix A). A unit may only be followed by the next smaller one, and has no fraction.
    case duration
    /// A mailbox of RFC 5321: a local part of at most 64 bytes, which may be in quotes, and a ``hostname`` or an address in brackets.
    case email
    /// A name of RFC 1123: labels of letters, digits and hyphens, up to 63 characters each and 253 in all.
    ///
    /// Labels that begin with `xn--` are decoded, and checked by RFC 5892: the characters that are allowed, and those that need certain
    /// neighbours; and by RFC 5893 (direction), as far as a label decides it alone. The direction and the joining type of characters follow
    /// from their scripts, and Unicode's normal form C is not checked.
    case hostname
    /// Four numbers up to 255 without leading zeros.
    case ipv4
    /// An address of RFC 4291 without a zone: `2001:db8::7`, `::ffff:192.0.2.1`.
    case ipv6
    /// A URI of RFC 3986 with its scheme: `https://example.com/a?b#c`. Other characters than ASCII must be encoded with `%`.
    case uri
    /// A URI, or a reference relative to one: `../a?b#c`.
    case uriReference = "uri-reference"
    /// 32 hexadecimal digits with four hyphens, in upper or lower case. Version and variant are not checked.
    case uuid
    /// A regular expression of ECMA-262 with the `u` flag. Look-around and back-references are accepted, although patterns that are matched
    /// cannot have them.
    case regex
    /// A JSON Pointer of RFC 6901: empty, or `/a~1b/0`.
    case jsonPointer = "json-pointer"

    /// Whether a text has this format.
    public func accepts(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { unsafe accepts($0) }
    }

    /// Whether the decoded text of a JSON string has this format.
    package func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var cursor = unsafe FormatCursor(text)
        let begins =
            switch self {
            case .dateTime: cursor.takeDateTime()
            case .date: cursor.takeDate() != nil
            case .time: cursor.takeTime()
            case .duration: cursor.takeDuration()
            case .email: cursor.takeMailbox()
            case .hostname: cursor.takeHostname()
            case .ipv4: cursor.takeIPv4()
            case .ipv6: cursor.takeIPv6()
            case .uri: cursor.takeURI(isReference: false)
            case .uriReference: cursor.takeURI(isReference: true)
            case .uuid: cursor.takeUUID()
            case .regex: cursor.takePattern()
            case .jsonPointer: cursor.takePointer()
            }
        return begins && cursor.isAtEnd
    }
}
