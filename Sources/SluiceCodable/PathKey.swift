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

/// One step of a coding path, from a container to one of its values. A key is not copied: it lives as long as the call that has it.
@safe
struct PathStep {
    fileprivate let key: UnsafeRawPointer?
    fileprivate let type: (any CodingKey.Type)?
    fileprivate let index: Int

    /// The value of a single-value container: no step at all.
    static var none: PathStep { unsafe PathStep(key: nil, type: nil, index: -1) }

    static func element(_ index: Int) -> PathStep { unsafe PathStep(key: nil, type: nil, index: index) }

    /// The value of a dictionary's key, whose entry is known.
    static func member(_ entry: Int) -> PathStep { unsafe PathStep(key: nil, type: nil, index: -2 - entry) }

    /// Calls a closure with the step of a key.
    @inline(__always)
    static func to<Key: CodingKey, Result>(_ key: Key, _ body: (PathStep) throws -> Result) rethrows -> Result {
        try unsafe withUnsafePointer(to: key) {
            try unsafe body(PathStep(key: UnsafeRawPointer($0), type: Key.self, index: -1))
        }
    }

    @inline(__always)
    var isNone: Bool { unsafe index == -1 && key == nil }

    /// The key; nil for no step, and for the value of a dictionary's key, which only a decoder knows.
    var codingKey: (any CodingKey)? {
        // Safe: the address is that of a key of this type, and the call that has it has not ended.
        func load<Key: CodingKey>(_ type: Key.Type) -> (any CodingKey)? {
            unsafe key.map { unsafe $0.assumingMemoryBound(to: Key.self).pointee }
        }
        if let type { return load(type) }
        if index >= 0 { return PathKey(index: index) }
        return nil
    }

    /// The key; nil for no step.
    func codingKey(in decoder: TapeDecoder) -> (any CodingKey)? {
        guard index < -1 else { return codingKey }
        let member = decoder.tape.string(at: -2 - index) ?? ""
        // `Dictionary` gives its keys a number where it can; where a strategy changes keys, Foundation reads it without that.
        return decoder.options.hasDefaultKeys ? PathKey(member: member) : PathKey(stringValue: member)
    }
}
