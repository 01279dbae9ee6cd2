// Several reports as one: a log that is rotated or followed is read in many passes.

extension IngestReport {
    /// The report of this pass and of the next one.
    package func followed(by next: IngestReport) -> IngestReport {
        var sum = next
        sum.records += records
        sum.rows = rows
        sum.rows += next.rows
        for child in children {
            if let index = sum.children.firstIndex(where: { $0.table == child.table }) {
                var rows = child.rows
                rows += sum.children[index].rows
                sum.children[index].rows = rows
            } else {
                sum.children.append(child)
            }
        }
        if sum.columns.isEmpty { (sum.columns, sum.origin) = (columns, origin) }
        sum.rejectedElements += rejectedElements
        sum.discarded += discarded
        sum.passedOver += passedOver
        sum.rejected += rejected
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
        sum.unknownValues &+= unknownValues
        sum.typeDeviations = IngestReport.sum(typeDeviations, next.typeDeviations)
        sum.generatedValues = IngestReport.sum(generatedValues, next.generatedValues)
        sum.unnameableColumns = IngestReport.union(unnameableColumns, next.unnameableColumns)
        sum.digitLosses = digitLosses
        for loss in next.digitLosses { sum.digitLosses.note(loss) }
        (sum.columnLimit, sum.keyLimit) = (next.columnLimit ?? columnLimit, next.keyLimit ?? keyLimit)
        // A path that no record of one pass had may be in those of another one.
        sum.unseenPaths = unseenPaths.filter(next.unseenPaths.contains)
        sum.notes = IngestReport.union(notes, next.notes)
        sum.unread = IngestReport.union(unread, next.unread)
        sum.bytes &+= bytes
        sum.nanoseconds &+= nanoseconds
        sum.readingNanoseconds &+= readingNanoseconds
        sum.databaseNanoseconds &+= databaseNanoseconds
        sum.isTableMade = isTableMade || next.isTableMade
        sum.totalRows = next.totalRows ?? totalRows
        if next.outcome == .nothingToDo { sum.outcome = outcome }
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
