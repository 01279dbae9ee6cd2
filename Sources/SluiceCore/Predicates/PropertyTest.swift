// Tests one property of a model, either on the property's text in the JSON or on the model that has been read.

/// A condition on one property of a record. Subclasses know the property's type.
// Safe: subclasses have only constants.
class PropertyTest<Record>: @unchecked Sendable {
    /// Whether the condition holds for a record that has been read.
    func holds(for record: Record) -> Bool { true }

    /// The property's row and keys; nil if the condition can be decided only after the whole record is read.
    func bound() -> BoundProperty? { nil }

    /// The truth of the condition for the property's text in a record; nil if it can be decided only after the whole record is read.
    func truth(_ value: UnsafeRawBufferPointer, _ property: BoundProperty, _ reader: inout JSONReader)
        -> FilterTruth?
    { nil }
}

/// The row and the keys by which the value of a property is read.
@safe
struct BoundProperty {
    // Safe: rows are immutable once made, and never freed.
    var row: RowHandle
    let keys: [JSONKeyPath]
    /// If the condition compares a string with constants that are all ASCII: the bytes of these constants.
    var texts: [[UInt8]] = []

    /// Whether a value is one of the texts; nil if its bytes alone do not decide that.
    func isOneOfTexts(_ value: UnsafeRawBufferPointer) -> Bool? {
        guard !texts.isEmpty, let string = unsafe TextString(of: value) else { return nil }
        for text in texts where text.count == string.count {
            if unsafe string.bytes.elementsEqual(text) { return true }
        }
        // Texts with escapes or characters outside ASCII may be equal although their bytes differ.
        return string.flags == 0 ? false : nil
    }
}

/// A property that is compared with values of its own type.
final class ComparedProperty<Model: JSONModel, Value: JSONReadable & Hashable & Sendable>:
    PropertyTest<Model>, @unchecked Sendable
{
    enum Path {
        case plain(any KeyPath<Model, Value> & Sendable)
        case optional(any KeyPath<Model, Value?> & Sendable)

        var keyPath: AnyKeyPath {
            switch self {
            case .plain(let path): path
            case .optional(let path): path
            }
        }
    }

    enum Comparison { case equal, isOneOf, less, lessOrEqual, greater, greaterOrEqual }

    private let path: Path
    private let comparison: Comparison
    private let values: [Value]
    private let acceptsNil: Bool
    private let isRight: @Sendable (Value) -> Bool

    init(
        _ path: Path, _ comparison: Comparison, _ values: [Value], acceptsNil: Bool = false,
        isRight: @escaping @Sendable (Value) -> Bool
    ) {
        self.path = path
        self.comparison = comparison
        self.values = values
        self.acceptsNil = acceptsNil
        self.isRight = isRight
    }

    override func holds(for record: Model) -> Bool {
        switch path {
        case .plain(let path): isRight(record[keyPath: path])
        case .optional(let path): record[keyPath: path].map(isRight) ?? acceptsNil
        }
    }

    override func bound() -> BoundProperty? {
        guard BindingRegistry.shared.rootRow(for: Model.self).kind == .model,
            var property = PropertySearch(path.keyPath).property(of: Model.self),
            let row = BindingRegistry.shared.optionalRow(of: property.row),
            property.row.binding.type == Value.self
        else { return nil }
        property.row = row
        if comparison == .equal || comparison == .isOneOf, property.row.kind == .string,
            let texts = values as? [String], texts.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } })
        {
            property.texts = texts.map { Array($0.utf8) }
        }
        return property
    }

    override func truth(
        _ text: UnsafeRawBufferPointer, _ property: BoundProperty, _ reader: inout JSONReader
    ) -> FilterTruth? {
        var value: Value?
        let failure = unsafe withUnsafeMutablePointer(to: &value) { place in
            // Safe: the row binds a value of this type, and `place` is the address of an optional of it.
            unsafe reader.run(property.row, at: UnsafeMutableRawPointer(place), text)
        }
        // If the value does not fit or is left out, reading the whole record reports that.
        guard failure == nil, !reader.hasReport else { return nil }
        if let value { return FilterTruth(isRight(value)) }
        guard case .optional = path, unsafe text.first == UInt8(ascii: "n"), isPlainNull(property, reader) else { return nil }
        return FilterTruth(acceptsNil)
    }

    /// Whether null can only mean nil: no null policy and no YYModel conversions apply to the property.
    private func isPlainNull(_ property: BoundProperty, _ reader: borrowing JSONReader) -> Bool {
        let policy = unsafe property.row.policy?.pointee
        let profile = policy?.conversions?.profile ?? reader.options.conversions.profile
        return policy?.nulls == nil && reader.options.nulls == nil && profile != .yyModel
    }
}

/// Finds the property of a key path, in a model or in its nested models.
private struct PropertySearch {
    private let wanted: AnyKeyPath

    /// The most levels of nested models that are searched, because a recursive model has no end.
    private static let maximumDepth = 4

    init(_ wanted: AnyKeyPath) { self.wanted = wanted }

    func property(of type: any JSONModel.Type) -> BoundProperty? {
        property(of: type, behind: nil, [], depth: 0)
    }

    private func property(
        of type: any JSONModel.Type, behind outer: AnyKeyPath?, _ keys: [String], depth: Int
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
                    of: model, behind: path, keys + property.keys[0].components, depth: depth + 1)
            else { continue }
            return found
        }
        return nil
    }
}

/// The conditions of a ``JSONPredicate``, for a filter.
struct PropertyConditions<Record>: FilterConditions {
    private let tests: [PropertyTest<Record>]
    private let properties: [BoundProperty?]
    private let reader: ReaderBox

    /// A reader in a class, because a reader cannot be copied.
    private final class ReaderBox {
        var reader: JSONReader

        init(_ options: JSONReader.Options) { reader = JSONReader(options: options) }
    }

    init(_ tests: [PropertyTest<Record>], _ options: JSONReader.Options) {
        self.tests = tests
        properties = tests.map { $0.bound() }
        reader = ReaderBox(options)
    }

    func keys(of number: Int) -> [JSONKeyPath] { properties[number]?.keys ?? [] }

    func truth(of number: Int, _ value: UnsafeRawBufferPointer) -> FilterTruth? {
        guard let property = properties[number] else { return nil }
        if let isOne = unsafe property.isOneOfTexts(value) { return FilterTruth(isOne) }
        return unsafe tests[number].truth(value, property, &reader.reader)
    }

    /// Always nil, because only the model knows what value a property has if its keys are absent.
    func truthIfAbsent(of number: Int) -> FilterTruth? { nil }
}
