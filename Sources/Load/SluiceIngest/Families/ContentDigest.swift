// A digest of text that comes in pieces. Whoever can write an input must not be able to write two texts of one digest, so it has a key that
// is random and kept in the database: SipHash-1-3, by Aumasson and Bernstein.

internal import SluiceCore
internal import SluiceFeed

/// The digest of a text so far; more of the text can follow.
package struct ContentDigest: Hashable, Sendable {
    /// What the digests of one table have in common. Nobody who writes inputs knows it.
    package struct Key: Hashable, Sendable {
        let words: SIMD2<UInt64>

        init(_ first: UInt64, _ second: UInt64) { words = SIMD2(first, second) }

        package static func random() -> Key { Key(.random(in: .min ... .max), .random(in: .min ... .max)) }
    }

    private var state: Words
    /// The last bytes, which do not fill a word; the first of them is the lowest.
    private var pending: UInt64 = 0
    /// How many bytes of text there have been.
    package private(set) var count = 0

    /// The digest of no text.
    package init(_ key: Key) {
        state = Words(
            v0: key.words[0] ^ 0x736F_6D65_7073_6575, v1: key.words[1] ^ 0x646F_7261_6E64_6F6D,
            v2: key.words[0] ^ 0x6C79_6765_6E65_7261, v3: key.words[1] ^ 0x7465_6462_7974_6573)
    }

    /// Goes on with the next bytes of the text.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while count & 7 != 0, index < bytes.count { unsafe take(bytes[index], &index) }
        var words = state
        while bytes.count - index >= 8 {
            // Safe: at least 8 bytes are left.
            words.take(unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
            count += 8
        }
        state = words
        while index < bytes.count { unsafe take(bytes[index], &index) }
    }

    /// Goes on with the next bytes, and keeps a byte of the digest after each of the first 1,024 bytes of the text.
    package mutating func update(_ bytes: UnsafeRawBufferPointer, beginning: inout [UInt8]) {
        var index = 0
        while count < JSONCheckpoint.headSize, index < bytes.count {
            unsafe take(bytes[index], &index)
            beginning.append(UInt8(truncatingIfNeeded: value))
        }
        unsafe update(UnsafeRawBufferPointer(rebasing: bytes[index...]))
    }

    private mutating func take(_ byte: UInt8, _ index: inout Int) {
        pending |= UInt64(byte) << UInt64(8 * (count & 7))
        count += 1
        index += 1
        guard count & 7 == 0 else { return }
        state.take(pending)
        pending = 0
    }

    /// The digest of the text so far.
    package var value: UInt64 {
        var words = state
        words.take(pending | UInt64(truncatingIfNeeded: count) << 56)
        return words.finished
    }

    /// The words of the state.
    // No vector: what has one inside must lie at multiples of 32 bytes on the heap, and the gaps before such blocks stay free for long.
    private struct Words: Hashable {
        var v0, v1, v2, v3: UInt64

        @inline(__always)
        mutating func take(_ word: UInt64) {
            v3 ^= word
            round()
            v0 ^= word
        }

        var finished: UInt64 {
            var words = self
            words.v2 ^= 0xFF
            for _ in 0..<3 { words.round() }
            return words.v0 ^ words.v1 ^ words.v2 ^ words.v3
        }

        @inline(__always)
        private mutating func round() {
            v0 &+= v1
            v1 = v1 << 13 | v1 >> 51
            v1 ^= v0
            v0 = v0 << 32 | v0 >> 32
            v2 &+= v3
            v3 = v3 << 16 | v3 >> 48
            v3 ^= v2
            v0 &+= v3
            v3 = v3 << 21 | v3 >> 43
            v3 ^= v0
            v2 &+= v1
            v1 = v1 << 17 | v1 >> 47
            v1 ^= v2
            v2 = v2 << 32 | v2 >> 32
        }
    }
}

// MARK: As text

extension ContentDigest {
    /// The state as hexadecimal words, to go on from later.
    package var text: String {
        ([state.v0, state.v1, state.v2, state.v3, pending, UInt64(truncatingIfNeeded: count)]).map { String($0, radix: 16) }
            .joined(separator: ".")
    }

    /// - Returns: nil if the text is not that of a digest.
    package init?(text: String) {
        let words = text.split(separator: ".").compactMap { UInt64($0, radix: 16) }
        guard words.count == 6, let count = Int(exactly: words[5]) else { return nil }
        state = Words(v0: words[0], v1: words[1], v2: words[2], v3: words[3])
        (pending, self.count) = (words[4], count)
    }
}

extension ContentDigest.Key {
    package var text: String { "\(String(words[0], radix: 16)).\(String(words[1], radix: 16))" }

    package init?(text: String) {
        let words = text.split(separator: ".").compactMap { UInt64($0, radix: 16) }
        guard words.count == 2 else { return nil }
        self.init(words[0], words[1])
    }
}
