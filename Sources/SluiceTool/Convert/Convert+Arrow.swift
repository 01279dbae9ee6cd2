// Writes records as batches of columns in Arrow's IPC stream format.

#if CommandLine
internal import SluiceArrow
internal import SluiceCore
internal import SluiceFeed
internal import SluiceIngest

extension Convert {
    /// How many records a batch has.
    private static let batchSize = 65_536

    /// Writes batches of columns. The columns' types are inferred from all records of a file, or from the first records of a
    /// pipe.
    mutating func writeArrow(_ names: [String]) throws {
        var inputs: [IngestInput?] = Array(repeating: nil, count: names.count)
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
        let hidesText = options.feed.hidesText
        var rows = ColumnBatchReader(columns: columns)
        var unknownKeys = UnknownKeys(keptKeys: .max)
        var unseen = Set(
            columns.indices.filter { index in
                !inference.paths.contains {
                    $0.elementsEqual(columns[index].keys[0].components) { $0.utf8.elementsEqual($1.utf8) }
                }
            })
        for (index, name) in names.enumerated() {
            inputName = names.count > 1 ? name : nil
            // With chosen columns, the user has left out the other keys, so they are not reported.
            try pass.run(inputs[index] ?? IngestInput(name), limit: rest) {
                ColumnRecords(columns, reportsUnknownKeys: !isGiven, hidesText: hidesText)
            } deliver: { part, count, errors throws(JSONError) in
                note(count, errors)
                for key in part.unknownKeys { unknownKeys.note(key.path, count: key.count, at: "") }
                var first = 0
                while first < part.rows.rowCount {
                    if rows.rowCount == Convert.batchSize || rows.isFull(for: part.rows.textSize) {
                        try write(rows.takeBatch(), to: &writer, &unseen)
                    }
                    let end = min(part.rows.rowCount, first + Convert.batchSize - rows.rowCount)
                    rows.append(first..<end, of: part.rows)
                    first = end
                }
            }
        }
        if rows.rowCount > 0 { try write(rows.takeBatch(), to: &writer, &unseen) }
        try writer.finish()
        report.unknownKeys = unknownKeys.keys.map { ($0.path, $0.count) }
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

    /// A sink of any type.
    private struct AnySink: ByteSink {
        var sink: any ByteSink

        mutating func write(_ bytes: UnsafeRawBufferPointer) throws(JSONError) { try unsafe sink.write(bytes) }
    }
}
#endif
