// Reading a model with strict options, which also refuse unknown keys, and the model's own schema of these options accept the same documents.
//
// The exceptions, which the documents here do not have:
// - A date may be spelled in more ways than `date-time` says; `format` is meant as an annotation.
// - A `URL` is not empty, and has no white space around it that counts; `uri-reference` sees the text as it stands.
// - A `Data` is Base64, which `contentEncoding` does not check; so are the JSON in a string, and a key that is an integer beyond its type.
// - A `Float` and a `Double` beyond the greatest number by less than half a unit in the last place are rounded to it.
// - A `Decimal` has at most 38 digits; what `@JSONCodable`, hooks and types of one's own refuse is not known.
// - A repeated key is read as the last one; a validator checks each.
// - A set drops equal elements before it is made; a path through an index (`items[0]`) accepts everything.
#if Macros

import Foundation
import Sluice
import SluiceSchema
import Testing

@testable import SluiceTestSupport

@Suite struct SchemaAgreementTests {
    private static let options = JSONReader.Options(conversions: .strict, unknownKeys: .reject)

    @JSONModel
    struct Scalars {
        var flag: Bool
        var byte: UInt8
        var wide: Int?
        var real: Double = 1
        var text: String
        var date: Date?
        var id: UUID?
        var amount: Decimal?
        @JSONDate(.format("yyyy-MM-dd")) var day: Date?
        var any: JSONValue?
        @JSONNull(.error) var strict: Int?
        @JSONNull(.empty) var filled: String
        @JSONMismatch(.default) var tolerant: Int = 4
    }

    @JSONModel
    struct Containers {
        var names: [String]
        var numbers: [Int?]?
        var grid: [[Double]] = []
        var table: [String: [Bool]]?
        var byNumber: [Int: String?]?
        @JSONElements(.skipInvalid) var some: [Int]?
        @JSONElements(.skipNull) var present: [Int]?
    }

    @JSONModel
    struct Tree {
        var label: String?
        var children: [Tree]
        var next: Leaf?
    }

    @JSONModel
    struct Leaf {
        var kind: Kind
        var trees: [Tree]?
    }

    @JSONModel
    enum Kind: String { case oak, birch }

    @JSONModel
    enum Grade: Int { case one = 1, two }

    @JSONModel
    struct Constrained {
        @JSONConstraint(.range(0...130)) var age: Int
        @JSONConstraint(.length(2...4), .pattern("^[a-c]+$")) var code: String?
        @JSONConstraint(.multiple(of: 0.5), .range(..<3)) var half: Double = 0
        @JSONConstraint(.count(1...2), .unique) var few: [Int]?
        @JSONConstraint(.format(.ipv4)) var address: String?
        var grade: Grade?
    }

    @JSONModel
    struct Paths {
        @JSONKey("geo.lat") var latitude: Double
        @JSONKey("geo.lon") var longitude: Double?
        @JSONKey("meta.note") var note: String?
        @JSONKey("id", "ID", "info.id") var number: Int
        @JSONKey("title", "name") var title: String?
        @JSONKey("meta.size", "size") var size: Int = 3
    }

    @JSONModel(layout: .array)
    struct Position {
        var x: Double
        var y: Int?
        var name: String = ""
    }

    @JSONModel
    struct Inlined {
        @JSONInline var scalars: Constrained
        @JSONInline var position: Named?
        var other: Position?
    }

    @JSONModel
    struct Named {
        var name: String
    }

    @JSONModel(tag: .key("type", content: "value"))
    enum Adjacent {
        case leaf(Leaf)
        case number(Int)
        case none
    }

    @JSONModel(tag: .external)
    enum External {
        case leaf(Leaf)
        case list([Int])
        case none
    }

    @JSONModel(tag: .untagged)
    enum Untagged {
        case leaf(Leaf)
        case list([Int])
        case text(String)
    }

    @JSONModel(tag: .key("type"))
    enum Keyed {
        case leaf(Leaf)
        case named(Named)
        case none
    }

    @JSONModel(tag: .key("type"))
    enum Unknown {
        case named(Open)
        case none
        case unknown(RawJSON)
    }

    @JSONModel(unknownKeys: .ignore)
    struct Open {
        var name: String
        var size: Int?
    }

    @JSONModel(tag: .presence)
    enum Present {
        @JSONKey("kind") case leaf(Leaf)
        @JSONKey("name") case named(Named)
    }

    @JSONModel
    struct Tagged {
        var keyed: Keyed?
        var unknown: [Unknown]?
        var present: Present?
    }

    @JSONModel
    struct Variants {
        var adjacent: Adjacent?
        var external: External?
        var untagged: Untagged?
    }

    @JSONModel(unknownKeys: .collect(into: "rest"))
    struct Collecting {
        var id: Int
        var rest: JSONObject
    }

    @JSONModel(unknownKeys: .ignore)
    struct Ignoring {
        @JSONKey("a.b") var value: Int?
        var leaf: Leaf?
    }

    private func expectAgreement<Model: JSONModel>(on type: Model.Type, count: UInt64 = 1000) throws {
        let text = try type.jsonSchema(.reading(Self.options)).text
        let schema = try JSONSchema(json: text, options: .init(assertsFormats: true))
        let root = try #require(try JSONValue(json: text).object)
        var result: [String] = []
        var accepted = 0
        for seed in 0..<count {
            var maker = InstanceMaker(root: root, seed: seed)
            let document = try maker.document().jsonString()
            let error = failure { () throws(JSONError) in try type.init(json: document, options: Self.options) }
            let isValid = try schema.isValid(document)
            accepted += isValid ? 1 : 0
            if isValid != (error == nil) {
                result.append("\(document): \(error?.summary ?? "read"), and the schema says \(isValid)")
            }
        }
        #expect(
            accepted > count / 10 && accepted < count, "the documents of \(type) test little: \(accepted) of \(count) are valid")
        #expect(result.isEmpty, "\(result.count), such as \(result.prefix(3))")
    }

    @Test func theSchemaAcceptsWhatIsRead() throws {
        try expectAgreement(on: Scalars.self)
        try expectAgreement(on: Containers.self)
        try expectAgreement(on: Tree.self)
        try expectAgreement(on: Constrained.self)
        try expectAgreement(on: Paths.self)
        try expectAgreement(on: Position.self)
        try expectAgreement(on: Inlined.self)
        try expectAgreement(on: Variants.self)
        try expectAgreement(on: Tagged.self)
        try expectAgreement(on: Collecting.self)
        try expectAgreement(on: Ignoring.self)
    }

    private func expectWritten<Model: JSONModel>(_ type: Model.Type, options: JSONWriter.Options = .init()) throws {
        let text = try type.jsonSchema(.reading(Self.options)).text
        let root = try #require(try JSONValue(json: text).object)
        let schema = try JSONSchema(json: type.jsonSchema(.writing(options)).text, options: .init(assertsFormats: true))
        var count = 0
        for seed in UInt64(0)..<300 {
            var maker = InstanceMaker(root: root, seed: seed)
            guard let model = try? type.init(json: try maker.document().jsonString(), options: Self.options) else { continue }
            let written = try model.jsonString(options: options)
            count += 1
            let breaches = try schema.validate(written).breaches
            #expect(breaches.isEmpty, "\(written): \(breaches)")
        }
        #expect(count > 30)
    }

    @Test func theSchemaOfWritingAcceptsWhatIsWritten() throws {
        for options in [JSONWriter.Options(), .init(nils: .null), .init(paths: .flat, nonFinite: .null)] {
            try expectWritten(Scalars.self, options: options)
            try expectWritten(Containers.self, options: options)
            try expectWritten(Tree.self, options: options)
            try expectWritten(Constrained.self, options: options)
            try expectWritten(Paths.self, options: options)
            try expectWritten(Position.self, options: options)
            try expectWritten(Inlined.self, options: options)
            try expectWritten(Variants.self, options: options)
            try expectWritten(Tagged.self, options: options)
            try expectWritten(Collecting.self, options: options)
        }
    }
}

/// Makes documents that a schema accepts, and spoils some of them.
private struct InstanceMaker {
    let root: JSONObject
    var random: SplitMix64

    init(root: JSONObject, seed: UInt64) {
        self.root = root
        random = SplitMix64(seed: seed)
    }

    private static let scalars: [JSONValue] = [
        .null, true, false, 0, 1, 2, 7, -1, 1.5, 2.5, 131, 256, 1e3, .number(JSONNumber(Int128.max)), "", "a", "abc", "oak",
        "x y",
        "2014-01-20T12:24:48Z", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "10.0.0.1",
    ]

    mutating func document() -> JSONValue {
        let made = instance(of: .object(root), depth: 0)
        return Bool.random(using: &random) ? made : spoiled(made)
    }

    private mutating func any() -> JSONValue { Self.scalars.randomElement(using: &random) ?? .null }

    /// The value with a part that is another one.
    private mutating func spoiled(_ value: JSONValue) -> JSONValue {
        if Int.random(in: 0..<4, using: &random) == 0 { return any() }
        switch value {
        case .object(var object):
            guard let key = object.members.randomElement(using: &random)?.key, Int.random(in: 0..<8, using: &random) > 0 else {
                object[["zzz", "id", "ID", "name"].randomElement(using: &random) ?? ""] = any()
                return .object(object)
            }
            object[key] = Int.random(in: 0..<5, using: &random) == 0 ? nil : spoiled(object[key] ?? .null)
            return .object(object)
        case .array(var elements):
            guard let index = elements.indices.randomElement(using: &random), Int.random(in: 0..<6, using: &random) > 0 else {
                return .array(elements + [any()])
            }
            elements[index] = spoiled(elements[index])
            return .array(elements)
        default:
            return any()
        }
    }

    private mutating func instance(of schema: JSONValue, depth: Int) -> JSONValue {
        guard let object = schema.object else {
            return depth > 6 || Int.random(in: 0..<3, using: &random) > 0 ? any() : .array([any()])
        }
        if let name = object["$ref"]?.string?.dropFirst("#/$defs/".count), let definition = root["$defs"]?[String(name)] {
            return instance(of: definition, depth: depth + 1)
        }
        if let constant = object["const"] { return constant }
        if let values = object["enum"]?.array { return values.randomElement(using: &random) ?? .null }
        if let choices = object["oneOf"]?.array ?? object["anyOf"]?.array, object["properties"] == nil {
            // The deeper, the sooner it ends.
            let last = depth > 4 ? choices.last : nil
            return (last ?? choices.randomElement(using: &random)).map { instance(of: $0, depth: depth + 1) } ?? .null
        }
        var types = object["type"]?.array?.compactMap(\.string) ?? object["type"]?.string.map { [$0] } ?? []
        if types.isEmpty { types = object["properties"] == nil && object["allOf"] == nil ? [] : ["object"] }
        if depth > 5, types.contains("null") { return .null }
        switch types.randomElement(using: &random) {
        case "null"?: return .null
        case "boolean"?: return .bool(Bool.random(using: &random))
        case "integer"?: return integer(in: object)
        case "number"?: return Bool.random(using: &random) ? integer(in: object) : 0.5
        case "string"?: return string(of: object)
        case "array"?: return .array(elements(of: object, depth: depth))
        case "object"?: return .object(members(of: object, depth: depth))
        default: return any()
        }
    }

    private mutating func integer(in schema: JSONObject) -> JSONValue {
        let least = max(schema["minimum"]?.double ?? -5, -5)
        let most = min(schema["maximum"]?.double ?? 300, 300)
        guard least <= most else { return .number(JSONNumber(Int(least))) }
        return .number(JSONNumber(Int.random(in: Int(least.rounded(.up))...Int(most), using: &random)))
    }

    private mutating func string(of schema: JSONObject) -> JSONValue {
        switch schema["format"]?.string {
        case "date-time"?: "2024-02-29T00:00:00Z"
        case "date"?: "2024-02-29"
        case "uuid"?: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        case "ipv4"?: "127.0.0.1"
        default: ["a", "ab", "abca", "abcab", "", "é"].randomElement(using: &random) ?? "a"
        }
    }

    private mutating func elements(of schema: JSONObject, depth: Int) -> [JSONValue] {
        if let items = schema["prefixItems"]?.array {
            let least = schema["minItems"]?.int ?? 0
            let count = Int.random(in: min(least, items.count)...items.count, using: &random)
            return items.prefix(count).map { instance(of: $0, depth: depth + 1) }
        }
        guard depth < 6 else { return [] }
        let count = Int.random(in: 0..<4, using: &random)
        return (0..<count).map { _ in instance(of: schema["items"] ?? .bool(true), depth: depth + 1) }
    }

    private mutating func members(of schema: JSONObject, depth: Int) -> JSONObject {
        var result = JSONObject()
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        for (key, value) in schema["properties"]?.object?.members ?? [] {
            let isWanted = required.contains(key) || (value != true && Bool.random(using: &random))
            if isWanted { result[key] = instance(of: value, depth: depth + 1) }
        }
        for part in schema["allOf"]?.array ?? [] {
            for (key, value) in instance(of: part, depth: depth + 1).object?.members ?? [] {
                if case .object(let inner) = value, case .object(var known)? = result[key] {
                    for member in inner.members where known[member.key] == nil { known[member.key] = member.value }
                    result[key] = .object(known)
                } else {
                    result[key] = value
                }
            }
        }
        if let values = schema["additionalProperties"], values != false, depth < 6 {
            let keys = schema["propertyNames"]?["pattern"] == nil ? ["k", "l", "zzz"] : ["1", "-20", "0", "07"]
            for key in keys where Bool.random(using: &random) { result[key] = instance(of: values, depth: depth + 1) }
        }
        return result
    }
}

#endif
