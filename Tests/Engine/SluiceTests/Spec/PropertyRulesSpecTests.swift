// SPEC §1.5 to §1.10: rules of properties where they meet: containers, enums, observed keys, directions.
#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct PropertyRulesSpecTests {
    @JSONModel
    struct Collected: Equatable {
        @JSONDate(.unix) var dates: [Date] = []
        @JSONDate(.unix) var named: [String: Date]?
        @JSONConvert(.strict) var numbers: [Int] = []
        @JSONConvert(.truncating) var cut: Set<Int> = []
        @JSONElements(.skipInvalid) var byName: [String: Level] = [:]
        @JSONUpdate(.append) var more: [Int]?
        @JSONNull(.empty) var maybe: [Int]?
        @JSONData(.utf8) var texts: [Data] = []
    }

    @JSONModel
    enum Level: Int { case low = 1, high = 2 }

    @JSONModel
    enum Plan: String { case free, paid }

    @JSONModel
    struct Enums: Equatable {
        var level: Level = .low
        var plan: Plan? = .free
        var levels: [Level] = []
    }

    @JSONModel(observe: ["v", "w"])
    struct Observing: Equatable, JSONDidRead {
        var v: Int
        @JSONKey("v") var text: String?
        @JSONIgnored var seen = ""
        mutating func didRead(_ context: JSONReadContext) -> Bool {
            seen = "\(context.value("v")?.number?.description ?? "-") \(context.value("w")?.isNull.description ?? "-")"
            return true
        }
    }

    @JSONModel
    struct ReadOnly: Equatable {
        @JSONIgnored(.reading) var client = "sluice"
        @JSONIgnored(.writing) var token: String?
        @JSONIgnored(.reading) let version = 3
        let id: Int
        private(set) var hash: Int
        var description: String?
    }

    private func read<Value: JSONBindable & Equatable>(
        _ text: String, leavingOut count: Int = 0, options: JSONReader.Options = .init(), as type: Value.Type = Value.self
    ) -> Value? {
        let reading = readings(of: type, text, options: options)
        #expect(reading.disagreements == [])
        #expect(reading.error == nil)
        #expect(reading.report.droppedCount == count)
        return reading.value
    }

    @Test("F19: what a property says holds for its elements")
    func elementsFollowTheirProperty() throws {
        let moment = Date(timeIntervalSince1970: 5)
        #expect(read(#"{"dates":[5,"5"],"named":{"a":5}}"#) == Collected(dates: [moment, moment], named: ["a": moment]))
        #expect(failure(reading: Collected.self, #"{"numbers":["1"]}"#, options: .init())?.path == "numbers[0]")
        #expect(read(#"{"cut":[1.5,1.2,2]}"#) == Collected(cut: [1, 2]))
        #expect(read(#"{"byName":{"a":1,"b":7,"c":"2","d":null}}"#, leavingOut: 2) == Collected(byName: ["a": .low, "c": .high]))
        #expect(read(#"{"maybe":null}"#) == Collected(maybe: []))
        #expect(read(#"{"texts":["a","b"]}"#) == Collected(texts: [Data("a".utf8), Data("b".utf8)]))
        var collected = Collected(more: [1])
        try collected.update(json: #"{"more":[2]}"#)
        #expect(collected.more == [1, 2])
        collected.more = nil
        try collected.update(json: #"{"more":[3]}"#)
        #expect(collected.more == [3])
        #expect(try Collected(dates: [moment], named: ["a": moment]).jsonObject()["named"] == ["a": 5])
    }

    @Test("F19: an enum with a raw value is read as that value is, under each profile")
    func enums() {
        #expect(read(#"{"level":2,"plan":"paid","levels":[1,2]}"#) == Enums(level: .high, plan: .paid, levels: [.low, .high]))
        #expect(read(#"{"level":"2"}"#) == Enums(level: .high))
        #expect(failure(reading: Enums.self, #"{"level":"2"}"#) != nil)
        #expect(failure(reading: Enums.self, #"{"level":3}"#, options: .init())?.kind == .invalidValue)
        #expect(read(#"{"plan":"gold","levels":[1,3]}"#, leavingOut: 2, options: .yyModel) == Enums(plan: nil, levels: [.low]))
        #expect(failure(reading: Enums.self, #"{"levels":[1,3]}"#, options: .init())?.path == "levels[1]")
    }

    @Test("F27: a key may be observed that properties have")
    func observedKeysOfProperties() {
        #expect(read(#"{"v":7,"w":1}"#) == Observing(v: 7, text: "7", seen: "7 false"))
        #expect(read(#"{"w":1,"v":7}"#) == Observing(v: 7, text: "7", seen: "7 false"))
    }

    @Test("F22: what is read-only is written, what is write-only is read, and any name may be a property's")
    func directions() throws {
        let text = #"{"client":"x","token":"t","version":9,"id":1,"hash":2,"description":"d"}"#
        let value = try #require(read(text, as: ReadOnly.self))
        #expect(value.client == "sluice" && value.token == "t" && value.version == 3)
        #expect(value.id == 1 && value.hash == 2 && value.description == "d")
        #expect(try value.jsonString() == #"{"client":"sluice","version":3,"id":1,"hash":2,"description":"d"}"#)
    }
}
#endif
