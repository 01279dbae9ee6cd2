// Turns a shape into a JSON Schema.

#if CommandLine
internal import SluiceCore
internal import SluiceIngest

extension RecordShape {
    /// A JSON Schema (draft 2020-12) that all observed values fit.
    func schemaText(title: String) throws(JSONError) -> String {
        var members: [JSONObject.Member] = [
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", .string(title)),
        ]
        members += schema
        return try JSONValue.object(JSONObject(members)).jsonString(options: .init(isPretty: true)) + "\n"
    }

    private var schema: [JSONObject.Member] {
        var result: [JSONObject.Member] = []
        let types = typeNames
        // Where nothing but null was seen, no type is stated: any value may come later.
        if types.count == 1 { result.append(("type", .string(types[0]))) }
        if types.count > 1 { result.append(("type", .array(types.map { .string($0) }))) }
        if kinds.contains(.array), let element { result.append(("items", .object(JSONObject(element.schema)))) }
        guard kinds.contains(.object), !isSensitive else { return result }
        if isDictionary {
            result.append(("additionalProperties", .object(JSONObject(memberShape.schema))))
            return result
        }
        result.append(("properties", .object(JSONObject(members.map { ($0.key, .object(JSONObject($0.shape.schema))) }))))
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
#endif
