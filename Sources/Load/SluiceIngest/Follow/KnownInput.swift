// An input that earlier runs have read, and the tests by which its text is found again.

package import SluiceCore
internal import SluiceFeed

/// An input of a family, as its checkpoint knows it.
package struct KnownInput: Sendable {
    /// Something that the first bytes of a text must fulfil.
    package enum Test: Hashable, Sendable {
        case digest(UInt64)
        /// A byte of the digest after each byte.
        case beginning([UInt8])
        /// The hash of all the bytes, of a checkpoint without digests.
        case head(UInt64)
        case tail(TailDigest)
    }

    package let identity: String
    package let version: CheckpointVersion
    package var checkpoint: StoredCheckpoint
    /// How many bytes of its text have been read.
    package let length: Int
    /// The tests, by the number of bytes that they are about; shorter ones first.
    package let tests: [(length: Int, test: Test)]

    package var evidence: ContentEvidence? { checkpoint.evidence }

    /// Whether another run has claimed the input, and goes on.
    let isHeld: Bool

    /// - Returns: nil if nothing was read of the input, or an earlier version has stored nothing of its text: nothing is no text to be known
    ///   by.
    package init?(_ entry: SinkCheckpoint, isHeld: Bool = false) {
        guard var checkpoint = entry.checkpoint, checkpoint.feed.offset > 0 || checkpoint.evidence?.length ?? 0 > 0 else {
            return nil
        }
        // A run without rotation may have taken a log of one line for another layout.
        if checkpoint.evidence == nil, let lines = checkpoint.feed.asLines { checkpoint.feed = lines }
        (identity, version, self.checkpoint, self.isHeld) = (entry.input, entry.version, checkpoint, isHeld)
        let feed = checkpoint.feed
        var tests: [(length: Int, test: Test)] = []
        if let evidence = checkpoint.evidence {
            length = evidence.length
            tests = evidence.marks.map { ($0.length, .digest($0.digest)) }
            if !evidence.beginning.isEmpty { tests.append((evidence.beginning.count, .beginning(evidence.beginning))) }
        } else {
            length = feed.offset
        }
        // These are no secrets, but they also cover the bytes after the last digest.
        if tests.last?.length ?? 0 < length {
            if let head = feed.head { tests.append((head.size, .head(head.hash))) }
            if let tail = feed.tail { tests.append((feed.offset, .tail(tail))) }
        }
        guard !tests.isEmpty || checkpoint.evidence != nil else { return nil }
        self.tests = tests.sorted { $0.length < $1.length }
    }

    /// Passes over the rest of a line whose beginning was taken as a record.
    ///
    /// - Parameter breaks: How many line breaks lie between the position of the checkpoint and the offset after that line.
    mutating func pass(lineEndingAt offset: Int, breaks: Int) {
        checkpoint.feed = checkpoint.feed.passing(lineEndingAt: offset, breaks: breaks)
        checkpoint.evidence?.isEnded = false
    }

    /// What a text has to do with the input.
    package enum Relation: Hashable, Sendable {
        /// It begins with all that was read.
        case begins
        /// It is shorter than what was read, and equal as far as the first so many bytes can tell.
        case isPrefix(known: Int)
        case differs

        /// Whether it stays true when the text grows.
        var isFinal: Bool { self == .begins || self == .differs }
    }
}
