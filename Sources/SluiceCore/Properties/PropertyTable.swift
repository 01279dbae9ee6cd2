// A model's description becomes a flat table here, once per type and process.
//
// A worked example. `struct Book { var name: String; @JSONKey("ext.desc") var summary: String?; @JSONKey("id", "ID") var number: Int? }`
// compiles to
//
//     level 0      key     kind    slot  rank  goes to
//       row 0      name    string  0     0     draft + 0     (String?, 16 bytes)
//       row 1      ext     path    –     –     level 1
//       row 2      id      int64   2     0     draft + 32    (Int?, 9 bytes)
//       row 3      ID      int64   2     1     draft + 32    binds only while no `id` has come
//     level 1
//       row 0      desc    string  1     0     draft + 16
//
//     block        [presence bits][null bits][ranks, 1 byte a slot][draft: all nil]      copied when `{` arrives
//     write plan   "name":·0   "ext":{ "desc":·1 }   "id":·2
//
// The reader walks rows by expected-next and index; the writer walks the plan. Neither looks at a key path, a closure or a
// `String` between two tokens.

/// The compiled table of a model: immutable, made once per type, shared by all readers and writers.
@safe
public final class PropertyTable: Sendable {
    /// The model's name, as in `Book`.
    public let modelName: String
    /// The properties in the order of their slots.
    public let properties: [JSONProperty]

    /// Whether the model's JSON form is an object or an array.
    public let layout: JSONLayout

    /// Whether the model's hook looks at keys.
    let isObserving: Bool

    /// Why the model cannot be used; thrown at the first read or write.
    let problem: JSONError?
    // Safe: written before the table is published through the registry's lock, immutable and never freed from then on.
    let binding: BindingHandle
    /// What tells the model from the others where one of several is asked for; nil if nothing does.
    let variant: ModelVariant?
    /// The orders in which the model is written; each is made when it is first asked for.
    let plans = WritePlans()
    /// Finds the properties that lie in the model's memory as the writer can read them.
    let field: @Sendable (_ slot: Int) -> PlainField?

    init(
        modelName: String, properties: [JSONProperty], layout: JSONLayout, problem: JSONError?, binding: BindingHandle,
        variant: ModelVariant? = nil, field: @escaping @Sendable (_ slot: Int) -> PlainField? = { _ in nil }
    ) {
        self.field = field
        self.modelName = modelName
        self.properties = properties
        isObserving = properties.contains(where: \.isObserved)
        self.layout = layout
        self.problem = problem
        self.binding = binding
        self.variant = variant
    }

    /// The table of a model, compiled at the first call.
    ///
    /// Later calls look it up under a lock. A type that is not generic keeps the result in a static; a generic one cannot, and
    /// pays for the look-up once per document.
    public static func _compiled<Model: JSONModel>(for type: Model.Type) -> PropertyTable {
        BindingRegistry.shared.table(for: type)
    }
}

/// The JSON form of a model.
public enum JSONLayout: Sendable, Hashable {
    /// An object: properties are told apart by their keys.
    case object
    /// An array: properties are told apart by their places, in the order of their declaration. Elements behind the last
    /// property are passed over.
    case array
}

/// What a table says about one property.
public struct JSONProperty: Sendable, Hashable {
    /// The property's name in Swift.
    public let name: String
    /// The type that a value is bound to, without optionals: `Int`, `Array<Author>`.
    public let typeName: String
    /// The keys that bind it, the first of which is written.
    public let keys: [JSONKeyPath]
    /// Whether it is read, written or both.
    public let direction: JSONDirection
    /// What its absence means.
    public internal(set) var presence: JSONPresence
    /// What the property and its model say beyond that.
    public var policy = JSONPropertyPolicy.none
    /// Whether it is no property at all, but a key that the model's hook looks at.
    package var isObserved = false
    /// Whether it has no key of its own, and holds the members that no other property has.
    public internal(set) var isCollector = false
}

/// What it means for a property that its key is absent.
public enum JSONPresence: Sendable, Hashable {
    /// An error, which lists all keys that are missing.
    case required
    /// The property keeps its initial value.
    case defaulted
    /// The property is an optional: nil, or its initial value.
    case optional
}

/// A model describes its properties into this; the order of the calls gives the slots.
public struct _ModelDescription<Draft: _JSONModelDraft> {
    struct Entry {
        let name: String
        var keys: [JSONKeyPath]
        let direction: JSONDirection
        let presence: JSONPresence
        /// Nil for a property that is only written.
        let offset: Int?
        let typeName: String
        let policy: JSONPropertyPolicy
        var isObserved = false
        var isCollector = false
        let bind: (inout _BindingCompiler) -> _Binding
    }

    /// How names become keys for the properties described after it is set.
    public var keyStrategy: JSONKeyStrategy = .verbatim
    /// Whether the model's JSON form is an object or an array.
    public var layout = JSONLayout.object
    /// What becomes of keys that no property has; nil as the reader says.
    public var unknownKeys: JSONUnknownKeys?
    /// What holds for properties that do not say otherwise themselves.
    public var policy = JSONPropertyPolicy.none
    var entries: [Entry] = []
    private var inferredKeys: [(entry: Int, key: JSONKeyPath)] = []
    var problem: JSONError?

    /// A property that is read into a field of the draft, and written unless `direction` says otherwise.
    ///
    /// - Parameter keys: the ordered alternatives; empty for the key that the strategy derives from the name.
    public mutating func property<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {
        add(name, field, keys, presence, direction, policy) { $0.binding(for: Value.self) }
        if keys.isEmpty, Value.isElementCollection, let inferred = keyStrategy.elementKey(for: name) {
            inferredKeys.append((entry: entries.count - 1, key: inferred))
        }
    }

    /// The same for most properties of generated code, which is compiled for each of them: without the arguments that say what is usual.
    public mutating func _row<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, keys: [JSONKeyPath]
    ) {
        property(name, field, keys: keys, presence: presence)
    }

    /// The same with a key that is no path.
    public mutating func _row<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, literal key: String
    ) {
        property(name, field, keys: [.literal(key)], presence: presence)
    }

    /// The same with the key that the strategy derives from the name.
    public mutating func _row<Value: JSONReadable>(_ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence) {
        property(name, field, presence: presence)
    }

    /// A property whose type is bound by another one.
    public mutating func _property<Adapter: _JSONAdapter>(
        _ name: String, _ field: KeyPath<Draft, Adapter.Value?>, by adapter: Adapter.Type, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {
        add(name, field, keys, presence, direction, policy) { $0.binding(for: adapter) }
    }

    /// The property that collects the members which no other has.
    public mutating func _collector(_ name: String, _ field: KeyPath<Draft, JSONObject?>) {
        add(name, field, [], .defaulted, .both, .none) { $0.binding(for: JSONObject.self) }
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].keys = []
        entries[entries.count - 1].isCollector = true
    }

    private mutating func add<Value>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ keys: [JSONKeyPath], _ presence: JSONPresence,
        _ direction: JSONDirection, _ policy: JSONPropertyPolicy, bind: @escaping (inout _BindingCompiler) -> _Binding
    ) {
        guard let offset = MemoryLayout<Draft>.offset(of: field) else {
            problem = JSONError(
                .invalidModel, found: "the draft of '\(name)' is no plain stored property of \(Draft.self)")
            return
        }
        entries.append(
            Entry(
                name: name, keys: keys.isEmpty ? [keyStrategy.key(for: name)] : keys, direction: direction,
                presence: presence, offset: offset, typeName: String(describing: Value.self),
                policy: policy.completed(by: self.policy), bind: bind))
    }

    /// Adds the keys that collections' names imply, but for those that another property has for its own.
    mutating func addInferredKeys() {
        let taken = Set(entries.flatMap { $0.keys.map { $0.components[0] } })
        let wanted = Dictionary(inferredKeys.map { ($0.key, 1) }, uniquingKeysWith: +)
        for (entry, key) in inferredKeys where !taken.contains(key.components[0]) && wanted[key] == 1 {
            entries[entry].keys.append(key)
        }
        inferredKeys = []
    }

    /// A key that the model's ``JSONDidRead`` looks at, and the field of the draft that holds its value until then.
    public mutating func observed(_ key: JSONKeyPath, _ field: KeyPath<Draft, JSONValue?>) {
        // Not optional: then null would be nil, and not a value to look at.
        property(key.description, field, keys: [key], presence: .defaulted, direction: .reading)
        if !entries.isEmpty { entries[entries.count - 1].isObserved = true }
    }

    /// A property that is written and never read, such as a constant.
    public mutating func writeOnly<Value: JSONWritable>(
        _ name: String, _ type: Value.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {
        entries.append(
            Entry(
                name: name, keys: keys.isEmpty ? [keyStrategy.key(for: name)] : keys, direction: .writing,
                presence: .defaulted, offset: nil, typeName: String(describing: type),
                policy: policy.completed(by: self.policy),
                bind: { $0.binding(ofWritten: type) }))
    }

    /// The same for a property whose type is bound by another one.
    public mutating func _writeOnly<Adapter: _JSONAdapter>(
        _ name: String, by adapter: Adapter.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {
        entries.append(
            Entry(
                name: name, keys: keys.isEmpty ? [keyStrategy.key(for: name)] : keys, direction: .writing,
                presence: .defaulted, offset: nil, typeName: String(describing: Adapter.Value.self),
                policy: policy.completed(by: self.policy),
                bind: { $0.binding(for: adapter) }))
    }
}
