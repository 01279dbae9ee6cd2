// The path to the records inside a feed's documents: text goes in, and one component to match at each level comes out.

public import SluiceCore

/// The path from the top level of a document to its records.
///
/// | path | leads to |
/// |---|---|
/// | `"statuses"` | the array under the key `statuses` |
/// | `"data.items"`, `"$.data.items"` | the array `items` in the object `data` |
/// | `"*.jobs"` | the array `jobs` in each element, or each member, of the document |
/// | `"pages[0].items"` | the array in the first element; `[*]` is each element |
/// | `#"data."my.items""#` | the array under `my.items` in the object `data` |
/// | `"/data/my.items"` | the same, by JSON Pointer (RFC 6901); `*` is a plain key here |
/// | `""`, `"$"` | the document |
///
/// If the path leads to an array, its elements are the records. Any other value is itself a record, but for null: that counts as absent, and
/// a document in which the path leads nowhere is rejected. Below a last `*` or `[*]`, null is a record, too, because it has a key or a place of its own.
///
/// ```swift
/// let feed = try JSONFeed<Item>(path: "page.json", options: .init(at: "data.items"))
/// ```
public struct JSONRecordPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The path as it was written.
    public let description: String
    let components: [PathStep]

    /// Whether the path leads to the document itself.
    package var isEmpty: Bool { components.isEmpty }
    /// Whether it has a `*`, which each key or element matches.
    package var hasWildcard: Bool { components.contains(.any) }

    /// Reads a path.
    ///
    /// - Throws: `JSONError` of kind `invalidValue` with the column at which the text is not a path.
    public init(_ path: String) throws(JSONError) {
        description = path
        if path.isEmpty {
            components = []
            return
        }
        do throws(PathFault) {
            components = try PathSyntax.steps(of: path)
        } catch {
            throw JSONError(error, in: path)
        }
    }

    /// Makes a path from a literal. Text that is not a valid path is taken as a single key.
    public init(stringLiteral path: String) {
        self = (try? JSONRecordPath(path)) ?? JSONRecordPath(key: path)
    }

    private init(key: String) {
        description = key
        components = [.key(key)]
    }

    /// The text of a path that leads through these keys.
    static func joined(_ keys: [String]) -> String { PathSyntax.text(ofKeys: keys) }
}

extension PathStep {
    /// Whether the step leads to the element of an array with this number.
    func matches(index: Int) -> Bool {
        switch self {
        case .any: true
        case .index(let number): number == index
        case .key(let key): key == String(index)
        }
    }
}
