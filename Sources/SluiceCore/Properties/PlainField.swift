// Where a property lies in its model, if its value can be read there without asking the model.

/// A stored property of a struct whose type is one that the writer knows.
struct PlainField {
    /// What lies there.
    enum Kind: UInt8 {
        /// Not a plain field: the model writes the property itself.
        case other
        case string, optionalString
        case int, optionalInt
        case bool, optionalBool
        case double, optionalDouble
        /// A struct that is a model, and may consist of plain fields.
        case model
        /// The same, or nil: written where it lies, by its own type.
        case optionalModel

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
    /// Bytes from the beginning of the model.
    let offset: Int32
    /// The type of a field that is a model.
    let model: (any JSONModel.Type)?

    /// The field of a slot's property; nil if the property is computed or observed, of a class, or of another type.
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
        // Of an object of a class, only the reference lies there.
        guard let inner = (wrapped ?? type) as? any JSONModel.Type, !(inner is AnyClass) else { return nil }
        kind = wrapped == nil ? .model : .optionalModel
        self.model = inner
    }

    /// Finds the fields of a type, if it is a model.
    static func finder(for type: any JSONReadable.Type) -> @Sendable (_ slot: Int) -> PlainField? {
        guard let model = type as? any JSONModel.Type else { return { _ in nil } }
        return { PlainField(model, slot: $0) }
    }
}

/// An optional of any type.
private protocol WrappingType {
    static var wrapped: any Any.Type { get }
}

extension Optional: WrappingType {
    static var wrapped: any Any.Type { Wrapped.self }
}
