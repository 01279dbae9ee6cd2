// Compiles types into bindings: one per type, registered under the type's identity. So a row of a recursive type finds the binding
// of that type while it is still being made.

internal import Synchronization

/// A compiled binding, and the count of optionals around its values.
@safe
public struct _Binding: @unchecked Sendable {
    // Safe: the binding is complete when the registry's lock is released, immutable from then on, and never freed.
    let pointer: BindingHandle
    let depth: UInt8

    init(_ pointer: BindingHandle, depth: UInt8 = 0) {
        self.pointer = pointer
        self.depth = depth
    }
}

/// All bindings and tables of the process.
@safe
final class BindingRegistry: @unchecked Sendable {
    static let shared = BindingRegistry()

    /// The form in which models are stored instead of JSON; nil for JSON.
    let form: StoredForm?
    /// In a stored form: what is stored where an object of a class stands.
    let references: (any ObjectReferences.Type)?

    init() { (form, references) = (nil, nil) }

    init(form: StoredForm, references: any ObjectReferences.Type) {
        self.form = form
        self.references = references
    }

    // Safe: the dictionaries are accessed only while the lock is held.
    private let lock = Mutex(())
    fileprivate var bindings: [ObjectIdentifier: _Binding] = [:]
    fileprivate var tables: [ObjectIdentifier: PropertyTable] = [:]
    /// In a stored form: the bindings of the objects themselves. Everywhere else a reference takes the place of the object.
    fileprivate var objects: [ObjectIdentifier: _Binding] = [:]
    private var rootRows: [ObjectIdentifier: RowHandle] = [:]
    /// For a row whose value is not in an optional: the same row with an optional around the value.
    private var optionalRows: [RowHandle: RowHandle] = [:]

    /// The binding of a type, compiled at the first call.
    func binding<Value: JSONReadable>(for type: Value.Type) -> _Binding {
        lock.withLock { _ in
            var compiler = _BindingCompiler(registry: self)
            return compiler.binding(for: type)
        }
    }

    /// The row of a top-level value of a type. The reader stores the value in an optional.
    func rootRow<Value: JSONReadable>(for type: Value.Type) -> RowHandle {
        lock.withLock { _ in
            if let known = rootRows[ObjectIdentifier(type)] { return known }
            var compiler = _BindingCompiler(registry: self)
            let made = _BindingCompiler.elementRow(compiler.binding(for: type), addingDepth: 1)
            rootRows[ObjectIdentifier(type)] = made
            return made
        }
    }

    /// The row that reads a property's value into exactly one optional. Nil if the value is in several optionals, or in a
    /// ``JSONField``.
    func optionalRow(of row: RowHandle) -> RowHandle? {
        guard row.depth == 0 else { return row.depth == 1 ? row : nil }
        return lock.withLock { _ in
            if let known = optionalRows[row] { return known }
            var wrapped = row.content
            wrapped.depth = 1
            let made = _BindingCompiler.placed(wrapped)
            optionalRows[row] = made
            return made
        }
    }

    /// In a stored form, the row of an object whose class may have subclasses; nil for all other types.
    func objectRow<Object: _ReadableModel & AnyObject>(for type: Object.Type) -> RowHandle? {
        lock.withLock { _ in
            var compiler = _BindingCompiler(registry: self)
            _ = compiler.binding(for: type)
            guard let object = objects[ObjectIdentifier(type)] else { return nil }
            // The row is stored under the type of the reference: under the type itself, `rootRow` stores the row that reads a
            // reference.
            let id = ObjectIdentifier(references?.type(for: type) ?? type)
            if let known = rootRows[id] { return known }
            let made = _BindingCompiler.elementRow(object, addingDepth: 1)
            rootRows[id] = made
            return made
        }
    }

    /// The table of a model, compiled at the first call.
    func table<Model: _ReadableModel>(for type: Model.Type) -> PropertyTable {
        lock.withLock { _ in
            var compiler = _BindingCompiler(registry: self)
            return compiler.table(for: type)
        }
    }
}

/// Makes bindings; passed to each type's `_bind`.
public struct _BindingCompiler {
    fileprivate let registry: BindingRegistry

    /// The binding of a type: the registered one, or a new one.
    mutating func binding<Value: JSONReadable>(for type: Value.Type) -> _Binding {
        if let known = registry.bindings[ObjectIdentifier(type)] { return known }
        var made = type._bind(&self)
        if type is AnyClass, let superclass = Self.boundModel(made), superclass != type {
            made = invalid(type, .unmarkedSubclass(type, of: superclass))
        }
        registry.bindings[ObjectIdentifier(type)] = made
        return made
    }

    /// The model that a binding makes; nil if it makes something else.
    private static func boundModel(_ binding: _Binding) -> (any JSONReadable.Type)? {
        switch binding.pointer.kind {
        case .model, .captured:
            let type = binding.pointer.type
            return (type as? any ObjectReference.Type)?.object ?? type
        default: return nil
        }
    }

    /// The binding of a model that cannot be used; its table holds the reason.
    private func invalid(_ type: any JSONReadable.Type, _ problem: JSONError) -> _Binding {
        var table = TableCompiler(modelName: String(describing: type))
        table.problem = problem
        let made = table.emptyTable(type: type)
        registry.tables[ObjectIdentifier(type)] = made
        return _Binding(made.binding)
    }

    /// The table of a model. It is complete except for models whose compilation has not ended yet, as in recursive types.
    mutating func table<Model: _ReadableModel>(for type: Model.Type) -> PropertyTable {
        if let known = registry.tables[ObjectIdentifier(type)] { return known }
        _ = binding(for: type)
        // Making the binding has registered the table; the fallback only satisfies the compiler.
        if let made = registry.tables[ObjectIdentifier(type)] { return made }
        var empty = TableCompiler(modelName: String(describing: type))
        return empty.emptyTable(type: type)
    }

    /// The binding of a type that has a kind of its own.
    func builtin(_ kind: PropertyKind, _ type: any JSONReadable.Type, expectation: String) -> _Binding {
        _Binding(Self.placed(Binding(kind: kind, type: type, expectation: expectation)))
    }

    /// The binding of a type that converts scalars itself.
    func scalar(_ type: any JSONReadable.Type, expectation: String) -> _Binding {
        builtin(.scalar, type, expectation: expectation)
    }

    /// The binding of a string that holds the JSON of a type; in a stored form, the binding of the type itself.
    mutating func text<Value: JSONReadable>(of type: Value.Type, by adapter: any JSONReadable.Type) -> _Binding {
        guard registry.form == nil else { return binding(for: type) }
        var result = Binding(kind: .scalar, type: adapter, expectation: "a string of JSON")
        result.adapter = .text
        // For code that describes the value in the string, such as schemas.
        result.element = Self.elementRow(binding(for: type))
        return _Binding(Self.placed(result))
    }

    /// The binding of a type that its `Decodable` conformance decodes: the value's text is captured first.
    package func decodable(_ adapter: any JSONReadable.Type, of type: Any.Type, expectation: String) -> _Binding {
        var result = Binding(kind: .captured, type: adapter, expectation: expectation)
        result.adapter = .codable
        result.codedType = type as? any JSONReadable.Type
        return _Binding(Self.placed(result))
    }

    /// The binding of an optional of a type: that of the type, one level deeper.
    mutating func optional<Wrapped: JSONReadable>(of type: Wrapped.Type) -> _Binding {
        let wrapped = binding(for: type)
        // A destination unwraps at most three levels, one of which may belong to the draft.
        guard wrapped.depth < 2 else {
            return scalar(Wrapped.self, expectation: "a type with at most two optionals around it")
        }
        return _Binding(wrapped.pointer, depth: wrapped.depth + 1)
    }

    /// The binding of a ``JSONField`` of a type: that of the type, with the depth that marks a field.
    mutating func field<Value: JSONReadable>(of type: Value.Type) -> _Binding {
        let wrapped = binding(for: type)
        guard wrapped.depth == 0 else {
            return scalar(Value.self, expectation: "a field of a type that is no optional, because null is a value of the field")
        }
        return _Binding(wrapped.pointer, depth: _Destination.fieldDepth)
    }

    /// The binding of a collection of elements.
    package mutating func array<Element: JSONReadable>(
        _ type: any JSONReadable.Type, of element: Element.Type, by assembly: any Assembly.Type, isBuiltinArray: Bool = false
    ) -> _Binding {
        let bound = binding(for: element)
        var result = Binding(kind: .array, type: type, expectation: TypeSpelling.of(type))
        result.assembly = assembly
        result.element = Self.elementRow(bound)
        result.elementStride = MemoryLayout<Element>.stride
        result.elementAlignment = MemoryLayout<Element>.alignment
        if isBuiltinArray, bound.depth == 0 {
            // This module makes arrays of doubles, integers and strings, specialised. The element's type makes all others.
            switch bound.pointer.kind {
            case .double, .int64, .string: result.builtinArray = bound.pointer.kind
            default:
                result.builtinArray = .model
                result.elementType = element
            }
        }
        return _Binding(Self.placed(result))
    }

    /// The binding of a collection of pairs of a key and a value.
    mutating func dictionary<Value: JSONReadable>(
        _ type: any JSONReadable.Type, of value: Value.Type, by assembly: any Assembly.Type, checksKeys: Bool
    ) -> _Binding {
        var result = Binding(kind: .dictionary, type: type, expectation: TypeSpelling.of(type))
        result.assembly = assembly
        result.checksKeys = checksKeys
        result.element = Self.elementRow(binding(for: value))
        Self.layOutPairs(&result, valueSize: MemoryLayout<Value>.size, valueAlignment: MemoryLayout<Value>.alignment)
        return _Binding(Self.placed(result))
    }

    /// The binding of ``JSONValue``: an array of itself, pairs of itself, or a scalar.
    func value(_ type: any JSONReadable.Type, by assembly: any Assembly.Type) -> _Binding {
        let pointer = unsafe Self.allocate(Binding(kind: .value, type: type, expectation: "a value"))
        unsafe pointer.pointee.assembly = assembly
        unsafe pointer.pointee.element = unsafe Self.elementRow(_Binding(BindingHandle(pointer)))
        unsafe Self.layOutPairs(
            &pointer.pointee, valueSize: MemoryLayout<JSONValue>.size, valueAlignment: MemoryLayout<JSONValue>.alignment)
        return unsafe _Binding(BindingHandle(pointer))
    }

    /// The binding of a model. It is registered before the properties are described, because they may lead back to the model.
    mutating func model<Model: _ReadableModel>(_ type: Model.Type) -> _Binding {
        model(type, draft: Model.JSONDraft.self) { type._describeJSON(&$0) }
    }

    /// The binding of a class that may have subclasses. The draft's type is passed, because a subclass inherits the conformance's draft
    /// type but has a draft of its own.
    public mutating func model<Model: _ReadableModel & AnyObject, Draft: _JSONModelDraft>(
        _ type: Model.Type, draft: Draft.Type, describe: (inout _ModelDescription<Draft>) -> Void
    ) -> _Binding {
        guard let references = registry.references else {
            return model(type as any JSONReadable.Type, draft: draft, describe: describe)
        }
        if let known = registry.bindings[ObjectIdentifier(type)] { return known }
        let reference = binding(of: references.type(for: type))
        registry.bindings[ObjectIdentifier(type)] = reference
        registry.objects[ObjectIdentifier(type)] = model(
            type as any JSONReadable.Type, draft: draft, isReferenced: true, describe: describe)
        return reference
    }

    /// The binding of a model that is made from a draft.
    ///
    /// - Parameter isReferenced: whether the type's registered binding is that of a reference, so that this one is registered elsewhere.
    mutating func model<Draft: _JSONModelDraft>(
        _ type: any JSONReadable.Type, draft draftType: Draft.Type, isReferenced: Bool = false,
        describe: (inout _ModelDescription<Draft>) -> Void
    ) -> _Binding {
        let id = ObjectIdentifier(type)
        if !isReferenced, let known = registry.bindings[id] { return known }
        let pointer = unsafe Self.allocate(Binding(kind: .model, type: type, expectation: TypeSpelling.of(type)))
        let own = unsafe _Binding(BindingHandle(pointer))
        // In a stored form, a value is always a model of exactly this type: no variants, no capture.
        let isStored = registry.form != nil
        let model = isStored ? nil : type as? any _ReadableModel.Type
        let variants = model?._variantTypes
        let payloads = variants?.payloads
        let isCaptured = payloads != nil || model?._isCaptured == true
        let captured =
            unsafe isCaptured ? Self.allocate(Binding(kind: .captured, type: type, expectation: TypeSpelling.of(type))) : nil
        let binding = unsafe captured.map { unsafe _Binding(BindingHandle($0)) } ?? own
        if !isReferenced { registry.bindings[id] = binding }

        var description = _ModelDescription<Draft>()
        describe(&description)
        description.bind(&self)
        if let form = registry.form { description.take(form) }
        var table = TableCompiler(modelName: String(describing: type))
        table.problem = description.problem
        table.summary = description.summary
        table.layout = description.layout
        table.skipsHooks = isStored
        table.hasHook = model?._hasReadHook == true
        table.draftReason = description._draftReason ?? (type is AnyClass ? "it is a class" : table.draftReason)
        table.variant = variants?.variant(of: type)
        if !isStored { description.sayUnknownKeys(to: &table) }
        let bindings = description.entries.map { $0.binding ?? $0.bind(&self) }
        let memory = (Draft.self as? any InPlaceDraft.Type)?.memory(
            description.describedFields(bindings), slotCount: bindings.count)
        if let problem = memory?.problem, table.problem == nil {
            table.problem = JSONError(.invalidModel, found: "\(type): \(problem)")
        }
        for (entry, bound) in zip(description.entries, bindings) {
            var property = entry.property
            // A field is never missing, because absence is one of its values.
            if bound.depth >= _Destination.fieldDepth, property.presence == .required { property.presence = .defaulted }
            table.add(property, offset: entry.offset, binding: bound, field: entry.field)
        }
        let draft = UnsafeMutablePointer<Draft>.allocate(capacity: 1)
        unsafe draft.initialize(to: Draft())
        // The draft is no longer needed: the table's template holds a copy of its bytes.
        defer {
            unsafe draft.deinitialize(count: 1)
            unsafe draft.deallocate()
        }
        let made =
            unsafe memory.map {
                unsafe table.finish(
                    binding: own.pointer, draft: UnsafeRawPointer($0.template), draftSize: $0.templateSize,
                    draftAlignment: $0.alignment, memory: $0)
            }
            ?? table.finish(
                binding: own.pointer, draft: UnsafeRawPointer(draft), draftSize: MemoryLayout<Draft>.size,
                draftAlignment: MemoryLayout<Draft>.alignment)
        unsafe memory?.template.deallocate()
        unsafe pointer.pointee.model = made.layout
        unsafe pointer.pointee.isOfDoubles = made.layout.content.isOfDoubles
        if description.layout == .array { unsafe pointer.pointee.expectation += " (an array)" }
        registry.tables[id] = made.table
        if let captured = unsafe captured {
            unsafe captured.pointee.variantTypes = payloads == nil ? nil : variants
            unsafe captured.pointee.isUntagged = payloads != nil && variants?.isUntagged == true
            unsafe captured.pointee.variants = variantRows(
                (payloads ?? [type]).map { $0 == type ? own : self.binding(of: $0) })
        }
        return binding
    }

    /// The binding of a type whose values are those of several other types, and that is not a model itself.
    mutating func polymorphic(_ type: any JSONReadable.Type, _ variants: _VariantTypes) -> _Binding {
        if let known = registry.bindings[ObjectIdentifier(type)] { return known }
        let pointer = unsafe Self.allocate(Binding(kind: .captured, type: type, expectation: TypeSpelling.of(type)))
        unsafe pointer.pointee.isStored = registry.form != nil
        let binding = unsafe _Binding(BindingHandle(pointer))
        registry.bindings[ObjectIdentifier(type)] = binding
        unsafe pointer.pointee.variantTypes = variants
        unsafe pointer.pointee.isUntagged = variants.payloads != nil && variants.isUntagged
        unsafe pointer.pointee.variants = variantRows((variants.payloads ?? []).map { self.binding(of: $0) })
        return binding
    }

    mutating func binding(of type: any JSONReadable.Type) -> _Binding {
        func open<Value: JSONReadable>(_ type: Value.Type, _ compiler: inout _BindingCompiler) -> _Binding {
            compiler.binding(for: type)
        }
        return open(type, &self)
    }

    /// The rows of the types that a captured value may become. Each stores its value in an optional of its own.
    private func variantRows(_ bindings: [_Binding]) -> [RowHandle] { bindings.map { Self.elementRow($0, addingDepth: 1) } }

    // MARK: Memory

    static func allocate(_ binding: Binding, in memory: TableStorage = .forever) -> UnsafeMutablePointer<Binding> {
        var binding = binding
        if binding.holdsSensitive == nil { binding.holdsSensitive = memory.holdsSensitive(false) }
        return unsafe memory.make(binding)
    }

    static func placed(_ binding: Binding, in memory: TableStorage = .forever) -> BindingHandle {
        unsafe BindingHandle(allocate(binding, in: memory))
    }

    static func placed(_ row: PropertyRow, in memory: TableStorage = .forever) -> RowHandle { unsafe RowHandle(memory.make(row)) }

    static func placed(_ policy: JSONPropertyPolicy, in memory: TableStorage) -> UnsafePointer<JSONPropertyPolicy>? {
        unsafe policy == .none ? nil : UnsafePointer(memory.make(policy))
    }

    /// The binding of a property with a policy of its own. For a container it is a copy, whose elements have the policy too.
    static func binding(_ bound: _Binding, with policy: UnsafePointer<JSONPropertyPolicy>?, in memory: TableStorage) -> _Binding {
        guard let policy = unsafe policy, let element = bound.pointer.element else { return bound }
        guard bound.pointer.kind == .array || bound.pointer.kind == .dictionary else { return bound }
        var row = element.content
        unsafe row.policy = unsafe policy
        row.binding = unsafe binding(_Binding(element.binding, depth: element.depth), with: policy, in: memory).pointer
        var copy = bound.pointer.content
        copy.element = placed(row, in: memory)
        copy.holdsSensitive = copy.holdsSensitive.map { unsafe $0 || policy.pointee.isSensitive }
        return _Binding(placed(copy, in: memory), depth: bound.depth)
    }

    /// The row of an element. A top-level value gets a row with one optional more.
    static func elementRow(_ binding: _Binding, addingDepth: UInt8 = 0, in memory: TableStorage = .forever) -> RowHandle {
        placed(row(of: binding, addingDepth: addingDepth), in: memory)
    }

    private static func row(of binding: _Binding, addingDepth: UInt8) -> PropertyRow {
        unsafe PropertyRow(
            kind: binding.pointer.kind, depth: binding.depth + addingDepth,
            flags: binding.depth > 0 ? .nullable : [], rank: 0, slot: 0, offset: 0,
            key: NoBytes.address, keyCount: 0, binding: binding.pointer)
    }

    static func layOutPairs(_ binding: inout Binding, valueSize: Int, valueAlignment: Int) {
        let keySize = MemoryLayout<String>.size
        let alignment = max(valueAlignment, MemoryLayout<String>.alignment)
        binding.valueOffset = roundedUp(keySize, to: valueAlignment)
        binding.elementAlignment = alignment
        binding.elementStride = roundedUp(binding.valueOffset + max(valueSize, 1), to: alignment)
    }
}

/// `value` rounded up to a multiple of `alignment`, a power of two.
func roundedUp(_ value: Int, to alignment: Int) -> Int { (value + alignment - 1) & ~(alignment - 1) }
