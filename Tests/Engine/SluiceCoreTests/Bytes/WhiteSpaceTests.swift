import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct WhiteSpaceTests {
    @Test func controlBlanksAreFoundAtEveryOffset() {
        for length in 1...100 {
            for offset in 0..<length {
                for blank in [UInt8(0x0B), 0x0C] {
                    var bytes = (0..<length).map { UInt8(truncatingIfNeeded: 0x0D + $0 % 200) }
                    #expect(blanks(bytes) == nil)
                    bytes[offset] = blank
                    #expect(blanks(bytes) == offset)
                    bytes[length - 1] = 0x0B
                    #expect(blanks(bytes) == offset)
                }
            }
        }
        #expect(blanks([]) == nil)
        #expect(blanks((0...255).filter { $0 != 0x0B && $0 != 0x0C }) == nil)
    }

    @Test func whiteSpaceIsTheFourCharactersOfJSON() {
        for byte in UInt8.min...UInt8.max {
            let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            #expect(nonBlank([byte], 0) == (isBlank ? nil : 0))
            #expect(nonBlank([0x20, 0x0A, byte, 0x41], 0) == (isBlank ? 3 : 2))
        }
        #expect(nonBlank([0x41, 0x20], 1) == nil)
        #expect(nonBlank([0x41], 5) == nil)
    }

    @Test func encodingsAreToldByTheirFirstBytes() {
        #expect(encoding([0x7B, 0, 0x22, 0]) == "UTF-16 (little-endian)")
        #expect(encoding([0, 0x7B, 0, 0x22]) == "UTF-16 (big-endian)")
        #expect(encoding([0x7B, 0, 0, 0]) == "UTF-32 (little-endian)")
        #expect(encoding([0, 0, 0, 0x7B]) == "UTF-32 (big-endian)")
        #expect(encoding([0xFF, 0xFE]) == "UTF-16 (little-endian)")
        #expect(encoding([0xFE, 0xFF, 0, 0x7B]) == "UTF-16 (big-endian)")
        for bytes in [[], [0], [0x7B, 0, 0x22], Array("{\"a\"".utf8), [0, 0, 0, 0], [0xEF, 0xBB, 0xBF, 0x7B]] as [[UInt8]] {
            #expect(encoding(bytes) == nil)
        }
    }

    private func blanks(_ bytes: [UInt8]) -> Int? { unsafe bytes.withUnsafeBytes { unsafe InvalidWhiteSpace.first(in: $0) } }
    private func nonBlank(_ bytes: [UInt8], _ start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { unsafe firstNonBlank(in: $0, from: start) }
    }
    private func encoding(_ bytes: [UInt8]) -> String? { unsafe bytes.withUnsafeBytes { unsafe foreignEncoding(of: $0) } }
}
