// What a reader notes in addition to the value. It is one value, so an attempt that fails restores all of it at once.

/// What a reader notes about a document in addition to its value.
///
/// An attempt to read a value as one of several types starts with findings of its own, which are added to these if the value fits, and
/// dropped if it does not. It is one reference, and nil for most documents: a document begins with an assignment, and is copied for each
/// attempt.
struct ReadFindings {
    private final class Memory {
        // What is counted for each key is not checked for overlapping access at run time: nothing that is called meanwhile uses it again.
        @safe @exclusivity(unchecked) var report: JSONReadReport
        @safe @exclusivity(unchecked) var unknownKeyCounts: UnknownKeyCounts
        @safe @exclusivity(unchecked) var propertyCounts: PropertyCounts

        init(_ other: Memory?) {
            report = other?.report ?? JSONReadReport()
            unknownKeyCounts = other?.unknownKeyCounts ?? UnknownKeyCounts()
            propertyCounts = other?.propertyCounts ?? PropertyCounts()
        }
    }

    /// Nil as long as nothing has been noted.
    private var memory: Memory?

    /// How many unknown keys there were, including those that no report names. It is not in the memory, because a reader that validates
    /// everything counts each of them.
    private(set) var unknownKeyCount = 0

    /// How many unknown keys were those of the run of ``UnknownKeyCounts``; nil once the document has left it.
    private var repeated: Int? = 0

    /// What has been left out so far.
    var report: JSONReadReport {
        get {
            var report = memory?.report ?? JSONReadReport()
            report.unknownKeyCount = unknownKeyCount
            return report
        }
        _modify {
            let own = ownMemory()
            own.report.unknownKeyCount = unknownKeyCount
            defer { unknownKeyCount = own.report.unknownKeyCount }
            yield &own.report
        }
    }

    /// The unknown keys, by name.
    var unknownKeyCounts: UnknownKeyCounts {
        get {
            var counts = memory?.unknownKeyCounts ?? UnknownKeyCounts()
            if let repeated { counts.leaveRun(after: repeated) }
            return counts
        }
        _modify {
            let own = ownMemory()
            leaveRun(own)
            yield &own.unknownKeyCounts
        }
    }

    /// The unknown keys of the document, by name.
    var unknownKeys: [JSONUnknownKey] { memory?.unknownKeyCounts.ofDocument(repeated ?? 0) ?? [] }

    private mutating func leaveRun(_ own: Memory) {
        guard let repeated else { return }
        own.unknownKeyCounts.leaveRun(after: repeated)
        self.repeated = nil
    }

    /// How often each property was present, null, converted or wrong.
    var propertyCounts: PropertyCounts {
        get { memory?.propertyCounts ?? PropertyCounts() }
        _modify {
            let own = ownMemory()
            yield &own.propertyCounts
        }
    }

    /// Whether anything has been noted in memory of its own.
    var ownsMemory: Bool { memory != nil }

    /// Whether nothing was left out and no unknown key was counted.
    var isBlank: Bool {
        unknownKeyCount == 0 && memory?.report.isBlank ?? true
    }

    /// How many of the values that were left out are described.
    var issueCount: Int { memory?.report.issues.count ?? 0 }

    /// Counts an unknown key.
    @inline(__always)
    mutating func countUnknownKey() { unknownKeyCount &+= 1 }

    /// Counts an unknown key by its name. Returns false if it is new; see ``UnknownKeyCounts/count(_:of:_:)``.
    mutating func count(_ key: UnsafeBufferPointer<UInt8>, of level: KeyTableHandle) -> Bool {
        guard memory != nil, isKnownUniquelyReferenced(&memory) else {
            return unsafe ownMemory().unknownKeyCounts.count(key, of: level, &repeated)
        }
        // Safe: `memory` is not nil, and keeps the object alive during the call, which does not change it. Retaining it would take a
        // sixth of the time.
        return unsafe Unmanaged.passUnretained(memory.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
            unsafe $0.unknownKeyCounts.count(key, of: level, &repeated)
        }
    }

    /// Adds the unknown keys to those of all documents; `base` is the position where the document begins.
    mutating func acceptUnknownKeys(at base: SourcePosition) {
        guard memory != nil else { return }
        ownMemory().unknownKeyCounts.accept(at: base, repeated)
        repeated = 0
    }

    private mutating func ownMemory() -> Memory {
        let isShared = !isKnownUniquelyReferenced(&memory)
        if !isShared, let memory { return memory }
        let own = Memory(memory)
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
        let own = ownMemory()
        guard !own.unknownKeyCounts.isUnused || !own.propertyCounts.isUnused else { return next }
        own.report = JSONReadReport()
        own.unknownKeyCounts.begin()
        if !own.propertyCounts.isBlank { own.propertyCounts.clear() }
        swap(&next, &self)
        next.unknownKeyCount = 0
        next.repeated = 0
        return next
    }

    /// Adds the findings of an attempt whose value fits.
    ///
    /// - Parameter limit: The most issues that the report keeps.
    mutating func add(_ attempt: ReadFindings, limit: Int) {
        unknownKeyCount += attempt.unknownKeyCount
        guard let other = attempt.memory else { return }
        let own = ownMemory()
        own.report.add(other.report, limit: limit)
        if !other.unknownKeyCounts.isEmpty {
            leaveRun(own)
            own.unknownKeyCounts.add(other.unknownKeyCounts)
        }
        own.propertyCounts.add(other.propertyCounts, isRejected: false)
    }
}
