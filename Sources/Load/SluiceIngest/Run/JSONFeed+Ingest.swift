// A feed of models goes into a sink, without a model being made.

public import SluiceCore
public import SluiceFeed

extension JSONFeed where Record: JSONModel {
    /// Stores the records of the feed's file in a table whose columns are the model's properties.
    ///
    /// ```swift
    /// let report = try await JSONFeed<Event>(path: "events.ndjson.gz").ingest(into: SQLiteSink(pool, table: "events")) {
    ///     $0.primaryKey("id").conflict(.upsert)
    /// }
    /// ```
    ///
    /// The feed's options hold: where its records are, how they are read, and how many may be rejected. A record that ``next()`` would
    /// refuse is rejected for the same reason. It is the same as ``SluiceIngest/Ingest/init(_:as:reading:into:)``, which also takes several files.
    ///
    /// - Parameters:
    ///   - sink: Where the rows go.
    ///   - options: Sets further options of the ingest.
    /// - Throws: As ``SluiceIngest/Ingest/run(progress:)``; ``IngestError/usage(_:)`` for a feed that does not read a file from its start, or whose options
    ///   an ingest has in another form.
    @discardableResult
    nonisolated(nonsending) public func ingest(
        into sink: some RecordSink, _ options: (Ingest) -> Ingest = { $0 }
    ) async throws -> IngestReport {
        try await options(ingest(into: sink)).run()
    }

    private func ingest(into sink: some RecordSink) throws(IngestError) -> Ingest {
        guard let path, consumedBytes == 0 else {
            throw .usage(
                "only a feed that reads a file, and has read nothing of it yet, can be ingested; for bytes of another source, "
                    + "there is Ingest(source, as: \(Record.self).self, into: sink)")
        }
        guard self.options.predicate == nil else {
            throw .usage("an ingest takes its condition as text: leave out 'where:', and call filter(_:)")
        }
        if case .rejects = self.options.invalidRecords {
            throw .usage("an ingest stores rejected records as rejects(_:) says: leave out 'invalidRecords: .rejects'")
        }
        return Ingest(file: path, as: Record.self, self.options, into: sink)
    }
}
