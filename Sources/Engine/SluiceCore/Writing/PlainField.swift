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
        /// An optional of such a struct.
        case optionalModel
        /// An array, or an optional one; or arrays of such arrays.
        case ints, doubles, bools, strings, models
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
    /// The elements of a field that is an array.
    private(set) var elements: PlainElements?
    /// How a field that is an optional model says that it is nil; nil if that is not known.
    private(set) var absence: AbsenceMark?

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
        let optional = type as? any WrappingType.Type
        let wrapped = optional?.wrapped
        if let elements = PlainElements(wrapped ?? type) {
            var known: [ObjectIdentifier: Bool] = [:]
            guard elements.model.map({ PlainField.isPlain($0, within: [model], &known) }) != false else { return nil }
            kind = elements.kind
            self.elements = elements
            return
        }
        // A property of a class type holds only a reference to the object.
        guard let inner = (wrapped ?? type) as? any JSONModel.Type, !(inner is AnyClass) else { return nil }
        kind = wrapped == nil ? .model : .optionalModel
        self.model = inner
        absence = optional?.absence(references: inner.references)
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
            let optional = type as? any WrappingType.Type
            let elements = PlainElements(optional?.wrapped ?? type)
            if let elements, elements.model == nil { return true }
            guard let inner = elements?.model ?? (optional?.wrapped ?? type) as? any JSONModel.Type, !(inner is AnyClass) else {
                return false
            }
            if elements == nil, let optional, optional.absence(references: inner.references) == nil { return false }
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

extension PlainField {
    /// Whether strings and arrays have the layouts that fields are read by.
    static let isKnown = StringWords.isKnown && ArrayWords.isKnown
}

/// The elements of an array; those of the innermost arrays, if its elements are arrays.
struct PlainElements {
    /// The kind of a field that is an array of them.
    let kind: PlainField.Kind
    /// How many arrays are in each other.
    let rank: Int
    /// How many bytes an element is from the next.
    let stride: Int
    /// The type of elements that are models.
    private(set) var model: (any JSONModel.Type)?

    init?(_ type: any Any.Type) {
        guard var list = type as? any PlainList.Type else { return nil }
        var rank = 1
        while let inner = list.element as? any PlainList.Type { (list, rank) = (inner, rank + 1) }
        (self.rank, stride) = (rank, list.stride)
        switch list.element {
        case is Int.Type: kind = .ints
        case is Double.Type: kind = .doubles
        case is Bool.Type: kind = .bools
        case is String.Type: kind = .strings
        case let model as any JSONModel.Type where !(model is AnyClass) && list.alignment <= ArrayWords.alignment:
            kind = .models
            self.model = model
        default: return nil
        }
    }
}

/// An array of any type.
private protocol PlainList {
    static var element: any Any.Type { get }
    static var stride: Int { get }
    static var alignment: Int { get }
}

extension Array: PlainList {
    static var element: any Any.Type { Element.self }
    static var stride: Int { MemoryLayout<Element>.stride }
    static var alignment: Int { MemoryLayout<Element>.alignment }
}

/// The bits by which an optional says that it is nil.
struct AbsenceMark {
    /// Where the word with these bits begins.
    let offset: Int32
    let mask: UInt64
    /// The value of the bits in a nil.
    let bits: UInt64

    /// Whether the optional at an address is nil.
    @inline(__always)
    func isIn(_ optional: UnsafeRawPointer) -> Bool {
        unsafe (optional + Int(offset)).loadUnaligned(as: UInt64.self) & mask == bits
    }
}

extension JSONModel {
    /// Where the model has a word that is never 0: in its strings and its arrays. And a value that such a word may have.
    fileprivate static var references: [(offset: Int, value: UInt)] {
        _jsonTable.properties.indices.flatMap { slot -> [(offset: Int, value: UInt)] in
            guard let path = _jsonKeyPath(slot) as? PartialKeyPath<Self>, let offset = MemoryLayout<Self>.offset(of: path) else {
                return []
            }
            switch type(of: path).valueType {
            case is String.Type: return unsafe [(offset + 8, unsafeBitCast("", to: (UInt, UInt).self).1)]
            case is any PlainList.Type: return unsafe [(offset, unsafeBitCast([Int](), to: UInt.self))]
            case let model as any JSONModel.Type where !(model is AnyClass):
                return model.references.map { (offset + $0.offset, $0.value) }
            default: return []
            }
        }
    }
}

/// An optional of any type.
private protocol WrappingType {
    static var wrapped: any Any.Type { get }
    static func absence(references: [(offset: Int, value: UInt)]) -> AbsenceMark?
}

extension Optional: WrappingType {
    static var wrapped: any Any.Type { Wrapped.self }

    /// How a nil is marked: in a byte after the value, or by 0 in one of its references. Nil if it is marked otherwise.
    static func absence(references: [(offset: Int, value: UInt)]) -> AbsenceMark? {
        let size = MemoryLayout<Self>.size
        guard PlainField.isKnown, size >= 8 else { return nil }
        if size > MemoryLayout<Wrapped>.size {
            // The last byte is 0 in a value, and 1 in a nil.
            let (mask, bits) = (UInt64(0xFF) << 56, UInt64(1) << 56)
            return AbsenceMark(offset: Int32(size - 8), mask: mask.littleEndian, bits: bits.littleEndian)
        }
        // A nil is marked in one field only. If zeros are a nil, and are none with another value in one field, this is the one.
        return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<Self>.alignment) { memory in
            let start = unsafe memory.baseAddress.unsafelyUnwrapped
            func isNil(with reference: UInt, at offset: Int) -> Bool {
                unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
                unsafe (start + offset).storeBytes(of: reference, as: UInt.self)
                return unsafe isNone(start, Wrapped.self)
            }
            let known = references.first { isNil(with: 0, at: $0.offset) && !isNil(with: $0.value, at: $0.offset) }
            return known.map { AbsenceMark(offset: Int32($0.offset), mask: .max, bits: 0) }
        }
    }
}

/// Whether the bits of an optional mark a nil. The other bits need not be those of a value: where a type may be one that cannot be copied, the
/// value is not copied to be looked at.
private func isNone<Value: ~Copyable>(_ address: UnsafeRawPointer, _: Value.Type) -> Bool {
    switch unsafe address.assumingMemoryBound(to: Optional<Value>.self).pointee {
    case .none: true
    case .some: false
    }
}
