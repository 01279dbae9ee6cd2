// What a schema must not say is an error at its place in the schema's own text.

import Foundation
import SluiceCore
import SluiceSchema
import SluiceTestSupport
import Testing

private func failure(compiling schema: String, _ options: JSONSchema.Options = JSONSchema.Options()) -> JSONError? {
    failure { () throws(JSONError) in try JSONSchema(json: schema, options: options) }
}

struct SchemaCompilationTests {
    /// Schemas, with the JSON Pointer of the keyword, what precedes the place of the error in the text, and words of the message.
    @Test(arguments: [
        (
            #"{"properties": {"a": {"minimum": "3"}}}"#, "#/properties/a/minimum", #"{"properties": {"a": {"minimum": "#,
            "a number"
        ),
        (#"{"type": "strin"}"#, "#/type", #"{"type": "#, "did you mean 'string'?"),
        (#"{"type": ["string", "nul"]}"#, "#/type/1", #"{"type": "#, "did you mean 'null'?"),
        (#"{"items": 5}"#, "#/items", #"{"items": "#, "a schema"),
        (#"{"allOf": []}"#, "#/allOf", #"{"allOf": "#, "an array of schemas"),
        (#"{"required": ["a", 1]}"#, "#/required/1", #"{"required": ["a", "#, "a string"),
        (#"{"maxLength": -1}"#, "#/maxLength", #"{"maxLength": "#, "0 or above"),
        (#"{"minItems": 1.5}"#, "#/minItems", #"{"minItems": "#, "whole number"),
        (#"{"multipleOf": 0}"#, "#/multipleOf", #"{"multipleOf": "#, "above 0"),
        (#"{"uniqueItems": "yes"}"#, "#/uniqueItems", #"{"uniqueItems": "#, "true or false"),
        (##"{"$ref": "#/$defs/adress", "$defs": {"address": {}}}"##, "#/$ref", ##"{"$ref": "##, "did you mean 'address'?"),
        (##"{"a": 1, "$ref": "other.json"}"##, "#/$ref", ##"{"a": 1, "$ref": "##, "'other.json'"),
        (##"{"$ref": "#smal", "$defs": {"x": {"$anchor": "small"}}}"##, "#/$ref", ##"{"$ref": "##, "did you mean 'small'?"),
        (#"{"$id": "http://x.org/a#b"}"#, "#/$id", #"{"$id": "#, "without a fragment"),
        (
            #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#, "#/$schema", #"{"$schema": "#,
            "draft-07, which is not read"
        ),
        (#"{"$schema": "https://json-schema.org/draft/2019-09/schema"}"#, "#/$schema", #"{"$schema": "#, "draft 2019-09"),
        (#"{"$schema": "https://example.org/own"}"#, "#/$schema", #"{"$schema": "#, "not there"),
        (##"{"$ref": "#"}"##, "#", "", "leads back"),
        (
            ##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}"##,
            "#", "", "leads back"
        ),
        (#"{"pattern": "(?=a)b"}"#, "#/pattern", #"{"pattern": "#, "that a walk can check"),
        (
            #"{"patternProperties": {"a(": true}}"#, "#/patternProperties/a(", #"{"patternProperties": {"a(": "#,
            "a regular expression"
        ),
    ])
    func mistakesHaveAPlace(_ schema: String, _ path: String, _ before: String, _ words: String) throws {
        let error = try #require(failure(compiling: schema))
        #expect(error.kind == .invalidSchema)
        #expect(error.summary.contains(words), "\(error.summary)")
        if words == "leads back" { return }
        #expect(error.path == path)
        #expect(error.offset == before.utf8.count, "\(error)")
        #expect(error.column == before.utf8.count + 1)
    }

    @Test func placeIsThatOfTheLine() throws {
        let error = try #require(failure(compiling: "{\n  \"properties\": {\n    \"a\": {\"minimum\": []}\n  }\n}"))
        #expect((error.line, error.column) == (3, 22))
        #expect(error.description.hasSuffix("    \"a\": {\"minimum\": []}\n" + String(repeating: " ", count: 21) + "^"))
    }

    @Test func unknownKeywordsAreAnnotations() throws {
        #expect(try JSONSchema(json: #"{"minimun": 3, "x-owner": {"type": "what"}}"#).isValid("1"))
    }

    @Test func textThatIsNotJSONIsASyntaxError() throws {
        let error = try #require(failure(compiling: #"{"type": }"#))
        #expect(error.kind == .syntax)
        #expect(error.offset == 9)
    }

    @Test func errorsInAnotherDocumentNameIt() throws {
        let options = JSONSchema.Options(documents: ["http://x.org/b": Array(#"{"minimum": true}"#.utf8)])
        let error = try #require(failure(compiling: #"{"$ref": "http://x.org/b"}"#, options))
        #expect(error.path == "http://x.org/b#/minimum")
        #expect(error.offset == 12)
    }

    @Test func schemasLieInAFolder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemas-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appendingPathComponent("parts"), withIntermediateDirectories: true)
        func write(_ text: String, _ name: String) throws { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
        try write(#"{"properties": {"a": {"$ref": "parts/a.json"}, "b": {"$ref": "urn:b"}}}"#, "root.json")
        try write(#"{"$ref": "b.json"}"#, "parts/a.json")
        try write(#"{"type": "string"}"#, "parts/b.json")
        try write(#"{"$id": "urn:b", "type": "number"}"#, "other.json")
        try write(#"{"$ref": "../secret.json"}"#, "parts/leak.json")
        try write("{}", "secret.json")
        let schema = try JSONSchema(path: folder.appendingPathComponent("root.json").path)
        #expect(try schema.isValid(#"{"a": "x", "b": 1}"#))
        #expect(try schema.validate(#"{"a": 1, "b": "x"}"#).breaches.map(\.schemaPath) == ["parts/b.json#/type", "urn:b#/type"])
        let leak = failure { () throws(JSONError) in
            try JSONSchema(path: folder.appendingPathComponent("parts/leak.json").path)
        }
        #expect(leak?.kind == .invalidSchema)
        #expect(failure { () throws(JSONError) in try JSONSchema(path: folder.path + "/none.json") }?.kind == .inputOutput)
    }

    @Test func relativeReferencesNeedABase() throws {
        let options = JSONSchema.Options(baseURI: "http://x.org/s/root", documents: ["http://x.org/s/part": Array("false".utf8)])
        #expect(try !JSONSchema(json: #"{"$ref": "part"}"#, options: options).isValid("1"))
        #expect(failure(compiling: #"{"$ref": "part"}"#)?.kind == .invalidSchema)
    }

    @Test func schemasHaveAGreatestSize() throws {
        var options = JSONSchema.Options()
        options.maximumSize = 10
        #expect(failure(compiling: #"{"minimum": 1}"#, options)?.kind == .sizeLimit)
        let schema = try JSONSchema(json: "true", options: options)
        #expect(failure { () throws(JSONError) in try schema.isValid("[1,2,3,4,5,6,7]") }?.kind == .sizeLimit)
        var stream = schema.stream()
        try stream.push("[1,2,3")
        #expect(failure { () throws(JSONError) in try stream.push(",4,5,6") }?.kind == .sizeLimit)
    }
}
