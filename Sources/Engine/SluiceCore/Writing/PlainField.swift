// The position of a property in its model's memory, if its value can be read there without calling the model.

/// A stored property of a struct, of a type that the writer knows.
struct PlainField {
    /// The type of a field's value.
    enum Kind: UInt8 {
        /// Not a plain field: the model writes the property itself.
        case other
        case string, optionalString
        case int, optionalInt
        case bool, optionalBool
        case double, optionalDouble
        /// A struct that is a model, and may consist of plain fields.
        case model
        /// An optional of a model struct: its own type writes it, directly from its memory.
        case optionalModel
        /// No field: the end of a model whose steps replace one member.
        case leave

        init?(_ type: any Any.Type) {
            switch type {
            case is String.Type: self = .string
            case is String?.Type: self = .optionalString
            case is Int.Type: self = .int
            case is Int?.Type: self = .optionalInt
            case is Bool.Type: self = .bool
            case is Bool?.Type: self = .optionalBool
            case is Double.Type: self = .double
            case is Double?.Type: self = .optionalDouble
            default: return nil
            }
        }
    }

    let kind: Kind
    /// The field's offset in bytes from the start of the model.
    let offset: Int32
    /// The type of a field that is a model.
    let model: (any JSONModel.Type)?

    /// The field of a slot's property; nil if the property is computed or observed, belongs to a class, or has another type.
    init?<Model: JSONModel>(_ model: Model.Type, slot: Int) {
        guard let path = model._jsonKeyPath(slot) as? PartialKeyPath<Model>,
            let offset = MemoryLayout<Model>.offset(of: path).flatMap({ Int32(exactly: $0) })
        else { return nil }
        self.offset = offset
        let type = type(of: path).valueType
        if let kind = Kind(type) {
            self.kind = kind
            self.model = nil
            return
        }
        let wrapped = (type as? any WrappingType.Type)?.wrapped
        // A property of a class type holds only a reference to the object.
        guard let inner = (wrapped ?? type) as? any JSONModel.Type, !(inner is AnyClass) else { return nil }
        kind = wrapped == nil ? .model : .optionalModel
        self.model = inner
    }
}

extension PropertyTable {
    /// The field of a slot's property; nil if the writer cannot read it directly from the model's memory.
    func field(_ slot: Int) -> PlainField? {
        // An adapter does not write a value as its plain memory would be written.
        guard !adaptedSlots.contains(slot), let model = binding.type as? any JSONModel.Type else { return nil }
        return PlainField(model, slot: slot)
    }
}

/// An optional of any type.
private protocol WrappingType {
    static var wrapped: any Any.Type { get }
}

extension Optional: WrappingType {
    static var wrapped: any Any.Type { Wrapped.self }
}
