// SPEC §1.9: one of several types, told apart by what the object holds.
#if Macros

import Sluice
import Testing

@testable import SluiceTestSupport

@JSONBaseClass
class SpecUser {
    var uid: Int
    var name: String?

    init(uid: Int, name: String?) {
        self.uid = uid
        self.name = name
    }
}

@JSONSubclass(of: SpecUser.self)
class SpecLocalUser: SpecUser {
    var localName: String
}

@JSONSubclass(of: SpecUser.self)
class SpecRemoteUser: SpecUser {
    var remoteName: String?
    var hops = 1
}

@JSONSubclass(of: SpecLocalUser.self)
final class SpecNearUser: SpecLocalUser {
    var distance: Double
}

extension SpecUser: JSONPolymorphic {
    static let jsonVariants = JSONVariants<SpecUser>(by: .presence)
        .variant("distance", SpecNearUser.self) { $0 }
        .variant("localName", SpecLocalUser.self) { $0 }
        .variant("remoteName", SpecRemoteUser.self) { $0 }
        .fallback(SpecUser.self) { $0 }
}

@Suite struct VariantSpecTests {
    @JSONModel
    struct Circle: Equatable {
        var radius: Double
    }

    @JSONModel
    struct Rectangle: Equatable {
        var width: Int
        var height: Int?
        var inside: [Shape] = []
    }

    @JSONModel(tag: .key("type"))
    enum Shape: Equatable {
        case circle(Circle)
        @JSONKey("rect") indirect case rectangle(Rectangle)
        case nothing
        case unknown(RawJSON)
    }

    @JSONModel(tag: .key("t", content: "c"))
    enum Adjacent: Equatable {
        case number(Int)
        case list(items: [String])
        case none
        case unknown(String?, RawJSON)
    }

    @JSONModel
    enum External: Equatable {
        case circle(Circle)
        case text(String)
        case nothing
    }

    @JSONModel(tag: .untagged)
    enum Untagged: Equatable {
        case flag(Bool)
        case number(Int)
        case circle(Circle)
        case list([Int])
        case text(String)
    }

    @JSONModel(
        tag: .function { peek in
            peek.contains("radius") ? "circle" : peek["size"]?["width"] == nil ? nil : "rectangle"
        })
    enum Chosen: Equatable {
        case circle(Circle)
        case rectangle([String: JSONValue])
    }

    @JSONModel
    struct Drawing: Equatable {
        var first: Shape?
        var shapes: [Shape] = []
        var named: [String: Shape] = [:]
    }

    @JSONModel
    struct Group {
        var owner: SpecUser?
        var members: [SpecUser] = []
        var byName: [String: SpecUser] = [:]
    }

    private func names(_ users: [SpecUser]) -> [String] { users.map { "\(type(of: $0))" } }

    @Test("F25: the presence of a key decides the class, at the root and wherever objects are")
    func presenceDecides() throws {
        let base = #"{"uid":123,"name":"Harry"}"#
        let local = #"{"uid":123,"name":"Harry","localName":"H"}"#
        let remote = #"{"remoteName":"R","uid":123}"#
        let near = #"{"uid":1,"localName":"N","distance":2.5}"#
        for text in [base, local, remote, near] {
            let user = try SpecUser(json: text)
            #expect(user.uid == (text == near ? 1 : 123))
        }
        let group = try Group(
            json:
                #"{"owner":\#(local),"members":[\#(base),\#(local),\#(remote),\#(near)],"byName":{"a":\#(remote),"b":\#(base)}}"#)
        #expect(group.owner is SpecLocalUser)
        #expect(names(group.members) == ["SpecUser", "SpecLocalUser", "SpecRemoteUser", "SpecNearUser"])
        #expect(group.byName["a"] is SpecRemoteUser)
        #expect(type(of: try #require(group.byName["b"])) == SpecUser.self)
        let nearest = try #require(group.members.last as? SpecNearUser)
        #expect(nearest.distance == 2.5)
        #expect(nearest.localName == "N")
        #expect(nearest.uid == 1)
    }

    @Test("F23: a subclass reads and writes the properties of its superclasses, which come first")
    func inheritedPropertiesTakePart() throws {
        let near = try SpecNearUser(json: #"{"distance":1,"uid":2,"localName":"l","name":"n"}"#)
        #expect(try near.jsonString() == #"{"uid":2,"name":"n","localName":"l","distance":1}"#)
        let erased: SpecUser = near
        #expect(try [erased].jsonString() == #"[{"uid":2,"name":"n","localName":"l","distance":1}]"#)
        #expect(SpecNearUser.schema.properties.map(\.name) == ["uid", "name", "localName", "distance"])
        let error = #expect(throws: JSONError.self) { try SpecNearUser(json: #"{"name":"x"}"#) }
        #expect(error?.keys == ["uid", "localName", "distance"])
        let remote = try SpecRemoteUser(json: #"{"uid":1}"#)
        #expect(remote.hops == 1)
        #expect(remote.remoteName == nil)
    }

    @Test(
        "F25: the discriminator may come first, last, or with escapes",
        arguments: [
            #"{"type":"circle","radius":1.5}"#, #"{"radius":1.5,"type":"circle"}"#,
            #"{"radius":1.5,"x":[{"type":"rect"}],"ty\u0070e":"circl\u0065"}"#,
            "{ \"radius\" : 1.5 ,\n\"type\" : \"rect\", \"type\" : \"circle\" }",
        ])
    func theDiscriminatorMayComeLast(_ text: String) {
        let reading = readEveryWay(Shape.self, text)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(.circle(Circle(radius: 1.5))))
        let list = readEveryWay([Shape].self, "[\(text), {\"type\":\"nothing\"},\n \(text)]")
        #expect(list.disagreements == [])
        #expect(list.outcome == .value([.circle(Circle(radius: 1.5)), .nothing, .circle(Circle(radius: 1.5))]))
    }

    @Test("F25: variants nest in one another and in every container")
    func variantsNest() throws {
        let text = """
            {"named": {"a": {"inside": [{"type": "circle", "radius": 2}, {"inside": [], "type": "rect", "width": 3}], "width": 1,
             "type": "rect"}}, "first": {"type": "circle", "radius": 7}, "shapes": [{"type": "nothing"}]}
            """
        let inner = Rectangle(width: 1, inside: [.circle(Circle(radius: 2)), .rectangle(Rectangle(width: 3))])
        let drawing = Drawing(first: .circle(Circle(radius: 7)), shapes: [.nothing], named: ["a": .rectangle(inner)])
        let reading = readEveryWay(Drawing.self, text)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(drawing))
        #expect(try Drawing(json: drawing.jsonString()) == drawing)
        #expect(try Drawing(json: drawing.jsonString(options: .pretty)) == drawing)
    }

    @Test("F25: an unknown tag keeps its bytes")
    func anUnknownTagKeepsItsBytes() throws {
        let text = #"{"type":"star", "points": [1,  2]}"#
        let shape = try Shape(json: text)
        guard case .unknown(let raw) = shape else { return #expect(Bool(false), "\(shape)") }
        #expect(raw.text == text)
        #expect(try shape.jsonString() == text)
        #expect(try Adjacent(json: #"{"t":"x","c":1}"#) == .unknown("x", RawJSON(json: #"{"t":"x","c":1}"#)))
        #expect(readEveryWay([Shape].self, "[\(text)]").disagreements == [])
        let broken = #expect(throws: JSONError.self) { try Shape(json: #"{"type":"star","x":nul}"#) }
        #expect(broken?.kind == .syntax)
    }

    @Test("F25: errors inside a variant have their own path and position")
    func errorsHaveTheirPosition() {
        let text = "{\"shapes\":[\n {\"type\":\"circle\",\"radius\":1},\n {\"radius\":\"wide\",\"type\":\"circle\"}]}"
        let error = failure(reading: Drawing.self, text)
        #expect(error?.kind == .typeMismatch)
        #expect(error?.path == "shapes[1].radius")
        #expect(error?.line == 3)
        #expect(error?.column == 12)
        #expect(positionsEveryWay(Drawing.self, text) == [])
        let missing = failure(reading: Drawing.self, #"{"first":{"type":"circle"}}"#)
        #expect(missing?.kind == .missingKeys)
        #expect(missing?.path == "first")
        #expect(positionsEveryWay(Drawing.self, #"{"first":{"type":"circle"}}"#) == [])
        let unknown = failure(reading: External.self, #"{"star":1}"#)
        #expect(unknown?.kind == .invalidValue)
        #expect(unknown?.expected.contains("'circle', 'text', 'nothing'") == true)
    }

    @Test("F25: a second key beside an external tag is an error that names it, in any order")
    func aSecondKeyBesideAnExternalTagIsAnError() {
        var rejecting = JSONReader.Options.strict
        rejecting.unknownKeys = .reject
        for (text, key) in [
            (#"{"circle":{"radius":1},"text":"t"}"#, "text"), (#"{"text":"t","circle":{"radius":1}}"#, "circle"),
            (#"{"circle":{"radius":1},"status":5}"#, "status"), (#"{"status":5,"circle":{"radius":1}}"#, "status"),
            (#"{"nothing":null,"status":5}"#, "status"), (#"{"\u0073tatus":[],"text":"t"}"#, "status"),
            (#"{"text":"t","circle":1,"text":"u"}"#, "circle"),
        ] {
            for options in [JSONReader.Options.strict, .lenient, .tolerant, .untrusted, rejecting, .strict.throughYajl] {
                // A strict budget finds the repeated key first.
                if options == .untrusted, text.hasSuffix(#""text":"u"}"#) { continue }
                let reading = readings(of: External.self, text, options: options)
                #expect(reading.error?.kind == .invalidValue, "\(text)")
                #expect(reading.error?.keys == [key], "\(text)")
                #expect(reading.error?.found == "a second key '\(key)'")
                #expect(reading.disagreements == [], "\(text)")
            }
            let left = readings(of: [External].self, #"["nothing",\#(text)]"#, options: .tolerant)
            #expect(left.value == [.nothing])
            #expect(left.report.droppedCount == 1)
            #expect(left.disagreements == [])
        }
        #expect(readings(of: External.self, #"{"text":"t","text":"u"}"#, options: .strict).value == .text("u"))
    }

    @JSONModel(tag: .external)
    enum Known: Equatable {
        case circle(Circle)
        case unknown(String?, RawJSON)
    }

    @JSONModel
    struct Around: Equatable {
        var id: Int
        @JSONInline var shape: External
    }

    @Test("F25: an inlined variant with an external tag has the keys of the model beside it")
    func anInlinedExternalTagHasOtherKeysBesideIt() {
        for text in [#"{"id":1,"circle":{"radius":2}}"#, #"{"circle":{"radius":2},"more":[],"id":1}"#] {
            let reading = readings(of: Around.self, text, options: .strict)
            #expect(reading.value == Around(id: 1, shape: .circle(Circle(radius: 2))))
            #expect(reading.disagreements == [])
        }
        let two = readings(of: Around.self, #"{"id":1,"text":"t","circle":{"radius":2}}"#, options: .strict)
        #expect(two.error?.keys == ["circle"])
        #expect(two.disagreements == [])
        // Without the key of a variant, the object is an unknown one.
        #expect(
            readings(of: Known.self, #"{"a":1,"b":2}"#, options: .strict).value
                == (try? .unknown(nil, RawJSON(json: #"{"a":1,"b":2}"#))))
        #expect(readings(of: Known.self, #"{"a":1,"circle":{"radius":2}}"#, options: .strict).error?.keys == ["a"])
    }

    @JSONModel(tag: .key("type"))
    enum Strict: Equatable {
        case circle(Circle)
    }

    @JSONModel(tag: .presence)
    enum Present: Equatable {
        @JSONKey("radius") case circle(Circle)
    }

    @JSONModel(tag: .key("t", content: "c"))
    enum Beside: Equatable {
        case circle(Circle)
    }

    @Test("F25: a tag that is missing or null is a missing key, and what is no object is of another type")
    func aMissingTagIsAMissingKey() {
        func error<Value: JSONBindable & Equatable>(_ type: Value.Type, _ text: String) -> JSONError? {
            for options in [JSONReader.Options.lenient, .strict.throughYajl] {
                #expect(readings(of: type, text, options: options).disagreements == [], "\(text)")
            }
            return readings(of: type, text, options: .strict).error
        }
        for text in [#"{"id":"1"}"#, #"{"type":null,"t":null,"radius":1}"#, "{}"] {
            #expect(error(Strict.self, text)?.kind == .missingKeys)
            #expect(error(Strict.self, text)?.keys == ["type"])
            #expect(error(Beside.self, text)?.kind == .missingKeys)
            #expect(error(Beside.self, text)?.keys == ["t"])
        }
        #expect(error([Strict].self, #"[{"id":"1"}]"#)?.path == "[0]")
        for text in ["[]", "5", "null", "true", "[{}]"] {
            for found in [
                error(Strict.self, text), error(Beside.self, text), error(External.self, text), error(Present.self, text),
                error(Chosen.self, text),
            ] {
                #expect(found?.kind == .typeMismatch, "\(text) \(found?.summary ?? "")")
                #expect(found?.path == "")
            }
        }
        for text in [#""x""#, #"{"type":"star"}"#] { #expect(error(External.self, text)?.kind == .invalidValue) }
        #expect(error(Strict.self, #""circle""#)?.kind == .typeMismatch)
        #expect(error(Strict.self, #"{"type":"star"}"#)?.kind == .invalidValue)
        #expect(
            readings(of: Adjacent.self, #"{"t":null}"#, options: .strict).value
                == (try? .unknown(nil, RawJSON(json: #"{"t":null}"#))))
    }

    @Test("F25: elements that are no variant are left out and counted, if the options say so")
    func invalidVariantsAreLeftOut() throws {
        var reader = JSONReader(options: .init(elements: .skipInvalid))
        let text = #"[{"circle":{"radius":1}},{"star":{}},"nothing",7,{"circle":{"radius":"x"}},{"text":"t"}]"#
        #expect(try reader.read([External].self, from: text) == [.circle(Circle(radius: 1)), .nothing, .text("t")])
        #expect(reader.report.droppedCount == 3)
        #expect(reader.report.issues.map(\.path) == ["[1]", "[3]", "[4].circle.radius"])
        let reading = readEveryWay([External].self, text, options: .init(elements: .skipInvalid))
        #expect(reading.disagreements == [])
    }

    @Test("F25: enums are written the way they are read, with each kind of tag")
    func everyTagGoesBothWays() throws {
        func check<Value: JSONBindable & Equatable>(_ value: Value, _ text: String) throws {
            #expect(try value.jsonString() == text)
            let reading = readEveryWay(Value.self, text)
            #expect(reading.disagreements == [])
            #expect(reading.outcome == .value(value))
        }
        try check(Shape.circle(Circle(radius: 1)), #"{"type":"circle","radius":1}"#)
        try check(Shape.rectangle(Rectangle(width: 1, height: 2)), #"{"type":"rect","width":1,"height":2,"inside":[]}"#)
        try check(Shape.nothing, #"{"type":"nothing"}"#)
        try check(Adjacent.number(7), #"{"t":"number","c":7}"#)
        try check(Adjacent.list(items: ["a", "\"b\""]), #"{"t":"list","c":["a","\"b\""]}"#)
        try check(Adjacent.none, #"{"t":"none"}"#)
        try check(External.circle(Circle(radius: 2)), #"{"circle":{"radius":2}}"#)
        try check(External.text("x\n"), #"{"text":"x\n"}"#)
        try check(External.nothing, #""nothing""#)
        try check(Untagged.flag(true), "true")
        try check(Untagged.number(-3), "-3")
        try check(Untagged.circle(Circle(radius: 0.5)), #"{"radius":0.5}"#)
        try check(Untagged.list([1, 2]), "[1,2]")
        try check(Untagged.text("3"), #""3""#)
        try check(Chosen.circle(Circle(radius: 3)), #"{"radius":3}"#)
        try check(Chosen.rectangle(["size": ["width": 4]]), #"{"size":{"width":4}}"#)
    }

    @Test("F25: variants of variants have a limit, not a crash")
    func depthIsLimited() {
        let levels = 400
        let text =
            String(repeating: #"{"type":"rect","width":1,"inside":["#, count: levels) + String(repeating: "]}", count: levels)
        let error = failure(reading: Shape.self, text)
        #expect(error?.kind == .depthLimit)
    }
}

#endif
