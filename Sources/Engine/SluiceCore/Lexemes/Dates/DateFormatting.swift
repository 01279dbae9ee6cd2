/// Formats moments: takes a timestamp and a pointer to free memory, writes the text in UTC and returns its count of bytes. ISO 8601 and
/// epochs are here; patterns, and RFC 1123, which is one, are in `DatePattern+Formatting.swift`. `JSONWriter+Formats.swift` chooses.
///
/// ISO 8601 is `2014-01-20T12:24:48Z`, with 3, 6 or 9 digits of fraction unless the fraction is 0. Years outside 0...9999 get a
/// sign and at least six digits, as ISO 8601 expands them (`-000001-12-31T23:59:59Z`). Every timestamp has a text, and
/// `DateParsing` reads it back.
enum DateFormatting {
    /// How many bytes must be free at `out`; the longest text, a year of twelve digits with nanoseconds, has 39.
    static let maximumLength = 40

    /// The end of the text of a moment at 0:00: the text before it is the day.
    static let midnight = "T00:00:00Z"

    static func writeISO8601(_ t: JSONTimestamp, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let (moment, days, second) = split(t)
        let date = civilDate(days)

        var text = unsafe out
        if date.year >= 0, date.year <= 9999 {
            unsafe write(date.year / 100, to: text)
            unsafe write(date.year % 100, to: text + 2)
            unsafe text += 4
        } else {
            unsafe text += writeExpandedYear(date.year, to: text)
        }
        unsafe text[0] = UInt8(ascii: "-")
        unsafe write(date.month, to: text + 1)
        unsafe text[3] = UInt8(ascii: "-")
        unsafe write(date.day, to: text + 4)
        unsafe text[6] = UInt8(ascii: "T")
        let minute = second / 60
        unsafe write(minute / 60, to: text + 7)
        unsafe text[9] = UInt8(ascii: ":")
        unsafe write(minute % 60, to: text + 10)
        unsafe text[12] = UInt8(ascii: ":")
        unsafe write(second % 60, to: text + 13)
        unsafe text += 15
        if moment.nanoseconds != 0 { unsafe text += writeFraction(moment.nanoseconds, to: text) }
        unsafe text[0] = UInt8(ascii: "Z")
        return unsafe text - out + 1
    }

    /// Writes the moment as a number of seconds, milliseconds or microseconds since 1970: an integer, or a decimal with only as many
    /// digits after the point as it needs. Needs as much room as an integer of 128 bits.
    ///
    /// - Parameter places: how many decimal places a nanosecond is below the unit: 9 for seconds, 6 for milliseconds, 3 for
    ///   microseconds.
    static func writeEpoch(_ t: JSONTimestamp, places: Int, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let moment = JSONTimestamp(seconds: t.seconds, nanoseconds: t.nanoseconds)
        let nanoseconds = Int128(moment.seconds) * 1_000_000_000 + Int128(moment.nanoseconds)
        // Safe: `places` is 9 at most.
        let unit = UInt128(PowersOfTen.small(places))
        let (whole, fraction) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: unit)
        unsafe out[0] = UInt8(ascii: "-")
        var count = nanoseconds < 0 ? 1 : 0
        unsafe count += NumberFormatting.write(whole, to: out + count)
        if fraction == 0 { return count }
        unsafe out[count] = UInt8(ascii: ".")
        unsafe writeDigits(Int64(fraction), places, to: out + count + 1)
        count += places + 1
        while unsafe out[count - 1] == UInt8(ascii: "0") { count -= 1 }
        return count
    }

    /// The moment with its nanoseconds in range, its day since 1970-01-01 and the second of that day.
    @inline(__always)
    static func split(_ t: JSONTimestamp) -> (moment: JSONTimestamp, days: Int64, second: Int64) {
        // The fields are settable, so the nanoseconds may be out of range; init carries them into the seconds.
        let moment = JSONTimestamp(seconds: t.seconds, nanoseconds: t.nanoseconds)
        // Rounded down, also before 1970. Safe: the remainder is smaller than the divisor, so the quotient changes by one at most.
        var days = moment.seconds / 86_400
        var second = moment.seconds % 86_400
        if second < 0 {
            second &+= 86_400
            days &-= 1
        }
        return (moment, days, second)
    }

    /// The weekday of a day number, 0 for Sunday; 1970-01-01 was a Thursday.
    static func weekday(_ days: Int64) -> Int {
        let number = Int((days % 7 + 4) % 7)
        return number < 0 ? number + 7 : number
    }

    /// The calendar date of a day number; the inverse of `DateParsing.dayNumber` (Howard Hinnant,
    /// https://howardhinnant.github.io/date_algorithms.html).
    @inline(__always)
    static func civilDate(_ daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Safe: Int64 seconds are fewer than 2^47 days, so nothing here comes near 2^63.
        let days = daysSince1970 &+ 719_468
        let era = (days >= 0 ? days : days &- 146_096) / 146_097
        let dayOfEra = days &- era &* 146_097
        let yearOfEra = (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let marchMonth = (5 &* dayOfYear &+ 2) / 153
        let day = dayOfYear &- (153 &* marchMonth &+ 2) / 5 &+ 1
        let month = marchMonth < 10 ? marchMonth &+ 3 : marchMonth &- 9
        return (yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), month, day)
    }

    /// Writes a number below 100 as two digits.
    @inline(__always)
    private static func write(_ value: Int64, to text: UnsafeMutablePointer<UInt8>) {
        let number = UInt8(truncatingIfNeeded: value)
        unsafe text[0] = number / 10 &+ 0x30
        unsafe text[1] = number % 10 &+ 0x30
    }

    /// Writes the last `count` digits of a number, with leading zeros.
    static func writeDigits(_ value: Int64, _ count: Int, to text: UnsafeMutablePointer<UInt8>) {
        var rest = value
        for index in stride(from: count - 1, through: 0, by: -1) {
            unsafe text[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
            rest /= 10
        }
    }

    @inline(never)
    private static func writeExpandedYear(_ year: Int64, to text: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe text[0] = year < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        var digits = 6
        var bound: UInt64 = 1_000_000
        while year.magnitude >= bound {
            digits &+= 1
            bound &*= 10
        }
        unsafe writeDigits(Int64(year.magnitude), digits, to: text + 1)
        return digits &+ 1
    }

    @inline(never)
    private static func writeFraction(_ nanoseconds: Int32, to text: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe text[0] = UInt8(ascii: ".")
        var digits = 9
        var rest = nanoseconds
        while rest % 1000 == 0 {
            rest /= 1000
            digits &-= 3
        }
        unsafe writeDigits(Int64(rest), digits, to: text + 1)
        return digits &+ 1
    }
}
