// Parses dates by a pattern: takes the decoded text of a JSON string, returns a moment, or nil when the text does not match the
// pattern. Nothing is allocated.

extension DatePattern {
    /// The moment of a text that matches the pattern from its first byte to its last.
    ///
    /// Fields that the pattern leaves out have their value at 1970-01-01T00:00:00Z. Fields are checked as in `DateParsing`: month
    /// lengths, leap years, 24:00:00 and second 60.
    func moment(of bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        var reading = unsafe DateReading(bytes: bytes, count: count)
        for field in fields {
            guard reading.read(field) else { return nil }
        }
        return reading.moment
    }

    /// Whether the second of a text that matches the pattern is 60.
    func hasLeapSecond(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var reading = unsafe DateReading(bytes: bytes, count: count)
        return fields.allSatisfy { reading.read($0) } && reading.hasLeapSecond
    }
}

/// The state of reading one date.
@safe
private struct DateReading {
    // Safe: `index` never passes `count`, and the bytes outlive the call that this value lives in.
    let bytes: UnsafePointer<UInt8>
    let count: Int
    private var index = 0

    private var year: Int64 = 1970
    /// Whether the year was read with its century.
    private var hasCentury = false
    private var month = 1
    private var day = 1
    private var hour = 0
    private var halfDayHour: Int?
    private var isAfternoon = false
    private var minute = 0
    private var second = 0
    private var nanoseconds: Int32 = 0
    /// How many digits the nanoseconds were read from.
    private var fractionDigits = 0
    private var offset = 0

    init(bytes: UnsafePointer<UInt8>, count: Int) {
        unsafe self.bytes = unsafe bytes
        self.count = count
    }

    var hasLeapSecond: Bool { second == 60 }

    var moment: JSONTimestamp? {
        guard index == count, let days = DateParsing.dayNumber(year, month, day) else { return nil }
        var hour = hour
        if let halfDayHour {
            guard (1...12).contains(halfDayHour) else { return nil }
            hour = halfDayHour % 12 + (isAfternoon ? 12 : 0)
        }
        guard let time = DateParsing.secondOfDay(hour, minute, second, nanoseconds) else { return nil }
        return DateParsing.moment(days, time, nanoseconds, offset: offset)
    }

    mutating func read(_ field: DatePattern.Field) -> Bool {
        switch field {
        case .literal(let literal): readLiteral(literal)
        case .number(let component, let minimum, let maximum): readNumber(component, minimum, maximum)
        case .fraction(let digits, let isFixed): readFraction(atMost: isFixed ? digits : .max, atLeast: isFixed ? digits : 1)
        case .monthName(let isFull): readName(DateNames.months, isFull).map { month = $0 + 1 } != nil
        case .weekday(let isFull): readName(DateNames.weekdays, isFull) != nil
        case .dayPeriod: readDayPeriod()
        case .zone: readZone()
        }
    }

    /// The byte at a distance from the current index; nil past the end.
    private func byte(_ distance: Int = 0) -> UInt8? {
        unsafe index &+ distance < count ? bytes[index &+ distance] : nil
    }

    private func digit(_ distance: Int = 0) -> Int? {
        guard let byte = byte(distance), byte &- 0x30 <= 9 else { return nil }
        return Int(byte &- 0x30)
    }

    private mutating func readLiteral(_ literal: [UInt8]) -> Bool {
        for expected in literal {
            guard byte() == expected else { return false }
            index &+= 1
        }
        return true
    }

    private mutating func readNumber(_ component: DatePattern.Component, _ minimum: Int, _ maximum: Int) -> Bool {
        var isNegative = false
        if component == .year, byte() == UInt8(ascii: "-") {
            isNegative = true
            index &+= 1
        }
        let start = index
        var value: Int64 = 0
        // Safe: twelve digits at most.
        while index &- start < maximum, let digit = digit() {
            value = value &* 10 &+ Int64(digit)
            index &+= 1
        }
        guard index &- start >= minimum else { return false }
        let number = Int(value)
        switch component {
        case .year:
            year = isNegative ? 0 - value : value
            hasCentury = true
        // A pattern may have the year twice; the one with the century wins.
        case .yearOfCentury: if !hasCentury { year = value + (value < 69 ? 2000 : 1900) }
        case .month: month = number
        case .day: day = number
        case .hour: hour = number
        case .halfDayHour: halfDayHour = number
        case .minute: minute = number
        case .second: second = number
        }
        return true
    }

    private mutating func readFraction(atMost maximum: Int, atLeast minimum: Int) -> Bool {
        let start = index
        var unit: Int32 = 100_000_000
        var value: Int32 = 0
        // Digits past the ninth are read but add nothing: the unit is zero by then.
        while index &- start < maximum, let digit = digit() {
            value &+= Int32(digit) &* unit
            unit /= 10
            index &+= 1
        }
        // A pattern may have the fraction twice; the one with more digits wins.
        if index &- start >= fractionDigits {
            nanoseconds = value
            fractionDigits = index &- start
        }
        return index &- start >= minimum
    }

    /// Reads one of the names, ignoring case, and returns its index in the list.
    private mutating func readName(_ names: [[UInt8]], _ isFull: Bool) -> Int? {
        for (number, name) in names.enumerated() {
            let length = isFull ? name.count : 3
            var matched = 0
            while matched < length, let byte = byte(matched), byte | 0x20 == name[matched] | 0x20 { matched &+= 1 }
            if matched == length {
                index &+= length
                return number
            }
        }
        return nil
    }

    private mutating func readDayPeriod() -> Bool {
        guard let first = byte(), let second = byte(1), second | 0x20 == UInt8(ascii: "m") else { return false }
        guard first | 0x20 == UInt8(ascii: "a") || first | 0x20 == UInt8(ascii: "p") else { return false }
        isAfternoon = first | 0x20 == UInt8(ascii: "p")
        index &+= 2
        return true
    }

    /// `Z`, `GMT`, `UTC`, `±HH`, `±HHmm` or `±HH:mm`.
    private mutating func readZone() -> Bool {
        guard let first = byte() else { return false }
        switch first {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            index &+= 1
            return true
        case UInt8(ascii: "G"), UInt8(ascii: "g"): return readLetters("gmt")
        case UInt8(ascii: "U"), UInt8(ascii: "u"): return readLetters("utc")
        case UInt8(ascii: "+"), UInt8(ascii: "-"): break
        default: return false
        }
        guard let hours = twoDigits(1), hours <= 23 else { return false }
        index &+= 3
        var minutes = 0
        let isExtended = byte() == UInt8(ascii: ":")
        if let digits = twoDigits(isExtended ? 1 : 0) {
            guard digits <= 59 else { return false }
            minutes = digits
            index &+= isExtended ? 3 : 2
        } else if isExtended {
            return false
        }
        offset = hours * 3600 + minutes * 60
        if first == UInt8(ascii: "-") { offset = 0 - offset }
        return true
    }

    private mutating func readLetters(_ letters: StaticString) -> Bool {
        for distance in 0..<letters.utf8CodeUnitCount {
            // Safe: the distance is below the count of letters.
            guard let byte = byte(distance), unsafe byte | 0x20 == letters.utf8Start[distance] else { return false }
        }
        index &+= letters.utf8CodeUnitCount
        return true
    }

    private func twoDigits(_ distance: Int) -> Int? {
        guard let tens = digit(distance), let ones = digit(distance &+ 1) else { return nil }
        return tens * 10 + ones
    }
}
