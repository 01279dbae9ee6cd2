// What is written, byte by byte.

import SluiceTestSupport
import Testing

@testable import SluiceCore

private enum First: SlotKeys { static let keys: [[JSONKeyPath]] = [["a.b.c"], ["z"], ["a.d"], ["a.b.e"]] }
private enum Alternatives: SlotKeys { static let keys: [[JSONKeyPath]] = [["id", "ID"], ["ext.id", "x"]] }
private enum Odd: SlotKeys {
    static let keys: [[JSONKeyPath]] = [[.literal("a.b")], [.literal("\"\\\n\u{1}é😀")], [.literal("")]]
}

@Suite struct JSONWriterTests {
    // MARK: Scalars

    @Test func scalarsHaveTheirJSONText() throws {
        #expect(try Int8.min.jsonString() == "-128")
        #expect(try UInt8.max.jsonString() == "255")
        #expect(try Int.min.jsonString() == "-9223372036854775808")
        #expect(try UInt64.max.jsonString() == "18446744073709551615")
        #expect(try Int128.min.jsonString() == "\(Int128.min)")
        #expect(try UInt128.max.jsonString() == "\(UInt128.max)")
        #expect(try [Double](arrayLiteral: 0.1, -0.0, 1e300, 5, 1e-7).jsonString() == "[0.1,-0,1e+300,5,1e-7]")
        #expect(try [Float](arrayLiteral: 0.1, 16_777_216).jsonString() == "[0.1,16777216]")
        #expect(try [true, false].jsonString() == "[true,false]")
        #expect(try [Color.deepBlue].jsonString() == #"["deep blue"]"#)
        #expect(try Level.high.jsonString() == "127")
        #expect(try Percent(12.5).jsonString() == "12.5")
        #expect(try [Int?](arrayLiteral: nil, 1).jsonString(options: .init(nils: .omit)) == "[null,1]")
        #expect(try RawJSON(known: "{ \"a\" : 1 }").jsonString() == "{ \"a\" : 1 }")
        #expect(try JSONValue(json: "[1.50,1e400]").jsonString() == "[1.50,1e400]")
        #expect(try Optional<Int>.none.jsonString() == "null")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNotFiniteHasNoJSONForm(_ value: Double) throws {
        let error = try #require(failure { () throws(JSONError) in try ["list": [Trio(required: [1, value])]].jsonString() })
        #expect(error.kind == .notWritable)
        #expect(error.path == "list[0].required[1]")
        #expect(error.expected == "a finite number")
        #expect(error.found == value.description)
        #expect(failure { () throws(JSONError) in try Float(value).jsonString() }?.kind == .notWritable)
        #expect(failure { () throws(JSONError) in try Percent(value).jsonString() }?.kind == .notWritable)
    }

    // MARK: Strings

    @Test func everyByteBelowABlankIsEscaped() throws {
        let short: [UInt32: String] = [8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: "\\\"", 92: "\\\\"]
        for code in UInt32(0)..<0x100 {
            let character = String(UnicodeScalar(code)!)
            let digits = String(code, radix: 16)
            let expected =
                short[code] ?? (code < 0x20 ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits : character)
            #expect(try character.jsonString() == "\"\(expected)\"")
        }
    }

    @Test func whatNeedsNoEscapeIsWrittenAsItIs() throws {
        for text in ["/", "\u{7F}", "\u{2028}\u{2029}", "é", "😀", "<>&'", ""] { #expect(try text.jsonString() == "\"\(text)\"") }
    }

    @Test func anEscapeIsFoundAtEveryOffsetOfALongString() throws {
        for length in 0...70 {
            let plain = (0..<length).map { String(UnicodeScalar(UInt8(ascii: "A") + UInt8($0 % 26))) }
            #expect(try plain.joined().jsonString() == "\"\(plain.joined())\"")
            for offset in 0..<length {
                for (character, escape) in [("\"", "\\\""), ("\n", "\\n"), ("\u{1F}", "\\u001f"), ("é", "é")] {
                    var text = plain
                    text[offset] = character
                    var expected = plain
                    expected[offset] = escape
                    #expect(try text.joined().jsonString() == "\"\(expected.joined())\"")
                }
            }
            let all = String(repeating: "\u{0}", count: length)
            #expect(try all.jsonString() == "\"\(String(repeating: "\\u0000", count: length))\"")
        }
    }

    @Test func stringsAroundTheBuffersSizeAreWhole() throws {
        for length in [500, 509, 510, 511, 512, 513, 1023, 1024, 5000] {
            let text = String(repeating: "x", count: length - 1) + "\""
            #expect(try [text, text].jsonString() == "[\"\(text.dropLast())\\\"\",\"\(text.dropLast())\\\"\"]")
        }
    }

    // MARK: Containers

    @Test func nilsAreLeftOutOrWrittenAsNull() throws {
        let trio = Trio<Int>(required: 1)
        #expect(try trio.jsonString() == #"{"required":1,"defaulted":42}"#)
        #expect(try trio.jsonString(options: .init(nils: .null)) == #"{"required":1,"defaulted":42,"optional":null}"#)
        let pairs: [String: Int?] = ["a": nil]
        #expect(try pairs.jsonString(options: .init(nils: .null)) == #"{"a":null}"#)
        #expect(try JSONValue(json: #"{"a":null}"#).jsonString() == #"{"a":null}"#)
    }

    @Test func pathsWithACommonPrefixShareTheFirstOnesObject() throws {
        #expect(try Several<First>(values: [1, 2, 3, 4]).jsonString() == #"{"a":{"b":{"c":1,"e":4},"d":3},"z":2}"#)
        #expect(try Several<First>(values: [nil, 2, 3, nil]).jsonString() == #"{"a":{"d":3},"z":2}"#)
        #expect(try Several<First>(values: [nil, 2, nil, 4]).jsonString() == #"{"a":{"b":{"e":4}},"z":2}"#)
        #expect(try Several<First>(values: [nil, nil, nil, nil]).jsonString() == "{}")
        #expect(try Several<First>(values: [nil, 2, nil, nil]).jsonString() == #"{"z":2}"#)
        #expect(
            try Several<First>(values: [nil, nil, nil, nil]).jsonString(options: .init(nils: .null))
                == #"{"a":{"b":{"c":null,"e":null},"d":null},"z":null}"#)
        #expect(try Several<Alternatives>(values: [1, 2]).jsonString() == #"{"id":1,"ext":{"id":2}}"#)
        #expect(try Several<Odd>(values: [1, 2, 3]).jsonString() == #"{"a.b":1,"\"\\\n\u0001é😀":2,"":3}"#)
    }

    @Test func membersAreOrderedByTheBytesOfTheirKeys() throws {
        let options = JSONWriter.Options.sortedKeys
        #expect(
            try Several<First>(values: [1, 2, 3, 4]).jsonString(options: options) == #"{"a":{"b":{"c":1,"e":4},"d":3},"z":2}"#)
        #expect(
            try Trio<Int>(required: 1, optional: 2).jsonString(options: options) == #"{"defaulted":42,"optional":2,"required":1}"#
        )
        let pairs = ["b": 1, "a": 2, "é": 3, "Z": 4, "": 5, "aa": 6, "\u{FFFD}": 7, "😀": 8]
        #expect(try pairs.jsonString(options: options) == #"{"":5,"Z":4,"a":2,"aa":6,"b":1,"é":3,"\#u{FFFD}":7,"😀":8}"#)
        #expect(try JSONValue(json: #"{"b":{"d":1,"c":2},"a":3}"#).jsonString(options: options) == #"{"a":3,"b":{"c":2,"d":1}}"#)
    }

    @Test func equalSetsAreWrittenEquallyWithSortedKeys() throws {
        let words = (0..<50).map { "word \($0 * 7919 % 50)" }
        let expected = "[\(words.sorted().map { "\"\($0)\"" }.joined(separator: ","))]"
        for capacity in [0, 100, 1000] {
            var set = Set<String>(minimumCapacity: capacity)
            for word in words { set.insert(word) }
            #expect(try set.jsonString(options: .sortedKeys) == expected)
            #expect(try Set<String>(json: set.jsonString()) == set)
        }
        #expect(
            try ["x": Set([3, 1, 2])].jsonString(options: .init(sortedKeys: true, isPretty: true))
                == "{\n  \"x\": [\n    1,\n    2,\n    3\n  ]\n}")
    }

    @Test func prettyTextIsLaidOutOnLines() throws {
        let text = """
            {
              "a": {
                "b": {
                  "c": 1,
                  "e": 4
                }
              },
              "z": 2
            }
            """
        #expect(try Several<First>(values: [1, 2, nil, 4]).jsonString(options: .pretty) == text)
        #expect(try Several<First>(values: [nil, 2, nil, nil]).jsonString(options: .pretty) == "{\n  \"z\": 2\n}")
        #expect(try Several<First>(values: [nil, nil, nil, nil]).jsonString(options: .pretty) == "{}")
        #expect(try [[Int]]().jsonString(options: .pretty) == "[]")
        #expect(try [[Int]](arrayLiteral: [], [1, 2]).jsonString(options: .pretty) == "[\n  [],\n  [\n    1,\n    2\n  ]\n]")
        #expect(
            try JSONValue(json: #"{"a":{},"b":[{}]}"#).jsonString(options: .pretty)
                == "{\n  \"a\": {},\n  \"b\": [\n    {}\n  ]\n}")
        #expect(try ["k": Trio<Int>?.none].jsonString(options: .init(nils: .null, isPretty: true)) == "{\n  \"k\": null\n}")
        #expect(try 1.jsonString(options: .pretty) == "1")
        // Raw text keeps its own white space.
        let raw = try RawJSON(json: #"{"a" :[1 ,2]}"#)
        #expect(try [raw, raw].jsonString(options: .pretty) == "[\n  \(raw),\n  \(raw)\n]")
        #expect(try raw.jsonString(options: .pretty) == raw.text && raw.jsonBytes(options: .pretty) == Array(raw.text.utf8))
    }

    @Test func depthIsLimited() throws {
        var nested: JSONValue = 1
        for _ in 0..<513 { nested = .array([nested]) }
        let error = try #require(failure { () throws(JSONError) in try nested.jsonBytes() })
        #expect(error.kind == .depthLimit)
        #expect(error.expected == "at most 512 levels")
        #expect(try nested[0]?.jsonString().count == 1025)
        #expect(failure { () throws(JSONError) in try [[1]].jsonBytes(options: .init(maximumDepth: 1)) }?.path == "[0]")
        #expect(
            failure { () throws(JSONError) in try Several<First>(values: [1, 2]).jsonBytes(options: .init(maximumDepth: 2)) }?
                .kind == .depthLimit)
    }

    @Test func aSinkTakesWhatIsWritten() throws {
        var bytes: [UInt8] = Array(">".utf8)
        try Trio<Int>(required: 1).write(to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #">{"required":1,"defaulted":42}"#)
        var full = FullSink()
        #expect(failure { () throws(JSONError) in try [1].write(to: &full) }?.kind == .inputOutput)
    }

    @Test func dictionariesOfIntegersAreWrittenLikeAnyOther() throws {
        let one = ["a \"key\"": Int.min]
        #expect(try one.jsonString() == #"{"a \"key\"":-9223372036854775808}"#)
        #expect(try one.mapValues { Optional($0) }.jsonString() == one.jsonString())
        let pretty = JSONWriter.Options(isPretty: true)
        #expect(try one.jsonString(options: pretty) == one.mapValues { Int64($0) }.jsonString(options: pretty))
        #expect(try ["b": 2, "a": 1].jsonString(options: .sortedKeys) == #"{"a":1,"b":2}"#)
        #expect(try [String: Int]().jsonString() == "{}")
        #expect(try [one].jsonString() == "[\(one.jsonString())]")
        var options = JSONWriter.Options()
        options.maximumDepth = 0
        #expect(throws: JSONError.self) { try one.jsonString(options: options) }
    }
}

private struct FullSink: ByteSink {
    mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { throw JSONError(.inputOutput, found: "full") }
}
