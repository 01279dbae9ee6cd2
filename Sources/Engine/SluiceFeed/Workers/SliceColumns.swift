// A worker reads the records of a slice into columns, and lists the records that did not become rows.

internal import SluiceCore

/// The position up to which the consumer has used columns that workers have read.
struct ColumnsPosition {
    var end = SourcePosition.start
    var range = 0..<0
    var format = JSONFeedFormat.automatic

    mutating func pass(_ event: SliceColumns.Event) {
        range = event.range
        end = event.end
    }
}

/// A slice as a worker has read it.
struct SliceColumns: Sendable {
    /// One or more consecutive records that did not become rows.
    struct Event: Sendable {
        enum Kind: Sendable {
            case rejected(JSONError)
            /// This many consecutive records do not match.
            case unmatched(Int)
            /// The feed ends with this error.
            case failed(JSONError)
        }

        let kind: Kind
        /// How many rows of the slice come before it.
        let rowsBefore: Int
        let range: Range<Int>
        let start: SourcePosition
        /// The position after it.
        let end: SourcePosition
    }

    let rows: ColumnRows
    let events: [Event]
    let format: JSONFeedFormat
    /// The position after the slice.
    let end: SourcePosition
}

/// Reads slices in one thread.
struct SliceColumnsReader<Record: JSONReadable>: ~Copyable {
    private var columns: ColumnBatchReader
    private var choice: RecordChoice?
    private var reader: JSONReader

    init(
        _ columns: [JSONColumn], _ reader: consuming JSONReader, _ options: JSONReader.Options,
        where predicate: JSONPredicate<Record>?, hidesText: Bool
    ) {
        self.columns = ColumnBatchReader(columns: columns, options: options, hidesText: hidesText)
        choice = RecordChoice(predicate, options)
        self.reader = reader
    }

    /// Reads all records of a slice.
    mutating func read(_ slice: FeedSlice) -> SliceColumns {
        var events: [SliceColumns.Event] = []
        unsafe slice.bytes.withUnsafeBytes { bytes in
            var records = unsafe FeedSliceReader(slice, bytes)
            while let step = records.next() {
                let kind: SliceColumns.Event.Kind?
                switch step {
                case .record: kind = unsafe read(records.text, at: records.recordStart)
                case .rejected(let error): kind = .rejected(error)
                case .failed(let error): kind = .failed(error)
                }
                guard let kind else { continue }
                let rows = columns.rowCount
                events.append(
                    SliceColumns.Event(
                        kind: kind, rowsBefore: rows, range: records.range, start: records.recordStart, end: records.end))
            }
        }
        let rows = columns.takeRows()
        return SliceColumns(rows: rows, events: events, format: slice.format, end: slice.end)
    }

    /// Reads a record into a row; returns nil if that worked.
    private mutating func read(_ bytes: UnsafeRawBufferPointer, at position: SourcePosition) -> SliceColumns.Event.Kind? {
        if choice != nil {
            var record: Record?
            let outcome = unsafe withUnsafeMutablePointer(to: &record) { address in
                unsafe choice?.read(Record.self, at: UnsafeMutableRawPointer(address), bytes, &reader)
            }
            switch outcome {
            case .unmatched: return .unmatched(1)
            case .failed(let error): return .rejected(error.shifted(by: position))
            case .matched, nil: break
            }
        }
        return unsafe columns.append(bytes).map { .rejected($0.shifted(by: position)) }
    }
}
