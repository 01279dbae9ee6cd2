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
        /// An array of scalars, of such arrays or of models, or an optional one.
        case list
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
    private(set) var model: (any JSONModel.Type)?
    /// The type of a field that is an array.
    private(set) var list: (any PlainList.Type)?

    /// The field of a slot's property; nil if the property is computed or observed, belongs to a class, or has another type.
    init?<Model: JSONModel>(_ model: Model.Type, slot: Int) {
        guard let path = model._jsonKeyPath(slot) as? PartialKeyPath<Model>,
            let offset = MemoryLayout<Model>.offset(of: path).flatMap({ Int32(exactly: $0) })
        else { return nil }
        self.offset = offset
        let type = Swift.type(of: path).valueType
        if let kind = Kind(type) {
            self.kind = kind
            return
        }
        let wrapped = (type as? any WrappingType.Type)?.wrapped
        if let list = (wrapped ?? type) as? any PlainList.Type {
            var known: [ObjectIdentifier: Bool] = [:]
            guard list.isOfScalars || list.model.map({ PlainField.isPlain($0, within: [model], &known) }) == true else {
                return nil
            }
            kind = .list
            self.list = list
            return
        }
        // A property of a class type holds only a reference to the object.
        guard let inner = (wrapped ?? type) as? any JSONModel.Type, !(inner is AnyClass) else { return nil }
        kind = wrapped == nil ? .model : .optionalModel
        self.model = inner
    }

    /// Whether a model consists of plain fields whatever its steps are, and of no list of models that it is part of.
    ///
    /// - Parameters:
    ///   - outer: The models that it is part of.
    ///   - known: The answers for the types that have been asked already: a type may be part of many others.
    private static func isPlain(
        _ model: any JSONModel.Type, within outer: [any JSONModel.Type], _ known: inout [ObjectIdentifier: Bool]
    ) -> Bool {
        guard !outer.contains(where: { $0 == model }) else { return false }
        if let answer = known[ObjectIdentifier(model)] { return answer }
        let answer = model._jsonTable.properties.indices.allSatisfy { slot in
            guard let type = type(ofSlot: slot, in: model) else { return false }
            if Kind(type) != nil { return true }
            let list = ((type as? any WrappingType.Type)?.wrapped ?? type) as? any PlainList.Type
            if let list, list.isOfScalars { return true }
            guard let inner = list?.model ?? type as? any JSONModel.Type, !(inner is AnyClass) else { return false }
            return isPlain(inner, within: outer + [model], &known)
        }
        known[ObjectIdentifier(model)] = answer
        return answer
    }

    /// The type of a slot's property; nil if it is computed or observed.
    private static func type<Model: JSONModel>(ofSlot slot: Int, in model: Model.Type) -> (any Any.Type)? {
        (model._jsonKeyPath(slot) as? PartialKeyPath<Model>).map { Swift.type(of: $0).valueType }
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
