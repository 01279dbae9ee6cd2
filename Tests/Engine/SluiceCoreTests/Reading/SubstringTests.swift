// Substring properties are slices of the text; they equal the strings that the same text gives.

import SluiceTestSupport
import Testing

@testable import SluiceCore

extension Substring: Sample { static var initial: Substring { "initial, and longer than fifteen bytes" } }

@Suite struct SubstringTests {
    /// Texts of strings, with all that decides how they are kept: short, long, escaped, not ASCII, damaged.
    static let texts = [
        "", "a", "fifteen bytes!!", "sixteen bytes!!!", "a string of more than fifteen bytes", "é",
        "a long string with é and 漢字 in it",
        #"a long string with \n an escape"#, #"\u00e9"#, #"\ud83d\ude00 and more than fifteen bytes"#,
        #"\ud83d alone is half a character"#,
        "a line break\nin a long string that is not allowed", "\u{1F600} and more than fifteen bytes",
    ]

    @Test(arguments: texts)
    func aSubstringIsWhatAStringWouldBe(_ text: String) {
        for document in [
            #"{"required":"\#(text)","optional":"\#(text)"}"#,
            #"{"defaulted":"\#(text)","required":"another string of some length"}"#,
            #"{"required":"\#(text)","required":"\#(text)","optional":null}"#, #"{"required":"a","optional":["\#(text)"]}"#,
        ] {
            let (string, _) = readEveryWay(Trio<String>.self, document)
            let (substring, disagreements) = readEveryWay(Trio<Substring>.self, document)
            #expect(disagreements == [], "\(document)")
            expectEqual(substring, string, document)
        }
        let list = #"["\#(text)","a plain string of twenty",null]"#
        let (strings, _) = readEveryWay([String?].self, list)
        let (substrings, disagreements) = readEveryWay([Substring?].self, list)
        #expect(disagreements == [])
        #expect(value(substrings)?.map { $0.map { String($0) } } == value(strings))
        let pairs = #"{"a":"\#(text)","b":"a plain string of twenty"}"#
        #expect(
            value(readEveryWay([String: Substring].self, pairs).0)?.mapValues { String($0) }
                == value(readEveryWay([String: String].self, pairs).0))
    }

    private func value<Value>(_ outcome: Outcome<Value>) -> Value? { if case .value(let value) = outcome { value } else { nil } }

    private func expectEqual(_ substring: Outcome<Trio<Substring>>, _ string: Outcome<Trio<String>>, _ text: String) {
        switch (substring, string) {
        case (.value(let found), .value(let expected)):
            #expect(found.required == expected.required, "\(text)")
            #expect(found.defaulted == expected.defaulted, "\(text)")
            #expect(found.optional.map { String($0) } == expected.optional, "\(text)")
            #expect(
                Outcome { () throws(JSONError) in try found.jsonString() }
                    == Outcome { () throws(JSONError) in try expected.jsonString() })
        default:
            // The words name the type.
            #expect("\(substring)".replacing("Substring", with: "String") == "\(string)", "\(text)")
        }
    }

    @Test func numbersAndBooleansAreConvertedAsForStrings() throws {
        for conversions in [JSONConversions.strict, .lenient, .yyModel] {
            for text in ["1.50", "true", "false", "null", "[]", #""1""#] {
                let document = #"{"required":\#(text),"optional":\#(text)}"#
                let options = JSONReader.Options(conversions: conversions)
                let string = Outcome { () throws(JSONError) in try Trio<String>(json: document, options: options) }
                let substring = Outcome { () throws(JSONError) in try Trio<Substring>(json: document, options: options) }
                expectEqual(substring, string, document)
            }
        }
    }

    @Test func theStandardLibrarysLayoutIsKnown() throws {
        let flags = try #require(SubstringWords.flags)
        let text = "a text of some length, with é and 漢字, for slices"
        for (lower, upper) in [(0, 25), (5, 5), (5, 28), (25, text.utf8.count)] {
            let made = SubstringWords.make(text, lower, upper, flags: flags)
            let slice = SubstringWords.slice(of: text, lower, upper)
            #expect(made == slice)
            #expect(made.startIndex == slice.startIndex && made.endIndex == slice.endIndex)
            #expect(made.count == slice.count && made.base == text)
        }
    }

    /// The address of the first byte.
    private func address(_ text: Substring) -> Int {
        unsafe text.utf8.withContiguousStorageIfAvailable { Int(bitPattern: $0.baseAddress) } ?? 0
    }

    @Test(arguments: [JSONReader.Options.Parser.automatic, .yajl])
    func theStringsOfADocumentLieInOneCopyOfItsText(_ parser: JSONReader.Options.Parser) throws {
        let document =
            #"[{"required":"a string of more than fifteen bytes","optional":"and another string, with é"},"#
            + #"{"required":"a third string of more than fifteen"}]"#
        for text in [document, String(repeating: " ", count: 500) + document] {
            var reader = JSONReader(options: JSONReader.Options(parser: parser))
            let records = try reader.read([Trio<Substring>].self, from: text)
            let first = address(records[0].required)
            #expect(
                try address(#require(records[0].optional)) - first
                    == #"a string of more than fifteen bytes","optional":""#.utf8.count)
            #expect(address(records[1].required) > first)
            #expect(records[1].required.base == records[0].required.base)
            // The reader does not keep the text, and the next document has its own.
            let next = try reader.read([Trio<Substring>].self, from: text.replacing("string", with: "strong"))
            #expect(next[0].required == "a strong of more than fifteen bytes")
            #expect(records[0].required == "a string of more than fifteen bytes")
        }
    }

    @Test func aLongDocumentIsCopiedInPieces() throws {
        let texts = (0..<9000).map { "\($0 % 7 == 0 ? "é漢字" : "")string number \($0)" }
        let document = #"["\#(texts.joined(separator: #"",""#))"]"#
        var reader = JSONReader()
        let found = try reader.read([Substring].self, from: document)
        #expect(found.elementsEqual(texts, by: ==))
        #expect(Set(found.map { $0.base.utf8.count }).allSatisfy { $0 <= SharedText.pieceSize })
        let count = Set(found.filter { $0.utf8.count > 15 }.map { $0.base }).count
        #expect((document.utf8.count / SharedText.pieceSize...document.utf8.count / SharedText.pieceSize + 1).contains(count))
        let long = String(repeating: "x", count: 200_000)
        #expect(try [Substring](json: #"["\#(long)","\#(long)"]"#) == [Substring(long), Substring(long)])
    }

    /// Bytes elsewhere in the text that are not UTF-8 do not reach a string, and the valid strings are read.
    @Test func aDamagedTextIsNotShared() throws {
        var bytes = Array(
            #"{"skipped":"?","required":"a string of more than fifteen bytes","unknown":"?","optional":"another one of these"}"#
                .utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "?") { bytes[index] = 0xFF }
        let record = try Trio<Substring>(json: bytes)
        #expect(record.required == "a string of more than fifteen bytes")
        #expect(record.optional == "another one of these")
        #expect(Array(record.required.base.utf8).contains(0xFF) == false)
    }

    /// A batch may end in the middle of a character.
    @Test(arguments: ["a", "é", "漢", "\u{1F600}"]) func aPieceEndsWhereACharacterEnds(_ character: String) throws {
        let record = #"["a string of more than fifteen bytes"]"#
        let batch = Array((record + String(repeating: character, count: 20)).utf8)
        for end in record.utf8.count...batch.count {
            try unsafe batch[..<end].withUnsafeBytes { bytes in
                var reader = JSONReader()
                unsafe reader.beginBatch(bytes)
                let text = try unsafe reader.read(
                    [Substring].self, from: UnsafeRawBufferPointer(rebasing: bytes[..<record.utf8.count]))[0]
                #expect(text == "a string of more than fifteen bytes")
                let shared = text.base.utf8.count
                #expect(shared > text.utf8.count && end - 2 - shared < character.utf8.count, "\(end): \(shared)")
            }
        }
    }

    @Test(.enabled(if: AllocationCounter.isAvailable, "allocations cannot be counted on this platform or under a sanitizer"))
    func aDocumentOfSubstringsIsOneAllocationForEachPiece() throws {
        let record = #"{"required":"a string of more than fifteen bytes","optional":"another string of such a length"}"#
        func allocations(_ count: Int) throws -> Int {
            let text = "[\(repeatElement(record, count: count).joined(separator: ","))]"
            var reader = JSONReader()
            var records = try reader.read([Trio<Substring>].self, from: text)
            let allocations = try AllocationCounter.count { () throws(JSONError) in
                records = try reader.read([Trio<Substring>].self, from: text)
            }
            #expect(records.count == count)
            return allocations
        }
        #expect(try allocations(300) - allocations(10) <= 1)
    }

    /// Captured text, hooks and chunks are memory that does not last: substrings of it have memory of their own.
    @Test func textInChunksIsNotKeptByItsAddress() throws {
        let texts = (0..<500).map { "string number \($0) of five hundred" }
        let document = Array(#"["\#(texts.joined(separator: #"",""#))"]"#.utf8)
        for size in [7, 64, 1000, 4096] {
            var source = BytesSource(document, chunkSize: size)
            var options = JSONReader.Options()
            options.gathersUpTo = 0
            var reader = JSONReader(options: options)
            #expect(try reader.read([Substring].self, from: &source).elementsEqual(texts, by: ==))
        }
    }
}
