// Strings of 16 to 63 bytes are made by one call into C: they must be those that the standard library makes.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct HeapStringTests {
    @Test func theFormIsKnownHere() {
        // Where it is not, strings are made by the standard library; this says that the short way is tested at all.
        #expect(HeapString.metadata != nil)
    }

    /// Text of so many bytes, with or without characters beyond ASCII.
    private static func texts(ofBytes count: Int) -> [String] {
        let plain = String((0..<count).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
        guard count >= 4 else { return [plain] }
        return [plain, plain.dropLast(2) + "é", "é" + plain.dropLast(2), plain.dropLast(4) + "😀"].map { String($0) }
    }

    @Test(arguments: 12...70) func stringsOfEveryLengthAreTheStandardLibrarys(count: Int) throws {
        for text in Self.texts(ofBytes: count) {
            // Text behind the string, or none: no byte behind it may be read.
            for padding in ["", String(repeating: " ", count: 40)] {
                let (outcome, disagreements) = readEveryWay([String].self, "[\"\(text)\", \"\(text)x\"]\(padding)")
                #expect(outcome == .value([text, text + "x"]))
                #expect(disagreements.isEmpty)
            }
            let string = try #require(try [String](json: "[\"\(text)\"]").first)
            #expect(Array(string.utf8) == Array(text.utf8))
            #expect(string.hashValue == text.hashValue)
            #expect(string.count == text.count && string.utf16.count == text.utf16.count)
            #expect(try [string].jsonString() == "[\"\(text)\"]")
        }
    }

    @Test(arguments: 16...63) func theyGrowInTheirMemoryAndBeyond(count: Int) throws {
        for text in Self.texts(ofBytes: count) {
            for tail in 1...40 {
                var string = try #require(try [String](json: "[\"\(text)\"]").first)
                let copy = string
                var expected = text
                for _ in 0..<tail {
                    string.append("z")
                    expected.append("z")
                }
                #expect(string == expected)
                #expect(copy == text)
                var alone = try #require(try [String](json: "[\"\(text)\"]").first)
                alone.append(contentsOf: expected.utf8.suffix(tail).map { Character(Unicode.Scalar($0)) })
                alone.removeLast()
                #expect(alone.utf8.count == text.utf8.count + tail - 1)
            }
        }
    }

    @Test(arguments: 15...64) func decodedStringsAndThoseOfOptionalsAreTheSame(count: Int) throws {
        let text = String(repeating: "b", count: count - 1)
        let (outcome, disagreements) = readEveryWay([String?].self, #"["\n\#(text)", null, "\#(text)\u00e9"]"#)
        #expect(outcome == .value(["\n" + text, nil, text + "é"]))
        #expect(disagreements.isEmpty)
    }

    @Test func bytesThatAreNotUnicodeAreRefused() {
        for count in [16, 40, 63] {
            let bytes = Array("[\"".utf8) + [UInt8](repeating: 0x61, count: count - 1) + [0xFF] + Array("\"]".utf8)
            #expect(throws: JSONError.self) { try [String](json: bytes) }
        }
    }
}
