// Files that an earlier run has read under another name: a run knows inputs by their names, and would store their records again.

internal import SluiceCore
internal import SluiceFeed

/// Looks for the text of new files among those that earlier runs have read.
package struct RenamedInputs {
    private struct Head: Hashable {
        let size: Int
        let hash: UInt64
    }

    /// The inputs of earlier runs, by the hashes of their first bytes.
    private var known: [Head: [(name: String, checkpoint: StoredCheckpoint)]] = [:]

    /// How many bytes the hashes cover.
    private var sizes: Set<Int> = []
    /// How many inputs with the same beginning are compared.
    private static let mostAlike = 100

    package init(_ entries: [SinkCheckpoint]) {
        for entry in entries {
            guard let checkpoint = entry.checkpoint, checkpoint.recordCount > 0, let head = checkpoint.feed.head else { continue }
            sizes.insert(head.size)
            known[Head(size: head.size, hash: head.hash), default: []].append((entry.input, checkpoint))
        }
    }

    /// What to say about a file that no run has read under this name; nil if its text is new. If it cannot be read, the run that reads it
    /// will say so.
    package func note(on input: IngestInput, _ reading: FeedReading, _ interruption: Interruption) -> String? {
        guard !known.isEmpty, input.isRegularFile,
            let text = try? OpenInput(input, reading, interruption: interruption).firstBytes(JSONCheckpoint.headSize)
        else { return nil }
        for size in sizes where size <= text.count {
            for (name, checkpoint) in (known[Head(size: size, hash: JSONCheckpoint.hash(ofHead: text.prefix(size)))] ?? [])
                .prefix(RenamedInputs.mostAlike)
            {
                let opened = try? OpenInput(input, reading, interruption: interruption)
                guard (try? opened?.compare(with: checkpoint.feed)) == true else { continue }
                let count = counted(checkpoint.recordCount, "record")
                return
                    "\(input.name) begins with the text of \(name), of which \(count) \(checkpoint.recordCount == 1 ? "was" : "were") "
                    + "read into the table: if it is that file under a new name, its rows are then there twice"
            }
        }
        return nil
    }
}
