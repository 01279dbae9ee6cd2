// Stores what the table remembers of its columns, in the transaction of the rows.

internal import SluiceCore

extension IngestRun {
    /// Adds the columns of this run to those that the table remembers, if there are new ones. Another run may have added
    /// something in between: the two are united.
    package func remember(in transaction: any SinkTransaction) throws {
        guard textWork == nil else { return }
        rows.decideColumns(by: batch)
        for child in childReaders { child.rows.decideColumns(by: child.batch) }
        guard remembered != rows.discoveries else { return }
        try transaction.remember { text in
            let isNew = text == nil || !hasCommitted && (options.existing == .drop || text == plan.oldMemory)
            var memory = plan.memory
            if let text, !isNew {
                memory = try TableMemory(text: text, of: sink.table)
                if !hasCommitted { memory.forget(allBut: try transaction.contents().columns) }
                try check(memory)
            }
            if !hasCommitted, options.emptiesTable || options.restarts {
                memory.forgetReplays(of: options.emptiesTable ? nil : plan.parts.map(\.input.name))
            }
            memory.add(rows.currentLayout)
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
        try transaction.remember { text in
            var memory = try text.map { text throws(IngestError) in try TableMemory(text: text, of: sink.table) } ?? plan.memory
            for (name, count) in counts where count > 0 { memory.noteReplayed(count, of: name) }
            return memory.text
        }
    }

    /// Another run may have made a column of the same name for another path, after this one looked.
    private func check(_ memory: TableMemory) throws(IngestError) {
        for column in rows.layout.columns where column.column?.isTolerant == true && !column.isStored {
            guard let rival = memory.rival(of: column), rival.column?.isTolerant == true, let path = rival.path else { continue }
            throw .database(
                "another run has just made the column \(column.name) for \(rows.layout.shown(path)), and this one needs it for "
                    + "\(rows.layout.shown(column.path ?? [])); run it again")
        }
    }

    /// Notes that the transaction is committed.
    package func endRemembering() { remembered = rows.discoveries }
}
