// Compiles columns that are known only at run time into property tables whose drafts consist of cells, nested as deeply as the columns.
//
// An object's draft is a cell of the tag `object`, followed by the cells of its columns in order. A scalar, any JSON, and a list each
// have one cell (a list's elements are in the reader's memory); an object has its own cell and those of its columns.
//
//     id: int64, actor: object(login: string), tags: list     [object][id][object][actor.login][tags]

internal import Synchronization

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
    package var holdSensitive: Bool { SensitiveTypes.hold(CellTreeCompiler.row(for: self)) }
}

/// Compiles columns. Tables are never freed, so equal lists of columns share one.
enum CellTreeCompiler {
    /// The row of a record whose columns are not nested.
    static func row(for columns: [Column]) -> RowHandle {
        flatTables.withLock { tables in
            if let known = tables[columns] { return known }
            let made = _BindingCompiler.elementRow(record(columns), addingDepth: 1)
            tables[columns] = made
            return made
        }
    }

    private static let flatTables = Mutex<[[Column]: RowHandle]>([:])

    /// The row of a record with these columns.
    static func row(for columns: [JSONColumn]) -> RowHandle {
        let key = columns.flatMap(KeyPart.parts)
        return tables.withLock { tables in
            if let known = tables[key] { return known }
            let made = _BindingCompiler.elementRow(record(columns), addingDepth: 1)
            tables[key] = made
            return made
        }
    }

    private static let tables = Mutex<[[KeyPart]: RowHandle]>([:])

    /// The key of a column, or of a list's elements; the keys of an object's columns follow. The columns themselves could be keys too, but
    /// the address of an indirect case also carries the case, so LeakSanitizer would find no reference to its box and report a leak.
    private struct KeyPart: Hashable {
        let name: String
        let keys: [JSONKeyPath]
        let isRequired: Bool
        let isSensitive: Bool
        let kind: Int
        let memberCount: Int
        let dates: JSONDateFormat?

        static func parts(of column: JSONColumn) -> [KeyPart] {
            let (kind, members) = kindAndMembers(of: column.type)
            let part = KeyPart(
                name: column.name, keys: column.keys, isRequired: column.isRequired, isSensitive: column.isSensitive, kind: kind,
                memberCount: members.count, dates: column.dates)
            return [part] + members.flatMap(parts)
        }

        private static func kindAndMembers(of type: JSONColumnType) -> (Int, [JSONColumn]) {
            switch type {
            case .bool: (0, [])
            case .int64: (1, [])
            case .double: (2, [])
            case .string: (3, [])
            case .timestamp: (4, [])
            case .json: (5, [])
            case .int32: (8, [])
            case .date: (9, [])
            // Both are at most 18.
            case .decimal(let precision, let scale): (100 + precision * 100 + scale, [])
            case .list(let element): (6, [JSONColumn(name: "", type: element)])
            case .object(let columns): (7, columns)
            }
        }
    }

    private static func record(_ columns: [JSONColumn]) -> _Binding {
        var table = TableCompiler(modelName: "record")
        var draft = [Cell()]
        var required: [Int] = []
        for column in columns {
            if column.isRequired { required.append(draft.count) }
            table.add(
                JSONProperty(
                    name: column.name, typeName: "\(column.type)", keys: column.keys, direction: .reading,
                    presence: column.isRequired ? .required : .optional,
                    policy: JSONPropertyPolicy(date: column.dates, isSensitive: column.isSensitive)),
                offset: draft.count * MemoryLayout<Cell>.stride, binding: binding(column.type, column.dates))
            draft += Array(repeating: Cell(), count: column.type.cellCount)
        }
        return finish(table, draft, required)
    }

    private static func record(_ columns: [Column]) -> _Binding {
        var table = TableCompiler(modelName: "record")
        var draft = [Cell()]
        for column in columns {
            table.add(
                JSONProperty(
                    name: column.name, typeName: column.type.name, keys: column.keys, direction: .reading,
                    presence: .optional,
                    policy: JSONPropertyPolicy(
                        date: column.type.isOfDates ? column.dates : nil, isSensitive: column.isSensitive)),
                offset: draft.count * MemoryLayout<Cell>.stride, binding: binding(column))
            draft.append(.absent)
        }
        return finish(table, draft, [])
    }

    /// - Parameters:
    ///   - draft: The cells of a record without values; the first one is the object's own.
    ///   - required: The indexes of the cells that need a value.
    private static func finish(_ table: consuming TableCompiler, _ draft: [Cell], _ required: [Int]) -> _Binding {
        var draft = draft
        draft[0].tag = .object
        draft[0].count = draft.count
        draft[0].offset = required.isEmpty ? 0 : immortal([required.count] + required)
        let binding = unsafe _BindingCompiler.allocate(
            Binding(kind: .model, type: CellTree.self, expectation: "an object"))
        unsafe draft.withUnsafeBytes { bytes in
            // Safe: there is at least one cell.
            unsafe binding.pointee.model = unsafe table.finish(
                binding: BindingHandle(binding), draft: bytes.baseAddress.unsafelyUnwrapped, draftSize: bytes.count,
                draftAlignment: MemoryLayout<Cell>.alignment, isRow: true
            ).layout
        }
        return unsafe _Binding(BindingHandle(binding))
    }

    /// The address of a copy of the integers that is never freed.
    private static func immortal(_ integers: [Int]) -> Int {
        let memory = UnsafeMutableBufferPointer<Int>.allocate(capacity: integers.count)
        _ = unsafe memory.initialize(fromContentsOf: integers)
        return Int(bitPattern: memory.baseAddress)
    }

    private static func binding(_ type: JSONColumnType, _ dates: JSONDateFormat?) -> _Binding {
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
            return _Binding(_BindingCompiler.immortal(binding))
        case .json:
            return counted(.jsonCell, "a value")
        case .list(let element):
            var list = Binding(kind: .array, type: CellTree.self, expectation: "an array")
            list.builtinArray = .jsonCell
            // Elements may be null, too.
            list.element = _BindingCompiler.elementRow(_Binding(binding(element, dates).pointer, depth: 1))
            list.elementStride = element.cellCount * MemoryLayout<Cell>.stride
            list.elementAlignment = MemoryLayout<Cell>.alignment
            return _Binding(_BindingCompiler.immortal(list))
        case .object(let columns): return record(columns)
        }
    }

    private static func binding(_ column: Column) -> _Binding {
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
        return _Binding(_BindingCompiler.immortal(binding))
    }

    private static func counted(_ kind: PropertyKind, _ expectation: String) -> _Binding {
        var binding = Binding(kind: kind, type: CellTree.self, expectation: expectation)
        binding.isCounted = true
        return _Binding(_BindingCompiler.immortal(binding))
    }
}

extension JSONColumnType {
    /// How many cells a value of the type has in its record.
    var cellCount: Int {
        guard case .object(let columns) = self else { return 1 }
        return columns.reduce(1) { $0 + $1.type.cellCount }
    }
}
