// Which key binds which property: paths, alternatives, strategies, escapes, and many keys.

import SluiceTestSupport
import Testing

@testable import SluiceCore

private enum Ranked: KeyList { static let keys: [JSONKeyPath] = ["id", "ID", "ext.id"] }
private enum Deep: KeyList { static let keys: [JSONKeyPath] = ["a.b.c.d"] }
private enum Dotted: KeyList { static let keys: [JSONKeyPath] = [.literal("a.b")] }
private enum Odd: KeyList { static let keys: [JSONKeyPath] = [.literal("tab\t\"é\"?/\\😀")] }
private enum Empty: KeyList { static let keys: [JSONKeyPath] = [.literal("")] }
private enum Prefixed: SlotKeys { static let keys: [[JSONKeyPath]] = [["a.b.c"], ["a.b.d"], ["a.e"], ["f"]] }
private enum Overlapping: SlotKeys { static let keys: [[JSONKeyPath]] = [["x", "y"], ["y", "x"], ["z"]] }
private enum Nested: SlotKeys { static let keys: [[JSONKeyPath]] = [["a.b.c"], ["a.b"]] }
private enum Snake: KeyMaking { static let strategy = JSONKeyStrategy.snakeCase }
private enum Kebab: KeyMaking { static let strategy = JSONKeyStrategy.kebabCase }
private enum Pascal: KeyMaking { static let strategy = JSONKeyStrategy.pascalCase }
private enum Custom: KeyMaking { static let strategy = JSONKeyStrategy.custom { "in.\($0)" } }

@Suite struct KeyTests {
    @Test(arguments: [
        (#"{"required":1,"opt"#, ""), (#"[{"required":1}, {"required":2 , "a\""#, "[1]"), (#"{"x":{"required":1,""#, ""),
        (#"{"required":"x"#, "required"), (#"{"required":{"a":1,"b"#, "required"),
    ])
    func textThatEndsInsideAKeyHasThePathOfTheObject(_ text: String, _ path: String) {
        if text.hasPrefix("[") {
            let reading = readings(of: [Trio<Int>].self, text, options: .strict)
            #expect(reading.outcome == .failure(.unexpectedEnd, path))
            #expect(reading.disagreements == [])
        } else {
            let reading = readings(of: Trio<JSONValue>.self, text, options: .strict)
            // A skipped object has the path of its key.
            #expect(reading.error?.kind == .unexpectedEnd)
            if !text.contains("x\":{") { #expect(reading.error?.path == path) }
            #expect(reading.disagreements == [])
        }
    }

    // MARK: Alternatives

    @Test func theFirstAlternativeThatIsNotNullWinsInAnyOrder() {
        // Each of the three keys is absent, null, or a number; all orders.
        let keys = [(#""id":"#, ""), (#""ID":"#, ""), (#""ext":{"id":"#, "}")]
        for code in 0..<27 {
            let states = [code % 3, code / 3 % 3, code / 9]
            let expected = states.firstIndex(of: 2)
            for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
                func text(_ value: (Int) -> String) -> String {
                    let members = order.filter { states[$0] > 0 }
                        .map { keys[$0].0 + (states[$0] == 2 ? value($0) : "null") + keys[$0].1 }
                    return "{\(members.joined(separator: ","))}"
                }
                expect(Keyed<Int, Ranked>.self, text { "\($0)" }, Keyed(value: expected))
                expect(Keyed<[String], Ranked>.self, text { "[\"\($0)\"]" }, Keyed(value: expected.map { ["\($0)"] }))
            }
        }
    }

    @Test func aRefusedAlternativeOfLesserRankIsNoErrorWhateverTheOrder() {
        expect(Keyed<Int, Ranked>.self, #"{"id":1,"ID":"text"}"#, Keyed(value: 1))
        expect(Keyed<Int, Ranked>.self, #"{"ID":"text","id":1}"#, Keyed(value: 1))
        #expect(failure(reading: Keyed<Int, Ranked>.self, #"{"ID":"text"}"#)?.path == "ID")
    }

    @Test func theTableRanksAlternatives() {
        let table = rows(of: Keyed<Int, Ranked>.self)
        #expect(table.map(\.key) == ["id", "ID", "ext"])
        #expect(table.map(\.kind) == [.int64, .int64, .path])
        #expect(table.prefix(2).map(\.rank) == [0, 1])
        #expect(table.prefix(2).allSatisfy { $0.flags.contains([.ranked, .special]) })
        let below = rows(of: Keyed<Int, Ranked>.self, under: "ext")
        #expect(below.map(\.rank) == [2])
        #expect(below.map(\.offset) == [0])
    }

    @Test func aKeyOfSeveralPropertiesLeadsToARowOfEach() throws {
        let shared = rows(of: Several<Overlapping>.self)
        #expect(shared.map(\.key) == ["x", "y", "z"])
        #expect(shared.map(\.kind) == [.sharedKey, .sharedKey, .int64])
        let text = #"{"a":{"b":{"c":3}}}"#
        #expect(readEveryWay(Several<Nested>.self, text).disagreements == [])
    }

    // MARK: Paths

    @Test func pathsThatShareAPrefixAreOneLevel() {
        expect(Several<Prefixed>.self, #"{"f":4,"a":{"e":3,"b":{"d":2,"c":1,"x":0},"y":[]}}"#, Several(values: [1, 2, 3, 4]))
        expect(Several<Prefixed>.self, #"{"a":{"b":{"c":1}},"f":4,"a":{"b":{"d":2},"e":3}}"#, Several(values: [1, 2, 3, 4]))
        #expect(rows(of: Several<Prefixed>.self).map(\.kind) == [.path, .int64])
        #expect(rows(of: Several<Prefixed>.self, under: "a").map(\.key) == ["b", "e"])
        #expect(rows(of: Several<Prefixed>.self, under: "a", "b").map(\.slot) == [0, 1])
    }

    @Test(arguments: ["1", "null", "true", "\"text\"", "[1,{\"b\":2}]", "[]", "{}"])
    func anythingButAnObjectOnTheWayLeavesTheEndAbsent(_ other: String) {
        expect(Keyed<Int, Deep>.self, #"{"a":\#(other)}"#, Keyed(value: nil))
        expect(Keyed<Int, Deep>.self, #"{"a":{"b":\#(other)}}"#, Keyed(value: nil))
        expect(Keyed<Int, Deep>.self, #"{"a":{"b":{"c":\#(other)}},"a":{"b":{"c":{"d":5}}}}"#, Keyed(value: 5))
    }

    @Test func aKeyMayContainDots() {
        expect(Keyed<Int, Dotted>.self, #"{"a":{"b":1},"a.b":2}"#, Keyed(value: 2))
        #expect(rows(of: Keyed<Int, Dotted>.self).map(\.kind) == [.int64])
    }

    @Test func valuesUnderAPathMayBeAnything() {
        expect(Keyed<[String], Deep>.self, #"{"a":{"b":{"c":{"d":["x",""]}}}}"#, Keyed(value: ["x", ""]))
        expect(Keyed<RawJSON, Deep>.self, #"{"a":{"b":{"c":{"d": [ 1 ] }}}}"#, Keyed(value: RawJSON(known: "[ 1 ]")))
        expect(Keyed<JSONValue, Deep>.self, #"{"a":{"b":{"c":{"d":{"e":1}}}}}"#, Keyed(value: ["e": 1]))
        expect(Keyed<Trio<Int>, Deep>.self, #"{"a":{"b":{"c":{"d":{"required":1}}}}}"#, Keyed(value: Trio(required: 1)))
    }

    // MARK: Spelling

    @Test func keyWithEscapesFindsItsRow() {
        expect(Keyed<Int, Odd>.self, #"{"tab\t\"é\"?/\\😀":1}"#, Keyed(value: 1))
        expect(Keyed<Int, Odd>.self, #"{"\u0074ab\u0009\u0022\u00e9\u0022\u003f\/\u005c\ud83d\ude00":1}"#, Keyed(value: 1))
        expect(Keyed<Int, Empty>.self, #"{"":1}"#, Keyed(value: 1))
        expect(Trio<Int>.self, #"{"re\u0071uired":1}"#, Trio(required: 1))
    }

    @Test func keysAreComparedByBytesNotByCharacters() {
        // The same character as one scalar and as two.
        #expect(failure(reading: Accented.self, "{\"e\u{301}\":1}")?.kind == nil)
        expect(Accented.self, "{\"e\u{301}\":1,\"\u{e9}\":2}", Accented(value: 2))
    }

    private typealias Accented = Keyed<Int, Accent>
    private enum Accent: KeyList { static let keys: [JSONKeyPath] = [.literal("\u{e9}")] }

    @Test func strategiesMakeTheKeysOfTheTable() {
        #expect(rows(of: Strategic<Snake>.self).map(\.key) == ["created_at", "html_url"])
        #expect(rows(of: Strategic<Kebab>.self).map(\.key) == ["created-at", "html-url"])
        #expect(rows(of: Strategic<Pascal>.self).map(\.key) == ["CreatedAt", "HtmlURL"])
        expect(Strategic<Snake>.self, #"{"created_at":1,"html_url":2}"#, Strategic(createdAt: 1, htmlURL: 2))
        expect(Strategic<Custom>.self, #"{"in":{"createdAt":1,"htmlURL":2}}"#, Strategic(createdAt: 1, htmlURL: 2))
    }

    // MARK: Order and number

    @Test func unknownKeysArePassedOver() {
        let unknown =
            #""a":{"required":[{"required":9}]},"requirec":8,"":7,"optional ":6,"# + "\"\(String(repeating: "k", count: 100))\":5"
        expect(Trio<Int>.self, "{\(unknown),\"required\":1,\(unknown),\"optional\":2,\(unknown)}", Trio(required: 1, optional: 2))
    }

    @Test func aKeyOfTheInnerModelIsNotTakenForOneOfTheOuter() {
        // After the inner object's `required` its next key is `defaulted`, and so is the next key of the outer object.
        expect(
            Trio<Trio<Int>>.self,
            #"{"required":{"required":1},"defaulted":{"required":2},"optional":{"required":3,"optional":4}}"#,
            Trio(required: Trio(required: 1), defaulted: Trio(required: 2), optional: Trio(required: 3, optional: 4)))
        expect(
            Keyed<Trio<Int>, Deep>.self,
            #"{"a":{"b":{"c":{"d":{"required":1}, "defaulted":"x"}, "defaulted":"x"},"defaulted":"x"},"defaulted":"x"}"#,
            Keyed(value: Trio(required: 1)))
        expect(Tree.self, #"{"children":[{"name":"b"}],"name":"a"}"#, Tree("a", [Tree("b")]))
        expect(
            Mixed.self, #"{"inner":{"other":1},"name":"outer","flag":true}"#,
            Mixed(name: "outer", flag: true, inner: Inner(other: 1, name: nil)))
    }

    @Test func moreThanAWordOfPropertiesBindInAnyOrder() throws {
        var random = SplitMix64(seed: 41)
        let crowd = Crowd(values: (0..<250).map { $0 * 7 - 900 })
        for _ in 0..<20 {
            let members = (0..<250).shuffled(using: &random).map { "\"p\($0)\":\(crowd.values[$0])" }
            expect(Crowd.self, "{\(members.joined(separator: ","))}", crowd)
        }
        #expect(try Crowd(json: crowd.jsonString()) == crowd)
    }

    @Test func eachOfManyMissingKeysIsNamed() throws {
        let present = Set([0, 63, 64, 127, 128, 191, 192, 249])
        let members = present.sorted().map { "\"p\($0)\":\($0 == 64 ? "null" : "1")" }
        let error = try #require(failure(reading: Crowd.self, "{\(members.joined(separator: ","))}"))
        #expect(error.keys == (0..<250).filter { !present.contains($0) || $0 == 64 }.map { "p\($0)" })
        #expect(error.summary.contains("'p63'") == false && error.summary.contains("'p64' (null), 'p65'"))
    }

    private func expect<Value: JSONBindable & Equatable>(
        _ type: Value.Type, _ text: String, _ value: Value, _ location: SourceLocation = #_sourceLocation
    ) {
        let (outcome, disagreements) = readEveryWay(type, text)
        #expect(outcome == .value(value), "\(text.prefix(200))", sourceLocation: location)
        #expect(disagreements == [], "\(text.prefix(200))", sourceLocation: location)
    }
}

// MARK: - An outer model whose rows lie elsewhere than the inner one's

private struct Inner: JSONModel, Equatable {
    var other: Int?
    var name: String?

    init(other: Int?, name: String?) {
        self.other = other
        self.name = name
    }

    struct JSONDraft: _JSONModelDraft {
        var other: Int?
        var name: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("other", \JSONDraft.other, presence: .optional)
        model.property("name", \JSONDraft.name, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Inner.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        other = draft.other
        name = draft.name
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

private struct Mixed: JSONModel, Equatable {
    var name: String?
    var flag: Bool?
    var inner: Inner?

    init(name: String?, flag: Bool?, inner: Inner?) {
        self.name = name
        self.flag = flag
        self.inner = inner
    }

    struct JSONDraft: _JSONModelDraft {
        var inner: Inner?
        var flag: Bool?
        var name: String?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("inner", \JSONDraft.inner, presence: .optional)
        model.property("flag", \JSONDraft.flag, presence: .optional)
        model.property("name", \JSONDraft.name, presence: .optional)
    }

    static let _jsonTable = PropertyTable._compiled(for: Mixed.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = draft.name
        flag = draft.flag
        inner = draft.inner
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}
