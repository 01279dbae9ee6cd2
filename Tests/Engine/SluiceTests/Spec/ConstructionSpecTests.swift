// SPEC §1.1: what models are made of.
#if Macros

import Foundation
import Sluice
import Testing

@testable import SluiceTestSupport

@Suite struct ConstructionSpecTests {
    @JSONModel
    struct User: Equatable {
        var uid: UInt64
        var name: String
        var created: Date
    }

    @JSONModel
    struct Bag: Equatable {
        var name: String
        var price: Double
        var t: String?
    }

    @JSONModel
    struct Item: Hashable {
        var v: Int
    }

    @JSONModel
    struct Nothing: Equatable {
        @JSONIgnored var isOpen = false
    }

    private static let text = #"{"uid":123456,"name":"Harry","created":"1965-07-31T00:00:00+0000"}"#
    private static let user = User(uid: 123_456, name: "Harry", created: Date(timeIntervalSince1970: -139_536_000))

    @Test("F2: a model is read from a file, and one that cannot be opened is an error that names it")
    func fromAFile() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString).json").path
        try #"[{"n": 1}, {"n": 2}]"#.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try [[String: Int]](jsonFile: path) == [["n": 1], ["n": 2]])
        let error = #expect(throws: JSONError.self) { try [Int](jsonFile: path + ".absent") }
        #expect(error?.kind == .inputOutput)
        #expect(error?.description.contains(".absent") == true)
    }

    @Test("F1: a model is made of an object, with its date")
    func modelOfAnObject() throws {
        let object: JSONObject = ["uid": 123_456, "name": "Harry", "created": "1965-07-31T00:00:00+0000"]
        #expect(try User(json: object) == Self.user)
        #expect(try User(json: JSONValue.object(object)) == Self.user)
        #expect(try Self.user.jsonObject() == ["uid": 123_456, "name": "Harry", "created": "1965-07-31T00:00:00Z"])
    }

    @Test("F2: a model is made of text, bytes, a buffer, a span or data, alike")
    func modelOfText() throws {
        let bytes = Array(Self.text.utf8)
        #expect(try User(json: Self.text) == Self.user)
        #expect(try User(json: bytes) == Self.user)
        let spanned = try unsafe User(json: bytes.span.bytes)
        #expect(spanned == Self.user)
        #expect(try User(json: Data(bytes)) == Self.user)
        let buffered = try unsafe bytes.withUnsafeBytes { unsafe try User(json: $0) }
        #expect(buffered == Self.user)
        for options in [JSONReader.Options(), .strict, .yyModel] {
            let reading = readEveryWay(User.self, Self.text, options: options)
            #expect(reading.disagreements == [])
            #expect(reading.outcome == .value(Self.user))
        }
    }

    @Test(
        "F2: what is no object, or is broken off, is an error with its position, and nil to `try?`",
        arguments: [
            ("{\"v\":1", JSONError.Kind.unexpectedEnd, 6), ("[]", .typeMismatch, 0), ("3", .typeMismatch, 0),
            ("\"v\"", .typeMismatch, 0), ("null", .typeMismatch, 0), ("", .unexpectedEnd, 0), ("{\"v\":1}x", .trailingContent, 7),
            ("{'v':1}", .syntax, 1),
        ])
    func whatIsNoModel(_ text: String, _ kind: JSONError.Kind, _ offset: Int) {
        for options in [JSONReader.Options(), .strict, .yyModel] {
            let error = failure(reading: Item.self, text, options: options)
            #expect(error?.kind == kind)
            #expect(error?.position.offset == offset)
            #expect(readEveryWay(Item.self, text, options: options).disagreements == [])
        }
        #expect((try? Item(json: text)) == nil)
    }

    @Test("F1: a model without a mapped property is made of any object")
    func modelWithoutProperties() throws {
        #expect(readEveryWay(Nothing.self, #"{"isOpen":true}"#).outcome == .value(Nothing()))
        #expect(try Nothing().jsonString() == "{}")
    }

    @Test("F3: an array of models is made of an array, in its order")
    func arrayOfModels() throws {
        let text = #"[{"name":"lv","price":14.4},{"name":"shuihuo","price":1}]"#
        let bags = [Bag(name: "lv", price: 14.4), Bag(name: "shuihuo", price: 1)]
        let reading = readEveryWay([Bag].self, text)
        #expect(reading.disagreements == [])
        #expect(reading.outcome == .value(bags))
        #expect(try [Bag](json: Data(text.utf8)) == bags)
        #expect(try [Bag](json: "[]") == [])
    }

    @Test("F3: elements that are no objects are left out and counted, or an error")
    func elementsThatAreNotModelsAreDropped() throws {
        let text = #"[{"v":1},3,null,{"v":2}]"#
        for options in [JSONReader.Options.tolerant, .yyModel, JSONReader.Options(conversions: .strict, elements: .skipInvalid)] {
            let reading = readings(of: [Item].self, text, options: options)
            #expect(reading.disagreements == [])
            #expect(reading.value == [Item(v: 1), Item(v: 2)])
            #expect(reading.report.droppedCount == 2)
            #expect(reading.report.issues.map(\.path) == ["[1]", "[2]"])
        }
        for options in [JSONReader.Options(), .lenient, .strict] {
            let error = failure(reading: [Item].self, text, options: options)
            #expect(error?.kind == .typeMismatch)
            #expect(error?.path == "[1]")
        }
        let (items, report) = try [Item].reading(json: Data(text.utf8), options: .tolerant)
        #expect(items == [Item(v: 1), Item(v: 2)])
        #expect(report.droppedCount == 2)
        for options in [JSONReader.Options(), .tolerant, .strict, .yyModel] {
            #expect(failure(reading: [Item].self, #"{"v":1}"#, options: options)?.kind == .typeMismatch)
        }
    }

    @Test("F3: a set of models is made of an array, without the repetitions")
    func setOfModels() throws {
        let text = #"[{"v":1},{"v":2},{"v":1}]"#
        #expect(readEveryWay(Set<Item>.self, text).outcome == .value([Item(v: 1), Item(v: 2)]))
    }

    @Test("F4: a dictionary of models keeps the keys, and leaves out what is no object")
    func dictionaryOfModels() throws {
        let text = #"{"a":{"v":1},"b":null,"c":{"v":3}}"#
        for options in [JSONReader.Options.tolerant, .yyModel] {
            let reading = readings(of: [String: Item].self, text, options: options)
            #expect(reading.disagreements == [])
            #expect(reading.value == ["a": Item(v: 1), "c": Item(v: 3)])
            #expect(reading.report.droppedCount == 1)
        }
        #expect(failure(reading: [String: Item].self, text)?.path == "b")
        #expect(failure(reading: [String: Item].self, text, options: .init())?.path == "b")
        #expect(failure(reading: [String: Item].self, "[]", options: .init())?.kind == .typeMismatch)
    }
}

#endif
