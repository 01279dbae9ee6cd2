// Formats moments by a pattern: takes a timestamp and a pointer to free memory, writes the text in UTC and returns its count of bytes.

extension DatePattern {
    /// The pattern of `Mon, 20 Jan 2014 12:24:48 GMT`, which has room for years of four digits only.
    static func rfc1123(of t: JSONTimestamp) throws(JSONError) -> DatePattern {
        guard (0...9999).contains(DateFormatting.civilDate(DateFormatting.split(t).days).year) else {
            throw .notWritable("a date of the years 0 to 9999", found: "\(t.seconds) s since 1970")
        }
        // Kept here: the list of compiled patterns is searched from the latest one on.
        if let known = ofRFC1123 { return known }
        return try compiled("EEE, dd MMM yyyy HH:mm:ss 'GMT'")
    }

    private static let ofRFC1123 = try? DatePattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'")

    /// Writes a moment; `maximumLength` bytes must be free at `out`. Parts of the moment that have no field in the pattern are lost.
    func write(_ t: JSONTimestamp, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let (moment, days, second) = DateFormatting.split(t)
        let date = DateFormatting.civilDate(days)
        var text = unsafe out
        for field in fields {
            switch field {
            case .literal(let bytes): unsafe text += copy(bytes, bytes.count, to: text)
            case .number(let component, let minimum, _):
                let value =
                    switch component {
                    case .year: date.year
                    // The year -1 is written 99: the years of a century always count forward.
                    case .yearOfCentury: (date.year % 100 + 100) % 100
                    case .month: date.month
                    case .day: date.day
                    case .hour: second / 3600
                    case .halfDayHour: (second / 3600 + 11) % 12 + 1
                    case .minute: second / 60 % 60
                    case .second: second % 60
                    }
                unsafe text += number(value, minimum, to: text)
            case .fraction(let digits, _):
                // Safe: a fraction has one to nine digits.
                let rest = Int64(moment.nanoseconds) / Int64(PowersOfTen.small(9 - digits))
                unsafe DateFormatting.writeDigits(rest, digits, to: text)
                unsafe text += digits
            case .monthName(let isFull): unsafe text += name(DateNames.months[Int(date.month) - 1], isFull, to: text)
            case .weekday(let isFull):
                unsafe text += name(DateNames.weekdays[DateFormatting.weekday(days)], isFull, to: text)
            case .dayPeriod: unsafe text += copy(second < 43_200 ? "AM" : "PM", to: text)
            case .zone(.basic): unsafe text += copy("+0000", to: text)
            case .zone(.extended): unsafe text += copy("+00:00", to: text)
            case .zone(.hours): unsafe text += copy("+00", to: text)
            case .zone(.letter): unsafe text += copy("Z", to: text)
            case .zone(.name): unsafe text += copy("GMT", to: text)
            }
        }
        let count = unsafe text - out
        assert(count <= maximumLength)
        return count
    }

    private func number(_ value: Int64, _ minimum: Int, to text: UnsafeMutablePointer<UInt8>) -> Int {
        var digits = 1
        var bound: UInt64 = 10
        // Safe: a year reached by 64-bit seconds has at most twelve digits.
        while value.magnitude >= bound {
            digits += 1
            bound *= 10
        }
        digits = max(digits, minimum)
        unsafe text[0] = UInt8(ascii: "-")
        let sign = value < 0 ? 1 : 0
        unsafe DateFormatting.writeDigits(Int64(value.magnitude), digits, to: text + sign)
        return digits + sign
    }

    private func name(_ name: [UInt8], _ isFull: Bool, to text: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe copy(name, isFull ? name.count : 3, to: text)
    }

    private func copy(_ bytes: [UInt8], _ count: Int, to text: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe text.update(from: bytes, count: count)
        return count
    }

    private func copy(_ letters: StaticString, to text: UnsafeMutablePointer<UInt8>) -> Int {
        unsafe text.update(from: letters.utf8Start, count: letters.utf8CodeUnitCount)
        return letters.utf8CodeUnitCount
    }
}
