// Arrays that key paths lead into by the positions of elements, damaged in every way that JSON can be: both parsers give the same value or
// the same error.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct DamagedPositionTests {
    private enum Second: KeyList { static let keys: [JSONKeyPath] = ["c.1"] }
    private enum Inner: KeyList { static let keys: [JSONKeyPath] = ["c.1.0"] }
    private enum After: KeyList { static let keys: [JSONKeyPath] = ["a.c.1"] }
    private enum Member: KeyList { static let keys: [JSONKeyPath] = ["c.1.n"] }
    /// Several properties share the key and the element.
    private enum Shared: SlotKeys {
        static let keys: [[JSONKeyPath]] = [["c.0"], ["c.1.0", "c.1"], ["c.1.n"], ["c.1"]]
        static let policies: [JSONPropertyPolicy] = []
    }

    /// What is put in an element's place: JSON, and text that is not JSON.
    private static let elements = [
        "2", #""x""#, "[7]", #"{"n":5}"#, "tru", "nulll", "01", "1.", "-", "1e", "+1", ".5", "NaN", "'a'", #""a"#, #""\x""#,
        #""\u12"#,
        "\"\u{1}\"", #""\uD800""#, "[1 2]", "[1,]", #"{"n"}"#, #"{"n":1,}"#, "[}", "{]", "]", "}", "", ":", "1:2", "\u{1}",
        "/**/3",
        #"{"x":[1,,2],"n":4}"#, #"[[[[[[9]]]]]"#, #"[3,{"a":[tru]}]"#,
    ]

    /// Arrays with a damaged element or separator before, on and after the path.
    private static let arrays: [String] = {
        var arrays: [String] = []
        for element in elements { arrays += ["[\(element),2]", "[1,\(element)]", "[1,[6],\(element),5]"] }
        for (first, second) in [
            (",", ","), ("", ","), (" ", ","), (",,", ","), (",", ",,"), (",", " "), (":", ","), (",", ";"), (",", "]"),
        ] {
            for edges in [("[", "]"), ("[,", "]"), ("[", ",]"), ("[", ""), ("[", "}"), ("[", "]]"), ("[ ", " ]")] {
                arrays.append("\(edges.0)1\(first)[2]\(second)3\(edges.1)")
            }
            // Long enough to be passed over by its brackets.
            arrays.append("[1\(first)2\(second)\"\(String(repeating: "y", count: 80))\"]")
        }
        return arrays
    }()

    private func expectOneReading<Value: JSONBindable & Equatable>(_ type: Value.Type, _ text: String) {
        #expect(readings(of: type, text, options: .strict).disagreements == [], "\(text)")
    }

    @Test func damagedArrayOnAPathGivesOneReading() {
        for array in Self.arrays {
            expectOneReading(Keyed<Int, Second>.self, "{\"c\":\(array)}")
            expectOneReading(Keyed<Int, After>.self, "{\"a\":{\"c\":\(array),\"z\":[]}}")
            expectOneReading(Several<Shared>.self, "{\"c\":\(array),\"y\":1}")
        }
    }

    @Test func damagedArrayInsideAnArrayOnAPathGivesOneReading() {
        for array in Self.arrays {
            expectOneReading(Keyed<Int, Inner>.self, "{\"c\":\(array)}")
            expectOneReading(Keyed<Int, Inner>.self, "{\"c\":[0,\(array)]}")
            expectOneReading(Keyed<Int, Member>.self, "{\"c\":[0,{\"m\":\(array),\"n\":3},4]}")
        }
    }

    @Test func damagedArrayOnAPathIsASyntaxError() {
        for array in ["[1 2]", "[1,,2]", "[tru,2]", "[,1,2]", "[1,2,]", "[1,2,01]", "[1,2 3]", "[1,2,[tru]]", "[1,2,\"\\x\"]"] {
            let error = failure(reading: Keyed<Int, Second>.self, "{\"c\":\(array)}")
            #expect(error?.kind == .syntax, "\(array)")
        }
    }

    @Test func arrayOnAPathNestedTooDeeplyIsOneError() {
        for depth in [10, 500, 511, 512, 513, 600] {
            let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let reading = readings(of: Keyed<Int, Second>.self, "{\"c\":[\(nest),2]}", options: .strict)
            #expect(reading.disagreements == [], "\(depth)")
        }
    }
}
