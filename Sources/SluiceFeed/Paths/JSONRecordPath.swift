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

        /// What a JSON Pointer has in the component's place.
        var key: String {
            if case .index(let number) = self { String(number) } else { description }
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
        // Not by characters: a mark at the beginning of a key would be one with the dot or slash before it.
        components = try path.unicodeScalars.first == "/" ? Self.pointer(path) : Self.dotted(path)
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
    static func joined(_ keys: [String]) -> String { dotted(keys.map { .name($0) }) ?? pointer(keys) }

    /// The text of a path with these components; nil if neither form can say it: a JSON Pointer has no `*`.
    static func joined(_ components: [Component]) -> String? {
        if let text = dotted(components) { return text }
        return components.contains(.any) ? nil : pointer(components.map(\.key))
    }

    // MARK: JSON Pointers

    private static func pointer(_ keys: [String]) -> String {
        keys.map { key in
            let key = key.unicodeScalars.replacing("~".unicodeScalars, with: "~0".unicodeScalars)
            return "/" + String(key.replacing("/".unicodeScalars, with: "~1".unicodeScalars))
        }.joined()
    }

    private static func pointer(_ path: String) -> [Component] {
        path.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
            let part = String.UnicodeScalarView(part).replacing("~1".unicodeScalars, with: "/".unicodeScalars)
            return .name(String(part.replacing("~0".unicodeScalars, with: "~".unicodeScalars)))
        }
    }

    // MARK: Dots and brackets

    /// The text in the dotted form; nil if a key would be read as something else there.
    private static func dotted(_ components: [Component]) -> String? {
        var text = ""
        for component in components {
            if case .name(let key) = component {
                let isFirst = text.isEmpty && key.unicodeScalars.first == "/"
                let isSplit = key.unicodeScalars.contains { $0 == "." || $0 == "[" }
                if key.isEmpty || key == "*" || isSplit || isFirst { return nil }
            }
            if case .index = component {} else if !text.isEmpty { text += "." }
            text += component.description
        }
        return text
    }

    private static func dotted(_ path: String) throws(JSONError) -> [Component] {
        guard !path.isEmpty else { return [] }
        var components: [Component] = []
        for (number, part) in path.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
            var rest = part
            let name = String(rest.prefix { $0 != "[" })
            rest = rest.dropFirst(name.unicodeScalars.count)
            // Only the first part may be brackets alone: "[0].items".
            if !name.isEmpty {
                components.append(name == "*" ? .any : .name(name))
            } else if rest.isEmpty || number > 0 {
                throw invalid(path, "a key between its dots")
            }
            while !rest.isEmpty {
                guard let end = rest.firstIndex(of: "]"), rest.first == "[" else { throw invalid(path, "']' behind '['") }
                let inside = String(rest[rest.index(after: rest.startIndex)..<end])
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
