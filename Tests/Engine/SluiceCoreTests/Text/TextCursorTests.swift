// The functions of a cursor against plain ones that look at one byte after the other: for each byte, at each offset of a block of 16 bytes,
// and in text that ends at each offset.

import Testing

@testable import SluiceCore

@Suite struct TextCursorTests {
    /// Runs a function on a text that ends after `count` bytes, with other bytes after it.
    private func with<Result>(_ bytes: [UInt8], _ count: Int, _ body: (TextCursor, UnsafePointer<UInt8>) -> Result) -> Result {
        // The bytes after the end would be taken for the end of a string, of a value or of white space.
        unsafe (Array(bytes[..<count]) + Array("\"}],x".utf8)).withUnsafeBufferPointer { bytes in
            let start = unsafe bytes.baseAddress.unsafelyUnwrapped
            return unsafe body(TextCursor(end: start + count), start)
        }
    }

    private func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    // MARK: White space

    @Test func whiteSpaceEndsAtEachOtherByte() {
        var wrong: [String] = []
        for byte in UInt8.min...UInt8.max {
            for blanks in 0..<36 {
                let bytes =
                    (0..<blanks).map { [0x20, 0x0A, 0x20, 0x09, 0x20, 0x0D][(Int(byte) + $0) % 6] as UInt8 } + [byte, 0x31]
                for count in [blanks, blanks + 1, blanks + 2] {
                    let next = bytes[..<count].firstIndex { !isBlank($0) }
                    let token = next.flatMap { bytes[$0] > 0x20 ? $0 : nil }
                    let isRight = unsafe with(bytes, count) { text, start in
                        unsafe text.skipAllBlanks(start).map { unsafe $0 - start } == next
                            && text.skipSomeBlanks(start).map { unsafe $0 - start } == token
                            && text.skipBlanks(start).map { unsafe $0 - start } == token
                            && text.skipBlank(start).map { unsafe $0 - start } == token
                            && text.isBlank(from: start) == (next == nil)
                    }
                    if !isRight { wrong.append("\(byte) after \(blanks), cut at \(count)") }
                }
            }
        }
        #expect(wrong == [])
    }

    @Test func oneSpaceIsSkippedWhateverFollows() {
        for byte in UInt8.min...UInt8.max {
            let next: Int? = isBlank(byte) ? 2 : byte > 0x20 ? 1 : nil
            unsafe with([0x20, byte, 0x31], 3) { text, start in
                #expect(unsafe text.skipBlank(start).map { unsafe $0 - start } == next)
            }
        }
    }

    // MARK: Literals

    @Test func aLiteralIsWholeOrNoLiteral() {
        for (literal, name) in [("true", "true" as StaticString), ("false", "false"), ("null", "null")] {
            let bytes = Array(literal.utf8)
            for count in 0...bytes.count {
                unsafe with(bytes, count) { text, start in
                    #expect(unsafe text.skip(name, at: start).map { unsafe $0 - start } == (count == bytes.count ? count : nil))
                }
            }
            for offset in bytes.indices {
                var damaged = bytes
                damaged[offset] ^= 0x20
                unsafe with(damaged, damaged.count) { text, start in #expect(unsafe text.skip(name, at: start) == nil) }
            }
        }
    }

    // MARK: Strings

    private struct Found: Equatable {
        var count: Int
        var isPlain = true
        var isASCII = true
    }

    /// The string at the beginning of a text, byte by byte.
    private func plain(_ bytes: ArraySlice<UInt8>, _ rule: StringRule) -> Found? {
        var found = Found(count: 0)
        var index = 1
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x22:
                found.count = index - 1
                return found
            case 0x5C:
                found.isPlain = false
                guard index + 1 < bytes.count else { return nil }
                if rule == .measured, bytes[index + 1] == 0x75 {
                    guard index + 6 <= bytes.count, !bytes[index + 2..<index + 6].contains(0x22) else { return nil }
                    index += 6
                } else {
                    index += 2
                }
            default:
                if byte < 0x20 { found.isPlain = false }
                if byte >= 0x80 { found.isASCII = false }
                index += 1
            }
        }
        return nil
    }

    private func string(_ bytes: [UInt8], _ count: Int, _ rule: StringRule) -> Found? {
        unsafe with(bytes, count) { text, start in
            unsafe text.string(at: start, rule).map {
                Found(
                    count: $0.count, isPlain: $0.isPlain, isASCII: $0.flags & TextString.isNotASCII == 0)
            }
        }
    }

    @Test(arguments: [[], [0x5C], [0x5C, 0x75, 0x30, 0x30], [0x5C, 0x75, 0x30, 0x30, 0x34, 0x31]] as [[UInt8]])
    func aStringEndsAtTheSameQuoteWhateverStandsBefore(_ prefix: [UInt8]) {
        var wrong: [String] = []
        for length in 0..<34 {
            // Each byte at the end of a block of 16, and one of each class everywhere.
            let classes: [UInt8] = [0, 0x1F, 0x20, 0x22, 0x5C, 0x61, 0x75, 0x7F, 0x80, 0xC3, 0xFF]
            for byte in length == 15 ? Array(UInt8.min...UInt8.max) : classes {
                let bytes =
                    [0x22] + [UInt8](repeating: 0x61, count: length) + prefix + [byte] + Array("bcdefghijklmnopqrs\"".utf8)
                for count in 1...bytes.count {
                    for rule in [StringRule.loose, .measured] where string(bytes, count, rule) != plain(bytes[..<count], rule) {
                        wrong.append("\(byte) after \(length), cut at \(count), \(rule)")
                    }
                }
            }
        }
        #expect(wrong == [])
    }

    @Test func stringsOfEachLengthAreFoundAndCutOnesAreNot() {
        for length in 0..<70 {
            let bytes = [0x22] + [UInt8](repeating: 0x61, count: length) + [0x22]
            for rule in [StringRule.loose, .measured, .checked] {
                #expect(string(bytes, bytes.count, rule)?.count == length)
                for count in 1..<bytes.count { #expect(string(bytes, count, rule) == nil) }
            }
        }
    }

    @Test(
        arguments: [
            (#""\u00e9\n\/""#, true), (#""\ud83d\ude00""#, true), (#""\ud83d""#, false), (#""\ude00""#, false),
            (#""\u12""#, false),
            (#""\x""#, false), ("\"\u{1}\"", false), ("\"é\"", true), ("\"\u{7F}\"", true), (#""\u12g4""#, false),
            (#""\""#, false),
        ])
    func checkedStringsAreThoseThatCanBeDecoded(_ string: String, _ isValid: Bool) {
        for length in 0..<34 {
            let bytes = [0x22] + [UInt8](repeating: 0x61, count: length) + Array(string.utf8).dropFirst()
            unsafe with(bytes, bytes.count) { text, start in
                #expect(unsafe (text.string(at: start, .checked) != nil) == isValid)
                let loose = unsafe text.string(at: start)
                #expect((loose?.decoded != nil) == isValid)
            }
        }
    }

    @Test func bytesThatAreNotUnicodeAreNoCheckedString() {
        for tail in [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]] as [[UInt8]] {
            for length in 0..<34 {
                let bytes = [0x22] + [UInt8](repeating: 0x61, count: length) + tail + [0x22]
                #expect(string(bytes, bytes.count, .checked) == nil)
                #expect(string(bytes, bytes.count, .loose)?.isASCII == false)
                unsafe with(bytes, bytes.count) { text, start in #expect(unsafe text.string(at: start)?.decoded == nil) }
            }
        }
    }

    @Test(arguments: [("", ""), ("a", "a"), (#"\u0061"#, "a"), (#"a\"b"#, "a\"b"), ("é", "é"), (#"\u00e9"#, "é")])
    func aKeyIsEqualToItsTextHoweverItIsWritten(_ written: String, _ text: String) {
        unsafe with(Array("\"\(written)\"".utf8), written.utf8.count + 2) { cursor, start in
            let string = unsafe cursor.string(at: start)
            #expect(string?.decoded == text)
            #expect(string?.isEqual(to: text) == true)
            #expect(string?.isEqual(to: text + "b") == false)
            #expect(string?.isEqual(to: written == text ? "b" : written) == false)
        }
    }

    // MARK: Values

    @Test func eachByteBeginsOneKindOfValueOrNone() {
        let kinds: [(ValueKind, String)] = [
            (.object, "{"), (.array, "["), (.string, "\""), (.number, "-0123456789"), (.bool, "tf"), (.null, "n"),
        ]
        for byte in UInt8.min...UInt8.max {
            #expect(ValueKind(firstByte: byte) == kinds.first { $0.1.utf8.contains(byte) }?.0)
        }
    }

    @Test func onlyAStringIsAString() {
        for (value, text) in [(#""a\u0062""#, "ab"), ("1", nil), ("", nil), ("\"a", nil), ("[\"a\"]", nil)] as [(String, String?)]
        {
            let string = unsafe Array(value.utf8).withUnsafeBytes { unsafe TextString(of: $0)?.decoded }
            #expect(string == text)
        }
    }

    @Test(
        arguments: [
            "1", "-2.5e+3", "true", "null", #""a""#, #""\"]""#, "[]", "[1,[2]]", #"{"a":{"b":"}"}}"#, #"["\\","]"]"#, "[\"",
            "{\"a\\\"", "1,", "1}", "1]", "1\"", "1{", "1[", "1 ", "1\n", "\u{1}", "x\u{1},",
        ])
    func aValueEndsWhereTheScannerOfCutTextFindsItsEnd(_ value: String) {
        let bytes = Array(value.utf8)
        for count in 1...bytes.count {
            var scanner = ContainerScanner()
            let end = unsafe bytes[..<count].withUnsafeBytes { unsafe scanner.end(in: $0) }
            unsafe with(bytes, count) { text, start in
                // More text may belong to a number; here there is no more.
                #expect(unsafe text.valueEnd(start).map { unsafe $0 - start } == end ?? (scanner.isInScalar ? count : nil))
            }
        }
    }

    @Test func aColonEndsAValueThatIsNoKey() {
        unsafe with(Array("1:2".utf8), 3) { text, start in #expect(unsafe text.valueEnd(start).map { unsafe $0 - start } == 1) }
    }

    @Test(arguments: [",", ":", "}", "]", " ", "\n"]) func noValueBeginsWithASeparator(_ byte: String) {
        unsafe with(Array(byte.utf8) + [0x31], 2) { text, start in #expect(unsafe text.valueEnd(start) == nil) }
    }

    @Test func openContainersAreClosedByTheirBrackets() {
        let bytes = Array(#""]":[{}]}]} x"#.utf8)
        for (depth, end) in [(1, 9), (2, 10), (3, 11), (4, nil)] as [(Int, Int?)] {
            unsafe with(bytes, bytes.count) { text, start in
                #expect(unsafe text.end(of: depth, from: start).map { unsafe $0 - start } == end)
            }
        }
    }

    @Test(arguments: [#"{"a":1}"#, #"{ "a" : [1] , "b\"":2 }"#, "{}", "{ }"]) func anObjectThatIsCutHasNoEnd(_ object: String) {
        let bytes = Array(object.utf8)
        for count in 1...bytes.count {
            unsafe with(bytes, count) { text, start in
                var members = unsafe MemberCursor(text, at: start)
                while members.next() != nil {}
                #expect(unsafe members.end.map { unsafe $0 - start } == (count == bytes.count ? count : nil))
            }
        }
    }

    @Test(arguments: ["[1]", #"[ "a" , {"b":[]},[ ] ]"#, "[]", "[ ]"]) func anArrayThatIsCutHasNoEnd(_ array: String) {
        let bytes = Array(array.utf8)
        for count in 1...bytes.count {
            unsafe with(bytes, count) { text, start in
                var elements = unsafe ElementCursor(text, at: start)
                while unsafe elements.next() != nil {}
                #expect(unsafe elements.end.map { unsafe $0 - start } == (count == bytes.count ? count : nil))
            }
        }
    }
}
