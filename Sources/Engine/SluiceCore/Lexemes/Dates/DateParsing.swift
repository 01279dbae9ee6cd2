/// Parses dates: takes the decoded text of a JSON string, returns a moment, or nil when the text is in none of these
/// forms.
///
/// - ISO 8601 / RFC 3339: `2014-05-06`, `2014-05-06 07:08`, `2014-01-20T12:24:48Z`, `2014-01-20t12:24:48.000+08:00`. `T`, `t`
///   or a space; seconds optional; a fraction of any length, cut off after nanoseconds; `Z`, `z`, `±HH`, `±HHmm`, `±HH:mm`, or
///   nothing for UTC; after a space also ` UTC`. Years outside 0...9999 have a sign and at least six digits, as ISO 8601 expands them.
/// - RFC 1123: `Tue, 15 Nov 1994 08:12:31 GMT`, or an offset in place of `GMT`.
/// - Twitter, Weibo: `Fri Sep 04 00:12:21 +0800 2015`, with or without a fraction.
/// - Microsoft JSON: `/Date(1508305864550+0000)/`; the offset says where it was written and does not change the moment.
///
/// Fields are checked (month lengths, leap years). 24:00:00 is the next midnight; second 60 is the first second of the next
/// minute, as a leap second is in POSIX time. Names of days and months are English, in upper or lower case; the weekday is not
/// compared with the date. Nothing is allocated.
enum DateParsing {
    static func parse(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        // `/Date(0)/`, the shortest date, has nine bytes.
        guard count >= 9 else { return nil }
        let first = unsafe bytes[0]
        if first &- 0x30 <= 9 { return unsafe parseISO8601(bytes, count) }
        if first == ascii("/") { return unsafe parseMicrosoft(bytes, count) }
        if first == ascii("+") || first == ascii("-") { return unsafe parseExpandedYear(bytes, count) }
        guard unsafe isDayName(bytes) else { return nil }
        if unsafe bytes[3] == ascii(",") { return unsafe parseRFC1123(bytes, count) }
        return unsafe parseTwitter(bytes, count)
    }

    /// The moment of a text in ISO 8601; nil for every other form.
    static func iso8601(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        guard count >= 10 else { return nil }
        let first = unsafe bytes[0]
        if first == ascii("+") || first == ascii("-") { return unsafe parseExpandedYear(bytes, count) }
        return unsafe parseISO8601(bytes, count)
    }

    /// The moment of a text in the form of RFC 1123; nil for every other form.
    static func rfc1123(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        guard count >= 4, unsafe isDayName(bytes), unsafe bytes[3] == ascii(",") else { return nil }
        return unsafe parseRFC1123(bytes, count)
    }

    // MARK: Forms

    @inline(__always)
    private static func parseISO8601(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        guard count >= 10 else { return nil }
        // `yyyy-MM-` in one word, XORed with `0000-00-`: digits become their values, marks become zero.
        let front =
            unsafe UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self)) ^ 0x2D30_302D_3030_3030
        // Adding 0x76 sets bit 7 if a digit's byte is above 9; adding 0x7F sets it if a mark's byte is not zero.
        guard (front &+ 0x7F76_767F_7676_7676 | front) & 0x8080_8080_8080_8080 == 0 else { return nil }
        // Each digit is joined with the one after it; the pairs that count are in bytes 0, 2 and 5.
        let pairs = front &* 10 &+ front &>> 8
        let year = Int64(truncatingIfNeeded: (pairs & 0xFF) &* 100 &+ pairs &>> 16 & 0xFF)
        let month = Int(truncatingIfNeeded: pairs &>> 40 & 0xFF)
        guard let day = unsafe twoDigits(bytes + 8), let days = dayNumber(year, month, day) else { return nil }
        return unsafe parseTime(bytes + 10, count &- 10, days)
    }

    /// `±YYYYYY-MM-dd…`. Twelve digits of a year reach past the range of Int64 seconds.
    @inline(never)
    private static func parseExpandedYear(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        var end = 1
        while end < count, unsafe bytes[end] &- 0x30 <= 9 { end &+= 1 }
        // Safe: the sum is compared before the six bytes after the year are read.
        guard end >= 7, end <= 13, end &+ 6 <= count, let magnitude = unsafe NumberParsing.int64(bytes + 1, end &- 1),
            unsafe bytes[end] == ascii("-"), let month = unsafe twoDigits(bytes + (end &+ 1)),
            unsafe bytes[end &+ 3] == ascii("-"), let day = unsafe twoDigits(bytes + (end &+ 4))
        else { return nil }
        let isNegative = unsafe bytes[0] == ascii("-")
        guard !(isNegative && magnitude == 0), let days = dayNumber(isNegative ? 0 &- magnitude : magnitude, month, day)
        else { return nil }
        return unsafe parseTime(bytes + (end &+ 6), count &- end &- 6, days)
    }

    /// Parses the rest of the text after an ISO 8601 date.
    @inline(__always)
    private static func parseTime(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ days: Int64) -> JSONTimestamp? {
        if count == 0 { return moment(days, 0, 0, offset: 0) }
        guard count >= 6, unsafe bytes[0] | 0x20 == ascii("t") || bytes[0] == ascii(" "),
            let hour = unsafe twoDigits(bytes + 1), unsafe bytes[3] == ascii(":"), let minute = unsafe twoDigits(bytes + 4)
        else { return nil }
        var second = 0
        var nanoseconds: Int32 = 0
        var index = 6
        if count >= 9, unsafe bytes[6] == ascii(":") {
            guard let digits = unsafe twoDigits(bytes + 7) else { return nil }
            second = digits
            index = 9
            guard unsafe readFraction(bytes, count, &index, &nanoseconds) else { return nil }
        }
        // The form in which NSDate and Ruby write dates: `2014-01-20 12:24:48 +0000`. Safe: six bytes are left.
        if count &- index == 6, unsafe bytes[index] == ascii(" ") && bytes[0] == ascii(" ") { index &+= 1 }
        // BigQuery's: `2024-01-20 12:24:48 UTC`. Safe: four bytes are left.
        if count &- index == 4, unsafe bytes[index] == ascii(" ") && bytes[0] == ascii(" ") && isUTC(bytes + (index &+ 1)) {
            index = count
        }
        guard let offset = unsafe zone(bytes + index, count &- index, isRequired: false),
            let time = secondOfDay(hour, minute, second, nanoseconds)
        else { return nil }
        return moment(days, time, nanoseconds, offset: offset)
    }

    private static func isUTC(_ bytes: UnsafePointer<UInt8>) -> Bool {
        unsafe bytes[0] == ascii("U") && bytes[1] == ascii("T") && bytes[2] == ascii("C")
    }

    /// `Tue, 15 Nov 1994 08:12:31 GMT`; a day below ten may have one digit.
    @inline(never)
    private static func parseRFC1123(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        guard count >= 28, unsafe bytes[4] == ascii(" ") else { return nil }
        var index = 5
        var day = unsafe Int(bytes[5] &- 0x30)
        guard day <= 9 else { return nil }
        index = 6
        if unsafe bytes[6] != ascii(" ") {
            guard let digits = unsafe twoDigits(bytes + 5) else { return nil }
            day = digits
            index = 7
        }
        // ` Nov 1994 08:12:31 ` and a zone of three bytes or more. Safe: index is 7 at most, and the guard checks that 19 + 3 bytes
        // follow it.
        guard count &- index >= 22 else { return nil }
        let rest = unsafe bytes + index
        guard unsafe rest[0] == ascii(" "), let month = unsafe monthNumber(rest + 1), unsafe rest[4] == ascii(" "),
            let century = unsafe twoDigits(rest + 5), let year = unsafe twoDigits(rest + 7), unsafe rest[9] == ascii(" "),
            let time = unsafe clock(rest + 10), unsafe rest[18] == ascii(" ")
        else { return nil }
        let tail = count &- index &- 19
        let offset: Int
        if unsafe tail == 3 && rest[19] == ascii("G") && rest[20] == ascii("M") && rest[21] == ascii("T") {
            offset = 0
        } else {
            guard let explicit = unsafe zone(rest + 19, tail, isRequired: true) else { return nil }
            offset = explicit
        }
        guard let days = dayNumber(Int64(century &* 100 &+ year), month, day),
            let second = secondOfDay(time.hour, time.minute, time.second, 0)
        else { return nil }
        return moment(days, second, 0, offset: offset)
    }

    /// `Fri Sep 04 00:12:21[.SSS] +0800 2015`.
    private static func parseTwitter(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        guard count >= 28, unsafe bytes[3] == ascii(" "), let month = unsafe monthNumber(bytes + 4),
            unsafe bytes[7] == ascii(" "),
            let day = unsafe twoDigits(bytes + 8), unsafe bytes[10] == ascii(" "), let time = unsafe clock(bytes + 11)
        else { return nil }
        var index = 19
        var nanoseconds: Int32 = 0
        // The year, with the space before it, is the last five bytes; the zone is before it. Safe: the text has 28 bytes.
        let year = unsafe bytes + (count &- 5)
        guard unsafe readFraction(bytes, count &- 5, &index, &nanoseconds), index < count &- 5,
            unsafe bytes[index] == ascii(" "),
            let offset = unsafe zone(bytes + (index &+ 1), count &- 6 &- index, isRequired: true),
            unsafe year[0] == ascii(" "), let century = unsafe twoDigits(year + 1), let rest = unsafe twoDigits(year + 3),
            let days = dayNumber(Int64(century &* 100 &+ rest), month, day),
            let second = secondOfDay(time.hour, time.minute, time.second, nanoseconds)
        else { return nil }
        return moment(days, second, nanoseconds, offset: offset)
    }

    /// `/Date(1508305864550+0000)/`: milliseconds since 1970 in UTC; the offset changes nothing.
    @inline(never)
    private static func parseMicrosoft(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        guard unsafe startsMicrosoft(bytes), unsafe bytes[count &- 2] == ascii(")"), unsafe bytes[count &- 1] == ascii("/")
        else {
            return nil
        }
        let end = count &- 2
        var index = 7
        if unsafe bytes[6] != ascii("-") { index = 6 }
        while index < end, unsafe bytes[index] &- 0x30 <= 9 { index &+= 1 }
        guard let milliseconds = unsafe NumberParsing.int64(bytes + 6, index &- 6) else { return nil }
        if index < end {
            guard end &- index == 5, unsafe zone(bytes + index, 5, isRequired: true) != nil else { return nil }
        }
        let rest = milliseconds % 1000
        let isAfter = rest < 0
        return JSONTimestamp(
            seconds: milliseconds / 1000 &- (isAfter ? 1 : 0),
            nanoseconds: Int32(truncatingIfNeeded: (isAfter ? rest &+ 1000 : rest) &* 1_000_000))
    }

    // MARK: Parts

    /// `HH:mm:ss`, eight bytes.
    @inline(__always)
    private static func clock(_ bytes: UnsafePointer<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = unsafe twoDigits(bytes), unsafe bytes[2] == ascii(":"), let minute = unsafe twoDigits(bytes + 3),
            unsafe bytes[5] == ascii(":"), let second = unsafe twoDigits(bytes + 6)
        else { return nil }
        return (hour, minute, second)
    }

    @inline(__always)
    private static func twoDigits(_ bytes: UnsafePointer<UInt8>) -> Int? {
        let tens = unsafe bytes[0] &- 0x30
        let ones = unsafe bytes[1] &- 0x30
        guard tens <= 9, ones <= 9 else { return nil }
        return Int(tens &* 10 &+ ones)
    }

    /// Reads a point or comma and the digits after it, if there is one; false if no digit follows the mark.
    @inline(__always)
    private static func readFraction(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ index: inout Int, _ nanoseconds: inout Int32
    ) -> Bool {
        guard index < count, unsafe bytes[index] == ascii(".") || bytes[index] == ascii(",") else { return true }
        index &+= 1
        let start = index
        var unit: Int32 = 100_000_000
        // Digits past the ninth are read but add nothing: the unit is zero by then.
        while index < count {
            let digit = unsafe bytes[index] &- 0x30
            guard digit <= 9 else { break }
            nanoseconds &+= Int32(digit) &* unit
            unit /= 10
            index &+= 1
        }
        return index > start
    }

    /// Seconds east of UTC. The whole text must be a zone: `Z`, `z`, `±HH`, `±HHmm`, `±HH:mm`, or empty for UTC unless a zone is
    /// required.
    @inline(__always)
    private static func zone(_ bytes: UnsafePointer<UInt8>, _ count: Int, isRequired: Bool) -> Int? {
        if count == 1 { return unsafe bytes[0] | 0x20 == ascii("z") ? 0 : nil }
        if count == 0 { return isRequired ? nil : 0 }
        guard count >= 3, let hours = unsafe twoDigits(bytes + 1), hours <= 23 else { return nil }
        var minutes = 0
        if count > 3 {
            let isExtended = unsafe bytes[3] == ascii(":")
            // Safe: the length is compared before the two digits are read.
            guard count == (isExtended ? 6 : 5), let digits = unsafe twoDigits(bytes + (isExtended ? 4 : 3)), digits <= 59
            else { return nil }
            minutes = digits
        }
        let offset = hours &* 3600 &+ minutes &* 60
        switch unsafe bytes[0] {
        case ascii("+"): return offset
        case ascii("-"): return 0 &- offset
        default: return nil
        }
    }

    /// Seconds since midnight. 24:00:00 is the next midnight, second 60 the start of the next minute; nil for a time that is invalid.
    @inline(__always)
    static func secondOfDay(_ hour: Int, _ minute: Int, _ second: Int, _ nanoseconds: Int32) -> Int? {
        guard minute <= 59, second <= 60 else { return nil }
        if hour > 23 { guard hour == 24, minute == 0, second == 0, nanoseconds == 0 else { return nil } }
        return hour &* 3600 &+ minute &* 60 &+ second
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar, or nil if there is no such day. `year` has twelve digits
    /// at most.
    ///
    /// Counting years from March puts the leap day last (Howard Hinnant,
    /// https://howardhinnant.github.io/date_algorithms.html).
    @inline(__always)
    static func dayNumber(_ year: Int64, _ month: Int, _ day: Int) -> Int64? {
        guard month &- 1 >= 0, month <= 12, day >= 1, day <= 28 || day <= length(of: month, in: year) else { return nil }
        let isBeforeMarch = month <= 2
        // Safe: years below 10^12 keep every product below 2^53.
        let marchYear = year &- (isBeforeMarch ? 1 : 0)
        let era = (marchYear >= 0 ? marchYear : marchYear &- 399) / 400
        let yearOfEra = marchYear &- era &* 400
        let marchMonth = Int64(month &+ (isBeforeMarch ? 9 : -3))
        let dayOfYear = (153 &* marchMonth &+ 2) / 5 &+ Int64(day &- 1)
        let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
        return era &* 146_097 &+ dayOfEra &- 719_468
    }

    @inline(never)
    static func length(of month: Int, in year: Int64) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        // April, June, September and November.
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    }

    @inline(__always)
    static func moment(_ days: Int64, _ second: Int, _ nanoseconds: Int32, offset: Int) -> JSONTimestamp? {
        // Only an expanded year is far enough away for this to overflow. Before 1970 we count back from the midnight at the end of the
        // day: on the very first day the midnight at its start is out of range, though some moments of that day are not.
        let isBefore = days < 0
        let rest = Int64(second &- offset &- (isBefore ? 86_400 : 0))
        let (midnight, isTooFar) = (isBefore ? days &+ 1 : days).multipliedReportingOverflow(by: 86_400)
        let (seconds, isTooLate) = midnight.addingReportingOverflow(rest)
        return isTooFar || isTooLate ? nil : JSONTimestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    // MARK: Names

    /// Three letters as one number, in lower case. Bit 5 alone tells the cases apart, and only a letter becomes a letter when it
    /// is set.
    @inline(__always)
    private static func name(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        unsafe UInt32(bytes[0] | 0x20) &<< 16 | UInt32(bytes[1] | 0x20) &<< 8 | UInt32(bytes[2] | 0x20)
    }

    @inline(__always)
    private static func letters(_ text: StaticString) -> UInt32 {
        unsafe name(text.utf8Start)
    }

    private static func isDayName(_ bytes: UnsafePointer<UInt8>) -> Bool {
        switch unsafe name(bytes) {
        case letters("mon"), letters("tue"), letters("wed"), letters("thu"), letters("fri"), letters("sat"), letters("sun"):
            true
        default: false
        }
    }

    private static func monthNumber(_ bytes: UnsafePointer<UInt8>) -> Int? {
        switch unsafe name(bytes) {
        case letters("jan"): 1
        case letters("feb"): 2
        case letters("mar"): 3
        case letters("apr"): 4
        case letters("may"): 5
        case letters("jun"): 6
        case letters("jul"): 7
        case letters("aug"): 8
        case letters("sep"): 9
        case letters("oct"): 10
        case letters("nov"): 11
        case letters("dec"): 12
        default: nil
        }
    }

    /// Whether the text starts with `/Date(`; callers have checked that it has nine bytes.
    private static func startsMicrosoft(_ bytes: UnsafePointer<UInt8>) -> Bool {
        unsafe bytes[0] == ascii("/") && bytes[1] == ascii("D") && bytes[2] == ascii("a") && bytes[3] == ascii("t")
            && bytes[4] == ascii("e") && bytes[5] == ascii("(")
    }

    @inline(__always)
    private static func ascii(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }
}

extension JSONTimestamp {
    /// Whether the text of a moment has the second 60. Only the seconds can be 60 after a colon.
    package static func hasLeapSecond(_ text: UnsafeRawBufferPointer) -> Bool {
        // The shortest such text is `2024-12-31T23:59:60`.
        guard text.count >= 19 else { return false }
        return text.indices.dropLast(2).contains { index in
            unsafe text[index] == UInt8(ascii: ":") && text[index + 1] == UInt8(ascii: "6")
                && text[index + 2] == UInt8(ascii: "0")
        }
    }

    /// Whether the text of a moment has digits below the nanoseconds that are not 0. Parsing cuts them off.
    package static func hasDigitsBelowNanoseconds(_ text: UnsafeRawBufferPointer) -> Bool {
        // The shortest such text is `2024-01-31T09:30:00.0000000001`.
        guard text.count >= 30 else { return false }
        guard let point = unsafe text.firstIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") }) else {
            return false
        }
        let digits = unsafe text[(point + 1)...].prefix { $0 &- UInt8(ascii: "0") <= 9 }
        return unsafe digits.dropFirst(9).contains { $0 != UInt8(ascii: "0") }
    }
}
