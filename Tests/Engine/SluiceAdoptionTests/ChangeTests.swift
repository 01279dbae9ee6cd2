// What changed is written so that another copy of the model becomes equal by an update with it.

#if Macros
import Sluice
import SluiceTestSupport
import Testing

@JSONModel(layout: .array)
struct ChangedPlace: Equatable {
    var x: Int
    var y: Int?
    @JSONUpdate(.append) var log: [Int] = []
}

@JSONModel
struct ChangedPerson: Equatable {
    var name: String?
    var age: Int?
}

@JSONModel
struct ChangedModel: Equatable {
    var place: ChangedPlace?
    @JSONUpdate(.replace) var fixed: ChangedPerson?
    var merged: ChangedPerson?
    @JSONUpdate(.append) var scores: [Int] = []
    @JSONUpdate(.append) @JSONKey("meta.tags") var tags: Set<String> = []
    @JSONUpdate(.append) var counts: [String: Int] = [:]
    var field: JSONField<ChangedPerson>
    @JSONKey("meta.size") var size: Int?
}

@JSONModel(unknownKeys: .collect(into: "rest"))
struct ChangedCollector: Equatable {
    var id: Int?
    var rest: JSONObject
}

@JSONModel
struct ChangedOuter: Equatable {
    var inner: ChangedCollector
}

@JSONBaseClass
class ChangedAnimal {
    var name: String?
    var friend: ChangedAnimal?
}

@JSONSubclass(of: ChangedAnimal.self)
final class ChangedDog: ChangedAnimal {
    var tricks: [String] = []
    @JSONUpdate(.append) var scores: [Int] = []
}

/// A vehicle without a tag, and one with.
@JSONBaseClass
class ChangedVehicle { var wheels = 0 }

@JSONSubclass(of: ChangedVehicle.self)
final class ChangedBike: ChangedVehicle { var bell: String? }

extension ChangedVehicle: JSONPolymorphic {
    static let jsonVariants = JSONVariants<ChangedVehicle>(by: .key("type"))
        .variant("bike", ChangedBike.self) { $0 }
        .fallback(ChangedVehicle.self) { $0 }
}

@JSONModel
struct ChangedGarage {
    var first: ChangedVehicle?
    @JSONUpdate(.replace) var second: ChangedVehicle?
    var all: [ChangedVehicle] = []
}

@JSONModel
struct ChangedKennel {
    var first: ChangedAnimal?
}

@JSONModel
struct ChangedPage: Equatable {
    var total: Int?
}

@JSONModel
struct ChangedListing: Equatable {
    @JSONInline var page: ChangedPage?
    @JSONNull(.keep) var kept: Int?
    var field: JSONField<Int>
}

@Suite struct ChangeTests {
    private func model() throws -> ChangedModel {
        try ChangedModel(
            json: """
                {"place": [1, 2, [7]], "fixed": {"name": "Ann", "age": 7}, "merged": {"name": "Bo", "age": 8}, "scores": [1],
                "meta": {"tags": ["a"], "size": 3}, "counts": {"a": 1}, "field": {"name": "Cy", "age": 1}}
                """)
    }

    /// Updates a copy of a model, and another copy by what changed.
    private func follow(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> String {
        var changed = try model()
        let old = try model()
        let changes = try changed.update(json: text)
        for changes in [changes, try changed.changes(from: old)] {
            let patch = try changed.jsonString(of: changes)
            var follower = try model()
            try follower.update(json: patch)
            #expect(follower == changed, "\(patch)", sourceLocation: location)
            #expect(changes.isEmpty == (patch == "{}"), "\(patch)", sourceLocation: location)
        }
        #expect(try changed.changes(from: old).changed.sorted() == changes.changed.sorted(), sourceLocation: location)
        return try changed.jsonString(of: changes)
    }

    @Test func aPatchMakesTheOtherCopyEqual() throws {
        #expect(try follow(#"{"place": [5]}"#) == #"{"place":[5,2,[]]}"#)
        #expect(try follow(#"{"place": [1, null, [8]]}"#) == #"{"place":[1,null,[8]]}"#)
        #expect(try follow(#"{"place": [1, 2]}"#) == "{}")
        #expect(try follow(#"{"fixed": {"age": 8}}"#) == #"{"fixed":{"name":null,"age":8}}"#)
        #expect(try follow(#"{"fixed": {"name": "Ann", "age": 8}}"#) == #"{"fixed":{"name":"Ann","age":8}}"#)
        #expect(try follow(#"{"merged": {"age": 9}}"#) == #"{"merged":{"age":9}}"#)
        #expect(try follow(#"{"field": {"age": 9}}"#) == #"{"field":{"age":9}}"#)
        #expect(try follow(#"{"field": null, "merged": null}"#) == #"{"merged":null,"field":null}"#)
        #expect(try follow(#"{"scores": [1, 2]}"#) == #"{"scores":[1,2]}"#)
        #expect(try follow(#"{"scores": []}"#) == "{}")
        #expect(try follow(#"{"meta": {"tags": ["a"]}, "counts": {"a": 1}}"#) == "{}")
        _ = try follow(#"{"meta": {"size": 4}, "counts": {"b": 2}}"#)
        #expect(try follow(#"{"counts": {"a": 2}}"#) == #"{"counts":{"a":2}}"#)
        _ = try follow(#"{"meta": {"tags": ["b", "c"]}, "scores": [3], "place": [9, 9, [9]]}"#)
        _ = try follow(#"{"place": null, "fixed": null}"#)
    }

    @Test func aChangeInAModelThatIsAnArrayIsNamed() throws {
        var changed = try model()
        #expect(try changed.update(json: #"{"place": [5, 2, [8]]}"#).changed == ["place.x", "place.log"])
        #expect(try changed.changes(from: model()).changed == ["place.x", "place.log"])
        var place = ChangedPlace(x: 1, y: 2, log: [3])
        let old = place
        let changes = try place.update(json: "[1, null, [4]]")
        #expect(changes.changed == ["y", "log"])
        #expect(try place.jsonString(of: changes) == "[1,null,[4]]")
        #expect(try place.jsonString(of: place.changes(from: old)) == "[1,null,[4]]")
        #expect(try place.jsonString(of: place.changes(from: place)) == "[]")
    }

    @Test func whatCannotBeAppendedIsAnError() throws {
        var changed = try model()
        let old = try model()
        changed.scores = [2]
        var error = #expect(throws: JSONError.self) { try changed.jsonString(of: changed.changes(from: old)) }
        #expect(error?.kind == .notWritable)
        #expect(error?.summary.contains("'scores'") == true)
        changed = old
        changed.tags = ["b"]
        error = #expect(throws: JSONError.self) { try changed.jsonString(of: changed.changes(from: old)) }
        #expect(error?.summary.contains("'tags'") == true)
        #expect(try changed.changes(from: old).changed == ["tags"])
    }

    /// The difference of two models as a patch, and whether an update of the old one with it gives the new one.
    private func patch<Model: JSONModel>(_ type: Model.Type, _ old: String, _ new: String) throws -> String {
        let changed = try Model(json: new)
        let patch = try changed.jsonString(of: changed.changes(from: Model(json: old)))
        var follower = try Model(json: old)
        try follower.update(json: patch)
        #expect(try follower.jsonString(options: .sortedKeys) == changed.jsonString(options: .sortedKeys), "\(patch)")
        return patch
    }

    @Test func aPatchThatCannotMakeTheCopyEqualIsAnError() throws {
        let bike = #"{"type":"bike","bell":"b","wheels":2}"#
        func refusal<Model: JSONModel>(_ type: Model.Type, _ old: String, _ new: String) throws -> String {
            let error = #expect(throws: JSONError.self, "\(new)") { try patch(type, old, new) }
            #expect(error?.kind == .notWritable)
            return error?.expected ?? ""
        }
        #expect(try refusal(ChangedGarage.self, #"{"first":\#(bike)}"#, #"{"first":{"wheels":5}}"#).contains("'first'"))
        #expect(try patch(ChangedGarage.self, #"{"first":{"wheels":5}}"#, #"{"first":\#(bike)}"#).contains(#""type":"bike""#))
        #expect(
            try patch(ChangedGarage.self, #"{"first":{"wheels":5}}"#, #"{"first":{"wheels":6}}"#) == #"{"first":{"wheels":6}}"#)
        #expect(try patch(ChangedGarage.self, "{}", #"{"first":{"wheels":5}}"#) == #"{"first":{"wheels":5}}"#)
        #expect(
            try patch(ChangedGarage.self, #"{"second":\#(bike)}"#, #"{"second":{"wheels":5}}"#) == #"{"second":{"wheels":5}}"#)
        _ = try patch(ChangedGarage.self, #"{"all":[\#(bike)]}"#, #"{"all":[{"wheels":5}]}"#)
        #expect(try patch(ChangedGarage.self, #"{"first":\#(bike)}"#, "{}") == #"{"first":null}"#)
        // No tag tells the classes of animals.
        let dog = try ChangedDog(json: #"{"name":"Rex","tricks":["sit"]}"#)
        for old in [nil, try ChangedAnimal(json: "{}")] {
            let kennel = ChangedKennel(first: dog)
            let changes = try kennel.changes(from: ChangedKennel(first: old))
            #expect(throws: JSONError.self) { try kennel.jsonString(of: changes) }
        }
        #expect(try refusal(ChangedListing.self, #"{"total":1}"#, "{}").contains("'page'"))
        #expect(try patch(ChangedListing.self, "{}", #"{"total":1}"#) == #"{"total":1}"#)
        #expect(try refusal(ChangedListing.self, #"{"kept":1}"#, "{}").contains("'kept'"))
        #expect(try refusal(ChangedListing.self, #"{"field":1}"#, "{}").contains("'field'"))
        #expect(try patch(ChangedListing.self, #"{"field":1}"#, #"{"field":null}"#) == #"{"field":null}"#)
        #expect(try refusal(ChangedCollector.self, #"{"a":1,"b":2}"#, #"{"a":1}"#).contains("'rest'"))
        #expect(try patch(ChangedCollector.self, #"{"a":1}"#, #"{"a":3,"b":2}"#) == #"{"a":3,"b":2}"#)
    }

    @Test func setsAndDictionariesOfAnotherOrderAreNoChange() throws {
        var old = try model()
        old.tags = Set((0..<50).map { "t\($0)" })
        old.counts = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", $0) })
        var new = old
        new.tags = Set((0..<50).reversed().map { "t\($0)" })
        new.counts = [:]
        new.counts.reserveCapacity(1000)
        for number in (0..<50).reversed() { new.counts["k\(number)"] = number }
        #expect(try new.changes(from: old).isEmpty)
    }

    @Test func nestedCollectedMembersAreWritten() throws {
        var outer = try ChangedOuter(json: #"{"inner": {"id": 1, "a": 1}}"#)
        let old = outer
        let changes = try outer.update(json: #"{"inner": {"a": 2, "b": 3}}"#)
        #expect(changes.changed == ["inner.rest.a", "inner.rest.b"])
        #expect(try outer.jsonString(of: changes) == #"{"inner":{"a":2,"b":3}}"#)
        #expect(try outer.jsonString(of: outer.changes(from: old)) == #"{"inner":{"a":2,"b":3}}"#)
    }

    @Test func changesOfAnObjectOfASubclassAreSeenInAVariableOfItsSuperclass() throws {
        let text = #"{"name": "Rex", "tricks": ["sit"], "scores": [1], "friend": {"name": "Tom"}}"#
        let old: ChangedAnimal = try ChangedDog(json: text)
        let dog = try ChangedDog(json: text)
        let animal: ChangedAnimal = dog
        let changes = try animal.update(json: #"{"tricks": ["roll"], "scores": [2], "friend": {"name": "Tim"}}"#)
        #expect(changes.changed == ["tricks", "scores", "friend.name"])
        #expect(try animal.jsonString(of: changes) == #"{"friend":{"name":"Tim"},"tricks":["roll"],"scores":[2]}"#)
        let difference = try animal.changes(from: old)
        #expect(Set(difference.changed) == Set(changes.changed))
        let follower = old
        try follower.update(json: animal.jsonString(of: difference))
        #expect(try follower.jsonString() == animal.jsonString())
    }
}
#endif
