// The check of UTF-8 by each implementation, against the standard library's.

import CScan
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct UnicodeValidationTests {
    private func expectAgreement(_ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        let expected = String(validating: bytes, as: UTF8.self) != nil
        for level in 0...2 {
            let isValid = unsafe cscan_is_utf8_at_level(Int32(level), bytes, bytes.count)
            #expect(isValid == expected, "level \(level): \(bytes)", sourceLocation: location)
        }
    }

    /// All that decides: each lead with each second byte, and tails that are one or are not.
    @Test func everyLeadAndSecondByteAtEveryOffset() {
        let tails: [[UInt8]] = [[], [0x80], [0xBF], [0x7F], [0x80, 0x80], [0xBF, 0xC0], [0x80, 0x80, 0x80]]
        for lead in UInt8(0x7F)...0xFF {
            for second in [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF] as [UInt8] {
                for tail in tails { expectAgreement([lead, second] + tail) }
            }
        }
    }

    @Test func charactersAcrossTheEdgesOfBlocks() {
        let characters: [[UInt8]] = [
            Array("é".utf8), Array("日".utf8), Array("😀".utf8), [0xC3], [0xE6, 0x97], [0xF0, 0x9F, 0x98], [0xED, 0xA0, 0x80],
            [0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF],
        ]
        for character in characters {
            for before in 0...70 {
                for after in [0, 1, 2, 3, 31, 32, 33] {
                    expectAgreement(Array(repeating: 0x61, count: before) + character + Array(repeating: 0x62, count: after))
                }
            }
        }
    }

    @Test func randomTextWithAByteChanged() {
        var random = SplitMix64(seed: 8)
        let alphabet = Array("aé日😀\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}z")
        for _ in 0..<3000 {
            var bytes = Array(String((0..<40).map { _ in alphabet.randomElement(using: &random)! }).utf8)
            expectAgreement(bytes)
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            expectAgreement(bytes)
            expectAgreement(Array(bytes.dropLast(Int.random(in: 1...4, using: &random))))
        }
    }

    @Test func theFirstBackslashIsFoundAtEachOffsetOfEachLength() {
        let backslash = UInt8(ascii: "\\")
        // The neighbours of a backslash, and bytes that differ from it in the top bit.
        let others: [UInt8] = [backslash - 1, backslash + 1, backslash | 0x80, 0, 0xFF]
        for count in 0...50 {
            for start in [0, 1, 7] where start <= count {
                for offset in start...count {
                    var text = (0..<count).map { others[($0 &* 7 &+ offset) % others.count] }
                    if offset < count { text[offset] = backslash }
                    // Neither one in front of the start nor one after the first is found.
                    if start > 0 { text[start - 1] = backslash }
                    if offset + 2 < count { text[offset + 2] = backslash }
                    let found = unsafe text.withUnsafeBytes { unsafe UnicodeValidation.firstBackslash(in: $0, from: start) }
                    #expect(found == offset)
                }
            }
        }
    }
}
