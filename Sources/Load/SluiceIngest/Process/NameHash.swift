// A number for a name, the same in every process.

/// FNV-1a with 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
package enum NameHash {
    package static func value(of name: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
