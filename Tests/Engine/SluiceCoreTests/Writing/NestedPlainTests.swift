import SluiceTestSupport
import Testing

@testable import SluiceCore

/// Properties of some models, so that these tests need not write each out: two fields, of which the second may be a model.
private protocol TwoFields: JSONModel where JSONDraft == NoDraft {
    associatedtype Second: JSONWritable
    var first: Double { get }
    var second: Second { get }
}

private struct NoDraft: _JSONModelDraft {
    init() {}
}

extension TwoFields {
    static func _describeJSON(_ model: inout _ModelDescription<NoDraft>) {
        model.writeOnly("first", Double.self)
        model.writeOnly("a second key that is longer than a block", String.self)
    }

    init(_jsonDraft draft: inout NoDraft, bound: _BoundProperties) throws(JSONError) { throw JSONError._missing }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(first)
        case 1: try writer.property(second)
        default: break
        }
    }
}

private struct PlainLeaf: TwoFields {
    var first = 1.5
    var second = "leaf"
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { [\Self.first, \Self.second][slot] }
}

/// One that is written as an array.
private struct PlainPair: JSONModel {
    var first = 7.5
    struct JSONDraft: _JSONModelDraft {
        var first: Double?
        init() {}
    }
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { \Self.first }
    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.layout = .array
        model.property("first", \JSONDraft.first, presence: .defaulted)
    }
    init(first: Double = 7.5) { self.first = first }
    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) { throw JSONError._missing }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(first) }
}

/// A model around another.
private struct PlainAround<Second: JSONWritable>: TwoFields {
    var first = 2.0
    var second: Second
    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { [\Self.first, \Self.second][slot] }
}

/// Ones with stored values that are no properties, of types without a valid value of zeros.
private struct PlainAfterAny: TwoFields {
    var context: Any = 0
    var weak: (any TextOutputStream)? = ""
    var first = 2.5
    var second = "after"
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { [\Self.first, \Self.second][slot] }
}

private struct PlainBeforeAny: TwoFields {
    var first = 2.5
    var second = "before"
    var context: any Equatable = 0
    var call: () -> Void = {}
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { [\Self.first, \Self.second][slot] }
}

/// One that refuses to be written when its number is negative.
private struct PlainAsked: TwoFields, JSONWillWrite {
    var first = 3.0
    var second = "asked"
    func willWrite() -> Bool { first >= 0 }
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { [\Self.first, \Self.second][slot] }
}

/// One that changes its object.
private struct PlainChanged: TwoFields, JSONDidWrite {
    var first = 4.0
    var second = "changed"
    func didWrite(_ object: inout JSONObject) -> Bool {
        object["more"] = true
        return true
    }
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { [\Self.first, \Self.second][slot] }
}

/// A class, of which only a reference lies in the model around it.
private final class PlainHeld: TwoFields {
    let first: Double = 5
    let second = "held"
    static let _jsonTable = PropertyTable._compiled(for: PlainHeld.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { nil }
    init() {}
    init(_jsonDraft draft: inout NoDraft, bound: _BoundProperties) throws(JSONError) { throw JSONError._missing }
}

/// One whose property is JSON in a string.
private struct PlainText: JSONModel {
    var text = PlainLeaf()
    typealias JSONDraft = NoDraft
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { \Self.text }
    static func _describeJSON(_ model: inout _ModelDescription<NoDraft>) {
        model._writeOnly("text", by: _JSONText<PlainLeaf>.self)
    }
    init() {}
    init(_jsonDraft draft: inout NoDraft, bound: _BoundProperties) throws(JSONError) { throw JSONError._missing }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        try writer._property(text, by: _JSONText<PlainLeaf>.self)
    }
}

/// A model that is part of itself.
private struct PlainBranch: TwoFields {
    var first = 6.0
    var second: [PlainBranch]
    static let _jsonTable = PropertyTable._compiled(for: Self.self)
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { [\Self.first, \Self.second][slot] }
}

/// A list, and after it more than a buffer of numbers.
private struct PlainMany<List: JSONWritable>: JSONModel {
    var list: List
    var number = Int.min
    typealias JSONDraft = NoDraft
    static var numberCount: Int { 100 }
    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }
    static func _jsonKeyPath(_ slot: Int) -> AnyKeyPath? { slot % 50 == 0 ? \Self.list : \Self.number }
    static func _describeJSON(_ model: inout _ModelDescription<NoDraft>) {
        for slot in 0..<numberCount {
            let name = "\(slot) " + String(repeating: "k", count: 60)
            if slot % 50 == 0 { model.writeOnly(name, List.self) } else { model.writeOnly(name, Int.self) }
        }
    }
    init(list: List) { self.list = list }
    init(_jsonDraft draft: inout NoDraft, bound: _BoundProperties) throws(JSONError) { throw JSONError._missing }
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot % 50 == 0 { try writer.property(list) } else { try writer.property(number) }
    }
}

@Suite struct NestedPlainTests {
    private let key = #""a second key that is longer than a block""#

    /// The same text without the way that only compact text has.
    private func plainly(_ value: some JSONWritable) throws -> String {
        var options = JSONWriter.Options()
        options.escapesSlashes = true
        return try value.jsonString(options: options)
    }

    @Test func modelsInsideModelsAreFields() {
        #expect(PlainAround<PlainLeaf>._jsonTable.field(1)?.kind == .model)
        #expect(PlainAround<PlainAround<PlainLeaf>>._jsonTable.field(1)?.kind == .model)
        #expect(PlainAround<PlainHeld>._jsonTable.field(1) == nil)
        #expect(PlainAround<[Int]>._jsonTable.field(1)?.kind == .ints)
        #expect(PlainAround<[[String]]?>._jsonTable.field(1)?.elements?.rank == 2)
        #expect(PlainAround<[PlainAround<[PlainLeaf]>]?>._jsonTable.field(1)?.kind == .models)
        #expect(PlainAround<[Float]>._jsonTable.field(1) == nil)
        #expect(PlainAround<[Int?]>._jsonTable.field(1) == nil)
        #expect(PlainAround<[PlainHeld]>._jsonTable.field(1) == nil)
        #expect(PlainBranch._jsonTable.field(1) == nil)
        #expect(PlainAround<PlainLeaf?>._jsonTable.field(1)?.kind == .optionalModel)
        #expect(PlainAround<PlainHeld?>._jsonTable.field(1) == nil)
        #expect(PlainAround<PlainLeaf??>._jsonTable.field(1) == nil)
        #expect(PlainText._jsonTable.field(0) == nil)
    }

    @Test func modelsInsideModelsAreWrittenAsObjects() throws {
        let value = PlainAround(second: PlainAround(second: PlainLeaf()))
        let text = #"{"first":2,\#(key):{"first":2,\#(key):{"first":1.5,\#(key):"leaf"}}}"#
        #expect(try value.jsonString() == text)
        #expect(try plainly(value) == text)
        #expect(try [value, value].jsonString() == "[\(text),\(text)]")
        #expect(try ["k": [value]].jsonString() == #"{"k":[\#(text)]}"#)
        var sink: [UInt8] = []
        try [value, value].write(to: &sink)
        #expect(String(decoding: sink, as: UTF8.self) == "[\(text),\(text)]")
    }

    @Test(arguments: [0, 15, 16, 100, 5000, 100_000], ["a", "é", "\"", "\n"])
    func nestedPlainModelsWriteTextsOfEveryLength(length: Int, unit: String) throws {
        // The buffer grows at each of these positions.
        let value = PlainAround(second: PlainAround(second: PlainLeaf(second: String(repeating: unit, count: length))))
        #expect(try value.jsonString() == plainly(value))
        #expect(try [value, value].jsonString() == plainly([value, value]))
    }

    @Test func hooksOfModelsInsideAreAsked() throws {
        let asked = PlainAround(second: PlainAround(second: PlainAsked()))
        #expect(try asked.jsonString() == plainly(asked))
        var refused = asked
        refused.second.second.first = -1
        #expect(try refused.jsonString() == #"{"first":2,\#(key):{"first":2}}"#)
        #expect(try [refused, asked].jsonString() == plainly([refused, asked]))
        let changed = PlainAround(second: PlainAround(second: PlainChanged()))
        #expect(try changed.jsonString().contains(#""more":true"#))
        #expect(try [changed].jsonString() == plainly([changed]))
    }

    @Test func optionalModelsAreWrittenWhereTheyLie() throws {
        let some = PlainAround<PlainLeaf?>(second: PlainLeaf())
        #expect(try some.jsonString() == #"{"first":2,\#(key):{"first":1.5,\#(key):"leaf"}}"#)
        let none = PlainAround<PlainLeaf?>(second: nil)
        #expect(try none.jsonString() == #"{"first":2}"#)
        let nested = PlainAround<PlainAround<PlainLeaf?>?>(second: some)
        #expect(try [nested, nested].jsonString() == plainly([nested, nested]))
        var options = JSONWriter.Options()
        options.nils = .null
        #expect(try none.jsonString(options: options) == #"{"first":2,\#(key):null}"#)
        let asked = PlainAround<PlainAsked?>(second: PlainAsked())
        #expect(try asked.jsonString() == plainly(asked))
        let refused = PlainAround<PlainAsked?>(second: PlainAsked(first: -1))
        #expect(try refused.jsonString() == #"{"first":2}"#)
        do {
            _ = try PlainAround<PlainLeaf?>(second: PlainLeaf(first: .nan)).jsonString()
            Issue.record("NaN was written")
        } catch {
            #expect(error.path == "second.first" || error.path.hasSuffix(".first"))
        }
    }

    @Test func itIsKnownHowAnOptionalModelSaysThatItIsNil() {
        func mark<Model: TwoFields>(_: Model.Type) -> AbsenceMark? { PlainAround<Model?>._jsonTable.field(1)?.absence }
        #expect(mark(PlainLeaf.self)?.offset == 16)
        #expect(mark(PlainAround<[Int]>.self)?.offset == 8)
        #expect(mark(PlainAround<PlainLeaf>.self)?.offset == 24)
        // A byte after the value.
        #expect(mark(PlainAround<Int>.self)?.mask == UInt64(0xFF << 56 as UInt64).littleEndian)
        // A value of the second field that is no truth value, and one that is neither a string nor its nil.
        #expect(mark(PlainAround<Bool>.self) == nil)
        #expect(mark(PlainAround<String?>.self) == nil)
    }

    @Test func optionalModelsOfAllShapesAreWritten() throws {
        func checkBoth<Value: JSONWritable>(_ value: Value) throws {
            try check(Value?.some(value))
            try check(Value?.none)
            try check([PlainAround<Value?>(second: value), PlainAround<Value?>(second: nil), PlainAround<Value?>(second: value)])
            try check(PlainAround<PlainAround<Value?>?>(second: PlainAround(second: nil)))
            try check(PlainAround<PlainAround<Value?>?>(second: PlainAround(second: value)))
        }
        try checkBoth(PlainLeaf())
        try checkBoth(PlainLeaf(first: -1, second: ""))
        try checkBoth(PlainLeaf(second: "a text that is longer than a small one"))
        try checkBoth(PlainAround(first: 0, second: 0))
        try checkBoth(PlainAround(second: false))
        try checkBoth(PlainAround(second: String?.none))
        try checkBoth(PlainAround(second: [Int]()))
        try checkBoth(PlainAround(second: [[1.5]]))
        try checkBoth(PlainAround(second: PlainAround(second: PlainLeaf?.none)))
        try checkBoth(PlainPair())
        try checkBoth(PlainAsked(first: -1))
        try checkBoth(PlainAfterAny())
        try checkBoth(PlainBeforeAny())
        try check([PlainAfterAny()])
    }

    /// Otherwise its other fields would be written twice.
    @Test func aModelAroundOneThatIsNotPlainIsNotPlain() throws {
        func isPlain<Model: JSONModel>(_: Model.Type) -> Bool { unsafe Model._jsonTable.steps([]).pointee.beginsPlainModel }
        #expect(
            isPlain(PlainLeaf.self) && isPlain(PlainAround<PlainLeaf>.self) && isPlain(PlainAround<PlainAround<PlainLeaf?>>.self))
        #expect(!isPlain(PlainAround<PlainAround<Float>>.self))
        #expect(!isPlain(PlainAround<PlainAsked>.self) && !isPlain(PlainAround<PlainPair>.self))
        try check(PlainAround(second: PlainAround(second: Float(1.5))))
    }

    @Test func aNumberThatJSONLacksIsFoundInAnOptionalModel() throws {
        let whole = PlainAround<PlainLeaf?>(second: PlainLeaf())
        let broken = PlainAround<PlainLeaf?>(second: PlainLeaf(first: .nan))
        do {
            _ = try PlainAround(second: [whole, PlainAround(second: nil), broken]).jsonString()
            Issue.record("NaN was written")
        } catch {
            #expect(error.path.contains("[2]") && error.path.hasSuffix(".first"), "\(error.path)")
        }
        var (options, both) = (JSONWriter.Options(nonFinite: .omit), JSONWriter.Options(nonFinite: .omit))
        both.escapesNonASCII = true
        let value = PlainAround(second: [whole, broken])
        (options.nils, both.nils) = (.null, .null)
        #expect(try value.jsonString(options: options) == value.jsonString(options: both))
    }

    @Test func levelsOfAnOptionalModelAreCountedOnlyIfItIsThere() throws {
        let none = PlainAround<PlainAround<[Int]>?>(second: nil)
        let some = PlainAround<PlainAround<[Int]>?>(second: PlainAround(second: []))
        for depth in 1...4 {
            let options = JSONWriter.Options(maximumDepth: depth)
            #expect(try none.jsonString(options: options) == #"{"first":2}"#)
            if depth < 3 {
                #expect(throws: JSONError.self) { try some.jsonString(options: options) }
            } else {
                #expect(try some.jsonString(options: options) == slowly(some))
            }
        }
    }

    @Test func whatAnAdapterWritesIsNotTakenForAModel() throws {
        let text = #"{\"first\":1.5,\"a second key that is longer than a block\":\"leaf\"}"#
        #expect(try PlainText().jsonString() == #"{"text":"\#(text)"}"#)
        #expect(try PlainAround(second: PlainText()).jsonString() == plainly(PlainAround(second: PlainText())))
    }

    @Test func nestedClassInstancesAreWrittenByTheirOwnCode() throws {
        #expect(try PlainAround(second: PlainHeld()).jsonString() == #"{"first":2,\#(key):{"first":5,\#(key):"held"}}"#)
    }

    @Test func anErrorInsideHasTheWholePath() throws {
        let value = PlainAround(second: PlainAround(second: PlainLeaf(first: .nan)))
        do {
            _ = try [PlainAround(second: PlainAround(second: PlainLeaf())), value].jsonString()
            Issue.record("NaN was written")
        } catch {
            #expect(error.path.hasPrefix("[1].") && error.path.hasSuffix(".first"))
        }
        var options = JSONWriter.Options()
        options.nonFinite = .null
        #expect(try value.jsonString(options: options).contains(#"{"first":null,"#))
    }

    @Test func levelsAreCountedInside() throws {
        let value = PlainAround(second: PlainAround(second: PlainLeaf()))
        for depth in 0...5 {
            var options = JSONWriter.Options()
            options.maximumDepth = depth
            if depth < 3 {
                #expect(throws: JSONError.self) { try value.jsonString(options: options) }
            } else {
                #expect(try value.jsonString(options: options) == plainly(value))
            }
            if depth < 4 {
                #expect(throws: JSONError.self) { try [value].jsonString(options: options) }
            } else {
                #expect(try [value].jsonString(options: options) == plainly([value]))
            }
        }
    }

    @Test func formsAndOrdersAreTheSameInside() throws {
        let value = PlainAround(second: PlainAround(second: PlainLeaf()))
        let sorted = #"{\#(key):{\#(key):{\#(key):"leaf","first":1.5},"first":2},"first":2}"#
        #expect(try value.jsonString(options: .sortedKeys) == sorted)
        #expect(
            try value.jsonString(options: .init(isPretty: true)).filter { !" \n".contains($0) }.count
                == sorted.filter { $0 != " " }.count)
        #expect(try value.jsonString(include: ["first"]) == #"{"first":2}"#)
    }

    @Test func aSelectedModelInsideIsWrittenAsWhole() throws {
        let value = PlainAround(second: PlainAround(second: PlainLeaf()))
        // The plan of all properties, from which a selection takes its steps, is made first.
        let inner = try value.second.jsonString()
        _ = try value.jsonString()
        let name: JSONSelection = ["a second key that is longer than a block"]
        #expect(try value.jsonString(include: name) == "{\(key):\(inner)}")
        #expect(try [value, value].jsonString(include: name) == "[{\(key):\(inner)},{\(key):\(inner)}]")
    }

    @Test func manyModelsWithLongTextsFit() throws {
        let texts = (0..<300).map { String(repeating: $0 % 7 == 0 ? "\u{1}" : "x", count: $0) }
        let values = texts.map { PlainAround(second: PlainAround(second: PlainLeaf(second: $0))) }
        let expected = try values.map { try plainly($0) }.joined(separator: ",")
        #expect(try values.jsonString() == "[\(expected)]")
    }

    // MARK: Arrays inside

    /// The text without the way that only compact text has: `value` is ASCII.
    private func slowly(_ value: some JSONWritable) throws -> String {
        var options = JSONWriter.Options()
        options.escapesNonASCII = true
        return try value.jsonString(options: options)
    }

    /// Checks a value as a property, in a model inside, in an array, and in arrays inside arrays.
    private func check<Value: JSONWritable>(_ value: Value) throws {
        let one = PlainAround(second: value)
        let text = try slowly(one)
        #expect(try one.jsonString() == text)
        #expect(try [one, one].jsonString() == "[\(text),\(text)]")
        let inner = PlainAround(second: PlainAround(second: one))
        #expect(try inner.jsonString() == slowly(inner))
        #expect(try [inner, inner].jsonString() == slowly([inner, inner]))
        let list = PlainAround(second: [PlainAround(second: [one, one])])
        #expect(try list.jsonString() == slowly(list))
        for options in [
            JSONWriter.Options(nils: .null), .init(sortedKeys: true), .init(isPretty: true), .init(paths: .flat),
            .init(escapesSlashes: true),
        ] {
            var both = options
            both.escapesNonASCII = true
            #expect(try inner.jsonString(options: options) == inner.jsonString(options: both))
            #expect(try list.jsonString(options: options) == list.jsonString(options: both))
        }
    }

    @Test func arraysInsideAreWrittenAsTheirElementsAre() throws {
        try check([Int]())
        try check([0, -1, .min, .max])
        try check(Array(0..<10_000))
        try check([0.5, -0.0, 1e300, .leastNonzeroMagnitude])
        try check([true, false, true])
        try check([
            "", "short", "a text that is longer than a small one", "\"", "\u{1}", "a/b", String(repeating: "x", count: 10_000),
        ])
        try check([[1, 2], []])
        try check([[1.5, -2]])
        try check([[Double]]())
        try check([[["a", "a text that is longer than a small one"], []], [], [["\""]]])
        try check((0..<2_000).map { row in Array(repeating: row % 2 == 0, count: row % 7) })
        try check([[1], nil])
        try check([[PlainLeaf()], []])
        try check([Int]?.none)
        try check([String]?.some(["a"]))
        try check([PlainLeaf]())
        try check([PlainLeaf(), PlainLeaf(first: 7, second: "other")])
        try check([PlainAround(second: [PlainLeaf()])])
        try check([PlainAsked(), PlainAsked(first: -1), PlainAsked()])
        try check([PlainChanged()])
        try check([PlainHeld()])
        try check([PlainPair(), PlainPair(first: -1)])
        try check(PlainAround(second: [PlainAround(second: PlainPair()), PlainAround(second: PlainPair())]))
        try check([PlainBranch(second: [PlainBranch(second: []), PlainBranch(second: [])])])
        #expect(try PlainAround(second: ["é", "a/b"]).jsonString() == #"{"first":2,\#(key):["é","a/b"]}"#)
        #expect(try plainly(PlainAround(second: ["é", "a/b"])) == #"{"first":2,\#(key):["é","a\/b"]}"#)
    }

    /// The space for what follows an array is asked for, whether the array is nil or not.
    @Test func muchFitsAfterAnArray() throws {
        try check(PlainMany<[Int]?>(list: nil))
        try check(PlainMany<[String]?>(list: []))
        try check(PlainMany<[Int]>(list: [1, 2, 3]))
        try check((0..<100).map { PlainMany<[Int]?>(list: $0 % 2 == 0 ? nil : Array(0..<$0)) })
    }

    @Test func aNumberThatJSONLacksIsFoundInAnArrayInside() throws {
        let whole = PlainAround(second: PlainAround(second: [1.0, 2]))
        let broken = PlainAround(second: PlainAround(second: [1.0, .nan]))
        do {
            _ = try [whole, broken].jsonString()
            Issue.record("NaN was written")
        } catch {
            #expect(error.path.hasPrefix("[1].") && error.path.hasSuffix("[1]"), "\(error.path)")
        }
        var options = JSONWriter.Options()
        options.nonFinite = .null
        #expect(try [whole, broken].jsonString(options: options).hasSuffix("[1,null]}}]"))
        let models = PlainAround(second: [PlainLeaf(), PlainLeaf(first: .infinity)])
        do {
            _ = try models.jsonString()
            Issue.record("an infinity was written")
        } catch {
            #expect(error.path.hasSuffix("[1].first"), "\(error.path)")
        }
        do {
            _ = try PlainAround(second: [[1.0], [2, 3, .nan]]).jsonString()
            Issue.record("NaN was written")
        } catch {
            #expect(error.path.hasSuffix("[1][2]"), "\(error.path)")
        }
    }

    /// The space that a writer is lent ends at each byte of the text, and nothing is written after it.
    @Test func arraysFitIntoEveryAmountOfSpace() throws {
        func check(_ value: some JSONWritable) throws {
            let expected = try Array(slowly(value).utf8)
            for space in 0...expected.count + 300 {
                let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: space + 64)
                defer { unsafe memory.deallocate() }
                unsafe memory.initialize(repeating: 0xEE)
                var writer = JSONWriter(lentLaterWith: JSONWriter.Options(), nil)
                unsafe writer.lend(UnsafeMutableBufferPointer(rebasing: memory[..<space]))
                try value._write(to: &writer)
                let text = unsafe writer.withBytes { unsafe Array($0) }
                #expect(text == expected)
                #expect(unsafe memory[space...].allSatisfy { $0 == 0xEE }, "space for \(space) bytes")
            }
        }
        try check(PlainAround(second: [[1], []]))
        try check(PlainAround(second: [[[Int]]]([[[]], [[], []]])))
        try check(PlainAround(second: [[[""]], [[String(repeating: "a", count: 15)]], [[String(repeating: "b", count: 40)]]]))
        for text in [
            "\"", "a\u{1}", String(repeating: "c", count: 20) + "\n", "\"" + String(repeating: "d", count: 33) + "\u{1F}",
        ] {
            try check(PlainAround(second: text))
            try check(PlainAround(second: [text, text]))
            try check([text])
        }
        try check(PlainAround(second: [[[true, false]]]))
        try check(PlainAround(second: [[[-1.7976931348623157e308]]]))
        try check(PlainAround(second: [[[PlainLeaf()]], [[]]]))
        try check([PlainAround<PlainLeaf?>(second: nil), PlainAround<PlainLeaf?>(second: PlainLeaf())])
    }

    /// The buffer grows inside the array that is then written anew.
    @Test func anArrayThatIsWrittenAnewFollowsTheSameText() throws {
        let long = PlainLeaf(second: String(repeating: "x", count: 100_000))
        var (options, both) = (JSONWriter.Options(nonFinite: .null), JSONWriter.Options(nonFinite: .null))
        both.escapesNonASCII = true
        for list in [[long, PlainLeaf(first: .nan)], [PlainLeaf(first: .nan), long]] {
            let value = PlainAround(second: list)
            #expect(try value.jsonString(options: options) == value.jsonString(options: both))
            #expect(try list.jsonString(options: options) == list.jsonString(options: both))
            let inner = [PlainAround(second: PlainAround(second: list))]
            #expect(try inner.jsonString(options: options) == inner.jsonString(options: both))
        }
        options.nonFinite = .throw
        #expect(throws: JSONError.self) { try [long, PlainLeaf(first: .nan)].jsonString(options: options) }
    }

    @Test func levelsOfArraysAreCountedInside() throws {
        // Object, object, array, object, array.
        let value = PlainAround(second: PlainAround(second: [PlainAround(second: [1])]))
        for depth in 0...6 {
            var options = JSONWriter.Options()
            options.maximumDepth = depth
            if depth < 5 {
                #expect(throws: JSONError.self) { try value.jsonString(options: options) }
            } else {
                #expect(try value.jsonString(options: options) == slowly(value))
            }
        }
        let rows = PlainAround(second: [[[1]], []])
        for depth in 0...5 {
            var options = JSONWriter.Options()
            options.maximumDepth = depth
            if depth < 4 {
                #expect(throws: JSONError.self) { try rows.jsonString(options: options) }
            } else {
                #expect(try rows.jsonString(options: options) == slowly(rows))
            }
        }
    }

    @Test func anArrayInsideCanBeSelected() throws {
        let value = PlainAround(second: [PlainLeaf()])
        _ = try value.jsonString()
        let whole: JSONSelection = ["a second key that is longer than a block"]
        #expect(try value.jsonString(include: whole) == "{\(key):[\(PlainLeaf().jsonString())]}")
    }
}
