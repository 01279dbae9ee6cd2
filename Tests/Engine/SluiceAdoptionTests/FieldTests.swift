// Members that are absent, null, or a value: read, written as they were, updated.

#if Macros
import Sluice
import SluiceTestSupport
import Testing

@JSONModel
struct PatchedAddress: Equatable {
    var city: JSONField<String>
    var zip: JSONField<Int> = .absent
}

@JSONModel
struct UserPatch: Equatable {
    var name: JSONField<String>
    var age: JSONField<Int> = .absent
    var score: JSONField<Double>
    var isActive: JSONField<Bool>
    var address: JSONField<PatchedAddress>
    var tags: JSONField<[String]>
    var any: JSONField<JSONValue>
    @JSONKey("meta.by", "by") var by: JSONField<String>
}

@JSONModel(layout: .array)
struct FieldRow: Equatable {
    var first: JSONField<Int>
    var second: JSONField<String>
    var third: JSONField<Int>
}

@JSONModel
final class FieldBox {
    var value: JSONField<[FieldRow]>
    let other: JSONField<Int>
}

@Suite struct FieldTests {
    @Test(arguments: [
        #"{}"#, #"{"name":null}"#, #"{"name":"Ann","age":7}"#, #"{"score":1.5,"isActive":false}"#,
        #"{"name":null,"age":null,"score":null,"isActive":null,"address":null,"tags":null,"any":null,"meta":{"by":null}}"#,
        #"{"address":{"city":null}}"#, #"{"address":{}}"#, #"{"tags":[],"any":[1,null]}"#, #"{"meta":{"by":"ann"}}"#,
    ])
    func whatIsReadIsWrittenAsItWas(_ text: String) throws {
        let reading = readEveryWay(UserPatch.self, text)
        #expect(reading.disagreements == [])
        guard case .value(let patch) = reading.outcome else {
            Issue.record("\(reading.outcome)")
            return
        }
        #expect(try patch.jsonString() == text)
        // What options say of nils is about optionals.
        #expect(try patch.jsonString(options: .init(nils: .null)) == text)
        let pretty = try patch.jsonString(options: .init(isPretty: true))
        #expect(try UserPatch(json: pretty) == patch)
        #expect(try UserPatch(archive: patch.archive()) == patch)
    }

    @Test func theThreeStatesAreToldApart() throws {
        let patch = try UserPatch(json: #"{"name": "Ann", "age": null}"#)
        #expect(patch.name == .value("Ann"))
        #expect(patch.name.value == "Ann")
        #expect(patch.age == .null)
        #expect(patch.age.isNull)
        #expect(patch.score.isAbsent)
        #expect("\(patch.name) \(patch.age) \(patch.score)" == "Ann null absent")
    }

    @Test(arguments: ["[]", "[1]", "[null]", "[1,null]", #"[1,"x"]"#, "[1,null,3]", #"[1,"x",null]"#])
    func anArrayKeepsItsPositionsAndItsLength(_ text: String) throws {
        let reading = readEveryWay(FieldRow.self, text)
        #expect(reading.disagreements == [])
        guard case .value(let row) = reading.outcome else {
            Issue.record("\(reading.outcome)")
            return
        }
        #expect(try row.jsonString() == text)
        #expect(try [row, row].jsonString() == "[\(text),\(text)]")
    }

    @Test func anAbsentPositionBeforeAnotherIsNull() throws {
        let row = FieldRow(first: .absent, second: .absent, third: .value(3))
        #expect(try row.jsonString() == "[null,null,3]")
        let pretty = try FieldRow(first: .value(1), second: .absent, third: .absent).jsonString(options: .init(isPretty: true))
        #expect(pretty == "[\n  1\n]")
    }

    @Test func classesAndContainersHoldFields() throws {
        let box = try FieldBox(json: #"{"value": [[1], []], "other": null}"#)
        #expect(box.value.value?.count == 2)
        #expect(box.other == .null)
        #expect(try box.jsonString() == #"{"value":[[1],[]],"other":null}"#)
        let list = try [JSONField<Int>](json: "[1, null]")
        #expect(list == [.value(1), .null])
        #expect(try ([.absent, .value(2)] as [JSONField<Int>]).jsonString() == "[2]")
        let map = try [String: JSONField<Int>](json: #"{"a": 1, "b": null}"#)
        #expect(map == ["a": .value(1), "b": .null])
        #expect(try JSONField<PatchedAddress>(json: "null") == .null)
        #expect(try JSONField<Int>(json: "7") == .value(7))
    }

    @Test func anAbsentFieldIsNoDocument() {
        #expect(throws: JSONError.self) { try JSONField<Int>.absent.jsonString() }
    }

    @Test func anUpdateChangesWhatStandsThere() throws {
        var patch = try UserPatch(json: #"{"name": "Ann", "age": 7, "address": {"city": "Bern", "zip": 3000}}"#)
        let changes = try patch.update(json: #"{"name": null, "address": {"zip": 3001}, "score": 2}"#)
        #expect(patch.name == .null)
        #expect(patch.age == .value(7))
        #expect(patch.score == .value(2))
        #expect(patch.address == .value(PatchedAddress(city: .value("Bern"), zip: .value(3001))))
        #expect(changes.changed == ["name", "address.zip", "score"])
        try patch.update(json: #"{"address": null}"#)
        #expect(patch.address == .null)
    }

    @Test func aPatchIsAppliedFieldByField() throws {
        var name = "Ann"
        var email: String? = "a@b"
        JSONField<String>.absent.apply(to: &email)
        #expect(email == "a@b")
        JSONField<String>.null.apply(to: &email)
        #expect(email == nil)
        #expect(throws: JSONError.self) { try JSONField<String>.null.apply(to: &name) }
        #expect(name == "Ann")
        try JSONField.value("Bo").apply(to: &name)
        #expect(name == "Bo")
        #expect(JSONField.value(2).map { $0 * 2 } == .value(4))
        #expect(JSONField<Int>(nil) == .null)
    }

    @Test(arguments: [
        (#"{"name": 7}"#, "name"), (#"{"address": {"zip": "x"}}"#, "address.zip"), (#"{"tags": [1, {}]}"#, "tags[1]"),
        (#"{"address": []}"#, "address"),
    ])
    func whatDoesNotFitIsAnErrorAtItsPosition(_ text: String, _ path: String) {
        let reading = readings(of: UserPatch.self, Array(text.utf8), options: .init(conversions: .lenient))
        #expect(reading.disagreements == [])
        if text.contains("name") {
            #expect(reading.value?.name == .value("7"))
        } else {
            #expect(reading.error?.path == path)
        }
    }

    @Test func policiesHoldForFieldsToo() throws {
        var options = JSONReader.Options()
        options.mismatch = .keep
        #expect(try UserPatch(json: #"{"age": "x"}"#, options: options).age == .absent)
        options.mismatch = .nil
        #expect(try UserPatch(json: #"{"age": "x"}"#, options: options).age == .null)
        options.nulls = .keep
        #expect(try UserPatch(json: #"{"age": null}"#, options: options).age == .absent)
        #expect(try UserPatch(json: #"{"by": "x", "meta": {"by": null}}"#).by == .value("x"))
    }

    @Test func theSchemaTellsOfFields() {
        #expect(UserPatch.schema["name"]?.typeName == "JSONField<String>")
        #expect(UserPatch.schema["name"]?.presence == .defaulted)
        #expect(UserPatch.schema["name"]?.kind == .string)
        #expect(UserPatch.schema["address"]?.model?.name == "PatchedAddress")
    }
}
#endif
