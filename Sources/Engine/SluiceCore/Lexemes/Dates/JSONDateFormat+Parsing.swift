// Chooses the date parser for a scalar when a property or a call names the format.

extension JSONDateFormat {
    /// The moment of a string in this format; nil if the string is not in this format.
    ///
    /// A string in an epoch format holds the text of a number.
    func moment(ofString bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        switch textForm {
        case .iso8601: unsafe DateParsing.iso8601(bytes, count)
        case .rfc1123: unsafe DateParsing.rfc1123(bytes, count)
        case .pattern(let pattern): unsafe (try? DatePattern.compiled(pattern))?.moment(of: bytes, count)
        case nil: places.flatMap { unsafe EpochParsing.moment(ofText: bytes, count, places: $0) }
        }
    }

    /// The moment of a number in this format; nil for the formats that are always strings, and for a number out of range.
    ///
    /// A pattern reads the number's own text, so that `yyyyMMdd` takes 20140120.
    func moment(ofNumber bytes: UnsafePointer<UInt8>, _ count: Int) -> JSONTimestamp? {
        if case .format = self { return unsafe moment(ofString: bytes, count) }
        return places.flatMap { unsafe EpochParsing.moment(bytes, count, places: $0) }
    }
}
