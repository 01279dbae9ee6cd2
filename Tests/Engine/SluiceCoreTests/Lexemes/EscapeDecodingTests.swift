import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct EscapeDecodingTests {
    /// Escapes, and what they stand for.
    private static let escapes: [(text: String, meaning: String)] = [
        (#"\/"#, "/"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), (#"\u0041"#, "A"),
        (#"\u007f"#, "\u{7F}"),
        (#"\u0080"#, "\u{80}"), (#"\u00E9"#, "\u{E9}"), (#"\u07fF"#, "\u{7FF}"), (#"\u0800"#, "\u{800}"),
        (#"\uFFFF"#, "\u{FFFF}"),
        (#"\uD83D\uDE00"#, "\u{1F600}"), (#"\u4e2D\u6587"#, "\u{4E2D}\u{6587}"),
        (#"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"#, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"),
    ]

    @Test func anEscapeIsDecodedAtEveryOffsetOfABlock() {
        for (escape, meaning) in Self.escapes {
            for before in 0..<34 {
                for after in [0, 1, 2, 9, 15, 16, 17] {
                    for letter in ["x", "\u{E9}"] {
                        let head = String(repeating: letter, count: before)
                        let tail = String(repeating: "y", count: after)
                        let expected = head + meaning + tail
                        // What follows the string decides whether it is read in blocks up to its end.
                        for after in ["", ",1]", String(repeating: " ", count: 40)] {
                            let result = Self.decode(head + escape + tail + "\"" + after)
                            #expect(result?.text == expected, "\(before) \(escape) \(after)")
                            #expect(result?.isASCII == expected.utf8.allSatisfy { $0 < 0x80 }, "\(before) \(escape) \(after)")
                            #expect(result?.rest == after.utf8.count)
                        }
                    }
                }
            }
        }
    }

    @Test func aLetterAfterTheStringDoesNotCount() {
        #expect(Self.decode("a\\/b\",\"\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}\u{E9}")?.isASCII == true)
        #expect(Self.decode("\u{E9}\\/b\",\"                   ")?.isASCII == false)
        #expect(Self.decode("a\\/\u{E9}\",\"                  ")?.isASCII == false)
    }

    @Test func damageIsFoundAtEveryOffsetOfABlock() {
        let damaged = [
            #"\x"#, #"\u"#, #"\u12"#, #"\u12G4"#, #"\uD83D"#, #"\uDE00"#, #"\uD83Dx"#, #"\uD83D\n"#, #"\uD83D\u0041"#,
            #"\uD83D\uD83D"#, "\n", "\u{1}",
            #"\/"# + "\u{1F}",
        ]
        for text in damaged {
            for before in 0..<34 {
                let head = String(repeating: "x", count: before)
                for tail in ["\"", "\"" + String(repeating: " ", count: 40), String(repeating: "y", count: 40) + "\"", ""] {
                    #expect(Self.decode(head + text + tail) == nil, "\(before) \(text) \(tail)")
                }
                #expect(Self.decode(head) == nil)
                #expect(Self.decode(head + "\\") == nil)
                #expect(Self.decode(head + "\\n") == nil)
            }
        }
    }

    @Test func textThatIsLongerThanTheBufferIsKept() {
        let text = String(repeating: #"0123456789\/abcdefghi\u00e9\n"#, count: 1000)
        let expected = String(repeating: "0123456789/abcdefghi\u{E9}\n", count: 1000)
        #expect(Self.decode(text + "\"")?.text == expected)
        #expect(
            Self.decode(String(repeating: #"\u4e2d"#, count: 5000) + "\"")?.text == String(repeating: "\u{4E2D}", count: 5000))
    }

    /// A run of escapes is decoded in one go, whatever the lengths of its characters are, and wherever the buffer ends in it.
    @Test func escapesInARowAreDecodedAsOneByOne() {
        let kinds = [
            (#"\u0041"#, "A"), (#"\u00e9"#, "\u{E9}"), (#"\u4e2d"#, "\u{4E2D}"), (#"\ud83d\ude00"#, "\u{1F600}"), (#"\n"#, "\n"),
        ]
        for first in kinds {
            for second in kinds {
                for third in kinds {
                    for count in [1, 2, 50, 400] {
                        let run = [first, second, third].map { (String(repeating: $0.0, count: count), $0.1) }
                        let text = run.map(\.0).joined()
                        let expected = run.map { String(repeating: $0.1, count: count) }.joined()
                        let result = Self.decode(text + "\",")
                        #expect(result?.text == expected)
                        #expect(result?.isASCII == expected.utf8.allSatisfy { $0 < 0x80 })
                        #expect(result?.rest == 1)
                        #expect(Self.decode(text + #"\ud83d""#) == nil)
                    }
                }
            }
        }
        for before in 1000..<1030 {
            let head = String(repeating: "x", count: before)
            #expect(Self.decode(head + kinds.map(\.0).joined() + "\"")?.text == head + kinds.map(\.1).joined())
        }
    }

    @Test func fourDigitsAreReadAsTheyAreOneByOne() {
        var found = 0
        for others in ["0000", "9999", "aAfF", "FfAa"].map({ Array($0.utf8) }) {
            for index in 0..<4 {
                for byte in UInt8.min...UInt8.max {
                    var digits = others
                    digits[index] = byte
                    let text = Array(#"\u"#.utf8) + digits
                    let unit = Self.unit(text)
                    let expected = unsafe text.withUnsafeBytes { unsafe UnicodeValidation.escapedUnit($0, at: 0) }
                    #expect(unit == expected, "\(digits)")
                    if unit != nil { found += 1 }
                }
            }
        }
        #expect(found == 16 * 22)
        for unit in UInt16.min...UInt16.max {
            let digits = String(repeating: "0", count: unit.leadingZeroBitCount / 4) + (unit == 0 ? "" : String(unit, radix: 16))
            #expect(Self.unit(Array((#"\u"# + digits).utf8)) == unit)
            #expect(Self.unit(Array((#"\u"# + digits.uppercased()).utf8)) == unit)
        }
        #expect(Self.unit(Array(#"\u123"#.utf8)) == nil)
        #expect(Self.unit(Array(#"/u1234"#.utf8)) == nil)
        #expect(Self.unit(Array(#"\U1234"#.utf8)) == nil)
    }

    /// A short string with escapes is made without a call: it equals the one that the standard library makes.
    @Test(arguments: 0...20) func shortDecodedStringsAreTheStandardLibrarys(count: Int) throws {
        let letters = String(repeating: "z", count: count)
        for padding in ["", String(repeating: " ", count: 64)] {
            let list = readEveryWay([String].self, "[\"\(letters)\\/\",\"\\n\(letters)\"]" + padding)
            #expect(list.outcome == .value([letters + "/", "\n" + letters]))
            #expect(list.disagreements.isEmpty)
            let tree = readEveryWay(JSONValue.self, "{\"\\t\(letters)\":\"\(letters)\\u0041\"}" + padding)
            #expect(tree.outcome == .value(.object(["\t" + letters: .string(letters + "A")])))
            #expect(tree.disagreements.isEmpty)
            let dictionary = readEveryWay([String: String].self, "{\"\\t\(letters)\":\"\(letters)\\u0041\"}" + padding)
            #expect(dictionary.outcome == .value(["\t" + letters: letters + "A"]))
            #expect(dictionary.disagreements.isEmpty)
        }
    }

    private static func unit(_ text: [UInt8]) -> UInt16? {
        unsafe text.withUnsafeBufferPointer { text in
            // Safe: the text is not empty.
            let start = unsafe text.baseAddress.unsafelyUnwrapped
            return unsafe ScratchBytes.escapedUnit(start, start + text.count)
        }
    }

    /// The string that a text begins with, after its opening quote, and how many bytes follow it.
    private static func decode(_ text: String) -> (text: String, isASCII: Bool, rest: Int)? {
        var scratch = ScratchBytes()
        defer { scratch.deallocate() }
        // An array of its own, so that a tool for memory errors sees each byte that is read after it.
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            // Safe: an empty array has an address too, and nothing is read there.
            let start = unsafe bytes.baseAddress ?? NoBytes.address
            guard let end = unsafe scratch.decodeString(from: start, end: start + bytes.count) else { return nil }
            let decoded = unsafe UnsafeBufferPointer(start: scratch.start, count: scratch.count)
            return unsafe (String(decoding: decoded, as: UTF8.self), scratch.isASCII, start + bytes.count - end)
        }
    }
}
