// The intermediate value between date text and a model's own date type: DateParsing makes it, DateFormatting writes it, and
// conversions outside the core (Foundation's Date) start from it.

/// A moment in time: whole seconds since 1970-01-01T00:00:00Z, plus nanoseconds.
///
/// The nanoseconds always count forward: half a second before 1970 is `seconds: -1, nanoseconds: 500_000_000`. Leap seconds
/// are not counted, as in POSIX time.
///
///     let launch = JSONTimestamp(seconds: 1_390_220_688, nanoseconds: 0)  // 2014-01-20T12:24:48Z
public struct JSONTimestamp: Sendable, Hashable, Comparable {
    /// Whole seconds since 1970-01-01T00:00:00Z; negative before it.
    public var seconds: Int64
    /// Nanoseconds after `seconds`, 0 ..< 1_000_000_000.
    public var nanoseconds: Int32

    /// Makes a moment from seconds and nanoseconds.
    ///
    /// Nanoseconds outside 0 ..< 1_000_000_000 are carried into the seconds: `(0, -1)` is the same moment as `(-1,
    /// 999_999_999)`. A carry past the range of `Int64` gives the earliest or latest moment that a timestamp can hold.
    public init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        if nanoseconds < 0 || nanoseconds >= 1_000_000_000 { carry() }
    }

    /// Earlier moments come first.
    public static func < (left: Self, right: Self) -> Bool {
        left.seconds != right.seconds ? left.seconds < right.seconds : left.nanoseconds < right.nanoseconds
    }

    private mutating func carry() {
        var whole = Int64(nanoseconds / 1_000_000_000)
        var rest = nanoseconds % 1_000_000_000
        if rest < 0 {
            rest += 1_000_000_000
            whole -= 1
        }
        let (sum, overflow) = seconds.addingReportingOverflow(whole)
        self = overflow ? (whole < 0 ? .first : .last) : Self(seconds: sum, nanoseconds: rest)
    }

    private static let first = Self(seconds: .min, nanoseconds: 0)
    private static let last = Self(seconds: .max, nanoseconds: 999_999_999)
}

extension JSONTimestamp {
    /// Whole microseconds since 1970-01-01T00:00:00Z, the rest below a microsecond cut off; nil if they do not fit 64 bits.
    package var microseconds: Int64? {
        let (whole, isTooMany) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isBeyond) = whole.addingReportingOverflow(Int64(nanoseconds / 1000))
        return isTooMany || isBeyond ? nil : sum
    }

    /// The seconds since 1970 of a text of the form `2014-01-20T12:24:48Z` with a valid day from 1583 on; nil for any other text.
    package static func plainSeconds(of text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == 20, unsafe text[10] == UInt8(ascii: "T"), unsafe text[19] == UInt8(ascii: "Z"),
            unsafe text[17] < UInt8(ascii: "6"), unsafe text[11] < UInt8(ascii: "2") || text[12] < UInt8(ascii: "4"),
            // Safe: the text has 20 bytes.
            let moment = unsafe DateParsing.iso8601(text.assumingMemoryBound(to: UInt8.self).baseAddress.unsafelyUnwrapped, 20),
            moment.nanoseconds == 0, moment.seconds >= -12_212_553_600
        else { return nil }
        return moment.seconds
    }

    /// The moment of a text in ISO 8601; nil for every other text.
    package static func iso8601(_ text: UnsafeRawBufferPointer) -> JSONTimestamp? {
        // Safe: the text has this many bytes.
        guard let start = unsafe text.assumingMemoryBound(to: UInt8.self).baseAddress else { return nil }
        return unsafe DateParsing.iso8601(start, text.count)
    }

    /// The calendar date of a day, counted from 1970-01-01; the year before 1 is 0.
    package static func civilDate(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) { DateFormatting.civilDate(days) }
}

/// A scalar that is a moment in time: a column of dates holds it.
package protocol DatedScalar {}
