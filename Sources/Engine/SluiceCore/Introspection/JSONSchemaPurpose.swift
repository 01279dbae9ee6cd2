// A model's JSON Schema, for those who send it JSON, for language models that call tools, and for those who receive its JSON.

/// What a model's JSON Schema is for.
public enum JSONSchemaPurpose: Sendable {
    /// It accepts what reading with these options accepts, as far as a schema can say it.
    ///
    /// Where reading converts values, the schema accepts more: every string that may be a number, for example. It knows nothing of
    /// hooks, of limits of size, and of what `@JSONCodable` and types of your own read.
    case reading(JSONReader.Options = .init())
    /// It accepts objects with each key of the model and no other, as interfaces of language models want it for the input of tools: all keys
    /// are required, and null stands for a value that is not there.
    case tools
    /// It accepts what `jsonString()` writes with these options, if the values meet their ``JSONConstraint``.
    case writing(JSONWriter.Options = .init())
}

extension JSONReadable {
    /// The type's JSON Schema (draft 2020-12), on one line. The text is the same in each process.
    ///
    /// ```swift
    /// @JSONModel
    /// struct Search {
    ///     /// What to look for.
    ///     @JSONConstraint(.length(1...200)) var query: String
    ///     var limit: Int8?
    /// }
    ///
    /// try Search.jsonSchema(.tools).text
    /// // {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
    /// // "query":{"description":"What to look for.","type":"string","minLength":1,"maxLength":200},
    /// // "limit":{"type":["integer","null"],"minimum":-128,"maximum":127}},
    /// // "required":["query","limit"],"additionalProperties":false}
    /// ```
    ///
    /// A property that is read from a path is in nested objects; one with several keys may have any of them (`anyOf`). The cases of an enum
    /// are an `enum`, and those with values a `oneOf`, with the tag as a `const`. A model that occurs several times is in `$defs`. A
    /// ``JSONConstraint`` becomes the keywords that its table lists. The macro takes the first paragraph of the comment of a property, and of
    /// the model, as a `description`. `format` is meant as an annotation: reading accepts more forms of a date than `date-time` names.
    ///
    /// - Throws: ``JSONError`` of kind `invalidModel` if the model, or one inside it, cannot be used.
    public static func jsonSchema(_ purpose: JSONSchemaPurpose) throws(JSONError) -> RawJSON {
        let binding = BindingRegistry.shared.binding(for: Self.self)
        let schema = try ModelSchemaCompiler.schema(of: binding, for: purpose)
        return try RawJSON(json: try JSONValue.object(schema).jsonString())
    }
}
