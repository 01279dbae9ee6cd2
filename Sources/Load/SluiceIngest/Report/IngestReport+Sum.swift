// Several reports as one: a log that is rotated or followed is read in many passes.

extension IngestReport {
    /// The report of this pass and of the next one.
    package func followed(by next: IngestReport) -> IngestReport {
        // A pass that reads nothing knows neither columns nor contract.
        let (read, other) = next.records == 0 ? (self, next) : (next, self)
        var sum = read
        sum.outcome = next.outcome == .nothingToDo ? outcome : next.outcome
        (sum.movedFiles, sum.isOutrun) = (next.movedFiles, next.isOutrun)
        sum.inputs = max(inputs, next.inputs)
        sum.isMerged = isMerged || next.isMerged
        sum.hasOverflow = hasOverflow || next.hasOverflow
        sum.records = records + next.records
        sum.rows = rows
        sum.rows += next.rows
        sum.children = children
        for child in next.children {
            if let index = sum.children.firstIndex(where: { $0.table == child.table }) {
                sum.children[index].rows += child.rows
            } else {
                sum.children.append(child)
            }
        }
        if read.columns.isEmpty { (sum.columns, sum.origin) = (other.columns, other.origin) }
        sum.rejectedElements = rejectedElements + next.rejectedElements
        sum.discarded = discarded + next.discarded
        sum.passedOver = passedOver + next.passedOver
        sum.rejected = rejected + next.rejected
        (sum.rejectedBefore, sum.lossesBefore, sum.resumed) = (rejectedBefore, lossesBefore, resumed)
        sum.rejections = Array((rejections + next.rejections).prefix(IngestReport.mostKept))
        sum.rejectsTarget = next.rejectsTarget ?? rejectsTarget
        sum.addedColumns = IngestReport.union(addedColumns, next.addedColumns)
        sum.lateColumns = IngestReport.union(lateColumns, next.lateColumns)
        sum.unknownKeys = unknownKeys
        for key in next.unknownKeys {
            if let index = sum.unknownKeys.firstIndex(where: { $0.path == key.path }) {
                sum.unknownKeys[index].count &+= key.count
            } else {
                sum.unknownKeys.append(key)
            }
        }
        sum.unknownValues = unknownValues &+ next.unknownValues
        sum.typeDeviations = IngestReport.sum(typeDeviations, next.typeDeviations)
        sum.generatedValues = IngestReport.sum(generatedValues, next.generatedValues)
        sum.unnameableColumns = IngestReport.union(unnameableColumns, next.unnameableColumns)
        sum.digitLosses = digitLosses
        for loss in next.digitLosses { sum.digitLosses.note(loss) }
        (sum.columnLimit, sum.keyLimit) = (next.columnLimit ?? columnLimit, next.keyLimit ?? keyLimit)
        // A path that no record of one pass had may be in those of another one.
        if records > 0, next.records > 0 { sum.unseenPaths = unseenPaths.filter(next.unseenPaths.contains) }
        sum.notes = IngestReport.union(notes, next.notes)
        sum.unread = IngestReport.union(unread, next.unread)
        sum.bytes = bytes &+ next.bytes
        sum.nanoseconds = nanoseconds &+ next.nanoseconds
        sum.readingNanoseconds = readingNanoseconds &+ next.readingNanoseconds
        sum.databaseNanoseconds = databaseNanoseconds &+ next.databaseNanoseconds
        sum.isTableMade = isTableMade || next.isTableMade
        sum.totalRows = next.totalRows ?? totalRows
        return sum
    }

    /// How many rejected records a sum keeps with their reasons.
    private static let mostKept = 100

    /// The most notes that a sum keeps.
    private static let mostNotes = 1_000

    private static func union<Element: Equatable>(_ first: [Element], _ second: [Element]) -> [Element] {
        Array((first + second.filter { !first.contains($0) }).suffix(mostNotes))
    }

    private static func sum(_ first: [TypeDeviation], _ second: [TypeDeviation]) -> [TypeDeviation] {
        var sum = first
        for deviation in second {
            if let index = sum.firstIndex(where: { $0.column == deviation.column }) {
                sum[index] = TypeDeviation(
                    column: deviation.column, type: deviation.type, count: sum[index].count &+ deviation.count)
            } else {
                sum.append(deviation)
            }
        }
        return sum
    }
}
