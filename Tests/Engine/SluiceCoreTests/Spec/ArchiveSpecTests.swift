// Archives (F37): bytes that become the model again, whatever has become of the model, and never more than an error.

import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCore

/// A later version of `Gadget`, and earlier ones of others: what an archive of one is read as.
private enum Later {
    /// `float` is gone, `x` has come, `int` is text now.
    struct Gadget: JSONModel, Equatable {
        var string: String = ""
        var int: String = ""
        var x: Int = 42
        var y: Bool?

        struct JSONDraft: _JSONModelDraft {
            var string: String?
            var int: String?
            var x: Int?
            var y: Bool?
            init() {}
        }

        static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
            model.property("string", \JSONDraft.string, keys: ["text"], presence: .defaulted)
            model.property("int", \JSONDraft.int, presence: .defaulted)
            model.property("x", \JSONDraft.x, presence: .defaulted)
            model.property("y", \JSONDraft.y, presence: .optional)
        }

        static let _jsonTable = PropertyTable._compiled(for: Gadget.self)

        init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
            if let value = draft.string { string = value }
            if let value = draft.int { int = value }
            if let value = draft.x { x = value }
            y = draft.y
        }

        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
            switch slot {
            case 0: try writer.property(string)
            case 1: try writer.property(int)
            case 2: try writer.property(x)
            case 3: try writer.property(y)
            default: break
            }
        }
    }

    /// The only property is required, and new.
    struct Pair: JSONModel {
        var added: Int

        struct JSONDraft: _JSONModelDraft {
            var added: Int?
            init() {}
        }

        static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
            model.property("added", \JSONDraft.added)
        }

        static let _jsonTable = PropertyTable._compiled(for: Pair.self)

        init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
            added = try bound.required(draft.added, 0)
        }

        func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
            if slot == 0 { try writer.property(added) }
        }
    }
}

@Suite struct ArchiveSpecTests {
    private let gadget = Gadget(string: "Apple", int: 1, float: 12.34, array: [3, 1, 2])

    // MARK: Round trips

    @Test("F37: {int 1, float 12.34, string \"Apple\"} comes back from its archive")
    func archiveRoundTrips() throws {
        #expect(try Gadget(archive: gadget.archive()) == gadget)
        let archive = try JSONArchive(gadget.archive())
        #expect(archive.version == 1)
        #expect(archive.modelName == "Gadget")
        #expect(archive.fingerprint == Gadget.schema.fingerprint)
    }

    @Test("F37: the bytes of an archive are laid out as documented")
    func layoutIsAsDocumented() throws {
        let bytes = try Author(login: "é").archive()
        let content = Array(#"{"login":"é"}"#.utf8)
        #expect(bytes[..<8] == [0x53, 0x4C, 0x55, 0x41, 1, 0, 6, 0])
        #expect(bytes[8..<16].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } == Author.schema.fingerprint)
        #expect(bytes[16..<24] == [UInt8(content.count), 0, 0, 0, 0, 0, 0, 0])
        #expect(bytes[32..<38] == ArraySlice("Author".utf8))
        #expect(Array(bytes[38...]) == content)
    }

    @Test("F37: an archive holds what JSON leaves out in one direction, and not what is kept out of archives")
    func directionsAndExclusions() throws {
        var membership = Membership(id: 9)
        membership.password = "p"
        membership.cache = "warm"
        membership.token = "t"
        membership.tag = nil
        membership.extra = ["a": [12, nil]]
        let again = try Membership(archive: membership.archive())
        #expect(again.id == 9)
        #expect(again.password == "p")
        #expect(again.cache == "cold")
        #expect(again.token == "t")
        #expect(again.tag == nil)
        #expect(again.extra == membership.extra)
        #expect(!String(decoding: try membership.archive(), as: UTF8.self).contains("warm"))
    }

    @Test("F37: classes, trees and collections of models have archives")
    func everythingHasAnArchive() throws {
        let station = Station("a", next: Station("b"), lines: [Station("c", weights: ["x": 0.1])])
        #expect(try Station(archive: station.archive()) == station)
        let tree = Tree("1", [Tree("1.1"), Tree("1.2", [Tree("1.2.1")])])
        #expect(try Tree(archive: tree.archive()) == tree)
        #expect(try JSONArchive(JSONArchive.bytes(of: [gadget, Gadget()])).value([Gadget].self) == [gadget, Gadget()])
        #expect(try JSONArchive(JSONArchive.bytes(of: ["a": gadget])).value([String: Gadget].self) == ["a": gadget])
        #expect(try Trio<Int>(archive: Trio(required: 1, optional: 2).archive()) == Trio(required: 1, optional: 2))
        #expect(try JSONArchive(JSONArchive.bytes(of: [gadget])).modelName == "Array<Gadget>")
    }

    @Test("F37: what cannot be archived is an error")
    func unwritableArchivesThrow() {
        #expect(failure { () throws(JSONError) in try Gadget(float: .infinity).archive() }?.kind == .notWritable)
        let ring = Station("a")
        ring.lines = [ring]
        defer { ring.lines = [] }
        let error = failure { () throws(JSONError) in try ring.archive() }
        #expect(error?.kind == .notWritable)
        #expect(error?.path == "lines[0]")
    }

    @Test("F37: variants, hooks and shared keys are no obstacle: what was there comes back")
    func storedModelsAreReadWithoutHooks() throws {
        var letter = try Letter(
            json: #"{"stamp": 7, "body": {"text": "t"}, "pieces": [{"radius": 1}, {"width": 2}]}"#)
        #expect(letter.time == 7)
        #expect(letter.pieces == [.disc(Disc(r: 1)), .bar(Bar(w: 2))])
        letter.copy = "other"
        #expect(try Letter(archive: letter.archive()) == letter)
        let same = try (letter as any JSONModel).copy() as? Letter
        #expect(same == letter)
        #expect(failure(reading: Letter.self, "{}")?.kind == .rejected)
        #expect(Letter.schema.properties.map(\.name) == ["time", "text", "copy", "pieces"])
        let content = try JSONArchive(letter.archive()).content
        #expect(
            String(decoding: content, as: UTF8.self)
                == #"{"time":7,"body.text":"t","body.text#copy":"other","pieces":[{"radius":1},{"width":2}]}"#)
    }

    @Test("F37: a format that loses a part of a date loses nothing in copies and archives")
    func formatsLoseNothing() throws {
        enum Days: PolicyChoice { static let policy = JSONPropertyPolicy(date: .format("yyyy/MM/dd")) }
        enum Positional: PolicyChoice {
            static let policy = JSONPropertyPolicy(date: .unix)
            static let layout = JSONLayout.array
        }
        let moment = Moment(1_390_220_688, 123_456_000)
        let days = Formatted<[Moment], Days>(styled: [moment], plain: moment)
        #expect(try days.jsonString() == #"{"styled":["2014/01/20"],"plain":"2014-01-20T12:24:48.123456Z"}"#)
        let again = try Formatted<[Moment], Days>(archive: days.archive())
        #expect(again.styled == [moment])
        #expect(again.plain == moment)
        #expect(days.jsonSummary == "styled = [2014-01-20T12:24:48.123456Z], plain = 2014-01-20T12:24:48.123456Z")
        let copy = try Formatted<Moment, Positional>(styled: nil, plain: moment).copy()
        #expect(copy.styled == nil)
        #expect(copy.plain == moment)
    }

    // MARK: Other versions

    @Test("F37: an archive written without property x is read with x's initial value, and a property that is gone is passed over")
    func archivesOutliveTheModel() throws {
        let later = try Later.Gadget(archive: gadget.archive())
        #expect(later.string == "Apple")
        #expect(later.int == "1")
        #expect(later.x == 42)
        #expect(later.y == nil)
        #expect(Later.Gadget.schema.fingerprint != Gadget.schema.fingerprint)
        let earlier = try Gadget(archive: later.archive())
        // The later version has `string` under another key, of which the earlier one does not know.
        #expect(earlier == Gadget(int: 1))
    }

    @Test("F37: a required property that the archive does not have is named in the error")
    func missingPropertiesAreNamed() throws {
        let bytes = try Pair("a", "b").archive()
        let error = try #require(failure { () throws(JSONError) in try Later.Pair(archive: bytes) })
        #expect(error.kind == .missingKeys)
        #expect(error.keys == ["added"])
    }

    @Test("F37: a value that matched no variant comes back from an archive, also when its key is an archive's tag")
    func unmatchedValuesComeBack() throws {
        let figures = try [Figure](json: ##"[{"#bar":"else","b":[1.50]},{"type":"cone","#":{}},{"#disc":null}]"##)
        #expect(figures.map { if case .other = $0 { true } else { false } } == [true, true, true])
        #expect(try [Figure](archive: figures.archive()) == figures)
    }

    @Test("F37: an archive of another model is refused, unless its name is given")
    func foreignArchivesAreRefused() throws {
        let bytes = try Author(login: "a").archive()
        let error = try #require(failure { () throws(JSONError) in try Gadget(archive: bytes) })
        #expect(error.kind == .unusableArchive)
        #expect(error.summary == "unusable archive: expected an archive of Gadget, found one of Author")
        #expect(try Gadget(archive: bytes, named: "Author") == Gadget())
        #expect(failure { () throws(JSONError) in try JSONArchive(bytes).value([Author].self) }?.kind == .unusableArchive)
    }

    @Test("F37: bytes that are no archive, and archives of a newer format, are refused by what they are")
    func otherBytesAreRefused() throws {
        func found(_ bytes: [UInt8]) -> String? { failure { () throws(JSONError) in try Gadget(archive: bytes) }?.summary }
        #expect(found([]) == "unusable archive: expected an archive, found other bytes")
        #expect(found(Array(#"{"int":1}"#.utf8)) == "unusable archive: expected an archive, found other bytes")
        var bytes = try gadget.archive()
        #expect(found(bytes + [0]) == "unusable archive: expected the end of the archive, found more")
        #expect(found(bytes.dropLast()) == "unusable archive: expected the rest of the archive, found its end")
        bytes[40] ^= 1
        #expect(found(bytes) == "unusable archive: expected an archive as it was made, found changed bytes")
        bytes[4] = 2
        #expect(found(bytes) == "unusable archive: expected an archive of a format up to 1, found format 2")
    }

    private func found(_ bytes: ArraySlice<UInt8>) -> String? {
        failure { () throws(JSONError) in try Gadget(archive: Array(bytes)) }?.summary
    }

    // MARK: Damage

    @Test("F37: an archive cut off anywhere is an error")
    func truncationsAreErrors() throws {
        let bytes = try gadget.archive()
        for count in bytes.indices {
            let error = failure { () throws(JSONError) in try Gadget(archive: Array(bytes[..<count])) }
            #expect(error?.kind == .unusableArchive, "\(count) bytes")
        }
    }

    @Test("F37: an archive with any one bit changed is an error")
    func flippedBitsAreErrors() throws {
        let bytes = try gadget.archive()
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                let error = failure { () throws(JSONError) in try Gadget(archive: damaged) }
                #expect(error?.kind == .unusableArchive, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test("F37: damage after a checksum that fits is an error or a model, never a crash", arguments: 0..<4)
    func forgedArchivesDoNotCrash(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let station = Station("a", next: Station("b"), lines: [Station("c", weights: ["x": 0.1])])
        let content = try JSONArchive(station.archive()).content
        for _ in 0..<1000 {
            var damaged = Array(content)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where !damaged.isEmpty: damaged.removeLast(Int.random(in: 0..<damaged.count, using: &random))
                case 1 where !damaged.isEmpty:
                    damaged[Int.random(in: damaged.indices, using: &random)] = .random(
                        in: 0...255, using: &random)
                default:
                    damaged.insert(.random(in: 0...255, using: &random), at: Int.random(in: 0...damaged.count, using: &random))
                }
            }
            let bytes = JSONArchive.bytes(ofModel: "Station", fingerprint: random.next(), content: damaged)
            let outcome = Outcome { () throws(JSONError) in try Station(archive: bytes) }
            if case .value(let station) = outcome { #expect(try Station(archive: station.archive()) == station) }
        }
    }

    @Test("F37: random bytes after the magic are an error", arguments: 0..<4)
    func randomHeadersAreErrors(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1000 {
            let rest = (0..<Int.random(in: 0..<64, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let bytes = Array("SLUA".utf8) + [1, 0] + rest
            #expect(failure { () throws(JSONError) in try Gadget(archive: bytes) }?.kind == .unusableArchive)
        }
        var huge = Array("SLUA".utf8) + [1, 0, 255, 255]
        huge += [UInt8](repeating: 255, count: 100)
        #expect(failure { () throws(JSONError) in try Gadget(archive: huge) }?.kind == .unusableArchive)
    }

    // MARK: Files and stores

    @Test("F37: an archive in a file is read again, and replaced as a whole")
    func filesHoldArchives() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("gadget.archive").path
        try gadget.archive(to: path)
        #expect(try Gadget(archiveAt: path) == gadget)
        let large = Gadget(string: String(repeating: "x", count: 300_000))
        try large.archive(to: path)
        #expect(try Gadget(archiveAt: path) == large)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["gadget.archive"])

        #expect(failure { () throws(JSONError) in try Gadget(archiveAt: path + "x") }?.kind == .inputOutput)
        let error = failure { () throws(JSONError) in try gadget.archive(to: folder.path + "/none/file") }
        #expect(error?.kind == .inputOutput)
        #expect(failure { () throws(JSONError) in try gadget.archive(to: folder.path) }?.kind == .inputOutput)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["gadget.archive"])
    }

    @Test("F37: a key-value store keeps models by key")
    func storesKeepModels() throws {
        let store: any JSONKeyValueStore = MemoryStore()
        #expect(try store.value(Gadget.self, forKey: "a") == nil)
        try store.set(gadget, forKey: "a")
        try store.set([gadget, Gadget()], forKey: "b")
        #expect(try store.value(Gadget.self, forKey: "a") == gadget)
        #expect(try store.value([Gadget].self, forKey: "b") == [gadget, Gadget()])
        #expect(failure { () throws(JSONError) in try store.value(Author.self, forKey: "a") }?.kind == .unusableArchive)
        #expect((store as? MemoryStore)?.keys == ["a", "b"])
        try store.removeBytes(forKey: "a")
        #expect(try store.value(Gadget.self, forKey: "a") == nil)
    }

    @Test("F37: optional models and dictionaries of models are stored, not taken for any value")
    func storesWithASetterForAnythingKeepModels() throws {
        // As UserDefaults has it: it traps on what it cannot store.
        final class Defaults: JSONKeyValueStore {
            let store = MemoryStore()
            var others = 0

            func set(_ value: Any?, forKey key: String) { others += 1 }
            func bytes(forKey key: String) throws(JSONError) -> [UInt8]? { store.bytes(forKey: key) }
            func setBytes(_ bytes: [UInt8], forKey key: String) throws(JSONError) { store.setBytes(bytes, forKey: key) }
            func removeBytes(forKey key: String) throws(JSONError) { store.removeBytes(forKey: key) }
        }
        let defaults = Defaults()
        let some: Gadget? = gadget
        try defaults.set(gadget, forKey: "model")
        try defaults.set(some, forKey: "optional")
        try defaults.set([gadget], forKey: "array")
        try defaults.set(["a": gadget], forKey: "dictionary")
        let list: [Gadget]? = [gadget]
        let named: [String: Gadget]? = ["b": gadget]
        try defaults.set(list, forKey: "list")
        try defaults.set(named, forKey: "named")
        #expect(try defaults.value(Gadget.self, forKey: "optional") == gadget)
        #expect(try defaults.value([String: Gadget].self, forKey: "dictionary") == ["a": gadget])
        #expect(try defaults.value([Gadget].self, forKey: "list") == [gadget])
        #expect(try defaults.value([String: Gadget].self, forKey: "named") == ["b": gadget])
        #expect(defaults.store.keys == ["array", "dictionary", "list", "model", "named", "optional"])
        try defaults.set(some.flatMap { _ in nil as Gadget? }, forKey: "optional")
        try defaults.set(nil as [Gadget]?, forKey: "list")
        try defaults.set(nil as [String: Gadget]?, forKey: "named")
        #expect(defaults.store.keys == ["array", "dictionary", "model"])
        #expect(defaults.others == 0)
        defaults.set(7, forKey: "number")
        #expect(defaults.others == 1)
    }

    // MARK: Codable

    @Test("F37: a model is Codable in its JSON form")
    func modelsAreCodable() throws {
        let data = try JSONEncoder().encode(gadget)
        #expect(try JSONDecoder().decode(Gadget.self, from: data) == gadget)
        #expect(try Gadget(json: [UInt8](data)) == gadget)
        let list = try PropertyListEncoder().encode([gadget])
        #expect(try PropertyListDecoder().decode([Gadget].self, from: list) == [gadget])
        #expect(throws: JSONError.self) { try JSONDecoder().decode(Gadget.self, from: Data(#"{"int": "x"}"#.utf8)) }
    }

    @Test("F37: any JSON goes through a coder and back")
    func valuesAreCodable() throws {
        let text = #"{"a":[1,-2.5,18446744073709551615,"s",true,null,{}],"b":{"c":[]}}"#
        let value = try JSONValue(json: text)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(value)
        #expect(String(decoding: data, as: UTF8.self) == text)
        let again = try JSONDecoder().decode(JSONValue.self, from: data)
        #expect(try again.jsonString(options: .sortedKeys) == text)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(try JSONValue(json: "[1e400]")) }
    }
}

extension Gadget: JSONCodableModel {}
