// The JSON Schema of a model: for reading it, for tools, and for what it writes.
#if Macros

import Foundation
import Sluice
import Testing

@Suite struct ModelSchemaTests {
    enum Unit: String, JSONKeyBindable, CaseIterable { case celsius, fahrenheit }

    @JSONModel
    enum Level: Int { case low = 1, high = 5 }

    @JSONModel
    enum Size: String { case small, large }

    /// Asks for the weather.
    ///
    /// This is not a part of the description.
    @JSONModel
    struct Forecast {
        /// The name of a place,
        /// such as "Oslo".
        ///
        /// More about it.
        @JSONConstraint(.length(1...80)) var place: String
        /** In days. */
        @JSONConstraint(.range(1...14)) var days: Int8 = 1
        // Not a comment for users.
        var size: Size?
        var level: Level
    }

    @JSONModel
    struct Everything {
        var flag: Bool
        var byte: UInt8
        var integer: Int
        var real: Double
        var narrow: Float?
        var text: String
        var date: Date
        @JSONDate(.unix) var epoch: Date?
        @JSONDate(.format("yyyy-MM-dd")) var day: Date?
        var link: URL?
        var id: UUID?
        var data: Data?
        var amount: Decimal?
        var tree: JSONValue?
        var names: [String] = []
        var unique: Set<Int>?
        var byName: [String: Int?]?
        var byNumber: [Int: Bool]?
        var byUnit: [Unit: Double]?
        @JSONString var inner: [Int]?
        @JSONCodable var range: ClosedRange<Int>?
        @JSONConstraint(.count(...3), .unique) @JSONConvert(.strict) var few: [Int]?
    }

    @JSONModel
    struct Tree {
        var label: String
        var children: [Tree]
    }

    @JSONModel
    struct Point {
        var x: Double
    }

    @JSONModel
    struct Line {
        var from: Point
        var to: Point?
    }

    @JSONModel
    struct Paths {
        @JSONKey("geo.lat") var latitude: Double
        @JSONKey("geo.lon") var longitude: Double?
        @JSONKey("meta.note") var note: String?
        @JSONKey("id", "ID") var number: Int
    }

    @JSONModel(tag: .key("type"))
    enum Shape {
        case circle(Circle)
        case dot
        case unknown(RawJSON)
    }

    @JSONModel
    struct Circle {
        var radius: Double
    }

    @JSONModel(tag: .key("kind", content: "body"))
    enum Adjacent {
        case circle(Circle)
    }

    @JSONModel(tag: .external)
    enum External {
        case circle(Circle)
        case dot
    }

    @JSONModel(layout: .array)
    struct Pair {
        var first: Int
        var second: String?
    }

    @JSONModel
    struct Outer {
        @JSONInline var point: Point
        var name: String?
    }

    @JSONModel
    enum Open {
        case red, green
        case unknown(String)
    }

    @JSONModel
    struct Palette {
        var color: Open
    }

    private func members(_ schema: RawJSON) throws -> JSONObject {
        let object = try #require(try JSONValue(json: schema.text).object)
        #expect(object["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        return object
    }

    /// The schema of a property, as text.
    private func property<Model: JSONModel>(
        _ name: String, of type: Model.Type, _ purpose: JSONSchemaPurpose
    ) throws -> String? {
        try members(type.jsonSchema(purpose))["properties"]?[name].map { try $0.jsonString() }
    }

    private func text<Value: JSONReadable>(_ type: Value.Type, _ purpose: JSONSchemaPurpose) throws -> String {
        var object = try members(type.jsonSchema(purpose))
        object["$schema"] = nil
        return try JSONValue.object(object).jsonString()
    }

    // MARK: Tools

    @Test func aToolHasAllKeysAndTheCommentsOfTheModel() throws {
        #expect(
            try text(Forecast.self, .tools)
                == #"{"description":"Asks for the weather.","type":"object","properties":{"#
                + #""place":{"description":"The name of a place, such as \"Oslo\".","type":"string","minLength":1,"maxLength":80},"#
                + #""days":{"description":"In days.","type":"integer","minimum":1,"maximum":14},"#
                + #""size":{"type":["string","null"],"enum":["small","large",null]},"level":{"type":"integer","enum":[1,5]}},"#
                + #""required":["place","days","size","level"],"additionalProperties":false}"#)
    }

    @Test(arguments: [
        ("flag", #"{"type":"boolean"}"#), ("byte", #"{"type":"integer","minimum":0,"maximum":255}"#),
        ("integer", #"{"type":"integer"}"#), ("real", #"{"type":"number"}"#), ("narrow", #"{"type":["number","null"]}"#),
        ("text", #"{"type":"string"}"#), ("date", #"{"type":"string","format":"date-time"}"#),
        ("epoch", #"{"description":"Unix time in seconds","type":["number","null"]}"#),
        ("day", #"{"type":["string","null"],"format":"date"}"#), ("id", #"{"type":["string","null"],"format":"uuid"}"#),
        ("data", #"{"type":["string","null"],"contentEncoding":"base64"}"#), ("amount", #"{"type":["number","null"]}"#),
        ("tree", "true"), ("range", "true"), ("names", #"{"type":"array","items":{"type":"string"}}"#),
        ("unique", #"{"type":["array","null"],"items":{"type":"integer"}}"#),
        ("byName", #"{"type":["object","null"],"additionalProperties":{"type":["integer","null"]}}"#),
        (
            "byNumber",
            #"{"type":["object","null"],"propertyNames":{"pattern":"^(0|-?[1-9][0-9]*)$"},"additionalProperties":{"type":"boolean"}}"#
        ),
        (
            "byUnit",
            #"{"type":["object","null"],"propertyNames":{"enum":["celsius","fahrenheit"]},"additionalProperties":{"type":"number"}}"#
        ),
        (
            "inner",
            #"{"type":["string","null"],"contentMediaType":"application/json","contentSchema":{"type":"array","items":{"type":"integer"}}}"#
        ),
        ("few", #"{"type":["array","null"],"items":{"type":"integer"},"maxItems":3,"uniqueItems":true}"#),
    ])
    func eachTypeHasItsKeywords(name: String, schema: String) throws {
        #expect(try property(name, of: Everything.self, .tools) == schema)
    }

    // MARK: Reading

    @Test func requiredIsWhatHasNoDefaultAndIsNoOptional() throws {
        let schema = try members(Forecast.jsonSchema(.reading(.strict)))
        #expect(schema["required"] == ["place", "level"])
        #expect(schema["additionalProperties"] == nil)
        let closed = try members(Forecast.jsonSchema(.reading(.init(conversions: .strict, unknownKeys: .reject))))
        #expect(closed["additionalProperties"] == false)
        // Null leaves the initial value.
        #expect(try property("days", of: Forecast.self, .reading(.strict))?.contains(#""type":["integer","null"]"#) == true)
        #expect(
            try property("days", of: Forecast.self, .reading(.init(conversions: .strict, nulls: .error)))?
                .contains(#""type":"integer""#) == true)
    }

    @Test func conversionsWidenTheTypes() throws {
        #expect(
            try property("byte", of: Everything.self, .reading())
                == #"{"type":["integer","string","boolean"],"minimum":0,"maximum":255}"#)
        #expect(try property("few", of: Everything.self, .reading())?.contains(#""items":{"type":"integer""#) == true)
        #expect(try property("names", of: Everything.self, .reading(.yyModel)) == "true")
        #expect(try property("names", of: Everything.self, .reading(.tolerant)) == #"{"type":["array","null"]}"#)
    }

    @Test func integersHaveTheLimitsOfTheirWidth() throws {
        #expect(
            try property("integer", of: Everything.self, .reading(.strict))
                == #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#)
    }

    @Test func aPathIsANestedObjectAndAlternativesAreChoices() throws {
        #expect(
            try text(Paths.self, .reading(.strict))
                == #"{"type":"object","properties":{"geo":{"type":"object","properties":{"lat":{"type":"number","#
                + #""minimum":-1.7976931348623157e+308,"maximum":1.7976931348623157e+308},"lon":{"type":["number","null"],"#
                + #""minimum":-1.7976931348623157e+308,"maximum":1.7976931348623157e+308}},"required":["lat"]},"#
                + #""meta":{"properties":{"note":{"type":["string","null"]}}},"id":true,"ID":true},"required":["geo"],"allOf":["#
                + #"{"anyOf":[{"type":"object","properties":{"id":{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}},"#
                + #""required":["id"]},{"type":"object","properties":{"id":{"type":"null"},"ID":{"type":"integer","minimum":-9223372036854775808,"#
                + #""maximum":9223372036854775807}},"required":["ID"]}]}]}"#)
    }

    @Test func aTagIsAConst() throws {
        let circle =
            #"{"type":"object","properties":{"radius":{"type":"number"},"type":{"const":"circle"}},"required":["radius","type"],"additionalProperties":false}"#
        let dot = #"{"type":"object","properties":{"type":{"const":"dot"}},"required":["type"],"additionalProperties":false}"#
        #expect(try text(Shape.self, .tools) == #"{"oneOf":["# + circle + "," + dot + "]}")
        #expect(
            try text(Adjacent.self, .tools)
                == #"{"oneOf":[{"type":"object","properties":{"kind":{"const":"circle"},"body":{"type":"object","properties":"#
                + #"{"radius":{"type":"number"}},"required":["radius"],"additionalProperties":false}},"#
                + #""required":["kind","body"],"additionalProperties":false}]}"#)
        #expect(
            try text(External.self, .tools)
                == #"{"oneOf":[{"enum":["dot"]},{"type":"object","properties":{"circle":{"type":"object","properties":"#
                + #"{"radius":{"type":"number"}},"required":["radius"],"additionalProperties":false}},"#
                + #""required":["circle"],"additionalProperties":false}]}"#)
    }

    @Test func aModelThatRecursIsDefinedOnce() throws {
        #expect(
            try text(Tree.self, .tools)
                == ##"{"$ref":"#/$defs/Tree","$defs":{"Tree":{"type":"object","properties":{"label":{"type":"string"},"##
                + ##""children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}},"required":["label","children"],"##
                + ##""additionalProperties":false}}}"##)
        #expect(
            try text(Line.self, .tools)
                == ##"{"type":"object","properties":{"from":{"$ref":"#/$defs/Point"},"##
                + ##""to":{"anyOf":[{"$ref":"#/$defs/Point"},{"type":"null"}]}},"required":["from","to"],"additionalProperties":false,"##
                + ##""$defs":{"Point":{"type":"object","properties":{"x":{"type":"number"}},"required":["x"],"additionalProperties":false}}}"##
        )
    }

    @Test func otherFormsOfModels() throws {
        #expect(
            try text(Pair.self, .tools)
                == #"{"type":"array","prefixItems":[{"type":"integer"},{"type":["string","null"]}],"items":false,"minItems":2}"#)
        #expect(try members(Pair.jsonSchema(.reading(.strict)))["minItems"] == 1)
        #expect(
            try text(Outer.self, .tools)
                == #"{"type":"object","properties":{"x":{"type":"number"},"name":{"type":["string","null"]}},"#
                + #""required":["x","name"],"additionalProperties":false}"#)
        #expect(try property("color", of: Palette.self, .tools) == #"{"type":"string","enum":["red","green"]}"#)
        #expect(try property("color", of: Palette.self, .reading(.strict)) == #"{"type":"string","examples":["red","green"]}"#)
        #expect(try text([Circle].self, .tools).hasPrefix(#"{"type":"array","items":{"type":"object""#))
    }

    // MARK: Writing

    @Test func aNilIsLeftOutOrWritten() throws {
        let omitted = try members(Forecast.jsonSchema(.writing()))
        #expect(omitted["required"] == ["place", "days", "level"])
        #expect(try property("size", of: Forecast.self, .writing()) == #"{"type":"string","enum":["small","large"]}"#)
        let written = try members(Forecast.jsonSchema(.writing(.init(nils: .null))))
        #expect(written["required"] == ["place", "days", "size", "level"])
        #expect(
            try property("size", of: Forecast.self, .writing(.init(nils: .null)))
                == #"{"type":["string","null"],"enum":["small","large",null]}"#)
        #expect(
            try property("unique", of: Everything.self, .writing())?.contains(#""uniqueItems":true"#) == true)
        #expect(
            try property("date", of: Everything.self, .writing(.init(dates: .milliseconds)))
                == #"{"description":"Unix time in milliseconds","type":"number"}"#)
        #expect(try members(Paths.jsonSchema(.writing(.init(paths: .flat))))["properties"]?["geo.lat"] != nil)
    }

    @Test func theTextIsTheSameEachTime() throws {
        #expect(try Everything.jsonSchema(.tools) == Everything.jsonSchema(.tools))
    }

    @JSONModel
    struct Bad {
        @JSONDate(.format("qqq")) var date: Date
    }

    @Test func aModelThatCannotBeUsedHasNoSchema() {
        do {
            _ = try [Bad].jsonSchema(.tools)
            Issue.record("a schema of an unusable model")
        } catch {
            #expect(error.kind == .invalidModel)
        }
    }
}

#endif
