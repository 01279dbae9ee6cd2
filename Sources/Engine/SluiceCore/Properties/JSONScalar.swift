// A string, number, boolean or null, passed to a type that converts it.

/// One JSON scalar as written in the text (strings unescaped), passed to `JSONScalarBindable.init(jsonScalar:)`.
///
/// It points into the parser's memory: use it only during the call that it is passed to, and do not store it.
@safe
public struct JSONScalar {
    /// The JSON type of a scalar.
    public enum Kind: Sendable, Hashable {
        case null, boolean, number, string
    }

    /// The scalar's JSON type.
    public let kind: Kind
    let start: UnsafePointer<UInt8>?
    let count: Int
    private let truth: Bool
    /// Whether a conversion has made this number from a boolean.
    var isMadeOfBoolean = false
    /// The policy of the property, and the reader's, which fills the gaps.
    var policy: UnsafePointer<JSONPropertyPolicy>?
    var defaults: UnsafePointer<JSONPropertyPolicy>?

    init(kind: Kind, start: UnsafePointer<UInt8>?, count: Int, truth: Bool = false) {
        self.kind = kind
        unsafe self.start = unsafe start
        self.count = count
        self.truth = truth
    }

    init(_ value: Bool) { unsafe self.init(kind: .boolean, start: nil, count: 0, truth: value) }

    /// Null.
    init() { unsafe self.init(kind: .null, start: nil, count: 0) }

    /// The conversions for the property. A type that makes itself from scalars need not apply them: if it refuses a string that spells a
    /// number, for example, it is offered the number next.
    public var conversions: JSONConversions {
        unsafe policy?.pointee.conversions ?? defaults?.pointee.conversions ?? .strict
    }

    /// The encoding of binary data for the property: Base64, unless the property sets another or follows YYModel's rules.
    package var dataFormat: JSONDataFormat {
        if let own = unsafe policy?.pointee.data ?? defaults?.pointee.data { return own }
        return conversions.profile == .yyModel ? .utf8 : .base64
    }

    /// The boolean; nil for other kinds.
    public var boolean: Bool? { kind == .boolean ? truth : nil }

    /// The string; nil for other kinds, and for bytes that are not valid UTF-8.
    public var string: String? {
        guard kind == .string, let start = unsafe start else { return nil }
        return unsafe String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The number as it is written, such as `1.50`; nil for other kinds.
    public var numberText: String? {
        guard kind == .number, let start = unsafe start else { return nil }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The number as an integer, if it is one and is in the type's range: `7`, `7.0` and `7e0` are all 7.
    public func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
        guard kind == .number, let start = unsafe start else { return nil }
        if let value = unsafe NumberParsing.int64(start, count) { return Value(exactly: value) }
        if let value = unsafe NumberParsing.uint128(start, count) { return Value(exactly: value) }
        return unsafe NumberParsing.exactInteger(start, count).flatMap { Value(exactly: $0) }
    }

    /// The number as a double, correctly rounded; nil for other kinds and for numbers beyond the range of finite doubles.
    public var double: Double? {
        guard kind == .number, let start = unsafe start, let value = unsafe NumberParsing.double(start, count), value.isFinite
        else { return nil }
        return value
    }

    /// The number as a float, correctly rounded; nil for other kinds and for numbers beyond the range of finite floats.
    package var float: Float? {
        guard kind == .number, let start = unsafe start, let value = unsafe NumberParsing.float(start, count), value.isFinite
        else { return nil }
        return value
    }

    /// The date format that the property or the reader sets; nil accepts every string format that is known.
    var dateFormat: JSONDateFormat? { unsafe policy?.pointee.date ?? defaults?.pointee.date }

    /// The moment that the scalar denotes in the format that the property or the reader sets (``JSONDateFormat``). Without one, a string
    /// in any known format, or a number if `detectsEpochs` is set. Nil for all others: a boolean is never a moment.
    public var timestamp: JSONTimestamp? {
        guard let start = unsafe start else { return nil }
        if let format = dateFormat {
            return switch kind {
            case .string: unsafe format.moment(ofString: start, count)
            case .number: unsafe isMadeOfBoolean ? nil : format.moment(ofNumber: start, count)
            case .null, .boolean: nil
            }
        }
        if kind == .string { return unsafe DateParsing.parse(start, count) }
        guard kind == .number, !isMadeOfBoolean, conversions.detectsEpochs else { return nil }
        return unsafe JSONTimestamp.epoch(detecting: start, count)
    }

    /// The bytes of a string or number, for the duration of the call.
    package func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeBufferPointer(start: start, count: count))
    }

    /// The scalar as JSON text; nil for a string that is not valid UTF-8.
    var rawText: RawJSON? {
        let value: JSONValue? =
            switch kind {
            case .null: .null
            case .boolean: .bool(truth)
            case .number: numberText.flatMap { JSONNumber(lexeme: $0) }.map { .number($0) }
            case .string: string.map { .string($0) }
            }
        guard let text = try? value?.jsonString() else { return nil }
        return try? RawJSON(json: text)
    }

    /// The scalar in the words of an error: `the string "abc"`.
    var summary: String {
        let excerpt = unsafe ErrorWords.beginning(of: UnsafeRawBufferPointer(start: start, count: count))
        return switch kind {
        case .null: "null"
        case .boolean: truth ? "true" : "false"
        case .number: "the number \(excerpt)"
        case .string: "the string \"\(excerpt)\""
        }
    }
}
