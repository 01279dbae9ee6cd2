// What a reader notes beside the value. It is one value, so an attempt that fails restores all of it at once.

/// What a reader notes about a document beside its value.
///
/// An attempt to read a value as one of several types starts with findings of its own, which are added to these if the value fits, and
/// dropped if it does not. It is one reference, and nil for most documents: a document begins with an assignment, and is copied for each
/// attempt.
struct ReadFindings {
    private struct Notes {
        var report = JSONReadReport()
        var unknownKeyCounts = UnknownKeyCounts()
        var propertyCounts = PropertyCounts()
    }

    private final class Memory {
        var notes: Notes
        init(_ notes: Notes) { self.notes = notes }
    }

    /// Nil as long as nothing has been noted.
    private var memory: Memory?

    /// How many unknown keys there were, including those that no report names. It is not in the memory, because a reader that validates
    /// everything counts each of them.
    private(set) var unknownKeyCount = 0

    /// What has been left out so far.
    var report: JSONReadReport {
        get {
            var report = memory?.notes.report ?? JSONReadReport()
            report.unknownKeyCount = unknownKeyCount
            return report
        }
        _modify {
            let own = ownMemory()
            own.notes.report.unknownKeyCount = unknownKeyCount
            defer { unknownKeyCount = own.notes.report.unknownKeyCount }
            yield &own.notes.report
        }
    }

    /// The unknown keys, by name.
    var unknownKeyCounts: UnknownKeyCounts {
        get { memory?.notes.unknownKeyCounts ?? UnknownKeyCounts() }
        _modify {
            let own = ownMemory()
            yield &own.notes.unknownKeyCounts
        }
    }

    /// How often each property was present, null, converted or wrong.
    var propertyCounts: PropertyCounts {
        get { memory?.notes.propertyCounts ?? PropertyCounts() }
        _modify {
            let own = ownMemory()
            yield &own.notes.propertyCounts
        }
    }

    /// Whether nothing was left out and no unknown key was counted.
    var isBlank: Bool {
        unknownKeyCount == 0 && memory?.notes.report.isBlank ?? true
    }

    /// How many of the values that were left out are described.
    var issueCount: Int { memory?.notes.report.issues.count ?? 0 }

    /// Counts an unknown key.
    @inline(__always)
    mutating func countUnknownKey() { unknownKeyCount &+= 1 }

    /// Adds the unknown keys to those of all documents; `base` is the place where the document begins.
    mutating func acceptUnknownKeys(at base: SourcePosition) {
        if memory != nil { unknownKeyCounts.accept(at: base) }
    }

    private mutating func ownMemory() -> Memory {
        let isShared = !isKnownUniquelyReferenced(&memory)
        if !isShared, let memory { return memory }
        let own = Memory(memory?.notes ?? Notes())
        memory = own
        return own
    }

    /// The findings with which the next document begins. They are empty, except for the counters of a reader that counts: those are
    /// large, and have the counts of all documents.
    @inline(__always)
    mutating func emptied() -> ReadFindings { memory == nil ? ReadFindings() : withCounters() }

    @inline(never)
    private mutating func withCounters() -> ReadFindings {
        var next = ReadFindings()
        let old = ownMemory()
        var notes = Notes()
        swap(&notes.unknownKeyCounts, &old.notes.unknownKeyCounts)
        swap(&notes.propertyCounts, &old.notes.propertyCounts)
        guard !notes.unknownKeyCounts.isUnused || !notes.propertyCounts.isUnused else { return next }
        notes.unknownKeyCounts.begin()
        if !notes.propertyCounts.isBlank { notes.propertyCounts.clear() }
        old.notes = notes
        swap(&next, &self)
        next.unknownKeyCount = 0
        return next
    }

    /// Adds the findings of an attempt whose value fits.
    ///
    /// - Parameter limit: The most issues that the report keeps.
    mutating func add(_ attempt: ReadFindings, limit: Int) {
        unknownKeyCount += attempt.unknownKeyCount
        guard let other = attempt.memory?.notes else { return }
        let own = ownMemory()
        own.notes.report.add(other.report, limit: limit)
        if !other.unknownKeyCounts.isEmpty { own.notes.unknownKeyCounts.add(other.unknownKeyCounts) }
        own.notes.propertyCounts.add(other.propertyCounts, isRejected: false)
    }
}
