// What a model says of keys that no property has.

/// What becomes of keys of a model that no property has; a model that says nothing follows the option
/// `unknownKeys` of its reader.
///
/// ```swift
/// @JSONModel(unknownKeys: .collect(into: "rest"))
/// struct Event {
///     var id: Int
///     var rest: JSONObject                 // {"id": 7, "color": "red"} → ["color": "red"], and written back
/// }
/// ```
///
/// It holds for the model's own object, and but for `collect` for the objects that its key paths lead through; not for models in
/// its properties.
public enum JSONUnknownKeys: Sendable, Hashable {
    /// They are passed over, whatever the reader says.
    case ignore
    /// They are passed over, and the ``JSONReadReport`` names them; also a key whose value is no object, though a key path leads through
    /// it.
    case report
    /// The first one is an error of kind `unknownKey`. A value other than an object where a key path leads through is an error of kind
    /// `typeMismatch`.
    case reject
    /// A property of type ``JSONObject`` or `[String: JSONValue]` keeps them with their values. Written, they stand behind the other
    /// members; in an update, they replace those of the same key.
    case collect(into: String)
}

/// A type that unknown keys can be collected into.
public protocol _JSONMemberCollection {
    /// A collection of these members, of which the last of each key counts where there can be one only.
    init(_collected: JSONObject?)
    /// The members.
    var _collected: JSONObject { get }
}

extension JSONObject: _JSONMemberCollection {
    public init(_collected: JSONObject?) { self = _collected ?? JSONObject() }
    public var _collected: JSONObject { self }
}

extension Dictionary: _JSONMemberCollection where Key == String, Value == JSONValue {
    public init(_collected: JSONObject?) {
        self = Dictionary((_collected?.members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// The pairs in the order of their keys.
    public var _collected: JSONObject {
        JSONObject(sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { (key: $0.key, value: $0.value) })
    }
}

extension _ModelDescription {
    /// Tells the compiler of the table what the model says.
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
