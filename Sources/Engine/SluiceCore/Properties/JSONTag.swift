// How the variants of a type are told apart. The table of a model knows it, because the tag is one of the object's keys.

/// The means by which the variants of a type are distinguished.
public struct JSONTag: Sendable {
    enum Form: Sendable {
        case key(String)
        case adjacent(key: String, content: JSONKeyPath)
        case external
        case presence
        case untagged
        case function(@Sendable (JSONObjectPeek) -> String?)
    }

    let form: Form

    /// The value of a key beside the variant's own keys: `{"type": "circle", "radius": 1}`.
    public static func key(_ key: String) -> JSONTag { JSONTag(form: .key(key)) }
    /// The value of a key; the variant itself is the value of another key: `{"type": "circle", "value": {"radius": 1}}`. The other key may be
    /// a path: `content: "data.object"` for `{"type": "circle", "data": {"object": {"radius": 1}}}`.
    public static func key(_ key: String, content: JSONKeyPath) -> JSONTag {
        JSONTag(form: .adjacent(key: key, content: content))
    }
    /// The only key of an object around the variant: `{"circle": {"radius": 1}}`; a variant without a value may be a string.
    public static let external = JSONTag(form: .external)
    /// The presence of a key that only the variant has; the variants are tried in order.
    public static let presence = JSONTag(form: .presence)
    /// No tag: the first variant, in order, that the value can be read as.
    public static let untagged = JSONTag(form: .untagged)
    /// The name that a function returns after a look into the object; nil selects the fallback.
    public static func function(_ choose: @escaping @Sendable (JSONObjectPeek) -> String?) -> JSONTag {
        JSONTag(form: .function(choose))
    }
}

/// A look into an object that has not been read yet, lent to the function of ``JSONTag/function(_:)``.
@safe
public struct JSONObjectPeek {
    let captured: _CapturedValue
    let failure = Failure()

    init(_ captured: _CapturedValue) { self.captured = captured }

    /// Why the object has no value that can be looked at: a key is repeated, and the reader's options forbid that.
    final class Failure {
        var error: JSONError?
    }
}

/// The tag of one variant.
struct ModelVariant: Sendable {
    let form: JSONTag.Form
    let name: String
}

/// The types of a type's variants, for the compiler of tables.
public struct _VariantTypes {
    let form: JSONTag.Form
    /// The names of all variants.
    let names: [String]
    /// The types of all variants; nil if the type is a subclass of the base, and so a variant itself.
    let payloads: [any JSONReadable.Type]?
    /// The variants that have a name and a value.
    let named: [(name: String, payload: any JSONReadable.Type)]
    /// Whether each variant has a value.
    let hasValue: [Bool]
    /// The index of the variant for values of no other one.
    let fallbackIndex: Int?
    /// Whether values of no variant are kept as raw JSON.
    let hasUnknown: Bool

    /// Whether there is no tag, so that the variants are tried one after the other.
    var isUntagged: Bool { if case .untagged = form { true } else { false } }

    /// The tag's form and the variant's name of a model; nil if the model is not a variant, or only the fallback.
    func variant(of type: any JSONReadable.Type) -> ModelVariant? {
        named.first { $0.payload == type }.map { ModelVariant(form: form, name: $0.name) }
    }
}
