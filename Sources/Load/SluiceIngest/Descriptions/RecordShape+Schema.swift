// Turns a shape into a JSON Schema.

package import SluiceCore

extension RecordShape {
    /// A JSON Schema (draft 2020-12) that all observed values fit.
    package func schemaText(title: String) throws(JSONError) -> String {
        var members: [JSONObject.Member] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)),
        ]
        members += schema(under: title)
        return try JSONValue.object(JSONObject(members)).jsonString(options: .init(isPretty: true)) + "\n"
    }

    private func schema(under key: String) -> [JSONObject.Member] {
        var result: [JSONObject.Member] = []
        let types = typeNames
        // Where nothing but null was seen, no type is stated: any value may come later.
        if types.count == 1 { result.append(("type", .string(types[0]))) }
        if types.count > 1 { result.append(("type", .array(types.map { .string($0) }))) }
        result += meaning(under: key)?.schemaMembers(hasNull: hasNull) ?? []
        if kinds.contains(.array), let element { result.append(("items", .object(JSONObject(element.schema(under: key))))) }
        guard kinds.contains(.object), !isSensitive else { return result }
        if isDictionary {
            result.append(("additionalProperties", .object(JSONObject(memberShape.schema(under: key)))))
            return result
        }
        result.append(
            ("properties", .object(JSONObject(members.map { ($0.key, .object(JSONObject($0.shape.schema(under: $0.key)))) }))))
        let required = members.filter { isAlwaysThere($0.shape) }
        if !required.isEmpty { result.append(("required", .array(required.map { .string($0.key) }))) }
        return result
    }

    private var typeNames: [String] {
        var names: [String] = []
        if kinds.contains(.object) { names.append("object") }
        if kinds.contains(.array) { names.append("array") }
        if kinds.contains(.string) { names.append("string") }
        if kinds.contains(.real) {
            names.append("number")
        } else if !kinds.isDisjoint(with: [.integer, .wide]) {
            names.append("integer")
        }
        if kinds.contains(.bool) { names.append("boolean") }
        if hasNull { names.append("null") }
        return names
    }
}

extension ValueForms.Meaning {
    /// What the values stand for, as far as a schema can say it.
    package func schemaMembers(hasNull: Bool) -> [JSONObject.Member] {
        switch self {
        case .date: [("format", "date")]
        // JSON Schema's date-time is that of RFC 3339.
        case .timestamp(isStrict: true): [("format", "date-time")]
        case .url: [("format", "uri")]
        case .epoch(let format): [("description", .string("Unix time in \(format.epoch?.unit ?? "")"))]
        case .words(let words): [("enum", .array(words.map { .string($0) } + (hasNull ? [.null] : [])))]
        case .timestamp, .localTimestamp: []
        }
    }
}
