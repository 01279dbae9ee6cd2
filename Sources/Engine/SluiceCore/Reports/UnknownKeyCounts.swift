// Counts unknown keys (keys that no property binds) by name, for reports. A counter lives as long as its reader. Most records of a feed have
// the same unknown keys in the same order: see UnknownKeyRun.

/// Counts unknown keys by name.
@safe
struct UnknownKeyCounts {
    @safe
    private struct Entry {
        let level: KeyTableHandle
        /// Where the key's bytes are in ``UnknownKeyCounts/keys``.
        let key: Range<Int>
        let hash: Int
        let path: String
        /// The position of the key's first occurrence, in the first document that had it.
        var position: SourcePosition
        /// The number of occurrences in accepted documents.
        var count = 0
        /// The number of occurrences in the current document.
        var inDocument = 0
    }

    /// The most names kept. It bounds the memory for documents with very many different keys.
    static let limit = 1000

    /// New names come after all others, so those of a document that is not accepted are the last ones.
    private var entries: [Entry] = []
    /// The keys of all entries, one after the other. Here, comparing a key retains nothing.
    private var keys: [UInt8] = []
    /// A hash table with linear probing: the index of an entry plus 1, or 0. Its size is a power of two, and at most half of it is used.
    private var slots: [UInt16] = []
    /// The indices of the entries whose keys the current document has.
    private var ofCurrent: [Int] = []
    /// The index of the entry tried first, the one after the last match: objects of one model often have their keys in the same order.
    private var expected = 0

    /// The keys that most documents have. The keys of the documents that repeat it are not in the counts of the entries.
    private var run = UnknownKeyRun()

    /// Whether no unknown key was ever counted.
    var isUnused: Bool { entries.isEmpty }

    /// Whether no unknown key was counted in the current document.
    var isEmpty: Bool { ofCurrent.isEmpty }

    /// Drops the counts of the current document, because it is read again or was not accepted.
    mutating func begin() {
        run.forgetDocument()
        // A key whose count is still 0 is one of the current document.
        guard !ofCurrent.isEmpty else { return }
        for index in ofCurrent { entries[index].inDocument = 0 }
        ofCurrent.removeAll(keepingCapacity: true)
        while let last = entries.last, last.count == 0 {
            // This entry was placed last. So no other entry had to go to a later position because of it, and its position can just be
            // cleared.
            slots[slot(of: last.hash) { $0 == entries.count - 1 }] = 0
            keys.removeSubrange(last.key)
            entries.removeLast()
        }
    }

    /// Counts a key. Returns false if the key is new and must be added with ``add(_:of:path:at:)``. When the limit is reached, a new key is
    /// ignored and the result is true.
    ///
    /// - Parameter repeated: How many keys of the run the current document has repeated; nil once it has left the run.
    @inline(never)
    mutating func count(_ key: UnsafeBufferPointer<UInt8>, of level: KeyTableHandle, _ repeated: inout Int?) -> Bool {
        if let count = repeated {
            if count < run.keys.count, unsafe Self.isEntry(run.keys[count], of: entries, keys, key, level) {
                repeated = count &+ 1
                return true
            }
            leaveRun(after: count)
            repeated = nil
        }
        return unsafe countOutsideRun(key, of: level)
    }

    @inline(never)
    private mutating func countOutsideRun(_ key: UnsafeBufferPointer<UInt8>, of level: KeyTableHandle) -> Bool {
        let index: Int
        if expected < entries.count, unsafe Self.isEntry(expected, of: entries, keys, key, level) {
            index = expected
        } else if let found = unsafe self.index(of: key, level, hash(key, level)) {
            index = found
        } else {
            guard entries.count >= Self.limit else { return false }
            run.ignoreDocument()
            return true
        }
        expected = index + 1
        noteNext(index)
        return true
    }

    /// Counts the keys of the run that the current document has repeated. From now on its keys are counted one by one.
    mutating func leaveRun(after repeated: Int) {
        for index in run.keys.prefix(repeated) { noteNext(index) }
    }

    /// Counts and records the next key of the current document.
    private mutating func noteNext(_ index: Int) {
        note(index, 1)
        run.record(index)
    }

    /// Adds an entry for a new key, with one occurrence in the current document.
    mutating func add(
        _ key: UnsafeBufferPointer<UInt8>, of level: KeyTableHandle, path: String, at position: SourcePosition
    ) {
        var whole = path
        unsafe PathSyntax.append(String(decoding: key, as: UTF8.self), to: &whole)
        unsafe append(key, level, hash(key, level), path: whole, at: position)
        noteNext(entries.count - 1)
    }

    /// Adds the keys that another counter has of the current document.
    mutating func add(_ other: UnknownKeyCounts) {
        run.ignoreDocument()
        for entry in other.ofCurrent.map({ other.entries[$0] }) {
            unsafe other.keys.withUnsafeBufferPointer { keys in
                let key = unsafe UnsafeBufferPointer(rebasing: keys[entry.key])
                if let known = unsafe index(of: key, entry.level, entry.hash) {
                    note(known, entry.inDocument)
                } else if entries.count < Self.limit {
                    unsafe append(key, entry.level, entry.hash, path: entry.path, at: entry.position)
                    note(entries.count - 1, entry.inDocument)
                }
            }
        }
    }

    private mutating func note(_ index: Int, _ count: Int) {
        if entries[index].inDocument == 0 { ofCurrent.append(index) }
        entries[index].inDocument += count
    }

    // MARK: The hash table

    private func hash(_ key: UnsafeBufferPointer<UInt8>, _ level: KeyTableHandle) -> Int {
        // Swift's own hasher has a seed of its process: keys from strangers cannot be made to collide.
        var hasher = Hasher()
        unsafe hasher.combine(UInt(bitPattern: level.address))
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(key))
        return hasher.finalize()
    }

    /// The position of the entry that a closure recognises, or the empty position where it would stand.
    private func slot(of hash: Int, where isWanted: (Int) -> Bool) -> Int {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0, !isWanted(Int(slots[slot]) - 1) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private func index(of key: UnsafeBufferPointer<UInt8>, _ level: KeyTableHandle, _ hash: Int) -> Int? {
        guard !slots.isEmpty else { return nil }
        let slot = slot(of: hash) { unsafe entries[$0].hash == hash && Self.isEntry($0, of: entries, keys, key, level) }
        return slots[slot] == 0 ? nil : Int(slots[slot]) - 1
    }

    /// Whether an entry is that of a key. The entry is not copied, because that would retain its path. Static, because a method, or a
    /// closure that captures the counts, would copy all of them.
    @inline(__always)
    private static func isEntry(
        _ index: Int, of entries: [Entry], _ keys: [UInt8], _ key: UnsafeBufferPointer<UInt8>, _ level: KeyTableHandle
    ) -> Bool {
        guard entries[index].level == level, entries[index].key.count == key.count else { return false }
        let start = entries[index].key.lowerBound
        return unsafe keys.withUnsafeBufferPointer { own in
            guard let left = own.baseAddress, let right = key.baseAddress else { return true }
            // Safe: an entry's key lies in `keys`.
            return unsafe equalBytes(left + start, right, key.count)
        }
    }

    private mutating func append(
        _ key: UnsafeBufferPointer<UInt8>, _ level: KeyTableHandle, _ hash: Int, path: String, at position: SourcePosition
    ) {
        let entry = Entry(
            level: level, key: keys.count..<(keys.count + key.count), hash: hash, path: path, position: position)
        unsafe keys.append(contentsOf: key)
        entries.append(entry)
        guard entries.count * 2 > slots.count else {
            slots[slot(of: entry.hash) { _ in false }] = UInt16(entries.count)
            return
        }
        slots = Array(repeating: 0, count: max(slots.count * 2, 16))
        for (index, entry) in entries.enumerated() { slots[slot(of: entry.hash) { _ in false }] = UInt16(index + 1) }
    }

    // MARK: The document ends

    /// Adds the current document's counts to the totals, and shifts the positions of new keys by `base`, the document's position.
    ///
    /// - Parameter repeated: How many keys of the run the document has repeated; nil if it has left the run.
    mutating func accept(at base: SourcePosition, _ repeated: Int?) {
        if let repeated {
            // Without an unknown key, there is nothing to add.
            guard repeated > 0 else { return }
            guard repeated < run.keys.count else { return run.countDocument() }
            leaveRun(after: repeated)
        }
        for index in ofCurrent {
            if entries[index].count == 0 { entries[index].position = entries[index].position.shifted(by: base) }
            entries[index].count += entries[index].inDocument
            entries[index].inDocument = 0
        }
        ofCurrent.removeAll(keepingCapacity: true)
        if run.isReplaced {
            addRun()
            run.replace()
        }
        run.endDocumentThatLeft()
    }

    /// Adds the counts of the documents that had exactly the keys of the run to those of the entries.
    private mutating func addRun() {
        let documents = run.takeCount()
        guard documents > 0 else { return }
        for index in run.keys { entries[index].count += documents }
    }

    /// The unknown keys of the current document, which has repeated as many keys of the run, and no other ones if it has repeated any.
    func ofDocument(_ repeated: Int) -> [JSONUnknownKey] {
        guard repeated > 0 else { return ofCurrent.map { counted(entries[$0], entries[$0].inDocument) } }
        var counts: [Int: Int] = [:]
        for index in run.keys.prefix(repeated) { counts[index, default: 0] += 1 }
        return run.keys.prefix(repeated).compactMap { index in
            counts.removeValue(forKey: index).map { counted(entries[index], $0) }
        }
    }

    /// The unknown keys of all accepted documents.
    var ofAll: [JSONUnknownKey] {
        var counts = self
        counts.addRun()
        return counts.entries.filter { $0.count > 0 }.map { counted($0, $0.count) }
    }

    private func counted(_ entry: Entry, _ count: Int) -> JSONUnknownKey {
        unsafe JSONUnknownKey(
            path: entry.path, count: count, position: entry.position, level: UInt(bitPattern: entry.level.address),
            key: Array(keys[entry.key]))
    }

    /// Returns the unknown keys of all accepted documents, and removes them.
    mutating func takeAll() -> [JSONUnknownKey] {
        let all = ofAll
        self = UnknownKeyCounts()
        return all
    }
}
