// yajl's generator behind calls that cannot write an unbalanced document.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct YajlGeneratorTests {
    @Test func everyKindOfValueIsWritten() throws {
        let text = try written { value throws(JSONError) in
            try value.object { members throws(JSONError) in
                try members.member("null") { value throws(JSONError) in try value.null() }
                try members.member("bool") { value throws(JSONError) in try value.boolean(true) }
                try members.member("number") { value throws(JSONError) in try value.number(JSONNumber(Int128.max)) }
                try members.member("str\"ing") { value throws(JSONError) in try value.string("é\n/") }
                try members.member("array") { value throws(JSONError) in
                    try value.array { value throws(JSONError) in
                        try value.boolean(false)
                        try value.array { _ in }
                        try value.object { _ in }
                        try value.string("")
                    }
                }
                try members.member("raw") { value throws(JSONError) in try splice(#"{"x": [1]}"#, into: value) }
            }
        }
        #expect(
            text
                == #"{"null":null,"bool":true,"number":\#(Int128.max),"str\"ing":"é\n/","array":[false,[],{},""],"raw":{"x": [1]}}"#
        )
    }

    @Test func p18AMemberHasExactlyOneValue() throws {
        let text = try written { value throws(JSONError) in
            try value.object { members throws(JSONError) in
                try members.member("a") { _ in }
                try members.member("b") { _ in }
            }
        }
        #expect(text == #"{"a":null,"b":null}"#)
        var generator = try YajlGenerator()
        let error = failure { () throws(JSONError) in
            try generator.value.object { members throws(JSONError) in
                try members.member("a") { value throws(JSONError) in
                    try value.string("x")
                    try value.string("y")
                }
            }
        }
        #expect(error?.kind == .notWritable)
        #expect(String(decoding: generator.takeBytes(), as: UTF8.self) == #"{"a":"x""#)
    }

    @Test func p18AValueThatIsNoMemberHasNoPlaceInAnObject() throws {
        var generator = try YajlGenerator()
        let error = failure { () throws(JSONError) in
            let outer = generator.value
            try outer.object { _ throws(JSONError) in try outer.string("a key, yajl would think") }
        }
        #expect(error?.kind == .notWritable)
        #expect(generator.takeBytes() == Array("{".utf8))
    }

    @Test func p17DepthIsCountedAndRefusedBeforeYajlSeesIt() throws {
        let deepest = try written { value throws(JSONError) in try nest(127, value) }
        #expect(deepest == String(repeating: "[", count: 127) + String(repeating: "]", count: 127))
        var generator = try YajlGenerator()
        let error = try #require(failure { () throws(JSONError) in try nest(128, generator.value) })
        #expect(error.found == "more than 127 levels")
        #expect(generator.takeBytes() == Array(repeating: UInt8(ascii: "["), count: 127))
        // Poisoned: nothing more is written, the same error comes again.
        #expect(failure { () throws(JSONError) in try generator.value.null() } == error)
        #expect(failure { () throws(JSONError) in try generator.value.object { _ in } } == error)
        #expect(failure { () throws(JSONError) in try generator.reset(separator: "\n") } == error)
        #expect(generator.takeBytes() == [])
    }

    @Test func p20NumbersAreWrittenFromTheirText() throws {
        for text in ["18446744073709551615", "-170141183460469231731687303715884105728", "0.1", "1e400", "1.50"] {
            let number = try #require(JSONNumber(lexeme: text))
            let written = try written { value throws(JSONError) in try value.number(number) }
            #expect(written == text)
        }
    }

    @Test func p23PrettyTextHasYajlsOwnLayout() throws {
        let text = try written(isPretty: true) { value throws(JSONError) in
            try value.object { members throws(JSONError) in
                try members.member("a") { value throws(JSONError) in try value.array { _ in } }
            }
        }
        #expect(text == "{\n    \"a\": [\n\n    ]\n}\n")
    }

    @Test func p26AnotherDocumentFollowsASeparator() throws {
        var generator = try YajlGenerator()
        #expect(generator.takeBytes() == [])
        try generator.value.array { value throws(JSONError) in try value.null() }
        let error = failure { () throws(JSONError) in
            var other = try YajlGenerator()
            try other.value.null()
            try other.value.null()
            _ = other.takeBytes()
        }
        #expect(error?.found == "a second value in one document")
        try generator.reset(separator: "\n")
        try generator.value.boolean(true)
        var sink: [UInt8] = []
        try generator.flush(into: &sink)
        #expect(String(decoding: sink, as: UTF8.self) == "[null]\ntrue")
        #expect(generator.takeBytes() == [])
        try generator.reset(separator: "")
        try generator.value.string("x")
        #expect(String(decoding: generator.takeBytes(), as: UTF8.self) == "\"x\"")
    }

    @Test func anErrorThrownInABodyInvalidatesTheOpenContainer() throws {
        struct Reason { static let error = JSONError(.notWritable, found: "no reason") }
        var generator = try YajlGenerator()
        let error = failure { () throws(JSONError) in
            try generator.value.array { value throws(JSONError) in
                try value.null()
                throw Reason.error
            }
        }
        #expect(error == Reason.error)
        #expect(failure { () throws(JSONError) in try generator.value.null() } == Reason.error)
        #expect(generator.takeBytes() == Array("[null".utf8))
    }

    // MARK: Calls

    private func written(isPretty: Bool = false, _ body: (YajlGenerator.Value) throws(JSONError) -> Void) throws(JSONError)
        -> String
    {
        var generator = try YajlGenerator(isPretty: isPretty)
        try body(generator.value)
        return String(decoding: generator.takeBytes(), as: UTF8.self)
    }

    private func nest(_ depth: Int, _ value: YajlGenerator.Value) throws(JSONError) {
        guard depth > 0 else { return }
        try value.array { value throws(JSONError) in try nest(depth - 1, value) }
    }

    private func splice(_ text: StaticString, into value: YajlGenerator.Value) throws(JSONError) {
        try unsafe value.splice(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
