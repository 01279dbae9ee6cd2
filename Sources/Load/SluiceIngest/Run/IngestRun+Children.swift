// Stores the rows of child tables: after their parents' rows, in the same transaction.

internal import SluiceCore

/// An element of an array that the sink has refused.
package struct RefusedElement {
    package let child: ChildReader
    package let row: Int
    package let reason: String
}

extension IngestRun {
    /// All readers of child tables. The reader of a table comes after the reader of its parent table.
    package var childReaders: [ChildReader] {
        func below(_ reader: RowReader) -> [ChildReader] { reader.children.flatMap { [$0] + below($0.rows) } }
        return below(rows)
    }

    // MARK: The tables

    /// Makes the child tables, and adds their late columns.
    package func prepareChildren(_ transaction: any SinkTransaction) throws {
        for child in childReaders where child.preparedColumns < child.rows.layout.columns.count {
            let isNew = !known.hasCommitted && child.preparedColumns == 0
            let parent = child.parent.owner
            let columns = child.rows.layout.columns.map(\.name)
            child.changes?.hide(in: child.rows.layout)
            let parentColumns = child.parent.layout.columns
            _ = try transaction.prepare(
                SinkTable(
                    name: child.table.name, columns: child.rows.layout.columns, key: child.table.key,
                    existing: isNew && options.emptiesTable ? options.existing : .append,
                    conflict: child.shared.replaces ? .replace : .reject,
                    parent: SinkParent(
                        table: parent?.table.name ?? sink.table, key: child.table.parentKey.map { parentColumns[$0].name },
                        columns: Array(columns.prefix(child.table.parentKey.count))),
                    filled: plan.memory.columns(ofChild: child.table.name), changes: child.changes))
            child.preparedColumns = child.rows.layout.columns.count
        }
    }

    // MARK: Rows

    /// Stores the child rows of a batch.
    ///
    /// - Parameters:
    ///   - missing: The rows of the batch that are not in the table, or that keep the children they have.
    ///   - stored: Takes what became of the rows of each table.
    /// - Returns: The elements that the sink did not accept.
    package func storeChildren(
        missing: Set<Int>, _ transaction: any SinkTransaction, stored: (ChildReader, StoredBatch) -> Void
    ) throws -> [RefusedElement] {
        var refused: [RefusedElement] = []
        func store(_ reader: RowReader, _ isMissing: (Int) -> Bool) throws {
            for child in reader.children {
                child.leaveOutRows(isMissing: isMissing)
                var refusedRows: Set<Int> = []
                if child.batch.storedCount + child.ends.storedCount > 0 {
                    let result = try transaction.store(
                        child.batch, inChild: child.table.name, replacing: child.shared.replaces ? child.ends : nil)
                    stored(child, result)
                    refusedRows = Set(result.refused.map(\.row))
                    refused += result.refused.map { RefusedElement(child: child, row: $0.row, reason: $0.reason) }
                }
                try store(child.rows) { child.batch.isLeftOut($0) || refusedRows.contains($0) }
            }
        }
        try store(rows, missing.contains)
        return refused
    }

    /// The row of the batch whose record has this element.
    package func row(of element: RefusedElement) -> Int { row(of: element.row, of: element.child) }

    /// The row of the batch whose record has this row of a child table.
    package func row(of row: Int, of child: ChildReader) -> Int {
        var (child, row) = (child, row)
        while let parent = child.parent.owner {
            row = child.batch.parent(of: row)
            child = parent
        }
        return child.batch.parent(of: row)
    }

    /// The rejections of records by their rows: each for the first of its elements that was refused.
    package func rejections(ofRecordsWith elements: [RefusedElement]) -> [Int: PendingRejection] {
        Dictionary(elements.map { (row(of: $0), rejection(of: $0, isElement: false)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The rejection of an element that the sink has refused, or of its record.
    package func rejection(of element: RefusedElement, isElement: Bool) -> PendingRejection {
        let row = row(of: element)
        return unsafe batch.withRecord(row) { text, input, position in
            let offset = element.child.batch.offset(of: element.row)
            let start = unsafe position.advanced(over: UnsafeRawBufferPointer(rebasing: text.prefix(max(0, offset))))
            let words = "line \(start.line), column \(start.column), byte \(start.offset)"
            let reason = "not accepted by the table \(element.child.table.name) (\(words)): \(element.reason)"
            let path = PathSyntax.text(ofKeys: element.child.table.layout.home)
            let record =
                unsafe isElement
                ? element.child.batch.withRecord(element.row) { element, _, _ in
                    unsafe RejectedRecord(constraint: reason, element, at: start, of: inputs[input].name, column: path)
                }
                : unsafe RejectedRecord(
                    constraint: reason, text, at: position, of: inputs[input].name, position: start, column: path)
            return PendingRejection(
                record: isElement ? record.of(.element) : withKeyMark(record), isElement: isElement,
                reason: reasonInReport(reason, inputs[input].name), row: row, input: input)
        }
    }

    // MARK: The report

    /// Adds what the readers of child tables have found to the report.
    package func noteChildren() {
        for child in childReaders {
            report.lateColumns += child.rows.lateColumns
            report.discarded += child.rows.discarded
        }
        let layouts = Dictionary(
            childReaders.map { (shownName(of: $0), $0.rows.layout) }, uniquingKeysWith: { first, _ in first })
        for (index, summary) in report.children.enumerated() {
            report.children[index].columns = layouts[summary.table].map(IngestPlan.summaries) ?? []
        }
    }

    /// Adds the number of child rows that were removed together with other rows.
    package func noteRemoved(_ counts: [String: Int]) { note(IngestRun.removed(counts)) }

    private static func removed(_ counts: [String: Int]) -> [(String, RowCounts)] {
        counts.filter { $0.value > 0 }.map { ($0.key, RowCounts(removed: $0.value)) }
    }

    private func note(_ counts: [(table: String, rows: RowCounts)]) {
        let shown = Dictionary(childReaders.map { ($0.table.name, shownName(of: $0)) }, uniquingKeysWith: { first, _ in first })
        let listed = report.children.enumerated().map { ($1.table, $0) }
        var indices = Dictionary(listed, uniquingKeysWith: { first, _ in first })
        for (name, rows) in counts {
            let table = shown[name] ?? name
            if let index = indices[table] {
                report.children[index].rows += rows
            } else {
                indices[table] = report.children.count
                report.children.append(IngestReport.ChildSummary(table: table, rows: rows))
            }
        }
    }

    /// The name of a child table as the report shows it.
    func shownName(of child: ChildReader) -> String { child.rows.layout.hiddenHome ?? child.table.name }

    /// Adds what became of the rows of a committed batch.
    package func note(_ stored: [(child: ChildReader, batch: StoredBatch)]) {
        note(stored.flatMap { [($0.child.table.name, $0.batch.counts)] + IngestRun.removed($0.batch.removedBelow) })
        for (child, batch) in stored {
            deviations[child.table.name, default: Deviations()].add(batch)
            for loss in batch.digitLosses {
                let layout = child.rows.layout
                let path = layout.columns.first { $0.name == loss.column }?.path.map { layout.shown($0) }
                report.digitLosses.note(loss.hidden(by: layout).of(layout.hiddenHome ?? child.table.name, path: path))
            }
        }
    }
}
