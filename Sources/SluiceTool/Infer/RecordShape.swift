// Collects what many values have in common: the kinds at each place, the keys, and which of them are always present.

#if CommandLine
internal import SluiceCore

/// The observed values at one place of the records: at the top, under a key, or in an array.
final class RecordShape {
    /// The kinds of the observed values, except null.
    struct Kinds: OptionSet, Hashable {
        let rawValue: UInt8
        static let bool = Kinds(rawValue: 1)
        static let integer = Kinds(rawValue: 2)
        static let real = Kinds(rawValue: 4)
        /// An integer that a double cannot hold exactly.
        static let long = Kinds(rawValue: 8)
        /// An integer that does not fit into 64 bits, or a number beyond the doubles.
        static let wide = Kinds(rawValue: 16)
        static let string = Kinds(rawValue: 32)
        static let array = Kinds(rawValue: 64)
        static let object = Kinds(rawValue: 128)
    }

    private(set) var kinds: Kinds = []
    /// How many objects have this value as a member.
    private var holders = 0
    /// The number of the last of these objects.
    private var lastHolder = 0
    private(set) var hasNull = false
    /// How many of the values were objects.
    private(set) var objects = 0
    /// The keys of the objects in order of first appearance, with the shapes of their values.
    private(set) var members: [(key: String, shape: RecordShape)] = []
    // Keys are compared by bytes. Swift's String treats composed and decomposed "é" as equal; JSON does not.
    private var index: [[UInt8]: Int] = [:]
    /// The shape of the arrays' elements; nil if there was no element.
    private(set) var element: RecordShape?
    /// Whether the values are sensitive: then the keys inside them are not kept.
    private(set) var isSensitive = false

    /// Removes the keys inside the values.
    func hideKeys() {
        isSensitive = true
        members = []
        index = [:]
        element?.hideKeys()
    }

    /// Adds a value to the shape.
    func observe(_ value: JSONValue) {
        switch value {
        case .null: hasNull = true
        case .bool: kinds.insert(.bool)
        case .number(let number): kinds.formUnion(RecordShape.kinds(of: number))
        case .string: kinds.insert(.string)
        case .array(let elements):
            kinds.insert(.array)
            if elements.isEmpty { return }
            let shape = element ?? RecordShape()
            element = shape
            for element in elements { shape.observe(element) }
        case .object(let object):
            kinds.insert(.object)
            objects += 1
            for member in object.members {
                let shape = shape(under: member.key)
                // A key may appear twice in an object.
                if shape.lastHolder != objects { shape.holders += 1 }
                shape.lastHolder = objects
                shape.observe(member.value)
            }
        }
    }

    private func shape(under key: String) -> RecordShape {
        let bytes = Array(key.utf8)
        if let known = index[bytes] { return members[known].shape }
        let made = RecordShape()
        index[bytes] = members.count
        members.append((key, made))
        return made
    }

    private static func kinds(of number: JSONNumber) -> Kinds {
        if number.lexeme.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 32 == UInt8(ascii: "e") }) {
            return number.double?.isFinite == true ? .real : [.real, .wide]
        }
        guard let value = number.int else { return .wide }
        return Int(exactly: Double(value)) == value ? .integer : [.integer, .long]
    }

    /// Whether every object had this member.
    func isAlwaysThere(_ member: RecordShape) -> Bool { member.holders >= objects }

    /// An object with more keys than this may be a dictionary.
    static let dictionaryThreshold = 200

    /// Whether the keys are data rather than names of properties: there are very many, and nearly all have values of the same
    /// kinds.
    var isDictionary: Bool {
        guard members.count > RecordShape.dictionaryThreshold else { return false }
        var counts: [Kinds: Int] = [:]
        for member in members where !member.shape.kinds.isEmpty { counts[member.shape.kinds, default: 0] += 1 }
        let total = counts.values.reduce(0, +)
        return total == 0 || (counts.values.max() ?? 0) * 5 >= total * 4
    }

    /// The merged shape of all members of a dictionary.
    var memberShape: RecordShape {
        let merged = RecordShape()
        for member in members { merged.merge(member.shape) }
        return merged
    }

    private func merge(_ other: RecordShape) {
        kinds.formUnion(other.kinds)
        holders += other.holders
        objects += other.objects
        hasNull = hasNull || other.hasNull
        for member in other.members { shape(under: member.key).merge(member.shape) }
        guard let elements = other.element else { return }
        let shape = element ?? RecordShape()
        element = shape
        shape.merge(elements)
    }
}
#endif
