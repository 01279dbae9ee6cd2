// A model by way of Swift's own coders: its JSON form, handed over as a tree.

/// A model that is also `Codable`, in its JSON form.
///
/// ```swift
/// extension Book: JSONCodableModel {}
///
/// let data = try PropertyListEncoder().encode(book)
/// let again = try JSONDecoder().decode(Book.self, from: data)
/// ```
///
/// It is for frameworks that know nothing else. The whole model goes through a ``JSONValue`` and text on its way, so it is many
/// times slower than `Book(json:)` and `jsonBytes()`. Numbers beyond 64 bits are doubles to most coders, and lose digits.
///
/// Keys, paths and policies are those of the model's JSON. Errors are those of the coder, or a ``JSONError`` without a position.
public protocol JSONCodableModel: JSONModel, Codable {}

extension JSONCodableModel {
    /// Reads the model of what a decoder has.
    public init(from decoder: any Decoder) throws {
        self = try Self(json: try JSONValue(from: decoder).jsonBytes())
    }

    /// Gives the model's JSON form to an encoder.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(json: try jsonBytes()).encode(to: encoder)
    }
}
