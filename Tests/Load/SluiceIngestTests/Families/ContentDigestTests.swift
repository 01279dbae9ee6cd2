import SluiceTestSupport
import Testing

@testable import SluiceIngest

/// SipHash-c-d of a whole text, written from section 2 of "SipHash: a fast short-input PRF" by Aumasson and Bernstein.
struct PaperSipHash {
    let compressionRounds: Int
    let finalizationRounds: Int
    let key: (UInt64, UInt64)

    /// The key of the test vectors: the bytes from 0 to 15.
    static let vectorKey: (UInt64, UInt64) = (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)

    func callAsFunction(_ text: some Collection<UInt8>) -> UInt64 {
        var state = [
            key.0 ^ 0x736F_6D65_7073_6575, key.1 ^ 0x646F_7261_6E64_6F6D, key.0 ^ 0x6C79_6765_6E65_7261,
            key.1 ^ 0x7465_6462_7974_6573,
        ]
        func rotate(_ index: Int, by bits: UInt64) { state[index] = state[index] << bits | state[index] >> (64 - bits) }
        func round() {
            state[0] &+= state[1]
            state[2] &+= state[3]
            rotate(1, by: 13)
            rotate(3, by: 16)
            state[1] ^= state[0]
            state[3] ^= state[2]
            rotate(0, by: 32)
            state[2] &+= state[1]
            state[0] &+= state[3]
            rotate(1, by: 17)
            rotate(3, by: 21)
            state[1] ^= state[2]
            state[3] ^= state[0]
            rotate(2, by: 32)
        }
        // Zeros fill the last word, whose last byte is the length modulo 256.
        let zeros = [UInt8](repeating: 0, count: 7 - text.count % 8)
        let padded = Array(text) + zeros + [UInt8(truncatingIfNeeded: text.count)]
        for start in stride(from: 0, to: padded.count, by: 8) {
            let word = padded[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            state[3] ^= word
            for _ in 0..<compressionRounds { round() }
            state[0] ^= word
        }
        state[2] ^= 0xFF
        for _ in 0..<finalizationRounds { round() }
        return state[0] ^ state[1] ^ state[2] ^ state[3]
    }
}

/// The digest of a text with a key.
func sipHash13(_ text: some Collection<UInt8>, _ key: ContentDigest.Key) -> UInt64 {
    PaperSipHash(compressionRounds: 1, finalizationRounds: 3, key: (key.words[0], key.words[1]))(text)
}

/// Goes on with the next bytes of a text.
func update(_ digest: inout ContentDigest, _ bytes: some Collection<UInt8>) {
    unsafe Array(bytes).withUnsafeBytes { unsafe digest.update($0) }
}

@Suite struct ContentDigestTests {
    private static let key = ContentDigest.Key(PaperSipHash.vectorKey.0, PaperSipHash.vectorKey.1)

    /// The vectors of the paper (appendix A) and of its reference implementation hold for the implementation of these tests.
    @Test func theImplementationOfTheTestsHasTheValuesOfThePaper() {
        let hash = PaperSipHash(compressionRounds: 2, finalizationRounds: 4, key: PaperSipHash.vectorKey)
        #expect(hash([UInt8]()) == 0x726F_DB47_DD0E_0E31)
        #expect(hash((0..<15) as Range<UInt8>) == 0xA129_CA61_49BE_45E5)
    }

    @Test func theDigestIsSipHash13() {
        // These are the values of other implementations of SipHash-1-3.
        let values: [(UInt8, UInt64)] = [(0, 0xABAC_0158_050F_C4DC), (15, 0xD320_D86D_2A51_9956), (63, 0x9D19_9062_B7BB_B3A8)]
        for (count, value) in values {
            var digest = ContentDigest(Self.key)
            update(&digest, 0..<count)
            #expect(digest.value == value, "\(count) bytes")
        }
        var random = SplitMix64(seed: 50)
        for count in Array(0...80) + [255, 256, 257, 1_000, 65_537] {
            let text = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let key = ContentDigest.Key(random.next(), random.next())
            var digest = ContentDigest(key)
            update(&digest, text)
            #expect(digest.value == sipHash13(text, key), "\(count) bytes")
            #expect(digest.count == count)
        }
    }

    @Test func theDigestDoesNotDependOnHowTheTextIsCut() {
        var random = SplitMix64(seed: 1)
        let text = (0..<100).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let expected = sipHash13(text, Self.key)
        for first in 0...text.count {
            var once = ContentDigest(Self.key)
            update(&once, text[..<first])
            #expect(once.value == sipHash13(text[..<first], Self.key), "\(first) bytes")
            for second in first...text.count {
                var digest = once
                update(&digest, text[first..<second])
                update(&digest, text[second...])
                #expect(digest.value == expected, "cut at \(first) and \(second)")
            }
        }
        for size in 1...17 {
            var digest = ContentDigest(Self.key)
            for start in stride(from: 0, to: text.count, by: size) { update(&digest, text[start...].prefix(size)) }
            #expect(digest.value == expected, "pieces of \(size)")
        }
    }

    @Test func theValueCanBeTakenOnTheWay() {
        let text = Array("{\"id\":1,\"name\":\"n1\"}\n".utf8)
        var digest = ContentDigest(Self.key)
        for (index, byte) in text.enumerated() {
            #expect(digest.value == sipHash13(text[..<index], Self.key))
            update(&digest, [byte])
        }
        #expect(digest.value == sipHash13(text, Self.key))
    }

    @Test func aDigestGoesOnFromItsText() throws {
        let text = Array("{\"id\":1,\"name\":\"ä€😀\"}\n{\"id\":2}\n".utf8)
        let key = ContentDigest.Key(.max, 0)
        for cut in 0...text.count {
            var digest = ContentDigest(key)
            update(&digest, text[..<cut])
            var restored = try #require(ContentDigest(text: digest.text))
            #expect(restored == digest)
            update(&restored, text[cut...])
            #expect(restored.value == sipHash13(text, key), "cut at \(cut)")
        }
    }

    @Test func aKeyIsTheSameAfterItsText() throws {
        for key in [Self.key, ContentDigest.Key(0, 0), ContentDigest.Key(.max, 1)] {
            #expect(ContentDigest.Key(text: key.text) == key)
        }
        let random = (0..<10).map { _ in ContentDigest.Key.random() }
        #expect(Set(random).count == 10)
    }

    @Test(arguments: ["", "1", "1.2.3.4.5", "1.2.3.4.5.6.7", "x.2.3.4.5.6", "1.2.3.4.5.ffffffffffffffff"])
    func whatIsNoDigestIsNotTakenForOne(text: String) { #expect(ContentDigest(text: text) == nil) }

    @Test(arguments: ["", "1", "1.2.3", "x.1"]) func whatIsNoKeyIsNotTakenForOne(text: String) {
        #expect(ContentDigest.Key(text: text) == nil)
    }

    /// Who does not know the key does not know the digest either.
    @Test func anotherKeyGivesAnotherDigest() {
        let text = Array("{\"id\":1}\n".utf8)
        let values = (0..<100).map { sipHash13(text, ContentDigest.Key(UInt64($0), 7)) }
        #expect(Set(values).count == 100)
        var digest = ContentDigest(ContentDigest.Key(3, 7))
        update(&digest, text)
        #expect(digest.value == values[3])
    }
}
