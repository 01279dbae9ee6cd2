// The path to the records inside a feed's documents: text goes in, and one component to match at each level comes out.

public import SluiceCore

/// The path from the top level of a document to its records.
///
/// | path | leads to |
/// |---|---|
/// | `"statuses"` | the array under the key `statuses` |
/// | `"data.items"` | the array `items` in the object `data` |
/// | `"*.jobs"` | the array `jobs` in each element, or each member, of the document |
/// | `"pages[0].items"` | the array in the first element; `[*]` is each element |
/// | `"/data/my.items"` | the array under `my.items` in the object `data`, by JSON Pointer (RFC 6901); `*` is a plain key here |
/// | `""` | the document |
///
/// If the path leads to an array, its elements are the records. Null means no records; any other value is itself a record.
///
/// ```swift
/// let feed = try JSONFeed<Item>(path: "page.json", options: .init(at: "data.items"))
/// ```
public struct JSONRecordPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// What the path requires of the key or element number at one level.
    enum Component: Sendable, Hashable, CustomStringConvertible {
        /// A key; in an array, the element with this number.
        case name(String)
        /// A number in brackets: the element with this number, counted from 0; in an object, the member with this key.
        case index(Int)
        case any

        var description: String {
            switch self {
            case .name(let name): name
            case .index(let number): "[\(number)]"
            case .any: "*"
            }
        }

        func matches(index: Int) -> Bool {
            switch self {
            case .any: true
            case .index(let number): number == index
            case .name(let name): name == String(index)
            }
        }
    }

    /// The path as it was written.
    public let description: String
    let components: [Component]

    /// Whether the path leads to the document itself.
    public var isEmpty: Bool { components.isEmpty }

    /// Reads a path.
    ///
    /// - Throws: `JSONError` of kind `invalidValue` if two dots have nothing between them, or a bracket holds no number and no `*`.
    public init(_ path: String) throws(JSONError) {
        description = path
        components = try path.hasPrefix("/") ? Self.pointer(path) : Self.dotted(path)
    }

    /// Makes a path from a literal. Text that is not a valid path is taken as a single key.
    public init(stringLiteral path: String) {
        self = (try? JSONRecordPath(path)) ?? JSONRecordPath(key: path)
    }

    private init(key: String) {
        description = key
        components = [.name(key)]
    }

    /// The text of a path that leads through these keys.
    static func joined(_ keys: [String]) -> String {
        guard !keys.contains(where: { $0.isEmpty || $0.contains(".") || $0.contains("[") && !$0.hasPrefix("[") }) else {
            return keys.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
        }
        return keys.reduce("") { $0.isEmpty || $1.hasPrefix("[") ? $0 + $1 : $0 + "." + $1 }
    }

    private static func pointer(_ path: String) -> [Component] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            .name(String(part).replacing("~1", with: "/").replacing("~0", with: "~"))
        }
    }

    private static func dotted(_ path: String) throws(JSONError) -> [Component] {
        guard !path.isEmpty else { return [] }
        var components: [Component] = []
        for (number, part) in path.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
            var rest = part
            let name = String(rest.prefix { $0 != "[" })
            rest = rest.dropFirst(name.count)
            // Only the first part may be brackets alone: "[0].items".
            if !name.isEmpty {
                components.append(name == "*" ? .any : .name(name))
            } else if rest.isEmpty || number > 0 {
                throw invalid(path, "a key between its dots")
            }
            while !rest.isEmpty {
                guard let end = rest.firstIndex(of: "]"), rest.first == "[" else { throw invalid(path, "']' behind '['") }
                let inside = rest[rest.index(after: rest.startIndex)..<end]
                if inside == "*" {
                    components.append(.any)
                } else if let index = Int(inside), index >= 0 {
                    components.append(.index(index))
                } else {
                    throw invalid(path, "a number or '*' in brackets")
                }
                rest = rest[rest.index(after: end)...]
            }
        }
        return components
    }

    private static func invalid(_ path: String, _ expected: String) -> JSONError {
        JSONError(
            .invalidValue, expected: "a path with \(expected)", found: "'\(path)'",
            hint: "a key with dots or brackets is written as a JSON Pointer: '/a.b/c'")
    }
}
