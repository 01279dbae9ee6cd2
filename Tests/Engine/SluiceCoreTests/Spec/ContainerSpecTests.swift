// F3, F4, F15 to F18: what becomes of elements that do not fit, wherever a collection is; what the report says about each; and
// what no policy ever takes.

import SluiceTestSupport
import Testing

@testable import SluiceCore

/// `{"v": 1}`, as the specification has it.
private struct Entry: JSONModel, Hashable {
    var v: Int

    init(_ v: Int) { self.v = v }

    struct JSONDraft: _JSONModelDraft {
        var v: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) { model.property("v", \JSONDraft.v) }
    static let _jsonTable = PropertyTable._compiled(for: Entry.self)
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) { v = try bound.required(draft.v, 0) }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(v) }
    static var initial: Entry { Entry(0) }
}

extension Entry: Sample {}

/// `[1, "a", [2]]`: a model whose properties are told apart by their positions.
private struct Placed: JSONModel, Equatable {
    var number: Int = 42
    var text: String = "initial"
    var list: [Int] = [42]

    struct JSONDraft: _JSONModelDraft {
        var number: Int?
        var text: String?
        var list: [Int]?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.layout = .array
        model.property("number", \JSONDraft.number, presence: .defaulted)
        model.property("text", \JSONDraft.text, presence: .defaulted)
        model.property("list", \JSONDraft.list, presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Placed.self)

    init(_ number: Int, _ text: String, _ list: [Int]) {
        self.number = number
        self.text = text
        self.list = list
    }

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        if let value = draft.number { number = value }
        if let value = draft.text { text = value }
        if let value = draft.list { list = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(number)
        case 1: try writer.property(text)
        default: try writer.property(list)
        }
    }
}

/// Where something was left out: the start of a scalar or bracket, or the position after a model that lacks keys.
private struct Drop: Equatable, CustomStringConvertible {
    let path: String
    let offset: Int
    let kind: JSONError.Kind
    let found: String

    init(_ path: String, _ offset: Int, _ found: String, _ kind: JSONError.Kind = .typeMismatch) {
        self.path = path
        self.offset = offset
        self.kind = kind
        self.found = found
    }

    init(_ error: JSONError) { self.init(error.path, error.offset, error.found, error.kind) }

    var description: String { "\(path)@\(offset) \(found) (\(kind))" }
}

private func expect<Value: JSONBindable & Equatable>(
    _ text: String, _ value: Value, drops: [Drop], _ options: JSONReader.Options = skipping,
    _ location: SourceLocation = #_sourceLocation
) {
    let reading = readings(of: Value.self, text, options: options)
    #expect(reading.outcome == .value(value), "\(text)", sourceLocation: location)
    #expect(reading.report.issues.map(Drop.init) == drops, "\(text)", sourceLocation: location)
    #expect(reading.report.droppedCount == drops.count, "\(text)", sourceLocation: location)
    #expect(reading.report.isEmpty == drops.isEmpty, sourceLocation: location)
    #expect(reading.disagreements == [], sourceLocation: location)
}

private func expect<Value: JSONBindable & Equatable>(
    _ type: Value.Type, _ text: String, fails kind: JSONError.Kind, _ path: String, _ options: JSONReader.Options = skipping,
    _ location: SourceLocation = #_sourceLocation
) {
    let reading = readings(of: type, text, options: options)
    #expect(reading.outcome == .failure(kind, path), "\(text)", sourceLocation: location)
    #expect(reading.disagreements == [], sourceLocation: location)
}

private let skipping = JSONReader.Options(elements: .skipInvalid)

private enum OwnConversions: Rules {
    static let policy = JSONPropertyPolicy(conversions: .lenient)
}

@Suite struct ContainerSpecTests {
    private static let strict = JSONReader.Options(elements: .strict)
    private static let nulls = JSONReader.Options(elements: .skipNull)

    // MARK: Roots

    @Test("F3: elements that are not models are left out of an array of models")
    func arrayOfModels() {
        let text = #"[{"v":1},3,null,{"v":2}]"#
        let drops = [Drop("[1]", 9, "the number 3"), Drop("[2]", 11, "null")]
        expect(text, [Entry(1), Entry(2)], drops: drops)
        expect([Entry].self, text, fails: .typeMismatch, "[1]", Self.strict)
        expect([Entry].self, text, fails: .typeMismatch, "[1]", Self.nulls)
        expect([Entry].self, text, fails: .typeMismatch, "[1]", .strict)
        expect(#"[{"v":1},null,{"v":2}]"#, [Entry(1), Entry(2)], drops: [Drop("[1]", 9, "null")], Self.nulls)
        expect(text, [Entry(1), Entry(2)], drops: drops, .yyModel)
        expect(
            #"[{"name":"x"},null,7,"s"]"#, [Tree("x")],
            drops: [Drop("[1]", 14, "null"), Drop("[2]", 19, "the number 7"), Drop("[3]", 21, "the string \"s\"")])
    }

    @Test("F3: unless told otherwise, nothing is left out: an element that does not fit is an error")
    func theDefaultDropsNothing() {
        for options in [JSONReader.Options(), .lenient, .strict] {
            expect([Int].self, #"[1,2,"x",4]"#, fails: .typeMismatch, "[2]", options)
            expect([Int].self, "[1,null]", fails: .typeMismatch, "[1]", options)
            expect([Entry].self, #"[{"v":1},3]"#, fails: .typeMismatch, "[1]", options)
            expect(Set<Int>.self, "[1,[]]", fails: .typeMismatch, "[1]", options)
            expect([String: Int].self, #"{"k":{}}"#, fails: .typeMismatch, "k", options)
            expect(Ruled<[Int], Defaulted>.self, #"{"v":[1,{}]}"#, fails: .typeMismatch, "v[1]", options)
        }
        expect(#"[1,"2",true]"#, [1, 2, 1], drops: [], .lenient)
        #expect(JSONReader.Options() == .lenient)
        // A property's own conversions say nothing about its elements.
        expect(Ruled<[Int], OwnConversions>.self, #"{"v":[1,"x"]}"#, fails: .typeMismatch, "v[1]", .yyModel)
        expect(#"{"v":[1,"x"]}"#, Ruled<[Int], OwnConversions>([1]), drops: [Drop("v[1]", 8, "the string \"x\"")], .tolerant)
    }

    @Test("F3: tolerant, an element that does not fit is left out and counted, whatever its JSON type")
    func tolerant() {
        let options = JSONReader.Options.tolerant
        expect(
            #"[{"v":1},3,null,{},{"v":"x"},{"v":2}]"#, [Entry(1), Entry(2)],
            drops: [
                Drop("[1]", 9, "the number 3"), Drop("[2]", 11, "null"), Drop("[3]", 18, "one without them", .missingKeys),
                Drop("[4].v", 24, "the string \"x\""),
            ], options)
        expect(
            "[1, 1.5, 300000000000000000000, 2]", [1, 2],
            drops: [
                Drop("[1]", 4, "the number 1.5", .invalidValue),
                Drop("[2]", 9, "the number 300000000000000000000", .invalidValue),
            ], options)
        expect(#"{"a":1,"b":1.5}"#, ["a": 1], drops: [Drop("b", 11, "the number 1.5", .invalidValue)], options)
    }

    @Test("F3: an element of another type is left out, and one with something wrong inside is an error, if a policy says so")
    func mistyped() {
        let options = JSONReader.Options(elements: .skipMistyped)
        let drops = [Drop("[1]", 9, "the number 3"), Drop("[2]", 11, "null")]
        expect(#"[{"v":1},3,null,{"v":2}]"#, [Entry(1), Entry(2)], drops: drops, options)
        expect([Entry].self, #"[{"v":1},{}]"#, fails: .missingKeys, "[1]", options)
        expect([Entry].self, #"[3,{"v":"x"}]"#, fails: .typeMismatch, "[1].v", options)
        expect([Int].self, "[1, 1.5]", fails: .invalidValue, "[1]", options)
        expect(#"[1, "null", 2]"#, [1, 2], drops: [Drop("[1]", 4, "the string \"null\"")], options)
        expect([[Int]].self, "[[1], [2, [3]], 4, [1.5]]", fails: .invalidValue, "[3][0]", options)
    }

    @Test("F3: a value comes with the report of what was left out")
    func valueAndReport() throws {
        let text = #"[1,"x",2]"#
        let (value, report) = try [Int].reading(json: text, options: .tolerant)
        #expect(value == [1, 2])
        #expect(report.droppedCount == 1)
        #expect(report.issues.map(\.path) == ["[1]"])
        let ofBytes = try [Int].reading(json: Array(text.utf8), options: .yyModel)
        #expect(ofBytes.value == value)
        #expect(ofBytes.report.droppedCount == 1)
        let ofBuffer = unsafe try Array(text.utf8).withUnsafeBytes { try unsafe [Int].reading(json: $0, options: .tolerant) }
        #expect(ofBuffer.value == value)
        #expect(ofBuffer.report == report)
        #expect(throws: JSONError.self) { try [Int].reading(json: text) }
        #expect(try Entry.reading(json: #"{"v":"7"}"#).report.isEmpty)
    }

    @Test("F3: what is no array is an error, and so is what breaks off")
    func noArray() {
        expect([Entry].self, #"{"v":1}"#, fails: .typeMismatch, "")
        expect([Entry].self, "7", fails: .typeMismatch, "")
        expect([Entry].self, "null", fails: .typeMismatch, "")
        expect([Entry].self, #"[{"v":1},3"#, fails: .unexpectedEnd, "[2]")
        expect(Entry.self, #"{"n":1"#, fails: .unexpectedEnd, "")
    }

    @Test("F4: values that are not models are left out of a dictionary of models, with their keys")
    func dictionaryOfModels() {
        let text = #"{"a":{"v":1},"b":null,"c":{"v":3}}"#
        expect(text, ["a": Entry(1), "c": Entry(3)], drops: [Drop("b", 17, "null")])
        expect([String: Entry].self, text, fails: .typeMismatch, "b", .strict)
        expect(text, ["a": Entry(1), "c": Entry(3)], drops: [Drop("b", 17, "null")], Self.nulls)
        expect(
            #"{"a":[{"v":1}],"b":{"x":{"y":[]}},"c":{"v":"w"},"d":{"v":4}}"#, ["d": Entry(4)],
            drops: [
                Drop("a", 5, "an array"), Drop("b", 33, "one without them", .missingKeys), Drop("c.v", 43, "the string \"w\""),
            ])
        // The last that fits counts.
        expect(#"{"a":{"v":1},"a":7}"#, ["a": Entry(1)], drops: [Drop("a", 17, "the number 7")])
    }

    // MARK: Collections in models

    @Test("F15: a set and a dictionary of models leave out values that are not models")
    func setsAndDictionaries() {
        typealias Model = Ruled<Set<Entry>, Defaulted>
        expect(
            #"{"v": [{"v":1}, {"v":1}, 2, {"v":2}]}"#, Model([Entry(1), Entry(2)]), drops: [Drop("v[2]", 25, "the number 2")])
        expect(
            #"{"v": {"a":{"v":1},"b":null}}"#, Ruled<[String: Entry], Defaulted>(["a": Entry(1)]),
            drops: [Drop("v.b", 23, "null")])
        expect(#"{"v":[1,2,2]}"#, Ruled<Set<Int>, Defaulted>([1, 2]), drops: [])
        expect(Ruled<Set<Int>, Defaulted>.self, #"{"v":{"a":1}}"#, fails: .typeMismatch, "v")
        expect(#"{"v":{"a":1}}"#, Ruled<Set<Int>, Defaulted>([]), drops: [Drop("v", 5, "an object")], .yyModel)
    }

    @Test("F16: mixed arrays keep what fits")
    func mixedArrays() {
        expect(#"[1,"x",2]"#, [1, 2], drops: [Drop("[1]", 3, "the string \"x\"")])
        expect(
            #"[1, "2", true, 1.5, null, "", [], {}, "null"]"#, [1, 2, 1],
            drops: [
                Drop("[3]", 15, "the number 1.5", .invalidValue), Drop("[4]", 20, "null"), Drop("[5]", 26, "the string \"\""),
                Drop("[6]", 30, "an array"), Drop("[7]", 34, "an object"), Drop("[8]", 38, "the string \"null\""),
            ])
        expect(
            #"["a", 1.50, false, null, ["b"]]"#, ["a", "1.50", "false"],
            drops: [Drop("[3]", 19, "null"), Drop("[4]", 25, "an array")])
        expect(
            #"["red", "blue", 7, "green"]"#, [Color.red, .green],
            drops: [
                Drop("[1]", 8, "the string \"blue\"", .invalidValue), Drop("[2]", 16, "the number 7", .invalidValue),
            ])
    }

    @Test("F16: elements that may be nil keep their nulls")
    func optionalElements() {
        expect(#"[1, null, "x", 2]"#, [1, nil, 2] as [Int?], drops: [Drop("[2]", 10, "the string \"x\"")])
        expect(#"["(null)", "nil"]"#, [nil, nil] as [Int?], drops: [])
        expect(#"[1, null, 2]"#, [1, nil, 2] as [Int?], drops: [], Self.nulls)
        expect(
            #"{"a": null, "b": [], "c": {"v": 1}}"#, ["a": nil, "c": Entry(1)] as [String: Entry?],
            drops: [Drop("b", 17, "an array")])
    }

    @Test("F16: a word for null is one to the policy that leaves out nulls")
    func wordsForNull() {
        expect(#"[1, "null", 2]"#, [1, 2], drops: [Drop("[1]", 4, "the string \"null\"")], Self.nulls)
        expect([Int].self, #"[1, "nix", 2]"#, fails: .typeMismatch, "[1]", Self.nulls)
        let empty = JSONReader.Options(conversions: JSONConversions(emptyStringIsNull: true), elements: .skipNull)
        expect(#"[1, "", 2]"#, [1, 2], drops: [Drop("[1]", 4, "the string \"\"")], empty)
    }

    @Test("F16: in arrays of arrays the innermost that may does without")
    func arraysOfArrays() {
        expect(
            "[[1, []], 2, [[3], 4], [{}], []]", [[1], [4], [], []],
            drops: [
                Drop("[0][1]", 5, "an array"), Drop("[1]", 10, "the number 2"), Drop("[2][0]", 14, "an array"),
                Drop("[3][0]", 24, "an object"),
            ])
        expect(
            #"{"a": [[1], "x", ["y", 2]], "b": 7, "c": []}"#, ["a": [[1], [2]], "c": []],
            drops: [Drop("a[1]", 12, "the string \"x\""), Drop("a[2][0]", 18, "the string \"y\""), Drop("b", 33, "the number 7")])
    }

    private enum OwnStrict: Rules { static let policy = JSONPropertyPolicy(elements: .strict) }
    private enum OwnSkipping: Rules {
        static let policy = JSONPropertyPolicy(elements: .skipInvalid)
        static let modelPolicy = JSONPropertyPolicy(elements: .strict)
    }
    private enum ModelSkippingNulls: Rules { static let modelPolicy = JSONPropertyPolicy(elements: .skipNull) }

    @Test("F16: the property's element policy comes before the model's, and the model's before the reader's")
    func precedence() {
        let text = #"{"v": [1, "x"]}"#
        let drops = [Drop("v[1]", 10, "the string \"x\"")]
        for options in [JSONReader.Options.strict, .init(), .init(elements: .skipInvalid), .yyModel] {
            expect(Ruled<[Int], OwnStrict>.self, text, fails: .typeMismatch, "v[1]", .init(elements: options.elements))
            expect(text, Ruled<[Int], OwnSkipping>([1]), drops: drops, options)
            expect(Ruled<[Int], ModelSkippingNulls>.self, text, fails: .typeMismatch, "v[1]", .init(elements: options.elements))
        }
        expect(#"{"v": [1, null]}"#, Ruled<[Int], ModelSkippingNulls>([1]), drops: [Drop("v[1]", 10, "null")], .strict)
    }

    @Test("F16: what a strict collection does not take, the one around it may")
    func anOuterTolerantArrayDropsTheModel() {
        // The inner property is strict about its elements; the array around the models is not.
        let text = #"[{"v": [1, {"a": [2, [3]]}]}, {"v": [4]}, {"v": [[5, {"b": 6}], 7]}, {"v": []}]"#
        expect(
            text, [Ruled<[Int], OwnStrict>([4]), Ruled([])],
            drops: [Drop("[0].v[1]", 11, "an object"), Drop("[2].v[0]", 49, "an array")])
        expect([Ruled<[Int], OwnStrict>].self, text, fails: .typeMismatch, "[0].v[1]", Self.strict)
    }

    @Test("F16: a model that lacks a required key is left out as a whole")
    func missingKeys() {
        expect(
            #"[{"v":1},{},{"w":{"v":2}},{"v":null},{"v":3}]"#, [Entry(1), Entry(3)],
            drops: [
                Drop("[1]", 11, "one without them", .missingKeys), Drop("[2]", 25, "one without them", .missingKeys),
                Drop("[3]", 36, "one without them", .missingKeys),
            ])
    }

    @Test("F17: of a tree the branches that do not fit are left out, at any depth")
    func trees() {
        let text = #"{"name":"1","children":[{"name":"1.1"},{"name":[]},{"name":"1.2","children":[{"name":"1.2.1"},{},0]}]}"#
        let tree = Tree("1", [Tree("1.1"), Tree("1.2", [Tree("1.2.1")])])
        expect(
            text, tree,
            drops: [
                Drop("children[1].name", 47, "an array"), Drop("children[2].children[1]", 96, "one without them", .missingKeys),
                Drop("children[2].children[2]", 97, "the number 0"),
            ])
        expect(#"{"name":"1","children":null}"#, Tree("1"), drops: [])
        expect(#"{"name":"1"}"#, Tree("1"), drops: [])
        let deep = String(repeating: #"{"name":"x","children":["#, count: 60) + "7" + String(repeating: "]}", count: 60)
        let reading = readings(of: Tree.self, deep, options: skipping)
        #expect(reading.report.issues.map(\.path) == [Array(repeating: "children[0]", count: 60).joined(separator: ".")])
        #expect(reading.disagreements == [])
    }

    @Test("F18: untyped values are kept as they are, nulls included")
    func untyped() {
        expect(
            #"{"v":[1,"a",{"v":1},null]}"#,
            Ruled<[JSONValue], Defaulted>([.number(JSONNumber(1)), "a", .object(["v": .number(JSONNumber(1))]), .null]), drops: []
        )
        expect(#"{"v":{"k1":"v1","k2":null}}"#, Ruled<[String: JSONValue], Defaulted>(["k1": "v1", "k2": .null]), drops: [])
        expect(#"{"v":null}"#, Ruled<JSONValue, Defaulted>(.null), drops: [])
        let raw = readings(of: [RawJSON].self, "[1, [null], \"x\", null]", options: skipping)
        #expect(raw.value?.map(\.text) == ["1", "[null]", "\"x\"", "null"])
        #expect(raw.report.isEmpty)
        #expect(raw.disagreements == [])
    }

    // MARK: Positions in arrays

    @Test("F16: in a positional model what does not fit is passed, and the next element has its value")
    func positions() {
        let keeping = JSONReader.Options(mismatch: .keep, elements: .skipMistyped)
        expect(#"[1, "a", [2]]"#, Placed(1, "a", [2]), drops: [], keeping)
        expect(#"["x", "a", [2]]"#, Placed(42, "a", [2]), drops: [Drop("[0]", 1, "the string \"x\"")], keeping)
        expect(
            #"[[1, [2]], {"a": [3]}, 4, 5]"#, Placed(42, "initial", [42]),
            drops: [Drop("[0]", 1, "an array"), Drop("[1]", 11, "an object"), Drop("[2]", 23, "the number 4")], keeping)
        expect(
            #"[{}, "a", [[], 2, {}]]"#, Placed(42, "a", [2]),
            drops: [
                Drop("[0]", 1, "an object"), Drop("[2][0]", 11, "an array"), Drop("[2][2]", 18, "an object"),
            ], keeping)
        expect(#"[null, null, null]"#, Placed(42, "initial", [42]), drops: [], keeping)
        expect(Placed.self, #"["x", "a", [2]]"#, fails: .typeMismatch, "[0]")
        expect(
            #"[[1, "a", [2]], [[], "b", [3]], [4], 5, {}]"#, [Placed(1, "a", [2]), Placed(4, "initial", [42])],
            drops: [Drop("[1][0]", 17, "an array"), Drop("[3]", 37, "the number 5"), Drop("[4]", 40, "an object")])
    }

    // MARK: The report

    @Test("F3: the report has path, position, expectation and finding of each value that was left out")
    func report() throws {
        let text = "[{\"v\": 1},\n {\"v\": [true]},\n  {\"w\": 3}, \"é\", 1e999,\n\t{\"v\": \"x\"}]"
        let reading = readings(of: [Entry].self, text, options: skipping)
        #expect(reading.value == [Entry(1)])
        #expect(reading.disagreements == [])
        let report = reading.report
        #expect(report.droppedCount == 5)
        #expect(report.issues.map { "\($0.line):\($0.column)" } == ["2:8", "3:11", "3:13", "3:19", "4:8"])
        #expect(report.issues.map(\.path) == ["[1].v", "[2]", "[3]", "[4]", "[5].v"])
        #expect(
            report.issues.map(\.expected) == [
                "Int", "an object of Entry", "Entry", "Entry", "Int",
            ])
        #expect(
            report.issues.map(\.found) == [
                "an array", "one without them", "the string \"é\"", "the number 1e999", "the string \"x\"",
            ])
        #expect(report.issues[1].keys == ["v"])
        #expect(report.issues[0].description.contains("^"))
    }

    @Test("F3: the report describes as many as its limit says, and counts all")
    func limit() {
        let text = "[" + Array(repeating: "\"x\"", count: 250).joined(separator: ",") + "]"
        for (limit, count) in [(nil, 100), (0, 0), (1, 1), (249, 249), (250, 250), (1000, 250)] {
            var options = skipping
            if let limit { options.reportLimit = limit }
            let reading = readings(of: [Int].self, text, options: options)
            #expect(reading.value == [])
            #expect(reading.report.droppedCount == 250)
            #expect(reading.report.issues.count == count)
            #expect(reading.disagreements == [])
        }
    }

    @Test("F3: each document has a report of its own")
    func reportOfTheLastDocument() throws {
        var reader = JSONReader(options: skipping)
        #expect(try reader.read([Int].self, from: #"[1, "x"]"#) == [1])
        #expect(reader.report.droppedCount == 1)
        #expect(try reader.read([Int].self, from: "[1]") == [1])
        #expect(reader.report == JSONReadReport())
        // Before an error, too.
        #expect(failure { () throws(JSONError) in try reader.read([Int].self, from: #"["x", "y", 1"#) }?.kind == .unexpectedEnd)
        #expect(reader.report.droppedCount == 2)
        #expect(try reader.read(Int.self, from: "7") == 7)
        #expect(reader.report.isEmpty)
    }

    @Test func aReportIsPrintedAsOneLine() throws {
        var options = skipping
        options.unknownKeys = .report
        var reader = JSONReader(options: options)
        _ = try reader.read([Entry].self, from: #"[{"v": 1}]"#)
        #expect("\(reader.report)" == "nothing left out")
        _ = try reader.read([Entry].self, from: #"[{"v": 1, "w": 2}, 7, null]"#)
        #expect(
            "\(reader.report)" == "2 values left out, the first: \(reader.report.issues[0].summary); 1 unknown key: [0].w")
        _ = try reader.read([Entry].self, from: #"[{"v": 1}, 7]"#)
        #expect("\(reader.report)" == "1 value left out, the first: \(reader.report.issues[0].summary)")
    }

    // MARK: What is never tolerated

    @Test(
        "F16: text that is no JSON is an error, also inside what is left out",
        arguments: [
            #"[1, {"a": [}, 2]"#, #"[1, {"a": x}, 2]"#, "[1, [1, 2, 2]", #"[1, {"a" 1}]"#, "[1, [1,], 2]", "[1, [01], 2]",
            "[1, \"x\" 2]",
            "[1, [[\"\u{1}\"]], 2]", "[\"x\", 1] 2", "[\"x\", {}] ]", #"[1, ["\x"], 2]"#,
        ])
    func syntax(_ text: String) {
        let reading = readings(of: [Int].self, text, options: .init(nulls: .keep, mismatch: .keep, elements: .skipInvalid))
        #expect(reading.value == nil)
        #expect([.syntax, .unexpectedEnd, .trailingContent].contains(reading.error?.kind))
        #expect(reading.disagreements == [])
    }

    @Test("F16: a string that is not valid Unicode is an error, also as an element that is left out")
    func unicode() {
        for string in [#""\ud800""#, #""\udc00 x""#, #""x\ud83d\u0041""#] {
            expect([String].self, "[\"a\", \(string)]", fails: .invalidUnicode, "[1]")
            expect([Int].self, "[1, \(string)]", fails: .invalidUnicode, "[1]")
            expect([Entry].self, "[{\"v\": \(string)}]", fails: .invalidUnicode, "[0].v")
            expect([Color].self, "[\(string)]", fails: .invalidUnicode, "[0]")
            expect(Ruled<Int, Maybe>.self, "{\"v\": \(string)}", fails: .invalidUnicode, "v", .init(mismatch: .nil))
            expect([String: Int].self, "{\"a\": 1, \(string): 2}", fails: .invalidUnicode, "")
        }
        for bytes in [[0xFF], [0xC3, 0x28], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            let reading = readings(of: [Int].self, Array("[1, \"".utf8) + bytes + Array("\"]".utf8), options: skipping)
            #expect(reading.outcome == .failure(.invalidUnicode, "[1]"))
            #expect(reading.disagreements == [])
        }
        expect("[1, \"\\ud83d\\ude00\"]", [1], drops: [Drop("[1]", 4, "the string \"😀\"")])
    }

    @Test("F16: what is nested too deep is an error, also inside what is left out")
    func depth() {
        let options = JSONReader.Options(maximumDepth: 5, elements: .skipInvalid)
        expect("[1, [[[[]]]], 2]", [1, 2], drops: [Drop("[1]", 4, "an array")], options)
        let reading = readings(of: [Int].self, "[1, [[[[[]]]]], 2]", options: options)
        #expect(reading.error?.kind == .depthLimit)
        #expect(reading.disagreements == [])
    }

    @Test("F16: a duplicate key that is forbidden is an error, whatever else is tolerated")
    func duplicates() {
        let options = JSONReader.Options(duplicateKeys: .error, mismatch: .keep, elements: .skipInvalid)
        expect([Entry].self, #"[{"v": 1, "v": 2}]"#, fails: .duplicateKey, "[0].v", options)
    }

    // MARK: Leaks

    @Test("F16: elements that are given up half-way leave nothing behind")
    func leaks() {
        enum Tag {}
        typealias Model = Trio<[String: [Counted<Tag>?]]>
        let texts = [
            #"[{"required": {"a": ["1", null, "2"], "b": ["3", 4, ["5"]]}, "optional": {"c": 6}}, {"optional": {"d": ["7", "8"]}}, 9]"#,
            #"[{"optional": {"a": ["1", {"x": "2"}], "b": {"y": ["3"]}}, "required": 7}, {"required": {"c": ["4", "5"], "d": {}}}]"#,
            #"[{"required": {"a": ["1", "2", "3", "4", "5", "6", "7", "8", "9", []]}, "required": ["x"]}]"#,
        ]
        let options: [JSONReader.Options] = [
            .init(), .init(elements: .strict), .init(elements: .skipNull), .init(mismatch: .keep, elements: .strict),
            .init(mismatch: .nil), .init(mismatch: .default, elements: .strict), .yyModel, .strict,
        ]
        for text in texts {
            for options in options {
                let reading = readings(of: [Model].self, text, options: options)
                #expect(reading.disagreements == [])
            }
            #expect(Counted<Tag>.live == 0, "\(text)")
        }
        for options in options {
            _ = readings(of: Set<Held<Tag>>.self, #"["a", ["b"], "c", 7, {"d": "e"}, "a"]"#, options: options)
            _ = readings(of: [String: Held<Tag>].self, #"{"a": "b", "c": [["d"]], "e": 7, "f": "g"}"#, options: options)
            _ = readings(of: [[Link]].self, #"[[{"value": 1, "next": {"value": "x"}}, {"value": 2}], 3]"#, options: options)
        }
        #expect(Counted<Tag>.live == 0)
    }

    @Test("F16: after many elements have been left out the memory of the reader is as before")
    func memory() throws {
        var reader = JSONReader(options: skipping)
        let text = "[" + Array(repeating: #"{"v": [1, 2, {"x": "y"}]}, {"v": 7}"#, count: 5000).joined(separator: ",") + "]"
        for _ in 0..<3 {
            let entries = try reader.read([Entry].self, from: text)
            #expect(entries == Array(repeating: Entry(7), count: 5000))
            #expect(reader.report.droppedCount == 5000)
        }
    }
}
