// One conformance written by hand, as the model of what `@JSONModel` emits: the text between the two marks is, except
// for white space, the expansion of the same struct in Fixtures/expansions/struct.txt. A test compares the two.

import Foundation
import SluiceTestSupport
import Testing

@testable public import SluiceCore

public struct Author: JSONModel, Equatable {
    public var login: String

    public struct JSONDraft: _JSONModelDraft {
        fileprivate var login: String?
        public init() {}
    }

    public static func _describeJSON(_ model: inout _ModelDescription<JSONDraft>) {
        model.property("login", \JSONDraft.login)
    }

    public static let _jsonTable = PropertyTable._compiled(for: Author.self)

    init(login: String) { self.login = login }

    public init(_jsonDraft draft: inout JSONDraft, bound: _BoundProperties) throws(JSONError) {
        self.login = try bound.required(draft.login.take(), 0)
    }

    public func _writeJSON(_ slot: Int, to writer: inout JSONWriter) throws(JSONError) {
        switch slot {
        case 0: try writer.property(self.login)
        default: break
        }
    }
}

// The expansion begins here.
public struct Book {
    let name: String
    var pages: Int = 0
    var summary: String?
    var bookID: String? = "x"
    var dotted: Int?
    var author: Author?
    var isOpen = false
    var secret: String?
    var stamp: Int = 3
    let kind = "book"

    public typealias JSONDraft = SluiceCore._InPlace<Self>

    public static func _describeJSON(_ model: inout SluiceCore._ModelDescription<JSONDraft>) {
        model.keyStrategy = .snakeCase

        model._required("name", \Self.name)
        model._defaulted("pages", \Self.pages, .literal(0), keys: ["p"])
        model._optional("summary", \Self.summary, keys: ["ext.desc"])
        model._optional("bookID", \Self.bookID, .literal("x"), keys: ["id", "ID", "book_id"])
        model._optional("dotted", \Self.dotted, keys: [.literal("a.b")])
        model._unmarkedOptional("author", \Self.author)
        model._kept(\Self.isOpen, .literal(false))
        model._optional("secret", \Self.secret, direction: .reading)
        model.writeOnly("stamp", Int.self)
        model._kept(\Self.stamp, .literal(3))
        model.writeOnly("kind", Swift.String.self)
        model._kept(\Self.kind, .literal("book"))
    }
}

extension Book: SluiceCore.JSONBindable, SluiceCore._ReadableModel, SluiceCore.JSONModel {
    public static let _jsonTable: SluiceCore.PropertyTable = ._compiled(for: Book.self)

    public func _writeJSON(_ slot: Swift.Int, to writer: inout SluiceCore.JSONWriter) throws(SluiceCore.JSONError) {
        switch slot {
        case 0: try writer.property(self.name)
        case 1: try writer.property(self.pages)
        case 2: try writer.property(self.summary)
        case 3: try writer.property(self.bookID)
        case 4: try writer.property(self.dotted)
        case 5: try writer._property(self.author)
        case 6: try writer.property(self.secret)
        case 7: try writer.property(self.stamp)
        case 8: try writer.property(self.kind)
        default: break
        }
    }

    public static func _jsonKeyPath(_ slot: Swift.Int) -> Swift.AnyKeyPath? {
        switch slot {
        case 0: return \Self.name
        case 1: return \Self.pages
        case 2: return \Self.summary
        case 3: return \Self.bookID
        case 4: return \Self.dotted
        case 5: return \Self.author
        case 6: return \Self.secret
        case 7: return \Self.stamp
        case 8: return \Self.kind
        default: return nil
        }
    }
}
// The expansion ends here.

extension Book: Equatable {}

@Suite struct HandwrittenModelTests {
    private static let expansion = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Fixtures/expansions/struct.txt")

    @Test func equalsTheExpansionOfTheMacro() throws {
        let own = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
        let handwritten = try #require(between("\n// The expansion begins here.\n", "\n// The expansion ends here.", own[...]))
        let recorded = try String(contentsOf: Self.expansion, encoding: .utf8).components(separatedBy: "---- expands to ----\n")
        let expanded = try #require(recorded.count == 2 ? recorded[1] : nil)
        // What only lets the compiler say what a type lacks has no part in the model.
        let checks = /do \{\s+func JSON<.*?#sourceLocation\(\)\s+\}/.dotMatchesNewlines()
        #expect(words(of: handwritten) == words(of: expanded.replacing(checks, with: "")[...]))
    }

    @Test func readsEveryKindOfProperty() throws {
        let text = """
            {"name": "Emma", "p": 474, "ext": {"desc": "A novel"}, "book_id": "b7", "a.b": 3, "author": {"login": "jane"},
             "secret": "s", "stamp": 99, "kind": "film", "isOpen": true}
            """
        let (outcome, disagreements) = readEveryWay(Book.self, text)
        guard case .value(let book) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(disagreements == [])
        #expect(book.name == "Emma")
        #expect(book.pages == 474)
        #expect(book.summary == "A novel")
        #expect(book.bookID == "b7")
        #expect(book.dotted == 3)
        #expect(book.author == Author(login: "jane"))
        #expect(book.secret == "s")
        // Written only, or not at all.
        #expect(book.stamp == 3)
        #expect(book.kind == "book")
        #expect(!book.isOpen)
    }

    @Test func absentKeysKeepInitialValuesAndNullSetsNil() throws {
        #expect(try Book(json: #"{"name": "Emma"}"#).bookID == "x")
        #expect(try Book(json: #"{"name": "Emma", "id": null}"#).bookID == nil)
        #expect(try Book(json: #"{"name": "Emma", "p": null}"#).pages == 0)
    }

    @Test func writesEveryKindOfProperty() throws {
        var book = try Book(json: #"{"name": "Emma", "ext": {"desc": "d"}, "a.b": 3, "secret": "s", "author": {"login": "j"}}"#)
        book.pages = 7
        let expected = """
            {"name":"Emma","p":7,"ext":{"desc":"d"},"id":"x","a.b":3,"author":{"login":"j"},"stamp":3,"kind":"book"}
            """
        #expect(try book.jsonString() == expected)
    }

    private func between(_ start: String, _ end: String, _ text: Substring) -> Substring? {
        guard let from = text.range(of: start), let to = text.range(of: end, range: from.upperBound..<text.endIndex) else {
            return nil
        }
        return text[from.upperBound..<to.lowerBound]
    }

    private func words(of text: Substring) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
}
