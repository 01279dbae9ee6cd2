/// Parses epochs: takes the text of a JSON number, returns the moment that many seconds, milliseconds or microseconds
/// after 1970-01-01T00:00:00Z.
///
/// The decimal is used as written, exponent included, and never as a double: `1390220688.000000001` keeps its nanosecond.
/// Digits past the nanosecond are cut off.
enum EpochParsing {
    /// The moment of a number's text.
    ///
    /// - Parameter places: how many decimal places a nanosecond is below the unit: 9 for seconds, 6 for milliseconds, 3 for
    ///   microseconds.
    /// - Returns: Nil if the text is not a JSON number, or the moment is beyond the range of 64-bit seconds.
    static func moment(_ bytes: UnsafePointer<UInt8>, _ count: Int, places: Int) -> JSONTimestamp? {
        guard let nanoseconds = unsafe DecimalLexeme(bytes, count)?.integer(places: places, truncating: true) else { return nil }
        var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest < 0 {
            rest += 1_000_000_000
            seconds -= 1
        }
        guard let seconds = Int64(exactly: seconds) else { return nil }
        return JSONTimestamp(seconds: seconds, nanoseconds: Int32(rest))
    }

    /// The moment of a number in a string, with white space around it allowed.
    static func moment(ofText bytes: UnsafePointer<UInt8>, _ count: Int, places: Int) -> JSONTimestamp? {
        var start = 0
        var end = count
        while start < end, unsafe JSONWhiteSpace.contains(bytes[start]) { start &+= 1 }
        while end > start, unsafe JSONWhiteSpace.contains(bytes[end &- 1]) { end &-= 1 }
        return unsafe moment(bytes + start, end &- start, places: places)
    }
}

extension JSONTimestamp {
    /// The moment of a number whose magnitude decides its unit: seconds below 10^11 (the year 5138), milliseconds below 10^14,
    /// microseconds below 10^17; nil from there on.
    ///
    /// So milliseconds before March 1973 are taken for seconds. The same limits hold for negative numbers, back from 1970.
    static func epoch(detecting bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        guard let magnitude = unsafe DecimalLexeme(bytes, count)?.integer(places: 9, truncating: true)?.magnitude else {
            return nil
        }
        let places =
            switch magnitude {
            case ..<100_000_000_000_000_000_000: 9
            case ..<100_000_000_000_000_000_000_000: 6
            case ..<100_000_000_000_000_000_000_000_000: 3
            default: 0
            }
        return unsafe places == 0 ? nil : EpochParsing.moment(bytes, count, places: places)
    }
}
