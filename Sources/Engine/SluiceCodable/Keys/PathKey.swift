// Keys that no type has declared: the index of an element, the key of a dictionary, `super`.

internal import SluiceCore

/// A coding key of the decoder's or encoder's own. It is at most three words long, so `any CodingKey` holds it without allocating.
struct PathKey: CodingKey {
    private enum Form {
        case text(String), member(String)
        case number(Int), index(Int)
    }

    private let form: Form

    init(stringValue: String) { form = .text(stringValue) }

    init(intValue: Int) { form = .number(intValue) }

    /// The key of an element of an array.
    init(index: Int) { form = .index(index) }

    /// The key of a member of a dictionary. As in the keys of `Dictionary` itself, a text that is an integer also is the `intValue`.
    init(member: String) { form = .member(member) }

    var stringValue: String {
        switch form {
        case .text(let text), .member(let text): text
        case .number(let number): "\(number)"
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        switch form {
        case .text: nil
        case .member(let text): Int(text)
        case .number(let number), .index(let number): number
        }
    }

    /// The index of an element of an array; nil for any other key.
    var elementIndex: Int? { if case .index(let index) = form { index } else { nil } }

    static let `super` = PathKey(stringValue: "super")
}

/// One step of a coding path, from a container to one of its values. A one-byte key is stored in the step. For any other key the
/// step has its address, which is valid during the call that received the key.
@safe
struct CodingStep {
    /// The address of a key, or the byte of a one-byte key.
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
    static var none: CodingStep { CodingStep(index: -1) }

    static func element(_ index: Int) -> CodingStep { CodingStep(index: index) }

    /// The value of a dictionary's member, whose key is at an entry of the tape.
    static func member(_ entry: Int) -> CodingStep { CodingStep(index: -2 - entry) }

    /// The step of a key that is a case of a one-byte enumeration.
    @inline(__always)
    static func byte<Key: CodingKey>(of key: Key) -> CodingStep {
        CodingStep(key: UInt(bitPattern: key.byte), type: Key.self, index: isByte)
    }

    /// Calls a closure with the step of a key. The step is valid only during the call.
    @inline(__always)
    static func to<Key: CodingKey, Result>(_ key: Key, _ body: (CodingStep) throws -> Result) rethrows -> Result {
        try unsafe withUnsafePointer(to: key) {
            try body(CodingStep(key: UInt(bitPattern: $0), type: Key.self, index: -1))
        }
    }

    @inline(__always)
    var isNone: Bool { index == -1 && key == 0 }

    /// The step's key; nil for ``none``, and for a ``member(_:)``, whose key only the decoder can look up on its tape.
    var codingKey: (any CodingKey)? {
        // Safe: the step has either the byte of a one-byte key of this type, or the address of a key of this type. A step with an
        // address is used only during the call that received the key.
        func load<Key: CodingKey>(_ type: Key.Type) -> (any CodingKey)? {
            if index == CodingStep.isByte { return unsafe unsafeBitCast(UInt8(truncatingIfNeeded: key), to: type) }
            return unsafe UnsafePointer<Key>(bitPattern: key)?.pointee
        }
        if let type { return load(type) }
        if index >= 0 { return PathKey(index: index) }
        return nil
    }

    /// The tape entry of the key of a ``member(_:)``; nil for all other steps.
    var memberEntry: Int? { index < -1 && type == nil ? -2 - index : nil }
}
