// SPEC §1.2, issue 4: the position of an element in an array as a component of a key path.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct PathPositionSpecTests {
    @JSONModel
    struct Item: Equatable {
        var id: Int
        var tags: [String] = []
    }

    @JSONModel
    struct First: Equatable {
        @JSONKey("items.0.id") var firstID: Int?
        @JSONKey("items.0") var first: Item?
        @JSONKey("items.2.tags.1") var tag: String?
        @JSONKey("items.1") var raw: RawJSON?
        @JSONKey("matrix.1.0") var cell: Double?
        @JSONKey("a.b.10.c") var deep: Bool?
        var last = 0
    }

    @Test("F7: a number in a path is the position of an element")
    func positionsInPaths() throws {
        let text = """
            {"items": [ {"id": 1, "tags": ["x"]} , {"any": [ 1 ]}, {"tags":["a","b"], "id":3}, 4 ],
             "matrix": [[1,2],[3.5,4],[]], "a": {"b": [0,1,2,3,4,5,6,7,8,9,{"c":true}]}, "last": 7}
            """
        let expected = First(
            firstID: 1, first: Item(id: 1, tags: ["x"]), tag: "b", raw: try RawJSON(json: #"{"any": [ 1 ]}"#), cell: 3.5,
            deep: true, last: 7)
        let reading = readEveryWay(First.self, text)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(expected))
    }

    @JSONModel
    struct Written: Equatable {
        @JSONKey("items[0].id") var firstID: Int?
        @JSONKey("$.items[2].tags[1]") var tag: String?
        @JSONKey("/matrix/1/0") var cell: Double?
        @JSONKey("\"k8s.pod.name\"") var pod: String?
        @JSONKey("k8s.pod.name") var nested: String?
        @JSONKey("a.\"x y\".b") var blank: Bool?
    }

    @Test("F7: brackets, pointers and quoted keys lead where dots do")
    func pathsOfEveryForm() {
        let text = """
            {"items": [{"id": 1}, null, {"tags":["a","b"]}], "matrix": [[1],[3.5]], "k8s.pod.name": "p",
             "k8s": {"pod": {"name": "q"}}, "a": {"x y": {"b": true}}}
            """
        let reading = readEveryWay(Written.self, text)
        #expect(reading.disagreements == [])
        #expect(
            reading.outcome
                == .value(Written(firstID: 1, tag: "b", cell: 3.5, pod: "p", nested: "q", blank: true)))
    }

    @Test(
        "F7: a position that is not there is absent",
        arguments: [
            #"{"items":[]}"#, #"{"items":7}"#, #"{"items":null}"#, #"{"matrix":[[1]]}"#, #"{"a":{"b":[{"c":true}]}}"#, "{}",
        ])
    func absentRange(_ text: String) {
        let reading = readEveryWay(First.self, text)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(First()))
    }

    @Test("F7: an error after a position has its path and offset")
    func errorsAfterPositions() {
        let text = "{\"matrix\":[[],\n[\"x\"]],\"last\":1}"
        let error = failure(reading: First.self, text)
        #expect(error?.kind == .typeMismatch)
        #expect(error?.path == "matrix.1.0")
        #expect(error?.line == 2)
        #expect(error?.column == 2)
        #expect(positionsEveryWay(First.self, text) == [])
        var reader = JSONReader(options: .init(mismatch: .keep))
        #expect(throws: Never.self) { try reader.read(First.self, from: text) }
        #expect(reader.report.droppedCount == 1)
    }

    @Test("F7: an object whose keys are digits is found by the same path, and is what is written")
    func objectsWithDigits() throws {
        let value = First(cell: 2, last: 1)
        #expect(try value.jsonString() == #"{"matrix":{"1":{"0":2}},"last":1}"#)
        #expect(try First(json: value.jsonString()) == value)
    }

    @JSONModel
    struct Limits: Equatable {
        var low = 0.0
        var high: Float?
    }

    @Test("F19: the three words for what is not finite go both ways where the options say so")
    func nonFiniteStrings() throws {
        let value = Limits(low: -.infinity, high: .infinity)
        let text = try value.jsonString(options: .init(nonFinite: .strings))
        #expect(text == #"{"low":"-Infinity","high":"Infinity"}"#)
        for profile in [JSONConversions.Profile.strict, .lenient] {
            let reading = readEveryWay(Limits.self, text, options: .init(conversions: .init(profile, nonFiniteStrings: true)))
            #expect(reading.disagreements == [])
            #expect(reading.outcome == .value(value))
        }
        #expect(try Limits(json: #"{"low":"NaN"}"#, options: .init(conversions: .init(nonFiniteStrings: true))).low.isNaN)
        #expect(throws: JSONError.self) { try Limits(json: text) }
    }
}

#endif
