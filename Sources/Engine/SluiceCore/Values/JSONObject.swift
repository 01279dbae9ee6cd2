// The members of a JSON object, in the order of the text.

/// The members of a JSON object in the order of the text.
///
/// Looking a key up takes time in proportion to the number of members, as in simdjson and yyjson: objects are small, and an
/// index would cost every object for the few that are searched. Of members with the same key the last one counts; which of them are
/// read, ``JSONReader/Options/duplicateKeys`` says.
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

    /// The address of a member's value, valid until the object is changed or freed.
    ///
    /// - Parameter replaces: Whether the last member of that key gets another value, instead of a new member.
    mutating func addressOfValue(forKey key: String, replacing replaces: Bool) -> UnsafeMutablePointer<JSONValue> {
        let known = replaces ? members.lastIndex { $0.key == key } : nil
        if known == nil { members.append((key: key, value: .null)) }
        return unsafe members.withUnsafeMutableBufferPointer { buffer in
            unsafe withUnsafeMutablePointer(to: &buffer[known ?? buffer.count - 1].value) { unsafe $0 }
        }
    }

    /// The keys in order.
    package var keys: [String] { members.map(\.key) }
    /// How many members there are.
    package var count: Int { members.count }
    /// Whether there are none.
    package var isEmpty: Bool { members.isEmpty }
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
