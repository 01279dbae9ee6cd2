// Reads the elements of one array of the records into rows of a child table.
//
// The reader of the parent's records gives the array as text. Its elements are found in that text, and each is read like a record. An
// element that is not an object is read as the value of the key `value`.

package import SluiceCore

/// Where the text of a row lies in the text of its record. With it, an error in a row of any depth has a position in the input.
@safe
package struct ElementPosition {
    /// The record in the input.
    let text: UnsafeRawBufferPointer
    let position: SourcePosition
    /// Where the bytes of the row begin in the record; nil if they do not lie there.
    var offset: Int?

    package init(_ text: UnsafeRawBufferPointer, at position: SourcePosition, offset: Int?) {
        unsafe self.text = unsafe text
        (self.position, self.offset) = (position, offset)
    }

    /// Converts a position in the row into a position in the input.
    func position(_ start: Int) -> SourcePosition {
        guard let offset else { return position }
        return unsafe position.advanced(over: UnsafeRawBufferPointer(rebasing: text.prefix(max(0, offset + start))))
    }
}

/// What all readers of a run's child tables share.
@safe
package final class ChildReading {
    package let inference: ChildInference
    /// Whether the elements of a record replace the elements that its row had before.
    package let replaces: Bool
    /// Whether a record without an array replaces its elements, too.
    package let replacesAll: Bool
    /// Whether rows are stored.
    package let writes: Bool
    /// Whether the changes of rows are recorded.
    package let tracksChanges: Bool
    package let contract: KeyContract
    package let flattening: Flattening
    package let overflow: String?
    /// Where the places of rows are kept; nil if they are not.
    package let provenance: Provenance?
    /// Takes a rejected element, and its text; nil if the record is rejected instead.
    package var reject: ((JSONError, UnsafeRawBufferPointer, SourcePosition) -> Void)?
    /// The input that is being read, and its number among all.
    fileprivate var input = (name: "", identity: "", number: 0)
    /// The position that a record of a replay has in its own file; nil for other inputs.
    fileprivate var restored: ((SourcePosition) -> SourcePosition)?

    package init(
        _ inference: ChildInference, contract: KeyContract, flattening: Flattening, overflow: String?, replaces: Bool,
        replacesAll: Bool, writes: Bool, tracksChanges: Bool = false, provenance: Provenance? = nil
    ) {
        self.inference = inference
        self.tracksChanges = tracksChanges
        self.provenance = provenance
        self.writes = writes
        (self.contract, self.flattening, self.overflow) = (contract, flattening, overflow)
        (self.replaces, self.replacesAll) = (replaces, replacesAll)
    }

    /// Begins with the elements of another input.
    ///
    /// - Parameters:
    ///   - readers: The readers so far. Later ones begin with this input.
    ///   - restored: The position that a record of a replay has in its own file; nil for other inputs.
    package func enter(
        input name: String, identity: String, _ readers: [ChildReader], restored: ((SourcePosition) -> SourcePosition)?
    ) {
        input = (name, identity, input.number + 1)
        self.restored = restored
        for reader in readers { reader.batch.enter(input: name, identity: identity) }
    }
}

/// A value of the key of a parent's row.
private enum KeyValue {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])

    init(_ value: RawCellValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .text(let text): self = unsafe .text(Array(text))
        }
    }

    func add(to batch: RowBatch, at column: Int) {
        switch self {
        case .null: batch.append(.null, at: column)
        case .integer(let value): batch.append(.integer(value), at: column)
        case .real(let value): batch.append(.real(value), at: column)
        case .text(let text): unsafe text.withUnsafeBufferPointer { unsafe batch.append(.text($0), at: column) }
        }
    }
}

/// The key of the row whose arrays are being read.
package struct ParentKey {
    fileprivate var values: [KeyValue] = []
    /// The index of the row in its batch.
    fileprivate let row: Int

    /// - Parameter indices: The indices of the key's columns.
    init(_ indices: [Int], ofLastRowOf batch: RowBatch) {
        row = batch.count - 1
        values = batch.withRow(row) { cells in
            var values = Array(repeating: KeyValue.null, count: indices.count)
            for cell in cells.cellIndices {
                guard let index = indices.firstIndex(of: cells.column(cell)) else { continue }
                values[index] = KeyValue(cells.value(cell))
            }
            return values
        }
    }
}

/// Reads the elements of one array.
package final class ChildReader {
    package let table: ChildTable
    package let rows: RowReader
    /// The elements that are not committed yet.
    package let batch: RowBatch
    /// Only if elements replace earlier ones: for each parent row, its key and the number of elements that it has now.
    package let ends: RowBatch
    package let shared: ChildReading
    /// The reader of the rows that this table's rows belong to.
    package private(set) unowned var parent: RowReader
    /// How many columns the sink knows.
    package var preparedColumns = 0
    /// Takes the changes of the table's rows; nil if they are not wanted.
    package let changes: ChangeRecorder?

    private let positionIndex: Int
    private let memberKeyIndex: Int?
    /// The path from the parent's row to the sensitive value that the elements lie in; nil if they lie in none.
    private let sensitiveStep: String?
    private var wrapped: [UInt8] = []
    /// The number of the element that is being read, and its key if it is a member.
    private var number = 0
    private var memberKey: String?

    private static let wrapping = Array("{\"\(ChildTable.valueKey)\":".utf8)

    /// - Parameter model: The model of the elements, or nil.
    package init(_ table: ChildTable, of parent: RowReader, _ shared: ChildReading, model: ModelReading? = nil) {
        self.table = table
        self.shared = shared
        self.parent = parent
        changes = shared.tracksChanges && shared.writes ? ChangeRecorder(table: table.name, key: table.key) : nil
        positionIndex = table.keyCount - 1
        memberKeyIndex = table.layout.columns.firstIndex { $0.source == .memberKey }
        sensitiveStep = table.layout.sensitiveHome.map { home in
            let keys = home.dropFirst(table.layout.home.count - table.path.count)
            return keys.isEmpty ? "" : PathSyntax.text(ofKeys: keys)
        }
        var layout = table.layout
        if let overflow = shared.overflow, layout.index(of: overflow) == nil {
            layout.append(IngestColumn(name: overflow, type: .json, source: .overflow))
        }
        if let provenance = shared.provenance, provenance.table == nil { layout.addPlaces(provenance) }
        // Earlier runs may have filled the columns of places.
        let made = MadeColumn.all(in: layout).filter { shared.provenance != nil || !$0.source.isOfPlace }
        batch = RowBatch(made: made, keepsDigests: shared.provenance != nil, copiesAll: true)
        ends = RowBatch(copiesAll: true)
        batch.enter(input: shared.input.name, identity: shared.input.identity)
        rows = RowReader(
            layout, contract: shared.contract, flattening: shared.flattening, types: shared.inference.types,
            watchesColumns: false, children: (shared, table.name, Array(0..<table.keyCount)), model: model,
            unknownKeys: parent.unknownKeys)
        rows.owner = self
    }

    /// Whether a column of an array, in the record read last, has a value that is neither null nor an array (or object, if the
    /// column expects one).
    package static func hasStray(_ reader: ColumnReader, _ indices: [Int]) -> Bool {
        for (column, index) in indices.enumerated() where index < 0 {
            guard case .text(let text) = reader.value(at: column) else { continue }
            if unsafe text.first != ChildTable.bracket(of: index) { return true }
        }
        return false
    }

    // MARK: Rows

    /// Reads an array of a row.
    ///
    /// - Parameters:
    ///   - array: The array's text; nil if it is null, or if the row does not have it.
    ///   - isPresent: Whether the row has the array's key.
    ///   - bytes: The text of the row.
    ///   - key: The key of the row; nil if nothing is stored.
    /// - Throws: ``JSONError``, at a position in the row's text, if an element and so the record is rejected;
    ///   ``IngestError/frozen(_:)``.
    package func read(
        _ array: UnsafeBufferPointer<UInt8>?, isPresent: Bool, in bytes: UnsafeRawBufferPointer, of key: ParentKey?,
        _ record: ElementPosition
    ) throws {
        var count = 0
        if let array = unsafe array {
            let array = unsafe shared.provenance == nil ? array : inPlace(array, of: bytes)
            switch table.kind {
            case .array:
                var elements = unsafe ElementCursor(array)
                while let element = unsafe elements.next() {
                    try unsafe read(element, number: count, memberKey: nil, in: bytes, of: key, record)
                    count += 1
                }
            case .map:
                var cursor = unsafe MemberCursor(array)
                var members: [MemberCursor.Member] = []
                while let member = cursor.next() { members.append(member) }
                let keys = members.map(\.key.decoded)
                let replaced = ChildReader.replacedIndices(among: keys)
                for (index, member) in members.enumerated() where !replaced.contains(index) {
                    try unsafe read(member.value, number: count, memberKey: keys[index], in: bytes, of: key, record)
                    count += 1
                }
            }
        }
        guard shared.replaces, let key, isPresent || shared.replacesAll || isNested else { return }
        unsafe ends.beginRow(
            UnsafeRawBufferPointer(start: nil, count: 0), of: UnsafeRawBufferPointer(start: nil, count: 0), at: record.position)
        ends.setParent(key.row, offset: 0)
        for (index, value) in key.values.enumerated() { value.add(to: ends, at: index) }
        ends.append(.integer(Int64(count)), at: positionIndex)
    }

    /// The indices of members whose key comes again: of members with the same key, the last one counts.
    private static func replacedIndices(among keys: [String?]) -> Set<Int> {
        var later: Set<[UInt8]> = []
        return Set(
            keys.indices.reversed().filter { index in
                guard let key = keys[index] else { return false }
                return !later.insert(Array(key.utf8)).inserted
            })
    }

    /// An array where it lies in the text of its row. If it has white space, the reader has made a copy without, and elements have no places
    /// in a copy.
    private func inPlace(_ array: UnsafeBufferPointer<UInt8>, of row: UnsafeRawBufferPointer) -> UnsafeBufferPointer<UInt8> {
        let range = unsafe row.offset(of: UnsafeRawBufferPointer(array))
        guard range.lowerBound < 0 || range.upperBound > row.count else { return unsafe array }
        var value = unsafe row.withoutLeadingBlanks.bindMemory(to: UInt8.self)
        for key in table.path {
            var members = unsafe MemberCursor(value)
            var found: UnsafeBufferPointer<UInt8>?
            // Of members with one key, the last one counts.
            while let member = members.next() { if member.key.isEqual(to: key) { unsafe found = member.value } }
            guard let member = unsafe found else { return unsafe array }
            unsafe value = member
        }
        // The column may have read another key.
        var copy: [UInt8] = []
        unsafe TextLayout.appendCompact(UnsafeRawBufferPointer(value), to: &copy)
        return unsafe copy.elementsEqual(array) ? value : array
    }

    /// Whether the rows belong to elements of another array.
    private var isNested: Bool { table.layout.home.count > table.path.count }

    private func read(
        _ element: UnsafeBufferPointer<UInt8>, number: Int, memberKey: String?, in bytes: UnsafeRawBufferPointer,
        of key: ParentKey?,
        _ record: ElementPosition
    ) throws {
        let element = UnsafeRawBufferPointer(element)
        let range = unsafe bytes.offset(of: element)
        // If the array's text is a copy, its elements do not lie in the row's text.
        let isInside = range.lowerBound >= 0 && range.upperBound <= bytes.count
        let start = isInside ? range.lowerBound : 0
        var location = record
        location.offset = isInside ? record.offset.map { $0 + start } : nil
        let offset = location.offset ?? 0
        (self.number, self.memberKey) = (number, memberKey)
        if shared.provenance != nil { notePlace(at: location.offset, in: record) }
        let isObject = unsafe element.first == UInt8(ascii: "{")
        do {
            if isObject {
                try unsafe add(element, element, number, memberKey, key, location, offset)
            } else {
                wrapped.removeAll(keepingCapacity: true)
                wrapped += ChildReader.wrapping
                unsafe wrapped.append(contentsOf: element)
                wrapped.append(UInt8(ascii: "}"))
                // The text begins with a key that the record does not have. So the positions of the element's own arrays are moved
                // back by its length.
                location.offset = location.offset.map { $0 - ChildReader.wrapping.count }
                let text = wrapped
                try unsafe text.withUnsafeBytes { try unsafe add($0, element, number, memberKey, key, location, offset) }
            }
        } catch var error as JSONError where !error.endsIngest {
            if !isObject { error = error.moved(into: ChildTable.valueKey, after: ChildReader.wrapping.count) }
            if sensitiveStep != nil { error = error.at(path: "") }
            guard let reject = unsafe shared.reject else {
                let before = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(start))
                throw unsafe error.prefixed(by: lastStep).shifted(by: SourcePosition.start.advanced(over: before))
            }
            let position = record.position(start)
            unsafe reject(error.prefixed(by: pathOfElement).shifted(by: position), element, position)
        }
    }

    /// Where the element that is being read begins in the input. The reader counts on from the element before it, so it walks over a
    /// record with many elements once.
    private var place: (input: Int, record: Int, offset: Int, position: SourcePosition) = (-1, 0, 0, .start)
    /// The digest of the record's text if the element has no place of its own; otherwise nil.
    private var digestOfRecord: Int64?

    /// - Parameter start: Where the element begins in the text of its record; nil if it does not lie there, so that only the record's
    ///   place is known.
    private func notePlace(at start: Int?, in record: ElementPosition) {
        let offset = start ?? 0
        if place.input != shared.input.number || place.record != record.position.offset || place.offset > offset {
            place = (shared.input.number, record.position.offset, 0, shared.restored?(record.position) ?? record.position)
            digestOfRecord = nil
        }
        digestOfRecord = unsafe start == nil ? digestOfRecord ?? RecordDigest.of(record.text) : nil
        let passed = unsafe UnsafeRawBufferPointer(rebasing: record.text[place.offset..<min(offset, record.text.count)])
        (place.offset, place.position) = unsafe (place.offset + passed.count, place.position.advanced(over: passed))
    }

    /// The path from the record to the element that is being read.
    private var pathOfElement: String {
        guard let above = parent.owner?.pathOfElement else { return lastStep }
        return lastStep.isEmpty ? above : "\(above).\(lastStep)"
    }

    /// The path from the parent's row to the element. It ends at a sensitive value, because the keys inside are part of the value.
    private var lastStep: String {
        if let sensitiveStep { return sensitiveStep }
        if let memberKey { return PathSyntax.text(ofKeys: table.path + [memberKey]) }
        return "\(PathSyntax.text(ofKeys: table.path))[\(number)]"
    }

    private func add(
        _ bytes: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer, _ number: Int, _ memberKey: String?,
        _ key: ParentKey?,
        _ location: ElementPosition, _ offset: Int
    ) throws {
        _ = try unsafe rows.read(
            bytes, of: element, into: shared.writes ? batch : nil, at: location.position, in: location,
            words: "\(pathOfElement) of the record in line \(location.position.line)"
        ) { batch in
            guard let key else { return }
            batch.setParent(key.row, offset: offset)
            if shared.provenance != nil { batch.setPlace(place.position, digest: digestOfRecord) }
            for (index, value) in key.values.enumerated() { value.add(to: batch, at: index) }
            batch.append(.integer(Int64(number)), at: positionIndex)
            if let memberKeyIndex, let memberKey { batch.append(memberKey, at: memberKeyIndex) }
        }
        rows.endRecord()
    }

    /// Removes the rows that belong to the parent's rows from an index on.
    package func truncate(toParents count: Int) {
        batch.truncate(toParents: count)
        ends.truncate(toParents: count)
        rows.truncateChildren(to: batch.count)
    }

    package func removeAll() {
        batch.removeAll()
        ends.removeAll()
        rows.removeChildRows()
    }

    // MARK: What is stored

    /// Leaves out the rows of parents that are not stored, and the rows of a parent if a later parent with the same key replaces
    /// them.
    package func leaveOutRows(isMissing: (Int) -> Bool) {
        var superseded: Set<Int> = []
        if shared.replaces {
            var last: [[UInt8]: Int] = [:]
            ends.leaveOut { _, parent in isMissing(parent) }
            ends.forEachRow { row, cells in
                let parent = ends.parent(of: row)
                if let earlier = last.updateValue(parent, forKey: ChildReader.text(ofKey: cells, count: positionIndex)) {
                    superseded.insert(earlier)
                }
            }
            ends.leaveOut { _, parent in isMissing(parent) || superseded.contains(parent) }
        }
        batch.leaveOut { _, parent in isMissing(parent) || superseded.contains(parent) }
    }

    /// A key as bytes. Equal bytes mean that the keys are equal in any table. Different bytes may still be equal keys: whether
    /// `"1"` and `1` are equal depends on the types of the table's columns. In that case, the sink finds out which rows stay.
    private static func text(ofKey cells: RowCells, count: Int) -> [UInt8] {
        var text: [UInt8] = []
        for index in cells.cellIndices where cells.column(index) < count {
            switch cells.value(index) {
            case .null: text.append(0)
            case .integer(let value):
                text.append(1)
                text += "\(value)".utf8
            case .real(let value):
                text.append(2)
                text += "\(value)".utf8
            case .text(let bytes):
                text.append(3)
                text += "\(bytes.count):".utf8
                unsafe text.append(contentsOf: bytes)
            }
        }
        return text
    }
}
