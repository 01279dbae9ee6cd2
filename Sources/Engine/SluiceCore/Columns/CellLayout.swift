// The memory that a record of a model is read into before its values become cells: one position for each property, in the order of its table.
// The memory of a model inside it is a part of it.
//
//     [layout][is present][presence bits][id: Int?][actor: [layout][is present][presence bits][login: cell]][tags: [String]?]

/// Where the values of a model lie in the memory of a record.
@safe
final class CellLayout: @unchecked Sendable {
    /// What a position holds, and how it becomes a cell.
    enum Content {
        /// A number or a boolean of a kind, in an optional.
        case plain(PropertyKind)
        /// A cell.
        case text
        /// A cell that has the text of an array whose elements are rows; the number is that of its table.
        case table(Int)
        /// The properties of a model.
        case model(CellLayout)
        /// A value that is written first.
        case value(ColumnValue)
    }

    struct Field {
        let slot: Int
        var offset = 0
        let content: Content
        /// The index of the column, or of the first of several.
        let column: Int

        init(slot: Int, content: Content, column: Int) { (self.slot, self.content, self.column) = (slot, content, column) }
    }

    /// A field without references to objects, so that making a cell of it counts none.
    struct Step {
        enum Content {
            case plain(PropertyKind)
            case text
            case table(Int)
            /// The index of a layout in ``CellLayout/layouts``.
            case model(Int)
            /// The index of a value in ``CellLayout/values``.
            case value(Int)
        }

        let slot: Int
        let offset: Int
        let column: Int
        let content: Content
    }

    /// The memory that a property needs.
    enum Storage {
        case cell
        case value(ColumnValue)
        case layout(CellLayout)

        fileprivate var sizeAndAlignment: (Int, Int) {
            switch self {
            case .cell: (MemoryLayout<Cell>.size, MemoryLayout<Cell>.alignment)
            case .value(let value): (value.size, value.alignment)
            case .layout(let layout): (layout.size, CellLayout.alignment)
            }
        }
    }

    /// The fields while they are being laid out.
    struct Draft {
        fileprivate let wordCount: Int
        fileprivate var fields: [(field: Field, storage: Storage)] = []
        fileprivate var size: Int

        init(slotCount: Int) {
            wordCount = max((slotCount + 63) / 64, 1)
            size = CellLayout.headSize + wordCount * 8
        }

        /// Adds a field, and returns its offset.
        mutating func add(_ field: Field, _ storage: Storage) -> Int {
            let (fieldSize, alignment) = storage.sizeAndAlignment
            var field = field
            field.offset = roundedUp(size, to: alignment)
            size = field.offset + fieldSize
            fields.append((field, storage))
            return field.offset
        }
    }

    static let alignment = 16
    /// The address of the layout, and a word that is not 0 if the object is present.
    private static let headSize = 16

    /// What becomes of each field. Like the template, they are never freed.
    let steps: UnsafeBufferPointer<Step>
    /// The layouts of the models inside, and the values that are written first.
    private(set) var layouts: [CellLayout] = []
    private(set) var values: [ColumnValue] = []
    let columns: Range<Int>
    /// The numbers of the tables for its arrays.
    let tables: Range<Int>
    let size: Int
    /// The memory of a record without values. Like every table, it is never freed.
    let template: UnsafeMutableRawPointer
    /// The values that must be destroyed, and the models that hold such values.
    private let owned: [(offset: Int, storage: Storage)]
    private let wordCount: Int

    init(_ draft: Draft, columns: Range<Int>, tables: Range<Int>) {
        let steps = UnsafeMutableBufferPointer<Step>.allocate(capacity: draft.fields.count)
        for (index, (field, _)) in draft.fields.enumerated() {
            let content: Step.Content
            switch field.content {
            case .plain(let kind): content = .plain(kind)
            case .text: content = .text
            case .table(let number): content = .table(number)
            case .model(let layout):
                content = .model(layouts.count)
                layouts.append(layout)
            case .value(let value):
                content = .value(values.count)
                values.append(value)
            }
            unsafe steps.initializeElement(
                at: index,
                to: Step(slot: field.slot, offset: field.offset, column: field.column, content: content))
        }
        unsafe self.steps = UnsafeBufferPointer(steps)
        size = roundedUp(draft.size, to: CellLayout.alignment)
        wordCount = draft.wordCount
        (self.columns, self.tables) = (columns, tables)
        owned = draft.fields.filter { !$0.storage.isTrivial }.map { ($0.field.offset, $0.storage) }
        unsafe template = .allocate(byteCount: size, alignment: CellLayout.alignment)
        unsafe template.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        for (field, storage) in draft.fields {
            let address = unsafe template + field.offset
            switch storage {
            case .cell: unsafe address.initializeMemory(as: Cell.self, to: Cell())
            case .value(let value): unsafe value.initialize(address)
            case .layout(let inner): unsafe address.copyMemory(from: inner.template, byteCount: inner.size)
            }
        }
        // The template of a table is never freed, so its layout is not either.
        unsafe template.storeBytes(of: UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()), as: UInt.self)
    }

    /// The layout of memory.
    static func of(_ memory: UnsafeMutableRawPointer) -> CellLayout {
        // Safe: every memory is a copy of a template, which begins with its layout's address.
        let address = unsafe UnsafeRawPointer(bitPattern: memory.load(as: UInt.self)).unsafelyUnwrapped
        return unsafe Unmanaged<CellLayout>.fromOpaque(address).takeUnretainedValue()
    }

    /// Whether nothing in the memory has to be destroyed.
    var isTrivial: Bool { owned.isEmpty }

    /// Whether the object of some memory is present.
    static func isPresent(_ memory: UnsafeMutableRawPointer) -> Bool {
        unsafe memory.load(fromByteOffset: 8, as: UInt64.self) != 0
    }

    /// The presence bits of the properties.
    static func words(_ memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt64> {
        unsafe (memory + headSize).assumingMemoryBound(to: UInt64.self)
    }

    /// Moves the values of a complete object to other memory, whose values are destroyed.
    func move(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, _ bound: _BoundProperties) {
        unsafe destroy(target)
        unsafe moveBits(source, to: target)
        unsafe target.storeBytes(of: 1, toByteOffset: 8, as: UInt64.self)
        let words = unsafe CellLayout.words(target)
        // Safe: the memory has as many words as the table.
        for index in 0..<wordCount { unsafe words[index] = unsafe bound.words[index] }
    }

    private func moveBits(_ source: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) {
        unsafe target.copyMemory(from: source, byteCount: size)
        // The bits of most values could be copied, but not those of a value with a weak reference.
        for (offset, storage) in owned {
            switch storage {
            case .cell: break
            case .value(let value): unsafe value.move(source + offset, to: target + offset)
            case .layout(let inner): unsafe inner.moveBits(source + offset, to: target + offset)
            }
        }
    }

    /// Destroys the values, after which the memory is like a new one.
    func reset(_ memory: UnsafeMutableRawPointer) {
        unsafe destroy(memory)
        unsafe memory.copyMemory(from: template, byteCount: size)
    }

    /// Destroys the values.
    func destroy(_ memory: UnsafeMutableRawPointer) {
        for (offset, storage) in owned {
            switch storage {
            case .cell: break
            case .value(let value): unsafe value.destroy(memory + offset)
            case .layout(let inner): unsafe inner.destroy(memory + offset)
            }
        }
    }
}

extension CellLayout.Storage {
    fileprivate var isTrivial: Bool {
        switch self {
        case .cell: true
        case .value(let value): value.isTrivial
        case .layout(let layout): layout.isTrivial
        }
    }
}

/// The type that all bindings of models name whose properties become cells.
enum ModelCells: JSONReadable, Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.scalar(self, expectation: "a record") }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        let layout = unsafe CellLayout.of(contents.base)
        guard contents.isComplete else {
            unsafe layout.destroy(contents.base)
            throw JSONError._missing
        }
        unsafe layout.move(contents.base, to: destination.address, contents.bound)
    }

    static func _destroy(_ contents: _Contents) { unsafe CellLayout.of(contents.base).destroy(contents.base) }

    static func _storeNil(at destination: _Destination) {
        unsafe CellLayout.of(destination.address).reset(destination.address)
    }
}

/// The type that the bindings of text cells name.
enum TextCells: JSONReadable, Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.scalar(self, expectation: "a string") }

    static func _storeNil(at destination: _Destination) {
        // Safe: the memory of a text cell is a cell.
        unsafe destination.address.assumingMemoryBound(to: Cell.self).initialize(to: Cell())
    }

    static func storeEmpty(at destination: _Destination) -> Bool {
        var cell = Cell()
        cell.tag = .ownText
        // Safe: as above.
        unsafe destination.address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
        return true
    }
}

/// The type that the bindings of models name whose records are only judged: they are elements that another reader turns into rows.
enum JudgedCells: JSONReadable, Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.scalar(self, expectation: "a record") }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        _destroy(contents)
        guard contents.isComplete else { throw JSONError._missing }
    }

    static func _destroy(_ contents: _Contents) { unsafe CellLayout.of(contents.base).destroy(contents.base) }

    static func _storeNil(at destination: _Destination) {}
}

/// The type that the bindings of arrays name whose text becomes a cell.
enum ArrayCells: JSONReadable, Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding { compiler.scalar(self, expectation: "an array") }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        _ = storeEmpty(at: destination)
    }

    // The elements have been judged, and nothing of them was kept.
    static func _destroy(_ contents: _Contents) {}

    static func _storeNil(at destination: _Destination) { TextCells._storeNil(at: destination) }

    static func storeEmpty(at destination: _Destination) -> Bool { TextCells.storeEmpty(at: destination) }
}
