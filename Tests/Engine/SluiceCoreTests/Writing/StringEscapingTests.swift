import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Strings are copied in blocks and words; each length and each offset of an escape is tried.
@Suite struct StringEscapingTests {
    @Test func theFormOfShortStringsIsKnown() {
        #expect(StringWords.isKnown)
    }

    @Test func everyLengthIsWrittenAsItIs() throws {
        for count in 0...70 {
            for text in [String(repeating: "a", count: count), String(repeating: "é", count: count)] {
                try expect(text, "\"\(text)\"")
            }
        }
    }

    @Test func everyOffsetOfAnEscapeIsFound() throws {
        let escapes: [(Character, String)] = [
            ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1}", "\\u0001"), ("\0", "\\u0000"),
        ]
        for count in 1...50 {
            for offset in 0..<count {
                let before = String(repeating: "x", count: offset)
                let after = String(repeating: "ÿ", count: count - offset - 1)
                let (character, escape) = escapes[(count + offset) % escapes.count]
                try expect(before + String(character) + after, "\"\(before)\(escape)\(after)\"")
                // The same twice, and the neighbours of what is escaped: 0x1F is escaped, a blank and 0x7F are not.
                let twice = before + String(character) + " \u{7F}" + String(character) + after
                try expect(twice, "\"\(before)\(escape) \u{7F}\(escape)\(after)\"")
            }
        }
    }

    @Test func everyByteIsEscapedOrNot() throws {
        for code in UInt8(0)..<128 {
            let character = Character(UnicodeScalar(code))
            let escape: String =
                switch character {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\u{8}": "\\b"
                case "\t": "\\t"
                case "\n": "\\n"
                case "\u{C}": "\\f"
                case "\r": "\\r"
                case _ where code < 0x20: "\\u00" + (code < 16 ? "0" : "") + String(code, radix: 16)
                default: String(character)
                }
            for count in [0, 3, 7, 14, 15, 16, 31, 40] {
                let rest = String(repeating: "-", count: count)
                try expect(String(character) + rest, "\"\(escape)\(rest)\"")
                try expect(rest + String(character), "\"\(rest)\(escape)\"")
            }
        }
    }

    @Test func membersOfEveryKindStandAfterKeysOfEveryLength() throws {
        for count in [1, 10, 12, 13, 14, 28, 29, 30, 45] {
            let key = String(repeating: "k", count: count)
            var writer = JSONWriter()
            let encoded = Array("\"\(key)\":".utf8) + [UInt8](repeating: 0, count: 32)
            try unsafe encoded.withUnsafeBufferPointer { bytes in
                guard let address = bytes.baseAddress else { return }
                unsafe writer.setKey(address, count: count + 3)
                for value in [true, false] { try writer.property(value) }
                for value in [0, -1, 99_999_999, 100_000_000, 9_999_999_999_999_999, .max, .min] { try writer.property(value) }
                for value in [0.5, -1e300] { try writer.property(value) }
                for value in ["", "short", String(repeating: "é", count: 40)] { try writer.property(value) }
            }
            let values = [
                "true", "false", "0", "-1", "99999999", "100000000", "9999999999999999", "9223372036854775807",
                "-9223372036854775808", "0.5", "-1e+300", "\"\"", "\"short\"", "\"\(String(repeating: "é", count: 40))\"",
            ]
            let text = unsafe writer.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
            #expect(text == values.map { "\"\(key)\":\($0)," }.joined())
        }
    }

    private func expect(_ text: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try text.jsonString() == expected, sourceLocation: sourceLocation)
        var writer = JSONWriter()
        try writer.property(text)
        let member = unsafe writer.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
        #expect(member == expected + ",", sourceLocation: sourceLocation)
    }
}
