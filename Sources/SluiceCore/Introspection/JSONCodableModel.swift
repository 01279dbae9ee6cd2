// Lets Swift's own coders read and write a model, by its JSON form as a tree.

/// A model that is also `Codable`, in its JSON form.
///
/// ```swift
/// extension Book: JSONCodableModel {}
///
/// let data = try PropertyListEncoder().encode(book)
/// let again = try JSONDecoder().decode(Book.self, from: data)
/// ```
///
/// It is for frameworks that know only `Codable`. The whole model goes through a ``JSONValue`` and text on its way, so it is many
/// times slower than `Book(json:)` and `jsonBytes()`. Most coders treat numbers beyond 64 bits as doubles, which lose digits.
///
/// Keys, paths and policies are those of the model's JSON. An error is the coder's, or a ``JSONError`` whose position counts in the
/// intermediate text, not in the coder's input.
public protocol JSONCodableModel: JSONModel, Codable {}

extension JSONCodableModel {
    /// Reads the model from a decoder's value, taken as JSON.
    public init(from decoder: any Decoder) throws {
        self = try Self(json: try JSONValue(from: decoder).jsonBytes())
    }

    /// Encodes the model's JSON form.
    public func encode(to encoder: any Encoder) throws {
        try JSONValue(json: try jsonBytes()).encode(to: encoder)
    }
}
