// Compiles a model's description into a flat table, once per type and process.
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
    /// The model's name, such as `Book`.
    package let modelName: String
    /// What the model is, in words for a schema.
    let summary: String?
    /// The properties in the order of their slots.
    package let properties: [JSONProperty]
    /// How many slots the model has. For generated code: the slots of a subclass come after those of its base.
    public var _slotCount: Int { properties.count }

    /// Whether the model's JSON form is an object or an array.
    package let layout: JSONLayout

    /// Whether the model has observed keys, which its hook reads.
    let isObserving: Bool

    /// Why the model cannot be used; thrown at the first read or write.
    let problem: JSONError?
    // Safe: written before the table is published through the registry's lock, immutable and never freed from then on.
    let binding: BindingHandle
    /// How the model is recognised among the variants of a polymorphic type; nil if it is not a variant.
    let variant: ModelVariant?
    /// The slots whose values an adapter reads and writes, in place of their own types.
    let adaptedSlots: Set<Int>
    /// How the property of each slot is bound, without its policy; nil if it is not read.
    let bindings: [_Binding?]
    /// Why models are gathered in a draft; nil if they are built in the memory where they will live.
    let draftReason: String?
    /// What the writer does for the model's properties, one address for each set of options that changes it.
    let plans = PointerSlots(count: planCount)
    static let planCount = 16

    init(
        modelName: String, summary: String? = nil, properties: [JSONProperty], layout: JSONLayout, problem: JSONError?,
        binding: BindingHandle,
        variant: ModelVariant? = nil, adaptedSlots: Set<Int> = [], bindings: [_Binding?] = [], draftReason: String?
    ) {
        self.draftReason = draftReason
        self.adaptedSlots = adaptedSlots
        self.bindings = bindings
        self.modelName = modelName
        self.summary = summary
        self.properties = properties
        isObserving = properties.contains(where: \.isObserved)
        self.layout = layout
        self.problem = problem
        self.binding = binding
        self.variant = variant
    }

    // Only the tables of columns end. Nobody writes these, so no slot has steps.
    deinit { plans.deallocate() }

    /// The table of a model, compiled at the first call.
    ///
    /// A type that is not generic keeps the result in a static property. A generic type cannot, so later calls look it up.
    public static func _compiled<Model: _ReadableModel>(for type: Model.Type) -> PropertyTable {
        known.object(for: type) { BindingRegistry.shared.table(for: type) }
    }

    private static let known = TypeSlots<PropertyTable>()
}

/// The JSON form of a model.
public enum JSONLayout: Sendable, Hashable {
    /// An object: each property is identified by its key.
    case object
    /// An array: each property is identified by its index, in the order of declaration. Elements after the last property are
    /// ignored.
    case array
}

/// The description of one property in a table.
package struct JSONProperty: Sendable, Hashable {
    /// The property's name in Swift.
    package let name: String
    /// The type of its values, without optionals: `Int`, `Array<Author>`.
    package let typeName: String
    /// The keys that it is read from, in order of preference; it is written under the first.
    package let keys: [JSONKeyPath]
    /// Whether it is read, written or both.
    package let direction: JSONDirection
    /// What it means if its key is absent.
    package internal(set) var presence: JSONPresence
    /// The policies of the property, completed by those of its model.
    package var policy = JSONPropertyPolicy.none
    /// Whether this is not a property but a key that the model's hook reads.
    package var isObserved = false
    /// Whether it has no key of its own, and collects the members that belong to no other property.
    package internal(set) var isCollector = false
    /// Whether it has no key of its own, because the keys of its value are in the model's object.
    package internal(set) var isInlined = false
    /// The name or type that the property declares for its column in a table of a database.
    package var column = ColumnChoice.none
    /// What the property is, in words for a schema.
    package var summary: String?
}

/// What it means if a property's key is absent.
public enum JSONPresence: Sendable, Hashable {
    /// An error that lists all missing keys.
    case required
    /// The property keeps its initial value.
    case defaulted
    /// The property is an optional: nil, or its initial value.
    case optional
}

/// A model's description of its properties; the order of the calls gives the slots.
public struct _ModelDescription<Draft: _JSONModelDraft> {
    struct Entry {
        let name: String
        var keys: [JSONKeyPath]
        let direction: JSONDirection
        let presence: JSONPresence
        /// Nil for a property that is only written.
        let offset: Int?
        let typeName: String
        var policy: JSONPropertyPolicy
        var isObserved = false
        var isCollector = false
        var isInlined = false
        var column = ColumnChoice.none
        var summary: String?
        /// The property itself, in a model that is built in its own memory.
        var field: ModelField?
        let bind: (inout _BindingCompiler) -> _Binding
        /// What ``bind`` has made.
        var binding: _Binding?
        /// The key that the name of a collection implies.
        var inferredKey: JSONKeyPath?
    }

    /// How names become keys, for the properties described after it is set.
    public var keyStrategy: JSONKeyStrategy = .verbatim
    /// Whether the model's JSON form is an object or an array.
    public var layout = JSONLayout.object
    /// What happens to keys without a property; nil follows the reader's options.
    public var unknownKeys: JSONUnknownKeys?
    /// What the model is, in words for ``JSONReadable/jsonSchema(_:)``. The macro takes the first paragraph of the type's comment.
    public var summary: String?
    /// Why the model has a draft, if the macro has chosen that.
    public var _draftReason: String?
    /// The policy for properties that do not set their own.
    public var policy = JSONPropertyPolicy.none
    var entries: [Entry] = []
    /// The stored properties that are not read, in a model that is built in its own memory, each with the count of entries before it.
    var keptFields: [(position: Int, field: ModelField)] = []
    var problem: JSONError?

    /// Adds a property that is read into a field of the draft, and written unless `direction` says otherwise.
    ///
    /// - Parameter keys: the alternative keys in order of preference; if empty, the strategy derives the key from the name.
    public mutating func property<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {
        add(name, field, keys, presence, direction, policy) { $0.binding(for: Value.self) }
    }

    /// Adds a property with the usual arguments. For generated code, which calls it for most properties: the call is smaller.
    public mutating func _row<Value: JSONReadable>(
        _ name: String, _ field: KeyPath<Draft, Value?>, _ presence: JSONPresence, keys: [JSONKeyPath] = []
    ) {
        property(name, field, keys: keys, presence: presence)
    }

    /// Adds a property whose values an adapter reads and writes in place of its own type.
    public mutating func _property<Adapter: _ReadAdapter>(
        _ name: String, _ field: KeyPath<Draft, Adapter.Value?>, by adapter: Adapter.Type, keys: [JSONKeyPath] = [],
        presence: JSONPresence = .required, direction: JSONDirection = .both, policy: JSONPropertyPolicy = .none
    ) {
        add(name, field, keys, presence, direction, policy) { $0.binding(for: adapter) }
    }

    /// Gives the property that was added last a column of another name or type, for a table that records of the model are ingested into.
    ///
    /// ```swift
    /// model.property("id", \JSONDraft.id)
    /// model.column("event_id", .text)
    /// ```
    public mutating func column(_ name: String, _ type: ColumnType? = nil) { choose(ColumnChoice(name: name, type: type)) }

    /// Gives the property that was added last a column of another type.
    public mutating func column(_ type: ColumnType) { choose(ColumnChoice(name: nil, type: type)) }

    /// Gives each element of the property that was added last, an array of models, a row in a table of its own.
    ///
    /// ```swift
    /// model.property("items", \JSONDraft.items)
    /// model.column(.table)
    /// ```
    public mutating func column(_ elements: ElementStorage) {
        choose(ColumnChoice(name: nil, type: nil, elements: elements))
    }

    /// The same with a name for the table, which follows the name of the records' table.
    public mutating func column(_ name: String, _ elements: ElementStorage) {
        choose(ColumnChoice(name: name, type: nil, elements: elements))
    }

    /// Makes the property that was added last accept only values that meet these rules.
    ///
    /// ```swift
    /// model.property("age", \JSONDraft.age)
    /// model.constraint(.range(0...130))
    /// ```
    public mutating func constraint(_ constraints: JSONConstraint...) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].policy.constraints = ConstraintSet(constraints)
    }

    /// Says what the property is that was added last, for ``JSONReadable/jsonSchema(_:)``. The macro takes the first paragraph of the
    /// property's comment.
    public mutating func describe(_ summary: String) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].summary = summary
    }

    private mutating func choose(_ column: ColumnChoice) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].column = column
    }

    /// Adds the property that collects the members without a property of their own.
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
        append(name, Value.self, at: offset, keys, presence, direction, policy, bind: bind)
    }

    /// Adds a property. If no keys are given, the strategy derives them from its name.
    mutating func append(
        _ name: String, _ type: Any.Type, at offset: Int?, _ keys: [JSONKeyPath], _ presence: JSONPresence,
        _ direction: JSONDirection, _ policy: JSONPropertyPolicy, field: ModelField? = nil,
        bind: @escaping (inout _BindingCompiler) -> _Binding
    ) {
        entries.append(
            Entry(
                name: name, keys: keys.isEmpty ? [keyStrategy.key(for: name)] : keys, direction: direction, presence: presence,
                offset: offset, typeName: String(describing: type), policy: policy.completed(by: self.policy), field: field,
                bind: bind, inferredKey: keys.isEmpty && offset != nil ? keyStrategy.elementKey(for: name) : nil))
    }

    /// Binds the properties, and adds the keys that the names of collections imply, except those that another property has or
    /// implies too.
    mutating func bind(_ compiler: inout _BindingCompiler) {
        for index in entries.indices {
            let binding = entries[index].bind(&compiler)
            entries[index].binding = binding
            if binding.depth > 0 || binding.pointer.kind != .array { entries[index].inferredKey = nil }
        }
        let taken = Set(entries.flatMap { $0.keys.map { $0.components[0] } })
        let wanted = Dictionary(entries.compactMap(\.inferredKey).map { ($0, 1) }, uniquingKeysWith: +)
        for index in entries.indices {
            guard let key = entries[index].inferredKey, !taken.contains(key.components[0]), wanted[key] == 1 else { continue }
            entries[index].keys.append(key)
        }
    }

    /// Adds a key that the model's ``JSONDidRead`` looks at, and the field of the draft that holds its value until then.
    public mutating func observed(_ key: JSONKeyPath, _ field: KeyPath<Draft, JSONValue?>) {
        // Defaulted, not optional: an optional would turn null into nil, and the hook could not see it.
        property(key.description, field, keys: [key], presence: .defaulted, direction: .reading)
        if !entries.isEmpty { entries[entries.count - 1].isObserved = true }
    }

    /// Adds a property that an adapter writes, and that is never read.
    public mutating func _writeOnly<Adapter: _ReadAdapter>(
        _ name: String, by adapter: Adapter.Type, keys: [JSONKeyPath] = [], policy: JSONPropertyPolicy = .none
    ) {
        append(name, Adapter.Value.self, at: nil, keys, .defaulted, .writing, policy) { $0.binding(for: adapter) }
    }
}
