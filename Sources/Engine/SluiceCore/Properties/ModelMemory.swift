// A struct whose stored properties are all known is built in its own memory, without a draft. The memory begins as a copy of a template,
// each value is stored at its property's offset, and the presence bits say at the closing bracket whether all required values came.
//
// A worked example. `struct Book { var name: String; var pages = 0; var shelf: Shelf; var id = UUID(); var summary: String? }`, where
// `Shelf` is an enum that has no placeholder:
//
//     template     [presence bits][null bits][ranks][name: ""  pages: 0  shelf: –  id: zeros  summary: nil][shelf: nil]
//     storing      `name` and `summary` where they belong, `shelf` as a `Shelf?` after the model
//     at the `}`   are `name` and `shelf` there? If no key was `id`, `UUID()` is called; then `shelf` is moved to its position
//
// If a model fails, its properties are destroyed one by one, whether their values came or not. So each property must have a value
// from the start: the placeholder. Its bits are copied without a retain and dropped without a release.

/// Stands in for the draft of a model that is built in its own memory. For generated code.
public struct _InPlace<Model>: _JSONModelDraft {
    public init() {}
}

/// The initial value of a property of a model that is built in its own memory. For generated code.
public struct _Initial<Value> {
    let make: () -> Value
    /// Whether a literal denotes the value, so that all models may share it.
    let isLiteral: Bool

    /// The value of a literal.
    public static func literal(_ value: @escaping @autoclosure () -> Value) -> _Initial { _Initial(make: value, isLiteral: true) }

    /// A value that is computed for each model whose object has no key for it.
    public static func each(_ value: @escaping @autoclosure () -> Value) -> _Initial { _Initial(make: value, isLiteral: false) }
}

/// A stored property of a model that is built in its own memory.
class ModelField {
    let name: String
    let offset: Int
    let size: Int
    let alignment: Int
    /// The property's slot; nil if it is not read.
    fileprivate(set) var slot: Int?
    /// Where the value is gathered, as an optional after the model, if the type has no placeholder; otherwise nil.
    fileprivate(set) var asideOffset: Int?
    fileprivate var isOptional = false
    /// Where the reader stores the value.
    var storedOffset: Int { asideOffset ?? offset }

    fileprivate init(name: String, offset: Int, size: Int, alignment: Int) {
        self.name = name
        self.offset = offset
        self.size = size
        self.alignment = alignment
    }

    /// Whether the initial value is not in the template, but computed for each model.
    fileprivate var isComputed: Bool { false }
    /// Whether the property is an optional whose initial value is not nil.
    var hasValueForNil = false
    fileprivate var asideSize: Int { 0 }
    fileprivate var asideAlignment: Int { 1 }

    /// Stores what the template has in place of the value; false if there is no such value.
    fileprivate func storePlaceholder(at address: UnsafeMutableRawPointer) -> Bool { false }
    /// Stores the nil with which a value that is gathered aside begins.
    fileprivate func storeNil(at address: UnsafeMutableRawPointer) {}
    /// Destroys the value, wherever it is gathered.
    fileprivate func destroy(in model: UnsafeMutableRawPointer) {}
    /// Destroys the value at the property's own offset.
    fileprivate func destroyValue(in model: UnsafeMutableRawPointer) {}
    /// Whether a value has been gathered aside.
    fileprivate func hasValueAside(in model: UnsafeMutableRawPointer) -> Bool { false }
    /// Moves the value that was gathered aside to the property's own offset.
    fileprivate func moveIn(_ model: UnsafeMutableRawPointer) {}
    /// The reverse of ``moveIn(_:)``.
    fileprivate func moveAside(_ model: UnsafeMutableRawPointer) {}
    /// Stores the initial value over a placeholder, or over nothing.
    fileprivate func compute(in model: UnsafeMutableRawPointer) {}
}

/// A stored property whose type is known.
final class TypedModelField<Value>: ModelField {
    private let initial: _Initial<Value>?
    /// A value whose bits may be copied and dropped; nil if the type has none.
    private var placeholder: Value?
    /// Whether the bits of every value of the type may be copied and dropped.
    private let hasFreeBits: Bool
    /// Whether the template has the initial value.
    private let isFree: Bool

    /// - Parameter isFree: Whether the bits of an initial value may be copied and dropped, if a literal denotes it.
    init(
        _ name: String, at offset: Int, _ initial: _Initial<Value>?, placeholder: Value?, hasFreeBits: Bool,
        isFree: (Value) -> Bool
    ) {
        self.initial = initial
        self.hasFreeBits = hasFreeBits
        self.placeholder = placeholder
        let literal = initial.flatMap { $0.isLiteral ? $0.make() : nil }
        self.isFree = literal.map(isFree) ?? false
        if self.isFree { self.placeholder = literal }
        super.init(name: name, offset: offset, size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    }

    override var isComputed: Bool { initial != nil && !isFree }
    override var asideSize: Int { MemoryLayout<Value?>.size }
    override var asideAlignment: Int { MemoryLayout<Value?>.alignment }

    // Safe for all that follow: `offset` comes from the property's key path, and the template has an optional at `asideOffset`.

    private func value(in model: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
        unsafe (model + offset).assumingMemoryBound(to: Value.self)
    }

    private func gathered(in model: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value?>? {
        guard let asideOffset else { return nil }
        return unsafe (model + asideOffset).assumingMemoryBound(to: Value?.self)
    }

    override func storePlaceholder(at address: UnsafeMutableRawPointer) -> Bool {
        let hasPlaceholder = placeholder != nil
        if let placeholder { unsafe address.initializeMemory(as: Value.self, to: placeholder) }
        // If the bits of every value may be dropped, the zeros that are there need no placeholder: they are never read as a value.
        return hasPlaceholder || hasFreeBits
    }

    override func storeNil(at address: UnsafeMutableRawPointer) { unsafe address.initializeMemory(as: Value?.self, to: nil) }

    override func destroy(in model: UnsafeMutableRawPointer) {
        guard let gathered = unsafe gathered(in: model) else { return unsafe destroyValue(in: model) }
        unsafe gathered.deinitialize(count: 1)
    }

    override func destroyValue(in model: UnsafeMutableRawPointer) { unsafe value(in: model).deinitialize(count: 1) }

    override func hasValueAside(in model: UnsafeMutableRawPointer) -> Bool {
        guard let gathered = unsafe gathered(in: model), case .some = unsafe gathered.pointee else { return false }
        return true
    }

    override func moveIn(_ model: UnsafeMutableRawPointer) {
        guard let gathered = unsafe gathered(in: model), let moved = unsafe gathered.move() else { return }
        unsafe gathered.initialize(to: nil)
        unsafe value(in: model).initialize(to: moved)
    }

    override func moveAside(_ model: UnsafeMutableRawPointer) {
        unsafe gathered(in: model)?.initialize(to: value(in: model).move())
    }

    override func compute(in model: UnsafeMutableRawPointer) {
        if let initial { unsafe value(in: model).initialize(to: initial.make()) }
    }
}

/// All stored properties of a model that is built in its own memory.
///
/// It is complete before its table is published, and does not change from then on. Closures of initial values are called on any thread,
/// as initialisers of models are.
final class ModelFields: @unchecked Sendable {
    /// In the order of declaration.
    private let fields: [ModelField]
    /// By slot; nil for a slot that is only written.
    private let bySlot: [ModelField?]
    /// Those whose values are computed, or gathered aside.
    private let unsettled: [ModelField]

    fileprivate init(_ fields: [ModelField], bySlot: [ModelField?]) {
        self.fields = fields
        self.bySlot = bySlot
        unsettled = fields.filter { $0.isComputed || $0.asideOffset != nil }
    }

    /// Whether a model is finished as soon as all required values have come: no value has to be computed or moved in.
    var isSettled: Bool { unsettled.isEmpty }

    /// Why models cannot be built where they will live; nil if they can.
    var obstacle: String? {
        fields.first { $0.asideOffset != nil }.map { "the type of '\($0.name)' has no placeholder" }
    }

    /// Computes initial values, and moves the values that were gathered aside to their positions. If one of these is missing, it
    /// changes nothing and returns false.
    ///
    /// - Parameter isUpdate: Whether the model began as a copy of another.
    func settle(_ model: UnsafeMutableRawPointer, _ bound: _BoundProperties, isUpdate: Bool) -> Bool {
        for field in unsettled where !field.isComputed {
            guard unsafe field.hasValueAside(in: model) else { return false }
        }
        for field in unsettled {
            if unsafe field.hasValueAside(in: model) {
                unsafe field.moveIn(model)
            } else if isAbsent(field, bound, isUpdate: isUpdate) {
                unsafe field.compute(in: model)
            }
        }
        return true
    }

    private func isAbsent(_ field: ModelField, _ bound: _BoundProperties, isUpdate: Bool) -> Bool {
        guard let slot = field.slot else { return !isUpdate }
        if field.asideOffset != nil { return true }
        return !bound.contains(slot) || !field.isOptional && bound.isNull(slot)
    }

    /// Destroys what has been stored of a model that will not be finished.
    func destroy(_ model: UnsafeMutableRawPointer, isUpdate: Bool) {
        for field in fields where isUpdate || field.slot != nil { unsafe field.destroy(in: model) }
    }

    /// Prepares a finished model for changes.
    func reopen(_ model: UnsafeMutableRawPointer) {
        for field in unsettled { unsafe field.moveAside(model) }
    }

    /// Replaces a slot's value by what the template has; false if the value is gathered aside.
    func restore(_ slot: Int, in model: UnsafeMutableRawPointer, from template: UnsafeRawPointer) -> Bool {
        guard let field = bySlot[slot], field.asideOffset == nil else { return false }
        unsafe field.destroyValue(in: model)
        unsafe (model + field.offset).copyMemory(from: template + field.offset, byteCount: field.size)
        return true
    }
}

/// A stored property of a description, before the memory is laid out.
struct DescribedField {
    let field: ModelField
    /// The slot, if the property is read.
    let slot: Int?
    let isOptional: Bool
    /// How its values are bound.
    let binding: _Binding?
}

/// The memory of a model that is built in place: the template, and where each value is stored.
@safe
struct ModelMemory {
    /// The sizes of a model and of an optional one, in bytes.
    let size: Int
    let optionalSize: Int
    let alignment: Int
    /// The template, with what is gathered aside after the model, and its size.
    let template: UnsafeMutableRawPointer
    private(set) var templateSize: Int
    /// The bits of an optional model that is nil.
    let nilBits: UnsafeRawPointer
    let fields: ModelFields
    /// Whether the template is a value of the type.
    private(set) var isValue = true
    /// Whether a value is gathered aside.
    private(set) var hasAsides = false
    /// Why the model cannot be built.
    private(set) var problem: String?

    init<Model>(_ type: Model.Type, _ described: [DescribedField], slotCount: Int) {
        size = MemoryLayout<Model>.size
        optionalSize = MemoryLayout<Model?>.size
        let all = described.map(\.field)
        let room = all.reduce(optionalSize + 1) { $0 + $1.asideSize + $1.asideAlignment }
        alignment = all.reduce(max(MemoryLayout<Model>.alignment, 16)) { max($0, $1.asideAlignment) }
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: alignment)
        // After the model, 0 is the tag of an optional that is not nil: see `Binder.openThere`.
        unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0, count: room)
        unsafe template = bytes
        templateSize = optionalSize
        let empty = UnsafeMutablePointer<Model?>.allocate(capacity: 1)
        unsafe empty.initialize(to: nil)
        unsafe nilBits = UnsafeRawPointer(empty)
        var bySlot = [ModelField?](repeating: nil, count: slotCount)
        for item in described {
            let field = item.field
            field.slot = item.slot
            field.isOptional = item.isOptional
            if let slot = item.slot { bySlot[slot] = field }
            if unsafe field.storePlaceholder(at: bytes + field.offset) { continue }
            if let model = unsafe item.binding?.template(size: field.size) {
                unsafe (bytes + field.offset).copyMemory(from: model, byteCount: field.size)
                continue
            }
            isValue = false
            if item.slot != nil {
                hasAsides = true
                let offset = roundedUp(templateSize, to: field.asideAlignment)
                field.asideOffset = offset
                unsafe field.storeNil(at: bytes + offset)
                templateSize = offset + field.asideSize
            } else if !field.isComputed {
                problem = "'\(field.name)' has no value"
            }
        }
        fields = ModelFields(all, bySlot: bySlot)
        if let name = ModelMemory.gap(in: all, size: size) { problem = "there is an unknown stored property beside '\(name)'" }
    }

    /// Looks for memory of the model that belongs to none of the properties. Returns the name of a property next to it; nil if
    /// there is no such memory.
    private static func gap(in fields: [ModelField], size: Int) -> String? {
        var end = 0
        var last = ""
        for field in fields.sorted(by: { $0.offset < $1.offset }) where field.size > 0 {
            guard field.offset == roundedUp(end, to: field.alignment) else { return field.name }
            end = field.offset + field.size
            last = field.name
        }
        return end == size ? nil : last
    }
}

extension _Binding {
    /// The template of the model that is bound, if it is a value of the type.
    fileprivate func template(size: Int) -> UnsafeRawPointer? {
        guard pointer.kind == .model, depth == 0, let layout = pointer.model, layout.isTemplateValue, layout.modelSize == size
        else { return nil }
        return unsafe layout.template + layout.draftOffset
    }
}

/// The draft type of models that are built in their own memory.
protocol InPlaceDraft {
    static func memory(_ fields: [DescribedField], slotCount: Int) -> ModelMemory
}

extension _InPlace: InPlaceDraft {
    static func memory(_ fields: [DescribedField], slotCount: Int) -> ModelMemory {
        ModelMemory(Model.self, fields, slotCount: slotCount)
    }
}

extension PropertyTable {
    /// Whether models are built in their own memory, without a draft.
    var isBuiltInPlace: Bool { binding.model?.isInPlace ?? false }
}
