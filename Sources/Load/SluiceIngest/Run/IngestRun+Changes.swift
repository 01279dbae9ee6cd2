// Collects the changes of a batch, each with the record that has caused it, and stores them in the transaction of the batch.

internal import SluiceCore

extension IngestRun {
    /// Forgets all changes, because the transaction begins or is repeated.
    package func forgetChanges() {
        changes?.removeAll()
        for child in childReaders { child.changes?.removeAll() }
    }

    /// Stores the changes that the sink has reported since the transaction began.
    package func storeChanges(_ transaction: any SinkTransaction) throws {
        guard let log = changeLog, let changes else { return }
        let time = RecordedChange.now
        // A sink may store the rows of a batch in another order.
        let sorted = changes.entries.enumerated().sorted { left, right in
            let rows = (row(of: left.element, nil) ?? .max, row(of: right.element, nil) ?? .max)
            return rows.0 == rows.1 ? left.offset < right.offset : rows.0 < rows.1
        }
        var all = sorted.map { recorded($0.element, of: changes, nil, time) }
        for child in childReaders {
            guard let changes = child.changes else { continue }
            all += changes.entries.map { recorded($0, of: changes, child, time) }
        }
        try log.store(all, transaction)
    }

    /// A change with the position of its record.
    ///
    /// - Parameter child: The reader of the table, if it is a child table.
    private func recorded(
        _ entry: ChangeRecorder.Entry, of changes: ChangeRecorder, _ child: ChildReader?, _ time: String
    ) -> RecordedChange {
        let row = row(of: entry, child)
        let origin = row.map { row in
            unsafe batch.withRecord(row) { _, input, position in
                let name = inputs[input].name
                let position = options.replay?.restored(position, in: name) ?? position
                return (name, position.line, position.offset)
            }
        }
        return RecordedChange(
            table: changes.table, key: entry.key, operation: entry.operation, time: time, file: origin?.0, line: origin?.1,
            byte: origin?.2, patch: entry.patch, nulls: entry.nulls, hidden: entry.hidden)
    }

    /// The row of the batch whose record has caused a change; nil if no record has.
    private func row(of entry: ChangeRecorder.Entry, _ child: ChildReader?) -> Int? {
        switch entry.origin {
        case .none: return nil
        case .row(let row): return child.map { self.row(of: row, of: $0) } ?? row
        case .parent(let row, let replaced):
            let reader = childReaders.first { $0.changes === replaced }
            guard let parent = reader?.parent.owner else { return row }
            return self.row(of: row, of: parent)
        }
    }
}
