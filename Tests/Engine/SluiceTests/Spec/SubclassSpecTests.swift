// SPEC §1.7, §1.9, §1.12: a variable of a class may hold an object of a subclass, and nothing of that object is lost.
#if Macros

import Sluice
import Testing

@testable import SluiceCore
@testable import SluiceTestSupport

@JSONBaseClass
class SpecAnimal {
    var name = "n"
    var friend: SpecAnimal?
}

@JSONSubclass(of: SpecAnimal.self)
class SpecDog: SpecAnimal {
    var tail = 2
    @JSONKey("home.street") var street: String?
}

@JSONSubclass(of: SpecDog.self)
final class SpecPuppy: SpecDog {
    var weeks: Int
}

extension SpecAnimal: JSONHashableModel {}
extension SpecShape: JSONHashableModel {}

/// A subclass whose attribute was forgotten.
final class SpecStray: SpecAnimal {
    var level = 7
}

@JSONBaseClass
class SpecShape: JSONPolymorphic {
    var id = 0

    class var jsonVariants: JSONVariants<SpecShape> {
        JSONVariants(by: .key("t"))
            .variant("shape", SpecShape.self) { $0 }
            .variant("disc", SpecDisc.self) { $0 }
            .variant("slab", SpecSlab.self) { $0 }
    }
}

@JSONSubclass(of: SpecShape.self)
final class SpecDisc: SpecShape {
    var radius = 1
}

@JSONSubclass(of: SpecShape.self)
final class SpecSlab: SpecShape {
    var t = "slab"
    var shapes: [SpecShape] = []
}

@JSONBaseClass
class SpecNode: JSONPolymorphic {
    class var jsonVariants: JSONVariants<SpecNode> {
        JSONVariants(by: .key("kind", content: "node")).variant("leaf", SpecLeaf.self) { $0 }.fallback(SpecNode.self) { $0 }
    }
}

@JSONSubclass(of: SpecNode.self)
final class SpecLeaf: SpecNode {
    var value = 1
}

@Suite struct SubclassSpecTests {
    @JSONModel
    struct Kennel: Equatable {
        var keeper: SpecAnimal
        var animals: [SpecAnimal] = []
        var named: [String: SpecAnimal] = [:]
        var pet: Pet?
        var stray: SpecStray?
    }

    @JSONModel(tag: .key("kind"))
    enum Pet: Equatable {
        case animal(SpecAnimal)
        case number(Number)
        case gone
        case unknown(RawJSON)
    }

    @JSONModel
    struct Number: Equatable {
        var value = 0
    }

    @JSONModel(tag: .untagged)
    enum Loose: Equatable {
        case first(Int)
        case second(Int)
        case nothing
        case unknown(RawJSON)
    }

    private let puppy = #"{"name":"Rex","weeks":9,"home":{"street":"s"},"friend":{"name":"Tom"}}"#

    // MARK: A forgotten attribute

    @Test("F23: a subclass without an attribute is an error where it is first read, wherever it stands")
    func aSubclassWithoutAttributeIsNotRead() throws {
        let message =
            "invalid model: 'SpecStray' is a subclass of the model 'SpecAnimal', but no model itself; mark it '@JSONSubclass(of: SpecAnimal.self)'"
        #expect(failure(reading: SpecStray.self, #"{"name":"x"}"#)?.summary == message)
        #expect(failure(reading: [SpecStray].self, #"[{"name":"x"}]"#)?.kind == .invalidModel)
        let error = failure(reading: Kennel.self, #"{"keeper":{},"stray":{"name":"x"}}"#)
        #expect(error?.kind == .invalidModel)
        #expect(error?.path == "stray")
        #expect(try Kennel(json: #"{"keeper":{"name":"a"}}"#).keeper.name == "a")
    }

    @Test("F23: a subclass without an attribute is not written as if it were its superclass")
    func aSubclassWithoutAttributeIsNotWritten() throws {
        let stray = SpecStray()
        #expect(throws: JSONError.self) { try stray.jsonString() }
        #expect(throws: JSONError.self) { try ([stray] as [SpecAnimal]).jsonString() }
        #expect(throws: JSONError.self) { try stray.copy() }
        #expect(throws: JSONError.self) { try stray.archive() }
        #expect(stray.jsonSummary == "name = n, friend = <nil>")
    }

    // MARK: Copies and archives

    private func kennel() throws -> Kennel {
        let rex = try SpecPuppy(json: puppy)
        rex.friend = try SpecDog(json: #"{"name":"Tim","tail":5}"#)
        return Kennel(
            keeper: rex, animals: [rex, SpecAnimal()], named: ["a": try SpecDog(json: "{}")], pet: .animal(rex))
    }

    @Test("F36: a copy of an object is of its own class, whatever the class of its variable")
    func copiesKeepTheSubclass() throws {
        let up: SpecAnimal = try SpecPuppy(json: puppy)
        let copy = try up.copy()
        #expect(copy is SpecPuppy && copy !== up)
        #expect(copy == up)
        #expect(copy.friend !== up.friend)
    }

    @Test("F36, F37: properties, arrays, dictionaries and variants keep subclasses in copies and archives")
    func containersKeepSubclasses() throws {
        let kennel = try kennel()
        for again in [try kennel.copy(), try Kennel(archive: kennel.archive())] {
            #expect(again == kennel)
            #expect(again.keeper is SpecPuppy && again.keeper.friend is SpecDog)
            #expect(type(of: again.animals[1]) == SpecAnimal.self)
        }
        #expect(try JSONArchive(JSONArchive.bytes(of: [kennel.keeper])).value([SpecAnimal].self) == [kennel.keeper])
    }

    @Test("F37: an archive of an object is of its own class, and read as that or as its superclass")
    func archivesKeepTheSubclass() throws {
        let up: SpecAnimal = try SpecPuppy(json: puppy)
        let bytes = try up.archive()
        #expect(try JSONArchive(bytes).modelName == "SpecPuppy")
        #expect(try JSONArchive(bytes).fingerprint == SpecPuppy.schema.fingerprint)
        #expect(try SpecPuppy(archive: bytes) == up)
        #expect(try SpecDog(archive: bytes) is SpecPuppy)
        #expect(try SpecAnimal(archive: bytes) == up)
        let other = #expect(throws: JSONError.self) { try SpecDisc(archive: bytes) }
        #expect(other?.kind == .unusableArchive)
        let upwards = try SpecAnimal().archive()
        #expect(throws: JSONError.self) { try SpecDog(archive: upwards) }
    }

    @Test("F37: a class that is called otherwise now is found by its old name")
    func archivesOfRenamedClasses() throws {
        let bytes = try (SpecDisc(json: #"{"radius":4}"#) as SpecShape).archive()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("SpecDisc"))
        let content = try String(decoding: JSONArchive(bytes).content, as: UTF8.self)
        let renamed = content.replacing("SpecDisc", with: "SpecOval")
        let old = JSONArchive.bytes(ofModel: "SpecOval", fingerprint: 1, content: Array(renamed.utf8), holdsObjects: true)
        #expect(try SpecDisc(archive: old, named: "SpecOval").radius == 4)
        let error = #expect(throws: JSONError.self) { try SpecShape(archive: old) }
        #expect(error?.found == "the class SpecOval")
        JSONModelRegistry.shared.register(SpecDisc.self, as: "SpecOval")
        #expect(try (SpecShape(archive: old) as? SpecDisc)?.radius == 4)
    }

    @Test("F37: damaged and forged references are errors", arguments: 0..<4)
    func forgedReferences(seed: UInt64) throws {
        let content = Array(try JSONArchive(kennel().archive()).content)
        func read(_ content: [UInt8]) throws -> Kennel {
            try Kennel(archive: JSONArchive.bytes(ofModel: "Kennel", fingerprint: 0, content: content, holdsObjects: true))
        }
        let text = String(decoding: content, as: UTF8.self)
        for forged in [
            text.replacing(#"{"@":0}"#, with: #"{"@":9}"#), text.replacing(#"{"@":0}"#, with: #"{"@":-1}"#),
            text.replacing(#"{"@":0}"#, with: "{}"), text.replacing("11SluiceTests", with: "Si"), "[]", "{}", "[1,[],[],[]]",
            #"[{"keeper":{"@":0}},["SpecDog"],[""],[0],{"friend":{"@":0}}]"#,
        ] {
            #expect(throws: JSONError.self, "\(forged)") { try read(Array(forged.utf8)) }
        }
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var damaged = content
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 32...126, using: &random)
            }
            _ = try? read(damaged)
        }
    }

    @Test("F36: a chain of objects is copied down to the limit of levels")
    func chainsAreCopied() throws {
        let end = SpecAnimal()
        var first = end
        for _ in 0..<400 {
            let next = try SpecDog(json: "{}")
            next.friend = first
            first = next
        }
        var copy: SpecAnimal? = try first.copy()
        var count = 0
        while let animal = copy {
            count += 1
            copy = animal.friend
        }
        #expect(count == 401)
        end.friend = first
        #expect(throws: JSONError.self) { try first.copy() }
        end.friend = nil
    }

    @Test("F36: a copy of a variant is that variant, whatever tells the variants apart in JSON")
    func copiesKeepVariants() throws {
        let raw = try RawJSON(json: ##"{"#first":1}"##)
        for loose in [Loose.first(1), .second(2), .nothing, .unknown(raw)] {
            #expect(try JSONArchive(JSONArchive.bytes(of: [loose])).value([Loose].self) == [loose])
        }
        let kennels = try [Pet.gone, .number(Number(value: 3)), .unknown(RawJSON(json: #"{"kind":"x"}"#))].map {
            Kennel(keeper: try SpecAnimal(json: "{}"), pet: $0)
        }
        #expect(try kennels.map { try $0.copy() } == kennels)
    }

    // MARK: Tags

    @Test("F25: classes told apart by a tag are written with it, and come back as what they were")
    func tagsAreWritten() throws {
        let text =
            #"[{"t":"disc","id":0,"radius":3},{"t":"shape","id":1},{"id":2,"t":"slab","shapes":[{"t":"disc","id":0,"radius":1}]}]"#
        let shapes = try [SpecShape](json: text)
        #expect(try shapes.jsonString() == text)
        #expect(try [SpecShape](json: shapes.jsonString()).map { "\(type(of: $0))" } == ["SpecDisc", "SpecShape", "SpecSlab"])
        #expect(try SpecDisc(json: "{}").jsonString() == #"{"t":"disc","id":0,"radius":1}"#)
        #expect(try shapes[0].copy() is SpecDisc)
        #expect(try SpecShape(archive: shapes[0].archive()) is SpecDisc)
        #expect(try shapes[0].jsonString(include: ["radius"]) == #"{"t":"disc","radius":3}"#)
        #expect(readEveryWay([SpecShape].self, text).disagreements == [])
    }

    @Test("F25: a tag beside the content is written too, and the fallback has none")
    func adjacentTags() throws {
        let nodes = try [SpecNode](json: #"[{"kind":"leaf","node":{"value":3}},{}]"#)
        #expect(try nodes.jsonString() == #"[{"kind":"leaf","node":{"value":3}},{}]"#)
    }

    // MARK: Selections

    @Test("F30: key paths select properties of a class and of its superclasses")
    func keyPaths() throws {
        let rex = try SpecPuppy(json: puppy)
        #expect(try rex.jsonString(include: [\.name]) == #"{"name":"Rex"}"#)
        #expect(try rex.jsonString(include: [\.name, \.tail, \.weeks]) == #"{"name":"Rex","tail":2,"weeks":9}"#)
        #expect(try rex.jsonString(exclude: [\.name, \.friend, \.street]) == #"{"tail":2,"weeks":9}"#)
        #expect(try (rex as SpecAnimal).jsonString(include: [\.name]) == #"{"name":"Rex"}"#)
        #expect(try SpecAnimal().jsonString(include: [\.name]) == #"{"name":"n"}"#)
        #expect(throws: JSONError.self) { try rex.jsonString(include: [\.name.count]) }
    }
}

#endif
