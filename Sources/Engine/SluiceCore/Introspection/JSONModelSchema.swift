// Shows the contents of a property table: names, types, keys and flags, in the order of declaration.

/// The properties of a model, as a value that a program can inspect.
///
/// ```swift
/// let schema = Book.schema
/// schema.name                                        // "Book"
/// schema.properties.map(\.name)                      // ["name", "pages", "author"]
/// schema["author"]?.typeName                         // "Author?"
/// schema["author"]?.model?.properties.first?.name    // "login"
/// ```
///
/// It describes the model in Sluice's own terms; it is not a document of json-schema.org. Making one costs nothing: the table
/// behind it is compiled once per type. Two schemas are equal if they belong to the same type.
public struct JSONModelSchema: Sendable, Hashable {
    /// The kind of JSON that a property is read from.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// `true` or `false`.
        case boolean
        /// A number that is an integer.
        case integer
        /// A number, as a `Double` or `Float`.
        case number
        /// A string.
        case string
        /// A scalar that the type converts itself: an enum, a date, a type of your own.
        case scalar
        /// A value that the type's `init(from:)` reads: see `@JSONCodable`.
        case codable
        /// Any JSON, as a tree or as text.
        case any
        /// A model.
        case model
        /// The elements of an array.
        case array
        /// The members of an object whose keys are not known in advance.
        case dictionary
    }

    /// One property.
    public struct Property: Sendable {
        var row: JSONProperty
        let bound: BindingHandle?
        /// Whether the property's type accepts null, even if it is not an `Optional`.
        let takesNull: Bool

        /// The property's name in Swift.
        public var name: String { row.name }
        /// The property's type in Swift, such as `String`, `Author?` or `Array<Author>`.
        public var typeName: String { isOptional ? row.typeName + "?" : row.typeName }
        /// Whether the property may be nil.
        package var isOptional: Bool { row.presence == .optional }
        /// The keys and paths that bind the property, by rank. The first one is the key that is written.
        public var keys: [JSONKeyPath] { row.keys }
        /// What happens if all keys of the property are absent.
        public var presence: JSONPresence { row.presence }
        /// Whether the property is read, written, or both.
        package var direction: JSONDirection { row.direction }
        /// Whether the value is hidden in descriptions and errors.
        public var isSensitive: Bool { row.policy.isSensitive }
        /// Further settings that the property and its model declare.
        package var policy: JSONPropertyPolicy { row.policy }
        /// The kind of JSON that the property is read from.
        public var kind: Kind { bound?.schemaKind ?? .any }
        /// The kind of JSON that its elements or values are read from; nil if the property is not a container.
        package var elementKind: Kind? { bound?.schemaElement?.schemaKind }
        /// The schema of the property's model, directly or in a container; nil if the property does not contain a model.
        ///
        /// It is made on demand, so a recursive model can be followed to any depth.
        public var model: JSONModelSchema? { bound?.schema }

        /// The property as one of a model that may be absent as a whole.
        fileprivate var absentable: Property {
            var copy = self
            if copy.row.presence == .required { copy.row.presence = .defaulted }
            return copy
        }
    }

    /// A table, which is equal to itself alone.
    private struct Identity: Hashable {
        let table: PropertyTable

        static func == (left: Identity, right: Identity) -> Bool { left.table === right.table }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(table)) }
    }

    private let identity: Identity
    private var table: PropertyTable { identity.table }

    init(table: PropertyTable) { identity = Identity(table: table) }

    /// The model's name, such as `Book` or `Page<Book>`.
    public var name: String { table.modelName }
    /// Whether the model's JSON form is an object or an array.
    package var layout: JSONLayout { table.layout }
    /// Whether values are built in the memory where they will live, which is the fastest way: see ``draftReason``.
    package var isBuiltInPlace: Bool { table.draftReason == nil }
    /// Why values are first gathered in memory of their own, and moved when their object ends; nil if they are not.
    ///
    /// ```swift
    /// Book.schema.draftReason        // "the property 'cover' is lazy"
    /// ```
    public var draftReason: String? { table.draftReason }
    /// The properties in the order of their declaration.
    public var properties: [Property] {
        table.properties.enumerated().filter { !$1.isObserved }.flatMap { slot, row in
            let property = Property(row: row, bound: table.binding(ofSlot: slot), takesNull: table.takesNull(slot: slot))
            // The keys of an inlined model are in the same object as the model's own.
            guard row.isInlined, let model = property.model else { return [property] }
            return model.properties.map { property.isOptional || row.presence == .defaulted ? $0.absentable : $0 }
        }
    }

    /// The property with a name, or nil.
    public subscript(name: String) -> Property? { properties.first { $0.name == name } }
}

extension JSONModel {
    /// The model's properties: names, types, keys and flags.
    ///
    /// ```swift
    /// for property in Book.schema.properties {
    ///     print(property.name, property.typeName, property.keys)
    /// }
    /// ```
    public static var schema: JSONModelSchema { JSONModelSchema(table: Self._jsonTable) }
}

extension TableHandle where Content == Binding {
    var schemaKind: JSONModelSchema.Kind {
        switch adapter {
        case .text: return .string
        case .codable: return .codable
        case .none: break
        }
        return switch kind {
        case .bool: .boolean
        case .int8, .int16, .int32, .int64, .int128, .uint8, .uint16, .uint32, .uint64, .uint128: .integer
        case .float, .double: .number
        case .string, .substring: .string
        case .scalar: .scalar
        case .model: .model
        case .array: .array
        case .dictionary: .dictionary
        default: .any
        }
    }

    /// How the elements of an array or the values of a dictionary are bound; nil for any other type. Arbitrary JSON has none either,
    /// because it would be its own element.
    var schemaElement: BindingHandle? { schemaKind == .array || schemaKind == .dictionary ? element?.binding : nil }

    /// The table, if the type is a model; otherwise nil.
    var modelTable: PropertyTable? { kind == .model ? model?.table : nil }

    /// The schema of the model that the type is or contains, however deep in containers.
    var schema: JSONModelSchema? {
        if let inner = adapter == .text ? element?.binding : schemaElement { return inner.schema }
        return modelTable.map { JSONModelSchema(table: $0) }
    }
}

extension PropertyTable {
    /// How the property of a slot is bound; nil for a table without a compiled model.
    func binding(ofSlot slot: Int) -> BindingHandle? { binding.model?.row(ofSlot: slot).binding }

    /// Whether the property of a slot accepts null.
    func takesNull(slot: Int) -> Bool {
        binding.model.map { $0.row(ofSlot: slot).flags.contains(.nullable) } ?? true
    }
}
