// The values that properties of these types have until their own are read.

extension String: PlaceholderValue {
    package static var placeholder: String { "" }
    /// A literal is either small or lies in the program's own memory.
    package static func isFree(_ literal: String) -> Bool { true }
}

extension Substring: PlaceholderValue {
    package static var placeholder: Substring { "" }
    /// A literal is either small or lies in the program's own memory.
    package static func isFree(_ literal: Substring) -> Bool { true }
}

extension Optional: PlaceholderValue where Wrapped: JSONReadable {
    package static var placeholder: Self { nil }
    package static func isFree(_ literal: Self) -> Bool { literal.map(BitFacts(Wrapped.self).isFree) ?? true }
}

extension Array: PlaceholderValue where Element: JSONReadable {
    package static var placeholder: Self { [] }
    package static func isFree(_ literal: Self) -> Bool { literal.isEmpty }
}

extension Set: PlaceholderValue where Element: JSONReadable {
    package static var placeholder: Self { [] }
    package static func isFree(_ literal: Self) -> Bool { literal.isEmpty }
}

extension Dictionary: PlaceholderValue where Key: JSONKeyBindable, Value: JSONReadable {
    package static var placeholder: Self { [:] }
    package static func isFree(_ literal: Self) -> Bool { literal.isEmpty }
}

extension JSONField: PlaceholderValue where Value: JSONReadable {
    package static var placeholder: Self { .absent }
}

extension JSONValue: PlaceholderValue {
    package static var placeholder: JSONValue { .null }
}

extension JSONObject: PlaceholderValue {
    package static var placeholder: JSONObject { JSONObject() }
}

extension RawJSON: PlaceholderValue {
    package static var placeholder: RawJSON { unsafe RawJSON(validated: UnsafeBufferPointer(start: nil, count: 0)) }
}
