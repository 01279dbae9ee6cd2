// The words of a breach: what the keyword expects, and what was found.

internal import SluiceCore

/// The words of one note.
struct BreachWords {
    let program: SchemaProgram
    let walk: SchemaWalk
    let tape: JSONTape
    let note: SchemaNote
    /// The note of the keyword that has applied the subschema; nil for the root.
    let outer: SchemaNote?

    private var node: SchemaNode { program.nodes[note.node] }
    private var index: Int { Int(note.index) }
    private var contents: SchemaProgram.Contents { program.contents }

    /// What was expected.
    var expected: String {
        switch note.keyword {
        case .type: typeWords
        case .enum, .const: valueWords
        case .multipleOf: "a multiple of \(limit(\.multipleOf))"
        case .maximum: "at most \(limit(\.maximum))"
        case .exclusiveMaximum: "less than \(limit(\.exclusiveMaximum))"
        case .minimum: "at least \(limit(\.minimum))"
        case .exclusiveMinimum: "more than \(limit(\.exclusiveMinimum))"
        case .maxLength: "at most \(SchemaWords.count(node.maxLength, "character"))"
        case .minLength: "at least \(SchemaWords.count(node.minLength, "character"))"
        case .pattern: "text that matches '\(SchemaWords.short(contents.patterns[Int(node.pattern)].source))'"
        case .format: "text of the format '\(contents.formats[Int(node.format)].rawValue)'"
        case .maxItems: "at most \(SchemaWords.count(node.maxItems, "element"))"
        case .minItems: "at least \(SchemaWords.count(node.minItems, "element"))"
        case .uniqueItems: "elements that differ"
        case .contains: "an element that 'contains' accepts"
        case .maxContains: "at most \(SchemaWords.count(node.maxContains, "element")) that 'contains' accepts"
        case .minContains: "at least \(SchemaWords.count(node.minContains, "element")) that 'contains' accepts"
        case .maxProperties: "at most \(SchemaWords.count(node.maxProperties, "member"))"
        case .minProperties: "at least \(SchemaWords.count(node.minProperties, "member"))"
        case .required: keyWords
        case .dependentRequired: "\(keyWords) beside '\(SchemaWords.short(node.keys.text(Int(note.number))))'"
        case .anyOf: "a value that a schema of 'anyOf' accepts"
        case .oneOf: "a value that one schema of 'oneOf' accepts"
        case .allOf: "a value that the schema accepts"
        case .not: "a value that the schema of 'not' refuses"
        default: neverWords
        }
    }

    /// What was found.
    var found: String {
        switch note.keyword {
        case .required, .dependentRequired: "an object without \(note.missing.count == 1 ? "it" : "them")"
        case .maxItems, .minItems: SchemaWords.count(tape[index].count, "element")
        case .maxProperties, .minProperties: SchemaWords.count(tape[index].count, "member")
        case .maxLength, .minLength: SchemaWords.count(walk.length(of: index), "character")
        case .uniqueItems: "two equal ones"
        case .contains, .maxContains, .minContains: note.number == 0 ? "none" : "\(note.number)"
        case .oneOf where note.number > 0: "one that \(note.number) of them accept"
        case .never where isKey: "key '\(SchemaWords.short(key))'"
        default: valueText
        }
    }

    /// What may help: the key that was probably meant.
    var hint: String? {
        guard note.keyword == .never, isKey, let outer else { return nil }
        let keys = program.nodes[outer.node].keys
        let names = (0..<min(keys.count, 1000)).filter { keys[$0].isProperty }.map { keys.text($0) }
        return KeyLikeness.closest(to: key, among: names).map { "did you mean '\(SchemaWords.short($0))'?" }
    }

    private var isKey: Bool { outer?.keyword.isAboutOtherKeys == true }
    private var key: String { tape.string(at: index - 1) ?? "" }

    private var typeWords: String {
        var names: [String] = []
        if node.types.contains(.number) {
            names.append("a number")
        } else if node.types.contains(.integer) {
            names.append("an integer")
        }
        let words: [(SchemaTypes, String)] = [
            (.string, "a string"), (.boolean, "a boolean"), (.array, "an array"), (.object, "an object"), (.null, "null"),
        ]
        for (type, word) in words where node.types.contains(type) { names.append(word) }
        return ErrorWords.list(names)
    }

    private var valueWords: String {
        contents.values[Int(node.values)..<Int(node.values + node.valueCount)].first {
            $0.isConstant == (note.keyword == .const)
        }?.words
            ?? "another value"
    }

    private func limit(_ limit: KeyPath<SchemaNumbers, SchemaNumber?>) -> String {
        SchemaWords.short(contents.numbers[Int(node.numbers)][keyPath: limit]?.words ?? "")
    }

    private var keyWords: String {
        let names = note.missing.prefix(10).map { "'\(SchemaWords.short(node.keys.text(Int($0))))'" }
        return (note.missing.count == 1 ? "key " : "keys ") + names.joined(separator: ", ")
            + (note.missing.count > 10 ? ", …" : "")
    }

    private var neverWords: String {
        switch outer?.keyword {
        case .additionalProperties, .unevaluatedProperties: "no other keys"
        case .items, .unevaluatedItems: "no more elements"
        case .propertyNames: "no keys"
        default: "no value"
        }
    }

    private var valueText: String {
        switch tape[index].kind {
        case .object: "an object"
        case .array: "an array"
        case .string: unsafe "\"\(SchemaWords.short(String(decoding: tape.text(at: index).prefix(400), as: UTF8.self)))\""
        default: unsafe SchemaWords.short(String(decoding: tape.text(at: index).prefix(400), as: UTF8.self))
        }
    }
}
