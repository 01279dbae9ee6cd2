// Objects that belong to types, for types that cannot hold them in a static property because they are generic.

internal import Synchronization

/// One object for each of any number of types, kept as long as the process. One that is known is mostly found without a lock.
final class TypeSlots<Made: AnyObject & Sendable>: Sendable {
    /// Safe: `all` keeps each object that stands here.
    @safe private struct Entry {
        let type: ObjectIdentifier
        let made: Unmanaged<Made>
    }

    /// In how many slots a type may stand, beginning with that of its address.
    private static var reach: Int { 4 }
    private let slots = PointerSlots(count: 1024 + TypeSlots.reach)
    private let all = Mutex<[ObjectIdentifier: Made]>([:])

    private static func firstSlot(of type: ObjectIdentifier) -> Int {
        // Types are aligned to 8 bytes at least, and those of one module lie near each other.
        let bits = UInt(bitPattern: type)
        return Int((bits >> 3 ^ bits >> 13) & 1023)
    }

    /// The object of a type, made by the first caller.
    func object(for type: Any.Type, _ make: () -> Made) -> Made {
        let type = ObjectIdentifier(type)
        let first = Self.firstSlot(of: type)
        for slot in first..<first + Self.reach {
            // Safe: each address that is stored leads to an entry, which is never freed.
            guard let entry = unsafe slots.known(at: slot)?.assumingMemoryBound(to: Entry.self) else { break }
            if unsafe entry.pointee.type == type { return unsafe entry.pointee.made.takeUnretainedValue() }
        }
        return known(type) ?? add(make(), for: type, first)
    }

    /// A type that found its slots taken is only here.
    @inline(never)
    private func known(_ type: ObjectIdentifier) -> Made? { all.withLock { $0[type] } }

    @inline(never)
    private func add(_ made: Made, for type: ObjectIdentifier, _ first: Int) -> Made {
        all.withLock { all in
            if let known = all[type] { return known }
            all[type] = made
            guard let free = (first..<first + Self.reach).first(where: { unsafe slots.known(at: $0) == nil }) else { return made }
            let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
            unsafe entry.initialize(to: Entry(type: type, made: .passUnretained(made)))
            unsafe slots.set(entry, at: free)
            return made
        }
    }
}
