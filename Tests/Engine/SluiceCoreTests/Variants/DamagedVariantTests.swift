// Objects of which a variant takes only a part, damaged outside of that part: both parsers give the same value or the same error.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DamagedVariantTests {
    private struct Adjacent: JSONPolymorphic, Equatable {
        var number: Int?
        static let jsonVariants = JSONVariants<Adjacent>(by: .key("t", content: "c"))
            .variant("n", Int.self) { Adjacent(number: $0) }
            .variant("none") { Adjacent() }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    private struct External: JSONPolymorphic, Equatable {
        var number: Int?
        static let jsonVariants = JSONVariants<External>(by: .external)
            .variant("n", Int.self) { External(number: $0) }
            .variant("none") { External() }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    private struct Present: JSONPolymorphic, Equatable {
        var isOne = false
        static let jsonVariants = JSONVariants<Present>(by: .presence)
            .variant("n") { Present(isOne: true) }
            .variant("t") { Present() }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    private struct Tagged: JSONPolymorphic, Equatable {
        var isOne = false
        static let jsonVariants = JSONVariants<Tagged>(by: .key("t"))
            .variant("n") { Tagged(isOne: true) }
            .variant("none") { Tagged() }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    private struct Chosen: JSONPolymorphic, Equatable {
        var isOne = false
        static let jsonVariants = JSONVariants<Chosen>(by: .function { $0.tag("t") })
            .variant("n") { Chosen(isOne: true) }
            .variant("none") { Chosen() }
        func _write(to writer: inout JSONWriter) throws(JSONError) { writer.writeNull() }
    }

    private static let rests = [
        "", ",\"x\":1", ",,", ",", " 1", ":1", ",\"x\"", ",\"x\":", ",\"x\":tru", ",\"x\":[1 2]", ",\"x\":[1,,2]",
        ",\"x\":{\"y\"}", ",x:1",
        ",\"x\":01", ",\"x\":\"\\x\"", " \"x\":1", ",\"x\":[{]}", ",\"\\q\":1", ",[1]", "/**/",
    ]

    private func expectOneReading(_ text: String, _ options: JSONReader.Options) {
        #expect(readings(of: [Adjacent].self, text, options: options).disagreements == [], "\(text)")
        #expect(readings(of: [External].self, text, options: options).disagreements == [], "\(text)")
        #expect(readings(of: [Present].self, text, options: options).disagreements == [], "\(text)")
        #expect(readings(of: [Tagged].self, text, options: options).disagreements == [], "\(text)")
        #expect(readings(of: [Chosen].self, text, options: options).disagreements == [], "\(text)")
    }

    @Test(arguments: rests) func objectThatIsDamagedBesideItsVariantGivesOneReading(_ rest: String) {
        // The last ones name no variant, and the element is left out.
        for first in [#""t":"other","c":1"#, #""t":"n""#, #""other":1"#] {
            expectOneReading("[{\(first)\(rest)},{\(first)}]", .init())
        }
        for first in [#""t":"n","c":1"#, #""c":1,"t":"n""#, #""t":"none""#, #""n":1"#, #""none":null"#] {
            for text in ["[{\(first)\(rest)}]", "[{\(first)},{\(first)\(rest)}]"] { expectOneReading(text, .strict) }
        }
    }

    @Test func objectBesideWhoseVariantNothingIsWrongIsRead() {
        let text = #"[{"t":"n","c":7,"x":"\ud800"},{"x":[1,{"y":[]}],"c":8,"t":"n"},{"t":"none"}]"#
        let reading = readings(of: [Adjacent].self, text, options: .strict)
        #expect(reading.value?.map(\.number) == [7, 8, nil])
        #expect(reading.disagreements == [])
        let nest = String(repeating: "[", count: 505) + String(repeating: "]", count: 505)
        for depth in [509, 510, 511] {
            let text =
                #"[{"t":"n","c":1,"x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}]"
            #expect(readings(of: [Adjacent].self, text, options: .strict).disagreements == [], "\(depth)")
        }
        #expect(readings(of: [External].self, #"[{"n":1,"x":\#(nest)}]"#, options: .strict).error?.keys == ["x"])
    }
}
