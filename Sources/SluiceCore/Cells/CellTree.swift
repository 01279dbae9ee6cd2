// Compiles columns that are known only at run time into property tables whose drafts consist of cells, nested as deeply as the columns.
//
// An object's draft is a cell of the tag `object`, followed by the cells of its columns in order. A scalar, any JSON, and a list each
// have one cell (a list's elements are in the reader's memory); an object has its own cell and those of its columns.
//
//     id: int64, actor: object(login: string), tags: list     [object][id][object][actor.login][tags]

/// The type that all bindings of cells name. It copies finished objects, which consist of cells, unless they were filled in their place.
enum CellTree: JSONReadable, Assembly {
    static func _bind(_ compiler: inout _BindingCompiler) -> _Binding {
        compiler.scalar(self, expectation: "a record")
    }

    static func _complete(_ contents: _Contents, at destination: _Destination) throws(JSONError) {
        // Safe: a draft begins with its object's cell, which has the count of cells and the list of required ones.
        let cells = unsafe contents.base.assumingMemoryBound(to: Cell.self)
        let head = unsafe cells.pointee
        if let required = unsafe UnsafePointer<Int>(bitPattern: head.offset) {
            // The list has the count of required cells, then their indexes.
            for number in 0..<(unsafe required.pointee) where unsafe cells[required[number + 1]].tag == .null {
                throw JSONError._missing
            }
        }
        unsafe destination.address.assumingMemoryBound(to: Cell.self).update(from: cells, count: head.count)
    }

    static func _storeNil(at destination: _Destination) {
        // Safe: only lists and objects can be null here, and both begin with a cell.
        unsafe destination.address.assumingMemoryBound(to: Cell.self).initialize(to: Cell())
    }

    static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe address.copyMemory(from: contents.base, byteCount: contents.count * contents.stride)
    }
}

extension [JSONColumn] {
    /// Whether a column is sensitive, at any depth.
    package var holdSensitive: Bool { contains { $0.isSensitive || $0.type.holdsSensitive } }
}

/// The property table of rows with columns that are named at run time. It is shared by all readers and threads, and freed with the last of them.
@safe
package final class RowPlan: Sendable {
    /// A row's cells, from that of the object on.
    let row: RowHandle
    let cellCount: Int
    private let memory: TableMemory

    /// The plan of a record whose columns are not nested.
    package init(_ columns: [Column]) {
        memory = TableMemory()
        cellCount = 1 + columns.count
        row = CellTreeCompiler(memory: memory).row(columns)
    }

    /// The plan of a record with these columns.
    package init(_ columns: [JSONColumn]) {
        memory = TableMemory()
        cellCount = columns.reduce(1) { $0 + $1.type.cellCount }
        row = CellTreeCompiler(memory: memory).row(columns)
    }
}

/// Compiles columns into tables.
private struct CellTreeCompiler {
    let memory: TableMemory

    func row(_ columns: [Column]) -> RowHandle { _BindingCompiler.elementRow(record(columns), addingDepth: 1, in: memory) }

    func row(_ columns: [JSONColumn]) -> RowHandle { _BindingCompiler.elementRow(record(columns), addingDepth: 1, in: memory) }

    private func record(_ columns: [JSONColumn]) -> _Binding {
        var table = TableCompiler(modelName: "record", in: memory)
        var draft = [Cell()]
        var required: [Int] = []
        for column in columns {
            if column.isRequired { required.append(draft.count) }
            table.add(
                JSONProperty(
                    name: column.name, typeName: "", keys: column.keys, direction: .reading,
                    presence: column.isRequired ? .required : .optional,
                    policy: JSONPropertyPolicy(date: column.dates, isSensitive: column.isSensitive)),
                offset: draft.count * MemoryLayout<Cell>.stride, binding: binding(column.type, column.dates))
            draft += Array(repeating: Cell(), count: column.type.cellCount)
        }
        return finish(table, draft, required, holdsSensitive: columns.holdSensitive)
    }

    private func record(_ columns: [Column]) -> _Binding {
        var table = TableCompiler(modelName: "record", in: memory)
        var draft = [Cell()]
        for column in columns {
            table.add(
                JSONProperty(
                    name: column.name, typeName: "", keys: column.keys, direction: .reading,
                    presence: .optional,
                    policy: JSONPropertyPolicy(
                        date: column.type.isOfDates ? column.dates : nil, isSensitive: column.isSensitive)),
                offset: draft.count * MemoryLayout<Cell>.stride, binding: binding(column))
            draft.append(.absent)
        }
        return finish(table, draft, [], holdsSensitive: columns.contains(where: \.isSensitive))
    }

    /// - Parameters:
    ///   - draft: The cells of a record without values; the first one is the object's own.
    ///   - required: The indexes of the cells that need a value.
    private func finish(
        _ table: consuming TableCompiler, _ draft: [Cell], _ required: [Int], holdsSensitive: Bool
    ) -> _Binding {
        var draft = draft
        draft[0].tag = .object
        draft[0].count = draft.count
        if !required.isEmpty {
            // The list has its own length first.
            let list = unsafe memory.allocate(Int.self, required.count + 1)
            unsafe list.initialize(from: [required.count] + required, count: required.count + 1)
            draft[0].offset = Int(bitPattern: list)
        }
        var model = Binding(kind: .model, type: CellTree.self, expectation: "an object")
        model.holdsSensitive = holdsSensitive
        let binding = unsafe _BindingCompiler.allocate(model, in: memory)
        unsafe draft.withUnsafeBytes { bytes in
            // Safe: there is at least one cell.
            unsafe binding.pointee.model = unsafe table.finish(
                binding: BindingHandle(binding), draft: bytes.baseAddress.unsafelyUnwrapped, draftSize: bytes.count,
                draftAlignment: MemoryLayout<Cell>.alignment, isRow: true
            ).layout
        }
        return unsafe _Binding(BindingHandle(binding))
    }

    private func binding(_ type: JSONColumnType, _ dates: JSONDateFormat?) -> _Binding {
        switch type {
        case .bool: return counted(.boolCell, "a boolean")
        case .int64: return counted(.integerCell, "an integer")
        case .double: return counted(.realCell, "a number")
        case .string: return counted(.textCell, "a string, number or boolean")
        case .timestamp: return counted(.momentCell, dates?.expectation(isDay: false) ?? "a date")
        case .int32: return counted(.int32Cell, "an integer of 32 bits")
        case .date: return counted(.dayCell, dates?.expectation(isDay: true) ?? "a date without a time")
        case .decimal(let precision, let scale):
            let digits = JSONColumnType.decimalDigits
            let (whole, behind) = (min(max(precision, digits.lowerBound), digits.upperBound), max(scale, 0))
            var binding = Binding(
                kind: .decimalCell, type: CellTree.self,
                expectation: "a number with at most \(whole) digits, \(min(behind, whole)) of them behind the point")
            binding.precision = UInt8(whole)
            binding.scale = UInt8(min(behind, whole))
            return _Binding(_BindingCompiler.placed(binding, in: memory))
        case .json:
            return counted(.jsonCell, "a value")
        case .list(let element):
            var list = Binding(kind: .array, type: CellTree.self, expectation: "an array")
            list.builtinArray = .jsonCell
            // Elements may be null, too.
            list.element = _BindingCompiler.elementRow(_Binding(binding(element, dates).pointer, depth: 1), in: memory)
            list.holdsSensitive = element.holdsSensitive
            list.elementStride = element.cellCount * MemoryLayout<Cell>.stride
            list.elementAlignment = MemoryLayout<Cell>.alignment
            return _Binding(_BindingCompiler.placed(list, in: memory))
        case .object(let columns): return record(columns)
        }
    }

    private func binding(_ column: Column) -> _Binding {
        let (kind, expectation): (PropertyKind, String) =
            switch column.type {
            case .integer: (.integerCell, "an integer")
            case .real: (.realCell, "a number")
            case .text: (.textCell, "a string, number or boolean")
            case .bool: (.boolCell, "a boolean")
            case .date: (.dayCell, column.dates?.expectation(isDay: true) ?? "a date without a time")
            case .timestamp: (.momentCell, column.dates?.expectation(isDay: false) ?? "a date")
            case .json: (.jsonCell, "a value")
            }
        var binding = Binding(kind: kind, type: CellTree.self, expectation: expectation)
        binding.isTolerant = column.isTolerant
        return _Binding(_BindingCompiler.placed(binding, in: memory))
    }

    private func counted(_ kind: PropertyKind, _ expectation: String) -> _Binding {
        var binding = Binding(kind: kind, type: CellTree.self, expectation: expectation)
        binding.isCounted = true
        return _Binding(_BindingCompiler.placed(binding, in: memory))
    }
}

extension JSONColumnType {
    /// Whether a column inside is sensitive.
    fileprivate var holdsSensitive: Bool {
        switch self {
        case .list(let element): element.holdsSensitive
        case .object(let columns): columns.holdSensitive
        default: false
        }
    }

    /// How many cells a value of the type has in its record.
    var cellCount: Int {
        guard case .object(let columns) = self else { return 1 }
        return columns.reduce(1) { $0 + $1.type.cellCount }
    }
}
