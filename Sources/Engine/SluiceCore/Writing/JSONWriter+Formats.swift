// Scalars whose form depends on options or on their property: dates, and numbers that JSON does not have.

extension JSONWriter {
    /// Writes a timestamp in UTC in the form of ``dateFormat``, by default as an ISO 8601 string.
    ///
    /// ```swift
    /// try writer.write(JSONTimestamp(seconds: 1_390_220_688, nanoseconds: 0))     // "2014-01-20T12:24:48Z"
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` for a year of more than four digits in the form of RFC 1123, and of kind
    ///   `invalidModel` for a pattern in the options that is not understood.
    public mutating func write(_ value: JSONTimestamp) throws(JSONError) {
        guard case .iso8601 = context.date else { return try writeFormatted(value) }
        reserve(DateFormatting.maximumLength + 2)
        append(.quote)
        unsafe count &+= DateFormatting.writeISO8601(value, to: start + count)
        append(.quote)
    }

    @inline(never)
    private mutating func writeFormatted(_ value: JSONTimestamp) throws(JSONError) {
        switch context.date.textForm {
        case .iso8601: try write(value)
        case nil:
            guard let places = context.date.places else { return }
            // Space for an integer, a point and a fraction.
            reserve(NumberFormatting.maximumLength + 16)
            unsafe count += DateFormatting.writeEpoch(value, places: places, to: start + count)
        case .rfc1123: writePattern(try DatePattern.rfc1123(of: value), value)
        case .pattern(let pattern): writePattern(try DatePattern.compiled(pattern), value)
        }
    }

    private mutating func writePattern(_ pattern: DatePattern, _ value: JSONTimestamp) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pattern.maximumLength) { buffer in
            // Safe: a compiled pattern has a field, so its length is not zero and the buffer has an address.
            let length = unsafe pattern.write(value, to: buffer.baseAddress.unsafelyUnwrapped)
            unsafe writeString(UnsafeBufferPointer(rebasing: buffer[..<length]))
        }
    }

    // MARK: Infinities and NaN

    /// Writes an infinity or NaN as the options say.
    ///
    /// `Double` and `Float` call this themselves; it is public for other number types:
    ///
    /// ```swift
    /// func write(to writer: inout JSONWriter) throws(JSONError) {
    ///     if isNaN { try writer.writeNonFinite(.nan) } else { writer.writeNumber(number) }
    /// }
    /// ```
    ///
    /// - Throws: ``JSONError`` of kind `notWritable` with ``Options/NonFinite/throw`` and ``Options/NonFinite/omit``. With `omit`, the
    ///   container around the number catches the error and leaves the value out.
    @inline(never)
    package mutating func writeNonFinite(_ value: Double) throws(JSONError) {
        if let form, !form.purpose.isStored {
            append(TextLayout.Mark.unwritable)
            return writeString(value.description)
        }
        switch options.nonFinite {
        case .throw, .omit: throw JSONError(.notWritable, expected: JSONWriter.finite, found: value.description)
        case .null: writeNull()
        case .strings: value.isNaN ? append("\"NaN\"") : value < 0 ? append("\"-Infinity\"") : append("\"Infinity\"")
        }
    }

    private static var finite: String { "a finite number" }

    /// Whether an error means that the value just begun is left out. An error that has left a container has a path, so it is never
    /// applied to an outer value.
    @inline(never)
    func isOmission(_ error: JSONError) -> Bool {
        guard error.path.isEmpty else { return false }
        return error.kind == .rejected
            || options.nonFinite == .omit && error.kind == .notWritable && error.expected == JSONWriter.finite
    }

    /// Handles the error of an element. Returns if the error means that the element is left out.
    ///
    /// - Throws: Any other error, with the element's index in its path.
    @usableFromInline @inline(never)
    func leaveOutElement(_ error: JSONError, _ index: Int) throws(JSONError) {
        guard isOmission(error) else { throw error.prefixed(by: "[\(index)]") }
    }
}
