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
///
/// try release.jsonString(options: .init(dates: .milliseconds))   // for all dates whose property does not say itself
/// ```
///
/// Dates are written in UTC. A date whose text has no zone is in UTC.
public enum JSONDateFormat: Sendable, Hashable {
    /// ISO 8601 and RFC 3339 strings: `"2014-01-20T12:24:48Z"`, with a fraction when there is one.
    case iso8601
    /// Seconds since 1970, as a number or the text of one, with or without a fraction. Written as an integer, or with as much of
    /// a fraction as there is: `1390220688`, `1390220688.5`.
    case unix
    /// Milliseconds since 1970; read and written like ``unix``.
    case milliseconds
    /// Microseconds since 1970; read and written like ``unix``.
    case microseconds
    /// `Mon, 20 Jan 2014 12:24:48 GMT`. The fraction is lost; years beyond 0...9999 cannot be written.
    case rfc1123
    /// A pattern of Unicode's date field symbols (UTS #35), such as `yyyy-MM-dd HH:mm:ss.SSS Z`; in UTC unless it has a zone.
    ///
    /// | letters | field | text |
    /// |---|---|---|
    /// | `yyyy`, `yy` | year (69…99 are 1969…1999), as the ISO calendar counts it | `2014`, `14` |
    /// | `M`, `MM`, `MMM`, `MMMM` | month, names in English | `1`, `01`, `Jan`, `January` |
    /// | `d`, `dd` | day | `5`, `05` |
    /// | `EEE`, `EEEE` | weekday, which is not held against the date | `Mon`, `Monday` |
    /// | `H`, `HH` | hour | `7`, `07` |
    /// | `h`, `hh` with `a` | hour of the half day | `7`, `07`, `AM` |
    /// | `m`, `mm`, `s`, `ss` | minute, second | `8`, `08` |
    /// | `S` … `SSSSSSSSS` | fraction; any number of digits is read | `250` |
    /// | `Z`, `xx` | zone | `+0000` |
    /// | `x`, `xxx` | zone | `+00`, `+00:00` |
    /// | `X`, `XX`, `XXX`, `ZZZZZ` | zone | `Z` |
    /// | `z` | zone | `GMT` |
    ///
    /// What stands between quotes, and what is no letter, stands for itself; two quotes are one. One letter reads one or two
    /// digits, two letters exactly two; a zone is read in any of its spellings, names in either case. What a pattern leaves out
    /// is that of 1970-01-01T00:00:00Z.
    ///
    /// A pattern that holds another field is an error of kind `invalidModel` when the model is first used.
    case format(String)
}
