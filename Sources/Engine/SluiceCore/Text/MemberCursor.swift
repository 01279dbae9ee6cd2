// Finds the members of an object by quotes and brackets alone: a type that captures its text decides by them what the value is, before it
// is parsed.

/// Finds the members of an object, one after the other, without parsing their values.
///
/// It trusts the text to be an object, and ends where the text shows that it is not one. The code that parses the text reports the error.
@safe
package struct MemberCursor {
    /// A member's parts in the text.
    @safe
    package struct Member {
        package let key: TextString
        package let value: UnsafeBufferPointer<UInt8>

        /// Whether ``tag`` is this text.
        func hasTag(_ name: String) -> Bool { string?.isEqual(to: name) ?? (tag == name) }

        /// The value as text if it is a string, number or boolean, the forms that a discriminator may have; else nil.
        var tag: String? {
            if let string { return string.decoded }
            switch unsafe value.first.flatMap(ValueKind.init(firstByte:)) {
            case .object, .array, .null: return nil
            default: return unsafe String(decoding: value, as: UTF8.self)
            }
        }

        /// The value if it is a string.
        private var string: TextString? {
            unsafe TextString(of: UnsafeRawBufferPointer(value))
        }
    }

    private let text: TextCursor
    /// What comes next; nil where the text is damaged.
    private var turn: TextCursor.Turn?

    /// - Parameter text: The object, from its opening bracket on; more text may follow.
    package init(_ text: UnsafeBufferPointer<UInt8>) {
        // Safe: an empty text gets a valid address, from which no byte is read.
        let start = unsafe text.baseAddress ?? NoBytes.address
        self.text = unsafe TextCursor(end: start + text.count)
        turn = unsafe text.first == UInt8(ascii: "{") ? self.text.first(after: start, closing: UInt8(ascii: "}")) : nil
    }

    /// - Parameter address: The position of the object's opening bracket.
    package init(_ text: TextCursor, at address: TextCursor.Address) {
        self.text = text
        turn = unsafe text.first(after: address, closing: UInt8(ascii: "}"))
    }

    /// The position after the object, if all its members have been found.
    package var end: TextCursor.Address? { if case .end(let address) = turn { unsafe address } else { nil } }

    /// The next member; nil at the end.
    package mutating func next() -> Member? {
        guard let (key, value) = unsafe nextKey(), let end = unsafe text.valueEnd(value) else { return nil }
        unsafe pass(end)
        return unsafe Member(key: key, value: UnsafeBufferPointer(start: value, count: end - value))
    }

    /// The next key, and the position of its value; nil at the end. The next member is found once the value is passed.
    package mutating func nextKey() -> (key: TextString, value: TextCursor.Address)? {
        guard case .item(let address) = turn else { return nil }
        // Where the caller does not find the value's end, the text is damaged.
        turn = nil
        return unsafe text.key(at: address)
    }

    /// Goes on after a value.
    package mutating func pass(_ valueEnd: TextCursor.Address) {
        turn = unsafe text.next(after: valueEnd, closing: UInt8(ascii: "}"))
    }

    /// The first and the last member with a key: the same one, unless the key is repeated. Nil if no member has the key.
    func members(_ key: String) -> (first: Member, last: Member)? {
        var members = self
        var found: (first: Member, last: Member)?
        while let member = members.next() {
            if member.key.isEqual(to: key) { found = (found?.first ?? member, member) }
        }
        return found
    }
}
