// Lets Swift's own coders read and write a model, through a tree of its JSON form.

/// A model that is also `Codable`: it is coded in its JSON form.
///
/// ```swift
/// extension Book: JSONCodableModel {}
///
/// let data = try PropertyListEncoder().encode(book)
/// let again = try JSONDecoder().decode(Book.self, from: data)
/// ```
///
/// It is for frameworks that support only `Codable`. The whole model is converted to a ``JSONValue`` and to text, so this is many
/// times slower than `Book(json:)` and `jsonBytes()`. Most coders treat numbers beyond 64 bits as doubles, which lose digits.
///
/// Keys, paths and policies are those of the model's JSON. An error is either the coder's own, or a ``JSONError`` whose position is in the
/// intermediate text, not in the coder's input.
public protocol JSONCodableModel: JSONModel, Codable {}

extension JSONCodableModel {
    /// Reads the model from a decoder's value, taken as JSON.
    public init(from decoder: any Decoder) throws {
        self = try Self(json: try JSONValue(from: decoder).jsonBytes())
    }

    /// Encodes the model's JSON form.
    public func encode(to encoder: any Encoder) throws {
        if let key = CodingUserInfoKey.isDescribing, encoder.userInfo[key] as? Bool == true, SensitiveTypes.hold(Self.self) {
            var container = encoder.singleValueContainer()
            return try container.encode(jsonSummary)
        }
        try JSONValue(json: try jsonBytes()).encode(to: encoder)
    }
}

extension CodingUserInfoKey {
    /// Whether a coder writes a description, which must not show sensitive values.
    package static let isDescribing = CodingUserInfoKey(rawValue: "sluice.describes")
}
