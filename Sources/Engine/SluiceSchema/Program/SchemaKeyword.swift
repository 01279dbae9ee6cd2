// The keywords of draft 2020-12 that a value is checked by.

/// A keyword that a check may fail at.
enum SchemaKeyword: String, CaseIterable, Sendable {
    case type, `enum`, const
    case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
    case maxLength, minLength, pattern, format
    case maxItems, minItems, uniqueItems, contains, maxContains, minContains
    case maxProperties, minProperties, required, dependentRequired
    case properties, patternProperties, additionalProperties, propertyNames, unevaluatedProperties
    case prefixItems, items, unevaluatedItems
    case reference = "$ref"
    case dynamicReference = "$dynamicRef"
    case allOf, anyOf, oneOf, not
    case `if`, then, `else`, dependentSchemas
    /// The schema `false`, which has no keyword.
    case never = ""

    /// Whether the keyword applies a subschema to members that no other keyword knows.
    var isAboutOtherKeys: Bool { self == .additionalProperties || self == .unevaluatedProperties }
}
