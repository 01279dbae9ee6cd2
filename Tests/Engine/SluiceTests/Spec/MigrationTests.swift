// The table of the article for users of one of the five Objective-C libraries: each cell of its right column is
// in this file as code, and what the code does is checked. The last tests hold table and file together.
#if Macros

import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@JSONModel
struct MigratedUser: Hashable {
    let id: Int
    var name: String?
    var host: MigratedHost?
}

@JSONModel
struct MigratedHost: Hashable {
    var city: String?
    var street: String?
}

@JSONBaseClass
class Person {
    var id = 0
}

@JSONSubclass(of: Person.self)
final class Author: Person {
    var penName: String?
}

extension Person: JSONPolymorphic {
    static let jsonVariants = JSONVariants<Person>(by: .presence)
        .variant("penName", Author.self) { $0 }
        .fallback(Person.self) { $0 }
}

extension MigrationTests.PhotoCollection: JSONCollection {}
extension MigrationTests.Draft: JSONHashableModel, JSONDescribable {}
extension MigratedUser: JSONCodableModel {}

private typealias User = MigratedUser

@Suite struct MigrationTests {
    // MARK: Making models

    @Test("F1 to F4: models, arrays and dictionaries of them are made of objects, text and data")
    func making() throws {
        let object: JSONObject = ["id": 1, "name": "Ann"]
        let text = #"{"id": 1, "name": "Ann"}"#
        let data = Data(text.utf8)
        let ann = User(id: 1, name: "Ann")

        #expect(try User(json: object) == ann)
        #expect(try User(json: text) == ann)
        #expect(try User(json: data) == ann)
        #expect((try? User(json: "[")) == nil)

        let array = #"[{"id": 1, "name": "Ann"}, null, {"id": 2}]"#
        #expect(try [User](json: array, options: .tolerant) == [ann, User(id: 2)])

        let (users, report) = try [User].reading(json: array, options: .tolerant)
        #expect(users.count == 2)
        #expect(report.issues.map(\.path) == ["[1]"])
        #expect(throws: JSONError.self) { try [User](json: array) }

        let dictionary = #"{"a": {"id": 1, "name": "Ann"}, "b": null}"#
        #expect(try [String: User](json: dictionary, options: .tolerant) == ["a": ann])
    }

    // MARK: Keys

    @JSONModel
    struct Book: Equatable {
        var title: String?
        @JSONKey("n") var name: String?
        @JSONKey("ext.desc") var summary: String?
        @JSONKey("id", "ID", "book_id") var bookID: String?
        @JSONKey("t") var time: Int?
        @JSONKey("t") var timeText: String?
    }

    @JSONModel(keys: .snakeCase)
    struct Snake: Equatable {
        var firstName: String
    }

    @JSONModel(keys: .custom { "x_" + $0 })
    struct Prefixed: Equatable {
        var a: Int
    }

    @Test("F5 to F10: keys are those of the names, or those that the properties or a strategy say")
    func keys() throws {
        let book = try Book(json: #"{"title": "E", "n": "Emma", "ext": {"desc": "d"}, "book_id": 7, "t": 5, "unknown": [1]}"#)
        #expect(book == Book(title: "E", name: "Emma", summary: "d", bookID: "7", time: 5, timeText: "5"))
        #expect(try book.jsonString() == #"{"title":"E","n":"Emma","ext":{"desc":"d"},"id":"7","t":5}"#)
        #expect(try Snake(json: #"{"first_name": "Ann"}"#) == Snake(firstName: "Ann"))
        #expect(try Prefixed(json: #"{"x_a": 1}"#) == Prefixed(a: 1))
    }

    // MARK: Models in models

    @JSONModel
    struct Photo: Hashable {
        var id: Int
    }

    @JSONModel
    struct Node: Equatable {
        var name: String
        var children: [Node] = []
    }

    @JSONModel
    struct Album: Equatable {
        var cover: Photo?
        var photos: [Photo] = []
        var unique: Set<Photo> = []
        var byName: [String: Photo] = [:]
        @JSONElements(.skipInvalid) var mixed: [Photo] = []
        var extra: [String: JSONValue] = [:]
        var anything: JSONValue?
        var entries = PhotoCollection()
    }

    @JSONModel(keys: .collectionSuffixes)
    struct Shelf: Equatable {
        var photoList: [Photo] = []
    }

    struct PhotoCollection: RangeReplaceableCollection, Equatable {
        private var photos: [Photo] = []
        var startIndex: Int { photos.startIndex }
        var endIndex: Int { photos.endIndex }
        subscript(position: Int) -> Photo { photos[position] }
        func index(after index: Int) -> Int { index + 1 }
        mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Photo>) {
            photos.replaceSubrange(range, with: elements)
        }
    }

    @Test("F11 to F18: the declared type is all that a nested model, a container or a tree needs")
    func nesting() throws {
        let album = try Album(
            json: """
                {"cover": {"id": 1}, "photos": [{"id": 1}, {"id": 2}], "unique": [{"id": 1}, {"id": 1}],
                 "byName": {"a": {"id": 1}}, "mixed": [{"id": 1}, null, "x", {"id": []}], "extra": {"k": [1, null]}, "anything": [true],
                 "entries": [{"id": 3}, {"id": 4}]}
                """)
        let one = Photo(id: 1)
        #expect(album.cover == one)
        #expect(album.photos == [one, Photo(id: 2)])
        #expect(album.unique == [one])
        #expect(album.byName == ["a": one])
        #expect(album.mixed == [one])
        #expect(album.extra == ["k": [1, nil]])
        #expect(album.anything == [true])
        #expect(album.entries.count == 2)
        #expect(album.entries[1].id == 4)

        let tree = try Node(json: #"{"name": "1", "children": [{"name": "1.1", "children": [{"name": "1.1.1"}]}]}"#)
        #expect(tree.children[0].children[0].name == "1.1.1")
        #expect(try Shelf(json: #"{"photo": [{"id": 1}]}"#) == Shelf(photoList: [one]))

        let registry = JSONModelRegistry()
        registry.register(Photo.self)
        let json = #"[{"id": 1}, 2]"#
        let elements = try registry.readElements(of: "photoList", from: json)
        guard case .model(let model) = elements[0], case .raw(let value) = elements[1] else { return #expect(Bool(false)) }
        #expect(model as? Photo == one)
        #expect(value == 2)
    }

    // MARK: Values

    @JSONModel
    struct Loose: Equatable {
        var count = 7
        var created: Date?
        @JSONDate(.milliseconds) var updated: Date?
        @JSONJoin(",") var tags: String?
    }

    @JSONModel(null: .empty)
    struct Emptied: Equatable {
        var title: String? = "t"
        @JSONNull(.asNil) var note: String? = "n"
    }

    @JSONModel
    struct Keeping: Equatable {
        @JSONNull(.keep) var age: Int? = 30
    }

    @Test("F19 and F20: values convert, and nulls count, as the profile or the property says")
    func values() throws {
        let text = #"{"count": "12abc"}"#
        #expect(try Loose(json: text, options: .yyModel).count == 12)
        #expect(throws: JSONError.self) { try Loose(json: text) }
        let loose = try Loose(
            json: #"{"count": "12", "created": "2014-01-20T12:24:48Z", "updated": 1390220688000, "tags": ["a", 1]}"#)
        let moment = Date(timeIntervalSince1970: 1_390_220_688)
        #expect(loose == Loose(count: 12, created: moment, updated: moment, tags: "a,1"))
        #expect(try Loose(json: #"{"count": null}"#).count == 7)
        #expect(try Loose(json: #"{"count": null}"#, options: .yyModel).count == 0)

        #expect(try Emptied(json: #"{"title": null, "note": null}"#) == Emptied(title: "", note: nil))
        #expect(try Keeping(json: #"{"age": null}"#) == Keeping(age: 30))
    }

    // MARK: Which properties

    @JSONModel(except: ["token"])
    struct Except: Equatable {
        var id = 0
        var token: String?
    }

    @JSONModel(only: ["id"])
    struct Only: Equatable {
        var id = 0
        var token: String?
        let kind = "user"
    }

    @JSONModel
    struct Session: Equatable {
        var user = ""
        @JSONIgnored(.archive) var display: String?
        @JSONIgnored(.reading) let kind = "session"
    }

    @Test("F21 to F23: properties are left out by name or by attribute, and those of superclasses take part")
    func selection() throws {
        let text = #"{"id": 1, "token": "t", "user": "u", "kind": "k", "display": "d"}"#
        #expect(try Except(json: text) == Except(id: 1))
        #expect(try Only(json: text).jsonString() == #"{"id":1}"#)
        let session = try Session(json: text)
        #expect(session.kind == "session")
        #expect(session.display == "d")
        #expect(try Session(archive: session.archive()).display == nil)
        let author = try Author(json: #"{"penName": "E", "id": 3}"#)
        #expect(try author.jsonString() == #"{"id":3,"penName":"E"}"#)
    }

    // MARK: Updates, classes, hooks

    @Test("F24 and F25: a model is updated in place, and an object says which class it becomes")
    func updating() throws {
        var user = User(id: 1, name: "Ann", host: MigratedHost(city: "Oslo", street: "s"))
        let json = #"{"name": "Bo", "host": {"city": "Rome"}}"#
        let changes = try user.update(json: json)
        #expect(user == User(id: 1, name: "Bo", host: MigratedHost(city: "Rome", street: "s")))
        #expect(changes.changed == ["name", "host.city"])

        let people = try [Person](json: #"[{"id": 1}, {"id": 2, "penName": "E"}]"#)
        #expect(!(people[0] is Author))
        #expect((people[1] as? Author)?.penName == "E")
    }

    @JSONModel(observe: ["timestamp"])
    struct Message: Equatable, JSONWillRead, JSONDidRead, JSONDidWrite {
        var id: Int
        @JSONIgnored var seconds: Double?

        static func willRead(_ object: inout JSONObject) -> Bool {
            if object["id"] == nil { object["id"] = object["uid"] }
            return true
        }

        mutating func didRead(_ context: JSONReadContext) -> Bool {
            seconds = context.value("timestamp")?.double.map { $0 / 1000 }
            return seconds != nil
        }

        func didWrite(_ object: inout JSONObject) -> Bool {
            guard let seconds else { return false }
            object["timestamp"] = .number(JSONNumber(Int(seconds * 1000)))
            return true
        }
    }

    @Test("F26, F27 and F29: hooks change and refuse what is read and written")
    func hooks() throws {
        let message = try Message(json: #"{"uid": 5, "timestamp": 1401234567000}"#)
        #expect(message == Message(id: 5, seconds: 1_401_234_567))
        #expect(try [Message](json: #"[{"id": 1}, {"id": 2, "timestamp": 3000}]"#) == [Message(id: 2, seconds: 3)])
        #expect(try message.jsonString() == #"{"id":5,"timestamp":1401234567000}"#)
        #expect(try [Message(id: 1), message].jsonValue() == [["id": 5, "timestamp": 1_401_234_567_000]])
    }

    // MARK: Writing

    @JSONModel
    struct Status: Equatable {
        @JSONKey("name.newName") var name: String?
        var time: String?
    }

    @Test("F28 and F30 to F32: models become objects, text and data, whole or in part")
    func writing() throws {
        let user = User(id: 1, name: "Ann", host: MigratedHost(city: "Oslo", street: "s"))
        #expect(try user.jsonObject() == ["id": 1, "name": "Ann", "host": ["city": "Oslo", "street": "s"]])
        let status = Status(name: "n")
        #expect(try status.jsonObject(options: .init(nils: .null, paths: .flat)) == ["name.newName": "n", "time": nil])

        #expect(try user.jsonObject(include: [\.id, \.host]) == ["id": 1, "host": ["city": "Oslo", "street": "s"]])
        #expect(try user.jsonString(include: ["id", "host.city"]) == #"{"id":1,"host":{"city":"Oslo"}}"#)

        let users = [user, User(id: 2)]
        #expect(try user.jsonString() == #"{"id":1,"name":"Ann","host":{"city":"Oslo","street":"s"}}"#)
        #expect(try User(json: user.jsonData()) == user)
        #expect(try status.jsonString(options: .pretty) == "{\n  \"name\": {\n    \"newName\": \"n\"\n  }\n}")
        #expect(try [User](json: users.jsonString()) == users)
        #expect(try users.jsonValue()[1] == ["id": 2])
    }

    // MARK: About models

    @JSONModel
    final class Draft {
        var title = ""
        var author: Person?
    }

    @Test("F33 to F38: models say what they have, are compared, copied and stored")
    func aboutModels() throws {
        let user = User(id: 1, name: "Ann")
        #expect(User.schema.properties.map(\.name) == ["id", "name", "host"])
        #expect(User.schema["host"]?.typeName == "MigratedHost?")
        #expect(user.jsonDescription == "<MigratedUser> {\n    host = <nil>;\n    id = 1;\n    name = \"Ann\"\n}")
        #expect(user.jsonSummary == "id = 1, name = Ann, host = <nil>")
        #expect("\(try Draft(json: #"{"title": "t"}"#))" == "<Draft> {\n    author = <nil>;\n    title = \"t\"\n}")

        let draft = try Draft(json: #"{"title": "t", "author": {"id": 1}}"#)
        let copy = try draft.copy()
        #expect(copy == draft)
        #expect(copy.hashValue == draft.hashValue)
        copy.title = "u"
        copy.author?.id = 2
        #expect(copy != draft)
        #expect(draft.title == "t")
        #expect(draft.author?.id == 1)

        let bytes = try user.archive()
        #expect(try User(archive: bytes) == user)
        let store = MemoryStore()
        try store.set(user, forKey: "user")
        #expect(try store.value(User.self, forKey: "user") == user)
        let encoded = try PropertyListEncoder().encode(user)
        #expect(try PropertyListDecoder().decode(User.self, from: encoded) == user)

        var reader = JSONReader()
        #expect(try reader.read(User.self, from: #"{"id": 1, "name": "Ann"}"#) == user)
        #expect(User._jsonTable === User._jsonTable)
    }

    // MARK: The table

    /// SPEC's matrix: which library has which row.
    private static let matrix: [(feature: Int, libraries: String)] = [
        (1, "CYZ IA JD RM YY"), (2, "CYZ YY"), (3, "CYZ RM YY"), (4, "YY"), (5, "CYZ IA JD RM YY"), (6, "CYZ IA RM YY"),
        (7, "CYZ YY"), (8, "YY"), (9, "CYZ YY"), (10, "YY"), (11, "CYZ IA JD RM YY"), (12, "CYZ IA JD RM YY"), (13, "IA"),
        (14, "IA"), (15, "YY"), (16, "CYZ IA JD RM YY"), (17, "CYZ IA JD RM YY"), (18, "CYZ IA JD RM YY"), (19, "RM YY"),
        (20, "CYZ IA JD RM YY"), (21, "RM YY"), (22, "JD YY"), (23, "CYZ IA JD RM YY"), (24, "CYZ RM YY"), (25, "YY"),
        (26, "YY"), (27, "YY"), (28, "CYZ JD RM YY"), (29, "YY"), (30, "RM"), (31, "CYZ YY"), (32, "CYZ YY"), (33, "RM YY"),
        (34, "CYZ JD RM YY"), (35, "JD YY"), (36, "RM YY"), (37, "CYZ JD RM YY"), (38, "YY"),
    ]

    @Test("each row of the five libraries is in the article's table")
    func theTableIsComplete() throws {
        let rows = try rows()
        for (feature, libraries) in Self.matrix {
            let found = rows.filter { $0.first == "F\(feature)" }
            #expect(!found.isEmpty, "F\(feature)")
            let calls = found.map { $0[1] }.joined(separator: " ")
            for library in libraries.split(separator: " ") {
                #expect(calls.contains("\(library)") || calls.hasPrefix("all five"), "F\(feature) of \(library)")
            }
            #expect(found.allSatisfy { $0.count == 3 && $0[2].contains("`") }, "F\(feature) has no code")
        }
    }

    @Test("each piece of code in the table's right column stands in this file")
    func theTableIsTrue() throws {
        var source = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        // This test quotes nothing of the table, so whatever is found above it is code.
        source = source.components(separatedBy: "// MARK: The table")[0]
        var pieces = 0
        for row in try rows() {
            for (index, piece) in row[2].components(separatedBy: "`").enumerated() where index % 2 == 1 {
                pieces += 1
                #expect(source.contains(piece), "not in this file: \(piece)")
            }
        }
        #expect(pieces >= 38)
    }

    /// The cells of the article's table.
    private func rows() throws -> [[String]] {
        try Article("ComingFromYYModel").text.split(separator: "\n").filter { $0.hasPrefix("| F") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}

#endif
