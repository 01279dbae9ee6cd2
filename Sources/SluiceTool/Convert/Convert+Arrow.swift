// Writes records as batches of columns in Arrow's IPC stream format.

#if CommandLine
internal import SluiceArrow
internal import SluiceCore
internal import SluiceFeed

extension Convert {
    /// How many records a batch has.
    private static let batchSize = 65_536
    /// The most bytes that a record has: the default limit of a feed.
    private static let maximumRecordSize = 64 << 20

    /// Writes batches of columns. The columns' types are inferred from all records of a file, or from the first records of a
    /// pipe.
    mutating func writeArrow(_ names: [String]) throws {
        var inputs: [Input?] = Array(repeating: nil, count: names.count)
        let inference = try inferred(names, &inputs)
        let found = try options.columns.isEmpty ? inference.columns() : options.columns
        guard try hasColumns(found, inference) else { return }
        let isGiven = !options.columns.isEmpty
        let columns = options.feed.sensitive.marking(
            found.map { column in
                JSONColumn(
                    name: column.name,
                    type: JSONColumnType(isGiven ? inference.type(at: column.keys[0].components) : column.type),
                    keys: column.keys)
            })
        var writer = ArrowStreamWriter(columns: columns, to: AnySink(sink: sink), compression: options.arrowCompression)
        var rows = ColumnBatchReader(
            columns: columns, options: JSONReader.Options(validation: .full),
            hidesText: options.feed.hidesText && !columns.holdSensitive)
        // With chosen columns, the user has left out the other keys, so they are not reported.
        var rest = isGiven ? nil : FlatRecord(columns: found)
        var unseen = Set(
            columns.indices.filter { index in
                !inference.paths.contains {
                    $0.elementsEqual(columns[index].keys[0].components) { $0.utf8.elementsEqual($1.utf8) }
                }
            })
        for (index, name) in names.enumerated() {
            inputName = names.count > 1 ? name : nil
            let open = try inputs[index]?.open ?? CommandInput(path: name, interruption: interruption)
            let feed = try feed(of: JSONValue.self, open, inputs[index]?.source)
            defer { withExtendedLifetime(open) {} }
            while try read(feed, into: &rows, &rest) {
                guard rows.rowCount == Convert.batchSize || rows.isFull(for: Convert.maximumRecordSize) else { continue }
                try write(rows.takeBatch(), to: &writer, &unseen)
            }
        }
        if rows.rowCount > 0 { try write(rows.takeBatch(), to: &writer, &unseen) }
        try writer.finish()
        report.lost = rest?.lost ?? []
        guard isGiven, report.records > 0 else { return }
        report.unseenPaths = unseen.sorted().map {
            UnseenPath(columns[$0].keys[0].components, reader: .column(columns[$0].name), among: inference.paths)
        }
    }

    private func write(
        _ batch: JSONColumnBatch, to writer: inout ArrowStreamWriter<AnySink>, _ unseen: inout Set<Int>
    ) throws(JSONError) {
        if !unseen.isEmpty {
            let values = batch.columns
            unseen = unseen.filter { values[$0].nullCount == values[$0].count }
        }
        try writer.write(batch)
    }

    /// Reads the next record into a row, and counts it as rejected if it cannot be read. Returns false at the end, after a signal
    /// and at the limit.
    private mutating func read(
        _ feed: JSONFeed<JSONValue>, into rows: inout ColumnBatchReader, _ rest: inout FlatRecord?
    ) throws(JSONError) -> Bool {
        guard report.records < options.limit ?? .max else { return false }
        do throws(JSONError) {
            var isWanted = true
            let isThere = try unsafe feed.readRecord { bytes in
                isWanted = unsafe filter?.matches(bytes) ?? true
                guard isWanted else { return nil }
                if let error = unsafe rows.append(bytes) { return error }
                // To name the values that no column takes, the record must be read as a whole.
                guard rest != nil, rows.hasUnboundValue else { return nil }
                return unsafe Convert.note(bytes, &rest)
            }
            guard isThere, interruption.received == 0 else { return false }
            if isWanted { report.records += 1 }
        } catch {
            if interruption.received != 0 { return false }
            if error.kind == .inputOutput { throw error }
            report.reject(error, in: inputName)
        }
        return true
    }

    private static func note(_ record: UnsafeRawBufferPointer, _ rest: inout FlatRecord?) -> JSONError? {
        do throws(JSONError) {
            var reader = JSONReader()
            try unsafe rest?.read(reader.read(JSONValue.self, from: record))
            return nil
        } catch {
            return error
        }
    }

    /// A sink of any type.
    private struct AnySink: ByteSink {
        var sink: any ByteSink

        mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { try unsafe sink.write(bytes) }
    }
}
#endif
