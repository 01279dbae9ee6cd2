// Models that are declared in an extension, which does not show whether the type that it extends is generic.
#if Macros

import Sluice
import Testing

@testable import SluiceCore
@testable import SluiceTestSupport

struct Rack<Item> {
    var items: [Item] = []
}

enum Catalogue {}

extension Rack {
    @JSONModel struct Meta: Equatable {
        var total = 0
        var next: Next?
    }

    @JSONModel struct Next: Equatable { var cursor: String }

    /// With a draft, and the parameter in storage that is ignored.
    @JSONModel struct Draft {
        let total: Int
        @JSONIgnored var select: ((Item) -> Bool)?
        @JSONIgnored weak var owner: Loader?
    }

    @JSONModel final class Loader: JSONHashableModel {
        var total = 0
        var next: Next?
    }

    @JSONBaseClass class Base {
        var id = 0
    }

    @JSONSubclass(of: Base.self) final class Derived: Base {
        var level = 0
    }

    @JSONModel enum Order: String { case up, down }

    @JSONModel enum Sort: Equatable {
        case natural
        @JSONKey("by-name") case name
        case unknown(String)
    }

    @JSONModel(tag: .key("type")) enum Event: Equatable {
        case meta(Meta)
        case loader(Loader)
        case end
        case unknown(RawJSON)
    }

    @JSONModel(tag: .untagged) indirect enum Tree: Equatable {
        case leaf(Int)
        case branch([Tree])
    }

    @JSONModel(codable: true) struct Coded: Equatable { var total = 0 }
}

extension Rack where Item: Equatable {
    @JSONModel struct Same: Equatable { var total = 0 }
}

extension Rack.Meta {
    @JSONModel struct Inner: Equatable { var total = 0 }
}

extension Array {
    @JSONModel struct ArrayMeta: Equatable { var total = 0 }
    @JSONModel(tag: .external) enum ArrayEvent: Equatable { case meta(ArrayMeta) }
}

extension Result {
    @JSONModel final class ResultMeta: JSONHashableModel { var total = 0 }
}

extension Catalogue {
    @JSONModel struct Meta: Equatable { var total = 0 }
    @JSONModel(tag: .key("type")) enum Event: Equatable { case meta(Meta) }
    @JSONBaseClass class Base { var id = 0 }
    @JSONSubclass(of: Base.self) final class Derived: Base { var level = 0 }
}

@Suite struct ExtensionTests {
    @Test func aModelInAnExtensionOfAGenericTypeIsReadAndWritten() throws {
        func expectSame<Model: JSONBindable & Equatable>(_ type: Model.Type, _ text: String) throws {
            let reading = readEveryWay(Model.self, text)
            #expect(reading.disagreements == [], "\(type)")
            #expect(try reading.outcome == .value(Model(json: text)))
            #expect(try Model(json: text).jsonString() == text, "\(type)")
            #expect(try JSONArchive(JSONArchive.bytes(of: [Model(json: text)])).value([Model].self) == [Model(json: text)])
        }
        try expectSame(Rack<Int>.Meta.self, #"{"total":3,"next":{"cursor":"a"}}"#)
        try expectSame(Rack<() -> Void>.Meta.self, #"{"total":3,"next":{"cursor":"a"}}"#)
        try expectSame(Rack<Int>.Loader.self, #"{"total":3,"next":{"cursor":"a"}}"#)
        try expectSame(Rack<Int>.Order.self, #""down""#)
        try expectSame(Rack<Int>.Sort.self, #""by-name""#)
        try expectSame(Rack<Int>.Event.self, #"{"type":"meta","total":3}"#)
        try expectSame(Rack<Int>.Event.self, #"{"type":"loader","total":3}"#)
        try expectSame(Rack<String>.Event.self, #"{"type":"end"}"#)
        try expectSame(Rack<Int>.Event.self, #"{"type":"else","total":3}"#)
        try expectSame(Rack<Int>.Tree.self, "[1,[2,[3]],[]]")
        try expectSame(Rack<Int>.Coded.self, #"{"total":3}"#)
        try expectSame(Rack<Int>.Same.self, #"{"total":3}"#)
        try expectSame(Rack<Int>.Meta.Inner.self, #"{"total":3}"#)
        try expectSame([Int].ArrayMeta.self, #"{"total":3}"#)
        try expectSame([Int].ArrayEvent.self, #"{"meta":{"total":3}}"#)
        try expectSame(Result<Int, JSONError>.ResultMeta.self, #"{"total":3}"#)
        try expectSame(Catalogue.Meta.self, #"{"total":3}"#)
        try expectSame(Catalogue.Event.self, #"{"type":"meta","total":3}"#)
        #expect(throws: JSONError.self) { try Rack<Int>.Event(json: #"{"type":"meta","total":"x"}"#) }
    }

    @Test func eachGenericTypeHasATableOfItsOwn() throws {
        #expect(Rack<Int>.Meta._jsonTable === Rack<Int>.Meta._jsonTable)
        #expect(Rack<Int>.Meta._jsonTable !== Rack<String>.Meta._jsonTable)
        #expect(Rack<Int>.Meta.schema.isBuiltInPlace)
        var draft = try Rack<Int>.Draft(json: #"{"total":1}"#)
        draft.select = { $0 > 1 }
        try draft.update(json: #"{"total":2}"#)
        #expect(draft.total == 2 && draft.select?(2) == true)
    }

    @Test func classesInAnExtensionMayHaveSubclasses() throws {
        let derived = try Rack<Int>.Derived(json: #"{"id":1,"level":2}"#)
        #expect(derived.id == 1 && derived.level == 2)
        #expect(try derived.jsonString() == #"{"id":1,"level":2}"#)
        try derived.update(json: #"{"level":3}"#)
        #expect(try (derived as Rack<Int>.Base).jsonString() == #"{"id":1,"level":3}"#)
        #expect(try Catalogue.Derived(json: #"{"id":1,"level":2}"#).level == 2)
        #expect(Rack<Int>.Base._jsonTable !== Rack<String>.Base._jsonTable)
    }

    @Test func theTablesOfManyTypesAreFoundFromManyThreads() async {
        func tables<Item>(_ type: Item.Type, _ depth: Int) -> [ObjectIdentifier] {
            let own = ObjectIdentifier(Rack<Item>.Meta._jsonTable)
            return [own] + (depth == 0 ? [] : tables([Item].self, depth - 1) + tables(Rack<Item>.self, depth - 1))
        }
        let found = await withTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<4 { group.addTask { tables(Int8.self, 8) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(found).count == 1 && Set(found[0]).count == 511)
    }
}

#endif
