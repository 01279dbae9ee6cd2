// A breach says where it is, in the value and in the schema, and what was expected.

import SluiceCore
import SluiceSchema
import SluiceTestSupport
import Testing

/// The breaches of a text, which the text in pieces and yajl's reading must have, too.
private func breaches(_ schema: String, _ text: String, assertsFormats: Bool = false) throws -> [JSONSchemaBreach] {
    var options = JSONSchema.Options(assertsFormats: assertsFormats)
    let result = try JSONSchema(json: schema, options: options).validate(text)
    options.parser = .yajl
    let yajl = try JSONSchema(json: schema, options: options)
    #expect(try yajl.validate(text) == result)
    let bytes = Array(text.utf8)
    for cut in 0...bytes.count {
        var stream = yajl.stream()
        try stream.push(bytes[..<cut])
        try stream.push(bytes[cut...])
        #expect(try stream.finish() == result, "cut at \(cut)")
    }
    return result.breaches
}

struct SchemaBreachTests {
    @Test func breachHasBothPlaces() throws {
        let text = "{\n  \"user\": {\"ages\": [1, -5]}\n}"
        let schema = #"{"properties": {"user": {"properties": {"ages": {"items": {"minimum": 0}}}}}}"#
        let breach = try #require(breaches(schema, text).first)
        #expect(breach.keyword == "minimum")
        #expect(breach.schemaPath == "#/properties/user/properties/ages/items/minimum")
        #expect(breach.path == "/user/ages/1")
        #expect((breach.line, breach.column, breach.offset) == (2, 24, 25))
        #expect((breach.expected, breach.found) == ("at least 0", "-5"))
        #expect(
            breach.description
                == "minimum at /user/ages/1 (line 2, column 24, byte 25): expected at least 0, found -5; see "
                + "#/properties/user/properties/ages/items/minimum\n  \"user\": {\"ages\": [1, -5]}\n                       ^")
    }

    @Test func aByteOrderMarkCountsInPositions() throws {
        let breach = try #require(breaches(#"{"properties": {"a": {"minimum": 0}}}"#, "\u{FEFF}{\"a\": -1}").first)
        #expect((breach.line, breach.column, breach.offset) == (1, 10, 9))
    }

    /// A schema, a text, and the words of its only breach.
    @Test(arguments: [
        (#"{"type": ["integer", "null"]}"#, "1.5", "an integer or null", "1.5"),
        (#"{"enum": ["a", "b", 3]}"#, #""c""#, #""a", "b" or 3"#, #""c""#),
        (#"{"const": {"a": 1}}"#, "{}", #"{"a": 1}"#, "an object"),
        (#"{"multipleOf": 0.1}"#, "0.25", "a multiple of 0.1", "0.25"),
        (#"{"maximum": 9223372036854775808}"#, "9223372036854775809", "at most 9223372036854775808", "9223372036854775809"),
        (#"{"exclusiveMaximum": 1e400}"#, "1e400", "less than 1e400", "1e400"),
        (#"{"exclusiveMinimum": 0.1}"#, "0.10", "more than 0.1", "0.10"),
        (#"{"maxLength": 1}"#, #""𝒳é""#, "at most 1 character", "2 characters"),
        (#"{"minLength": 3}"#, #""\ud83d\ude00a""#, "at least 3 characters", "2 characters"),
        (#"{"pattern": "^a"}"#, #""ba""#, "text that matches '^a'", #""ba""#),
        (#"{"format": "date"}"#, #""2024-02-30""#, "text of the format 'date'", #""2024-02-30""#),
        (#"{"maxItems": 1}"#, "[1, 2]", "at most 1 element", "2 elements"),
        (#"{"minItems": 1}"#, "[]", "at least 1 element", "0 elements"),
        (#"{"uniqueItems": true}"#, #"[{"a": 1, "b": 2}, {"b": 2.0, "a": 10e-1}]"#, "elements that differ", "two equal ones"),
        (#"{"contains": {"const": 1}}"#, "[2]", "an element that 'contains' accepts", "none"),
        (#"{"contains": {"const": 1}, "minContains": 2}"#, "[1]", "at least 2 elements that 'contains' accepts", "1"),
        (#"{"contains": {"const": 1}, "maxContains": 1}"#, "[1, 1]", "at most 1 element that 'contains' accepts", "2"),
        (#"{"maxProperties": 0}"#, #"{"a": 1}"#, "at most 0 members", "1 member"),
        (#"{"minProperties": 2}"#, #"{"a": 1}"#, "at least 2 members", "1 member"),
        (#"{"required": ["a", "b", "c"]}"#, #"{"b": 1}"#, "keys 'a', 'c'", "an object without them"),
        (#"{"dependentRequired": {"a": ["b"]}}"#, #"{"a": 1}"#, "key 'b' beside 'a'", "an object without it"),
        (#"{"anyOf": [{"type": "string"}, {"minimum": 5}]}"#, "3", "a value that a schema of 'anyOf' accepts", "3"),
        (
            #"{"oneOf": [{"minimum": 1}, {"minimum": 2}]}"#, "3", "a value that one schema of 'oneOf' accepts",
            "one that 2 of them accept"
        ),
        (#"{"not": {"type": "null"}}"#, "null", "a value that the schema of 'not' refuses", "null"),
        (#"{"prefixItems": [true], "items": false}"#, "[1, 2]", "no more elements", "2"),
        ("false", "1", "no value", "1"),
    ])
    func wordsSayWhatWasExpected(_ schema: String, _ text: String, _ expected: String, _ found: String) throws {
        let breaches = try breaches(schema, text, assertsFormats: true)
        #expect(breaches.map(\.expected) == [expected])
        #expect(breaches.map(\.found) == [found])
    }

    @Test func keyThatMustNotBeThereIsShown() throws {
        let schema = #"{"properties": {"colour": true}, "additionalProperties": false}"#
        let breach = try #require(breaches(schema, #"{"color": 1}"#).first)
        #expect(breach.keyword == "additionalProperties")
        #expect(breach.schemaPath == "#/additionalProperties")
        #expect((breach.path, breach.offset, breach.found) == ("/color", 1, "key 'color'"))
        #expect(breach.hint == "did you mean 'colour'?")
    }

    @Test func branchThatIsAcceptedHasNoBreach() throws {
        let schema =
            #"{"anyOf": [{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"minimum": 1}}}], "maxProperties": 0}"#
        #expect(try breaches(schema, #"{"a": 3}"#).map(\.keyword) == ["maxProperties"])
    }

    @Test func branchesDecideWhatIsUnevaluated() throws {
        let schema = #"""
            {"properties": {"kind": true}, "unevaluatedProperties": {"type": "string"},
             "if": {"properties": {"kind": {"const": 1}}}, "then": {"properties": {"one": true}}, "else": {"properties": {"two": true}}}
            """#
        #expect(try breaches(schema, #"{"kind": 1, "one": 1, "x": "y"}"#).isEmpty)
        let other = try breaches(schema, #"{"one": 1, "kind": 2, "two": 2, "x": 3}"#)
        #expect(other.map(\.path) == ["/one", "/x"])
        #expect(Set(other.map(\.schemaPath)) == ["#/unevaluatedProperties/type"])
    }

    @Test func breachesAreInTheOrderOfTheText() throws {
        let schema = #"{"required": ["z"], "properties": {"a": {"type": "null"}, "b": {"maximum": 1}}}"#
        let text = #"{"b": 2, "a": 1, "b": 3}"#
        #expect(try breaches(schema, text).map(\.path) == ["", "/b", "/a", "/b"])
        let compiled = try JSONSchema(json: schema)
        #expect(try compiled.validate(text, limit: .first).breaches.map(\.keyword) == ["required"])
        #expect(try compiled.validate(text, limit: .atMost(3)).breaches.count == 3)
        #expect(try !compiled.validate(text, limit: .atMost(3)).isValid)
    }

    @Test func sharedSubschemaIsReportedOnce() throws {
        let schema = ##"{"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"minimum": 2}}}"##
        #expect(try breaches(schema, "1").map(\.schemaPath) == ["#/$defs/a/minimum"])
    }

    @Test func numbersAreComparedExactly() throws {
        func isValid(_ schema: String, _ text: String) throws -> Bool { try JSONSchema(json: schema).isValid(text) }
        #expect(try !isValid(#"{"maximum": 0.1}"#, "0.10000000000000000000001"))
        #expect(try isValid(#"{"maximum": 0.1}"#, "0.1000"))
        #expect(try !isValid(#"{"type": "integer"}"#, "1.00000000000000000001"))
        #expect(try isValid(#"{"type": "integer"}"#, "1.50e1"))
        #expect(try isValid(#"{"type": "integer"}"#, "-0.0"))
        #expect(try isValid(#"{"const": 1}"#, "10.0e-1"))
        #expect(try !isValid(#"{"const": 9007199254740993}"#, "9007199254740992"))
        #expect(try isValid(#"{"multipleOf": 0.01}"#, "123456789012345678901234567890.12"))
        #expect(try !isValid(#"{"multipleOf": 0.01}"#, "123456789012345678901234567890.123"))
        #expect(try isValid(#"{"multipleOf": 7}"#, "7e300"))
        #expect(try !isValid(#"{"multipleOf": 7}"#, "1e300"))
        #expect(try isValid(#"{"minimum": 9223372036854775807}"#, "9223372036854775808"))
        #expect(try !isValid(#"{"exclusiveMinimum": 9223372036854775807}"#, "9223372036854775807"))
        #expect(try isValid(#"{"minimum": -1e400}"#, "-9e399"))
        #expect(try isValid(#"{"maxLength": 2.0}"#, #""ab""#))
    }

    // MARK: Outputs

    private static let tree = #"""
        {"$id": "http://x.org/s", "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"anyOf": [{"type": "null"}, {"minimum": 5}]}},
         "$defs": {"n": {"type": "number"}}}
        """#

    @Test func flagSaysOnlyWhetherAValueIsValid() throws {
        let schema = try JSONSchema(json: Self.tree)
        #expect(try schema.output(.flag, of: #"{"a": 1}"#) == #"{"valid":true}"#)
        #expect(try schema.output(.flag, of: #"{"a": "x"}"#) == #"{"valid":false}"#)
        #expect(try schema.output(.basic, of: #"{"a": 1}"#) == #"{"valid":true}"#)
    }

    @Test func basicListsAllUnits() throws {
        let output = try JSONValue(json: JSONSchema(json: Self.tree).output(.basic, of: #"{"a": "x", "b": 1}"#))
        guard case .array(let units)? = output["errors"] else { throw JSONError.inputOutput("no errors") }
        #expect(
            units.map { $0["keywordLocation"]?.string } == [
                "/properties/a/$ref/type", "/properties/b/anyOf", "/properties/b/anyOf/0/type", "/properties/b/anyOf/1/minimum",
            ])
        #expect(units[0]["absoluteKeywordLocation"]?.string == "http://x.org/s#/$defs/n/type")
        #expect(units.map { $0["instanceLocation"]?.string } == ["/a", "/b", "/b", "/b"])
        #expect(units[0]["error"]?.string == #"expected a number, found "x""#)
    }

    @Test func detailedHasTheStructureOfTheSchema() throws {
        let output = try JSONValue(json: JSONSchema(json: Self.tree).output(.detailed, of: #"{"a": "x", "b": 1}"#))
        #expect(output["errors"]?[0]?["keywordLocation"]?.string == "/properties/a/$ref/type")
        let union = output["errors"]?[1]
        #expect(union?["keywordLocation"]?.string == "/properties/b/anyOf")
        #expect(union?["errors"]?[0]?["keywordLocation"]?.string == "/properties/b/anyOf/0/type")
        #expect(union?["errors"]?[1]?["keywordLocation"]?.string == "/properties/b/anyOf/1/minimum")
    }

    @Test func textThatIsNotJSONIsAnError() throws {
        let schema = try JSONSchema(json: "true")
        #expect(failure { () throws(JSONError) in try schema.isValid(#"{"a": }"#) }?.offset == 6)
        #expect(failure { () throws(JSONError) in try schema.validate("") }?.kind == .unexpectedEnd)
        #expect(try schema.isValid("\u{FEFF}1"))
    }
}
