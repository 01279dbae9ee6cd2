// An object that is updated stays the same object, wherever it is, and takes over what the document has, no more.

#if Macros
import Sluice
import SluiceTestSupport
import Testing

@JSONBaseClass
class KeptVehicle {
    var wheels = 4
    var owner: KeptPerson?
    @JSONIgnored var isSeen = false
}

@JSONSubclass(of: KeptVehicle.self)
final class KeptBike: KeptVehicle {
    var bell: String?
}

@JSONSubclass(of: KeptVehicle.self)
final class KeptCar: KeptVehicle {
    var doors: Int?
}

extension KeptVehicle: JSONPolymorphic {
    static let jsonVariants = JSONVariants<KeptVehicle>(by: .key("type"))
        .variant("bike", KeptBike.self) { $0 }
        .variant("car", KeptCar.self) { $0 }
}

@JSONBaseClass
class KeptShape { var x = 0 }

@JSONSubclass(of: KeptShape.self)
final class KeptCircle: KeptShape { var radius = 1 }

extension KeptShape: JSONPolymorphic {
    static let jsonVariants = JSONVariants<KeptShape>(by: .key("kind", content: "value"))
        .variant("circle", KeptCircle.self) { $0 }
        .fallback(KeptShape.self) { $0 }
}

@JSONModel
final class KeptPerson {
    let id: Int
    let tags: [String]
    let home: KeptHome?
    var name: String?
    var initial: String?
    @JSONUpdate(.append) var scores: [Int] = []
    @JSONIgnored var visits = 0
}

extension KeptPerson: JSONDidRead {
    func didRead(_ context: JSONReadContext) -> Bool {
        initial = name.map { String($0.prefix(1)) }
        return name != "refused"
    }
}

@JSONModel
final class KeptHome { var city: String? }

@JSONModel
struct Garage {
    var first: KeptVehicle?
    var second: KeptVehicle?
    var shape: KeptShape?
    @JSONUpdate(.replace) var other: KeptVehicle?
    var person: KeptPerson?
    @JSONMismatch(.keep) var size: Int?
    var inner: Inner?

    @JSONModel
    struct Inner {
        var vehicle: KeptVehicle?
        @JSONMismatch(.keep) var size: Int?
    }
}

@JSONModel
final class KeptNode {
    var v: Int?
    var w: Int?
    var place: Place?
    var left: KeptNode?
    var right: KeptNode?

    @JSONModel
    struct Place: Equatable {
        var x: Int?
        var y: Int?
    }
}

@JSONModel
final class KeptBox<Item: JSONBindable> {
    var item: Item
    var count = 0
    @JSONIgnored var note = ""
}

struct KeptSpace<Unit: JSONBindable> {
    @JSONModel
    final class Pair<Left: JSONBindable, Right: JSONBindable> {
        var left: Left
        var right: Right?
        var unit: Unit?
        @JSONIgnored var note = ""
    }
}

@Suite struct ObjectIdentityTests {
    private func garage() throws -> Garage {
        try Garage(
            json: """
                {"first": {"type": "bike", "wheels": 2, "bell": "a", "owner": {"id": 1, "tags": []}},
                "second": {"type": "car", "doors": 3}, "shape": {"kind": "circle", "value": {"x": 1, "radius": 2}},
                "other": {"type": "bike", "wheels": 3}, "person": {"id": 7, "tags": ["a"], "home": {"city": "Bern"}, "name": "Ann"},
                "inner": {"vehicle": {"type": "bike", "wheels": 2}}}
                """)
    }

    @Test("M1: an object whose JSON names its own class stays the same object")
    func objectsOfNamedClassesStay() throws {
        for parser in [JSONReader.Options.Parser.automatic, .yajl] {
            var garage = try garage()
            let (first, owner) = (garage.first, garage.first?.owner)
            first?.isSeen = true
            owner?.visits = 3
            let changes = try garage.update(
                json: """
                    {"first": {"owner": {"name": "Bo"}, "bell": "c", "type": "bike"},
                    "inner": {"vehicle": {"type": "bike", "bell": "d"}}}
                    """,
                options: .init(parser: parser))
            #expect(garage.first === first && first?.wheels == 2 && first?.isSeen == true)
            #expect((first as? KeptBike)?.bell == "c")
            #expect(first?.owner === owner && owner?.visits == 3 && owner?.name == "Bo" && owner?.id == 1)
            #expect(changes.changed == ["first.owner.name", "first.bell", "inner.vehicle.bell"])
            #expect(garage.inner?.vehicle?.wheels == 2)
        }
    }

    @Test func anObjectKeepsItsClassWhereTheJSONTellsNone() throws {
        var garage = try garage()
        let (first, shape) = (garage.first, garage.shape)
        let changes = try garage.update(json: #"{"first": {"bell": "c"}, "shape": {"value": {"radius": 5}}}"#)
        #expect(garage.first === first && (first as? KeptBike)?.bell == "c" && first?.wheels == 2)
        #expect(garage.shape === shape && (shape as? KeptCircle)?.radius == 5 && shape?.x == 1)
        #expect(changes.changed == ["first.bell", "shape.radius"])
        #expect(
            try garage.jsonString(of: changes)
                == #"{"first":{"type":"bike","bell":"c"},"shape":{"kind":"circle","value":{"radius":5}}}"#)
        // Without an object, the class must be told.
        #expect(throws: JSONError.self) { try Garage(json: #"{"first": {"bell": "c"}}"#) }
        #expect(throws: JSONError.self) { try garage.update(json: #"{"first": {"type": "boat"}}"#) }
    }

    @Test func anObjectOfAnotherClassIsReplaced() throws {
        var garage = try garage()
        let (first, second, other) = (garage.first, garage.second, garage.other)
        try garage.update(
            json: #"{"first": {"type": "car", "doors": 5}, "second": null, "other": {"type": "bike", "bell": "x"}}"#)
        #expect(garage.first !== first && (garage.first as? KeptCar)?.doors == 5 && garage.first?.wheels == 4)
        #expect(garage.second == nil && second?.wheels == 4)
        #expect(garage.other !== other && garage.other?.wheels == 4)
    }

    @Test func anErrorChangesNoObjectOfANamedClass() throws {
        for text in [
            #"{"first": {"type": "bike", "bell": "c"}, "size": "#,
            #"{"first": {"type": "bike", "bell": "c", "owner": {"id": 2}}}"#,
            #"{"first": {"type": "bike", "bell": "c", "wheels": []}}"#,
            #"{"first": {"wheels": 9}, "person": {"name": 1.5, "id": 8}}"#,
        ] {
            var garage = try garage()
            let before = try garage.jsonString()
            #expect(throws: JSONError.self) { try garage.update(json: text) }
            #expect(try garage.jsonString() == before)
        }
    }

    @Test func aValueThatIsLeftOutAfterAnObjectTakesNothingBack() throws {
        var garage = try garage()
        try garage.update(json: #"{"inner": {"vehicle": {"type": "bike", "wheels": 7}, "size": "x"}, "size": []}"#)
        #expect(garage.inner?.vehicle?.wheels == 7)
        try garage.update(json: #"{"first": {"wheels": 6, "owner": {"name": "n"}}, "size": "x"}"#)
        #expect(garage.first?.wheels == 6 && garage.first?.owner?.name == "n")
    }

    @Test("M2: one object in two properties, or inside itself, takes over what the document has")
    func sharedObjectsTakeOverWhatTheDocumentHas() throws {
        let shared = try KeptNode(json: #"{"v": 1, "w": 2, "place": {"x": 1, "y": 2}}"#)
        let node = try KeptNode(json: "{}")
        node.left = shared
        node.right = shared
        try node.update(json: #"{"left": {"v": 5, "place": {"x": 7}}, "right": {"place": {"y": 8}, "w": 6}}"#)
        #expect(node.left === shared && node.right === shared)
        #expect(shared.v == 5 && shared.w == 6 && shared.place == .init(x: 7, y: 8))
        node.left = node
        try node.update(json: #"{"v": 3, "left": {"w": 4}}"#)
        #expect(node.left === node && node.v == 3 && node.w == 4)
        try node.update(json: #"{"left": {"v": 5, "left": null}, "w": 6}"#)
        #expect(node.left == nil && node.v == 5 && node.w == 6)
        let first = try KeptPerson(json: #"{"id": 1, "tags": [], "name": "Ann"}"#)
        var garage = Garage()
        garage.first = try KeptBike(json: #"{"type": "bike"}"#)
        garage.first?.owner = first
        garage.person = first
        try garage.update(json: #"{"first": {"owner": {"name": "Bo", "scores": [1]}}, "person": {"scores": [2]}}"#)
        #expect(first.name == "Bo" && first.initial == "B" && first.scores == [1, 2])
    }

    @Test("M9: an object of a generic class keeps its ignored properties and stays the same object")
    func genericObjectsStay() throws {
        let box = try KeptBox<[Int]>(json: #"{"item": [1], "count": 2}"#)
        box.note = "kept"
        let changes = try box.update(json: #"{"item": [1, 2]}"#)
        #expect(box.item == [1, 2] && box.count == 2 && box.note == "kept" && changes.changed == ["item"])
        #expect(try box.jsonString(include: [\.count]) == #"{"count":2}"#)
        var pair = try KeptSpace<Bool>.Pair<Int, KeptBox<String>>(json: #"{"left": 1, "right": {"item": "a"}, "unit": true}"#)
        let (old, right) = (pair, pair.right)
        pair.note = "kept"
        right?.note = "too"
        pair = old
        try pair.update(json: #"{"right": {"count": 5}, "unit": null}"#)
        #expect(pair === old && pair.right === right && right?.count == 5 && right?.item == "a" && right?.note == "too")
        #expect(pair.unit == nil && pair.left == 1 && pair.note == "kept")
    }

    @Test("M14: an object with a constant stays when the constant is absent or equal")
    func objectsWithConstantsStay() throws {
        let person = try KeptPerson(json: #"{"id": 7, "tags": ["a"], "home": {"city": "Bern"}, "name": "Ann"}"#)
        person.visits = 2
        let home = person.home
        #expect(try person.update(json: #"{"name": "Bo"}"#).changed == ["name"])
        #expect(person.name == "Bo" && person.initial == "B" && person.visits == 2)
        let text = #"{"id": 7, "tags": ["a"], "home": {"city": "Chur"}, "name": "Cy"}"#
        #expect(try person.update(json: text).changed == ["home.city", "name"])
        #expect(person.home === home && home?.city == "Chur" && person.name == "Cy" && person.id == 7)
        var garage = try garage()
        let inside = garage.person
        try garage.update(json: #"{"person": {"id": 7, "name": "Di"}}"#)
        #expect(garage.person === inside && inside?.name == "Di" && inside?.initial == "D")
    }

    @Test(
        "M14: another value for a constant is an error that names the property",
        arguments: [
            (#"{"name": "x", "id": 8}"#, "id"), (#"{"tags": [], "name": "x"}"#, "tags"),
            (#"{"name": "x", "home": null}"#, "home"),
        ])
    func otherValuesOfConstantsAreErrors(_ text: String, _ path: String) throws {
        let person = try KeptPerson(json: #"{"id": 7, "tags": ["a"], "home": {"city": "Bern"}, "name": "Ann"}"#)
        for parser in [JSONReader.Options.Parser.automatic, .yajl] {
            let error = #expect(throws: JSONError.self) { try person.update(json: text, options: .init(parser: parser)) }
            #expect(error?.kind == .invalidValue && error?.path == path)
            #expect(error?.summary.contains("'\(path)' is a constant") == true, "\(error?.summary ?? "")")
            #expect(person.name == "Ann" && person.id == 7 && person.tags == ["a"] && person.home?.city == "Bern")
            var garage = try garage()
            let inside = #expect(throws: JSONError.self) {
                try garage.update(json: #"{"first": {"wheels": 9}, "person": \#(text)}"#, options: .init(parser: parser))
            }
            #expect(inside?.path == "person." + path)
            #expect(garage.first?.wheels == 2 && garage.person?.name == "Ann")
        }
        let error = #expect(throws: JSONError.self) { try person.update(json: #"{"id": 8}"#) }
        #expect(error?.expected == "7, because 'id' is a constant of the object that is updated" && error?.found == "8")
    }

    @Test func aRefusedUpdateKeepsTheObject() throws {
        let person = try KeptPerson(json: #"{"id": 7, "tags": [], "name": "Ann"}"#)
        #expect(throws: JSONError.self) { try person.update(json: #"{"name": "refused"}"#) }
        #expect(person.name == "Ann" && person.initial == "A")
        var garage = Garage()
        garage.person = person
        try garage.update(json: #"{"person": {"name": "refused"}}"#)
        #expect(garage.person === person && person.name == "Ann")
    }

    @Test func anArrayThatEndsEarlyAssignsNoFurtherProperty() throws {
        var place = ChangedPlace(x: 1, y: 2)
        #expect(try place.update(json: "[5]").assigned == ["x"])
        #expect(place == ChangedPlace(x: 5, y: 2))
        #expect(try place.update(json: "[]").assigned == [])
        let error = #expect(throws: JSONError.self) { try ChangedPlace(json: "[]") }
        #expect(error?.kind == .missingKeys && error?.keys == ["x"])
        #expect(readings(of: ChangedPlace.self, Array("[]".utf8), options: .init()).disagreements == [])
    }
}
#endif
