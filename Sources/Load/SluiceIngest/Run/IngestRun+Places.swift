// Stores the places of the rows that a batch has written, where these have a table of their own. The sink tells for each row that it has added,
// changed or removed, as it does for changes.

internal import SluiceCore

extension IngestRun {
    /// The table beside a table of rows.
    ///
    /// - Parameter child: The reader of the rows, if they are those of a child table.
    private func placeTable(of child: ChildReader?) -> PlaceTable? {
        guard let provenance = options.provenance else { return nil }
        let (rows, key) = (child?.table.name ?? sink.table, child?.table.key ?? plan.primaryKey)
        let name = child.map { provenance.table(ofChild: $0.table.name) } ?? provenance.table
        return name.map { PlaceTable(name: $0, rows: rows, key: key, names: provenance.names) }
    }

    /// Stores the places of the rows that were written since the transaction began, and forgets those of rows that are gone.
    ///
    /// - Parameter isOfRecords: Whether records have written them. Rows that the inputs lack keep their places when they are marked.
    package func storePlaces(_ transaction: any SinkTransaction, isOfRecords: Bool = true) throws {
        guard let changes, let table = placeTable(of: nil) else { return }
        if options.emptiesTable, !known.hasCommitted { try forgetPlaces(in: table, transaction) }
        try transaction.ledger.keepPlaces(places(of: changes, batch, isOfRecords), in: table)
        for child in childReaders {
            guard let changes = child.changes, let table = placeTable(of: child) else { continue }
            try transaction.ledger.keepPlaces(places(of: changes, child.batch, isOfRecords), in: table)
        }
    }

    /// Forgets the places of all rows, because these were deleted.
    private func forgetPlaces(in table: PlaceTable, _ transaction: any SinkTransaction) throws {
        let remembered = plan.memory.childTables.map(\.name)
        let children = Set(plan.droppedTables + remembered + childReaders.map(\.table.name)).sorted()
        let names = [table.name] + children.compactMap { options.provenance?.table(ofChild: $0) }
        for name in names {
            let key = name == table.name ? table.key : []
            try transaction.ledger.forgetPlaces(in: PlaceTable(name: name, rows: table.rows, key: key, names: table.names))
        }
    }

    private func places(of changes: ChangeRecorder, _ batch: RowBatch, _ isOfRecords: Bool) throws -> [RowPlace] {
        var places: [RowPlace] = []
        // The last change of a row counts.
        // By their bytes: to Swift, both spellings of é are one key.
        var known: [[UInt8]: Int] = [:]
        for entry in changes.entries where isOfRecords || entry.operation == .removed {
            guard let key = (try? JSONValue(json: entry.key))?.object?.members.map(\.value) else {
                throw IngestError.database("the key \(entry.key) of a row of \(changes.table) is no JSON object")
            }
            var origin: RecordOrigin?
            if entry.operation != .removed, case .row(let row) = entry.origin { origin = batch.origin(of: row) }
            let place = RowPlace(key: key, origin: origin)
            if let index = known[Array(entry.key.utf8)] {
                places[index] = place
            } else {
                known[Array(entry.key.utf8)] = places.count
                places.append(place)
            }
        }
        return places
    }
}

extension IngestPlan {
    /// Checks that the places of all rows are kept in one way. Without its place, a record that is merged would leave that of an earlier one,
    /// and rows that are deleted would leave theirs in the table beside them.
    func checkPlaces(_ options: IngestOptions) throws {
        let beside = memory.provenance?.table
        let kept = beside ?? (memory.layout.places.isEmpty || options.emptiesTable ? nil : "")
        guard let kept, kept != options.provenance.map({ $0.table ?? "" }) else { return }
        guard
            options.provenance != nil || options.conflict == .upsert || options.conflict == .replace
                || beside != nil && (options.emptiesTable || options.missing == .delete)
        else { return }
        throw IngestError.usage(
            "the rows of \(sink.table) have their places in \(kept.isEmpty ? "its own columns" : "the table \(kept)"), and need "
                + "new ones: add \(option: .provenance(kept.isEmpty ? nil : kept)), or load into another \(option: .table)")
    }
}
