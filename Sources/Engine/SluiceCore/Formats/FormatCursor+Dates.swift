// Dates, times and durations of RFC 3339. The parser of dates accepts more forms than a schema means, so only its calendar is used.

extension FormatCursor {
    mutating func takeDateTime() -> Bool { takeDate() != nil && (take("T") || take("t")) && takeTime() }

    /// A day, as days since 1970-01-01.
    mutating func takeDate() -> Int64? {
        guard let year = takeNumber(digits: 4, upTo: 9999), take("-"), let month = takeNumber(digits: 2, upTo: 12), take("-"),
            let day = takeNumber(digits: 2, upTo: 31)
        else { return nil }
        return DateParsing.dayNumber(Int64(year), month, day)
    }

    mutating func takeTime() -> Bool {
        guard let hour = takeNumber(digits: 2, upTo: 23), take(":"), let minute = takeNumber(digits: 2, upTo: 59), take(":"),
            let second = takeNumber(digits: 2, upTo: 60)
        else { return false }
        if take("."), skip(.digits) == 0 { return false }
        var offset = 0
        if !take("Z"), !take("z") {
            let isWest = take("-")
            guard isWest || take("+"), let hours = takeNumber(digits: 2, upTo: 23), take(":"),
                let minutes = takeNumber(digits: 2, upTo: 59)
            else { return false }
            offset = (isWest ? -1 : 1) * (hours * 60 + minutes)
        }
        // A leap second is the last of a day in UTC (RFC 3339, section 5.7). Both terms are minutes of less than a day.
        return second < 60 || (hour * 60 + minute - offset + 1440) % 1440 == 1439
    }

    mutating func takeDuration() -> Bool {
        guard take("P") else { return false }
        var weeks = self
        if weeks.skip(.digits) > 0, weeks.take("W") {
            self = weeks
            return true
        }
        guard let days = takeUnits("Y", "M", "D") else { return false }
        guard take("T") else { return days > 0 }
        return takeUnits("H", "M", "S") ?? 0 > 0
    }

    /// Takes numbers with their units, and returns how many. Nil if a number has no unit, or one that is not the next smaller one.
    private mutating func takeUnits(_ first: Unicode.Scalar, _ second: Unicode.Scalar, _ third: Unicode.Scalar) -> Int? {
        var count = 0
        var expected: Int?
        while skip(.digits) > 0 {
            guard let unit = take(first) ? 0 : take(second) ? 1 : take(third) ? 2 : nil, unit == expected ?? unit else {
                return nil
            }
            expected = unit + 1
            count += 1
        }
        return count
    }
}
