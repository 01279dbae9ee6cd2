// Keeps the names of coding keys. Nearly all key types are enumerations of one byte, which says which case a key is. The name of a
// case never changes, so its written form is kept, and keys with different bits need no comparison.

internal import SluiceCore
internal import Synchronization

extension CodingKey {
    /// Whether the key type is a one-byte enumeration, so that the byte can identify a key's name.
    static var isCaseOfByte: Bool {
        guard MemoryLayout<Self>.size == 1, _isPOD(Self.self) else { return false }
        // Safe: the first word of a type's metadata is its kind. That of an enumeration is 0x201 (ABI/MetadataKind.def of Swift).
        return unsafe unsafeBitCast(Self.self as Any.Type, to: UnsafePointer<UInt>.self).pointee == 0x201
    }

    /// The byte that represents the key.
    @inline(__always)
    var byte: Int {
        // Safe: used only if `isCaseOfByte` is true, and the standard library checks the size.
        Int(unsafe unsafeBitCast(self, to: UInt8.self))
    }
}

/// The names of the keys of one type, by the byte of each key. They live as long as the process.
@safe
final class KeyNames: @unchecked Sendable {
    /// A key's name in its written form.
    struct Name {
        let text: JSONKeyText
        /// A bit that no key with another name has; 0 if there is no such bit.
        let bit: UInt64
    }

    private static let table = TypeTable<KeyNames>()
    private static let limit = 256

    /// The addresses of the names by byte: 256 with plain slashes, then 256 with escaped slashes. 0 for a name not yet known.
    // Safe: not freed once the names are in the table, and read and written as atomics.
    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    /// The names that have a bit, by the byte of their key.
    private let owners = Mutex<[Int: String]>([:])

    init() {
        unsafe slots = .allocate(capacity: 2 * KeyNames.limit)
        for index in 0..<2 * KeyNames.limit { unsafe (slots + index).initialize(to: Atomic(0)) }
    }

    /// Called only if another thread has made the names of the same type first; no name is known then.
    deinit { unsafe slots.deallocate() }

    /// The names of a type's keys; nil if they are not cases of an enumeration.
    static func of<Key: CodingKey>(_ type: Key.Type) -> KeyNames? {
        guard type.isCaseOfByte else { return nil }
        return unsafe table.record(of: type) { KeyNames() }.pointee.worker
    }

    /// The name of a key.
    @inline(__always)
    func name(of key: some CodingKey, escapesSlashes: Bool) -> UnsafePointer<Name> {
        // Safe: a byte is below 256, and a slot has 0 or the address of a name, which is never freed.
        let slot = unsafe slots + key.byte + (escapesSlashes ? KeyNames.limit : 0)
        if let name = unsafe UnsafePointer<Name>(bitPattern: slot.pointee.load(ordering: .acquiring)) { return unsafe name }
        return unsafe learn(key, slot, escapesSlashes)
    }

    @inline(never)
    private func learn(
        _ key: some CodingKey, _ slot: UnsafeMutablePointer<Atomic<UInt>>, _ escapesSlashes: Bool
    ) -> UnsafePointer<Name> {
        let (byte, name) = (key.byte, key.stringValue)
        let bit = owners.withLock { owners -> UInt64 in
            guard byte < UInt64.bitWidth, !owners.contains(where: { $0.key != byte && $0.value == name }) else { return 0 }
            owners[byte] = name
            return 1 &<< UInt64(byte)
        }
        let made = UnsafeMutablePointer<Name>.allocate(capacity: 1)
        unsafe made.initialize(to: Name(text: JSONKeyText(name, escapesSlashes: escapesSlashes), bit: bit))
        let (isFirst, other) = unsafe slot.pointee.compareExchange(
            expected: 0, desired: UInt(bitPattern: made), ordering: .acquiringAndReleasing)
        // Safe: a slot that is not 0 has the address of a name, which is never freed.
        guard !isFirst, let name = unsafe UnsafePointer<Name>(bitPattern: other) else { return unsafe UnsafePointer(made) }
        unsafe made.pointee.text.deallocate()
        unsafe made.deinitialize(count: 1)
        unsafe made.deallocate()
        return unsafe name
    }
}
