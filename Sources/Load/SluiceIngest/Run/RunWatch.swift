// Takes the figures of a run, and tells them to who watches it. Without a watcher there is none of this: a run then looks at one optional for
// each batch.

internal import Foundation
internal import SluiceCore

/// Gathers the figures of a run, or of all passes over logs that are rotated or followed.
package final class RunWatch {
    /// An input that is a file.
    private struct File {
        let path: String
        /// The file of a rotated log: another one may have its name by now.
        var stamp: FileStamp?
        /// How many bytes were read; nil if that is unknown.
        var read: Int?
    }

    private var figures: RunFigures
    private let tell: @Sendable (RunFigures) -> Void
    private var files: [File] = []
    /// Their indices by their names.
    private var indices: [String: Int] = [:]
    /// Those of which something was read since the last commit.
    private var readIndices: [Int] = []
    private let range: Range<Int>?
    private var counts: [String: ValueCounts] = [:]
    /// The report and the columns of the passes that have ended; nil if there are none.
    private var earlier: (report: IngestReport, columns: [RunFigures.Column])?
    /// How many rows of each table these have stored.
    private var earlierRows: [String: Int] = [:]
    /// When all files are looked at again, because a look at thousands of them takes longer than some commits.
    private var nextLook: UInt64 = 0
    private static let interval: UInt64 = 1_000_000_000

    init(
        _ inputs: [IngestInput], _ options: IngestOptions, _ sink: any RecordSink, _ report: IngestReport,
        _ tell: @escaping @Sendable (RunFigures) -> Void
    ) {
        figures = RunFigures(report, system: (sink as? any DatabaseSink)?.system)
        self.tell = tell
        range = options.feed.range
        for input in inputs {
            guard case .file(let path) = input, input.isRegularFile else { continue }
            add(File(path: path))
        }
    }

    private func add(_ file: File) {
        // Two series of one name would make the whole text invalid.
        guard indices[file.path] == nil else { return }
        indices[file.path] = files.count
        files.append(file)
        figures.inputs.append(RunFigures.Input(name: file.path))
    }

    /// Notes what earlier runs or passes have read, and when.
    func begin(_ plan: IngestPlan) {
        if figures.commits == 0 {
            let form = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let last = (plan.checkpoints.values.map { $0.checkpoint?.time } + [plan.families?.past.time]).compactMap(\.self).max()
            if let date = last.flatMap({ try? Date($0, strategy: form) }) { figures.commitTime = date.timeIntervalSince1970 }
        }
        guard plan.families == nil else { return takeFiles(of: plan) }
        // Earlier runs have read the other inputs to their ends.
        for index in files.indices { files[index].read = FileRest(of: files[index].path, after: 0).count }
        for part in plan.parts {
            guard let index = indices[part.input.name] else { continue }
            files[index].read = range?.lowerBound ?? 0
            guard case .after(let checkpoint) = part.rest else { continue }
            files[index].read = checkpoint.feed.readBytes(isComplete: checkpoint.isComplete)
        }
    }

    /// Takes the files that rotated logs have now.
    private func takeFiles(of plan: IngestPlan) {
        guard let families = plan.families else { return }
        var read = families.past.readBytes
        for part in plan.parts {
            guard case .member(let member) = part.input else { continue }
            let length = member.checkpoint.map { $0.evidence?.length ?? $0.offset } ?? 0
            read.updateValue(member.isCompressed ? nil : length, forKey: member.file.place)
        }
        let rests = Dictionary(
            zip(files, figures.inputs).compactMap { file, input in file.stamp.map { ($0.place, input.rest) } },
            uniquingKeysWith: { $1 })
        (files, indices, readIndices, figures.inputs) = ([], [:], [], [])
        for stamp in families.files {
            // The others are copies, or have no line yet.
            guard let read = read[stamp.place] else { continue }
            add(File(path: stamp.path, stamp: stamp, read: read))
            if let rest = rests[stamp.place] { figures.inputs[figures.inputs.count - 1].rest = rest } else { nextLook = 0 }
        }
    }

    // MARK: A commit

    /// Counts the rows of a table, and their values.
    ///
    /// - Parameters:
    ///   - shown: The table's name in reports.
    ///   - leftOut: How many records were left out because elements of theirs were refused.
    func count(_ batch: RowBatch, _ stored: StoredBatch, of table: String, shown: String, leftOut: Int = 0) {
        figures.refused[shown, default: 0] += stored.refused.count + leftOut
        guard !batch.isText else { return }
        batch.count(except: Set(stored.refused.map(\.row) + stored.keptRows), into: &counts[table, default: ValueCounts()])
    }

    /// Notes what was read and rejected.
    func note(_ inputs: [InputProgress], rejected: [RejectedRecord]) {
        for input in inputs {
            guard let index = indices[input.name], files[index].stamp?.place == input.file?.place else { continue }
            files[index].read = input.readBytes
            readIndices.append(index)
        }
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
        // To Swift, both spellings of é are one name, and a table may have both.
        var known: [[UInt8]: Int] = [:]
        for (index, column) in figures.columns.enumerated() where column.table == shown { known[Array(column.name.utf8)] = index }
        for (index, column) in layout.columns.enumerated() {
            let name = layout.hiddenName(of: column) ?? column.name
            // Two series of one name would make the whole text invalid.
            let bytes = Array(name.utf8)
            let position = known[bytes] ?? figures.columns.count
            if position == figures.columns.count {
                figures.columns.append(RunFigures.Column(table: shown, name: name, nulls: earlierRows[table] ?? 0))
                known[bytes] = position
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
        figures.report = sum(report)
        figures.commits += 1
        (figures.commitNanoseconds, figures.commitTime) = (nanoseconds, Date().timeIntervalSince1970)
        figures.columns = earlier?.columns ?? []
        setColumns()
        if Clock.nanoseconds >= nextLook { lookAtFiles() } else { readIndices.forEach(lookAtFile) }
        readIndices = []
        tell(figures)
        (figures.lastRejections, figures.lastRejectionCount) = ([], 0)
    }

    // MARK: The end

    /// Adds the report of a pass that has ended; others follow.
    func endPass(_ report: IngestReport) {
        earlier = (sum(report), figures.columns)
        for (table, counts) in counts { earlierRows[table, default: 0] += counts.rows }
        counts = [:]
        // Files may have grown by a part of a line, or have other names.
        if report.records == 0, figures.commits > 0, Clock.nanoseconds >= nextLook { tellNews() }
    }

    /// The report of all passes.
    private func sum(_ report: IngestReport) -> IngestReport { earlier?.report.followed(by: report) ?? report }

    /// Tells that a run that follows logs cannot go on for now: its files grow meanwhile.
    ///
    /// - Parameter reason: Why; nil if it was told before.
    func pause(_ reason: String?) {
        figures.pause = reason
        tellNews()
        figures.pause = nil
    }

    /// Tells what has become of the files since the last commit.
    private func tellNews() {
        lookAtFiles()
        tell(figures)
    }

    /// Tells the figures at the end of the run.
    func end(_ report: IngestReport) {
        (figures.report, figures.isEnd) = (report, true)
        lookAtFiles()
        tell(figures)
    }

    private func lookAtFiles() {
        files.indices.forEach(lookAtFile)
        nextLook = Clock.nanoseconds + RunWatch.interval
    }

    private func lookAtFile(_ index: Int) {
        let file = files[index]
        figures.inputs[index].rest = FileRest(of: file.path, as: file.stamp, range: range, after: file.read)
    }
}

extension IngestRun {
    /// Takes from a batch what only operators want, before it is forgotten.
    func watch(
        _ all: [PendingRejection], _ stored: StoredBatch, _ children: [(ChildReader, StoredBatch)], leftOut: Int
    ) {
        guard let watcher else { return }
        watcher.count(batch, stored, of: sink.table, shown: sink.table, leftOut: leftOut)
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
        (report.records, report.bytes, report.nanoseconds) = (committed.records, committed.bytes, now - self.start)
        report.databaseNanoseconds &+= now - start
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
