// What a property has in memory until its own value is read (ModelMemory.swift).

/// A type with a value that a property may have until its own value is read.
package protocol PlaceholderValue {
    /// The value. Its bits may be copied and dropped freely.
    static var placeholder: Self { get }

    /// Whether the bits of a literal's value may be copied and dropped freely.
    static func isFree(_ literal: Self) -> Bool
}

extension PlaceholderValue {
    package static func isFree(_ literal: Self) -> Bool { false }

    // Safe, both: the comparison has shown that it is the same type.

    fileprivate static func placeholder<Value>(as type: Value.Type) -> Value? {
        Value.self == Self.self ? unsafe unsafeBitCast(placeholder, to: Value.self) : nil
    }

    fileprivate static func isFree<Value>(literal: Value) -> Bool {
        Value.self == Self.self && isFree(unsafe unsafeBitCast(literal, to: Self.self))
    }
}

/// What is known of the bits of a type. It is asked once per property, when a model's table is made.
struct BitFacts<Value> {
    private let type: (any PlaceholderValue.Type)?
    /// Whether the bits of every value may be copied and dropped freely.
    let hasFreeBits: Bool

    init(_ type: Value.Type) {
        self.type = type as? any PlaceholderValue.Type
        hasFreeBits = (type as? any _JSONReadable.Type)?._hasFreeBits ?? false
    }

    /// The value that a property has until its own is read; nil if the type has none, or needs none because it has free bits.
    var placeholder: Value? { type?.placeholder(as: Value.self) }

    /// Whether the bits of a literal's value may be copied and dropped freely.
    func isFree(_ literal: Value) -> Bool { hasFreeBits || type?.isFree(literal: literal) == true }
}
