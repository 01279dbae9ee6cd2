// Budgets of a document, and the profile for text from strangers: each limit is met exactly, exceeded by one, and found at the
// same position whole, in chunks and cut at every byte.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct BudgetTests {
    // MARK: Sizes

    @Test(arguments: [
        (#""12345678""#, true), (#""123456789""#, false), ("12345678", true), ("123456789", false), (#"["a\u00e9b"]"#, true),
        (#"["a\u00e9bc"]"#, false), (#"{"12345678":1}"#, true), (#"{"123456789":1}"#, false), ("[12345678,12345678]", true),
        (#"{"a":"123456789"}"#, false), ("[1,{\"a\":[123456789]}]", false), (#"["1234567\\"]"#, false),
    ])
    func aTokenHasALimit(_ text: String, _ fits: Bool) {
        let error = error(JSONValue.self, text, .init(maximumTokenSize: 8))
        #expect((error == nil) == fits, "\(text)")
        guard !fits else { return }
        #expect(error?.kind == .sizeLimit)
        #expect(error?.expected == "a string or number of at most 8 bytes (maximumTokenSize)")
    }

    @Test func aDocumentHasALimit() {
        for text in ["[1,2,3]", "{\"a\":1}", " [1,2] "] {
            let count = text.utf8.count
            #expect(error(JSONValue.self, text, .init(maximumDocumentSize: count)) == nil)
            let error = error(JSONValue.self, text, .init(maximumDocumentSize: count - 1))
            #expect(error?.kind == .sizeLimit)
            #expect(error?.expected == "a document of at most \(count - 1) bytes (maximumDocumentSize)")
            #expect(error?.offset == count - 1)
            #expect(error?.path == "")
        }
        // A byte order mark counts.
        #expect(error(JSONValue.self, "\u{FEFF}[1]", .init(maximumDocumentSize: 6)) == nil)
        #expect(error(JSONValue.self, "\u{FEFF}[1]", .init(maximumDocumentSize: 5))?.offset == 5)
        #expect(error(JSONValue.self, "\u{FEFF}[1]", .init(maximumDocumentSize: 2))?.kind == .sizeLimit)
    }

    @Test func anObjectHasALimitOfKeys() {
        let options = JSONReader.Options(maximumKeyCount: 2)
        for text in [#"{"a":1,"b":2}"#, #"[{"a":1,"b":2},{"c":3,"d":{"e":4,"f":5}}]"#, #"{"a":"x,y,z","b":[1,2,3]}"#] {
            #expect(error(JSONValue.self, text, options) == nil, "\(text)")
        }
        let error = error(JSONValue.self, #"{"x":[0,{"a":1,"b":{},"c":3}]}"#, options)
        #expect(error?.kind == .sizeLimit)
        #expect(error?.expected == "an object of at most 2 keys (maximumKeyCount)")
        #expect(error?.path == "x[1]")
        #expect(error?.offset == 22)
        // Also of a model, and where no property looks.
        #expect(self.error(Trio<Int>.self, #"{"required":1,"x":2,"y":3}"#, options)?.kind == .sizeLimit)
        let unbound = self.error(Trio<Int>.self, #"{"required":1,"x":[{"a":1,"b":2,"c":3}]}"#, options)
        #expect(unbound?.kind == .sizeLimit)
    }

    @Test func anArrayHasALimitOfElements() {
        let options = JSONReader.Options(maximumElementCount: 3)
        for text in ["[1,2,3]", "[[1,2,3],[],[{}]]", #"{"a":1,"b":2,"c":3,"d":["x,y,z,w","]",3]}"#] {
            #expect(error(JSONValue.self, text, options) == nil, "\(text)")
        }
        for fourth in ["4", "\"x\"", "[]", "{}", "null"] {
            let error = error(JSONValue.self, #"{"x":[1,2,[],\#(fourth)]}"#, options)
            #expect(error?.kind == .sizeLimit)
            #expect(error?.expected == "an array of at most 3 elements (maximumElementCount)")
            #expect(error?.path == "x")
            #expect(error?.offset == 13)
        }
        #expect(error(Trio<Int>.self, #"{"required":1,"x":[1,2,3,4]}"#, options)?.kind == .sizeLimit)
    }

    @Test func depthIsLimitedWhereverItIsReached() {
        for text in ["[[[[1]]]]", #"{"required":1,"x":{"a":[[1]]}}"#, #"{"required":1,"x":[[[["#] {
            let options = JSONReader.Options(maximumDepth: 3, maximumKeyCount: 10)
            let error = error(JSONValue.self, text, options)
            #expect(error?.kind == .depthLimit)
            #expect(error?.expected == "at most 3 levels (maximumDepth)")
            var full = options
            full.validation = .full
            #expect(self.error(Trio<Int>.self, text, full)?.kind == (text.hasPrefix("[") ? .typeMismatch : .depthLimit))
        }
    }

    // MARK: Keys

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, "a", "a"), (#"{"a":1,"b":2,"\u0061":3}"#, "a", "a"),
        (#"[{"x":{"é":[],"\u00e9":1}}]"#, "é", "[0].x.é"),
        (#"{"":1,"":2}"#, "", #""""#), (#"{"a":{"b":1},"c":{"b":1,"d":[{"b":1}],"b":2}}"#, "b", "c.b"),
    ])
    func noKeyStandsTwice(_ text: String, _ key: String, _ path: String) {
        let options = JSONReader.Options(duplicateKeys: .errorEverywhere)
        let error = error(JSONValue.self, text, options)
        #expect(error?.kind == .duplicateKey)
        #expect(error?.keys == [key])
        #expect(error?.path == path)
        // Where no property looks it is found as well.
        let inside = self.error(Trio<Int>.self, "{\"required\":1,\"x\":[\(text)]}", options)
        #expect(inside?.kind == .duplicateKey)
        #expect(inside?.keys == [key])
    }

    @Test func keysOfDifferentObjectsMayBeTheSame() {
        let options = JSONReader.Options(duplicateKeys: .errorEverywhere)
        for text in [
            #"{"a":{"a":{"a":1},"b":{"a":1}},"b":[{"a":1},{"a":1}]}"#, #"{"a":"a","b":"a","c":["a","a"]}"#,
            #"{"a":1,"A":2,"á":3}"#,
        ] {
            #expect(error(JSONValue.self, text, options) == nil, "\(text)")
        }
        let many = (0..<5000).map { "\"key\($0)\":{\"key\($0 + 1)\":\($0)}" }.joined(separator: ",")
        var reader = JSONReader(options: options)
        #expect(throws: Never.self) { try reader.read(JSONValue.self, from: "{\(many)}") }
        let error = failure { () throws(JSONError) in try reader.read(JSONValue.self, from: "{\(many),\"key17\":0}") }
        #expect(error?.kind == .duplicateKey)
        #expect(error?.keys == ["key17"])
    }

    @Test func aPropertysSecondKeyIsTheSameErrorInBothModes() {
        let text = #"{"required":1,"optional":2,"required":3}"#
        let error = error(Trio<Int>.self, text, .init(duplicateKeys: .errorEverywhere))
        #expect(error == failure(reading: Trio<Int>.self, text, options: .init(duplicateKeys: .error)))
        #expect(error?.kind == .duplicateKey)
        #expect(error?.path == "required")
    }

    @Test func unknownKeysAreCheckedOnlyOnRequest() {
        for mode in [JSONReader.Options.DuplicateKeys.last, .first, .error] {
            #expect(error(Trio<Int>.self, #"{"required":1,"x":1,"x":2}"#, .init(duplicateKeys: mode)) == nil)
        }
        let everywhere = JSONReader.Options(duplicateKeys: .errorEverywhere)
        #expect(error(Trio<Int>.self, #"{"required":1,"x":1,"x":2}"#, everywhere)?.kind == .duplicateKey)
    }

    // MARK: Order of errors

    @Test(arguments: [
        (#"[1,x,3,4]"#, JSONError.Kind.syntax), (#"[1,"x",3,4]"#, .typeMismatch), ("[1]x,3,4", .trailingContent),
        ("[1,2,3,x]", .sizeLimit), ("[1,2,3", .sizeLimit), ("[1,2", .unexpectedEnd), ("[1,2,3.x]", .sizeLimit),
        ("[01,2,3]", .syntax),
        ("[1\u{B},2,3]", .syntax), ("[1,{\"a\":1},3]", .typeMismatch), ("[1,\"\u{1}\",3]", .syntax), ("]1,2,3", .syntax),
        ("[1}2,3,4]", .syntax), ("[1 2 3]", .syntax),
    ])
    func anEarlierErrorComesFirst(_ text: String, _ kind: JSONError.Kind) {
        var options = JSONReader.Options.strict
        options.maximumElementCount = 2
        #expect(error([Int].self, text, options)?.kind == kind, "\(text)")
    }

    @Test func aReaderIsUsableAfterABreach() throws {
        var reader = JSONReader(options: .init(maximumTokenSize: 10, duplicateKeys: .errorEverywhere, maximumElementCount: 2))
        for text in ["[1,2,3]", "[\"12345678901\"]", "[{\"a\":1,\"a\":1}]", "[\"abc"] {
            #expect(failure { () throws(JSONError) in try reader.read(JSONValue.self, from: text) } != nil)
            #expect(try reader.read([Int].self, from: "[1, 2]") == [1, 2])
            #expect(try reader.read([String: Int].self, from: #"{"a":1,"b":2}"#) == ["a": 1, "b": 2])
        }
    }

    // MARK: The profile

    @Test func theProfileOfUntrustedTextChecksEverything() {
        let big = String(repeating: "x", count: 65_536)
        #expect(failure(reading: String.self, "\"\(big)\"", options: .untrusted) == nil)
        let limits: [(String, JSONError.Kind, String)] = [
            ("\"\(big)x\"", .sizeLimit, "maximumTokenSize"),
            ("[" + String(repeating: "\"\(big)\",", count: 17) + "1]", .sizeLimit, "maximumDocumentSize"),
            ("[" + String(repeating: "1,", count: 10_000) + "1]", .sizeLimit, "maximumElementCount"),
            ("{" + (0...1000).map { "\"\($0)\":1" }.joined(separator: ",") + "}", .sizeLimit, "maximumKeyCount"),
            (String(repeating: "[", count: 33), .depthLimit, "maximumDepth"),
        ]
        for (text, kind, name) in limits {
            let error = failure(reading: JSONValue.self, text, options: .untrusted)
            #expect(error?.kind == kind)
            var source = BytesSource(Array(text.utf8), chunkSize: 4093)
            var reader = JSONReader(options: .untrusted)
            #expect(failure { () throws(JSONError) in try reader.read(JSONValue.self, from: &source) } == error)
            #expect(error?.description.contains(name) == true, "\(name)")
        }
        #expect(error(Trio<Int>.self, #"{"required":1,"x":1,"x":2}"#, .untrusted)?.kind == .duplicateKey)
        #expect(error(Trio<Int>.self, #"{"required":1,"x":["\ud800"]}"#, .untrusted)?.kind == .invalidUnicode)
    }

    @Test(arguments: [
        (#"{"required":1}"#, 0), (#"{"a":0,"required":1,"b":{"c":1,"d":{}},"e":[{"f":1}]}"#, 3), (#"{"required":1,"a\n":1}"#, 1),
    ])
    func unknownKeysAreCounted(_ text: String, _ count: Int) {
        let reading = readings(of: Trio<Int>.self, text, options: .untrusted)
        #expect(reading.report.unknownKeyCount == count)
        #expect(reading.report.isEmpty)
        #expect(reading.disagreements == [])
        #expect(readings(of: Trio<Int>.self, text, options: .init()).report.unknownKeyCount == 0)
        let twice = readings(of: [Trio<Int>].self, "[\(text),\(text)]", options: .untrusted)
        #expect(twice.report.unknownKeyCount == count * 2)
        #expect(twice.disagreements == [])
    }

    @Test func keysOfADictionaryAreNotUnknown() {
        let reading = readings(of: [String: JSONValue].self, #"{"a":{"b":1}}"#, options: .untrusted)
        #expect(reading.report.unknownKeyCount == 0)
        #expect(reading.disagreements == [])
    }

    @Test(arguments: 0..<40)
    func randomTextEndsAtTheSamePositionHoweverItIsCut(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let options = JSONReader.Options(
            maximumDepth: 4, maximumTokenSize: 12, validation: .full, duplicateKeys: .errorEverywhere, maximumDocumentSize: 90,
            maximumKeyCount: 3, maximumElementCount: 3)
        for _ in 0..<10 {
            var bytes = Array(
                SampleJSON.random(&random, depth: 5, keys: ["a", "b", "a\\", "required", "optional"]).text(&random).utf8)
            if random.below(3) == 0 { bytes = random.damaged(bytes) }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(readings(of: JSONValue.self, bytes, options: options).disagreements == [], "\(text)")
            #expect(readings(of: Trio<JSONValue>.self, bytes, options: options).disagreements == [], "\(text)")
            #expect(readings(of: Trio<[Int]>.self, bytes, options: options).disagreements == [], "\(text)")
        }
    }

    // MARK: Reading

    /// The error of a text, the same whole and cut at every offset.
    private func error<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ text: String, _ options: JSONReader.Options, _ location: SourceLocation = #_sourceLocation
    ) -> JSONError? {
        let reading = readings(of: type, text, options: options)
        #expect(reading.disagreements == [], "\(text.prefix(80))", sourceLocation: location)
        return reading.error
    }
}
