// Documents that are read with a schema: what does not fit is refused before anything is read of it.

import SluiceCore
import SluiceSchema
import SluiceTestSupport
import Testing

struct ReadingBySchemaTests {
    private let schema = #"{"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}, "required": ["a"]}"#

    private func options(_ text: String) throws -> JSONReader.Options { JSONReader.Options(schema: try JSONSchema(json: text)) }

    @Test func aDocumentThatFitsIsRead() throws {
        let reading = readings(of: [String: Int].self, #"{"a": 1, "b": 2}"#, options: try options(schema))
        #expect(reading.disagreements == [] && reading.value == ["a": 1, "b": 2])
    }

    /// The type would take these values. The error is the same through yajl, and in pieces.
    @Test(arguments: [
        (#"{"a": 1, "b": -2}"#, "minimum", "b", 14, "see #/additionalProperties/minimum"),
        ("{\n\"b\": 2}", "required", "", 0, "see #/required"),
        (#"{"a": "1"}"#, "type", "a", 6, "see #/additionalProperties/type"),
        (#"{"a": 1, "x.y": [1, {"b": 2}]}"#, "type", "\"x.y\"", 16, "see #/additionalProperties/type"),
        ("\u{FEFF}{\"a\": -1}", "minimum", "a", 9, "see #/additionalProperties/minimum"),
    ])
    func aBreachIsAnErrorWithItsKeyword(text: String, keyword: String, path: String, offset: Int, hint: String) throws {
        let reading = readings(of: [String: Int].self, text, options: try options(schema))
        #expect(reading.disagreements == [])
        let error = try #require(reading.error)
        #expect(error.kind == .constraint && error.keys == [keyword] && error.hint == hint, "\(error)")
        #expect(error.path == path && error.offset == offset, "\(error)")
    }

    /// A breach comes before what does not fit the type, and damaged text before a breach.
    @Test(arguments: [
        (#"{"a": -1, "b": []}"#, JSONError.Kind.constraint, 6), (#"{"a": 1, "b": 2,}"#, .syntax, 16),
        (#"{"a": -1, "b": "#, .unexpectedEnd, 15), (#"{"b": 1} 1"#, .trailingContent, 9), ("", .unexpectedEnd, 0),
    ])
    func whatIsSaidFirst(text: String, kind: JSONError.Kind, offset: Int) throws {
        let reading = readings(of: [String: Int].self, text, options: try options(schema))
        #expect(reading.disagreements == [])
        #expect(reading.error?.kind == kind && reading.error?.offset == offset, "\(reading)")
    }

    @Test func aReaderGoesOnAfterABreachAndItsReportIsThatOfTheLastDocument() throws {
        var options = try options(schema)
        options.elements = .skipInvalid
        var reader = JSONReader(options: options)
        #expect(try reader.read([String: Int].self, from: #"{"a": 1}"#) == ["a": 1])
        #expect(throws: JSONError.self) { try reader.read([String: Int].self, from: "{}") }
        #expect(reader.report == JSONReadReport())
        #expect(try reader.read([String: Int].self, from: #"{"a": 2}"#) == ["a": 2])
    }

    @Test func aValueInsideOfADocumentIsNotADocument() throws {
        // The string holds JSON that the schema would refuse.
        let reading = readings(of: [String: String].self, #"{"a": "{}"}"#, options: try options(#"{"required": ["a"]}"#))
        #expect(reading.disagreements == [] && reading.value == ["a": "{}"])
    }

    @Test func optionsAreEqualIfTheyHaveTheSameSchema() throws {
        let one = try JSONSchema(json: "true"), other = try JSONSchema(json: "true")
        #expect(JSONReader.Options(schema: one) == JSONReader.Options(schema: one))
        #expect(JSONReader.Options(schema: one) != JSONReader.Options(schema: other))
        #expect(JSONReader.Options(schema: one) != JSONReader.Options())
        var options = JSONReader.Options(schema: one)
        #expect(options.schema != nil)
        options.schema = nil
        #expect(options == JSONReader.Options())
    }

    /// A document from a source is gathered; one that is longer than the schema allows is refused.
    @Test func aDocumentThatIsTooLongForTheCheckIsRefused() throws {
        var limits = JSONSchema.Options()
        limits.maximumSize = 20
        let options = JSONReader.Options(schema: try JSONSchema(json: "true", options: limits))
        for (text, isShort) in [(#"{"a": 1, "b": 12345}"#, true), (#"{"a": 1, "b": 123456}"#, false)] {
            let reading = readings(of: [String: Int].self, text, options: options)
            #expect(reading.outcome == (isShort ? .value(["a": 1, "b": 12345]) : .failure(.sizeLimit, "")), "\(reading)")
        }
    }

    @Test func aDocumentBeyondItsOwnBudgetIsNotChecked() throws {
        var options = try options("false")
        options.maximumDocumentSize = 5
        #expect(readings(of: Int.self, "123456", options: options).outcome == .failure(.sizeLimit, ""))
        #expect(readings(of: Int.self, "12345", options: options).outcome == .failure(.constraint, ""))
    }
}
