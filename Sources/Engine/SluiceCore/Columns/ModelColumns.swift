// Turns a model's property table into the columns of a table in a database, and into a second table that reads records of the model into
// cells. The second table has the first one's keys, policies and bindings, so it accepts and refuses the same records; only what it stores
// differs: a string is a cell, a model inside is a layout of its own, and everything else has the type that the model would hold.
//
//     struct Event { var id: Int; var actor: Actor?; var tags: [String]; var at: Date }      struct Actor { var login: String }
//
//     column         type      is read as
//     id             integer   Int?
//     actor_login    text      a cell, in the layout of Actor
//     tags           json      [String]?, and written as the model writes it
//     at             timestamp Date?, and written as ISO 8601
//
// The columns of an inlined model stand at its position, without its name before theirs. An array whose elements are to be rows of a table of
// their own is read for its verdict, and its text is a cell; another reader turns the elements into rows.

internal import Synchronization

/// The columns of a model.
@safe
package final class ModelColumns: Sendable {
    /// The model's name.
    package let modelName: String
    package let columns: [JSONColumn]
    /// The arrays whose elements are rows of tables of their own.
    package let tables: [ModelTable]
    /// Whether errors must not show the text of records.
    package let holdsSensitive: Bool
    /// The row of a record.
    let row: RowHandle
    let layout: CellLayout

    fileprivate init(_ made: ColumnCompiler.Made, _ compiler: ColumnCompiler, _ table: PropertyTable) {
        modelName = table.modelName
        columns = compiler.columns
        tables = compiler.tables
        layout = made.layout
        row = _BindingCompiler.elementRow(made.binding)
        holdsSensitive = SensitiveTypes.hold(made.binding.pointer)
    }

    /// The columns of a model. They are compiled once for each type.
    ///
    /// - Throws: ``JSONError`` of kind `invalidModel` whose ``JSONError/found`` names what cannot be a column.
    package static func of<Model: JSONModel>(_ type: Model.Type) throws(JSONError) -> ModelColumns {
        // Tables are never freed, so a type gets one.
        let known = Self.known.withLock { $0[ObjectIdentifier(type)] }
        let result = known ?? compiled(BindingRegistry.shared.binding(for: type).pointer, "\(type)")
        if known == nil { Self.known.withLock { $0[ObjectIdentifier(type)] = result } }
        return try result.get()
    }

    private static let known = Mutex<[ObjectIdentifier: Result<ModelColumns, JSONError>]>([:])

    private static func compiled(_ binding: BindingHandle, _ name: String) -> Result<ModelColumns, JSONError> {
        do throws(JSONError) {
            if let problem = ColumnCompiler.problem(ofRoot: binding) { throw .noColumns("\(name) \(problem)") }
            guard let layout = binding.model else { throw .noColumns("\(name) is no model") }
            return .success(try ColumnCompiler.columns(of: binding, layout, name, inside: ColumnCompiler.Surroundings()))
        } catch {
            return .failure(error)
        }
    }
}

/// An array of a model whose elements are rows of a table of their own.
package struct ModelTable: Sendable {
    /// The part of the table's name after the name of the records' table; nil for the path of the array.
    package let name: String?
    /// The array's text, after the columns of the records' table.
    package let column: JSONColumn
    /// The columns of the elements.
    package let elements: ModelColumns
}

extension JSONError {
    fileprivate static func noColumns(_ words: String) -> JSONError { JSONError(.invalidModel, found: words) }
}

/// Compiles the properties of a model and of those inside it.
private struct ColumnCompiler {
    typealias Made = (binding: _Binding, layout: CellLayout)

    /// The position of a model in the record.
    struct Surroundings {
        /// The models around this one, its own included.
        var tables: [PropertyTable] = []
        /// The beginning of the columns' names.
        var prefix = ""
        /// The keys that lead to the model.
        var keys: [String] = []
        /// The names of the properties that lead to the model, each followed by a point.
        var words = ""
        var isSensitive = false
        /// Whether each record has the model.
        var isRequired = true
    }

    private(set) var columns: [JSONColumn] = []
    private(set) var tables: [ModelTable] = []
    /// For each column, the property that it belongs to.
    private var properties: [String] = []

    /// The columns of a model, or of the elements of an array inside another one.
    static func columns(
        of model: BindingHandle, _ layout: LayoutHandle, _ name: String, inside outer: Surroundings
    ) throws(JSONError) -> ModelColumns {
        if let problem = layout.table.problem { throw problem }
        var compiler = ColumnCompiler()
        let made = try compiler.object(model, layout, inside: outer)
        try compiler.checkNames(of: name)
        return ModelColumns(made, compiler, layout.table)
    }

    // MARK: A model

    private mutating func object(
        _ model: BindingHandle, _ layout: LayoutHandle, inside outer: Surroundings
    ) throws(JSONError) -> Made {
        let source = layout.table
        var table = TableCompiler(modelName: source.modelName)
        table.unknownKeys = layout.level.unknownKeys
        table.collectorSlot = source.properties.firstIndex(where: \.isCollector)
        table.variant = source.variant
        let (first, firstTable) = (columns.count, tables.count)
        var memory = CellLayout.Draft(slotCount: source.properties.count)
        for (slot, property) in source.properties.enumerated() {
            guard let binding = source.bindings[slot] else {
                // Safe: there is a first row for each slot.
                unsafe table.add(property, offset: nil, binding: _Binding(layout.firstRows[slot].binding))
                continue
            }
            let position = try self.location(of: property, binding, inside: outer, in: source)
            table.add(property, offset: memory.add(slot, position.storage, column: position.column), binding: position.binding)
        }
        let made = CellLayout(memory, columns: first..<columns.count, tables: firstTable..<tables.count)
        var binding = Binding(kind: .model, type: ModelCells.self, expectation: model.expectation)
        binding.namedType = model.spelledType
        let own = unsafe _BindingCompiler.allocate(binding)
        unsafe own.pointee.model = unsafe table.finish(
            binding: BindingHandle(own), draft: UnsafeRawPointer(made.template), draftSize: made.size,
            draftAlignment: CellLayout.alignment
        ).layout
        return unsafe (_Binding(BindingHandle(own)), made)
    }

    /// What becomes of a property.
    private mutating func location(
        of property: JSONProperty, _ binding: _Binding, inside outer: Surroundings, in table: PropertyTable
    ) throws(JSONError) -> (storage: CellLayout.Storage, column: Int, binding: _Binding) {
        let handle = binding.pointer
        var inner = outer
        inner.tables.append(table)
        inner.words += property.name
        inner.isSensitive = outer.isSensitive || property.policy.isSensitive
        inner.isRequired = outer.isRequired && property.presence == .required && binding.depth == 0
        let keys = property.isInlined ? [] : property.keys.first?.components ?? [property.name]
        inner.keys += keys
        let layout = flattened(binding, property, inner)
        // Without a name of its own, an inlined model puts nothing before the names of its columns.
        let name = property.column.name ?? (property.isInlined ? layout == nil ? property.name : "" : keys.joined(separator: "_"))
        inner.prefix += name
        if let layout {
            let column = columns.count
            var deeper = inner
            deeper.words += "."
            if !name.isEmpty { deeper.prefix += "_" }
            let made = try object(handle, layout, inside: deeper)
            return (.layout(made.layout), column, _Binding(made.binding.pointer, depth: binding.depth))
        }
        let allKeys = property.allKeys(binding, after: outer.keys)
        if property.column.elements != nil {
            return try rows(of: property, binding, allKeys, inner, in: table)
        }
        let natural = handle.naturalColumnType
        let type = property.column.type ?? natural
        guard handle.columnTypes.contains(type) else {
            let choices = handle.columnTypes.map(\.name).joined(separator: ", ")
            throw .noColumns(
                "\(table.modelName).\(property.name) is of type \(TypeSpelling.of(handle.spelledType)), which has no column of type \(type.name); it can be \(choices)"
            )
        }
        let column = columns.count
        columns.append(
            JSONColumn(
                name: inner.prefix, type: type, keys: allKeys, isRequired: inner.isRequired && handle.isNeverNull,
                isSensitive: inner.isSensitive || SensitiveTypes.hold(handle)))
        properties.append(inner.words)
        if handle.kind.isText, binding.depth == 0, type == .text {
            return (.cell(table: nil), column, _Binding(_BindingCompiler.textCell(for: handle)))
        }
        guard let value = ColumnValue.make(of: handle, depth: binding.depth + 1) else {
            throw .noColumns(
                "\(table.modelName).\(property.name) is of type \(TypeSpelling.of(handle.spelledType)), which can be read and not written: a column needs its JSON; conform it to JSONWritable, or exclude it with @JSONIgnored(.reading)"
            )
        }
        let isPlain = handle.kind.columnType != nil && binding.depth == 0 && type == natural
        value.columnType = type
        value.date = type.isOfDates ? .iso8601 : property.policy.date
        value.data = property.policy.dataFormat
        return (.value(value, plain: isPlain ? handle.kind : nil), column, binding)
    }

    /// Makes the elements of an array the rows of a table.
    private mutating func rows(
        of property: JSONProperty, _ binding: _Binding, _ keys: [JSONKeyPath], _ inner: Surroundings, in table: PropertyTable
    ) throws(JSONError) -> (storage: CellLayout.Storage, column: Int, binding: _Binding) {
        let handle = binding.pointer
        let name = "\(table.modelName).\(property.name)"
        guard handle.kind == .array, handle.builtinArray == .model, binding.depth == 0, let element = handle.element,
            let layout = element.binding.model
        else {
            throw .noColumns(
                "\(name) is of type \(TypeSpelling.of(handle.spelledType)), which has no table of its own; only an array of a model has"
            )
        }
        if let problem = ColumnCompiler.problem(ofRoot: element.binding) {
            throw .noColumns("\(name) has no table of its own: \(TypeSpelling.of(element.binding.spelledType)) \(problem)")
        }
        guard !inner.tables.contains(where: { $0 === layout.table }) else {
            throw .noColumns("\(name) has no table of its own, because \(layout.table.modelName) is inside itself")
        }
        guard !property.policy.dropsElements else {
            throw .noColumns("\(name) has no table of its own, because elements that do not fit are left out of it")
        }
        guard property.policy.constraints == nil else {
            throw .noColumns("\(name) has no table of its own, because its constraints are about the array as a whole")
        }
        var around = inner
        around.prefix = ""
        around.keys = []
        around.words += "."
        around.isRequired = true
        let elements = try ColumnCompiler.columns(of: element.binding, layout, layout.table.modelName, inside: around)
        tables.append(
            ModelTable(
                name: property.column.name == nil ? nil : inner.prefix,
                column: JSONColumn(
                    name: inner.prefix, type: .json, keys: keys, isTolerant: true,
                    isSensitive: inner.isSensitive || SensitiveTypes.hold(handle)),
                elements: elements))
        let cell = _BindingCompiler.arrayText(of: handle, judgedBy: elements)
        return (.cell(table: tables.count - 1), columns.count, _Binding(cell))
    }

    /// The layout of a property's model if its properties have columns of their own; nil if the property has one column.
    private func flattened(_ binding: _Binding, _ property: JSONProperty, _ inner: Surroundings) -> LayoutHandle? {
        guard binding.pointer.kind == .model, binding.depth == 0, property.column.type == nil,
            property.column.elements == nil,
            ColumnCompiler.problem(ofRoot: binding.pointer) == nil, let layout = binding.pointer.model,
            layout.table.problem == nil,
            !inner.tables.contains(where: { $0 === layout.table }), layout.table.bindings.contains(where: { $0 != nil })
        else { return nil }
        return layout
    }

    // MARK: Checks

    /// Why the properties of a type cannot be columns, as the end of a sentence about it; nil if they can.
    static func problem(ofRoot binding: BindingHandle) -> String? {
        switch binding.kind {
        case .model: break
        case .captured:
            return
                "is chosen among several types, or has a hook that sees its JSON first: its records have no columns that are known in advance"
        default: return "is no object with properties"
        }
        // Safe: a binding of kind `model` always has a layout by the time its table is handed out.
        let layout = unsafe binding.model.unsafelyUnwrapped
        if layout.isPositional { return "is read from arrays, and columns are read from objects" }
        if layout.hasHook || layout.table.isObserving {
            return
                "has a hook that runs when a value has been read, and no value is made of a record for its columns: read the feed, and store the values"
        }
        return nil
    }

    /// Checks that no two columns have one name, whatever the case of its letters.
    func checkNames(of model: String) throws(JSONError) {
        guard !columns.isEmpty else { throw .noColumns("\(model) has no property that is a column") }
        var owners: [String: String] = [:]
        for (column, property) in zip(columns, properties) {
            let name = column.name.lowercased()
            if name.isEmpty { throw .noColumns("\(model): the name of the column of '\(property)' is empty") }
            if let other = owners[name] {
                throw .noColumns(
                    "\(model): the properties '\(other)' and '\(property)' both have the column '\(column.name)'; name one of them with @JSONColumn"
                )
            }
            owners[name] = property
        }
    }
}

extension JSONProperty {
    /// The keys of the property after those of the models around it; for an inlined one, those of its value.
    fileprivate func allKeys(_ binding: _Binding, after outer: [String]) -> [JSONKeyPath] {
        if isInlined, let inlined = InlinedKeys.of(binding.pointer), !inlined.isEmpty {
            return inlined.map { JSONKeyPath(components: outer + [$0]) }
        }
        let own = keys.isEmpty ? [JSONKeyPath(components: [name])] : keys
        return own.map { JSONKeyPath(components: outer + $0.components) }
    }
}

extension PropertyKind {
    /// The type of a column that has the values of the kind as they are; nil if there is none. A column of integers has 64 bits with a sign.
    fileprivate var columnType: ColumnType? {
        switch self {
        case .bool: .bool
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
        case .float, .double: .real
        default: nil
        }
    }
}

extension TableHandle where Content == Binding {
    /// The column type that holds all values of the type.
    fileprivate var naturalColumnType: ColumnType {
        switch kind {
        case .uint64, .int128, .uint128, .string, .substring: .text
        case .scalar where adapter == .none: scalarColumnType
        default: kind.columnType ?? .json
        }
    }

    /// Integers and strings for enums with such raw values, dates for dates, and text for all others.
    private var scalarColumnType: ColumnType {
        if type is any DatedScalar.Type { return .timestamp }
        func open<Raw: RawRepresentable>(_ type: Raw.Type) -> ColumnType {
            guard let raw = Raw.RawValue.self as? any JSONScalarReadable.Type else { return .text }
            return PropertyKind(ofScalar: raw).columnType ?? .text
        }
        guard let raw = type as? any RawRepresentable.Type else { return .text }
        return open(raw)
    }

    /// Whether no value of the type is written as null. A type of one's own, or any JSON, may be.
    fileprivate var isNeverNull: Bool {
        switch kind {
        case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128: true
        case .string, .substring: true
        // A number that is not finite is null in SQLite.
        case .float, .double: false
        case .array, .dictionary: adapter == .none
        case .scalar where adapter == .none: type is any DatedScalar.Type || scalarColumnType != .text
        default: false
        }
    }

    /// The column types that a property of the type may declare.
    fileprivate var columnTypes: [ColumnType] {
        switch kind {
        case .bool: [.bool, .integer, .text, .json]
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128: [.integer, .real, .text, .json]
        case .float, .double: [.real, .text, .json]
        case .string, .substring: [.text, .json]
        case .scalar where adapter == .none:
            type is any DatedScalar.Type ? ColumnType.ofTables.filter { $0 != .bool } : scalarColumnTypes
        default: [.json, .text]
        }
    }

    private var scalarColumnTypes: [ColumnType] { ColumnType.ofTables.filter { !$0.isOfDates } }
}

extension _BindingCompiler {
    /// The binding of a string that is kept as a cell.
    fileprivate static func textCell(for string: BindingHandle) -> BindingHandle {
        var binding = Binding(kind: .modelText, type: TextCells.self, expectation: string.expectation)
        binding.namedType = string.spelledType
        return placed(binding)
    }

    /// The binding of an array whose text is kept as a cell, and whose elements are judged and not kept.
    fileprivate static func arrayText(of array: BindingHandle, judgedBy elements: ModelColumns) -> BindingHandle {
        let model = elements.row.binding
        var judged = Binding(kind: .model, type: JudgedCells.self, expectation: model.expectation)
        judged.namedType = model.spelledType
        judged.model = model.model
        var binding = Binding(kind: .array, type: ArrayCells.self, expectation: array.expectation)
        binding.namedType = array.spelledType
        binding.builtinArray = .modelText
        binding.element = elementRow(_Binding(placed(judged)))
        return placed(binding)
    }
}

extension JSONPropertyPolicy {
    /// Whether an array leaves out elements that do not fit.
    fileprivate var dropsElements: Bool { JSONElementPolicy.drops(elements, conversions) }
}

extension JSONElementPolicy {
    /// Whether elements that do not fit are left out. Without a policy, the profile of the conversions decides.
    package static func drops(_ elements: JSONElementPolicy?, _ conversions: JSONConversions?) -> Bool {
        elements.map { $0 != .strict } ?? (conversions?.profile == .yyModel)
    }
}
