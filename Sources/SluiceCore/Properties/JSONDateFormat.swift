// How a date stands in JSON, where a property or a call says so.

/// The form of a date in JSON, in both directions.
///
/// ```swift
/// @JSONModel
/// struct Release {
///     @JSONDate(.unix) var published: Date                       // 1390220688
///     @JSONDate(.format("yyyy/MM/dd")) var announced: Date       // "2014/01/20"
///     var indexed: Date                                          // any string format that is known; written as ISO 8601
/// }
/// ```
public enum JSONDateFormat: Sendable, Hashable {
    /// ISO 8601 and RFC 3339 strings.
    case iso8601
    /// Seconds since 1970, as a number or the text of one, with or without a fraction.
    case unix
    /// Milliseconds since 1970.
    case milliseconds
    /// Microseconds since 1970.
    case microseconds
    /// `Mon, 20 Jan 2014 12:24:48 GMT`.
    case rfc1123
    /// A pattern of Unicode's date field symbols (UTS #35), such as `yyyy-MM-dd HH:mm:ss.SSS Z`; in UTC unless it has a zone.
    case format(String)
}
