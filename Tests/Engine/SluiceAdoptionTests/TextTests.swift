// JSON inside a string.

#if Macros
import Foundation
import Sluice
import SluiceTestSupport
import Testing

@JSONModel
struct TextPayload: Equatable {
    var id: Int
    var name: String?
    @JSONString var inner: [Int]?
}

@JSONModel
struct TextMessage: Equatable {
    @JSONString var payload: TextPayload
    @JSONString var tags: [String]?
    @JSONString @JSONKey("c.counts") var counts: [String: Int] = [:]
    var after = 0
}

@JSONModel
struct DatedText: Equatable {
    @JSONDate(.unix) @JSONString var dates: [Date]
}

@JSONModel
final class TextNode {
    var next: TextNode?
    @JSONString var text: TextNode?
    @JSONIgnored var isSeen = false
    init() {}
}

@JSONModel(layout: .array)
struct TextRow: Equatable {
    @JSONString var first: TextPayload?
    var second: Int
}

@Suite struct TextTests {
    @Test(arguments: [
        #"{"payload":"{\"id\":7}","after":1}"#,
        #"{"payload":"{\"id\":7,\"name\":\"a\\\"b\\n\",\"inner\":\"[1,2]\"}","tags":"[\"x\",\"ü\"]","c":{"counts":"{\"a\":1}"},"after":0}"#,
    ])
    func textIsReadAndWrittenEveryWay(_ text: String) throws {
        let reading = readEveryWay(TextMessage.self, text)
        #expect(reading.disagreements == [])
        guard case .value(let message) = reading.outcome else {
            Issue.record("\(reading.outcome)")
            return
        }
        #expect(message.payload.id == 7)
        #expect(try TextMessage(json: message.jsonString()) == message)
        #expect(try TextMessage(json: message.jsonString(options: .init(isPretty: true, escapesNonASCII: true))) == message)
        #expect(try TextMessage(archive: message.archive()) == message)
        if text.contains("tags") { #expect(try message.jsonString() == text) }
    }

    @Test func theTextInsideIsCompact() throws {
        let message = TextMessage(payload: TextPayload(id: 1), tags: nil)
        let pretty = try message.jsonString(options: .init(isPretty: true))
        #expect(pretty.contains(#""payload": "{\"id\":1}""#))
        #expect(!pretty.contains("tags"))
    }

    @Test func thePropertysFormHoldsInside() throws {
        let text = #"{"dates":"[1390220688]"}"#
        let value = try DatedText(json: text)
        #expect(value.dates == [Date(timeIntervalSince1970: 1_390_220_688)])
        #expect(try value.jsonString() == #"{"dates":"[1390220688]"}"# || value.jsonString().contains("2014"))
    }

    @Test(arguments: [
        // The text, the kind, the path, the offset of the string, and what the hint says of the position inside.
        (#"{"payload": "{\"id\": \"x\"}"}"#, JSONError.Kind.typeMismatch, "payload.id", "byte"),
        (#"{"payload": "{\"name\": \"x\"}"}"#, .missingKeys, "payload", "byte"),
        (#"{"payload": "{\"id\": 7"}"#, .unexpectedEnd, "payload.id", "byte 8 of the string's own text (line 1, column 9)"),
        (#"{"payload": "{\"id\": 7}}"}"#, .invalidValue, "payload", "byte"),
        (#"{"payload": ""}"#, .invalidValue, "payload", "byte 0"),
        (#"{"payload": "{\"id\": 7, \"inner\": \"[1, {}]\"}"}"#, .typeMismatch, "payload.inner[1]", "own text"),
    ])
    func errorsSayBothPositions(_ text: String, _ kind: JSONError.Kind, _ path: String, _ hint: String) throws {
        let reading = readings(of: TextMessage.self, Array(text.utf8), options: .init())
        #expect(reading.disagreements == [])
        let error = try #require(reading.error)
        #expect(error.kind == kind, "\(error)")
        #expect(error.path == path, "\(error)")
        #expect(error.offset == 12, "\(error)")
        #expect(error.hint?.contains(hint) == true, "\(error)")
    }

    @Test(arguments: [#"{"payload": {"id": 7}}"#, #"{"payload": 7}"#, #"{"payload": [1]}"#, #"{"payload": true}"#])
    func whatIsNoStringDoesNotFit(_ text: String) throws {
        let reading = readings(of: TextMessage.self, Array(text.utf8), options: .strict)
        #expect(reading.disagreements == [])
        #expect(reading.error?.kind == .typeMismatch)
        #expect(reading.error?.expected == "a string of JSON")
    }

    @Test func aTolerantPropertyTakesTheLoss() throws {
        var options = JSONReader.Options()
        options.mismatch = .keep
        var reader = JSONReader(options: options)
        let message = try reader.read(TextMessage.self, from: #"{"payload": "{\"id\":1}", "tags": "[", "after": 2}"#)
        #expect(message == TextMessage(payload: TextPayload(id: 1), tags: nil, after: 2))
        #expect(reader.report.issues.map(\.path) == ["tags[0]"])
    }

    @Test func whatIsLeftOutInsideIsReported() throws {
        var reader = JSONReader(options: .tolerant)
        let message = try reader.read(TextMessage.self, from: #"{"payload": "{\"id\":1}", "tags": "[\"a\", {}, \"b\"]"}"#)
        #expect(message.tags == ["a", "b"])
        #expect(reader.report.droppedCount == 1)
        #expect(reader.report.issues.map(\.path) == ["tags[1]"])
    }

    @Test func theLimitOfDepthHoldsInside() throws {
        var options = JSONReader.Options()
        options.maximumDepth = 2
        #expect(try TextMessage(json: #"{"payload": "{\"id\":1}"}"#, options: options).payload.id == 1)
        let error = #expect(throws: JSONError.self) {
            try TextMessage(json: #"{"payload": "{\"id\":1,\"name\":[[]]}"}"#, options: options)
        }
        #expect(error?.kind == .depthLimit)
        let node = TextNode()
        node.text = node
        let written = #expect(throws: JSONError.self) { try node.jsonString(options: .init(maximumDepth: 20)) }
        #expect(written?.kind == .depthLimit)
    }

    @Test func jsonTextMayBeNestedAndBeAnArrayElement() throws {
        let node = try TextNode(json: #"{"text": "{\"text\": \"{\\\"next\\\": {}}\"}"}"#)
        #expect(node.text?.text?.next != nil)
        let row = TextRow(first: nil, second: 2)
        #expect(try row.jsonString() == "[null,2]")
        #expect(try TextRow(json: #"["{\"id\":1}",2]"#).jsonString() == #"["{\"id\":1}",2]"#)
    }

    @Test func anUpdateReplacesTheWholeText() throws {
        var message = TextMessage(payload: TextPayload(id: 1, name: "a"), tags: ["x"])
        let changes = try message.update(json: #"{"payload": "{\"id\":2}"}"#)
        #expect(message.payload == TextPayload(id: 2))
        #expect(message.tags == ["x"])
        #expect(changes.changed == ["payload"])
    }

    @Test func theSchemaSaysAString() {
        #expect(TextMessage.schema["payload"]?.kind == .string)
        #expect(TextMessage.schema["payload"]?.typeName == "TextPayload")
        #expect(TextMessage.schema["payload"]?.model?.name == "TextPayload")
    }
}
#endif
