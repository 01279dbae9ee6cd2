// Tests one property of a model, either on the property's text in the JSON or on the model that has been read.

extension JSONPredicate where Record: JSONModel {
    /// - Parameters:
    ///   - texts: The values that are right, if each of them is named.
    ///   - isRight: Whether the condition holds for a value.
    init<Value: JSONReadable & Hashable & Sendable>(
        _ path: any KeyPath<Record, Value> & Sendable, texts: [Value] = [], isRight: @escaping @Sendable (Value) -> Bool
    ) {
        self.init(RecordCondition(of: path, in: Record.self, texts: texts, ofNil: nil, isRight)) { isRight($0[keyPath: path]) }
    }

    /// The same for an optional property.
    ///
    /// - Parameter acceptsNil: Whether the condition holds for nil.
    init<Value: JSONReadable & Hashable & Sendable>(
        optional path: any KeyPath<Record, Value?> & Sendable, texts: [Value] = [], acceptsNil: Bool = false,
        isRight: @escaping @Sendable (Value) -> Bool
    ) {
        self.init(RecordCondition(of: path, in: Record.self, texts: texts, ofNil: acceptsNil, isRight)) {
            $0[keyPath: path].map(isRight) ?? acceptsNil
        }
    }
}

extension RecordCondition {
    /// A condition on the text of a property.
    ///
    /// - Parameter null: Whether the condition holds for nil; nil if the property is not optional.
    fileprivate init<Value: JSONReadable & Hashable & Sendable>(
        of path: any AnyKeyPath & Sendable, in model: any JSONModel.Type, texts: [Value], ofNil null: Bool?,
        _ isRight: @escaping @Sendable (Value) -> Bool
    ) {
        self.init { options in
            guard let property = BoundProperty(path, in: model, of: Value.self) else {
                return unsafe Test(keys: []) { _ in nil }
            }
            let constants = property.comparedTexts(texts)
            var reader = JSONReader(options: options)
            return unsafe Test(keys: property.keys) { text in
                // Only the model knows what value a property has if its keys are absent.
                guard let text = unsafe text else { return nil }
                if !constants.isEmpty, let isRight = unsafe isOne(of: constants, text) { return FilterTruth(isRight) }
                var value: Value?
                let failure = unsafe withUnsafeMutablePointer(to: &value) { address in
                    // Safe: the row binds a value of this type, and `address` is that of an optional of it.
                    unsafe reader.run(property.row, at: UnsafeMutableRawPointer(address), text)
                }
                // If the value does not fit or is left out, reading the whole record reports that.
                guard failure == nil, !reader.hasReport else { return nil }
                if let value { return FilterTruth(isRight(value)) }
                guard let null, unsafe text.first == UInt8(ascii: "n"), property.isPlainNull(reader.options) else { return nil }
                return FilterTruth(null)
            }
        }
    }
}

/// Whether a value is one of the texts; nil if its bytes alone do not decide that.
private func isOne(of texts: [[UInt8]], _ value: UnsafeRawBufferPointer) -> Bool? {
    guard let string = unsafe TextString(of: value) else { return nil }
    for text in texts where text.count == string.count {
        if unsafe string.bytes.elementsEqual(text) { return true }
    }
    // Texts with escapes or characters outside ASCII may be equal although their bytes differ.
    return string.flags == 0 ? false : nil
}

/// The row and the keys by which the value of a property is read.
@safe
private struct BoundProperty {
    // Safe: rows are immutable once made, and never freed.
    let row: RowHandle
    let keys: [JSONKeyPath]

    init(row: RowHandle, keys: [JSONKeyPath]) { (self.row, self.keys) = (row, keys) }

    /// Nil if a condition on the property can be decided only after the whole record is read.
    init?(_ path: AnyKeyPath, in model: any JSONModel.Type, of value: Any.Type) {
        guard BindingRegistry.shared.rootRow(for: model).kind == .model,
            let property = PropertySearch(path).property(of: model),
            let row = BindingRegistry.shared.optionalRow(of: property.row), property.row.binding.type == value
        else { return nil }
        self.init(row: row, keys: property.keys)
    }

    /// The bytes of the texts that the property is compared with, if all are strings of ASCII; else none.
    func comparedTexts(_ values: [some Sendable]) -> [[UInt8]] {
        guard row.kind == .string, let texts = values as? [String], texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) else {
            return []
        }
        return texts.map { Array($0.utf8) }
    }

    /// Whether null can only mean nil: no null policy and no YYModel conversions apply to the property.
    func isPlainNull(_ options: JSONReader.Options) -> Bool {
        let policy = unsafe row.policy?.pointee
        let profile = policy?.conversions?.profile ?? options.conversions.profile
        return policy?.nulls == nil && options.nulls == nil && profile != .yyModel
    }
}

/// Finds the property of a key path, in a model or in its nested models.
private struct PropertySearch {
    private let wanted: AnyKeyPath

    /// The most levels of nested models that are searched, because a recursive model has no end.
    private static let maximumDepth = 4

    init(_ wanted: AnyKeyPath) { self.wanted = wanted }

    func property(of type: any JSONModel.Type) -> BoundProperty? {
        property(of: type, inside: nil, [], depth: 0)
    }

    private func property(
        of type: any JSONModel.Type, inside outer: AnyKeyPath?, _ keys: [String], depth: Int
    ) -> BoundProperty? {
        let table = type._jsonTable
        // A hook may change the model after it is read, so the JSON alone does not decide.
        guard table.problem == nil, table.layout == .object, !(type is any JSONDidRead.Type),
            let layout = table.binding.model
        else { return nil }
        for (slot, property) in table.properties.enumerated() where property.direction != .writing {
            guard let inner = type._jsonKeyPath(slot),
                let path = outer.map({ $0.appending(path: inner) }) ?? inner
            else { continue }
            let row = layout.row(ofSlot: slot)
            if path == wanted {
                // Alternative keys are ranked within one object only, so they are not supported inside a nested model.
                guard property.keys.count == 1 || keys.isEmpty else { return nil }
                return BoundProperty(
                    row: row, keys: property.keys.map { JSONKeyPath(components: keys + $0.components) })
            }
            guard depth < Self.maximumDepth, property.keys.count == 1, row.kind == .model,
                let model = row.binding.type as? any JSONModel.Type,
                let found = self.property(
                    of: model, inside: path, keys + property.keys[0].components, depth: depth + 1)
            else { continue }
            return found
        }
        return nil
    }
}
