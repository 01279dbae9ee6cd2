// The Swift of README.md, compiled and run: each block stands here paragraph by paragraph, and the last tests see to that.

#if Macros
import Foundation
import Sluice
import Testing

// swift-format-ignore
@JSONModel
struct Book {
    var name: String                              // required
    @JSONKey("p") var pages = 0                   // under another key; an absent one keeps the initial value
    @JSONKey("ext.desc") var summary: String?     // inside another object
    @JSONKey("id", "ID") var bookID: String?      // the first of these that is not null
    var tags: [String] = []
}

// swift-format-ignore
@JSONModel(keys: .snakeCase)
struct Account {
    let id: Int                                              // id
    var displayName: String                                  // display_name
    var homepage: URL?                                       // home page as a URL, null or absent as nil
    var created: Date                                        // ISO 8601 and other known forms
    var balance: Decimal = 0                                 // exact: never by way of a double
    var plan: Plan = .free
    @JSONKey(literal: "swift.version") var swift: String?    // a key that contains a dot
    @JSONIgnored(.writing) var token: String?                // read, never written
    @JSONIgnored var isSelected = false                      // neither
    var extra: [String: JSONValue] = [:]                     // any JSON
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

// swift-format-ignore
@JSONModel
struct Release {
    @JSONKey("ID", "id", "meta.id") var releaseID: String    // the first of these that is not null
    @JSONKey("size") var size: Int?                          // one key,
    @JSONKey("size") var sizeText: String?                   // each property by its own type
    @JSONKey("meta.by") var by: String?                      // {"meta": {"by": "ann"}}
    @JSONKey("meta.by.name") var byName: String?             // {"meta": {"by": {"name": "Ann"}}}
}

// swift-format-ignore
@JSONModel
struct Review {
    var pages = 0                                          // 474, "474", " 474 "
    @JSONConvert(.strict) var count = 0                    // 3, never "3"
    @JSONConvert(.truncating) var stars = 0                // 4.7 is 4
    @JSONJoin(", ") var authors = ""                       // ["Simon", "Garfunkel"] is "Simon, Garfunkel"
    @JSONDate(.unix) var published: Date?                  // 1390220688, in both directions
    @JSONDate(.format("dd/MM/yyyy")) var printed: Date?    // "20/01/2014"; also .milliseconds, .rfc1123 and others
    @JSONData(.utf8) var body: Data?                       // the string's bytes, not Base64
}

// swift-format-ignore
@JSONModel
struct Sheet {
    var cells: [Int] = []                                  // [1, "x", 2] is an error, and [1, 2] with `.tolerant`
    @JSONElements(.skipNull) var marks: [Int] = []         // [1, null, 2] is [1, 2]
    @JSONElements(.strict) var ids: [Int] = []             // an error, whatever the options say
    @JSONMismatch(.nil) var width: Int?                    // {} is nil
    @JSONNull(.empty) var title = "untitled"               // null is ""
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

@Suite struct ReadmeTests {
    @Test func twentyLinesPrintWhatTheReadmeSays() throws {
        var printed: [String] = []
        func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

        let book = try Book(json: #"{"name": "Emma", "p": 474, "ext": {"desc": "A match is made."}, "ID": "b7"}"#)
        print(book.name, book.pages, book.summary ?? "-", book.bookID ?? "-")
        print(try book.jsonString())

        let lines = "{\"name\": \"Emma\"}\n{\"name\": [7]}\n{\"name\": \"Persuasion\", \"p\": 249}\n"
        let feed = JSONFeed<Book>(bytes: Array(lines.utf8), options: .init(invalidRecords: .skip))
        while let book = try feed.next() { print(book.name, book.pages) }
        print(feed.acceptedCount, feed.rejectedCount, feed.reasons[0].summary)

        #expect(try printed.joined(separator: "\n") == blocks("text").first)
    }

    @Test func errorIsPrintedAsTheReadmeSays() throws {
        var printed: [String] = []
        func print(_ item: Any) { printed.append("\(item)") }

        do {
            _ = try [Account](json: #"[{"id": 1, "balance": 1.5}]"#)
        } catch {
            print(error)
        }

        let expected = try blocks("text").last
        #expect(printed == [expected])
    }

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

        #expect(part == #"{"id":1,"plan":"paid"}"#)
        #expect(rest == #"[{"id":1,"display_name":"n","balance":0,"plan":"paid","swift.version":"6"}]"#)

        var printed = ""
        func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }

        let changes = try account.update(json: #"{"balance": 2.5, "display_name": "n"}"#)
        print(changes.assigned, changes.changed)

        #expect(try blocks("text").contains(printed))
        #expect(account.balance == 2.5)

        let member = try Guest(json: #"{"id": 1, "host": "h"}"#)
        let store = JSONMemoryStore()

        print(Account.schema.properties.map(\.name), Account.schema["homepage"]?.typeName ?? "-")
        let copy = try member.copy()  // shares no object with the original
        let archive = try account.archive()  // bytes, with a fingerprint of the schema
        let restored = try Account(archive: archive)  // tolerant of properties that came or went
        try store.set(account, forKey: "account")  // JSONMemoryStore, UserDefaults, or a JSONKeyValueStore of yours

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

    @Test func valuesConvertAsTheReadmeSays() throws {
        let lenient = try Review(json: #"{"pages": "474", "stars": 4.7}"#)
        let strict = try? Review(json: #"{"pages": "474"}"#, options: .strict)  // nil: "474" is no number
        let loose = try Review(json: #"{"pages": "474 or so"}"#, options: .yyModel)  // 474, as far as it is one

        #expect(lenient.pages == 474)
        #expect(lenient.stars == 4)
        #expect(strict == nil)
        #expect(loose.pages == 474)
        #expect(throws: JSONError.self) { try Review(json: #"{"count": "3"}"#) }
        let text = #"{"pages":1,"count":3,"stars":4,"authors":"a","published":1390220688,"printed":"20/01/2014","body":"b"}"#
        #expect(try Review(json: text).jsonString() == text)
        #expect(try Review(json: #"{"authors": ["Simon", "Garfunkel"]}"#).authors == "Simon, Garfunkel")
    }

    @Test func whatDoesNotFitIsLeftOutAndCounted() throws {
        var printed = ""
        func print(_ items: Any...) { printed = items.map { "\($0)" }.joined(separator: " ") }

        let text = #"{"cells": [1, "x", 2], "width": {}, "title": null}"#
        let (sheet, report) = try Sheet.reading(json: text, options: .tolerant)
        print(sheet.cells, report.droppedCount, report.issues.map(\.path))

        #expect(try blocks("text").contains(printed))
        #expect(sheet.width == nil)
        #expect(sheet.title == "")
        #expect(try Sheet(json: #"{"marks": [1, null, 2]}"#).marks == [1, 2])
        #expect(throws: JSONError.self) { try Sheet(json: #"{"ids": [1, "x"]}"#, options: .tolerant) }
        #expect(throws: JSONError.self) { try Sheet(json: text) }
        #expect(throws: JSONError.self) { try Sheet(json: text, options: .strict) }
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

    @Test func feedOfAFileIsAnAsynchronousSequence() async throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).ndjson")
        let lines = (1...3).map { #"{"id":\#($0),"display_name":"n","created":"2014-05-06","balance":0.\#($0)}"# }
        try Data(lines.joined(separator: "\n").utf8).write(to: place)
        defer { try? FileManager.default.removeItem(at: place) }
        let pagePlace = place.appendingPathExtension("page")
        try Data(#"{"data":{"accounts":[\#(lines.joined(separator: ","))]}}"#.utf8).write(to: pagePlace)
        defer { try? FileManager.default.removeItem(at: pagePlace) }
        let (path, pagePath) = (place.path, pagePlace.path)
        var total: Decimal = 0

        let feed = try JSONFeed<Account>(path: path, options: .init(format: .lines, invalidRecords: .skip))
        for try await account in feed.records {  // a thread reads ahead, so the task never blocks
            total += account.balance
        }

        let onThreads = try JSONFeed<Account>(path: path).parallel(workers: 2)  // the same records, errors and places
        let inside = try JSONFeed<Account>(path: pagePath, options: .init(at: "data.accounts"))  // records in an envelope

        #expect(total == Decimal(string: "0.6"))
        var ids: [Int] = []
        while let account = try onThreads.next() { ids.append(account.id) }
        while let account = try inside.next() { ids.append(account.id) }
        #expect(ids == [1, 2, 3, 1, 2, 3])
    }

    @Test func feedIsWrittenRecordByRecord() throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        let path = place.path
        defer { try? FileManager.default.removeItem(atPath: path + ".array") }
        let texts = (1...2).map { #"{"id":\#($0),"display_name":"n","created":"2014-05-06","balance":0.5}"# }
        let accounts = try texts.map { try Account(json: $0) }

        let copy = try JSONFeedWriter(path: path + ".array", format: .array)
        for account in accounts { try copy.write(account) }
        try copy.finish()

        let feed = try JSONFeed<Account>(path: path + ".array")
        var ids: [Int] = []
        while let account = try feed.next() { ids.append(account.id) }
        #expect(ids == [1, 2])
    }

    @Test func scalarOfOnesOwnIsReadAndWritten() throws {
        #expect(try [Percent](json: "[0,12.5,100]").jsonString() == "[0,12.5,100]")
        let error = #expect(throws: JSONError.self) { try [Percent](json: "[101]") }
        #expect(error?.expected == "a percentage")
    }

    // MARK: The README itself

    @Test func everySwiftBlockOfTheReadmeStandsInThisFile() throws {
        let source = normalized(try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
        let swift = try blocks("swift")
        #expect(swift.count == 15)
        for block in swift {
            for paragraph in normalized(block).components(separatedBy: "\n\n") {
                #expect(source.contains(paragraph), "not in this file: \(paragraph)")
            }
        }
    }

    /// The lines without indentation, so that a block may stand deeper here than there.
    private func normalized(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    /// The contents of the README's code blocks of a language.
    private func blocks(_ language: String) throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../README.md")
        let readme = try String(contentsOf: file.standardized, encoding: .utf8)
        var blocks: [String] = []
        var current: [Substring]?
        for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = current {
                if line == "```" {
                    blocks.append(lines.joined(separator: "\n"))
                    current = nil
                } else {
                    current = lines + [line]
                }
            } else if line == "```\(language)" {
                current = []
            }
        }
        return blocks
    }
}
#endif
