// SPEC §1.7: the properties of superclasses take part in everything.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@JSONBaseClass(keys: .snakeCase)
class SpecVehicle {
    var wheelCount = 4
    @JSONKey("meta.maker") var maker: String?
    @JSONSensitive var secret = "s"
    @JSONIgnored var isParked = false
}

@JSONSubclass(of: SpecVehicle.self, keys: .pascalCase)
class SpecCar: SpecVehicle {
    var doors: Int
    @JSONKey("meta.model") var model: String?
    @JSONIgnored(.archive) var lane: Int?
}

@JSONSubclass(of: SpecCar.self)
final class SpecTaxi: SpecCar, JSONDidRead {
    var fares: [Double] = []
    var next: SpecVehicle?

    func didRead(_ context: JSONReadContext) -> Bool { wheelCount > 2 }
}

/// A hook that its base class does not have.
@JSONSubclass(of: SpecCar.self)
final class SpecLimousine: SpecCar, JSONDidRead {
    func didRead(_ context: JSONReadContext) -> Bool {
        doors += 10
        return true
    }
}

extension SpecVehicle: JSONHashableModel, JSONDescribable {}

@Suite struct InheritanceSpecTests {
    private let text = """
        {"wheel_count":6,"meta":{"maker":"m","model":"x"},"secret":"t","Doors":5,"Lane":2,"fares":[1.5],"next":{"wheel_count":2}}
        """

    @Test("F23: each class has its own keys, and those of its superclasses")
    func keys() throws {
        let taxi = try SpecTaxi(json: text)
        #expect(taxi.wheelCount == 6)
        #expect(taxi.maker == "m")
        #expect(taxi.model == "x")
        #expect(taxi.doors == 5)
        #expect(taxi.fares == [1.5])
        #expect(taxi.next?.wheelCount == 2)
        let written = try taxi.jsonObject()
        #expect(written["meta"] == ["maker": "m", "model": "x"])
        #expect(written["Doors"] == 5)
        #expect(written["isParked"] == nil)
        #expect(try SpecTaxi(json: taxi.jsonString()) == taxi)
        #expect(failure(reading: SpecTaxi.self, "{}")?.keys == ["Doors"])
    }

    @Test("F23: a predicate on a subclass looks at the record that the subclass's own hook has changed")
    func predicateWithHook() throws {
        let lines = #"{"Doors":5}"# + "\n" + #"{"Doors":1}"# + "\n"
        let feed = JSONFeed<SpecLimousine>(bytes: Array(lines.utf8), options: .init(format: .lines, where: \.doors > 12))
        #expect(try feed.next()?.doors == 15)
        #expect(try feed.next() == nil)
    }

    @Test("F23: a subclass's reading is the same however the text is cut")
    func subclassesReadTheSameInEveryWay() {
        #expect(readEveryWay(SpecTaxi.self, text).disagreements == [])
        #expect(readEveryWay([SpecCar].self, #"[{"Doors":1,"wheel_count":3},{"Doors":2}]"#).disagreements == [])
    }

    @Test("F23: a hook of a subclass sees what its superclass has read")
    func hooks() throws {
        #expect(failure(reading: SpecTaxi.self, #"{"Doors":5,"wheel_count":2}"#)?.kind == .rejected)
        #expect(try [SpecTaxi](json: #"[{"Doors":5,"wheel_count":2},{"Doors":3}]"#).map(\.doors) == [3])
    }

    @Test("F23: archives and copies hold inherited properties")
    func archivesAndCopies() throws {
        let taxi = try SpecTaxi(json: text)
        let restored = try SpecTaxi(archive: taxi.archive())
        #expect(restored.wheelCount == 6 && restored.maker == "m" && restored.secret == "t" && restored.doors == 5)
        #expect(restored.lane == nil)
        let copy = try taxi.copy()
        #expect(copy !== taxi)
        #expect(copy == taxi)
        copy.wheelCount = 8
        copy.next?.wheelCount = 3
        #expect(taxi.wheelCount == 6)
        #expect(taxi.next?.wheelCount == 2)
    }

    @Test("F23: schemas, descriptions and comparisons know inherited properties, also by way of the superclass")
    func introspection() throws {
        #expect(
            SpecTaxi.schema.properties.map(\.name) == [
                "wheelCount", "maker", "secret", "doors", "model", "lane", "fares", "next",
            ])
        #expect(SpecTaxi.schema.name == "SpecTaxi")
        #expect(SpecTaxi.schema.fingerprint != SpecCar.schema.fingerprint)
        let taxi = try SpecTaxi(json: text)
        let erased: SpecVehicle = taxi
        #expect(erased.jsonSummary.hasPrefix("wheelCount = 6, maker = m, secret = <redacted>, doors = 5"))
        #expect("\(erased)".hasPrefix("<SpecTaxi> {"))
        let other = try SpecTaxi(json: text)
        #expect(erased == other)
        #expect(erased.hashValue == other.hashValue)
        other.maker = "n"
        #expect(erased != other)
        #expect(try erased != SpecCar(json: #"{"Doors":5}"#))
    }

    @Test("F24: an object of a class hierarchy is updated and stays the same object")
    func updates() throws {
        let vehicle = try SpecVehicle(json: #"{"wheel_count":6,"meta":{"maker":"m"}}"#)
        let old = vehicle
        try vehicle.update(json: #"{"wheel_count":5}"#)
        #expect(vehicle === old)
        #expect(vehicle.wheelCount == 5)
        #expect(throws: JSONError.self) { try vehicle.update(json: #"{"wheel_count":[]}"#) }
        #expect(vehicle === old)
        #expect(vehicle.wheelCount == 5)
    }
}

#endif
