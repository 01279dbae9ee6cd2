// Takes the figures of a run, and tells them to who watches it. Without a watcher there is none of this: a run then looks at one optional for
// each batch.

internal import Foundation
internal import SluiceCore

/// Gathers the figures of a run.
package final class RunWatch {
    private var figures: RunFigures
    private let tell: @Sendable (RunFigures) -> Void
    /// The inputs that are files: how many bytes of each were read, or nil if that is unknown.
    private var files: [(path: String, read: Int?)] = []
    /// Their indices by their names.
    private var indices: [String: Int] = [:]
    private let range: Range<Int>?
    private var counts: [String: ValueCounts] = [:]
    /// When the files are looked at again, because a look at thousands of them takes longer than some commits.
    private var nextLook: UInt64 = 0
    private static let pause: UInt64 = 1_000_000_000

    init(
        _ inputs: [IngestInput], _ options: IngestOptions, _ sink: any RecordSink, _ report: IngestReport,
        _ tell: @escaping @Sendable (RunFigures) -> Void
    ) {
        figures = RunFigures(report, system: (sink as? any DatabaseSink)?.system)
        self.tell = tell
        range = options.feed.range
        for input in inputs {
            guard case .file(let path) = input, input.isRegularFile else { continue }
            indices[input.name] = files.count
            files.append((path, nil))
            figures.inputs.append(RunFigures.Input(name: input.name))
        }
    }

    /// Notes what earlier runs have read, and when.
    func begin(_ plan: IngestPlan) {
        let form = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let last = plan.checkpoints.values.compactMap { $0.checkpoint?.time }.max()
        if let date = last.flatMap({ try? Date($0, strategy: form) }) { figures.commitTime = date.timeIntervalSince1970 }
        // Earlier runs have read the other inputs to their ends.
        for index in files.indices { files[index].read = FileRest(of: files[index].path, after: 0).count }
        for part in plan.parts {
            guard let index = indices[part.input.name] else { continue }
            files[index].read = range?.lowerBound ?? 0
            guard case .after(let checkpoint) = part.rest else { continue }
            files[index].read = checkpoint.feed.readBytes(isComplete: checkpoint.isComplete)
        }
    }

    // MARK: A commit

    /// Counts the rows of a table, and their values.
    ///
    /// - Parameter shown: The table's name in reports.
    func count(_ batch: RowBatch, _ stored: StoredBatch, of table: String, shown: String) {
        figures.refused[shown, default: 0] += stored.refused.count
        guard !batch.isText else { return }
        batch.count(except: Set(stored.refused.map(\.row)), into: &counts[table, default: ValueCounts()])
    }

    /// Notes what was read and rejected.
    func note(_ inputs: [InputProgress], rejected: [RejectedRecord]) {
        for input in inputs { if let index = indices[input.name] { files[index].read = input.readBytes } }
        for record in rejected { figures.rejections[record.kind, default: 0] += 1 }
        figures.lastRejections = Array(rejected.prefix(RunFigures.mostRejections))
        figures.lastRejectionCount = rejected.count
    }

    /// The columns of a table.
    ///
    /// - Parameters:
    ///   - shown: The table's name in reports.
    ///   - offType: For each column, how many values are not of its type.
    func setColumns(_ layout: TableLayout, of table: String, shown: String, offType: [Int]) {
        let counts = counts[table] ?? ValueCounts()
        var known: [String: Int] = [:]
        for (index, column) in figures.columns.enumerated() where column.table == shown { known[column.name] = index }
        for (index, column) in layout.columns.enumerated() {
            let name = layout.shownName(column.name)
            // Two series of one name would make the whole text invalid.
            let position = known[name] ?? figures.columns.count
            if position == figures.columns.count {
                figures.columns.append(RunFigures.Column(table: shown, name: name))
                known[name] = position
            }
            figures.columns[position].values += counts.values(of: index)
            figures.columns[position].nulls += counts.nulls(of: index)
            figures.columns[position].offType += index < offType.count ? offType[index] : 0
        }
    }

    /// Tells the figures after a commit.
    ///
    /// - Parameters:
    ///   - nanoseconds: How long the commit took.
    ///   - setColumns: Calls ``setColumns(_:of:shown:offType:)`` for each table.
    func endCommit(_ report: IngestReport, after nanoseconds: UInt64, setColumns: () -> Void) {
        figures.report = report
        figures.commits += 1
        (figures.commitNanoseconds, figures.commitTime) = (nanoseconds, Date().timeIntervalSince1970)
        figures.columns = []
        setColumns()
        if Clock.nanoseconds >= nextLook { lookAtFiles() }
        tell(figures)
        (figures.lastRejections, figures.lastRejectionCount) = ([], 0)
    }

    /// Tells the figures at the end of the run.
    func end(_ report: IngestReport) {
        (figures.report, figures.isEnd) = (report, true)
        lookAtFiles()
        tell(figures)
    }

    private func lookAtFiles() {
        for (index, file) in files.enumerated() {
            figures.inputs[index].rest = FileRest(of: file.path, range: range, after: file.read)
        }
        nextLook = Clock.nanoseconds + RunWatch.pause
    }
}

extension IngestRun {
    /// Takes from a batch what only operators want, before it is forgotten.
    func watch(_ all: [PendingRejection], _ stored: StoredBatch, _ children: [(ChildReader, StoredBatch)]) {
        guard let watcher else { return }
        watcher.count(batch, stored, of: sink.table, shown: sink.table)
        for (child, stored) in children {
            watcher.count(child.batch, stored, of: child.table.name, shown: shownName(of: child))
        }
        watcher.note(inputs, rejected: all.map(\.record))
    }

    /// Tells the watcher of a commit.
    ///
    /// - Parameter start: When it began.
    func tellCommit(since start: UInt64) {
        guard let watcher else { return }
        let now = Clock.nanoseconds
        var report = report
        (report.records, report.nanoseconds) = (records, now - self.start)
        report.databaseNanoseconds &+= now - start
        report.bytes += inputs.last?.openBytes ?? 0
        report.addedColumns = report.addedColumns.map { rows.layout.shownName($0) }
        watcher.endCommit(report, after: now - start) {
            let table = sink.table
            watcher.setColumns(rows.layout, of: table, shown: table, offType: deviations[table]?.offType ?? [])
            for child in childReaders {
                let table = child.table.name
                watcher.setColumns(
                    child.rows.layout, of: table, shown: shownName(of: child), offType: deviations[table]?.offType ?? [])
            }
        }
    }
}
