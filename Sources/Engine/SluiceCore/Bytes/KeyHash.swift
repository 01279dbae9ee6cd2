// Hashes of keys, for all indexes that find a key by its bytes. A sender chooses the keys of a text and knows this source, so a hash that
// he can predict is only used where it has been proven to keep the keys of a table apart.

/// Hashes of the bytes of a key.
package enum KeyHash {
    /// Differs from process to process, so that nobody can prepare keys that have one hash.
    package static let seed = UInt64.random(in: .min ... .max)

    /// A hash of the length and of the first, middle and last byte: cheap, and enough for most models.
    ///
    /// - Parameters:
    ///   - multiplier: An odd number. ``KeyTable`` finds one that keeps its keys apart.
    ///   - bits: How many bits the hash has, 1 to 31: the upper ones of the product, which depend on all bits of the tuple.
    @inline(__always)
    static func brief(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ multiplier: UInt32, bits: UInt32) -> Int {
        guard count > 0 else { return 0 }
        return Int((unsafe tuple(bytes, count) &* multiplier) &>> (32 &- bits))
    }

    /// What ``brief(_:_:_:)`` looks at, of a key that is not empty. Keys of one tuple have one brief hash, whatever the multiplier.
    @inline(__always)
    static func tuple(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt32 {
        // Safe: all three positions are below `count`.
        let first = unsafe UInt32(bytes[0])
        let middle = unsafe UInt32(bytes[count &>> 1])
        let last = unsafe UInt32(bytes[count &- 1])
        return (first | middle &<< 8 | last &<< 16) ^ UInt32(truncatingIfNeeded: count) &<< 11
    }

    /// A hash of all bytes, by folded multiplication as in wyhash.
    @inline(__always)
    package static func full(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ seed: UInt64) -> Int {
        let key = unsafe UnsafeRawPointer(bytes)
        var hash = seed ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
        let last: UInt64
        // Safe: every load ends at or before `count`; the last one overlaps its predecessor instead of running past the end.
        if count >= 8 {
            var offset = 0
            while offset &+ 8 < count {
                hash = unsafe fold(hash ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset &+= 8
            }
            last = unsafe key.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
        } else if count >= 4 {
            last =
                unsafe UInt64(key.loadUnaligned(as: UInt32.self))
                | UInt64(key.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)) &<< 32
        } else if count > 0 {
            last = unsafe UInt64(bytes[0]) | UInt64(bytes[count &>> 1]) &<< 8 | UInt64(bytes[count &- 1]) &<< 16
        } else {
            last = 0
        }
        return Int(truncatingIfNeeded: fold(hash ^ last))
    }

    @inline(__always)
    private static func fold(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
        return product.high ^ product.low
    }
}
