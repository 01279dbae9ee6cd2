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

/// A JSON number as it is written: exact, whatever its size.
///
/// Numbers are equal when their text is: `1.0` and `1` are two numbers here. Compare ``double`` where the value counts.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The text, such as `12.50` or `1e400`.
    public let lexeme: String

    /// A number of text that is already known to be one.
    init(validated bytes: UnsafeBufferPointer<UInt8>) {
        lexeme = unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// A number of its JSON text; nil if that is no JSON number.
    public init?(lexeme: String) {
        guard case .number(let number)? = try? JSONValue(json: lexeme), number.lexeme == lexeme else { return nil }
        self = number
    }

    /// An integer.
    public init(_ value: some FixedWidthInteger) { lexeme = value.description }

    /// A finite double, in its shortest text; nil for infinities and NaN, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        lexeme = unsafe String(unsafeUninitializedCapacity: NumberFormatting.maximumLength) { buffer in
            // Safe: a buffer of a capacity above 0 has an address.
            unsafe NumberFormatting.write(value, to: buffer.baseAddress.unsafelyUnwrapped)
        }
    }

    /// The value as an `Int`, if it is an integer and fits.
    public var int: Int? { integer(as: Int.self) }

    /// The value as an integer of some width, if it is one and fits.
    public func integer<Value: FixedWidthInteger>(as type: Value.Type) -> Value? {
        withScalar { $0.integer(as: type) }
    }

    /// The nearest double; nil beyond the finite ones.
    public var double: Double? { withScalar { $0.double } }

    /// The text.
    public var description: String { lexeme }

    private func withScalar<Result>(_ body: (JSONScalar) -> Result) -> Result {
        var text = lexeme
        return text.withUTF8 { bytes in
            // Safe: a number's text is never empty.
            unsafe body(JSONScalar(kind: .number, start: bytes.baseAddress.unsafelyUnwrapped, count: bytes.count))
        }
    }
}

/// The members of a JSON object in the order of the text.
///
/// Looking a key up takes time in proportion to the number of members, as in simdjson and yyjson: objects are small, and an
/// index would cost every object for the few that are searched. Of members with the same key the last one counts.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    /// A key and its value.
    public typealias Member = (key: String, value: JSONValue)

    /// All members, duplicates included.
    public private(set) var members: [Member]

    /// An object of these members.
    public init(_ members: [Member] = []) { self.members = members }

    /// An object of these members.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { members = elements.map { (key: $0, value: $1) } }

    /// The value of a key. Setting replaces the last member of that key or appends one; setting nil removes all.
    public subscript(key: String) -> JSONValue? {
        get { members.last { $0.key == key }?.value }
        set {
            guard let newValue else {
                members.removeAll { $0.key == key }
                return
            }
            if let index = members.lastIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else {
                members.append((key: key, value: newValue))
            }
        }
    }

    /// The keys in order.
    public var keys: [String] { members.map(\.key) }
    /// How many members there are.
    public var count: Int { members.count }
    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }
}

extension JSONObject: Hashable {
    /// Objects are equal when they have the same members in the same order.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.elementsEqual(right.members) { $0.key == $1.key && $0.value == $1.value }
    }

    /// Hashes the members in order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        for member in members {
            hasher.combine(member.key)
            hasher.combine(member.value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0, value: $1) }))
    }
}

extension JSONValue: JSONBindable {
    public static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.value(self) }

    public static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        guard contents.isKeyed else {
            unsafe destination.store(JSONValue.array(Array(moving: contents.elements(), count: contents.count)))
            return
        }
        guard contents.count > 0 else { return destination.store(JSONValue.object(JSONObject())) }
        let members = unsafe [JSONObject.Member](unsafeUninitializedCapacity: contents.count) { buffer, initialized in
            for index in 0..<contents.count {
                // Safe: each pair is moved once, into memory of exactly as many members.
                unsafe (buffer.baseAddress.unsafelyUnwrapped + index).initialize(
                    to: (contents.key(at: index).move(), contents.value(at: index, as: JSONValue.self).move()))
            }
            initialized = contents.count
        }
        destination.store(JSONValue.object(JSONObject(members)))
    }

    public static func _destroy(_ contents: _Contents) {
        if contents.isKeyed {
            contents.destroyPairs(of: JSONValue.self, from: 0)
        } else {
            unsafe contents.elements(of: JSONValue.self).deinitialize(count: contents.count)
        }
    }

    public static func _relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        if contents.isKeyed {
            unsafe contents.movePairs(of: JSONValue.self, to: address)
        } else {
            unsafe contents.move(JSONValue.self, to: address)
        }
    }

    public func _write(to writer: inout JSONWriter) throws(JSONError) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(let number): writer.writeNumber(number)
        case .string(let text): writer.write(text)
        case .array(let elements): try elements._write(to: &writer)
        case .object(let object): try object._write(to: &writer)
        }
    }
}

extension JSONObject {
    func _write(to writer: inout JSONWriter) throws(JSONError) {
        try writer.beginObject()
        if writer.options.sortedKeys {
            for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                try writer.member(member.key, member.value)
            }
        } else {
            for member in members { try writer.member(member.key, member.value) }
        }
        writer.endObject()
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON.
    public var description: String { (try? jsonString()) ?? "" }
}
