// What a table remembers of its columns: a text that the sink keeps beside the rows.

internal import SluiceIngest

extension SinkCheck {
    /// An error that rolls a transaction back.
    private struct Rollback: Error {}

    /// The text is written and rolled back with the rows, and stays when they are removed.
    func memory() async throws {
        let target = try makeTarget()
        let input = try scratch.file("memory.ndjson", numbered(1...3))
        try await run(Ingest([input], into: target.sink), "stores rows")
        let found = try remembered(target)
        try require(found?.contains("name") == true, "After a run, the sink has not kept what the table remembers.")
        try withConnection(target) { connection in
            var seen: String?
            do {
                try connection.transaction { transaction in
                    try transaction.ledger.remember { text in
                        seen = text
                        return (text ?? "") + " "
                    }
                    throw Rollback()
                }
            } catch {}
            try require(seen == found, "A change of what the table remembers gets another text than the stored one.")
        }
        try require(remembered(target) == found, "A transaction that was rolled back has changed what the table remembers.")
        try await run(Ingest([input], into: target.sink).existing(.truncate), "empties the table")
        try require(remembered(target) == found, "A table that was emptied remembers something else.")
        try withConnection(target) { connection in
            try connection.transaction { try $0.ledger.remember { "\($0 ?? "") " } }
        }
        guard let found, try remembered(target) == found + " " else {
            throw fail("A text that the table shall remember is not the one that is kept.")
        }
    }

    private func remembered(_ target: SinkConformance.Target) throws -> String? {
        var text: String?
        try withConnection(target) { text = try $0.look().memory }
        return text
    }

    private func withConnection(_ target: SinkConformance.Target, _ body: (any SinkConnection) throws -> Void) throws {
        let identity = RunIdentity.new()
        defer { identity.end() }
        let connection = try target.sink.connect(SinkRun(identity: identity))
        try body(connection)
        try connection.close(isComplete: true)
    }
}
