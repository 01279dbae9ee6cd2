// The last bytes before a position in a file or text go in, and a number comes out by which they are recognised later: a checkpoint
// stores it, and a later run compares it before it continues from that position.

/// A digest of the bytes just before a position: at most ``reach`` of them.
package struct TailDigest: Codable, Sendable, Hashable {
    /// How many bytes before a position are looked at.
    package static let reach = 256

    /// How many bytes the digest covers.
    package let size: Int
    /// A hash of these bytes. It is stored, so it must stay the same in all versions and on all machines.
    package let hash: UInt64

    /// The digest of the last bytes of `bytes`, or of all if there are fewer.
    package init(of bytes: UnsafeRawBufferPointer, most count: Int = reach) {
        size = min(bytes.count, count)
        hash = unsafe Self.hash(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - size)...]))
    }

    /// Whether the last bytes of `bytes` are those of the digest; nil if there are too few to tell.
    package func matches(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        guard bytes.count >= size else { return nil }
        return unsafe TailDigest(of: bytes, most: size) == self
    }

    /// Hashes 32 bytes at a time, in four lanes that do not wait for each other: it is computed for each record of some feeds. It stays the
    /// same in all versions and on all machines.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var lanes = SIMD4<UInt64>(0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5)
        var index = 0
        while index + 32 <= bytes.count {
            for lane in 0..<4 {
                // Safe: the 8 bytes end at most at `index + 32`.
                let word = unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 8 * lane, as: UInt64.self))
                lanes[lane] = mix(lanes[lane], word)
            }
            index += 32
        }
        var hash = mix(mix(mix(mix(UInt64(bytes.count), lanes[0]), lanes[1]), lanes[2]), lanes[3])
        while index < bytes.count {
            hash = unsafe mix(hash, UInt64(bytes[index]))
            index += 1
        }
        return hash ^ (hash >> 32)
    }

    /// The step of FNV-1a, on 8 bytes, with a rotation that carries high bits to the low end.
    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
        return product << 29 | product >> 35
    }
}
