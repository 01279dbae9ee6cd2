// Turns slices into rows, each worker in its own thread.

package import SluiceCore
package import SluiceFeed
package import SluiceSchema
internal import Synchronization

/// The columns that workers read, with their indices in the table, and which of them have only had null so far. Late columns are missing until the main thread
/// merges them into its own reader.
package final class WorkerColumns: Sendable {
    package typealias List = (columns: [JSONColumn], plan: RowPlan, indices: [Int], undecided: [Int])

    private let current: Mutex<(list: List, version: Int)>

    package init(_ list: List) { current = Mutex((list, 0)) }

    /// From now on, workers read these columns.
    package func change(to list: List) { current.withLock { $0 = (list, $0.version + 1) } }

    /// The columns and their version; nil if the given version is the newest.
    package func newer(than version: Int) -> (list: List, version: Int)? { current.withLock { $0.version > version ? $0 : nil } }
}

/// Reads the records of slices into cells.
package struct SliceRowReader: ~Copyable {
    private var reader = ColumnReader(columns: [])
    private var indices: [Int] = []
    private var undecided: [Int] = []
    /// Whether some columns are arrays whose elements are rows of their own.
    private var hasArrays = false
    private var version = -1
    private var filter: PathWatch?
    private let columns: WorkerColumns
    private let countsKeys: Bool
    private let passesGaps: Bool
    private let leavesAll: Bool
    /// How many records are still wanted.
    private var left: Int
    /// Writes the records as text; nil where they become cells.
    private let writer: (any RecordText)?
    private var watch: PathWatch?
    /// How many of the last records in the slice must be read again, and how many of them show that it is useless to read the next ones
    /// here.
    private var secondReads = 0
    private static let enoughSecondReads = 16
    /// How many records have been handed out one by one.
    private var singles = 0
    private let model: ModelReading?
    private let schema: JSONSchema?
    /// Checks the records that become text.
    private let checker: (any DocumentChecker)?
    private let hidesText: Bool
    /// The size of the last slice, because the next one will have about the same.
    private var size = (entries: 0, cells: 0)

    /// - Parameters:
    ///   - countsKeys: Whether it is enough to count the keys that no column reads.
    ///   - passesGaps: Whether the cells are enough where null, a scalar or an array stands in the middle of a path.
    ///   - leavesAll: Whether the main thread must read all records again.
    ///   - model: The model whose columns these are, or nil.
    ///   - schema: What each record must fit; nil for none.
    ///   - hidesText: Whether errors must not show the text of a record.
    ///   - limit: After how many records this reader may stop; those that do not match are not counted.
    package init(
        _ columns: WorkerColumns, _ condition: WhereClause?, countsKeys: Bool, passesGaps: Bool = true, leavesAll: Bool = false,
        _ work: TextWork? = nil, model: ModelReading? = nil, schema: JSONSchema? = nil, hidesText: Bool = false,
        limit: Int = .max
    ) {
        (self.passesGaps, self.leavesAll) = (passesGaps, leavesAll)
        left = limit
        self.columns = columns
        self.model = model
        self.countsKeys = countsKeys
        writer = work?.make()
        (self.schema, self.hidesText) = (schema, hidesText)
        checker = work == nil ? nil : schema?.makeChecker()
        watch = work?.sightings?.makeWatch()
        filter = condition?.makeFilter()
    }

    package mutating func read(_ slice: FeedSlice) -> SliceRows {
        if let writer { return readText(of: slice, writer) }
        secondReads = 0
        if let (list, version) = columns.newer(than: version) {
            reader = .reading(list.columns, list.plan, countsKeys: countsKeys, model, schema: schema)
            (indices, undecided, self.version) = (list.indices, list.undecided, version)
            hasArrays = indices.contains { $0 < 0 }
        }
        var rows = SliceRows.Draft(expecting: (size.entries + size.entries / 8, size.cells + size.cells / 8))
        unsafe slice.bytes.withUnsafeBytes { bytes in
            var records = unsafe FeedSliceReader(slice, bytes)
            while left > 0, let step = records.next() {
                let kind: SliceRows.Kind
                var arrays = 0..<0
                var range = unsafe bytes.offset(of: records.text)
                var position = records.recordStart
                switch step {
                case .record:
                    let isMade = slice.row(ofEntry: records.entryIndex) != nil
                    (kind, arrays) = unsafe read(
                        records.text, isMade: isMade, at: position, from: range.lowerBound, into: &rows)
                    if case .again = kind { secondReads += 1 } else { secondReads = 0 }
                case .rejected(let error): (kind, position) = (.rejected(error: rows.add(error)), error.position)
                case .failed(let error): (kind, position, range) = (.failed(error: rows.add(error)), error.position, 0..<0)
                }
                if SliceRowReader.counts(kind, endsInRecord: records.endsInRecord) { left -= 1 }
                rows.append(
                    SliceRows.Entry(
                        kind: kind, range: range, index: records.entryIndex, position: position, end: records.end,
                        endsInRecord: records.endsInRecord, arrays: arrays))
            }
        }
        size = rows.size
        return SliceRows(slice, rows, unknownKeys: reader.takeUnknownKeys())
    }

    private mutating func read(
        _ record: UnsafeRawBufferPointer, isMade: Bool, at position: SourcePosition, from start: Int,
        into rows: inout SliceRows.Draft
    ) -> (SliceRows.Kind, arrays: Range<Int>) {
        if unsafe filter?.matches(record) == false { return (.passedOver, 0..<0) }
        // If the main thread reads a made record, the row's text is at hand for its rejection and for its arrays.
        if isMade || leavesAll || secondReads > SliceRowReader.enoughSecondReads { return (.again(error: nil), 0..<0) }
        do throws(JSONError) { unsafe try reader.read(record) } catch { return (.again(error: nil), 0..<0) }
        if !passesGaps, reader.hasGapOnPath { return (.again(error: nil), 0..<0) }
        // The main thread decides the types of columns, in the order of the records.
        if !undecided.isEmpty {
            for column in undecided {
                if case .null = reader.value(at: column) { continue }
                return (.again(error: nil), 0..<0)
            }
        }
        if reader.hasUnknownValue, !countsKeys { return (.again(error: nil), 0..<0) }
        if hasArrays, ChildReader.hasStray(reader, indices) { return (.again(error: nil), 0..<0) }
        // Whoever reads the record last counts its keys.
        if reader.hasUnknownValue { reader.acceptUnknownKeys(at: position) }
        let (cells, arrays) = rows.append(reader, recordAt: start, to: indices, keepsArrays: true)
        return (.cells(cells), arrays)
    }

    /// Whether the run counts a record that has become this.
    private static func counts(_ kind: SliceRows.Kind, endsInRecord: Bool) -> Bool {
        switch kind {
        case .cells, .text, .again: true
        case .rejected: !endsInRecord
        case .passedOver, .failed: false
        }
    }

    // MARK: Text

    /// How many records each worker hands out one by one, because the first records of the feed are examined. After them, an
    /// entry holds as many adjacent records as possible, because the work for an entry takes as long as the work for a short
    /// record.
    private static let singleCount = 100

    /// Records that become one entry.
    private struct Run {
        var count = 0
        var passedOver = 0
        var start = 0
        var record = 0..<0
        var position = SourcePosition.start
        var end = SourcePosition.start
        var index: Int?

        var isEmpty: Bool { count &+ passedOver == 0 }
    }

    private mutating func readText(of slice: FeedSlice, _ writer: any RecordText) -> SliceRows {
        var rows = SliceRows.Draft(expecting: (0, 0))
        var run = Run()
        var left = left
        defer { self.left = left }
        unsafe slice.bytes.withUnsafeBytes { bytes in
            var records = unsafe FeedSliceReader(slice, bytes)
            func add(_ kind: SliceRows.Kind, _ range: Range<Int>, _ position: SourcePosition) {
                if SliceRowReader.counts(kind, endsInRecord: records.endsInRecord) { left &-= 1 }
                rows.append(
                    SliceRows.Entry(
                        kind: kind, range: range, index: records.entryIndex, position: position, end: records.end,
                        endsInRecord: records.endsInRecord, arrays: 0..<0))
            }
            func endRun() {
                guard !run.isEmpty else { return }
                rows.append(
                    SliceRows.Entry(
                        kind: .text(run.start..<writer.count, count: run.count, passedOver: run.passedOver), range: run.record,
                        index: run.index, position: run.position, end: run.end, endsInRecord: false, arrays: 0..<0))
                run.count = 0
                run.passedOver = 0
            }
            while left > 0, let step = records.next() {
                switch step {
                case .record:
                    let (record, position) = unsafe (records.text, records.recordStart)
                    let start = writer.count
                    let matches = unsafe filter?.matches(record) != false
                    if matches {
                        unsafe watch?.look(at: record)
                        if let error = unsafe checker?.fault(in: record, hidesText: hidesText)
                            ?? writer.append(record, at: position)
                        {
                            endRun()
                            add(.again(error: rows.add(error)), unsafe bytes.offset(of: record), position)
                            continue
                        }
                    }
                    if run.isEmpty { (run.start, run.record, run.position) = unsafe (start, bytes.offset(of: record), position) }
                    if matches {
                        run.count &+= 1
                        left &-= 1
                    } else {
                        run.passedOver &+= 1
                    }
                    (run.end, run.index) = (records.end, records.entryIndex)
                    if singles < SliceRowReader.singleCount {
                        singles += 1
                        endRun()
                    }
                case .rejected(let error):
                    endRun()
                    add(.rejected(error: rows.add(error)), unsafe bytes.offset(of: records.text), error.position)
                case .failed(let error):
                    endRun()
                    add(.failed(error: rows.add(error)), 0..<0, error.position)
                }
            }
            endRun()
        }
        return SliceRows(slice, rows, writer)
    }
}
