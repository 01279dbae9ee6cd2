// The run of unknown keys that most records of a feed have, in the same order. A record that repeats the run is counted by one addition.

/// The unknown keys that most documents have, and which of them replace the run.
///
/// Keys are named by the indices of their entries in ``UnknownKeyCounts``.
struct UnknownKeyRun {
    /// The most keys of a run.
    private static let limit = 256

    /// The keys in the order in which an accepted document had them.
    private(set) var keys: [Int] = []
    /// How many accepted documents had exactly these keys since they were last added to the counts.
    private var count = 0
    /// The keys of the current document, once it has left the run.
    private var recorded: [Int] = []
    /// Whether all unknown keys of the current document are in ``recorded``.
    private var isRecorded = true
    /// Whether the last accepted document with unknown keys left the run, too. One alone does not replace it.
    private var hasLeftBefore = false

    /// Records the next key of a document that has left the run.
    mutating func record(_ key: Int) {
        if recorded.count < Self.limit { recorded.append(key) } else { isRecorded = false }
    }

    /// The current document cannot replace the run, because one of its keys has no entry or is counted elsewhere.
    mutating func ignoreDocument() { isRecorded = false }

    /// Drops what was recorded of the current document.
    mutating func forgetDocument() {
        if !recorded.isEmpty { recorded.removeAll(keepingCapacity: true) }
        isRecorded = true
    }

    /// Counts an accepted document that has exactly the keys of the run.
    mutating func countDocument() {
        count += 1
        hasLeftBefore = false
    }

    /// Whether the keys of the accepted document, which has left the run, become the run.
    var isReplaced: Bool { isRecorded && !recorded.isEmpty && (keys.isEmpty || hasLeftBefore) }

    /// Makes the recorded keys the run. The documents of the old one must have been taken.
    mutating func replace() { swap(&keys, &recorded) }

    /// Ends an accepted document that has left the run.
    mutating func endDocumentThatLeft() {
        hasLeftBefore = true
        forgetDocument()
    }

    /// Returns how many documents had exactly the keys of the run, and counts from 0 again.
    mutating func takeCount() -> Int {
        defer { count = 0 }
        return count
    }
}
