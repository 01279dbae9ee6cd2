// The memory that a record of a model is read into before its values become cells: one position for each property, in the order of its table.
// The memory of a model inside it is a part of it.
//
//     [layout][is present][presence bits][id: Int?][actor: [layout][is present][presence bits][login: cell]][tags: [String]?]

/// Where the values of a model lie in the memory of a record.
@safe
final class CellLayout: @unchecked Sendable {
    /// What becomes of a property. It has no references to objects, so that making a cell counts none.
    struct Step {
        enum Content {
            /// A number or a boolean of a kind, in an optional.
            case plain(PropertyKind)
            /// A cell.
            case text
            /// A cell that has the text of an array whose elements are rows; the number is that of its table.
            case table(Int)
            /// The properties of a model; the index is that of its layout in ``CellLayout/layouts``.
            case model(Int)
            /// A value that is written first; the index is that in ``CellLayout/values``.
            case value(Int)
        }

        let slot: Int
        let offset: Int
        /// The index of the column, or of the first of several.
        let column: Int
        let content: Content
    }

    /// The memory that a property needs.
    enum Storage {
        /// A cell: a text, or the text of an array whose elements are rows of a table.
        case cell(table: Int?)
        /// A value, which is written first unless it is of a plain kind.
        case value(ColumnValue, plain: PropertyKind?)
        case layout(CellLayout)

        fileprivate var sizeAndAlignment: (Int, Int) {
            switch self {
            case .cell: (MemoryLayout<Cell>.size, MemoryLayout<Cell>.alignment)
            case .value(let value, _): (value.size, value.alignment)
            case .layout(let layout): (layout.size, CellLayout.alignment)
            }
        }
    }

    /// The properties while they are being laid out.
    struct Draft {
        fileprivate let wordCount: Int
        fileprivate var properties: [(step: Step, storage: Storage)] = []
        fileprivate var layouts: [CellLayout] = []
        fileprivate var values: [ColumnValue] = []
        fileprivate var size: Int

        init(slotCount: Int) {
            wordCount = max((slotCount + 63) / 64, 1)
            size = CellLayout.headSize + wordCount * 8
        }

        /// Adds the property of a slot, and returns its offset.
        mutating func add(_ slot: Int, _ storage: Storage, column: Int) -> Int {
            let content: Step.Content
            switch storage {
            case .cell(let table): content = table.map { .table($0) } ?? .text
            case .value(let value, let kind):
                content = kind.map { .plain($0) } ?? .value(values.count)
                values.append(value)
            case .layout(let inner):
                content = .model(layouts.count)
                layouts.append(inner)
            }
            let (fieldSize, alignment) = storage.sizeAndAlignment
            let offset = roundedUp(size, to: alignment)
            size = offset + fieldSize
            properties.append((Step(slot: slot, offset: offset, column: column, content: content), storage))
            return offset
        }
    }

    static let alignment = 16
    /// The address of the layout, and a word that is not 0 if the object is present.
    private static let headSize = 16

    /// What becomes of each property. Like the template, they are never freed.
    let steps: UnsafeBufferPointer<Step>
    /// The layouts of the models inside, and the values that are written first.
    let layouts: [CellLayout]
    let values: [ColumnValue]
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
        let steps = UnsafeMutableBufferPointer<Step>.allocate(capacity: draft.properties.count)
        _ = unsafe steps.initialize(from: draft.properties.map(\.step))
        unsafe self.steps = UnsafeBufferPointer(steps)
        (layouts, values) = (draft.layouts, draft.values)
        size = roundedUp(draft.size, to: CellLayout.alignment)
        wordCount = draft.wordCount
        (self.columns, self.tables) = (columns, tables)
        owned = draft.properties.filter { !$0.storage.isTrivial }.map { ($0.step.offset, $0.storage) }
        unsafe template = .allocate(byteCount: size, alignment: CellLayout.alignment)
        unsafe template.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        for (step, storage) in draft.properties {
            let address = unsafe template + step.offset
            switch storage {
            case .cell: unsafe address.initializeMemory(as: Cell.self, to: Cell())
            case .value(let value, _): unsafe value.initialize(address)
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
            case .value(let value, _): unsafe value.move(source + offset, to: target + offset)
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
            case .value(let value, _): unsafe value.destroy(memory + offset)
            case .layout(let inner): unsafe inner.destroy(memory + offset)
            }
        }
    }
}

extension CellLayout.Storage {
    fileprivate var isTrivial: Bool {
        switch self {
        case .cell: true
        case .value(let value, _): value.isTrivial
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
