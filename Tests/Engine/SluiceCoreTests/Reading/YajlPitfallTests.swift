// What yajl lets through or does on its own terms, and our duty in each case. A row is named by its number in the project's
// notes on yajl (P1 to P40); every input is read whole and cut at every byte.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct YajlPitfallTests {
    // MARK: Unicode

    /// Bytes that are no UTF-8 though each looks like it to yajl: overlong forms, surrogates, beyond U+10FFFF, cut short.
    static let invalidUTF8: [[UInt8]] = [
        [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
        [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
        [0xF7, 0xBF, 0xBF, 0xBF], [0x80], [0xBF], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFE], [0xFF], [0xC3, 0x28],
    ]

    @Test(arguments: invalidUTF8)
    func p1BytesThatAreNotUTF8AreRefused(_ bytes: [UInt8]) {
        for padding in ["", "x", "seven 7", "exactly sixteen!", "more than sixteen bytes"] {
            let text = Array("\"\(padding)".utf8) + bytes + Array("\(padding)\"".utf8)
            expect(String.self, text, .failure(.invalidUnicode, ""))
            expect(JSONValue.self, text, .failure(.invalidUnicode, ""))
            expect(RawJSON.self, text, .failure(.invalidUnicode, ""))
            expect(Color.self, text, .failure(.invalidUnicode, ""))
            expect([String].self, Array("[\"ok\",".utf8) + text + Array("]".utf8), .failure(.invalidUnicode, "[1]"))
            let object = Array("{".utf8) + text + Array(":1}".utf8)
            expect([String: Int].self, object, .failure(.invalidUnicode, ""))
            expect(JSONValue.self, object, .failure(.invalidUnicode, ""))
            expect(RawJSON.self, object, .failure(.invalidUnicode, ""))
        }
    }

    @Test(arguments: invalidUTF8)
    func p1ValuesWithoutAPropertyAreCheckedOnRequest(_ bytes: [UInt8]) {
        let text = Array("\"".utf8) + bytes + Array("\"".utf8)
        let documents = [
            Array("{\"required\":1,\"skipped\":".utf8) + text + Array("}".utf8),
            Array("{\"required\":1,\"skipped\":[{\"a\":".utf8) + text + Array("}]}".utf8),
            Array("{\"required\":1,\"skipped\":{".utf8) + text + Array(":1}}".utf8),
        ]
        // A key of an object that is looked at may be a damaged one that a property has.
        expect(Trio<Int>.self, Array("{\"required\":1,".utf8) + text + Array(":1}".utf8), .failure(.invalidUnicode, nil))
        for document in documents {
            expect(Trio<Int>.self, document, .value(Trio(required: 1)))
            let (outcome, disagreements) = readEveryWay(Trio<Int>.self, document, options: .init(validation: .full))
            guard case .failure(.invalidUnicode, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
            #expect(disagreements == [])
        }
    }

    @Test func p1StringsWherePathsLeadAreCheckedOnRequest() {
        let text = Array("{\"a\":\"".utf8) + [0xC0, 0x80] + Array("\"}".utf8)
        let (outcome, disagreements) = readEveryWay(Keyed<Int, Under>.self, text, options: .init(validation: .full))
        #expect(outcome == .failure(.invalidUnicode, "a"))
        #expect(disagreements == [])
    }

    private enum Under: KeyList { static let keys: [JSONKeyPath] = ["a.b"] }

    @Test func validUTF8AtEveryBoundaryIsKept() {
        let scalars: [UInt32] = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x10FFFF]
        let text = String(String.UnicodeScalarView(scalars.dropFirst().compactMap(Unicode.Scalar.init)))
        expect(String.self, Array("\"\(text)\"".utf8), .value(text))
        expect([String: String].self, Array("{\"\(text)\":\"\(text)\"}".utf8), .value([text: text]))
    }

    /// Escapes of surrogates that are not a pair.
    static let brokenPairs = [
        #"\ud800"#, #"\uD800abc"#, #"\udbff\ndef"#, #"\ud800\u0041"#, #"\ud800\u0000"#, #"\ud800\ud800"#, #"\udc00"#, #"\uDFFF"#,
        #"\udc00\ud800"#, #"\ud83d\ude00\ud83d"#, #"\ud800\\udc00"#, #"\ud800\"abc"#, #"?\ud800?"#, #"\ud83d\ude00\udc00"#,
        #"\ud800\u"#,
        #"\\\ud800"#, #"\"\\\"\ud800\"\\\""#, #"\uD800\\DC00"#, #"\uDBFF\u "#,
    ]

    @Test(arguments: brokenPairs)
    func p2p3p4HalfASurrogatePairIsRefused(_ escape: String) {
        // `\u` without four digits is no escape at all, whatever comes before it.
        let kind: JSONError.Kind = escape.hasSuffix(#"\u"#) || escape.hasSuffix(#"\u "#) ? .syntax : .invalidUnicode
        for padding in ["", "?", "é", "[\\\"] {long enough to be decoded elsewhere}", #"\\"#, #"\ud83d\ude00"#] {
            let text = "\"\(padding)\(escape)\""
            expect(String.self, text, .failure(kind, ""))
            expect(JSONValue.self, text, .failure(kind, ""))
            expect(Color.self, text, .failure(kind, ""))
            expect([String: Int].self, "{\(text):1}", .failure(kind, ""))
            expect([String].self, "[\"?\", \(text)]", .failure(kind, "[1]"))
        }
    }

    @Test(arguments: [
        #"\ud83d\ude00"#, #"\uD83D\uDE00"#, #"\\ud800"#, #"\\\\ud800"#, #"?"#, #"\u003f"#, #"😀"#, #"?😀\ud83d\ude00"#,
    ])
    func p2p3WhatOnlyLooksBrokenIsKept(_ escape: String) {
        let expected = escape.replacing("\\\\", with: "\u{1}").replacing("\\ud83d\\ude00", with: "😀").replacing(
            "\\uD83D\\uDE00", with: "😀"
        )
        .replacing("\\u003f", with: "?").replacing("\u{1}", with: "\\")
        expect(String.self, "\"a\\n\(escape)\"", .value("a\n" + expected))
        expect([String: String].self, "{\"\(escape)\":\"\\t\(escape)\"}", .value([expected: "\t" + expected]))
    }

    @Test func p2AKeyThatLooksLikeAPropertyButIsBrokenIsRefused() {
        expect(Keyed<Int, Question>.self, #"{"a?b":1}"#, .value(Keyed(value: 1)))
        expect(Keyed<Int, Question>.self, #"{"a\u003fb":1}"#, .value(Keyed(value: 1)))
        expect(Keyed<Int, Question>.self, #"{"a\ud800b":1}"#, .failure(.invalidUnicode, ""))
    }

    private enum Question: KeyList { static let keys: [JSONKeyPath] = ["a?b"] }

    @Test(arguments: [#"\ud800"#, #"\ud800x"#, #"\ud800\n"#, #"\uDBFF\\x"#, #"\ud800\\u12"#, #"\ud800\""#, #"\ud800\\ud800\\"#])
    func p5NoByteAfterHalfASurrogatePairIsLost(_ escape: String) {
        // Nothing looks at these, and so they are no errors; but what follows them must still be found.
        let object = #"{"a":"\#(escape)","x":{"\#(escape)":["\#(escape)",2]},"required":7}"#
        expect(Trio<Int>.self, object, .value(Trio(required: 7)))
        let long = String(repeating: escape + "abc", count: 400)
        expect(Trio<Int>.self, #"{"x":"\#(long)","required":7}"#, .value(Trio(required: 7)))
        // Keys and variants are checked before anything compares or stores them.
        for unknownKeys in [JSONReader.Options.UnknownKeys.ignore, .report, .reject] {
            let options = JSONReader.Options(unknownKeys: unknownKeys)
            let reading = readings(of: Trio<Int>.self, #"{"required":7,"\#(escape)":1}"#, options: options)
            #expect(reading.outcome == .failure(.invalidUnicode, ""))
            #expect(reading.disagreements == [])
        }
        for options in [JSONReader.Options.strict, .init(), .tolerant] {
            let number = readings(of: [Int].self, #"[1,"\#(escape)"]"#, options: options)
            #expect(number.outcome == .failure(.invalidUnicode, "[1]"))
            #expect(number.disagreements == [])
            let variant = readings(of: [Either].self, #"[1,"\#(escape)"]"#, options: options)
            #expect(variant.outcome == .failure(.invalidUnicode, "[1]"))
            #expect(variant.disagreements == [])
        }
    }

    private enum Either: JSONPolymorphic, Equatable {
        case number(Int)
        case text(String)

        static let jsonVariants = JSONVariants<Either>(by: .untagged)
            .variant("number", Int.self) { .number($0) }
            .variant("text", String.self) { .text($0) }

        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    @Test func p6ANulIsACharacterLikeAnyOther() {
        expect([String: String].self, #"{"a\u0000b":"\u0000c\u0000"}"#, .value(["a\0b": "\0c\0"]))
        expect(Keyed<Int, Nul>.self, #"{"a":9,"a\u0000":1}"#, .value(Keyed(value: 1)))
    }

    private enum Nul: KeyList { static let keys: [JSONKeyPath] = [.literal("a\0")] }

    // MARK: Numbers

    @Test func p7TheBoundsOfIntegersAreNumbersLikeOthers() {
        expect([Int64].self, "[-9223372036854775808,9223372036854775807]", .value([.min, .max]))
        expect([UInt64].self, "[18446744073709551615]", .value([.max]))
        expect(Int64.self, "9223372036854775808", .failure(.invalidValue, ""))
        // No property binds it, so its size does not matter.
        expect(Trio<Int>.self, #"{"required":1,"x":999999999999999999999999999999999}"#, .value(Trio(required: 1)))
    }

    @Test func p8DoublesBeyondTheFiniteOnesAreRefusedAndKeptAsText() {
        expect(Double.self, "1e400", .failure(.invalidValue, ""))
        expect(Double.self, "1e-400", .value(0))
        expect(JSONValue.self, "1e400", .value(.number(JSONNumber(lexeme: "1e400")!)))
    }

    @Test(arguments: [
        "01", "-", "-01", "1.", ".5", "1e", "1e+", "0x10", "+1", "1.e1", "NaN", "-Infinity", "1_000", "00", "- 1", "1 .5",
    ])
    func p9WhatIsNoNumberIsRefusedWhole(_ text: String) {
        for json in [text, "[\(text)]", "{\"required\":\(text)}", "[1,\(text) ]"] {
            for outcome in [isRefused([Double].self, json), isRefused(Trio<Double>.self, json), isRefused(JSONValue.self, json)] {
                #expect(outcome, "\(json)")
            }
        }
    }

    @Test func p9NumbersMayBeOfAnyLength() {
        let digits = String(repeating: "1234567890", count: 120)
        expect(Double.self, "0." + digits, .value(0.123456789012345678901234567890))
        expect(JSONValue.self, "[-\(digits)]", .value([.number(JSONNumber(lexeme: "-" + digits)!)]))
        expect(Int.self, digits, .failure(.invalidValue, ""))
        #expect((try? Double(json: "-0"))?.sign == .minus)
        #expect((try? Int(json: "-0")) == 0)
    }

    // MARK: White space and encodings

    @Test(arguments: [UInt8(0x0B), 0x0C])
    func p10VerticalTabAndFormFeedAreNoWhiteSpace(_ blank: UInt8) {
        for (before, after) in [("[", "1]"), ("[1", ",2]"), ("", "[1]"), ("[1]", ""), ("[1,2", "]"), ("[1] ", " ")] {
            expect([Int].self, Array(before.utf8) + [blank] + Array(after.utf8), .failure(.syntax, nil))
        }
        expect(Trio<Int>.self, Array("{\"required\":1,\"x\":[".utf8) + [blank] + Array("]}".utf8), .failure(.syntax, nil))
        // Earlier than another error, it is the error.
        expect([Int].self, Array("[".utf8) + [blank] + Array("\"x\"]".utf8), .failure(.syntax, nil))
        // Inside a string it is a control character.
        expect(String.self, Array("\"a".utf8) + [blank] + Array("\"".utf8), .failure(.syntax, nil))
    }

    @Test func p11AByteOrderMarkIsPassedOver() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        expect([Int].self, mark + Array("[1]".utf8), .value([1]))
        expect(RawJSON.self, mark + Array(" 1 ".utf8), .value(RawJSON(known: "1")))
        expect(Int.self, mark, .failure(.unexpectedEnd, nil))
        expect([Int].self, mark + mark + Array("[1]".utf8), .failure(.syntax, nil))
        expect([Int].self, Array("[1]".utf8) + mark, .failure(.trailingContent, nil))
        let error = try #require(
            failure { () throws(JSONError) in try [Int](json: mark + Array("[true]".utf8), options: .strict) })
        #expect(error.position == SourcePosition(offset: 4, line: 1, column: 5))
    }

    @Test func p11OtherEncodingsAreNamed() throws {
        let text = Array("{\"é\": [1]}".utf16)
        let little = text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let wideLittle = text.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8), 0, 0] }
        let wideBig = text.flatMap { [0, 0, UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for (bytes, name) in [
            (little, "UTF-16 (little-endian)"), (big, "UTF-16 (big-endian)"), ([0xFF, 0xFE] + little, "UTF-16 (little-endian)"),
            ([0xFE, 0xFF] + big, "UTF-16 (big-endian)"), (wideLittle, "UTF-32 (little-endian)"), (wideBig, "UTF-32 (big-endian)"),
        ] {
            expect(JSONValue.self, bytes, .failure(.unsupportedEncoding, nil))
            #expect(failure { () throws(JSONError) in try JSONValue(json: bytes) }?.found == name)
        }
    }

    // MARK: Structure

    @Test func p12OfDuplicateKeysTheLastCounts() {
        expect(
            Trio<String>.self, #"{"required":"a","required":"b","optional":"c","required":"d"}"#,
            .value(Trio(required: "d", optional: "c")))
        expect([String: [Int]].self, #"{"a":[1],"a":[2]}"#, .value(["a": [2]]))
        expect(Trio<[String]>.self, #"{"required":["a","b"],"required":["c"]}"#, .value(Trio(required: ["c"])))
        expect(
            Trio<Trio<Int>>.self, #"{"required":{"required":1,"optional":2},"required":{"required":3}}"#,
            .value(Trio(required: Trio(required: 3))))
    }

    @Test func p13DeepInputEndsInAnErrorNotInACrash() {
        for text in [String(repeating: "[", count: 100_000), String(repeating: "{\"name\":[{\"children\":[", count: 50_000)] {
            #expect(failure(reading: JSONValue.self, text)?.kind == .depthLimit)
            #expect(failure(reading: RawJSON.self, text)?.kind == .depthLimit)
            #expect(failure(reading: Trio<Int>.self, "{\"x\":" + text) != nil)
        }
    }

    @Test func p14TokensThatSpanManyChunksAreWhole() throws {
        let long = String(repeating: "0123456789é\\n", count: 3000)
        let bytes = Array("{\"required\":\"\(long)\",\"optional\":\"\(long)\"}".utf8)
        let text = long.replacing("\\n", with: "\n")
        for size in [1021, 4096, 40_000] {
            var source = BytesSource(bytes, chunkSize: size)
            var reader = JSONReader(options: .strict.inPieces)
            #expect(try reader.read(Trio<String>.self, from: &source) == Trio(required: text, optional: text))
        }
    }

    @Test(arguments: [.max, .max - 1, 1 << 20])
    func p14TokensThatSpanManyChunksMayBeOfAnyLength(_ limit: Int) throws {
        let long = String(repeating: "x", count: 10_000)
        var source = BytesSource(Array("[\"\(long)\",\"\"]".utf8), chunkSize: 100)
        var reader = JSONReader(options: JSONReader.Options(maximumTokenSize: limit).inPieces)
        #expect(try reader.read([String].self, from: &source) == [long, ""])
    }

    @Test func p15ATokenMayNotGrowWithoutLimit() throws {
        let long = String(repeating: "x", count: 5000)
        var reader = JSONReader(options: JSONReader.Options(maximumTokenSize: 1000).inPieces)
        for json in [
            "[\"\(long)\"]", "{\"\(long)\":1}", "{\"skipped\":\"\(long)\"}", "[1\(String(repeating: "0", count: 5000))]",
        ] {
            var source = BytesSource(Array(json.utf8), chunkSize: 100)
            let error = try #require(failure { () throws(JSONError) in try reader.read(JSONValue.self, from: &source) })
            #expect(error.kind == .sizeLimit)
            #expect((1000...1300).contains(error.offset))
        }
        // Nor does white space count, nor what many tokens come to.
        let blanks = String(repeating: " \n", count: 2500)
        var source = BytesSource(Array("\(blanks)[1,\(blanks)2\(blanks),3]\(blanks)".utf8), chunkSize: 100)
        #expect(try reader.read([Int].self, from: &source) == [1, 2, 3])
    }

    @Test(arguments: [
        #"{} "abc"#, #"1 "abc"#, "[1] \"", "[] x", "[]]", "{}}", "{}{}", "1 2", "12true", #""x""y""#, "[],", "null,", "{} /*",
    ])
    func p29p30OneDocumentHoldsOneValue(_ text: String) {
        let (outcome, disagreements) = readEveryWay(JSONValue.self, text)
        guard case .failure(let kind, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(kind == .trailingContent)
        #expect(disagreements == [])
    }

    @Test(arguments: ["", " ", "\n\n\t ", "   \r\n"])
    func p32EmptyInputIsAnError(_ text: String) {
        expect(JSONValue.self, text, .failure(.unexpectedEnd, ""))
        expect(Trio<Int>.self, text, .failure(.unexpectedEnd, ""))
        expect([RawJSON].self, text, .failure(.unexpectedEnd, ""))
    }

    @Test(arguments: [
        "[", "{", "[1", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "\"a", "\"", "[\"a\\", "[\"\\u12", "[[]", "{\"",
        "[\"", "{\"a\":{}",
    ])
    func p33InputThatBreaksOffIsAnUnexpectedEnd(_ text: String) {
        expect(JSONValue.self, text, .failure(.unexpectedEnd, nil))
        expect(RawJSON.self, text, .failure(.unexpectedEnd, nil))
        for literal in ["tru", "nul", "-", "1e"] { #expect(isRefused(JSONValue.self, "[\(literal)")) }
    }

    @Test(arguments: ["1", "-12.5e3", "true", "null", "\"a\"", "0"])
    func p34AScalarMayBeAllThereIs(_ text: String) {
        for json in [text, " \(text)", "\(text)\n", "\t\(text) \r\n"] {
            expect(RawJSON.self, json, .value(RawJSON(validated: text)))
            expect(JSONValue?.self, json, .value(text == "null" ? nil : (try? JSONValue(json: text))))
        }
    }

    @Test func p36AReaderIsUsableAfterItStoppedTheParser() throws {
        var reader = JSONReader(options: .strict.inPieces)
        for text in ["[1, \"x\"]", "[1", "[1] 2", "[\u{B}1]", "{}", "[1e99]", "[[[[[[", "\"\\ud800\""] {
            #expect(failure { () throws(JSONError) in try reader.read([Int].self, from: text) } != nil)
            #expect(try reader.read([Int].self, from: "[1, 2]") == [1, 2])
            var source = BytesSource(Array(text.utf8), chunkSize: 2)
            #expect(failure { () throws(JSONError) in try reader.read([Int].self, from: &source) } != nil)
            #expect(try reader.read(Trio<Int>.self, from: "{\"required\":3}") == Trio(required: 3))
        }
    }

    // MARK: Expectations

    /// A failure whose path may be anything is given with nil.
    private enum Expected<Value: Equatable> {
        case value(Value)
        case failure(JSONError.Kind, String?)
    }

    private func expect<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ bytes: [UInt8], _ expected: Expected<Value>, _ location: SourceLocation = #_sourceLocation
    ) {
        let (outcome, disagreements) = readEveryWay(type, bytes)
        let text = String(decoding: bytes.prefix(120), as: UTF8.self)
        switch (outcome, expected) {
        case (.value(let value), .value(let wanted)):
            #expect(value == wanted, "\(text)", sourceLocation: location)
        case (.failure(let kind, let path), .failure(let wantedKind, let wantedPath)):
            #expect(kind == wantedKind, "\(text)", sourceLocation: location)
            if let wantedPath { #expect(path == wantedPath, "\(text)", sourceLocation: location) }
        default:
            Issue.record("\(text) gave \(outcome), not \(expected)", sourceLocation: location)
        }
        #expect(disagreements == [], "\(text)", sourceLocation: location)
    }

    private func expect<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ text: String, _ expected: Expected<Value>, _ location: SourceLocation = #_sourceLocation
    ) {
        expect(type, Array(text.utf8), expected, location)
    }

    private func isRefused<Value: JSONBindable & Equatable>(_ type: Value.Type, _ text: String) -> Bool {
        let (outcome, disagreements) = readEveryWay(type, text)
        guard case .failure = outcome else { return false }
        return disagreements.isEmpty
    }
}

extension RawJSON {
    fileprivate init(validated text: String) {
        let bytes = Array(text.utf8)
        self = unsafe bytes.withUnsafeBufferPointer { unsafe RawJSON(validated: $0) }
    }
}
