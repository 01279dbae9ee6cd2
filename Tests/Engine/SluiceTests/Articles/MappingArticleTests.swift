// What the article "Mapping" shows, compiled and run.

#if Macros
import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

// swift-format-ignore
@JSONModel(keys: .snakeCase)
struct Account {
    let id: Int                          // id
    var displayName: String              // display_name
    var homepage: URL?                   // null or absent: nil
    var created: Date                    // ISO 8601 and others
    var balance: Decimal = 0             // exact, not a double
    var plan: Plan = .free
    @JSONKey(literal: "swift.version") var swift: String?  // a dot
    @JSONIgnored(.writing) var token: String?  // read, never written
    @JSONIgnored var isSelected = false  // neither
    var extra: [String: JSONValue] = [:] // any JSON
}

@JSONModel
enum Plan: String { case free, paid }

struct Percent: JSONScalarBindable {
    var value: Double

    init?(jsonScalar scalar: JSONScalar) {
        guard let number = scalar.double, 0...100 ~= number else { return nil }
        value = number
    }

    func write(to writer: inout JSONWriter) throws(JSONError) { try writer.write(value) }

    static var jsonExpectation: String { "a percentage" }
}

struct Station: JSONModel {
    var name: String
    var platforms = 1

    struct JSONDraft: _JSONModelDraft {
        var name: String?
        var platforms: Int?
        init() {}
    }

    static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("name", \JSONDraft.name)
        model.property("platforms", \JSONDraft.platforms, keys: ["p"], presence: .defaulted)
    }

    static let _jsonTable = PropertyTable._compiled(for: Station.self)

    init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        name = try bound.required(draft.name.take(), 0)
        if let value = draft.platforms { platforms = value }
    }

    func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {  // the order of the description
        case 0: try writer.property(name)
        default: try writer.property(platforms)
        }
    }
}

// swift-format-ignore
@JSONModel
struct Release {
    @JSONKey("ID", "id", "meta.id") var releaseID: String    // the first of these that is not null
    @JSONKey("size") var size: Int?                          // one key,
    @JSONKey("size") var sizeText: String?                   // each property by its own type
    @JSONKey("meta.by") var by: String?                      // {"meta": {"by": "ann"}}
    @JSONKey("meta.by.name") var byName: String?             // {"meta": {"by": {"name": "Ann"}}}
}

@JSONModel
struct Circle {
    var radius: Double
}

@JSONModel
struct Rectangle {
    var width: Double
    var height: Double
}

// swift-format-ignore
@JSONModel(tag: .key("type"))
enum Shape {
    case circle(Circle)                            // {"type": "circle", "radius": 1}
    @JSONKey("rect") case rectangle(Rectangle)     // {"type": "rect", "width": 2, "height": 3}
    case unknown(RawJSON)                          // any other tag: the bytes are kept
}

@JSONBaseClass
class Member {
    var id = 0
}

@JSONSubclass(of: Member.self)
final class Guest: Member {
    var host: String?
}

extension Member: JSONPolymorphic {
    static let jsonVariants = JSONVariants<Member>(by: .presence)
        .variant("host", Guest.self) { $0 }
        .fallback(Member.self) { $0 }
}

@JSONModel(observe: ["timestamp"])
struct Score: JSONDidRead, JSONWillWrite {
    var points: Int
    @JSONIgnored var seconds: Double?

    mutating func didRead(_ context: JSONReadContext) -> Bool {
        seconds = context.value("timestamp")?.double.map { $0 / 1000 }
        return points > 50
    }

    func willWrite() -> Bool { points < 100 }
}

extension Member: JSONDescribable, JSONHashableModel {}  // description, ==, hash(into:): for classes
extension Account: JSONCodableModel {}  // for frameworks that know nothing but Codable

@Suite struct MappingArticleTests {
    @Test func readerIsKeptForManyDocuments() throws {
        let lines = (1...3).map { #"{"id":\#($0),"display_name":"n","created":"2014-05-06","plan":"paid","swift.version":"6"}"# }
        var accounts: [Account] = []

        var reader = JSONReader()
        for line in lines {
            accounts.append(try reader.read(Account.self, from: line))
        }

        #expect(accounts.map(\.id) == [1, 2, 3])
        var account = try #require(accounts.first)
        #expect(account.created == Date(timeIntervalSince1970: 1_399_334_400))
        #expect(account.plan == .paid)

        let text = try account.jsonString(options: .init(nils: .null, sortedKeys: true, isPretty: true))
        let part = try account.jsonString(include: [\.id, \.plan], options: .init(dates: .unix))
        let rest = try [account].jsonString(exclude: ["extra", "created"])

        #expect(
            text == """
                {
                  "balance": 0,
                  "created": "2014-05-06T00:00:00Z",
                  "display_name": "n",
                  "extra": {},
                  "homepage": null,
                  "id": 1,
                  "plan": "paid",
                  "swift.version": "6"
                }
                """)

        var body: [UInt8] = []
        for account in accounts {
            try account.write(into: &body)
            body.append(UInt8(ascii: "\n"))
        }
        let size = try accounts.withJSONText { $0.byteCount }

        #expect(try body == accounts.flatMap { try $0.jsonBytes() + "\n".utf8 })
        #expect(try size == accounts.jsonBytes().count)
        #expect(part == #"{"id":1,"plan":"paid"}"#)
        #expect(rest == #"[{"id":1,"display_name":"n","balance":0,"plan":"paid","swift.version":"6"}]"#)

        var printed = ""
        func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }

        let saved = account
        let changes = try account.update(json: #"{"balance": 2.5, "display_name": "n"}"#)
        print(changes.assigned, changes.changed)

        let patch = try account.jsonString(of: changes)  // {"balance":2.5}
        let edits = try account.changes(from: saved)  // of two copies: what differs

        #expect(patch == #"{"balance":2.5}"#)
        #expect(edits.changed == ["balance"])

        #expect(try Article("Mapping").blocks("text").contains(printed))
        #expect(account.balance == 2.5)

        let member = try Guest(json: #"{"id": 1, "host": "h"}"#)
        let store = MemoryStore()

        print(Account.schema.properties.map(\.name), Account.schema["homepage"]?.typeName ?? "-")
        let copy = try member.copy()  // shares no object with the original
        let archive = try account.archive()  // bytes, with a fingerprint of the schema
        let restored = try Account(archive: archive)  // tolerant of properties that came or went
        try store.set(account, forKey: "account")  // UserDefaults, or a JSONKeyValueStore of yours

        #expect(printed.hasSuffix(#""swift", "token", "extra"] URL?"#))
        #expect(copy == member && copy !== member)
        #expect("\(copy)" == "<Guest> {\n    host = \"h\";\n    id = 1\n}")
        #expect(try restored.jsonString() == account.jsonString())
        #expect(try store.value(Account.self, forKey: "account")?.balance == 2.5)
        #expect(try JSONDecoder().decode(Account.self, from: JSONEncoder().encode(account)).displayName == "n")

        let registry = JSONModelRegistry()
        registry.register(Account.self)
        let model = try registry.read(named: "Account", from: text)  // any JSONModel

        #expect((model as? Account)?.plan == .paid)
    }

    @Test func keysArePathsAlternativesAndShared() throws {
        let release = try Release(json: #"{"meta": {"by": {"name": "Ann"}, "id": "r"}, "size": 7, "ID": null}"#)
        #expect(release.releaseID == "r")
        #expect(release.size == 7)
        #expect(release.sizeText == "7")
        #expect(release.by == nil)
        #expect(release.byName == "Ann")
        #expect(try Release(json: #"{"id": "r", "meta": {"by": "ann"}}"#).by == "ann")
    }

    @Test func objectsBecomeOneOfSeveralTypes() throws {
        let text = #"[{"type":"circle","radius":1},{"type":"rect","width":2,"height":3},{"type":"star","points":[5]}]"#
        let shapes = try [Shape](json: text)
        guard case .circle(let circle) = shapes[0], case .rectangle(let rectangle) = shapes[1], case .unknown(let raw) = shapes[2]
        else { return #expect(Bool(false), "\(shapes)") }
        #expect(circle.radius == 1 && rectangle.height == 3 && raw.text.contains("star"))
        #expect(try shapes.jsonString() == text)
        let members = try [Member](json: #"[{"id": 1}, {"id": 2, "host": "h"}]"#)
        #expect((members[1] as? Guest)?.host == "h")
        #expect(type(of: members[0]) == Member.self)
    }

    @Test func hooksCompleteAndRefuse() throws {
        let scores = try [Score](json: #"[{"points": 30}, {"points": 60, "timestamp": 2500}, {"points": 120}]"#)
        #expect(scores.map(\.points) == [60, 120])
        #expect(scores[0].seconds == 2.5)
        #expect(try scores.jsonString() == #"[{"points":60}]"#)
    }

    @Test func aConformanceByHandIsReadAndWritten() throws {
        let stations = try [Station](json: #"[{"p":12,"name":"Ostkreuz"},{"name":"Wuhletal"}]"#)
        #expect(stations.map(\.platforms) == [12, 1])
        #expect(try stations.jsonString() == #"[{"name":"Ostkreuz","p":12},{"name":"Wuhletal","p":1}]"#)
        #expect(throws: JSONError.self) { try Station(json: #"{"p":12}"#) }
    }

    @Test func scalarOfOnesOwnIsReadAndWritten() throws {
        #expect(try [Percent](json: "[0,12.5,100]").jsonString() == "[0,12.5,100]")
        let error = #expect(throws: JSONError.self) { try [Percent](json: "[101]") }
        #expect(error?.expected == "a percentage")
    }
}
#endif
