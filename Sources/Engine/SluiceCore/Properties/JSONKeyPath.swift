// The key of a property: a single key, a path, or a key that a strategy derives from the property's name.

/// A key, or a path of keys through nested objects and arrays.
///
/// `"ext.desc"` is the key `desc` in the object under `ext`, and `"tags[0]"` the first element of the array under `tags`. A key that
/// contains a dot itself is quoted, or made with ``literal(_:)``.
///
/// ```swift
/// let path: JSONKeyPath = "user.tags[0].name"      // path.components == ["user", "tags", "0", "name"]
/// let quoted: JSONKeyPath = #""user.address".city"# // quoted.components == ["user.address", "city"]
/// let key = JSONKeyPath.literal("user.address")    // key.components == ["user.address"]
/// ```
public struct JSONKeyPath: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The keys from the outermost object inwards; never empty.
    public let components: [String]

    /// Reads a path. A text that is not a path, such as `a..b`, is one literal key; `@JSONKey` refuses it.
    public init(_ path: String) {
        components = (try? PathSyntax.keys(of: path)) ?? [path]
    }

    /// A path of at least one key. Keys may contain dots.
    package init(components: [String]) {
        self.components = components
    }

    /// Reads a path.
    public init(stringLiteral path: String) { self.init(path) }

    /// A single key, which may contain dots.
    public static func literal(_ key: String) -> JSONKeyPath { JSONKeyPath(components: [key]) }

    // Compared by bytes, like keys in a look-up: the two Unicode spellings of é are two keys.
    public static func == (left: JSONKeyPath, right: JSONKeyPath) -> Bool {
        left.components.elementsEqual(right.components) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The keys as errors show them, joined by dots.
    public var description: String { components.joined(separator: ".") }

    /// The path as it can be written: keys that are not plain names are quoted.
    package var text: String { PathSyntax.text(ofKeys: components) }
}

/// How property names become keys, for properties without a key of their own.
public enum JSONKeyStrategy: Sendable {
    /// The name itself.
    case verbatim
    /// `createdAt` → `created_at`, `htmlURL` → `html_url`.
    case snakeCase
    /// `createdAt` → `created-at`.
    case kebabCase
    /// `createdAt` → `CreatedAt`.
    case pascalCase
    /// The name itself; for a collection also the name of its elements: `userList: [User]` is read from `userList`, or from `user` if
    /// that is absent. `Array`, `Items` and `Collection` are such words, too, and a plural `s`.
    case collectionSuffixes
    /// Any function of the name. Its result may be a path.
    case custom(@Sendable (String) -> String)

    /// The key of a property.
    package func key(for name: String) -> JSONKeyPath {
        switch self {
        case .verbatim, .collectionSuffixes: .literal(name)
        case .snakeCase: .literal(Self.words(of: name).joined(separator: "_"))
        case .kebabCase: .literal(Self.words(of: name).joined(separator: "-"))
        case .pascalCase: .literal(name.prefix(1).uppercased() + name.dropFirst())
        case .custom(let function): JSONKeyPath(function(name))
        }
    }

    /// The additional key that a collection's name implies; nil under other strategies, or if the name implies none.
    func elementKey(for name: String) -> JSONKeyPath? {
        guard case .collectionSuffixes = self else { return nil }
        return JSONElementName.stem(of: name).map { .literal($0) }
    }

    /// `htmlURLString2` → `html`, `url`, `string2`. A new word starts at a capital after a small letter or digit, and at the last
    /// capital of a run that a small letter follows.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            if character == "_" {
                // Underscores are kept, so that `_id` and `user_name` stay as they are.
                word.append(character)
                continue
            }
            if character.isUppercase, index > 0, characters[index - 1] != "_" {
                let previous = characters[index - 1]
                let nextIsLower = index + 1 < characters.count && characters[index + 1].isLowercase
                if !previous.isUppercase || nextIsLower {
                    words.append(word)
                    word = ""
                }
            }
            word += character.lowercased()
        }
        words.append(word)
        return words
    }
}
