// Objects that are updated stay the same objects; what changed is written by itself.

#if Macros
import Sluice
import Testing

@JSONBaseClass
class UpdatedAnimal {
    var name = ""
    var home: UpdatedHome?
    @JSONIgnored var isSeen = false
    @JSONKey("meta.age") var age: Int?
}

@JSONSubclass(of: UpdatedAnimal.self)
class UpdatedDog: UpdatedAnimal {
    var tricks: [String] = []
    @JSONUpdate(.append) var scores: [Int] = []
}

@JSONSubclass(of: UpdatedDog.self)
final class UpdatedPuppy: UpdatedDog {
    var weeks: Int
    var friend: UpdatedAnimal?
}

@JSONModel
final class UpdatedHome {
    var city = ""
    var rooms: [Int] = []
    @JSONIgnored var visits = 0
    var owner: UpdatedOwner?
}

@JSONModel
final class UpdatedOwner {
    var name: String
    var age: Int?
}

@JSONModel
final class ConstantOwner {
    let name: String
    var age: Int?
}

@JSONModel
struct UpdatedHouse {
    var home: UpdatedHome
    var note: JSONField<String>
    var size: Int?
}

@Suite struct UpdateTests {
    private func puppy() throws -> UpdatedPuppy {
        let puppy = try UpdatedPuppy(
            json: """
                {"name": "Rex", "home": {"city": "Bern", "rooms": [1], "owner": {"name": "Ann", "age": 7}}, "tricks": ["sit"],
                "scores": [1], "weeks": 9, "meta": {"age": 1}, "friend": {"name": "Tom"}}
                """)
        puppy.isSeen = true
        puppy.home?.visits = 3
        return puppy
    }

    @Test func anObjectOfASubclassStaysItself() throws {
        let object = try puppy()
        let (home, owner, friend) = (object.home, object.home?.owner, object.friend)
        let animal: UpdatedAnimal = object
        let changes = try animal.update(
            json: """
                {"weeks": 10, "home": {"owner": {"age": 8}, "rooms": []}, "scores": [2], "meta": {"age": 2}, "name": "Rex",
                "friend": {"name": "Tim"}}
                """)
        #expect(animal === object)
        #expect(object.weeks == 10 && object.age == 2 && object.isSeen && object.tricks == ["sit"] && object.scores == [1, 2])
        #expect(object.home === home && home?.city == "Bern" && home?.visits == 3 && home?.rooms == [])
        #expect(object.home?.owner === owner && owner?.age == 8 && owner?.name == "Ann")
        #expect(object.friend === friend && friend?.name == "Tim")
        #expect(
            changes.changed == ["weeks", "home.owner.age", "home.rooms", "scores", "age", "friend.name"], "\(changes)")
        #expect(changes.assigned.contains("name"))
    }

    @Test(arguments: [
        #"{"home": {"owner": {"age": 8}, "rooms": [2]}, "weeks": "x"}"#, #"{"home": {"owner": {"age": 8}}, "name": {}}"#,
        #"{"home": {"owner": {"age": 8}}, "name": "#, #"{"home": {"city": "Basel", "owner": {"age": "x"}}}"#,
    ])
    func anErrorLeavesEveryObjectWhatItWas(_ text: String) throws {
        for parser in [JSONReader.Options.Parser.automatic, .yajl] {
            let object = try puppy()
            let before = try object.jsonString()
            let animal: UpdatedAnimal = object
            #expect(throws: JSONError.self) { try animal.update(json: text, options: .init(parser: parser)) }
            #expect(try object.jsonString() == before)
        }
    }

    @Test func propertiesWithMismatchesKeepTheirValuesInAnUpdate() throws {
        let animal: UpdatedAnimal = try puppy()
        var options = JSONReader.Options()
        options.mismatch = .keep
        try animal.update(json: #"{"home": {"owner": {"age": 8}, "rooms": "x"}, "name": "Max"}"#, options: options)
        #expect(animal.name == "Max" && animal.home?.rooms == [1] && animal.home?.owner?.age == 8)
        let owner = animal.home?.owner
        try animal.update(json: #"{"home": {"owner": {"age": 9, "name": []}}}"#, options: options)
        #expect(animal.home?.owner === owner && owner?.age == 9 && owner?.name == "Ann")
    }

    @Test func nullAndNewObjectsTakeTheirPlaces() throws {
        let animal: UpdatedAnimal = try puppy()
        try animal.update(json: #"{"home": null}"#)
        #expect(animal.home == nil)
        try animal.update(json: #"{"home": {"city": "Chur"}}"#)
        #expect(animal.home?.city == "Chur")
    }

    @Test func aStructHoldsItsObjects() throws {
        var house = try UpdatedHouse(json: #"{"home": {"city": "Bern"}, "size": 3}"#)
        let home = house.home
        let changes = try house.update(json: #"{"home": {"city": "Chur"}, "note": null, "size": null}"#)
        #expect(house.home === home && home.city == "Chur")
        #expect(changes.changed == ["home.city", "note", "size"])
        #expect(try house.jsonString(of: changes) == #"{"home":{"city":"Chur"},"note":null,"size":null}"#)
    }

    @Test func onlyWhatChangedIsWritten() throws {
        var house = try UpdatedHouse(json: #"{"home": {"city": "Bern", "rooms": [1]}, "note": "n", "size": 3}"#)
        let other = try UpdatedHouse(json: house.jsonBytes())
        let changes = try house.update(json: #"{"home": {"city": "Bern", "rooms": [1, 2]}, "note": "n", "size": 4}"#)
        let text = try house.jsonString(of: changes)
        #expect(text == #"{"home":{"rooms":[1,2]},"size":4}"#)
        #expect(try house.jsonObject(of: changes) == ["home": ["rooms": [1, 2]], "size": 4])
        // Another copy follows.
        var follower = other
        try follower.update(json: text)
        #expect(try follower.jsonString() == house.jsonString())
        let untouched = try UpdatedHouse(json: #"{"home": {"city": "Bern", "rooms": [1]}, "note": "n"}"#)
        let difference = try house.changes(from: untouched)
        #expect(difference.changed == ["home.rooms", "size"])
        #expect(try untouched.changes(from: house).changed == ["home.rooms", "size"])
        #expect(try house.changes(from: house).isEmpty)
        #expect(try house.jsonString(of: house.changes(from: house)) == "{}")
    }

    @Test func collectedMembersCountAsOne() throws {
        var event = try CollectingEvent(json: #"{"id": 1, "a": 1, "b": 2}"#)
        let before = event
        let changes = try event.update(json: #"{"b": 3}"#)
        #expect(changes.changed == ["rest.b"])
        #expect(try event.jsonString(of: changes) == #"{"a":1,"b":3}"#)
        #expect(try event.changes(from: before).changed == ["rest"])
    }
}
#endif
