// SPEC §1.10: what a model does itself before and after it is read.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct HookSpecTests {
    @JSONModel(observe: ["timestamp"])
    struct Message: Equatable, JSONDidRead {
        var id: Int64
        var content: String?
        @JSONIgnored var time: Double?

        mutating func didRead(_ context: JSONReadContext) -> Bool {
            guard let milliseconds = context.value("timestamp")?.double else { return false }
            time = milliseconds / 1000
            return true
        }
    }

    @JSONModel
    struct Score: Hashable, JSONDidRead {
        var score: Int
        mutating func didRead(_ context: JSONReadContext) -> Bool { score > 50 }
    }

    @JSONModel
    struct Dated: Equatable, JSONWillRead {
        var time: Int
        static func willRead(_ object: inout JSONObject) -> Bool {
            if object["time"] == nil { object["time"] = object["date"] }
            return object["time"] != nil
        }
    }

    @JSONModel
    final class Checked: JSONDidRead {
        var low = 0
        var high = 0
        struct Upside: Error {}
        func didRead(_ context: JSONReadContext) throws -> Bool {
            if low > high { throw Upside() }
            return true
        }
    }

    @JSONModel
    struct Board: Equatable {
        var best: Score?
        var all: [Score] = []
        var named: [String: Score] = [:]
        var unique: Set<Score> = []
        var dated: Dated?
        var dates: [Dated] = []
    }

    @Test("F27: a hook sees the keys that it observes, and completes the model")
    func didReadCompletes() {
        let reading = readEveryWay(Message.self, #"{"id":5472746497,"content":"Hello","timestamp":1401234567000}"#)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Message(id: 5_472_746_497, content: "Hello", time: 1_401_234_567)))
    }

    @JSONModel(observe: ["w", "id", "absent"])
    struct Looking: Equatable, JSONDidRead {
        var id: Int?
        @JSONIgnored var seen: [JSONValue?] = []
        mutating func didRead(_ context: JSONReadContext) -> Bool {
            seen = [context.value("w"), context.value("id"), context.value("absent")]
            return true
        }
    }

    @Test("F27: an observed null is a value, and a property's key can be observed as well")
    func observedNulls() {
        let reading = readEveryWay(Looking.self, #"{"w":null,"id":7,"other":1}"#)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Looking(id: 7, seen: [.some(.null), 7, nil])))
    }

    @JSONModel(observe: ["seen"])
    struct Asking: JSONDidRead {
        var x = 3
        func didRead(_ context: JSONReadContext) -> Bool { context.value("other") == nil }
    }

    @Test("F27: a hook that asks for a key which it does not observe is an error, not nil without a word")
    func unobservedKeys() {
        let error = failure(reading: Asking.self, #"{"x":1,"other":4}"#)
        #expect(error?.kind == .invalidModel)
        #expect(error?.found == "'didRead' of Asking asks for the key 'other', which is not among those of 'observe:'")
    }

    @Test("F27: a veto at the root is an error")
    func aVetoAtTheRoot() {
        let error = failure(reading: Message.self, #"{"id":1,"content":"Hello"}"#)
        #expect(error?.kind == .rejected)
        #expect(readEveryWay(Message.self, #"{"id":1}"#).disagreements == [])
    }

    @Test("F27: a veto is honoured in arrays, dictionaries, sets and properties, and counted")
    func aVetoIsHonouredEverywhere() throws {
        let text = """
            {"best":{"score":30},"all":[{"score":30},{"score":100},{"score":60}],"named":{"a":{"score":1},"b":{"score":51}},
             "unique":[{"score":70},{"score":70},{"score":7}]}
            """
        for options in [JSONReader.Options(), .strict] {
            var reader = JSONReader(options: options)
            let board = try reader.read(Board.self, from: text)
            #expect(
                board
                    == Board(
                        all: [Score(score: 100), Score(score: 60)], named: ["b": Score(score: 51)], unique: [Score(score: 70)]))
            #expect(reader.report.droppedCount == 4)
            #expect(reader.report.issues.map(\.path) == ["best", "all[0]", "named.a", "unique[2]"])
            #expect(reader.report.issues.allSatisfy { $0.kind == .rejected })
        }
        #expect(readEveryWay(Board.self, text).disagreements == [])
        #expect(try [Score](json: #"[{"score":30},{"score":100},{"score":60}]"#).map(\.score) == [100, 60])
    }

    @Test("F26: a hook changes the object before it is read, or refuses it")
    func willReadChanges() throws {
        #expect(readEveryWay(Dated.self, #"{"date":7}"#).outcome == .value(Dated(time: 7)))
        #expect(readEveryWay(Dated.self, #"{"time":8,"date":7}"#).outcome == .value(Dated(time: 8)))
        #expect(failure(reading: Dated.self, #"{"x":1}"#)?.kind == .rejected)
        let text = #"{"dated":{"date":1},"dates":[{"date":2},{},{"time":3}]}"#
        let reading = readEveryWay(Board.self, text)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(Board(dated: Dated(time: 1), dates: [Dated(time: 2), Dated(time: 3)])))
        let error = failure(reading: Board.self, "{\"dates\":[\n{\"date\":2},\n{\"date\":\"soon\"}]}")
        #expect(error?.path == "dates[1].time")
        #expect(error?.position.line == 3)
    }

    @Test("F27: what a hook throws is an error at the object's position")
    func aHookMayThrow() {
        let error = #expect(throws: JSONError.self) { try Checked(json: #"{"low":3,"high":2}"#) }
        #expect(error?.kind == .invalidValue)
        #expect(error?.found.contains("Upside") == true)
        #expect(throws: Never.self) { try Checked(json: #"{"low":1,"high":2}"#) }
    }
}

@Suite struct WriteHookSpecTests {
    @JSONModel
    struct Message: Equatable, JSONDidWrite, JSONWillWrite {
        var id: Int
        @JSONIgnored var time: Double?

        func willWrite() -> Bool { id > 0 }
        func didWrite(_ object: inout JSONObject) -> Bool {
            guard let time else { return false }
            object["time"] = .number(JSONNumber(Int(time * 1000)))
            return true
        }
    }

    @JSONModel
    struct Envelope: JSONWillWrite {
        var name: String
        struct Empty: Error {}
        func willWrite() throws -> Bool {
            if name.isEmpty { throw Empty() }
            return name != "secret"
        }
    }

    @JSONModel
    struct Box {
        var first: Message?
        var list: [Message] = []
        var named: [String: Message] = [:]
        var envelope: Envelope?
        var last = 1
    }

    private let good = Message(id: 1, time: 1_401_234_567)

    @Test("F29: a hook completes the object that is written")
    func didWriteCompletes() throws {
        #expect(try good.jsonString() == #"{"id":1,"time":1401234567000}"#)
        #expect(try good.jsonString(options: .pretty) == "{\n  \"id\": 1,\n  \"time\": 1401234567000\n}")
    }

    @Test("F29: a veto at the root is an error")
    func aVetoAtTheRoot() {
        #expect(#expect(throws: JSONError.self) { try Message(id: 1).jsonString() }?.kind == .rejected)
        #expect(#expect(throws: JSONError.self) { try Message(id: 0, time: 1).jsonString() }?.kind == .rejected)
        #expect(#expect(throws: JSONError.self) { try Envelope(name: "").jsonString() }?.kind == .notWritable)
    }

    @Test("F29: a veto leaves out the key, the element, the pair", arguments: [JSONWriter.Options(), .pretty, .sortedKeys])
    func aVetoIsHonouredEverywhere(_ options: JSONWriter.Options) throws {
        let box = Box(
            first: Message(id: 2), list: [Message(id: 0, time: 1), good, Message(id: 3)],
            named: ["a": Message(id: 0), "b": good], envelope: Envelope(name: "secret"))
        let value = try JSONValue(json: try box.jsonString(options: options))
        let written: JSONValue = ["id": 1, "time": 1_401_234_567_000]
        #expect(value["first"] == nil)
        #expect(value["list"] == [written])
        #expect(value["named"] == ["b": written])
        #expect(value["envelope"] == nil)
        #expect(value["last"] == 1)
    }
}

#endif
