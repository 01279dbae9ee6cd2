import SluiceCore
import Testing

@Suite struct TailDigestTests {
    private func digest(_ bytes: [UInt8]) -> TailDigest { unsafe bytes.withUnsafeBytes { unsafe TailDigest(of: $0) } }

    private func matches(_ digest: TailDigest, _ bytes: [UInt8]) -> Bool? {
        unsafe bytes.withUnsafeBytes { unsafe digest.matches($0) }
    }

    @Test func onlyTheLastBytesCount() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for count in [0, 1, 7, 8, 31, 32, 33, 255, 256, 257, 1000] {
            let digest = digest(Array(bytes.suffix(count)))
            #expect(digest.size == min(count, 256))
            #expect(matches(digest, bytes) == true)
            #expect(matches(digest, Array(bytes.suffix(digest.size))) == true)
            if count > 0 { #expect(matches(digest, Array(bytes.suffix(digest.size - 1))) == nil) }
        }
    }

    @Test func anyOtherByteIsAnotherDigest() {
        for count in [1, 9, 40, 256] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let known = digest(bytes)
            for index in bytes.indices {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] ^= 1 << bit
                    #expect(matches(known, changed) == false)
                }
                for other in bytes.indices where other != index {
                    var changed = bytes
                    changed.swapAt(index, other)
                    #expect(matches(known, changed) == false)
                }
            }
        }
    }

    /// Stored checkpoints hold these numbers.
    @Test func hashesStayTheSame() {
        #expect(digest(Array("{\"a\":1}\n".utf8)).hash == 0xC96A_88AB_C4FC_E98D)
        #expect(digest((0..<256).map { UInt8($0) }).hash == 0x2DB2_D053_AC6F_1FDE)
    }
}
