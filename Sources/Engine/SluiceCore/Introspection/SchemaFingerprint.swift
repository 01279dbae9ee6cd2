// Computes a 64-bit hash of a schema that is the same in every process and on every platform.

internal import Synchronization

/// The hash of Fowler, Noll and Vo in its 64-bit variant 1a (RFC 9923): simple, fast enough, and the same everywhere.
struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { combine(byte) }
    }

    mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

    /// Hashes a text and an end mark, a byte that never occurs in UTF-8.
    mutating func combine(_ text: String) {
        combine(text.utf8)
        combine(0xFF)
    }
}

extension JSONModelSchema {
    /// A hash of the model's name and layout, of each property's name, type, keys, presence, direction and format, and of the
    /// models inside.
    ///
    /// It is the same in every process and on every platform, and changes with each of these facts. An archive contains it.
    ///
    /// ```swift
    /// if Book.schema.fingerprint != known { migrate() }
    /// ```
    public var fingerprint: UInt64 {
        if let known = Self.fingerprints.withLock({ $0[self] }) { return known }
        var hash = FNV1a()
        var seen: Set<JSONModelSchema> = []
        combine(into: &hash, &seen)
        let made = hash.value
        Self.fingerprints.withLock { $0[self] = made }
        return made
    }

    /// The fingerprints computed so far. They are never removed, because tables live as long as the process too.
    private static let fingerprints = Mutex<[JSONModelSchema: UInt64]>([:])

    private func combine(into hash: inout FNV1a, _ seen: inout Set<JSONModelSchema>) {
        hash.combine(name)
        // A model that was hashed before is represented by its name alone, so the recursion ends.
        guard seen.insert(self).inserted else { return }
        hash.combine(layout == .array ? 1 : 0)
        let properties = self.properties
        for property in properties { property.combine(into: &hash) }
        hash.combine(0xFE)
        for property in properties { property.model?.combine(into: &hash, &seen) }
    }
}

extension JSONModelSchema.Property {
    fileprivate func combine(into hash: inout FNV1a) {
        hash.combine(name)
        hash.combine(typeName)
        for key in keys {
            for component in key.components { hash.combine(component) }
            hash.combine(0xFE)
        }
        // Explicit numbers and names, because the compiler's may change when a case is added.
        hash.combine(UInt8([.required, .defaulted, .optional].firstIndex(of: presence) ?? 0))
        hash.combine(UInt8([.both, .reading, .writing].firstIndex(of: direction) ?? 0))
        hash.combine(policy.isSensitive ? 1 : 0)
        hash.combine(policy.isArchived ? 1 : 0)
        hash.combine(policy.date?.text ?? "")
        hash.combine(policy.data == .utf8 ? 1 : 0)
        hash.combine(policy.joinSeparator ?? "")
    }
}
