// Reads the elements of one array of the records into rows of a child table.
//
// The reader of the parent's records gives the array as text. Its elements are found in that text, and each is read like a record. An
// element that is not an object is read as the value of the key `value`.

package import SluiceCore

/// Where the text of a row lies in the text of its record, so that an error or a row of any depth has a place in the input.
@safe
package struct ElementPlace {
    /// The record in the input.
    let text: UnsafeRawBufferPointer
    let position: SourcePosition
    /// Where the bytes of the row begin in the record; nil if they do not lie there.
    var offset: Int?

    package init(_ text: UnsafeRawBufferPointer, at position: SourcePosition, offset: Int?) {
        unsafe self.text = unsafe text
        (self.position, self.offset) = (position, offset)
    }

    /// The place in the input of a place in the row.
    func place(_ start: Int) -> SourcePosition {
        guard let offset else { return position }
        return unsafe position.advanced(over: UnsafeRawBufferPointer(rebasing: text.prefix(max(0, offset + start))))
    }
}

/// What all readers of a run's child tables share.
@safe
package final class ChildReading {
    package let inference: ChildInference
    /// Whether the elements of a record replace those that its row has had.
    package let replaces: Bool
    /// Whether a record without an array replaces its elements, too.
    package let replacesAll: Bool
    /// Whether rows are stored.
    package let writes: Bool
    package let contract: KeyContract
    package let mapThreshold: Int
    package let overflow: String?
    /// Takes a rejected element, and its text; nil if the record is rejected instead.
    package var reject: ((JSONError, UnsafeRawBufferPointer, SourcePosition) -> Void)?

    package init(
        _ inference: ChildInference, contract: KeyContract, mapThreshold: Int, overflow: String?, replaces: Bool,
        replacesAll: Bool, writes: Bool
    ) {
        self.inference = inference
        self.writes = writes
        (self.contract, self.mapThreshold, self.overflow) = (contract, mapThreshold, overflow)
        (self.replaces, self.replacesAll) = (replaces, replacesAll)
    }
}

/// A value of the key of a parent's row.
private enum KeyValue {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])

    init(_ value: CellValue) {
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
    /// If elements replace those that a row has had: for each such row its key, and how many elements it has now.
    package let ends: RowBatch
    package let shared: ChildReading
    /// The reader of the table that this one's rows belong to; nil if those are the records' own.
    package private(set) unowned var parent: RowReader
    /// How many columns the sink knows.
    package var preparedColumns = 0

    private let positionIndex: Int
    private let memberKeyIndex: Int?
    private var wrapped: [UInt8] = []
    /// The number of the element that is being read, and its key if it is a member.
    private var number = 0
    private var memberKey: String?

    private static let wrapping = Array("{\"\(ChildTable.valueKey)\":".utf8)

    package init(_ table: ChildTable, of parent: RowReader, _ shared: ChildReading) {
        self.table = table
        self.shared = shared
        self.parent = parent
        batch = RowBatch(copiesAll: true)
        ends = RowBatch(copiesAll: true)
        positionIndex = table.keyCount - 1
        memberKeyIndex = table.layout.columns.firstIndex { $0.source == .memberKey }
        var layout = table.layout
        if let overflow = shared.overflow, layout.index(of: overflow) == nil {
            layout.append(IngestColumn(name: overflow, type: .json, source: .overflow))
        }
        rows = RowReader(
            layout, contract: shared.contract, mapThreshold: shared.mapThreshold, types: shared.inference.types,
            watchesColumns: false, children: (shared, table.name, Array(0..<table.keyCount)))
        rows.owner = self
    }

    /// Whether the value of an array's column in the record read last is neither null nor an array, or object.
    package static func hasStray(_ reader: borrowing ColumnReader, _ indices: [Int]) -> Bool {
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
    /// - Throws: ``JSONError``, at a place in the row's text, if an element and so the record is rejected;
    ///   ``IngestError/frozen(_:)``.
    package func read(
        _ array: UnsafeBufferPointer<UInt8>?, isPresent: Bool, in bytes: UnsafeRawBufferPointer, of key: ParentKey?,
        _ record: ElementPlace
    ) throws {
        var count = 0
        if let array = unsafe array {
            switch table.kind {
            case .array:
                var elements = unsafe ElementCursor(array)
                while let element = unsafe elements.next() {
                    try unsafe read(element, number: count, memberKey: nil, in: bytes, of: key, record)
                    count += 1
                }
            case .map:
                var members = unsafe MemberCursor(array)
                while let member = members.next() {
                    try unsafe read(member.value, number: count, memberKey: member.key.decoded, in: bytes, of: key, record)
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

    /// Whether the rows belong to elements of another array.
    private var isNested: Bool { table.layout.home.count > table.path.count }

    private func read(
        _ element: UnsafeBufferPointer<UInt8>, number: Int, memberKey: String?, in bytes: UnsafeRawBufferPointer,
        of key: ParentKey?,
        _ record: ElementPlace
    ) throws {
        let element = UnsafeRawBufferPointer(element)
        let start = unsafe bytes.offset(of: element).lowerBound
        var place = record
        place.offset = record.offset.map { $0 + start }
        let offset = place.offset ?? 0
        (self.number, self.memberKey) = (number, memberKey)
        let isObject = unsafe element.first == UInt8(ascii: "{")
        do {
            if isObject {
                try unsafe add(element, element, number, memberKey, key, place, offset)
            } else {
                wrapped.removeAll(keepingCapacity: true)
                wrapped += ChildReader.wrapping
                unsafe wrapped.append(contentsOf: element)
                wrapped.append(UInt8(ascii: "}"))
                // The element's own arrays lie behind the key that was put in front of it.
                place.offset = place.offset.map { $0 - ChildReader.wrapping.count }
                let text = wrapped
                try unsafe text.withUnsafeBytes { try unsafe add($0, element, number, memberKey, key, place, offset) }
            }
        } catch var error as JSONError where !error.endsIngest {
            if !isObject { error = error.moved(into: ChildTable.valueKey, behind: ChildReader.wrapping.count) }
            guard let reject = shared.reject else {
                let before = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(start))
                throw unsafe error.prefixed(by: lastStep).shifted(by: SourcePosition.start.advanced(over: before))
            }
            let position = record.place(start)
            unsafe reject(error.prefixed(by: pathOfElement).shifted(by: position), element, position)
        }
    }

    /// The path from the record to the element that is being read.
    private var pathOfElement: String { (parent.owner.map { $0.pathOfElement + "." } ?? "") + lastStep }

    /// The path from the parent's row to the element.
    private var lastStep: String {
        if let memberKey { return PathSyntax.text(ofKeys: table.path + [memberKey]) }
        return "\(PathSyntax.text(ofKeys: table.path))[\(number)]"
    }

    private func add(
        _ bytes: UnsafeRawBufferPointer, _ element: UnsafeRawBufferPointer, _ number: Int, _ memberKey: String?,
        _ key: ParentKey?,
        _ place: ElementPlace, _ offset: Int
    ) throws {
        _ = try unsafe rows.read(
            bytes, of: element, into: shared.writes ? batch : nil, at: place.position, in: place,
            place: "\(pathOfElement) of the record in line \(place.position.line)"
        ) { batch in
            guard let key else { return }
            batch.setParent(key.row, offset: offset)
            for (index, value) in key.values.enumerated() { value.add(to: batch, at: index) }
            batch.append(.integer(Int64(number)), at: positionIndex)
            if let memberKeyIndex, let memberKey { batch.append(memberKey, at: memberKeyIndex) }
        }
        rows.endRecord()
    }

    /// Takes back the rows of the parent's rows from an index on.
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

    /// Leaves out the rows whose parents are not stored, and those of a parent whose elements a later one replaces.
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

    /// A key as bytes that differ if the keys do.
    private static func text(ofKey cells: RowCells, count: Int) -> [UInt8] {
        var text: [UInt8] = []
        for index in cells.cellIndices where cells.column(index) < count {
            switch cells.value(index) {
            case .null: text.append(0)
            case .integer(let value):
                text.append(1)
                text += "\(value)".utf8
            case .real(let value):
                text.append(Int64(exactly: value) == nil ? 2 : 1)
                text += (Int64(exactly: value).map { "\($0)" } ?? "\(value)").utf8
            case .text(let bytes):
                text.append(3)
                text += "\(bytes.count):".utf8
                unsafe text.append(contentsOf: bytes)
            }
        }
        return text
    }
}
