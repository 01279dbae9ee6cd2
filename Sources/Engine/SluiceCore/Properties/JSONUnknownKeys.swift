// A model's rule for keys without a property.

/// What happens to keys of a model that have no property. A model without this setting follows the option `unknownKeys` of its
/// reader.
///
/// ```swift
/// @JSONModel(unknownKeys: .collect(into: "rest"))
/// struct Event {
///     var id: Int
///     var rest: JSONObject                 // {"id": 7, "color": "red"} → ["color": "red"], and written back
/// }
/// ```
///
/// The setting applies to the model's own object, and, except for `collect`, to the objects that its key paths go through; not to
/// models in its properties.
public enum JSONUnknownKeys: Sendable, Hashable {
    /// They are skipped, whatever the reader's options are.
    case ignore
    /// They are skipped, and the ``JSONReadReport`` names them. It also names a key whose value should be an object, because a key path
    /// goes through it, but is not.
    case report
    /// The first one is an error of kind `unknownKey`. If a key path goes through a value that is not an object, that is an error of kind
    /// `typeMismatch`.
    case reject
    /// A property of type ``JSONObject`` or `[String: JSONValue]` keeps them with their values. They are written after the other
    /// members. In an update, they replace members with the same key.
    case collect(into: String)
}

/// A type that unknown keys can be collected into.
public protocol _JSONMemberCollection {
    /// Makes a collection of these members. If it can hold a key only once, the last member with that key wins.
    init(_collected: JSONObject?)
    /// The members.
    var _collected: JSONObject { get }
}

extension JSONObject: _JSONMemberCollection {
    public init(_collected: JSONObject?) { self = _collected?.lastOfEachKey ?? JSONObject() }
    public var _collected: JSONObject { self }

    /// The object with each key once: at its first position, with its last value. Keys are compared by their bytes, because strings that only
    /// look alike are equal in Swift, and one of two such members would be lost.
    private var lastOfEachKey: JSONObject {
        guard members.count > 1 else { return self }
        var indices: [[UInt8]: Int] = [:]
        var kept: [Member] = []
        for member in members {
            let key = Array(member.key.utf8)
            if let index = indices[key] {
                kept[index].value = member.value
            } else {
                indices[key] = kept.count
                kept.append(member)
            }
        }
        return kept.count == members.count ? self : JSONObject(kept)
    }
}

extension Dictionary: _JSONMemberCollection where Key == String, Value == JSONValue {
    public init(_collected: JSONObject?) {
        self = Dictionary((_collected?.members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The pairs, sorted by the UTF-8 bytes of their keys.
    public var _collected: JSONObject {
        JSONObject(sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { (key: $0.key, value: $0.value) })
    }
}

extension _ModelDescription {
    /// Passes the model's rule for unknown keys to the compiler of its table.
    func sayUnknownKeys(to table: inout TableCompiler) {
        switch unknownKeys {
        case nil: break
        case .ignore: table.unknownKeys = .ignore
        case .report: table.unknownKeys = .report
        case .reject: table.unknownKeys = .reject
        case .collect(let name):
            table.unknownKeys = .collect
            table.collectorSlot = entries.firstIndex(where: \.isCollector)
            if table.collectorSlot == nil {
                table.problem = table.problem ?? JSONError(.invalidModel, found: "no property '\(name)' collects unknown keys")
            }
        }
    }
}
