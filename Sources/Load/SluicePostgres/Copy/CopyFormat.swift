// Writes values as `COPY … FROM STDIN` reads them: https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.55.9.4
//
// A COPY has one format for all columns. Binary is faster for both sides. But a type that is not known here (inet, an array, a
// type of an extension) has a binary form that may change; only its text form is stable. So a table with such a column gets the
// format `text`. Each value is then read by the input function of its type, with the modifiers of the column, as in an INSERT. A
// temporary column of type text with a cast would be wrong: an explicit cast cuts off a value that is too long, as in
// `'10101'::bit(3)`.

#if PostgreSQL
internal import SluiceCore

/// The format of a COPY.
enum CopyFormat: Sendable {
    case binary, text

    /// The format in which all of these types can be written.
    init(_ types: some Sequence<PostgresType>) { self = types.contains { $0.needsText } ? .text : .binary }

    /// The bytes before all rows. The first 11 are a signature. The flags and the length of an extension are 0.
    var header: [UInt8] { self == .binary ? Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + Array(repeating: 0, count: 8) : [] }

    /// The bytes after all rows.
    var trailer: [UInt8] { self == .binary ? [0xFF, 0xFF] : [] }

    /// The options of the statement.
    var options: String { self == .binary ? "(FORMAT binary)" : "(FORMAT text)" }
}

extension PostgresType {
    /// Whether the form in binary is not known here.
    fileprivate var needsText: Bool {
        switch self {
        case .array, .unsigned, .other: true
        default: false
        }
    }
}

extension CopyBuffer {
    // MARK: Binary

    /// Appends a value in binary, with its length in front.
    mutating func appendBinary(_ value: CopyValue, as type: PostgresType) {
        switch value {
        case .null: append(Int32(-1))
        case .int2(let value): append(Int32(2), value)
        case .int4(let value), .date(let value): append(Int32(4), value)
        case .int8(let value), .moment(let value): append(Int32(8), value)
        case .float4(let value): append(Int32(4), value.bitPattern)
        case .float8(let value): append(Int32(8), value.bitPattern)
        case .bool(let value): append(Int32(1), value ? 1 as UInt8 : 0)
        case .uuid(let high, let low):
            append(Int32(16), high)
            append(low)
        case .numeric(let number): appendNumeric(number)
        case .digits(let digits): DecimalLexeme.of(digits) { appendNumeric($0) }
        case .infinity(let isNegative): appendInfinity(isNegative, type)
        case .notANumber:
            switch type {
            case .float4: append(Int32(4), Float.nan.bitPattern)
            case .float8: append(Int32(8), Double.nan.bitPattern)
            default: appendNumeric(sign: 0xC000)
            }
        case .text(let text) where type != .jsonb:
            append(Int32(truncatingIfNeeded: text.count))
            unsafe append(text)
        case .text, .jsonString, .plain, .bytes:
            let start = count
            append(Int32(0))
            // The version of jsonb's binary form.
            if type == .jsonb { append(1 as UInt8) }
            appendPlain(value)
            set(Int32(truncatingIfNeeded: count - start - 4), at: start)
        }
    }

    @inline(__always)
    private mutating func append<Value: FixedWidthInteger>(_ length: Int32, _ value: Value) {
        append(length)
        append(value)
    }

    /// The layout is that of `numeric_send` in src/backend/utils/adt/numeric.c: groups, weight, sign and scale in 16 bits each, then the
    /// groups of four digits.
    private mutating func appendNumeric(_ number: DecimalLexeme) {
        let groups = number.groups
        append(Int32(truncatingIfNeeded: 8 + 2 * groups.count))
        append(Int16(truncatingIfNeeded: groups.count))
        append(Int16(truncatingIfNeeded: number.weight))
        append(number.isNegative && !number.significant.isEmpty ? 0x4000 as UInt16 : 0)
        append(Int16(truncatingIfNeeded: number.scale))
        for index in groups { append(Int16(truncatingIfNeeded: number.group(at: index))) }
    }

    /// Appends a special value of `numeric`, which has no groups.
    private mutating func appendNumeric(sign: UInt16) {
        append(Int32(8), 0 as UInt32)
        append(sign)
        append(0 as UInt16)
    }

    private mutating func appendInfinity(_ isNegative: Bool, _ type: PostgresType) {
        switch type {
        case .float4: append(Int32(4), (isNegative ? -Float.infinity : .infinity).bitPattern)
        case .float8: append(Int32(8), (isNegative ? -Double.infinity : .infinity).bitPattern)
        case .date: append(Int32(4), isNegative ? Int32.min : .max)
        case .timestamp, .timestamptz: append(Int32(8), isNegative ? Int64.min : .max)
        default: appendNumeric(sign: isNegative ? 0xF000 : 0xD000)
        }
    }

    // MARK: Text

    /// Appends a value as text, with what has a meaning for COPY escaped.
    mutating func appendText(_ value: CopyValue, as type: PostgresType) {
        switch value {
        case .null: append("\\N")
        case .int2(let value): append("\(value)")
        case .int4(let value): append("\(value)")
        case .int8(let value): append("\(value)")
        case .float4(let value): append("\(value)")
        case .float8(let value): append("\(value)")
        case .digits(let digits): append(digits)
        case .bool(let value): append(value ? "t" : "f")
        case .numeric(let number): appendDigits(of: number)
        // The server takes a day as its Julian number: https://www.postgresql.org/docs/current/datatype-datetime.html
        case .date(let days): append("J\(Int64(days) + CopyReader.julianEpoch)")
        case .moment(let microseconds): appendMoment(microseconds)
        case .uuid(let high, let low):
            for part in [high, low] {
                let digits = String(part, radix: 16)
                append(String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits)
            }
        case .bytes(let digits):
            append("\\\\x")
            unsafe append(digits)
        case .infinity(let isNegative): append(isNegative ? "-infinity" : "infinity")
        case .notANumber: append("NaN")
        case .text, .jsonString, .plain:
            let start = count
            appendPlain(value)
            escape(from: start)
        }
    }

    /// Doubles the backslashes after an offset, and replaces what ends a value or a row.
    private mutating func escape(from start: Int) {
        let special: (UInt8) -> Bool = { $0 == UInt8(ascii: "\\") || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard let first = unsafe bytes[start...].firstIndex(where: special) else { return }
        let rest = unsafe Array(bytes[first...])
        truncate(to: first)
        for byte in rest {
            if special(byte) { append(UInt8(ascii: "\\")) }
            switch byte {
            case 0x0A: append(UInt8(ascii: "n"))
            case 0x0D: append(UInt8(ascii: "r"))
            case 0x09: append(UInt8(ascii: "t"))
            default: append(byte)
            }
        }
    }

    private mutating func appendDigits(of number: DecimalLexeme) {
        if number.isNegative { append(UInt8(ascii: "-")) }
        let point = number.point
        for index in point - max(number.integerSize, 1)..<point { append(UInt8(ascii: "0") + number.digit(index)) }
        guard number.scale > 0 else { return }
        append(UInt8(ascii: "."))
        for index in point..<(point + number.scale) { append(UInt8(ascii: "0") + number.digit(index)) }
    }

    private mutating func appendMoment(_ microseconds: Int64) {
        let day: Int64 = 86_400_000_000
        let rest = (microseconds % day + day) % day
        let (seconds, fraction) = (rest / 1_000_000, String(1_000_000 + rest % 1_000_000).dropFirst())
        let time = "\(seconds / 3600):\(seconds / 60 % 60):\(seconds % 60).\(fraction)+00"
        append("J\((microseconds - rest) / day + CopyReader.julianEpoch) \(time)")
    }

    // MARK: Both

    /// Appends the text of a value that is text in both formats.
    private mutating func appendPlain(_ value: CopyValue) {
        switch value {
        case .text(let text): unsafe append(text)
        case .plain(let text): append(text)
        case .jsonString(let text): append(ArrayText.json(.string(unsafe String(decoding: text, as: UTF8.self))))
        case .bytes(let digits):
            for index in stride(from: 0, to: digits.count - 1, by: 2) {
                unsafe append(CopyBuffer.nibble(digits[index]) << 4 | CopyBuffer.nibble(digits[index + 1]))
            }
        default: break
        }
    }

    private static func nibble(_ digit: UInt8) -> UInt8 { digit <= 0x39 ? digit & 15 : (digit & 15) + 9 }
}
#endif
