// Schemas and values that are made to take time, memory or stack stay within limits.

import SluiceCore
import SluiceSchema
import SluiceTestSupport
import Testing

/// The kind of the error of a check; nil if there is none.
private func kind(_ schema: String, _ text: String) throws -> JSONError.Kind? {
    let compiled = try JSONSchema(json: schema)
    return failure { () throws(JSONError) in try compiled.validate(text) }?.kind
}

struct SchemaHostileTests {
    /// Each level applies the next one twice, so there are 2^40 ways through the schema, and 41 subschemas.
    @Test func sharedBranchesAreAppliedOnce() throws {
        let levels = (0..<40).map {
            ##""a\##($0)": {"anyOf": [{"$ref": "#/$defs/a\##($0 + 1)"}, {"$ref": "#/$defs/a\##($0 + 1)"}]}"##
        }
        let schema = try JSONSchema(
            json: ##"{"$defs": {\##(levels.joined(separator: ",")), "a40": {"type": "null"}}, "$ref": "#/$defs/a0"}"##)
        #expect(try schema.isValid("null"))
        #expect(try !schema.validate("1").isValid)
        #expect(try schema.output(.detailed, of: "1").utf8.count < 10_000_000)
        #expect(try schema.output(.basic, of: "1").utf8.count < 100_000)
    }

    /// The same over the levels of the value.
    @Test func sharedChildrenAreAppliedOnce() throws {
        let schema = try JSONSchema(
            json:
                ##"{"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}, {"prefixItems": [{"$ref": "#"}]}], "type": ["array", "null"]}"##
        )
        let deep = String(repeating: "[", count: 500) + "null" + String(repeating: "]", count: 500)
        #expect(try schema.isValid(deep))
        let wrong = try schema.validate(String(repeating: "[", count: 500) + "1" + String(repeating: "]", count: 500))
        #expect(wrong.breaches.map(\.keyword) == ["type"])
        #expect(wrong.breaches.first?.path == String(repeating: "/0", count: 500))
    }

    @Test func tooManyActiveSubschemasAreAnError() throws {
        func schema(_ count: Int) -> String {
            #"{"anyOf": [\#((0..<count).map { #"{"const": \#($0)}"# }.joined(separator: ","))]}"#
        }
        #expect(try kind(schema(10_001), "-1") == .sizeLimit)
        #expect(try kind(schema(9_000), "-1") == nil)
        var options = JSONSchema.Options()
        options.maximumActiveSubschemas = 20_000
        #expect(try JSONSchema(json: schema(10_001), options: options).isValid("10000"))
    }

    @Test func deepValuesAndSchemasAreErrors() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(try kind(##"{"items": {"$ref": "#"}}"##, deep) == .depthLimit)
        let nested = String(repeating: #"{"not":"#, count: 600) + "true" + String(repeating: "}", count: 600)
        #expect(failure { () throws(JSONError) in try JSONSchema(json: nested) }?.kind == .depthLimit)
        let chain = (0..<3000).map { ##""a\##($0)": {"allOf": [{"$ref": "#/$defs/a\##($0 + 1)"}]}"## }
        #expect(
            try kind(##"{"$defs": {\##(chain.joined(separator: ",")), "a3000": {}}, "$ref": "#/$defs/a0"}"##, "1") == .depthLimit)
    }

    @Test func deepValuesTakeLittleStack() throws {
        let schema = try JSONSchema(
            json:
                ##"{"properties": {"a": {"$ref": "#"}}, "anyOf": [{"items": {"$ref": "#"}}, {"type": "object"}], "uniqueItems": true}"##
        )
        let text = String(repeating: #"{"a":["#, count: 250) + String(repeating: "]}", count: 250)
        var isValid: Bool?
        let stack = stackUse { isValid = try? schema.validate(text).isValid }
        #expect(isValid == true)
        let bytes = try #require(stack)
        // A sanitizer makes frames larger.
        #expect(bytes < (AllocationCounter.isUnderSanitizer ? 4 << 20 : 512 << 10), "\(bytes) bytes")
    }

    @Test func manyElementsAreFoundToDiffer() throws {
        let schema = try JSONSchema(json: #"{"uniqueItems": true}"#)
        let elements = (0..<100_000).map { #"{"id": \#($0), "tag": "t"}"# }
        #expect(try schema.isValid("[" + elements.joined(separator: ",") + "]"))
        #expect(try !schema.isValid("[" + elements.joined(separator: ",") + #", {"tag": "t", "id": 5e1}]"#))
    }

    /// All arrays inside of arrays must have unique elements: the digest of an inner one is calculated once.
    @Test func nestedArraysAreDigestedOnce() throws {
        let schema = try JSONSchema(json: ##"{"uniqueItems": true, "items": {"$ref": "#"}}"##)
        var text = "[" + (0..<20_000).map(String.init).joined(separator: ",") + "]"
        for level in 0..<400 { text = "[\(level),\(text)]" }
        #expect(try schema.isValid(text))
    }

    @Test func manyBreachesTakeLinearTime() throws {
        let schema = try JSONSchema(json: #"{"items": {"properties": {"a": {"type": "string"}}, "required": ["b"]}}"#)
        let text = "[" + Array(repeating: #"{"a": 1}"#, count: 20_000).joined(separator: ",\n") + "]"
        let result = try schema.validate(text)
        #expect(result.breaches.count == 40_000)
        #expect(result.breaches.last?.line == 20_000)
        #expect(result.breaches.last?.path == "/19999/a")
    }

    /// More notes than are kept do not make an invalid value valid.
    @Test func breachesBeyondTheLimitStillCount() throws {
        let schema = try JSONSchema(json: #"{"anyOf": [{"items": {"type": "null"}}, {"items": {"type": "string"}}]}"#)
        let text = "[" + Array(repeating: "1", count: 200_000).joined(separator: ",") + "]"
        #expect(try !schema.isValid(text))
        #expect(try !schema.validate(text).isValid)
        #expect(try !schema.validate(text).breaches.isEmpty)
    }

    @Test func manyKeysThatNothingEvaluatesAreFound() throws {
        let schema = try JSONSchema(
            json: #"{"anyOf": [{"patternProperties": {"^k": true}}, true], "unevaluatedProperties": false}"#)
        let members = (0..<20_000).map { #""k\#($0)": 1"# }.joined(separator: ",")
        #expect(try schema.isValid("{\(members)}"))
        let result = try schema.validate(#"{\#(members), "x": 1}"#)
        #expect(result.breaches.map(\.path) == ["/x"])
    }

    @Test func manyRequiredKeysAreCheckedToo() throws {
        let names = (0..<200).map { "k\($0)" }
        let schema = try JSONSchema(json: #"{"required": [\#(names.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
        #expect(try schema.isValid("{" + names.map { "\"\($0)\": 1" }.joined(separator: ",") + "}"))
        let result = try schema.validate("{" + names.dropLast().map { "\"\($0)\": 1" }.joined(separator: ",") + "}")
        #expect(result.breaches.map(\.expected) == ["key 'k199'"])
    }

    @Test func checksRunInManyThreads() async throws {
        let schema = try JSONSchema(json: #"{"items": {"anyOf": [{"type": "string", "minLength": 2}, {"multipleOf": 0.5}]}}"#)
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask { try schema.isValid("[\(number), \"ab\", \(number).5]") && !schema.isValid("[\(number).25]") }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.allSatisfy { $0 })
    }

    /// What a schema says of columns is found in linear time, and within a limit: many keys, and parts that refer to themselves.
    @Test func manyPropertiesThatReferToThemselvesAreCompiled() throws {
        let keys = (0..<20_000).map { "\"k\($0)\": {\"$ref\": \"#\"}" }.joined(separator: ", ")
        let schema = try JSONSchema(json: "{\"type\": \"object\", \"properties\": {\(keys)}}")
        #expect(try schema.isValid(#"{"k1": {"k2": {}}}"#))
        #expect(try !schema.isValid(#"{"k1": {"k2": 1}}"#))
    }
}
