// SPEC §1.7: which properties take part.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct SelectionSpecTests {
    @JSONModel(except: ["a", "d"])
    struct Except: Equatable {
        var a: String?
        var b: String?
        var c: String?
        var d: String?
    }

    @JSONModel(only: ["a"])
    struct Only: Equatable {
        var a: String?
        var b: String?
        var c = "kept"
        var d: String?
    }

    @JSONModel(only: ["a", "b", "d"], except: ["a", "d"])
    struct Both: Equatable {
        var a: String?
        var b: String?
        var c: String?
        var d: String?
    }

    @JSONModel
    struct Described: Equatable {
        var description: String
        @JSONIgnored(.reading) let constant = 5
        var doubled: Int { constant * 2 }
    }

    private let text = #"{"a":"A","b":"B","c":"C","d":"D"}"#

    @Test("F21: a blacklist leaves properties out, both ways")
    func except() throws {
        let value = try Except(json: text)
        #expect(value == Except(b: "B", c: "C"))
        #expect(try Except(a: "x", b: "B", d: "y").jsonString() == #"{"b":"B"}"#)
    }

    @Test("F21: a whitelist leaves all others out")
    func only() throws {
        #expect(try Only(json: text) == Only(a: "A"))
        #expect(try Only(a: "A", b: "B").jsonString() == #"{"a":"A"}"#)
    }

    @Test("F21: of a property in both lists the blacklist decides")
    func both() throws { #expect(try Both(json: text) == Both(b: "B")) }

    @Test("F22: constants and computed properties are never read, and any name can be mapped")
    func readOnly() throws {
        let value = try Described(json: #"{"description":"Apple","constant":9,"doubled":1}"#)
        #expect(value.description == "Apple")
        #expect(value.constant == 5)
        #expect(try value.jsonString() == #"{"description":"Apple","constant":5}"#)
    }
}

#endif
