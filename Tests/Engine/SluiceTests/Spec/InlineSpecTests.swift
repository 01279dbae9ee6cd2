// SPEC §1.14: variants beside their payload, and inlined models.
#if Macros

import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct InlineSpecTests {
    @JSONModel
    struct Page: Equatable {
        var total: Int
        var next: String?
    }

    @JSONModel
    struct List: Equatable {
        @JSONInline var page: Page
        var items: [Int]
    }

    @JSONModel
    struct Charge: Equatable {
        var amount: Int
    }

    @JSONModel(tag: .key("type", content: "data.object"))
    enum Payload: Equatable {
        @JSONKey("charge.paid") case chargePaid(Charge)
        case ping
        case unknown(String?, RawJSON)
    }

    @JSONModel
    struct Event: Equatable {
        var id: String
        var created: Int
        @JSONInline var payload: Payload
    }

    @JSONModel(tag: .key("type", content: "data.object"))
    enum KnownPayload: Equatable {
        @JSONKey("charge.paid") case chargePaid(Charge)
        @JSONKey("charge.failed") case chargeFailed(Charge)
    }

    @JSONModel
    struct KnownEvent: Equatable {
        var id: String
        @JSONInline var payload: KnownPayload
    }

    /// Two levels, an optional, a default, and a key with an escape.
    @JSONModel
    struct Names: Equatable {
        @JSONKey("fïrst") var first: String
        @JSONInline var rest: Rest?
    }

    @JSONModel
    struct Rest: Equatable {
        var last: String
        var titles: [String] = []
    }

    @JSONModel
    struct Person: Equatable {
        @JSONInline var names = Names(first: "nobody", rest: nil)
        var age: Int?
    }

    @JSONModel
    final class Node: Equatable {
        var id: Int
        @JSONInline var page: Page

        init(id: Int, page: Page) { (self.id, self.page) = (id, page) }

        static func == (left: Node, right: Node) -> Bool { left.id == right.id && left.page == right.page }
    }

    @JSONModel
    struct Holder: Equatable {
        var lists: [List]
        var events: [String: Event]
        var node: Node?
    }

    // MARK: Reading

    @Test func anInlinedModelIsReadInAnyOrderCutAnywhere() {
        for text in [
            #"{"total":2,"next":null,"items":[1,2]}"#, #"{"items":[1,2],"next":null,"total":2}"#,
            #" { "items" : [ 1, 2 ] , "t\u006ftal" : 2 } "#, #"{"total":9,"items":[1,2],"total":2,"other":{"total":[]}}"#,
        ] {
            let (outcome, disagreements) = readEveryWay(List.self, text)
            #expect(outcome == .value(List(page: Page(total: 2, next: nil), items: [1, 2])))
            #expect(disagreements == [])
        }
    }

    @Test func aVariantIsToldByAKeyBesideIt() {
        let paid = Event(id: "e1", created: 5, payload: .chargePaid(Charge(amount: 3)))
        for text in [
            #"{"id":"e1","type":"charge.paid","created":5,"data":{"object":{"amount":3}}}"#,
            #"{"data":{"extra":[1,{"object":2}],"object":{"amount":3}},"created":5,"id":"e1","type":"charge.paid"}"#,
        ] {
            let (outcome, disagreements) = readEveryWay(Event.self, text)
            #expect(outcome == .value(paid))
            #expect(disagreements == [])
        }
        let ping = readEveryWay(Event.self, #"{"id":"p","created":1,"type":"ping"}"#)
        #expect(ping.outcome == .value(Event(id: "p", created: 1, payload: .ping)))
        #expect(ping.disagreements == [])
    }

    @Test func modelsInsideOthersAreInlinedThere() {
        let text = """
            {"lists":[{"items":[],"total":1},{"total":2,"next":"x","items":[3]}],
             "events":{"a":{"type":"ping","id":"1","created":2}},"node":{"next":"n","id":7,"total":8}}
            """
        let (outcome, disagreements) = readEveryWay(Holder.self, text)
        #expect(
            outcome
                == .value(
                    Holder(
                        lists: [
                            List(page: Page(total: 1, next: nil), items: []), List(page: Page(total: 2, next: "x"), items: [3]),
                        ],
                        events: ["a": Event(id: "1", created: 2, payload: .ping)],
                        node: Node(id: 7, page: Page(total: 8, next: "n")))))
        #expect(disagreements == [])
    }

    @Test func anObjectWithoutTheKeysLeavesAnOptionalNilAndADefaultAsItIs() {
        for (text, expected) in [
            (#"{"age":3}"#, Person(age: 3)), (#"{}"#, Person()),
            (#"{"f\u00efrst":"a","age":3}"#, Person(names: Names(first: "a", rest: nil), age: 3)),
            (#"{"last":"b","fïrst":"a"}"#, Person(names: Names(first: "a", rest: Rest(last: "b")), age: nil)),
        ] {
            let (outcome, disagreements) = readEveryWay(Person.self, text)
            #expect(outcome == .value(expected))
            #expect(disagreements == [])
        }
    }

    // MARK: Errors

    @Test func errorsHaveThePositionInTheDocument() throws {
        let mismatch = try #require(failure(reading: List.self, #"{"items":[],"total":"x"}"#))
        #expect(mismatch.kind == .typeMismatch || mismatch.kind == .invalidValue)
        #expect(mismatch.path == "total" && mismatch.offset == 20)
        #expect(positionsEveryWay(List.self, #"{"items":[],"total":"x"}"#) == [])
        let missing = try #require(failure(reading: List.self, #"{"items":[]}"#))
        #expect(missing.kind == .missingKeys && missing.keys == ["total"])
        let own = try #require(failure(reading: List.self, #"{"total":1}"#))
        #expect(own.kind == .missingKeys && own.keys == ["items"])
        let payload = try #require(
            failure(reading: Holder.self, #"{"lists":[],"events":{"a":{"id":"1","created":2,"type":"charge.paid"}}}"#))
        #expect(payload.kind == .missingKeys && payload.keys == ["data.object"])
        let inside = try #require(
            failure(reading: [Event].self, #"[{"id":"1","created":2,"type":"charge.paid","data":{"object":{"amount":"x"}}}]"#))
        #expect(inside.path == "[0].data.object.amount")
        #expect(failure(reading: List.self, "[1]")?.kind == .typeMismatch)
        #expect(failure(reading: List.self, #"{"total":1,"items":[}"#)?.kind == .syntax)
        #expect(positionsEveryWay(List.self, #"{"total":1,"items":[}"#) == [])
    }

    @Test func anUnknownTagIsAnErrorThatListsTheCases() throws {
        let error = try #require(failure(reading: KnownEvent.self, #"{"id":"1","type":"charge.lost","data":{"object":{}}}"#))
        #expect(error.kind == .invalidValue)
        #expect(error.expected == "one of 'charge.paid', 'charge.failed' by type")
        #expect(error.found == "'charge.lost'")
    }

    @JSONModel
    struct Clashing {
        var total: Int
        @JSONInline var page: Page
    }

    @JSONModel
    struct Twice {
        @JSONInline var first: Page
        @JSONInline var second: Page
    }

    @Test func twoPropertiesOnOneKeyAreAnErrorAtTheFirstUse() throws {
        let error = try #require(failure { () throws(JSONError) in try Clashing(json: #"{"total":1}"#) })
        #expect(error.kind == .invalidModel)
        #expect(error.found == "Clashing: 'total' and the inlined 'page' both have the key 'total'")
        #expect(throws: JSONError.self) { try Clashing(total: 1, page: Page(total: 1, next: nil)).jsonString() }
        #expect(failure { () throws(JSONError) in try Twice(json: "{}") }?.kind == .invalidModel)
    }

    // MARK: Unknown keys

    @Test func unknownKeysAreThoseThatNeitherKnows() throws {
        var options = JSONReader.Options.strict
        options.unknownKeys = .reject
        let text = #"{"total":2,"next":null,"items":[1,2]}"#
        #expect(try List(json: text, options: options) == List(json: text))
        let other = try #require(failure(reading: List.self, #"{"total":2,"more":1,"items":[]}"#, options: options))
        #expect(other.kind == .unknownKey && other.keys == ["more"])
        options.unknownKeys = .report
        let reading = try List.reading(json: #"{"total":2,"more":1,"items":[],"next":null}"#, options: options)
        #expect(reading.report.unknownKeyCount == 1)
        #expect(reading.report.unknownKeys.map(\.path) == ["more"])
        let event = try Event.reading(
            json: #"{"id":"e","created":1,"type":"charge.paid","data":{"object":{"amount":3,"x":1}}}"#, options: options)
        #expect(event.report.unknownKeyCount == 1)
    }

    @JSONModel(unknownKeys: .collect(into: "rest"))
    struct Collecting: Equatable {
        @JSONInline var page: Page
        var rest: JSONObject
    }

    @Test func theOuterModelCollectsWhatNeitherKnows() throws {
        let text = #"{"total":2,"next":"a","x":1,"y":[2]}"#
        let model = try Collecting(json: text)
        #expect(model.rest == ["x": 1, "y": [2]])
        #expect(try model.jsonString() == text)
    }

    @Test func aCollectedKeyHasItsLastValueOnce() throws {
        #expect(try Collecting(json: #"{"total":2,"x":1,"y":2,"x":3}"#).rest == ["x": 3, "y": 2])
    }

    @Test func anUnknownTagKeepsItsNameAndItsMembers() throws {
        let text = #"{"id":"e","created":1,"type":"new.kind","data":{"object":{"a":1e400}},"livemode":true}"#
        let event = try Event(json: text)
        #expect(
            event.payload
                == .unknown("new.kind", try RawJSON(json: #"{"type":"new.kind","data":{"object":{"a":1e400}},"livemode":true}"#)))
        #expect(try event.jsonString() == text)
        #expect(readEveryWay(Event.self, text).disagreements == [])
    }

    // MARK: Writing

    @Test func inlinedMembersAreWrittenWhereThePropertyStands() throws {
        #expect(try List(page: Page(total: 2, next: nil), items: [1]).jsonString() == #"{"total":2,"items":[1]}"#)
        let event = Event(id: "e", created: 1, payload: .chargePaid(Charge(amount: 3)))
        #expect(try event.jsonString() == #"{"id":"e","created":1,"type":"charge.paid","data":{"object":{"amount":3}}}"#)
        #expect(try Person().jsonString() == #"{"fïrst":"nobody"}"#)
        let person = Person(names: Names(first: "a", rest: Rest(last: "b", titles: ["c"])), age: 3)
        #expect(try person.jsonString() == #"{"fïrst":"a","last":"b","titles":["c"],"age":3}"#)
        #expect(
            try person.jsonString(options: .pretty) == """
                {
                  "fïrst": "a",
                  "last": "b",
                  "titles": [
                    "c"
                  ],
                  "age": 3
                }
                """)
        #expect(try [person].jsonString(include: ["names.rest", "age"]) == #"[{"last":"b","titles":["c"],"age":3}]"#)
        #expect(try person.jsonString(exclude: ["names.first"]) == #"{"last":"b","titles":["c"],"age":3}"#)
    }

    // MARK: Updates, changes, copies, archives, schemas

    @Test func anUpdateMergesIntoAnInlinedModel() throws {
        var list = List(page: Page(total: 2, next: "a"), items: [1])
        let changes = try list.update(json: #"{"total":3}"#)
        #expect(list == List(page: Page(total: 3, next: "a"), items: [1]))
        #expect(changes.assigned == ["page.total"] && changes.changed == ["page.total"])
        #expect(try list.jsonString(of: changes) == #"{"total":3}"#)
        let other = try list.update(json: #"{"items":[2]}"#)
        #expect(other.assigned == ["items"])
        #expect(list == List(page: Page(total: 3, next: "a"), items: [2]))
        #expect(throws: JSONError.self) { try list.update(json: #"{"items":[],"total":"x"}"#) }
        #expect(list.items == [2])

        let node = Node(id: 1, page: Page(total: 2, next: "a"))
        try node.update(json: #"{"next":"b"}"#)
        #expect(node == Node(id: 1, page: Page(total: 2, next: "b")))

        var event = Event(id: "e", created: 1, payload: .ping)
        try event.update(json: #"{"created":2}"#)
        #expect(event == Event(id: "e", created: 2, payload: .ping))
        try event.update(json: #"{"data":{"object":{"amount":3}},"type":"charge.paid"}"#)
        #expect(event.payload == .chargePaid(Charge(amount: 3)))
    }

    @Test func aPatchMakesTheOtherCopyEqual() throws {
        var copy = List(page: Page(total: 2, next: "a"), items: [1])
        let changed = List(page: Page(total: 2, next: nil), items: [1])
        let changes = try changed.changes(from: copy)
        #expect(changes.changed == ["page.next"])
        try copy.update(json: changed.jsonString(of: changes))
        #expect(copy == changed)
        #expect(try changed.changes(from: changed).isEmpty)

        var old = Event(id: "e", created: 1, payload: .ping)
        let new = Event(id: "e", created: 1, payload: .chargePaid(Charge(amount: 3)))
        let difference = try new.changes(from: old)
        #expect(difference.changed == ["payload"])
        try old.update(json: new.jsonString(of: difference))
        #expect(old == new)
    }

    @Test func copiesAndArchivesHoldInlinedValues() throws {
        let person = Person(names: Names(first: "a", rest: Rest(last: "b", titles: ["c"])), age: 3)
        #expect(try Person(archive: person.archive()) == person)
        let event = Event(id: "e", created: 1, payload: .unknown("x", try RawJSON(json: #"{"type":"x"}"#)))
        #expect(try Event(archive: event.archive()) == event)
    }

    @Test func schemasAndColumnsHaveTheInnerKeysBesideTheOthers() {
        #expect(List.schema.properties.map(\.name) == ["total", "next", "items"])
        #expect(List.schema.columns.map(\.name) == ["total", "next", "items"])
    }
}

@Suite struct KeyBindableTests {
    @JSONModel
    enum Size: String, JSONKeyBindable { case small, large }

    @JSONModel
    enum Level: Int, JSONKeyBindable { case low = 1, high = 7 }

    @JSONModel
    struct Tables: Equatable {
        var names: [Int: String]
        var prices: [Size: Double]
        var levels: [Level: Bool]?
        var owners: [UUID: [UInt8: String]]?
    }

    @Test func integersIdentifiersAndEnumsAreKeys() throws {
        let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let text = #"{"names":{"-7":"Ann"},"prices":{"small":1.5},"levels":{"7":true},"owners":{"\#(id)":{"255":"x"}}}"#
        let (outcome, disagreements) = readEveryWay(Tables.self, text)
        let expected = Tables(
            names: [-7: "Ann"], prices: [.small: 1.5], levels: [.high: true],
            owners: [try #require(UUID(uuidString: id)): [255: "x"]])
        #expect(outcome == .value(expected))
        #expect(disagreements == [])
        #expect(try expected.jsonString() == text)
    }

    @Test func aKeyThatDoesNotFitIsAnErrorAtTheKey() throws {
        let error = try #require(failure(reading: Tables.self, #"{"names":{"1":"a","x":"b"},"prices":{}}"#))
        #expect(error.kind == .invalidValue && error.path == "names.x" && error.offset == 18)
        #expect(failure(reading: [UInt8: Int].self, #"{"256":1}"#)?.kind == .invalidValue)
        #expect(failure(reading: [Size: Int].self, #"{"medium":1}"#)?.found == #"the key "medium""#)
    }

    /// Two spellings of one number would be one key, and the value of the first be lost.
    @Test(arguments: ["+7", "007", "-0", " 7", "7.0", ""]) func aNumberAsAKeyHasOneSpelling(key: String) {
        #expect(failure(reading: [Int: Int].self, "{\"7\":1,\"\(key)\":2}")?.kind == .invalidValue)
    }

    @Test func anEnumSaysItsCases() throws {
        let error = try #require(failure(reading: Size.self, #""medium""#))
        #expect(error.expected == #"a case of Size ("small", "large")"#)
        #expect(failure(reading: Level.self, "3")?.expected == "a case of Level (1, 7)")
    }
}

@Suite struct SliceInputTests {
    @Test func partsOfStringsAndArraysAreRead() throws {
        let line = "data: [1, 2]"
        #expect(try [Int](json: line.dropFirst("data: ".count)) == [1, 2])
        let bytes = Array("xx[1, 2]yy".utf8)
        #expect(try [Int](json: bytes[2..<8]) == [1, 2])
        #expect(try [Int](json: bytes[2..<8], options: .tolerant) == [1, 2])
    }

    @Test func aFieldOfNullCannotBeAppliedToAPropertyThatIsNoOptional() throws {
        var name = "Ann"
        #expect(throws: JSONError.self) { try JSONField<String>.null.apply(to: &name) }
        try JSONField<String>.absent.apply(to: &name)
        #expect(name == "Ann")
        try JSONField.value("Bo").apply(to: &name)
        #expect(name == "Bo")
    }
}
#endif
