// What a model says of keys that no property has.

#if Macros
import Sluice
import SluiceTestSupport
import Testing

@JSONModel(unknownKeys: .collect(into: "rest"))
struct CollectingEvent: Equatable {
    var id: Int
    @JSONKey("meta.by") var by: String?
    var rest: JSONObject
}

@JSONModel(unknownKeys: .collect(into: "others"))
final class CollectingObject {
    var others: [String: JSONValue] = [:]
    var id = 0
    var child: CollectingEvent?
}

@JSONModel(unknownKeys: .reject)
struct RejectingModel: Equatable {
    var id: Int?
    var inner: IgnoringModel?
    @JSONKey("a.b") var deep: Int?
}

@JSONModel
struct PathModel: Equatable {
    @JSONKey("a.b") var deep: Int?
}

@JSONModel(unknownKeys: .ignore)
struct IgnoringModel: Equatable { var x: Int? }

@JSONModel(unknownKeys: .report)
struct ReportingModel: Equatable { var id: Int? }

@Suite struct UnknownKeyTests {
    @Test(arguments: [
        #"{"id":7}"#, #"{"id":7,"color":"red"}"#,
        #"{"id":7,"meta":{"by":"ann"},"a":null,"b":[1,{"x":[]}],"c":{"id":1},"d":1.50}"#,
        #"{"id":7,"rest":{"rest":true}}"#, #"{"id":7,"ü\n":"\"","":false}"#,
    ])
    func whatIsCollectedIsWrittenBack(_ text: String) throws {
        let reading = readEveryWay(CollectingEvent.self, text)
        #expect(reading.disagreements == [])
        guard case .value(let event) = reading.outcome else {
            Issue.record("\(reading.outcome)")
            return
        }
        #expect(try event.jsonString() == text)
        #expect(try CollectingEvent(archive: event.archive()) == event)
        let pretty = try event.jsonString(options: .init(isPretty: true))
        #expect(try CollectingEvent(json: pretty) == event)
    }

    @Test func keysMayStandAnywhere() throws {
        let event = try CollectingEvent(json: #"{"z": 1, "id": 7, "a": {"b": 2}, "meta": {"x": 1, "by": "ann"}, "z": 2}"#)
        #expect(event.id == 7 && event.by == "ann")
        #expect(event.rest.keys == ["z", "a"])
        #expect(event.rest["z"] == 2)
    }

    @Test func aCollectedKeyStandsOnceAndIsComparedByItsBytes() throws {
        // "é" as one scalar, and as two: equal strings in Swift, but two keys in JSON.
        let event = try CollectingEvent(json: "{\"id\":7,\"\u{e9}\":1,\"z\":2,\"e\u{301}\":4,\"z\":5}")
        #expect(event.rest.members.map { Array($0.key.utf8) } == [Array("\u{e9}".utf8), Array("z".utf8), Array("e\u{301}".utf8)])
        #expect(event.rest.members.map(\.value) == [1, 5, 4])
    }

    @Test func aClassCollectsIntoADictionary() throws {
        let object = try CollectingObject(json: #"{"b": [true], "id": 1, "a": null, "child": {"id": 2, "q": "w"}}"#)
        #expect(object.others == ["a": nil, "b": [true]])
        #expect(object.child?.rest == ["q": "w"])
        #expect(try object.jsonString() == #"{"id":1,"child":{"id":2,"q":"w"},"a":null,"b":[true]}"#)
    }

    @Test func collectedMembersDoNotOverwriteAPropertysKey() throws {
        let event = CollectingEvent(id: 1, by: nil, rest: ["id": 2, "x": 3])
        #expect(try event.jsonString() == #"{"id":1,"x":3}"#)
        #expect(try event.jsonString(include: ["id"]) == #"{"id":1}"#)
        #expect(try event.jsonString(exclude: ["rest"]) == #"{"id":1}"#)
        #expect(try event.jsonString(include: [\.rest]) == #"{"x":3}"#)
    }

    @Test func anUpdateReplacesAndAddsMembers() throws {
        var event = try CollectingEvent(json: #"{"id": 1, "a": 1, "b": 2}"#)
        let changes = try event.update(json: #"{"b": {"c": 3}, "d": 4, "id": 1}"#)
        #expect(event.rest == ["a": 1, "b": ["c": 3], "d": 4])
        #expect(changes.assigned == ["rest.b", "rest.d", "id"])
        #expect(changes.changed == ["rest.b", "rest.d"])
    }

    @Test func aModelRejectsWhatItDoesNotKnow() throws {
        for (text, path) in [
            (#"{"id": 1, "x": 2}"#, "x"), (#"{"a": {"b": 1, "c": 2}}"#, "a.c"), (#"{"inner": {"q": 1}, "y": 1}"#, "y"),
        ] {
            let reading = readings(of: RejectingModel.self, Array(text.utf8), options: .init())
            #expect(reading.disagreements == [])
            #expect(reading.error?.kind == .unknownKey)
            #expect(reading.error?.keys == [String(path.split(separator: ".").last ?? "")])
        }
        #expect(try RejectingModel(json: #"{"id": 1, "inner": {"q": [1]}}"#).id == 1)
    }

    @Test func aValueOtherThanAnObjectOnAKeyPathIsRefusedWhereUnknownKeysAre() throws {
        for (text, found) in [
            (#"{"a": 5, "id": 1}"#, "the number 5"), (#"{"a": "x"}"#, "the string \"x\""), (#"{"id": 1, "a": true}"#, "true"),
            (#"{"a": [1, {"b": 2}]}"#, "an array"),
        ] {
            let reading = readings(of: RejectingModel.self, Array(text.utf8), options: .init())
            #expect(reading.disagreements == [])
            #expect(reading.error?.kind == .typeMismatch)
            #expect(reading.error?.path == "a")
            #expect(reading.error?.expected == "an object")
            #expect(reading.error?.found == found)
        }
        #expect(try RejectingModel(json: #"{"id": 1, "a": null}"#).id == 1)
        let tolerant = readings(
            of: [RejectingModel].self, Array(#"[{"id": 1}, {"a": 5}, {"a": []}, {"id": 4}]"#.utf8), options: .tolerant)
        #expect(tolerant.disagreements == [])
    }

    @Test func aValueOtherThanAnObjectOnAKeyPathIsReported() throws {
        let text = #"[{"a": 5}, {"a": [1]}, {"a": {"b": 1, "c": 2}}, {"a": null}]"#
        let reading = readings(of: [PathModel].self, Array(text.utf8), options: .init(unknownKeys: .report))
        #expect(reading.disagreements == [])
        #expect(reading.report.unknownKeys.map(\.path) == ["[0].a", "[2].a.c"])
        #expect(reading.report.unknownKeys.map(\.count) == [2, 1])
    }

    @Test func aModelsUnknownKeyPolicyOverridesTheReaders() throws {
        var reader = JSONReader(options: .init(unknownKeys: .reject))
        #expect(try reader.read(IgnoringModel.self, from: #"{"x": 1, "y": {"z": 2}}"#) == IgnoringModel(x: 1))
        var quiet = JSONReader()
        _ = try quiet.read([ReportingModel].self, from: #"[{"idd": 1}, {"idd": 2, "id": 3}]"#)
        #expect(quiet.report.unknownKeyCount == 2)
        #expect(quiet.report.unknownKeys.map(\.path) == ["[0].idd"])
    }

    @Test func damageInsideWhatIsCollectedIsAnError() {
        let text = #"{"id": 1, "a": {"b": [1, 2}"#
        let reading = readings(of: CollectingEvent.self, Array(text.utf8), options: .init())
        #expect(reading.disagreements == [])
        #expect(reading.error?.kind == .syntax)
        var deep = JSONReader.Options()
        deep.maximumDepth = 3
        let error = #expect(throws: JSONError.self) { try CollectingEvent(json: #"{"id": 1, "a": [[[1]]]}"#, options: deep) }
        #expect(error?.kind == .depthLimit)
    }

    @Test func manyKeysAreCollectedInOneGo() throws {
        let members = (0..<2000).map { "\"k\($0)\": [\($0)]" }.joined(separator: ", ")
        let event = try CollectingEvent(json: "{\(members), \"id\": 1}")
        #expect(event.rest.count == 2000)
        #expect(event.rest["k1999"] == [1999])
    }
}
#endif
