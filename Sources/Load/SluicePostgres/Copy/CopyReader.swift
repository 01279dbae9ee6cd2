// Reads cells as the types of their columns, and decides which values fit. A value that the server would refuse is refused here,
// so that one row does not end the COPY of all rows.

#if PostgreSQL
internal import SluiceCore
internal import SluiceIngest

/// Reads cells as values of a column.
///
/// An inferred column may get a later value of another type. If the server's type takes it, as `bigint` takes the text "7", it becomes
/// another value. Such a change counts as a loss of digits. If the user has made a column of numbers for such texts, only a change of digits counts.
@safe
struct CopyReader {
    /// Whether the last value had digits that its column does not keep, or has become another value.
    private(set) var hasLostDigits = false

    /// The most bytes of a value. The server's limit is 1 GiB for the row: https://www.postgresql.org/docs/current/limits.html
    static let longestValue = 0x3FFF_FF00

    /// Reads a cell as the type of its column.
    ///
    /// - Parameter isOffType: Whether the value does not have the type that its column was read as.
    mutating func read(_ value: RawCellValue, isOffType: Bool = false, as field: CopyField) throws(CopyRefusal) -> CopyValue {
        hasLostDigits = false
        let read: CopyValue? =
            switch value {
            case .null: .null
            case .integer(let value): read(value, isOffType, field)
            case .real(let value): read(value, field)
            case .text(let text): try unsafe read(UnsafeRawBufferPointer(text), isOffType, field)
            }
        guard let read else { throw refusal(value, field) }
        return read
    }

    @inline(never)
    private func refusal(_ value: RawCellValue, _ field: CopyField, _ expected: String? = nil) -> CopyRefusal {
        let found =
            switch value {
            case _ where field.isSensitive: "another value"
            case .null: "null"
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let text) where text.count > 60:
                unsafe "a text of \(text.count) bytes that begins with '\(String(decoding: text.prefix(40), as: UTF8.self))'"
            case .text(let text): unsafe "'\(String(decoding: text, as: UTF8.self))'"
            }
        return CopyRefusal(column: field.name, expected: expected ?? field.type.words, found: found)
    }

    // MARK: Numbers

    private mutating func read(_ value: Int64, _ isOffType: Bool, _ field: CopyField) -> CopyValue? {
        // Truth values come as integers.
        let isTruth = field.isOfTruth && !isOffType
        var text: String { isTruth ? value == 1 ? "true" : "false" : "\(value)" }
        // If the user has made the column for numbers, a truth value becomes a number there.
        if isOffType || isTruth { hasLostDigits = CopyReader.changes(value, isOffType, field) }
        switch field.type {
        case .int2: return Int16(exactly: value).map { .int2($0) }
        case .int4: return Int32(exactly: value).map { .int4($0) }
        case .int8: return .int8(value)
        case .float4:
            if Int64(exactly: Float(value)) != value { hasLostDigits = true }
            return .float4(Float(value))
        case .float8:
            if Int64(exactly: Double(value)) != value { hasLostDigits = true }
            return .float8(Double(value))
        case .numeric(let precision, let scale):
            if let precision, CopyReader.digitCount(value) > precision - (scale ?? 0) { return nil }
            return .digits("\(value)")
        case .bool: return value == 0 || value == 1 ? .bool(value == 1) : nil
        case .text(let limit):
            if let limit, text.utf8.count > limit { return nil }
            return .plain(text)
        case .name, .json, .jsonb, .other: return .plain(text)
        case .enumeration(let labels): return labels.contains("\(value)") ? .plain("\(value)") : nil
        case .unsigned(let largest):
            return UInt64(exactly: value).map { $0 <= largest } == true && !isTruth ? .plain(text) : nil
        case .date, .timestamp, .timestamptz, .uuid, .bytea, .array: return nil
        }
    }

    /// Whether an integer that is not of its column's type becomes another value: a number in a column of truth values, or a truth value in
    /// a column of numbers. A number could only have another type than a column of numbers by its size.
    private static func changes(_ value: Int64, _ isOffType: Bool, _ field: CopyField) -> Bool {
        switch field.type {
        case .bool: field.isOfTruth && isOffType
        case .int2, .int4, .int8, .float4, .float8, .numeric: !isOffType || value.magnitude <= 1 && !field.isOfTruth
        default: false
        }
    }

    private static func digitCount(_ value: Int64) -> Int {
        var (rest, count) = (value, 0)
        while rest != 0 { (rest, count) = (rest / 10, count + 1) }
        return count
    }

    private mutating func read(_ value: Double, _ field: CopyField) -> CopyValue? {
        switch field.type {
        case .int2: return Int16(exactly: value).map { .int2($0) }
        case .int4: return Int32(exactly: value).map { .int4($0) }
        case .int8: return Int64(exactly: value).map { .int8($0) }
        case .float4:
            let single = Float(value)
            if Double("\(single)") != value { hasLostDigits = true }
            // Beyond the range, the server's own input refuses a number, too.
            return single.isFinite == value.isFinite && (single != 0 || value == 0) ? .float4(single) : nil
        case .float8: return .float8(value)
        case .numeric:
            return DecimalLexeme.of("\(value)") { fit($0, field.type) ? .digits("\(value)") : nil }
        case .text(let limit): return limit.map { "\(value)".utf8.count > $0 } == true ? nil : .plain("\(value)")
        case .unsigned: return Int64(exactly: value).flatMap { read($0, false, field) }
        case .name, .json, .jsonb, .other: return .plain("\(value)")
        case .enumeration(let labels): return labels.contains("\(value)") ? .plain("\(value)") : nil
        case .bool, .date, .timestamp, .timestamptz, .uuid, .bytea, .array: return nil
        }
    }

    /// Whether a column of the type `numeric` takes a number; notes digits after its scale.
    private mutating func fit(_ number: DecimalLexeme, _ type: PostgresType) -> Bool {
        guard number.fitsNumeric, case .numeric(let precision, let scale) = type else { return false }
        guard let precision, let scale else { return true }
        if number.integerSize > precision - scale { return false }
        if !number.significant.isEmpty { hasLostDigits = number.significant.upperBound - number.point > scale }
        return true
    }

    // MARK: Texts

    private mutating func read(_ text: UnsafeRawBufferPointer, _ isOffType: Bool, _ field: CopyField) throws(CopyRefusal)
        -> CopyValue?
    {
        func refuse(_ expected: String) -> CopyRefusal { unsafe refusal(.text(text.bindMemory(to: UInt8.self)), field, expected) }
        func withoutNull() throws(CopyRefusal) -> CopyValue {
            if unsafe text.contains(0) { throw refuse(CopyReader.noNull) }
            return unsafe .text(text)
        }
        if text.count > CopyReader.longestValue { throw refuse("less than 1 GiB") }
        // An array or an object becomes a text. One command that looks at all records makes a column of JSON for it.
        if isOffType, field.source == .text { hasLostDigits = field.type != .json && field.type != .jsonb }
        switch field.type {
        case .text(let limit):
            let value = try withoutNull()
            guard let limit, text.count > limit else { return value }
            return unsafe CopyReader.fits(text, limit) ? value : nil
        case .name:
            let value = try withoutNull()
            return text.count <= ColumnName.longestInPostgreSQL ? value : nil
        case .other: return try withoutNull()
        case .array(let isOfJSON):
            let isJSON = unsafe CopyReader.isJSON(text, isOffType, field.source)
            do throws(ArrayFault) {
                return try unsafe .plain(ArrayText.text(of: text, isJSON: isJSON, isOfJSON: isOfJSON))
            } catch {
                throw refuse(error.expected)
            }
        case .enumeration(let labels):
            return unsafe labels.contains(String(decoding: text, as: UTF8.self)) ? .text(text) : nil
        case .json, .jsonb:
            guard unsafe CopyReader.isJSON(text, isOffType, field.source) else {
                _ = try withoutNull()
                return unsafe .jsonString(text)
            }
            if let fault = unsafe CopyReader.escapeFault(in: text, refusesNull: field.type == .jsonb) { throw refuse(fault) }
            return unsafe .text(text)
        default: break
        }
        // A value that is not text may have blanks around it, as in the server's own input.
        let trimmed = unsafe CopyReader.trimmed(text)
        switch field.type {
        case .int2, .int4, .int8:
            guard let value = unsafe DecimalLexeme(trimmed)?.integer().flatMap({ Int64(exactly: $0) }) else { return nil }
            // A text is no number, whatever it says.
            hasLostDigits = isOffType
            switch field.type {
            case .int2: return Int16(exactly: value).map { .int2($0) }
            case .int4: return Int32(exactly: value).map { .int4($0) }
            default: return .int8(value)
            }
        case .float4, .float8:
            if let special = unsafe CopyReader.special(trimmed) {
                hasLostDigits = isOffType
                return special
            }
            guard let number = unsafe DecimalLexeme(trimmed), let value = unsafe Double(String(decoding: trimmed, as: UTF8.self)),
                value.isFinite, value != 0 || number.significant.isEmpty || field.source == .real
            else { return nil }
            let stored = field.type == .float4 ? "\(Float(value))" : "\(value)"
            hasLostDigits = DecimalLexeme.of(stored) { number.order(to: $0) == 0 } != true || isOffType
            return read(value, field)
        case .numeric(let precision, _):
            if let special = unsafe CopyReader.special(trimmed) {
                // A limit of digits excludes infinity, but not NaN.
                if case .infinity = special, precision != nil { return nil }
                return special
            }
            guard let number = unsafe DecimalLexeme(trimmed), fit(number, field.type) else { return nil }
            if isOffType, unsafe CopyReader.hasOtherForm(text) { hasLostDigits = true }
            return .numeric(number)
        case .unsigned(let largest):
            // The server takes a 0 in front for another base.
            guard let value = unsafe UInt64(String(decoding: trimmed, as: UTF8.self)), value <= largest else { return nil }
            if isOffType { hasLostDigits = unsafe !text.elementsEqual("\(value)".utf8) }
            return .plain("\(value)")
        case .bool:
            guard let start = unsafe trimmed.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
            let word = unsafe LenientText(start, trimmed.count)
            guard let truth = word.truth ?? word.extendedTruth else { return nil }
            hasLostDigits = isOffType
            return .bool(truth)
        case .date, .timestamp, .timestamptz: return unsafe moment(trimmed, field.type)
        case .uuid: return unsafe CopyReader.uuid(trimmed)
        case .bytea: return unsafe CopyReader.hexadecimal(trimmed).map { unsafe .bytes($0) }
        default: return nil
        }
    }

    /// Whether `numeric` writes a number in another form: without blanks, a plus, an exponent or a zero in front.
    private static func hasOtherForm(_ text: UnsafeRawBufferPointer) -> Bool {
        let digits = unsafe text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        guard let first = unsafe digits.first, (0x30...0x39).contains(first) else { return true }
        let hasZero = unsafe first == 0x30 && digits.count > 1 && digits[digits.startIndex + 1] != UInt8(ascii: ".")
        return unsafe hasZero || text.last == UInt8(ascii: ".") || text.contains { isBlank($0) || $0 | 0x20 == UInt8(ascii: "e") }
    }

    /// What is expected instead of a text with the character U+0000.
    static let noNull = "text without the character U+0000, which PostgreSQL does not have"

    private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, text.count)
        while start < end, unsafe isBlank(text[start]) { start += 1 }
        while end > start, unsafe isBlank(text[end - 1]) { end -= 1 }
        return unsafe UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a text has at most this many characters, blanks after them not counted.
    private static func fits(_ text: UnsafeRawBufferPointer, _ limit: Int) -> Bool {
        var count = 0
        for index in text.indices where unsafe text[index] & 0xC0 != 0x80 {
            count += 1
            if count > limit { return unsafe text[index...].allSatisfy { $0 == 0x20 } }
        }
        return true
    }

    /// Infinity, as numbers and dates have it, or not a number.
    private static func special(_ text: UnsafeRawBufferPointer) -> CopyValue? {
        // Most texts end with a digit.
        guard text.count <= 9, let last = unsafe text.last, last > UInt8(ascii: "9") else { return nil }
        return switch unsafe String(decoding: text, as: UTF8.self).lowercased() {
        case "nan": .notANumber
        case "infinity", "+infinity": .infinity(isNegative: false)
        case "-infinity": .infinity(isNegative: true)
        default: nil
        }
    }

    // MARK: Dates

    /// The seconds from 1970 to 2000, where PostgreSQL begins to count.
    static let epoch: Int64 = 946_684_800
    /// The Julian number of that day.
    static let julianEpoch: Int64 = 2_451_545
    /// The range of `timestamp`: https://www.postgresql.org/docs/current/datatype-datetime.html
    private static let moments: Range<Int64> = -211_813_488_000_000_000..<9_223_371_331_200_000_000
    private static let days: Range<Int64> = -2_451_545..<2_145_031_949

    private mutating func moment(_ text: UnsafeRawBufferPointer, _ type: PostgresType) -> CopyValue? {
        if let special = unsafe CopyReader.special(text), case .infinity = special { return special }
        guard let moment = unsafe JSONTimestamp.iso8601(text) else { return nil }
        let hasMore = unsafe JSONTimestamp.hasDigitsBelowNanoseconds(text)
        let (seconds, isBeyond) = moment.seconds.subtractingReportingOverflow(CopyReader.epoch)
        if isBeyond { return nil }
        if type == .date {
            // A time of day would get lost.
            guard seconds % 86_400 == 0, moment.nanoseconds == 0, !hasMore, CopyReader.days.contains(seconds / 86_400) else {
                return nil
            }
            return Int32(exactly: seconds / 86_400).map { .date($0) }
        }
        let counted = JSONTimestamp(seconds: seconds, nanoseconds: moment.nanoseconds)
        guard let microseconds = counted.microseconds, CopyReader.moments.contains(microseconds) else { return nil }
        hasLostDigits = hasMore || moment.nanoseconds % 1000 != 0
        return .moment(microseconds)
    }

    // MARK: Digits

    /// The digits after `\x`; nil if the text has another form.
    private static func hexadecimal(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard text.count >= 2, text.count % 2 == 0, unsafe text[0] == UInt8(ascii: "\\"), unsafe text[1] == UInt8(ascii: "x")
        else {
            return nil
        }
        let digits = unsafe UnsafeRawBufferPointer(rebasing: text[2...])
        return unsafe digits.allSatisfy { UnicodeValidation.hexadecimalDigit($0) != nil } ? digits : nil
    }

    /// A UUID in the forms that the server takes: 32 digits, with a hyphen after any four of them, perhaps in braces.
    private static func uuid(_ text: UnsafeRawBufferPointer) -> CopyValue? {
        var text = unsafe text
        if let first = unsafe text.first, let last = unsafe text.last, first == UInt8(ascii: "{"), last == UInt8(ascii: "}"),
            text.count > 1
        {
            unsafe text = unsafe UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
        }
        var (high, low, count) = (UInt64(0), UInt64(0), 0)
        var isAfterHyphen = false
        for index in text.indices {
            let byte = unsafe text[index]
            if byte == UInt8(ascii: "-") {
                if count == 0 || count == 32 || count % 4 != 0 || isAfterHyphen { return nil }
                isAfterHyphen = true
                continue
            }
            guard let digit = UnicodeValidation.hexadecimalDigit(byte).map({ UInt64($0) }), count < 32 else { return nil }
            if count < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
            count += 1
            isAfterHyphen = false
        }
        return count == 32 ? .uuid(high, low) : nil
    }

    // MARK: JSON

    /// Whether a text is JSON, and not the text of a string. Records are read into columns of JSON as they are, strings with their quotes.
    /// In a column of another type, a value of a wrong type is text: an object or an array as JSON, a string without quotes.
    private static func isJSON(_ text: UnsafeRawBufferPointer, _ isOffType: Bool, _ source: ColumnType) -> Bool {
        // A column of doubles has the digits of a number that no double holds.
        switch source {
        case .json where !isOffType, .real where !isOffType: return true
        default: break
        }
        guard isOffType, let first = unsafe text.first, let last = unsafe text.last else { return false }
        switch first {
        case UInt8(ascii: "{") where last == UInt8(ascii: "}"), UInt8(ascii: "[") where last == UInt8(ascii: "]"):
            return unsafe (try? JSONValue(json: String(decoding: text, as: UTF8.self))) != nil
        case UInt8(ascii: "t"): return unsafe text.elementsEqual("true".utf8)
        case UInt8(ascii: "f"): return unsafe text.elementsEqual("false".utf8)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return unsafe (try? JSONValue(json: String(decoding: text, as: UTF8.self)))?.isNumber == true
        default: return false
        }
    }

    /// What is expected instead of an escape that the server refuses: `\u0000`, and one half of a surrogate pair.
    private static func escapeFault(in text: UnsafeRawBufferPointer, refusesNull: Bool) -> String? {
        var index = 0
        while true {
            // Most JSON has no escapes.
            index = unsafe UnicodeValidation.firstBackslash(in: text, from: index)
            guard index < text.count else { return nil }
            guard let unit = unsafe UnicodeValidation.escapedUnit(text, at: index) else {
                index += 2
                continue
            }
            switch unit {
            case 0 where refusesNull: return noNull
            case 0xD800...0xDBFF:
                guard let low = unsafe UnicodeValidation.escapedUnit(text, at: index + 6), (0xDC00...0xDFFF).contains(low) else {
                    return "pairs of surrogates"
                }
                index += 12
            case 0xDC00...0xDFFF: return "pairs of surrogates"
            default: index += 6
            }
        }
    }
}

extension JSONValue {
    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}
#endif
