// The checkpoints of rotated logs: there may be very many, so a plan has only their versions, and reads the others when they are needed.

extension IngestPlan {
    /// The whole checkpoints of some of the table's inputs.
    func load(_ entries: [SinkCheckpoint]) throws -> [SinkCheckpoint] {
        try (connection as? any TableConnection)?.checkpoints(of: entries) ?? entries
    }

    /// The numbers of the table's inputs.
    func numbers(of entries: [SinkCheckpoint], _ options: IngestOptions) throws -> Set<Int> {
        guard families != nil else { return Set(entries.compactMap { $0.checkpoint?.recordInput }) }
        guard options.children.hasTables || memory.layout.columns.contains(where: { $0.source == .recordNumber }) else {
            return []
        }
        return try stride(from: 0, to: entries.count, by: 1_000).reduce(into: []) { numbers, start in
            let part = entries[start..<min(start + 1_000, entries.count)]
            numbers.formUnion(try load(Array(part)).compactMap { $0.checkpoint?.recordInput })
        }
    }
}
