// yajl's generator after calls that cannot write an unbalanced document.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct YajlGeneratorTests {
    @Test func elementsStandBetweenTheBracketsOfOneArray() throws {
        var generator = try YajlGenerator()
        try generator.openArray()
        for text in ["null", "\"é\"", #"{"x": [1]}"#, "[]"] { try splice(text, into: generator) }
        try generator.closeArray()
        #expect(try text(of: &generator) == #"[null,"é",{"x": [1]},[]]"#)
    }

    @Test func p17NoLevelBelowTheArrayIsOpenedSoDeeperTextIsAnElement() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        var generator = try YajlGenerator()
        try generator.openArray()
        try splice(deep, into: generator)
        let error = try #require(failure { () throws(JSONError) in try generator.openArray() })
        #expect(error.kind == .notWritable)
        #expect(try text(of: &generator) == "[" + deep)
        // Poisoned: nothing more is written, the same error comes again.
        #expect(failure { () throws(JSONError) in try splice("1", into: generator) } == error)
        #expect(failure { () throws(JSONError) in try generator.closeArray() } == error)
        #expect(failure { () throws(JSONError) in try generator.reset(separator: "\n") } == error)
        #expect(generator.count == 0)
    }

    @Test func p18ABracketTooManyNeverReachesYajl() throws {
        for opens in [false, true] {
            var generator = try YajlGenerator()
            if opens {
                try generator.openArray()
                try generator.closeArray()
            }
            let error = try #require(failure { () throws(JSONError) in try generator.closeArray() })
            #expect(error.kind == .notWritable)
            #expect(failure { () throws(JSONError) in try splice("1", into: generator) } == error)
            #expect(try text(of: &generator) == (opens ? "[]" : ""))
        }
    }

    @Test func p20NumbersAreWrittenFromTheirText() throws {
        for text in ["18446744073709551615", "-170141183460469231731687303715884105728", "0.1", "1e400", "1.50"] {
            var stream = try RecordStream(.lines, options: .init())
            #expect(try stream.append(#require(JSONNumber(lexeme: text))))
            var sink: [UInt8] = []
            try stream.finish(into: &sink, endsLine: true)
            #expect(String(decoding: sink, as: UTF8.self) == text + "\n")
        }
    }

    @Test func p23PrettyTextHasYajlsOwnLayout() throws {
        var generator = try YajlGenerator(isPretty: true)
        try generator.openArray()
        try generator.closeArray()
        #expect(try text(of: &generator) == "[\n\n]\n")
        generator = try YajlGenerator(isPretty: true, indent: 3)
        try generator.openArray()
        for element in ["1", "{}"] { try splice(element, into: generator) }
        try generator.closeArray()
        generator.removeLastLineBreak()
        #expect(try text(of: &generator) == "[\n   1,\n   {}\n]")
    }

    @Test func p26AnotherDocumentFollowsASeparator() throws {
        var generator = try YajlGenerator()
        #expect(try text(of: &generator) == "")
        try splice("[null]", into: generator)
        let error = failure { () throws(JSONError) in
            let other = try YajlGenerator()
            for _ in 0..<2 { try splice("null", into: other) }
        }
        #expect(error?.found == "a second value in one document")
        try generator.reset(separator: "\n")
        try splice("true", into: generator)
        #expect(try text(of: &generator) == "[null]\ntrue")
        #expect(generator.count == 0)
        try generator.reset(separator: "")
        try splice("\"x\"", into: generator)
        #expect(try text(of: &generator) == "\"x\"")
    }

    // MARK: Calls

    private func text(of generator: inout YajlGenerator) throws(JSONError) -> String {
        var sink: [UInt8] = []
        try generator.flush(into: &sink)
        return String(decoding: sink, as: UTF8.self)
    }

    private func splice(_ text: String, into generator: borrowing YajlGenerator) throws(JSONError) {
        let bytes = Array(text.utf8)
        try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            try unsafe generator.splice(UnsafeRawBufferPointer(bytes))
        }
    }
}
