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
        guard contents.isComplete else { throw JSONError._missing }
        // Safe: a draft begins with its object's cell, which has the count of cells.
        let cells = unsafe contents.base.assumingMemoryBound(to: Cell.self)
        unsafe destination.address.assumingMemoryBound(to: Cell.self).update(from: cells, count: cells.pointee.count)
    }

    static func _storeNil(at destination: _Destination) {
        // Safe: only lists and objects can be null here, and both begin with a cell.
        unsafe destination.address.assumingMemoryBound(to: Cell.self).initialize(to: Cell())
    }

    static func relocate(_ contents: _Contents, to address: UnsafeMutableRawPointer) {
        unsafe address.copyMemory(from: contents.base, byteCount: contents.count * contents.stride)
    }
}

/// The property table of rows with columns that are named at run time. It is shared by all readers and threads, and freed with the last of them.
@safe
package final class RowPlan: Sendable {
    /// A row's cells, from that of the object on.
    let row: RowHandle
    let cellCount: Int
    private let memory: TableStorage

    /// - Parameter isCounted: Whether dates are microseconds or days since 1970, and numbers have no more digits than their type keeps, as
    ///   Arrow has them; otherwise as tables store them, as texts and with all digits.
    package init(_ columns: [JSONColumn], isCounted: Bool = false) {
        memory = TableStorage()
        cellCount = columns.reduce(1) { $0 + $1.type.cellCount }
        row = _BindingCompiler.elementRow(
            CellTreeCompiler(isCounted: isCounted, memory: memory).record(columns), addingDepth: 1, in: memory)
    }
}

/// Compiles columns into tables.
private struct CellTreeCompiler {
    let isCounted: Bool
    let memory: TableStorage

    func record(_ columns: [JSONColumn]) -> _Binding {
        var table = TableCompiler(modelName: "record", in: memory)
        var draft = [Cell()]
        for column in columns {
            // Tables may refuse rows themselves, and rows that are merged need no value for each column.
            let isRequired = isCounted && column.isRequired
            table.add(
                JSONProperty(
                    name: column.name, typeName: "", keys: column.keys, direction: .reading,
                    presence: isRequired ? .required : .optional,
                    policy: JSONPropertyPolicy(date: column.dates, isSensitive: column.isSensitive)),
                offset: draft.count * MemoryLayout<Cell>.stride, binding: binding(column.type, column))
            draft += Array(repeating: .absent, count: column.type.cellCount)
        }
        draft[0].tag = .object
        draft[0].count = draft.count
        var model = Binding(kind: .model, type: CellTree.self, expectation: "an object")
        model.holdsSensitive = columns.holdSensitive
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

    /// - Parameter column: The column. If the type is that of a list's elements, the column of the list.
    private func binding(_ type: ColumnType, _ column: JSONColumn) -> _Binding {
        var binding: Binding
        switch type {
        case .bool: binding = cell(.boolCell, "a boolean")
        case .integer: binding = cell(.integerCell, "an integer")
        case .int32: binding = cell(.int32Cell, "an integer of 32 bits")
        case .real: binding = cell(.realCell, "a number")
        case .text: binding = cell(.textCell, "a string, number or boolean")
        case .timestamp: binding = cell(.momentCell, column.dates?.expectation(isDay: false) ?? "a date")
        case .date: binding = cell(.dayCell, column.dates?.expectation(isDay: true) ?? "a date without a time")
        case .json: binding = cell(.jsonCell, "a value")
        case .decimal(let precision, let scale):
            let digits = ColumnType.decimalDigits
            let (whole, places) = (min(max(precision, digits.lowerBound), digits.upperBound), max(scale, 0))
            binding = cell(
                .decimalCell, "a number with at most \(whole) digits, \(min(places, whole)) of them after the point")
            binding.precision = UInt8(whole)
            binding.scale = UInt8(min(places, whole))
        case .list(let element):
            binding = Binding(kind: .array, type: CellTree.self, expectation: "an array")
            binding.builtinArray = .jsonCell
            // Elements may be null, too.
            binding.element = _BindingCompiler.elementRow(
                _Binding(self.binding(element, column).pointer, depth: 1), in: memory)
            binding.holdsSensitive = element.holdsSensitive
            binding.elementStride = element.cellCount * MemoryLayout<Cell>.stride
            binding.elementAlignment = MemoryLayout<Cell>.alignment
        case .object(let columns): return record(columns)
        }
        binding.isTolerant = column.isTolerant
        return _Binding(_BindingCompiler.placed(binding, in: memory))
    }

    private func cell(_ kind: PropertyKind, _ expectation: String) -> Binding {
        var binding = Binding(kind: kind, type: CellTree.self, expectation: expectation)
        binding.isCounted = isCounted
        return binding
    }
}

extension ColumnType {
    /// How many cells a value of the type has in its record.
    var cellCount: Int {
        guard case .object(let columns) = self else { return 1 }
        return columns.reduce(1) { $0 + $1.type.cellCount }
    }
}
