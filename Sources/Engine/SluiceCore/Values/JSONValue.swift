// Any JSON as a tree, for what has no fixed shape. Numbers keep their lexeme, objects their order.

/// A JSON value of any shape.
///
/// ```swift
/// let value = try JSONValue(json: #"{"price": 12.50, "tags": ["a", null]}"#)
/// value["price"]?.number?.lexeme      // "12.50"
/// value["tags"]?[0]?.string           // "a"
/// ```
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The element at an index; nil outside, and for other kinds.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The value of a key; nil if absent, and for other kinds.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The string; nil for other kinds.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    /// The boolean; nil for other kinds.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number; nil for other kinds.
    public var number: JSONNumber? { if case .number(let number) = self { number } else { nil } }
    /// The number as an `Int`, if it is one and fits.
    public var int: Int? { number?.int }
    /// The number as a double, correctly rounded.
    public var double: Double? { number?.double }
    /// The elements; nil for other kinds.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The members; nil for other kinds.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    /// Whether it is null.
    public var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// The number in its shortest text; null for a literal beyond the finite doubles.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map { .number($0) } ?? .null }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0, value: $1) }))
    }
}
