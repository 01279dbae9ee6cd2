// The format of a date in JSON, as a property or a call names it.

/// The format of a date in JSON, for reading and writing.
///
/// ```swift
/// @JSONModel
/// struct Release {
///     @JSONDate(.unix) var published: Date                       // 1390220688
///     @JSONDate(.format("yyyy/MM/dd")) var announced: Date       // "2014/01/20"
///     var indexed: Date                                          // any string format that is known; written as ISO 8601
/// }
///
/// try release.jsonString(options: .init(dates: .milliseconds))   // for all dates whose property names no format
/// ```
///
/// Dates are written in UTC. A date whose text has no zone is read as UTC.
public enum JSONDateFormat: Sendable, Hashable {
    /// ISO 8601 and RFC 3339 strings: `"2014-01-20T12:24:48Z"`, with a fraction unless it is 0.
    case iso8601
    /// Seconds since 1970, read from a number or a string that holds one, with or without a fraction. Written as a number with only
    /// as many digits of fraction as it needs: `1390220688`, `1390220688.5`.
    case unix
    /// Milliseconds since 1970; read and written like ``unix``.
    case milliseconds
    /// Microseconds since 1970; read and written like ``unix``.
    case microseconds
    /// RFC 1123 strings: `Mon, 20 Jan 2014 12:24:48 GMT`. The fraction is lost; years outside 0...9999 cannot be written.
    case rfc1123
    /// A pattern of Unicode's date field symbols (UTS #35), such as `yyyy-MM-dd HH:mm:ss.SSS Z`; in UTC unless it has a zone.
    ///
    /// | letters | field | text |
    /// |---|---|---|
    /// | `yyyy`, `yy` | year, numbered as in ISO 8601 (`yy`: 69…99 are 1969…1999) | `2014`, `14` |
    /// | `M`, `MM`, `MMM`, `MMMM` | month, names in English | `1`, `01`, `Jan`, `January` |
    /// | `d`, `dd` | day | `5`, `05` |
    /// | `EEE`, `EEEE` | weekday, read but not compared with the date | `Mon`, `Monday` |
    /// | `H`, `HH` | hour | `7`, `07` |
    /// | `h`, `hh` with `a` | hour of the half day | `7`, `07`, `AM` |
    /// | `m`, `mm`, `s`, `ss` | minute, second | `8`, `08` |
    /// | `S` … `SSSSSSSSS` | fraction; any number of digits is read | `250` |
    /// | `Z`, `xx` | zone | `+0000` |
    /// | `x`, `xxx` | zone | `+00`, `+00:00` |
    /// | `X`, `XX`, `XXX`, `ZZZZZ` | zone | `Z` |
    /// | `z` | zone | `GMT` |
    ///
    /// Text between quotes, and every character that is not a letter, is literal; two quotes stand for one. When reading, one letter
    /// matches one or two digits, two letters exactly two; a zone may have any of the spellings above, names may be in upper or
    /// lower case. Fields that a pattern leaves out have their value at 1970-01-01T00:00:00Z.
    ///
    /// A pattern with any other field is an error of kind `invalidModel` when the model is first used.
    case format(String)
}
