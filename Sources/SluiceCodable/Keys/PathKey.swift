// Keys that no type has declared: the index of an element, the key of a dictionary, `super`.

internal import SluiceCore

/// A coding key of the decoder's or encoder's own.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    /// The key of an element of an array.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    /// The key of a member of a dictionary, as `Dictionary` itself words it.
    init(member: String) {
        stringValue = member
        // Most keys are words, and parsing a number costs more than looking at the first byte.
        let first = member.utf8.first ?? 0
        intValue = first <= UInt8(ascii: "9") ? Int(member) : nil
    }

    static let `super` = PathKey(stringValue: "super")
}

/// One step of a coding path, from a container to one of its values. A one-byte key is stored in the step; of any other key the
/// step has the address, which is valid during the call that has the key.
@safe
struct PathStep {
    /// The address of a key, or the byte that it is.
    private let key: UInt
    private let type: (any CodingKey.Type)?
    private let index: Int

    private static var isByte: Int { .min }

    private init(key: UInt = 0, type: (any CodingKey.Type)? = nil, index: Int) {
        self.key = key
        self.type = type
        self.index = index
    }

    /// The value of a single-value container: no step at all.
    static var none: PathStep { PathStep(index: -1) }

    static func element(_ index: Int) -> PathStep { PathStep(index: index) }

    /// The value of a dictionary's key, whose entry is known.
    static func member(_ entry: Int) -> PathStep { PathStep(index: -2 - entry) }

    /// The step of a key that is a case of an enumeration, and a byte.
    @inline(__always)
    static func byte<Key: CodingKey>(of key: Key) -> PathStep {
        PathStep(key: UInt(bitPattern: key.byte), type: Key.self, index: isByte)
    }

    /// Calls a closure with the step of a key.
    @inline(__always)
    static func to<Key: CodingKey, Result>(_ key: Key, _ body: (PathStep) throws -> Result) rethrows -> Result {
        try unsafe withUnsafePointer(to: key) {
            try body(PathStep(key: UInt(bitPattern: $0), type: Key.self, index: -1))
        }
    }

    @inline(__always)
    var isNone: Bool { index == -1 && key == 0 }

    /// The key; nil for no step, and for the value of a dictionary's key, which only a decoder knows.
    var codingKey: (any CodingKey)? {
        // Safe: a key of this type is one byte, or the address is that of such a key, and the call that has it has not ended.
        func load<Key: CodingKey>(_ type: Key.Type) -> (any CodingKey)? {
            if index == PathStep.isByte { return unsafe unsafeBitCast(UInt8(truncatingIfNeeded: key), to: type) }
            return unsafe UnsafePointer<Key>(bitPattern: key)?.pointee
        }
        if let type { return load(type) }
        if index >= 0 { return PathKey(index: index) }
        return nil
    }

    /// The entry of a dictionary's key; nil for all other steps.
    var memberEntry: Int? { index < -1 && type == nil ? -2 - index : nil }
}
