// Stores what the table remembers of its columns, in the transaction of the rows.

internal import SluiceCore

/// The columns of texts for which a run notes whether they have had a text.
package struct TextColumns {
    /// Those that have not had a text so far.
    package var open: Set<Int>
    /// The folded names of such columns of earlier runs.
    let openNames: Set<[UInt8]>
    /// The folded names of the columns whose type the sink may have changed for this run.
    var retypable: Set<[UInt8]>
    /// The columns among both that have had a text in this run.
    var found: Set<Int> = []
    /// How many columns were looked up among ``openNames``.
    var namedCount: Int

    init(_ plan: IngestPlan) {
        (open, openNames, retypable) = (plan.openColumns, plan.openNames, plan.retypable)
        namedCount = plan.layout.columns.count
    }
}

extension IngestRun {
    /// Adds the columns of this run to those that the table remembers, if there are new ones. Another run may have added
    /// something in between: the two are united.
    ///
    /// - Parameter added: The names of the columns that the sink has added for this run, those with a new type among them.
    package func remember(in transaction: any SinkTransaction, added: ColumnName.List) throws {
        guard textWork == nil else { return }
        closeColumns(added: added)
        guard known.discoveries != discoveries else { return }
        try transaction.ledger.remember { text in
            let isNew = text == nil || !known.hasCommitted && (options.existing == .drop || text == plan.oldMemory)
            var memory = plan.memory
            if let text, !isNew {
                if text != plan.storedMemory {
                    memory = try TableMemory(text: text, of: sink.table)
                    if !known.hasCommitted {
                        let contents = try transaction.look()
                        memory.forget(allBut: contents.columns, cutAfter: contents.longestName)
                    }
                }
                try check(memory)
                try checkTypes(memory, added: added)
            }
            if !known.hasCommitted, options.emptiesTable || options.restarts {
                memory.forgetReplays(of: options.emptiesTable ? nil : plan.parts.map(\.input.name))
            }
            if let provenance = options.provenance { memory.provenance = provenance.table == nil ? nil : provenance }
            let open = openNames(added)
            memory.add(
                rows.currentLayout, isOfTexts: { keepsTexts($0, added) }, isOpen: { open.contains(ColumnName.folded($0.name)) })
            return memory.text
        }
    }

    /// Notes how many rejected records a replay has stored: the runs of their inputs do not count them any more.
    ///
    /// - Parameter rejections: For each input, how many records of the batch are rejected again.
    package func rememberReplayed(_ rejections: [Int], in transaction: any SinkTransaction) throws {
        guard let replay = options.replay else { return }
        let counts = zip(inputs, rejections).map { input, rejected in
            (input.name, replayedRejections(of: input, replay).count - rejected)
        }
        guard counts.contains(where: { $0.1 > 0 }) else { return }
        try transaction.ledger.remember { text in
            var memory = try text.map { text throws(IngestError) in try TableMemory(text: text, of: sink.table) } ?? plan.memory
            for (name, count) in counts where count > 0 { memory.noteReplayed(count, of: name) }
            return memory.text
        }
    }

    /// Another run may have made a column of the same name for another path, after this one looked.
    private func check(_ memory: TableMemory) throws(IngestError) {
        for column in rows.layout.columns where column.read?.isTolerant == true && !column.isStored {
            guard let rival = memory.rival(of: column), rival.read?.isTolerant == true, let path = rival.path else { continue }
            throw .database(
                "another run has just made the column \(column.name) for \(rows.layout.shown(path)), and this one needs it for "
                    + "\(rows.layout.shown(column.path ?? [])); run it again")
        }
    }

    /// Another run may have decided the type of a column that had only had null for both.
    private func checkTypes(_ memory: TableMemory, added: ColumnName.List) throws(IngestError) {
        let late = rows.layout.columns.filter(\.hasLateType)
        guard !late.isEmpty else { return }
        let others = Dictionary(memory.layout.columns.map { (ColumnName.folded($0.name), $0) }) { first, _ in first }
        for column in late {
            let name = ColumnName.folded(column.name)
            guard let other = others[name], !other.isUndecided else { continue }
            if other.type == column.type {
                texts.retypable.remove(name)
            } else if other.type != .text || !keepsTexts(column, added) {
                throw .database(
                    "another run has just made \(column.name) a column of the type \(other.type.name), and this one needs "
                        + "\(column.type.name); run it again")
            }
        }
    }

    /// Whether a column that has only had null keeps its texts, because the user has made something of it.
    private func keepsTexts(_ column: IngestColumn, _ added: ColumnName.List) -> Bool {
        let name = ColumnName.folded(column.name)
        guard column.type != .text, texts.retypable.contains(name) else { return false }
        return !added.contains(name)
    }

    /// Notes that the transaction is committed: which columns the sink has given their types, and which it has made as texts.
    package func noteTypes(added: ColumnName.List) {
        guard plan.retypesColumns else { return }
        texts.retypable = texts.retypable.filter { !added.contains($0) }
        if !known.hasCommitted { texts.retypable.formUnion(rows.layout.undecidedTexts) }
    }

    /// Takes up late columns that were open in earlier runs.
    package func takeOpenColumns() {
        let columns = rows.layout.columns
        guard texts.namedCount < columns.count else { return }
        for index in texts.namedCount..<columns.count
        where columns[index].type == .text && texts.openNames.contains(ColumnName.folded(columns[index].name)) {
            texts.open.insert(index)
        }
        texts.namedCount = columns.count
    }

    private func keptColumns(_ added: ColumnName.List) -> Set<Int> {
        let columns = rows.layout.columns
        return texts.retypable.isEmpty ? [] : Set(columns.indices.filter { keepsTexts(columns[$0], added) })
    }

    /// Notes which columns that had no text so far have one in the batch.
    private func closeColumns(added: ColumnName.List) {
        // The values of a column of JSON are JSON, strings too.
        let watched = texts.open.union(keptColumns(added).filter { rows.layout.columns[$0].type != .json }).subtracting(
            texts.found)
        guard !watched.isEmpty else { return }
        batch.forEachRow { _, row in
            for cell in row.cellIndices where watched.contains(row.column(cell)) {
                guard case .text = row.value(cell), !row.isContainer(cell), row.isString(cell) else { continue }
                texts.found.insert(row.column(cell))
            }
        }
        texts.open.subtract(texts.found)
    }

    /// The columns of texts in which later runs must count the numbers, because they have not had a text.
    private func openNames(_ added: ColumnName.List) -> Set<[UInt8]> {
        let open = texts.open.union(keptColumns(added).subtracting(texts.found))
        return Set(open.map { ColumnName.folded(rows.layout.columns[$0].name) })
    }

    /// How often something new was found of the columns.
    private var discoveries: Int { rows.discoveries + texts.found.count }

    /// Counts the numbers, truth values and JSON of a batch in columns of texts that have only had null so far: one command that looks at
    /// all records makes other columns for them. Where a text comes, too, it makes one of texts.
    ///
    /// - Parameters:
    ///   - open: The columns without a text before the batch.
    ///   - added: The names of the columns that the sink has added, those with a new type among them.
    package func noteTexts(in stored: inout StoredBatch, open: Set<Int>, added: ColumnName.List) {
        let columns = rows.layout.columns
        var open = open
        let kept = keptColumns(added)
        guard !open.isEmpty || !kept.isEmpty else { return }
        let refused = Set(stored.refused.map(\.row))
        batch.forEachRow { index, row in
            for cell in row.cellIndices {
                let column = row.column(cell)
                guard open.contains(column) || kept.contains(column) else { continue }
                let example: String
                switch row.value(cell) {
                case .null: continue
                case .integer(let value): example = columns[column].type == .bool ? value == 1 ? "true" : "false" : "\(value)"
                case .real(let value): example = "\(value)"
                case .text(let text):
                    guard columns[column].type == .json || open.contains(column) && !row.isContainer(cell) else {
                        continue
                    }
                    if open.contains(column), row.isString(cell) {
                        open.remove(column)
                        continue
                    }
                    example = unsafe String(decoding: text.prefix(60), as: UTF8.self)
                }
                guard !refused.contains(index) else { continue }
                stored.digitLosses.note(
                    DigitLoss(column: columns[column].name, example: example, isOfKind: true, isOfTexts: true))
            }
        }
    }

    /// Notes that the transaction is committed.
    package func endRemembering() { known.discoveries = discoveries }
}
