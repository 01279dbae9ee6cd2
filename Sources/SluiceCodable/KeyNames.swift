// Whether the members of an object have different names, without a look at the names. Of most types of keys a value is one byte that
// says which case it is; where each case has always had a name of its own, different bytes are different names.

internal import SluiceCore
internal import Synchronization

/// The names that the values of one type of keys have had, by the byte that the value is.
///
/// The memory lives as long as the process, as that of the type does.
@safe
struct KeyNames {
    /// One bit for each byte whose name is known, and is no other's.
    private let known: UnsafeMutablePointer<Atomic<UInt64>>
    private let names: UnsafeMutablePointer<String>
    private static let limit = 64
    private static let learning = Mutex<Void>(())

    fileprivate init() {
        unsafe known = .allocate(capacity: 1)
        unsafe known.initialize(to: Atomic(0))
        unsafe names = .allocate(capacity: KeyNames.limit)
        unsafe names.initialize(repeating: "", count: KeyNames.limit)
    }

    /// The names of a type's values; nil if they are more than a byte.
    static func of<Key: CodingKey>(_ type: Key.Type) -> KeyNames? {
        guard MemoryLayout<Key>.size == 1, _isPOD(type) else { return nil }
        // Safe: the table makes one for each type.
        return unsafe table.record(of: type) { KeyNamesBox() }.pointee.worker?.names
    }

    private static let table = TypeTable<KeyNamesBox>()

    /// A bit for a key, which no key with another name has; 0 if there is no such bit.
    @inline(__always)
    func bit<Key: CodingKey>(of key: Key, _ name: String) -> UInt64 {
        // Safe: the value is one byte.
        let byte = unsafe Int(withUnsafeBytes(of: key) { unsafe $0[0] })
        guard byte < KeyNames.limit else { return 0 }
        let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: byte)
        if unsafe known.pointee.load(ordering: .acquiring) & bit == 0 { return learn(byte, bit, name) }
        // Strings of the same two words are equal. Those of other words may be: a name that is made anew each time.
        return unsafe KeyNames.isSame(names[byte], name) ? bit : 0
    }

    @inline(__always)
    private static func isSame(_ left: String, _ right: String) -> Bool {
        // Safe: a string is two words.
        unsafe unsafeBitCast(left, to: (UInt64, UInt64).self) == unsafeBitCast(right, to: (UInt64, UInt64).self)
    }

    @inline(never)
    private func learn(_ byte: Int, _ bit: UInt64, _ name: String) -> UInt64 {
        KeyNames.learning.withLock { _ in
            let before = unsafe known.pointee.load(ordering: .relaxed)
            if before & bit != 0 { return unsafe KeyNames.isSame(names[byte], name) ? bit : 0 }
            for other in 0..<KeyNames.limit where before & 1 &<< UInt64(truncatingIfNeeded: other) != 0 {
                if unsafe names[other] == name { return 0 }
            }
            unsafe names[byte] = name
            unsafe known.pointee.store(before | bit, ordering: .releasing)
            return bit
        }
    }
}

/// What the table of types holds.
private final class KeyNamesBox {
    let names = KeyNames()
}
