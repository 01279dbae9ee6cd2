// Turns the bytes of a record into the cells of a row, and adds columns for unknown keys. A late column is a column that is added
// after the sample, for an unknown key.
//
//     most columns             one reader, one pass
//     late columns             further readers, only for records with unknown keys; now and then all are merged
//     a value where others     taken from the record as a whole, which is read anyway because of this value
//     have an object

package import SluiceCore
package import SluiceSchema

/// Reads records into the columns of a table.
@safe
package final class RowReader {
    /// Whether a record is stored.
    package enum Decision {
        case store
        /// The contract drops the record.
        case discard
    }

    private let contract: KeyContract
    /// Whether values that no column reads are just left out. Then counting their keys is enough.
    package let countsKeys: Bool
    private let flattening: Flattening
    private let types: [TypeOption]
    package private(set) var layout: TableLayout
    private var keys: ReadKeys
    // Access to these is not checked at run time, because they are used for each record. Nothing that is called meanwhile uses
    // them again.
    @safe @exclusivity(unchecked) private var main: ColumnReader
    @safe @exclusivity(unchecked) private var mainIndices: [Int]
    /// Which of the main reader's columns have only had null so far. The first value decides the type.
    @safe @exclusivity(unchecked) private var undecided: [Int]
    /// Whether a sink can still give a type to such a column.
    private let takesLateTypes: Bool
    /// The columns that workers read: those of the main reader.
    package let workerColumns: WorkerColumns
    /// The readers of the columns that were added since the last merge. A new reader takes over the columns of every reader that
    /// has no more columns than itself. So each reader has fewer columns than the one before it, and a column is taken over only a
    /// few times, however many columns there are.
    private var late: [LateReader] = []
    private var reader: JSONReader
    /// The columns whose values no record has.
    package let made: [MadeColumn]
    /// Whether one of them takes the record's number.
    package var hasNumbers: Bool { made.first?.source == .recordNumber }
    private let overflowIndex: Int?
    /// Whether records are merged into the table's rows; if not, each record is a row of its own.
    private let merges: Bool
    /// The columns that the table has.
    private let known: KnownColumns
    /// The schema that each record must fit; nil for the elements of arrays.
    private let schema: JSONSchema?
    /// Whether the columns are those of a model. Of a property's keys, one may have a value where the path of another ends.
    private let isModel: Bool
    /// Whether the layout has columns for values in positions where other records have objects or arrays, or columns inside of values that
    /// are taken whole.
    @safe @exclusivity(unchecked) private var hasVariants: Bool
    /// Whether a record that a worker has read is to be read again here, because its values may clear columns of its row.
    package var readsAllAgain: Bool { merges && hasVariants }
    /// Whether records with a gap on a path are to be read again here.
    package var readsGapsAgain: Bool { merges }

    /// How many records had unknown keys since the readers were last merged, and how many of them cause the next merge.
    private var secondLooks = 0
    private var enoughLooks = 16
    private static let enoughLateColumns = 32

    /// A reader of late columns, with their indices in the table.
    private typealias LateReader = (reader: ColumnReader, indices: [Int])

    /// Keys whose values went into no column, those of child tables included.
    package let unknownKeys: UnknownKeys
    /// The late columns, with the position where the key of each was found first.
    package private(set) var lateColumns: [UnknownKey] = []
    package private(set) var discarded = 0
    /// Whether keys have no column because the table has as many as it may.
    package private(set) var lacksColumns = false
    /// The first object that got so many late keys that it may be a dictionary, as reports show it; nil if there is none.
    package private(set) var crowdedObject: String?
    /// The declared columns whose keys no record has had so far.
    @safe @exclusivity(unchecked) private var unseen: [Int]
    /// Whether workers make text of records, so that nothing is read here.
    private let isText: Bool

    // MARK: Arrays whose elements are rows of their own

    /// What the readers of child tables need; nil if there are none.
    package typealias Children = (shared: ChildReading, table: String, key: [Int])
    private let childReading: Children?
    /// The reader of the array whose elements these rows are; nil for the records' own.
    package unowned var owner: ChildReader?
    /// The readers of the child tables, in the order of the layout.
    @safe @exclusivity(unchecked) package private(set) var children: [ChildReader] = []
    /// The arrays of the record that was read last, for each child table: a text, null, or nil where the record lacks the key.
    @exclusivity(unchecked) private var arrays: [UnsafeBufferPointer<UInt8>??] = unsafe []

    /// - Parameters:
    ///   - known: The columns of the table.
    ///   - merges: Whether records are merged into its rows.
    ///   - model: The model whose columns these are, or nil.
    ///   - schema: What each record must fit; nil for none.
    ///   - takesLateTypes: Whether a sink can still give a type to a column that has only had null.
    ///   - unknownKeys: Counts the keys whose values go into no column.
    package init(
        _ layout: TableLayout, contract: KeyContract, flattening: Flattening, types: [TypeOption], watchesColumns: Bool,
        children childReading: Children? = nil, isText: Bool = false, known: KnownColumns = KnownColumns(),
        merges: Bool = false, model: ModelReading? = nil, schema: JSONSchema? = nil, takesLateTypes: Bool = false,
        unknownKeys: UnknownKeys
    ) {
        self.unknownKeys = unknownKeys
        (self.known, self.merges, self.takesLateTypes) = (known, merges, takesLateTypes)
        isModel = model != nil
        self.schema = schema
        reader = JSONReader(options: model?.options ?? JSONReader.Options())
        hasVariants =
            layout.columns.contains { column in
                column.source == .variant || column.source == .covered
            } || layout.children.contains(where: \.isCovered)
        self.layout = layout
        self.childReading = childReading
        self.isText = isText
        reader.hidesText = layout.holdsSensitive
        self.contract = contract
        self.flattening = flattening.below(layout.home)
        self.types = types
        keys = ReadKeys(layout)
        let indices =
            layout.columns.indices.filter { layout.columns[$0].read != nil }
            + layout.children.enumerated().compactMap { $1.isCovered ? nil : ChildTable.index(of: $0, $1.kind) }
        mainIndices = indices
        // The columns of text may read one value several times, which cells cannot.
        let columns = !isText ? indices.compactMap { layout.readColumn(at: $0) } : []
        let plan = RowPlan(model == nil ? columns : [])
        undecided = !isText ? indices.indices.filter { indices[$0] >= 0 && layout.columns[indices[$0]].isUndecided } : []
        workerColumns = WorkerColumns((columns, plan, indices, undecided))
        made = MadeColumn.all(in: layout)
        overflowIndex = layout.columns.firstIndex { $0.source == .overflow }
        countsKeys =
            model != nil
            || contract == .discardValue && overflowIndex == nil && layout.columns.allSatisfy(RowReader.hasKeysAlone)
        main = .reading(columns, plan, countsKeys: countsKeys, model, schema: schema)
        unseen = watchesColumns ? indices.indices.filter { indices[$0] >= 0 } : []
        if let childReading {
            children = layout.children.enumerated().map { number, table in
                ChildReader(table, of: self, childReading.shared, model: model?.elements(ofTable: number))
            }
        }
    }

    /// Whether a column reads the whole value of a key. A column that reads one element of an array does not, because it leaves
    /// out the other elements. A column for values that are not objects, where other columns read an object's keys, does not
    /// either.
    private static func hasKeysAlone(_ column: IngestColumn) -> Bool {
        column.source != .variant && column.path?.contains { Int($0) != nil } != true
    }

    /// The declared columns whose keys no record has had.
    package var unseenColumns: [IngestColumn] { unseen.map { layout.columns[mainIndices[$0]] } }

    /// Reads a record, and adds its row to a batch.
    ///
    /// - Parameters:
    ///   - text: The bytes of the record in the input.
    ///   - batch: Where the row goes; nil if nothing is to be written.
    ///   - position: The position of the record.
    ///   - number: The record's number.
    ///   - record: Where the bytes lie in the input's record, if they are an element of it; nil if they are the record.
    ///   - words: The same position in words.
    ///   - begin: Adds values to the row that come in front of those of the record.
    /// - Throws: ``JSONError`` if the record cannot be read, or ``IngestError/frozen(_:)``.
    package func read(
        _ bytes: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer, into batch: RowBatch?, at position: SourcePosition,
        number: Int64 = 0, in record: ElementPosition? = nil, words: @autoclosure () -> String,
        begin: (RowBatch) -> Void = { _ in }
    ) throws -> Decision {
        unsafe try main.read(bytes)
        if !undecided.isEmpty, unsafe try decideTypes(bytes) { unsafe try main.read(bytes) }
        var look = Look()
        var needsSecondLook = main.hasUnknownValue && !countsKeys
        if merges, main.hasGapOnPath || hasVariants { needsSecondLook = true }
        if !children.isEmpty, !needsSecondLook, ChildReader.hasStray(main, mainIndices) { needsSecondLook = true }
        if countsKeys, main.hasUnknownValue { main.acceptUnknownKeys(at: position) }
        if needsSecondLook {
            look = unsafe try lookAgain(bytes, words())
            guard look.isKept else { return .discard }
        }
        if !unseen.isEmpty { unseen.removeAll { main.nextColumn(from: $0) == $0 } }
        guard let batch else {
            try unsafe readArrays(
                bytes, text, nil, record ?? ElementPosition(text, at: position, offset: RowReader.offset(bytes, text)))
            return .store
        }
        let variants = try look.variants.map { ($0, try $1.jsonString()) }
        let gathered = try look.overflow.map { try JSONValue.object($0).jsonString() }
        unsafe batch.beginRow(bytes, of: text, at: position, number: number)
        begin(batch)
        batch.append(main, to: mainIndices)
        if needsSecondLook {
            for late in late { batch.append(late.reader, to: late.indices) }
            for (index, text) in variants { appendVariant(text, at: index, to: batch) }
            if let gathered, let overflowIndex { batch.append(gathered, at: overflowIndex) }
            if !look.cleared.isEmpty { batch.setNull(look.cleared) }
        }
        guard !children.isEmpty else { return .store }
        do {
            try unsafe readArrays(
                bytes, text, batch, record ?? ElementPosition(text, at: position, offset: RowReader.offset(bytes, text)),
                usesLate: needsSecondLook, emptied: look.emptied)
        } catch {
            takeBackLastRow(of: batch)
            throw error
        }
        return .store
    }

    // MARK: Arrays

    /// Where a record's bytes begin in its text; nil if they do not lie in it.
    private static func offset(_ bytes: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer) -> Int? {
        let range = unsafe text.offset(of: bytes)
        return range.lowerBound >= 0 && range.upperBound <= text.count ? range.lowerBound : nil
    }

    /// Reads the arrays of the record that was read last, whose row is the last one of a batch.
    ///
    /// - Parameter emptied: The numbers of the child tables that lose the rows of the record.
    private func readArrays(
        _ bytes: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ batch: RowBatch?, _ record: ElementPosition,
        usesLate: Bool = true, emptied: Set<Int> = []
    ) throws {
        guard !children.isEmpty else { return }
        forgetArrays()
        noteArrays(main, mainIndices)
        if usesLate { for late in late { noteArrays(late.reader, late.indices) } }
        for number in emptied { unsafe arrays[number] = .some(nil) }
        try unsafe readArrays(of: bytes, batch, record)
    }

    private func forgetArrays() {
        for number in unsafe arrays.indices { unsafe arrays[number] = nil }
        while unsafe arrays.count < children.count { unsafe arrays.append(nil) }
    }

    private func noteArrays(_ reader: ColumnReader, _ indices: [Int]) {
        for (column, index) in indices.enumerated() where index < 0 && reader.cell(at: column).isPresent {
            unsafe arrays[ChildTable.number(of: index)] = .some(RowReader.array(reader.value(at: column), index))
        }
    }

    /// The text of an array; nil for null, and for a value of another kind.
    private static func array(_ value: RawCellValue, _ index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard case .text(let text) = value else { return nil }
        return unsafe text.first == ChildTable.bracket(of: index) ? text : nil
    }

    /// Reads the arrays of a record that a worker has read, whose row is the last one of a batch.
    package func readArrays(
        _ cells: UnsafeBufferPointer<Cell>, own: UnsafeRawBufferPointer, slice: UnsafeRawBufferPointer,
        of bytes: UnsafeRawBufferPointer,
        into batch: RowBatch?, at position: SourcePosition
    ) throws {
        forgetArrays()
        for number in cells.indices {
            let cell = unsafe cells[number]
            let index = Int(cell.column)
            unsafe arrays[ChildTable.number(of: index)] = .some(RowReader.array(cell.value(input: slice, own: own), index))
        }
        do {
            try unsafe readArrays(of: bytes, batch, ElementPosition(bytes, at: position, offset: 0))
        } catch {
            if let batch { takeBackLastRow(of: batch) }
            throw error
        }
    }

    private func readArrays(of bytes: UnsafeRawBufferPointer, _ batch: RowBatch?, _ record: ElementPosition) throws {
        let key = batch.map { ParentKey(childReading?.key ?? [], ofLastRowOf: $0) }
        for (number, child) in children.enumerated() {
            let array = unsafe arrays[number]
            try unsafe child.read(array ?? nil, isPresent: array != nil, in: bytes, of: key, record)
        }
    }

    private func takeBackLastRow(of batch: RowBatch) {
        batch.truncate(to: batch.count - 1)
        truncateChildren(to: batch.count)
    }

    /// Removes the child rows of the rows from an index on.
    package func truncateChildren(to count: Int) { for child in children { child.truncate(toParents: count) } }

    package func removeChildRows() { for child in children { child.removeAll() } }

    // MARK: What is read in vain

    /// What was left out so far.
    package struct Mark {
        fileprivate let unknownKeys: Int
        fileprivate let discarded: Int
    }

    package var mark: Mark { Mark(unknownKeys: unknownKeys.countOfBatch, discarded: discarded) }

    /// Takes back what was left out since a mark of the open batch.
    package func goBack(to mark: Mark) {
        unknownKeys.goBack(to: mark.unknownKeys)
        discarded = mark.discarded
    }

    /// The layout with the current layouts of the child tables.
    package var currentLayout: TableLayout {
        var layout = layout
        layout.setChildren(children.map { $0.table.with($0.rows.currentLayout) })
        return layout
    }

    /// How often something new was found of the columns, those of child tables too.
    package var discoveries: Int { children.reduce(ownDiscoveries) { $0 + $1.rows.discoveries } }
    /// The same for the table alone.
    package var ownDiscoveries: Int { layout.columns.count + decisions }
    private var decisions = 0

    /// How many bytes of memory the child rows take.
    package var childBytes: Int {
        children.reduce(0) { $0 + $1.batch.byteCount + $1.ends.byteCount + $1.rows.childBytes }
    }

    /// Notes the columns of a row that a worker has read.
    package func note(_ cells: Range<Int>, of rows: SliceRows) {
        guard !unseen.isEmpty, unseen.contains(where: { rows.hasColumn(at: mainIndices[$0], in: cells) }) else { return }
        unseen.removeAll { rows.hasColumn(at: mainIndices[$0], in: cells) }
    }

    // MARK: Types of columns that have only had null

    /// Gives columns that have only had null the types of their values in the record that was read last. Returns whether the record must be
    /// read again.
    private func decideTypes(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let found = undecided.filter { if case .null = main.value(at: $0) { false } else { true } }
        guard !found.isEmpty else { return false }
        let record = unsafe try reader.read(JSONValue.self, from: bytes)
        for column in found {
            let (index, path) = (mainIndices[column], layout.columns[mainIndices[column]].path ?? [])
            let value = path.reduce(record) { value, key in
                value.object?.members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value ?? .null
            }
            let leaves = ColumnInference.columns(for: value, at: path, flattening: flattening)
            let type = leaves.count == 1 && leaves[0].path == path ? leaves[0].type : .json
            layout.decide(index, as: takesLateTypes ? known.type(at: path, of: type) : layout.columns[index].type)
        }
        decisions += found.count
        undecided.removeAll(where: found.contains)
        makeMainReader()
        return true
    }

    // MARK: Values beside objects

    /// The readers of variant columns, by their indices. They make of a value what the main reader would make of it.
    private var variantReaders: [Int: LateReader] = [:]

    /// Adds the value of a variant column to the row that was begun last.
    ///
    /// - Parameters:
    ///   - text: The value as JSON.
    ///   - bytes: The record, which the text does not lie in.
    private func appendVariant(_ text: String, at index: Int, to batch: RowBatch) {
        guard layout.columns[index].source == .variant else { return }
        let column = layout.columns[index].column.with { $0.keys = [JSONKeyPath(components: [ChildTable.valueKey])] }
        let reader = variantReaders[index] ?? (reader: ColumnReader(columns: [column]), indices: [index])
        variantReaders[index] = reader
        let object = Array("{\"\(ChildTable.valueKey)\":\(text)}".utf8)
        unsafe object.withUnsafeBytes { object in
            // A tolerant column takes every value.
            guard unsafe (try? reader.reader.read(object)) != nil else { return }
            batch.append(reader.reader, to: reader.indices, isMade: true)
        }
    }

    // MARK: Keys that are counted

    /// What readers before the main one have counted.
    private var countedKeys: [CountedKeys] = []

    /// Adds the keys that a reader has counted in the records of an input.
    package func note(_ keys: CountedKeys, words: (SourcePosition) -> String) {
        unknownKeys.add(keys, shown: layout.shown, words: words)
    }

    /// Adds the keys counted in the records read so far. All of these must be of one input.
    package func noteCountedKeys(words: (SourcePosition) -> String) {
        if isText { return }
        for keys in countedKeys + [main.takeUnknownKeys()] { note(keys, words: words) }
        countedKeys = []
    }

    /// Notes which columns the records have that became text.
    ///
    /// - Parameter columns: Those that none of them has.
    package func note(unseenInText columns: Set<Int>) {
        if !unseen.isEmpty { unseen.removeAll { !columns.contains($0) } }
    }

    /// Counts the keys of a record that a worker has already read.
    package func countKeys(of bytes: UnsafeRawBufferPointer, at position: SourcePosition) {
        guard unsafe (try? main.read(bytes)) != nil else { return }
        main.acceptUnknownKeys(at: position)
    }

    // MARK: Unknown keys

    private struct Look {
        var isKept = true
        var overflow: JSONObject?
        var variants: [(column: Int, value: JSONValue)] = []
        /// The columns that become null in the row with the record's key.
        var cleared: Set<Int> = []
        /// The child tables that lose the rows of that row.
        var emptied: Set<Int> = []
    }

    /// Reads a record as a whole, and treats the values that no column reads as the contract says.
    @inline(never)
    private func lookAgain(_ bytes: UnsafeRawBufferPointer, _ words: String) throws -> Look {
        let value = try unsafe reader.read(JSONValue.self, from: bytes)
        guard case .object(let record) = value else { return Look() }
        var look = Look()
        var findings = findings(in: record)
        if countsKeys { findings.unknown = [] }
        var unknown = findings.unknown
        if !unknown.isEmpty {
            switch contract {
            case .evolve:
                if addColumns(for: unknown, words) {
                    findings = self.findings(in: record)
                    unknown = findings.unknown
                }
            case .freeze:
                throw IngestError.frozen(
                    "the key '\(layout.shown(unknown[0].path))' has no column (\(words)), and \(option: .contract(.freeze)) allows no other"
                )
            case .discardRow:
                discarded += 1
                look.isKept = false
            case .report, .discardValue: break
            }
        }
        unknown.removeAll { $0.value.isNull }
        look.variants = findings.variants
        if merges { (look.cleared, look.emptied) = (findings.cleared, findings.emptied) }
        if isModel { removeFound(from: &look) }
        if !unknown.isEmpty { look.overflow = leaveOut(unknown, look.isKept, words) }
        for late in late { unsafe try late.reader.read(bytes) }
        noteLook()
        return look
    }

    /// Keeps the columns and tables for which the record has a value.
    private func removeFound(from look: inout Look) {
        for (column, index) in mainIndices.enumerated() where main.cell(at: column).isPresent {
            if index >= 0 { look.cleared.remove(index) } else { look.emptied.remove(ChildTable.number(of: index)) }
        }
    }

    private func findings(in record: JSONObject) -> ReadKeys.Findings {
        keys.findings(
            in: record, isKnown: { self.contract == .evolve && self.merges && self.known.contains($0) },
            isSplit: { self.contract == .evolve && self.known.hasColumns(inside: $0) })
    }

    /// Collects the values that no column takes for the overflow column, or counts their keys.
    private func leaveOut(_ unknown: [ReadKeys.UnknownValue], _ isKept: Bool, _ words: String) -> JSONObject? {
        let isLeftOut = overflowIndex == nil || !isKept
        if isLeftOut || contract == .report { for value in unknown { unknownKeys.leaveOut(layout.shown(value.path), at: words) } }
        guard !isLeftOut else { return nil }
        let overflow = GatheredObject()
        for value in unknown { overflow.add(value.value, at: value.path) }
        return overflow.object
    }

    /// Adds columns for values that no column reads. Returns false if none was added.
    private func addColumns(for unknown: [ReadKeys.UnknownValue], _ words: String) -> Bool {
        var added: [IngestColumn] = []
        let knownChildren = children.count
        // The new keys of each object.
        var newKeys: [[String]: Int] = [:]
        for value in unknown {
            let object = Array(value.path.dropLast())
            // An object that keeps getting new keys is a dictionary.
            if !object.isEmpty, !value.isVariant, value.neighbours + newKeys[object, default: 0] > flattening.mapThreshold {
                if crowdedObject == nil { crowdedObject = layout.shown(object) }
                continue
            }
            // Objects beside other values are JSON in one command that looks at all records.
            let leaves =
                value.isVariant || value.value.isNull
                ? [(path: value.path, type: value.isVariant ? ColumnType.json : .text)]
                : ColumnInference.columns(for: value.value, at: value.path, flattening: flattening)
            guard layout.columns.count + leaves.count <= layout.mostColumns else {
                lacksColumns = true
                continue
            }
            if !value.isVariant { newKeys[object, default: 0] += 1 }
            for leaf in leaves {
                if addChild(for: leaf.path, in: value) { continue }
                let column = makeColumn(leaf.path, leaf.type, isVariant: value.isVariant)
                layout.append(column)
                added.append(column)
                keys.add(column, at: layout.columns.count - 1)
                lateColumns.append(UnknownKey(path: layout.shown(leaf.path), count: 1, position: words))
            }
        }
        let newChildren = children[knownChildren...].enumerated().map { ChildTable.index(of: knownChildren + $0, $1.table.kind) }
        guard !added.isEmpty || !newChildren.isEmpty else { return false }
        let start = layout.columns.count - added.count
        addLateReader((start..<layout.columns.count).filter { layout.columns[$0].read != nil } + newChildren)
        return true
    }

    /// Makes a child table for an unknown array, if arrays go into tables. Returns false if the value is a column.
    private func addChild(for path: [String], in value: ReadKeys.UnknownValue) -> Bool {
        guard let childReading, !value.isVariant, layout.mayHaveTables, children.count < ChildTable.most else { return false }
        var inner = value.value
        for key in path.dropFirst(value.path.count) { inner = inner[key] ?? .null }
        let (isArray, isObject) = (inner.array != nil, inner.object != nil)
        let options = childReading.shared.inference.options
        guard
            let kind = options.kind(at: layout.home + path, isArray: isArray, isDictionary: false, isObject: isObject),
            isArray || isObject
        else { return false }
        let table = ChildTable(
            path: path, kind: kind, parent: childReading.table, layout, key: childReading.key,
            names: childReading.shared.inference.names)
        layout.append(table)
        keys.add(table, children.count)
        children.append(ChildReader(table, of: self, childReading.shared))
        return true
    }

    /// Adds a reader of new columns. It takes over the columns of every reader that has no more columns than itself.
    private func addLateReader(_ indices: [Int]) {
        guard !indices.isEmpty else { return }
        var indices = indices
        while let last = late.last, last.indices.count <= indices.count {
            indices = last.indices + indices
            late.removeLast()
        }
        late.append((ColumnReader(columns: indices.compactMap { layout.readColumn(at: $0) }), indices))
    }

    private func makeColumn(_ path: [String], _ type: ColumnType, isVariant: Bool) -> IngestColumn {
        let name = layout.freeName(for: path, like: path.joined(separator: "_"))
        // A column that the table has keeps its type.
        let type = known.type(at: path, of: type)
        if isVariant {
            hasVariants = true
            return IngestColumn(name: name, type: type, source: .value).variant(at: path)
        }
        let column = JSONColumn(
            name: name, type: layout.readingType(of: name, type), keys: [JSONKeyPath(components: path)], isTolerant: true)
        return IngestColumn(types.typed(column, below: layout.home) ?? column)
    }

    /// Marks the readers to be merged. This happens when enough records needed more than one reader, or when late columns are
    /// many compared with those of the main reader. It does not happen more often, because a merge takes time for each column.
    private func noteLook() {
        secondLooks += 1
        let enoughColumns = max(RowReader.enoughLateColumns, mainIndices.count / 4)
        let lateCount = late.reduce(0) { $0 + $1.indices.count }
        guard !late.isEmpty, secondLooks >= enoughLooks || lateCount >= enoughColumns else { return }
        isMergeDue = true
    }

    @safe @exclusivity(unchecked) private var isMergeDue = false

    /// Gets ready for the next record.
    package func endRecord() {
        guard isMergeDue else { return }
        isMergeDue = false
        secondLooks = 0
        let (doubled, isTooMany) = enoughLooks.multipliedReportingOverflow(by: 2)
        enoughLooks = isTooMany ? .max : doubled
        makeMainReader()
    }

    /// Merges the readers.
    private func makeMainReader() {
        for late in late { mainIndices += late.indices }
        let columns = mainIndices.compactMap { layout.readColumn(at: $0) }
        let plan = RowPlan(columns)
        if countsKeys { countedKeys.append(main.takeUnknownKeys()) }
        main = .reading(columns, plan, countsKeys: countsKeys, nil, schema: schema)
        workerColumns.change(to: (columns, plan, mainIndices, undecided))
        late = []
    }
}
