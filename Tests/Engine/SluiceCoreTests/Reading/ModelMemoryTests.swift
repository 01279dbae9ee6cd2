// Models that are built in their own memory, without a draft: what nil, repeated keys, initial values and errors do there. All of it holds
// for models with drafts too, and is compared with them.

import SluiceTestSupport
import Testing

@testable import SluiceCore

@Suite struct ModelMemoryTests {
    // MARK: nil

    @Test func aStructOfZerosIsNotNil() throws {
        // Its bits leave none for nil: an optional has one byte more.
        #expect(MemoryLayout<Numbers?>.size > MemoryLayout<Numbers>.size)
        let text = #"{"o":{"a":0,"b":0},"list":[{"a":0,"b":0},null,{"b":0,"a":0}],"named":{"x":{"a":0,"b":0},"y":null}}"#
        let (outcome, disagreements) = readEveryWay(Holder<Numbers>.self, text)
        let zero = Numbers()
        var wanted = Holder<Numbers>()
        wanted.o = zero
        wanted.list = [zero, nil, zero]
        wanted.named = ["x": zero, "y": nil]
        #expect(outcome == .value(wanted))
        #expect(disagreements == [])
    }

    @Test func aStructThatIsDroppedIsNilAgain() throws {
        let tolerant = JSONReader.Options(mismatch: .keep, elements: .skipInvalid)
        for part in [#"{"a":0,"b":"x"}"#, #"{"a":0}"#, #"{"a":0,"b":[1]}"#, "[]", "null"] {
            let value = try Holder<Numbers>(json: #"{"o":\#(part),"list":[\#(part),{"a":1,"b":2}]}"#, options: tolerant)
            #expect(value.o == nil)
            #expect(value.list.last == Numbers(a: 1, b: 2))
        }
    }

    @Test func anOptionalOfAnOptionalKeepsItsLevels() throws {
        #expect(try Nested(json: #"{"o":{"a":0,"b":0}}"#).o == .some(.some(Numbers())))
        #expect(try Nested(json: "{}").o == .none)
    }

    // MARK: Elements of an array

    /// A frame of an element is used for the next one: nothing of the one may be found in the other.
    @Test func eachElementBeginsAnew() throws {
        let texts = [
            "{}", #"{"a":"one"}"#, #"{"b":"and another of more than fifteen"}"#, #"{"c":[1,{"a":2}],"a":null}"#,
            #"{"b":"1","a":"2"}"#,
        ]
        var random = SplitMix64(seed: 49)
        for count in [1, 2, 3, 8, 9, 40] {
            let picked = (0..<count).map { _ in texts[random.below(texts.count)] }
            let separator = [",", " , ", ",\n  "][random.below(3)]
            let (outcome, disagreements) = readEveryWay([Words].self, "[\(picked.joined(separator: separator))]")
            #expect(outcome == .value(try picked.map { try Words(json: $0) }))
            #expect(disagreements == [])
        }
    }

    @Test(arguments: [
        #"{"a":1}"#, #"{"a":1,"b":"x"}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"c":0,"b":2}"#, "null", "[]", "3", #"{"a":1,"b":2"#,
        #"{"a":1,"b":2,}"#, #"{"a":1 "b":2}"#,
    ])
    func anElementThatIsNotPlainIsReadAsAnyOther(element: String) throws {
        let good = #"{"a":5,"b":6}"#
        for rule in [JSONReader.Options.DuplicateKeys.last, .first, .error] {
            for options in [
                JSONReader.Options(duplicateKeys: rule), .init(duplicateKeys: rule, unknownKeys: .report),
                .init(duplicateKeys: rule, unknownKeys: .reject),
                .init(duplicateKeys: rule, mismatch: .keep, elements: .skipInvalid),
                .init(duplicateKeys: rule, countsProperties: true),
            ] {
                let text = "[\(good),\(good),\(element),\(good),\(element),\(good)]"
                #expect(readEveryWay([Numbers].self, text, options: options).disagreements == [])
                #expect(readEveryWay([[Numbers]].self, "[[],\(text),[\(good)]]", options: options).disagreements == [])
            }
        }
    }

    /// However a serialiser spaces the text, its values are the same.
    @Test(arguments: [" : ", ": ", " :", "\n:", "\t:\t", "  :    ", "\r\n :"])
    func keysAreFoundWhateverIsBesideTheColon(colon: String) throws {
        let elements = (0..<6).map { #"{"a"\#(colon)\#($0),"b"\#(colon)-\#($0)}"# }
        let (outcome, disagreements) = readEveryWay([Numbers].self, "[\(elements.joined(separator: " ,\n"))]")
        #expect(outcome == .value((0..<6).map { Numbers(a: $0, b: -$0) }))
        #expect(disagreements == [])
        // Keys that are missing, unknown or in another order, in spaced text.
        let texts = [#"{"a"\#(colon)"1"}"#, #"{"b"\#(colon)"2"}"#, #"{"c"\#(colon)[],"b"\#(colon)"3","a"\#(colon)null}"#]
        let mixed = (0..<12).map { texts[$0 % 5 % 3] }
        let words = readEveryWay([Words].self, "[\(mixed.joined(separator: ","))]")
        #expect(words.outcome == .value(try mixed.map { try Words(json: $0) }))
        #expect(words.disagreements == [])
        for damaged in [#"[{"a" ; 1,"b":2}]"#, #"[{"a"  1,"b":2}]"#, #"[{"a":1,"b" "x":2}]"#, #"[{"a":1,"b" "#] {
            #expect(readEveryWay([Numbers].self, damaged).disagreements == [])
        }
    }

    // MARK: Repeated keys

    @Test func anObjectThatComesTwiceBeginsAnew() throws {
        let text = #"{"o":{"a":"one","b":"and another of more than fifteen"},"o":{"b":"two"}}"#
        let (outcome, disagreements) = readEveryWay(Holder<Words>.self, text)
        var wanted = Holder<Words>()
        wanted.o = Words(a: nil, b: "two")
        #expect(outcome == .value(wanted))
        #expect(disagreements == [])
    }

    @Test func aSecondObjectThatDoesNotFitLeavesTheFirst() throws {
        let tolerant = JSONReader.Options(mismatch: .keep)
        let value = try Holder<Numbers>(json: #"{"o":{"a":1,"b":2},"o":{"a":3}}"#, options: tolerant)
        #expect(value.o == Numbers(a: 1, b: 2))
    }

    @Test func nullAfterAValueIsMissing() {
        let error = failure(reading: Trio<Int>.self, #"{"required":1,"required":null}"#)
        #expect(error?.kind == .missingKeys)
        #expect(error?.keys == ["required"])
        #expect(failure(reading: Trio<[Int]>.self, #"{"required":[1],"required":null}"#)?.kind == .missingKeys)
        #expect((try? Trio<Int>(json: #"{"required":1,"required":null,"required":2}"#))?.required == 2)
    }

    @Test func nullAfterAValueRestoresTheInitialValue() throws {
        let value = try Initial(
            json: #"{"count":5,"count":null,"made":3,"made":null,"list":[9],"list":null}"#)
        #expect(value == (try Initial(json: "{}")))
        #expect(try Initial(json: #"{"word":null}"#).word == nil)
        #expect(try Initial(json: #"{"word":"a","word":null}"#).word == nil)
        #expect(try Initial(json: "{}").word == "initial, and longer than fifteen bytes")
    }

    @Test func aMisfitAfterNullIsMissing() {
        let tolerant = JSONReader.Options(mismatch: .keep)
        #expect(failure(reading: Trio<Int>.self, #"{"required":null,"required":"x"}"#, options: tolerant)?.kind == .missingKeys)
        #expect(
            failure(reading: DraftedTrio<Int>.self, #"{"required":null,"required":"x"}"#, options: tolerant)?.kind == .missingKeys
        )
    }

    // MARK: Initial values

    @Test func initialValuesAreComputedForEachObjectInTheOrderOfDeclaration() throws {
        unsafe Counting.next = 0
        let values = try [Counting](json: #"[{},{"b":70},{"a":1,"b":2,"c":3},{"c":null},{"b":null}]"#)
        #expect(values.map(\.a) == [1, 4, 1, 6, 8])
        #expect(values.map(\.b) == [2, 70, 2, 7, 9])
        #expect(values.map(\.c) == [3, 5, 3, nil, 10])
        // An object that fails computes nothing.
        unsafe Counting.next = 0
        #expect((try? Counting(json: #"{"a":"x"}"#)) == nil)
        #expect(unsafe Counting.next == 0)
    }

    @Test func propertiesThatAreNotReadKeepTheirInitialValues() throws {
        let value = try Initial(json: #"{"hidden":7,"objects":1}"#)
        #expect(value.hidden == 42)
        #expect(value.objects.count == 1)
        #expect(value.objects[0] !== (try Initial(json: "{}")).objects[0])
    }

    // MARK: Errors

    @Test func everyErrorLeavesNothing() throws {
        enum Tag {}
        let text = """
            {"count":1,"one":"x","both":{"required":"a","optional":"b","more":[1,2]},"list":[{"required":"c"},{"required":"d"}],
             "maybe":{"required":"e","defaulted":"f"},"maybe":{"required":"g"},"named":{"h":{"required":"i"}},"one":"y",
             "texts":["a text of more than fifteen","another of more than fifteen"],"note":"a note of more than fifteen"}
            """
        expectNothingIsLeft(of: Counted<Tag>.self, after: Mixture<Tag>.self, text)
        do {
            let (outcome, disagreements) = readEveryWay(Mixture<Tag>.self, text)
            #expect(disagreements == [])
            guard case .value(let value) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(value.one.text == "y")
            #expect(value.maybe?.defaulted == nil)
        }
        #expect(Counted<Tag>.live == 0)
    }

    @Test func everyErrorInAFieldLeavesNothing() throws {
        enum Tag {}
        let patch = #"{"tag":"a text of more than fifteen","part":{"required":"b","optional":"c"}}"#
        let text = """
            {"o":\(patch),"o":{"tag":"d","tag":null,"tag":"e","part":{"required":"f"},"part":{"required":"g","defaulted":"h"}},
             "list":[\(patch),{"part":null},{"part":{"required":"i"},"part":null}],"named":{"x":\(patch),"y":{}}}
            """
        expectNothingIsLeft(of: Counted<Tag>.self, after: Holder<Patch<Tag>>.self, text)
        do {
            let (outcome, disagreements) = readEveryWay(Holder<Patch<Tag>>.self, text)
            #expect(disagreements == [])
            guard case .value(let value) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(value.o?.tag.value?.text == "e")
            #expect(value.o?.part.value?.defaulted?.text == "h")
            #expect(value.list.map { $0?.part.isNull } == [false, true, true])
            #expect(value.named["y"] == Patch(tag: .absent, part: .absent))
        }
        #expect(Counted<Tag>.live == 0)
    }

    @Test func aFieldThatIsUpdatedReleasesWhatItHeld() throws {
        enum Tag {}
        do {
            var value = try Patch<Tag>(json: #"{"tag":"a","part":{"required":"b","optional":"c"}}"#)
            #expect(Counted<Tag>.live == 3)
            for bad in [#"{"tag":"d","part":{"required":1}}"#, #"{"part":null,"tag":[]}"#, #"{"tag":"d","part":{"#] {
                #expect((try? value.update(json: bad)) == nil)
                #expect((value.tag.value?.text, value.part.value?.required.text) == ("a", "b"))
                #expect(Counted<Tag>.live == 3)
            }
            try value.update(json: #"{"part":null}"#)
            #expect((value.tag.value?.text, value.part.isNull) == ("a", true))
            #expect(Counted<Tag>.live == 1)
            try value.update(json: #"{"tag":"d","part":{"required":"e"}}"#)
            #expect((value.tag.value?.text, value.part.value?.required.text) == ("d", "e"))
            #expect(Counted<Tag>.live == 2)
        }
        #expect(Counted<Tag>.live == 0)
    }

    /// Reads a text in which each byte is damaged, as a model and as an element, and expects that no object outlives the reading.
    private func expectNothingIsLeft<Tag, Model: JSONModel>(
        of objects: Counted<Tag>.Type, after model: Model.Type, _ text: String
    ) {
        for bytes in damaged(Array(text.utf8)) {
            for parser in [JSONReader.Options.Parser.automatic, .yajl] {
                var reader = JSONReader(options: JSONReader.Options(parser: parser))
                _ = try? reader.read(Model.self, from: bytes)
                #expect(objects.live == 0, "\(String(decoding: bytes, as: UTF8.self))")
                _ = try? reader.read([Model?].self, from: Array("[".utf8) + bytes + Array("]".utf8))
                #expect(objects.live == 0)
            }
        }
    }

    /// The text cut at each byte, and with each byte replaced.
    private func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.indices.flatMap { index in
            [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "0"), UInt8(ascii: "n"), 0xFF].map { byte in
                var changed = bytes
                changed[index] = byte
                return changed
            } + [Array(bytes[..<index])]
        }
    }

    @Test func updatesKeepWhatTheDocumentDoesNotHave() throws {
        enum Tag {}
        do {
            var value = try Mixture<Tag>(json: #"{"count":1,"one":"x","both":{"required":"a"},"maybe":{"required":"e"}}"#)
            value.hidden = [7]
            for bad in [
                #"{"count":2,"maybe":{"required":"f","optional":1}}"#, #"{"one":5}"#, #"{"both":{"required":"z"},"one":"#,
            ] {
                #expect((try? value.update(json: bad)) == nil)
                #expect((value.count, value.one.text, value.hidden) == (1, "x", [7]))
                #expect(Counted<Tag>.live == 3)
            }
            try value.update(json: #"{"one":"y","maybe":{"optional":"o"},"both":null}"#)
            #expect(value.one.text == "y")
            #expect((value.maybe?.required.text, value.maybe?.optional?.text) == ("e", "o"))
            #expect((value.both.required.text, value.hidden) == ("a", [7]))
        }
        #expect(Counted<Tag>.live == 0)
    }

    // MARK: Drafts

    @Test(arguments: UInt64(0)..<8)
    func modelsWithAndWithoutADraftAgree(_ seed: UInt64) {
        var random = SplitMix64(seed: 5100 + seed)
        for _ in 0..<400 {
            let keys = ["required", "defaulted", "optional", "other"]
            let values = [
                "1", "null", "\"7\"", "\"a text of more than fifteen bytes\"", "[1,2]", "[\"x\"]", "{}", "true", "1.5", "[null]",
                "\"red\"",
                #"{"required":1}"#, #"{"required":[1],"optional":2}"#, #"{"required":"x","defaulted":null}"#,
            ]
            let members = (0..<random.below(6)).map { _ in "\"\(random.pick(keys))\":\(random.pick(values))" }
            var text = "{\(members.joined(separator: ","))}"
            if random.below(6) == 0 { text = String(text.prefix(random.below(text.count))) }
            let options = options(&random)
            compare(Trio<Int>.self, DraftedTrio<Int>.self, text, options, isEqual)
            compare(Trio<String>.self, DraftedTrio<String>.self, text, options, isEqual)
            compare(Trio<Bool>.self, DraftedTrio<Bool>.self, text, options, isEqual)
            compare(Trio<[Int?]>.self, DraftedTrio<[Int?]>.self, text, options, isEqual)
            compare(Trio<Color>.self, DraftedTrio<Color>.self, text, options, isEqual)
            compare(Trio<JSONValue>.self, DraftedTrio<JSONValue>.self, text, options, isEqual)
            compare([Trio<Trio<Int>>].self, [DraftedTrio<DraftedTrio<Int>>].self, "[\(text),\(text)]", options) { left, right in
                left.count == right.count
                    && zip(left, right).allSatisfy {
                        $0.required.required == $1.required.required && $0.optional?.required == $1.optional?.required
                    }
            }
        }
    }

    private func options(_ random: inout SplitMix64) -> JSONReader.Options {
        JSONReader.Options(
            duplicateKeys: random.pick([.last, .last, .first, .error]), conversions: random.pick([.strict, .lenient, .yyModel]),
            nulls: random.pick([nil, .asNil, .keep, .empty, .default]), mismatch: random.pick([nil, .default, .keep, .nil]),
            elements: random.pick([nil, .strict, .skipInvalid]))
    }

    private func isEqual<Value>(_ left: Trio<Value>, _ right: DraftedTrio<Value>) -> Bool {
        (left.required, left.defaulted, left.optional) == (right.required, right.defaulted, right.optional)
    }

    private func compare<Placed: JSONBindable, Drafted: JSONBindable>(
        _ placed: Placed.Type, _ drafted: Drafted.Type, _ text: String, _ options: JSONReader.Options,
        _ isEqual: (Placed, Drafted) -> Bool
    ) {
        for parser in [JSONReader.Options.Parser.automatic, .yajl] {
            var options = options
            options.parser = parser
            let left = Result { () throws(JSONError) in try Placed(json: text, options: options) }
            let right = Result { () throws(JSONError) in try Drafted(json: text, options: options) }
            switch (left, right) {
            case (.success(let left), .success(let right)): #expect(isEqual(left, right), "\(Placed.self) \(text) \(options)")
            case (.failure(let left), .failure(let right)):
                #expect(
                    (left.kind, left.path, left.offset) == (right.kind, right.path, right.offset),
                    "\(Placed.self) \(text) \(options)")
            default: Issue.record("\(Placed.self) \(text): \(left), with a draft \(right), \(options)")
            }
        }
    }

    @Test func theSchemaSaysWhetherThereIsADraft() {
        #expect(Trio<Int>.schema.isBuiltInPlace)
        #expect(Holder<Numbers>.schema.isBuiltInPlace)
        #expect(Trio<Trio<Int>>.schema.isBuiltInPlace)
        #expect(Initial.schema.isBuiltInPlace)
        // A field that is absent is a placeholder, whatever the type of its value.
        #expect(Patch<Int>.schema.isBuiltInPlace)
        #expect(Trio<Counted<Int>>.schema.draftReason == "the type of 'required' has no placeholder")
        #expect(!DraftedTrio<Int>.schema.isBuiltInPlace)
    }
}

// MARK: Models

private struct Numbers: JSONModel, Equatable {
    var a: Int = 0
    var b: Int = 0

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Numbers>>) {
        model._required("a", \Numbers.a)
        model._required("b", \Numbers.b)
    }

    static let _jsonTable = PropertyTable._compiled(for: Numbers.self)
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(slot == 0 ? a : b) }
}

private struct Words: JSONModel, Equatable {
    var a: String?
    var b: String?

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Words>>) {
        model._optional("a", \Words.a)
        model._optional("b", \Words.b)
    }

    static let _jsonTable = PropertyTable._compiled(for: Words.self)
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(slot == 0 ? a : b) }
}

private struct Holder<Value: JSONBindable & Equatable>: JSONModel, Equatable {
    var o: Value?
    var list: [Value?] = []
    var named: [String: Value?] = [:]

    init() {}

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Holder>>) {
        model._optional("o", \Holder.o)
        model._defaulted("list", \Holder.list, .literal([]))
        model._defaulted("named", \Holder.named, .literal([:]))
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(o)
        case 1: try writer.property(list)
        default: try writer.property(named)
        }
    }
}

private struct Nested: JSONModel, Equatable {
    var o: Numbers??

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Nested>>) { model._optional("o", \Nested.o) }
    static let _jsonTable = PropertyTable._compiled(for: Nested.self)
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) { try writer.property(o) }
}

private final class Box: Sendable {}

private struct Initial: JSONModel, Equatable {
    var count = 3
    var word: String? = "initial, and longer than fifteen bytes"
    var made = [1].count
    var list = [1, 2]
    var hidden = 42
    var objects = [Box()]

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Initial>>) {
        model._defaulted("count", \Initial.count, .literal(3))
        model._optional("word", \Initial.word, .literal("initial, and longer than fifteen bytes"))
        model._defaulted("made", \Initial.made, .each([1].count))
        model._defaulted("list", \Initial.list, .literal([1, 2]))
        model._kept(\Initial.hidden, .literal(42))
        model._kept(\Initial.objects, .each([Box()]))
    }

    static let _jsonTable = PropertyTable._compiled(for: Initial.self)
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}

    static func == (left: Initial, right: Initial) -> Bool {
        (left.count, left.word, left.made, left.list) == (right.count, right.word, right.made, right.list)
    }
}

private struct Counting: JSONModel, Equatable {
    nonisolated(unsafe) static var next = 0
    static func count() -> Int {
        unsafe next += 1
        return unsafe next
    }

    var a = Counting.count()
    var b = Counting.count()
    var c: Int? = Counting.count()

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Counting>>) {
        model._defaulted("a", \Counting.a, .each(Counting.count()))
        model._defaulted("b", \Counting.b, .each(Counting.count()))
        model._optional("c", \Counting.c, .each(Counting.count()))
    }

    static let _jsonTable = PropertyTable._compiled(for: Counting.self)
    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {}
}

/// A property of each kind: stored directly, gathered aside, and models in all positions.
private struct Mixture<Tag>: JSONModel, Equatable {
    typealias Part = Holding<Tag>

    var count: Int
    var one: Counted<Tag>
    var both: Part
    var list: [Part] = []
    var maybe: Part?
    var named: [String: Part] = [:]
    var texts: Set<String> = []
    var note: String?
    var hidden: [Int] = [].reversed()

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Mixture>>) {
        model._required("count", \Mixture.count)
        model._required("one", \Mixture.one)
        model._required("both", \Mixture.both)
        model._defaulted("list", \Mixture.list, .literal([]))
        model._optional("maybe", \Mixture.maybe)
        model._defaulted("named", \Mixture.named, .literal([:]))
        model._defaulted("texts", \Mixture.texts, .literal([]))
        model._optional("note", \Mixture.note)
        model._kept(\Mixture.hidden, .each([].reversed()))
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(count)
        case 1: try writer.property(one)
        case 2: try writer.property(both)
        case 3: try writer.property(list)
        case 4: try writer.property(maybe)
        case 5: try writer.property(named)
        case 6: try writer.property(texts)
        default: try writer.property(note)
        }
    }
}

private struct Holding<Tag>: JSONModel, Equatable {
    var required: Counted<Tag>
    var defaulted: Counted<Tag>? = nil
    var optional: Counted<Tag>?

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Holding>>) {
        model._required("required", \Holding.required)
        model._optional("defaulted", \Holding.defaulted, .literal(nil))
        model._optional("optional", \Holding.optional)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(required)
        case 1: try writer.property(defaulted)
        default: try writer.property(optional)
        }
    }
}

/// Fields: of a scalar, and of a model.
private struct Patch<Tag>: JSONModel, Equatable {
    var tag: JSONField<Counted<Tag>>
    var part: JSONField<Holding<Tag>>

    static func _describeJSON(_ model: inout _ModelDescription<_InPlace<Patch>>) {
        model._required("tag", \Patch.tag)
        model._required("part", \Patch.part)
    }

    static var _jsonTable: PropertyTable { PropertyTable._compiled(for: Self.self) }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        if slot == 0 { try writer.property(tag) } else { try writer.property(part) }
    }
}
