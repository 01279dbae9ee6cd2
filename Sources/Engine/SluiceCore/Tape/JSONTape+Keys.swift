// Members of an object by key. A type usually asks for its keys in the order in which they come in the text, so the key after the one
// found last is compared first. A dictionary is made only if keys are duplicates, cannot be compared byte by byte, or are often missing.

extension JSONTape {
    /// The result of preparing an object for look-ups.
    package enum Preparation: Equatable {
        case done
        /// The key at this index is not a valid string.
        case damaged(Int)
    }

    /// Prepares the object at an index for look-ups by key.
    @inline(__always)
    package func prepare(_ head: Int) -> Preparation {
        if unsafe entries[head &+ 1].flags & TapeEntry.isPrepared != 0 { return .done }
        return look(through: head)
    }

    @inline(never)
    private func look(through head: Int) -> Preparation {
        let members = unsafe entries[head].count
        if unsafe entries[head].flags != 0 {
            // Non-ASCII keys need a dictionary: Swift's strings are equal if they are canonically equivalent, even with different bytes.
            if let damaged = index(head) { return .damaged(damaged) }
        } else if members > 1, hasDuplicates(head, members) {
            _ = index(head)
        }
        unsafe entries[head &+ 1].flags |= TapeEntry.isPrepared
        return .done
    }

    /// Makes the dictionary of an object; the first of equal keys wins. Returns the index of the first key that is not a valid string, or
    /// nil if all are valid.
    private func index(_ head: Int) -> Int? {
        var found: [String: Int] = [:]
        found.reserveCapacity(unsafe entries[head].count)
        var member = head &+ 2
        for _ in unsafe 0..<entries[head].count {
            guard let key = string(at: member) else { return member }
            if found[key] == nil { found[key] = member }
            member = index(after: member &+ 1)
        }
        indexes[head] = found
        unsafe entries[head &+ 1].flags |= TapeEntry.isIndexed
        return nil
    }

    /// The index of a key's value in the object at an index; nil if it has no such key. The object must have been prepared.
    @inline(__always)
    package func value(of key: String, in head: Int) -> Int? {
        let bounds = unsafe entries + (head &+ 1)
        let words = StringWords(key)
        guard makesSmallStrings, words.isSmall, unsafe bounds.pointee.flags & TapeEntry.isIndexed == 0 else {
            return otherValue(of: key, in: head)
        }
        let expected = unsafe bounds.pointee.count
        let end = unsafe entries[head].next
        if expected < end, matches(words, expected) {
            // Safe: a key is followed by a value.
            unsafe bounds.pointee.bits = TapeEntry.halves(index(after: expected &+ 1), expected)
            return expected &+ 1
        }
        return search(head, end, expected) { matches(words, $0) }
    }

    @inline(never)
    private func otherValue(of key: String, in head: Int) -> Int? {
        if unsafe entries[head &+ 1].flags & TapeEntry.isIndexed != 0 { return indexes[head]?[key].map { $0 &+ 1 } }
        var key = key
        return key.withUTF8 { bytes in
            let end = unsafe entries[head].next
            let expected = unsafe entries[head &+ 1].count
            return search(head, end, expected) { member in
                // Safe: the entry lies in the text.
                unsafe entries[member].count == bytes.count
                    && (bytes.isEmpty
                        || equalBytes(start + Int(entries[member].offset), bytes.baseAddress.unsafelyUnwrapped, bytes.count))
            }
        }
    }

    /// Looks for a key: the one found last, then those from the expected one on, then those from the first to the expected one.
    @inline(__always)
    private func search(_ head: Int, _ end: Int, _ expected: Int, _ isMatch: (Int) -> Bool) -> Int? {
        let bounds = unsafe entries + (head &+ 1)
        func found(_ member: Int) -> Int {
            unsafe bounds.pointee.bits = TapeEntry.halves(index(after: member &+ 1), member)
            return member &+ 1
        }
        let last = unsafe bounds.pointee.next
        if last < end, isMatch(last) { return last &+ 1 }
        var member = expected
        while member < end {
            if isMatch(member) { return found(member) }
            member = index(after: member &+ 1)
        }
        member = head &+ 2
        while member < expected {
            if isMatch(member) { return found(member) }
            member = index(after: member &+ 1)
        }
        missed(head)
        return nil
    }

    /// Counts a search that found nothing; after many in a large object, makes its dictionary.
    @inline(__always)
    private func missed(_ head: Int) {
        guard unsafe entries[head].count > 32 else { return }
        let misses = unsafe entries[head &+ 1].misses
        if misses < 64 {
            unsafe entries[head &+ 1].misses = misses &+ 1
        } else {
            _ = index(head)
        }
    }

    /// Whether the key at an index equals a small string.
    @inline(__always)
    private func matches(_ words: StringWords, _ member: Int) -> Bool {
        let entry = unsafe entries[member]
        guard entry.count == words.count else { return false }
        let offset = Int(entry.offset)
        guard size &- offset >= 16 else { return matchesNearEnd(words, entry) }
        // Safe: 16 bytes are left.
        return unsafe words.isText(at: start + offset)
    }

    @inline(never)
    private func matchesNearEnd(_ words: StringWords, _ entry: TapeEntry) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16) { buffer in
            // Safe: a small string has at most 15 bytes, and the caller has checked that the entry has as many.
            let copy = unsafe buffer.baseAddress.unsafelyUnwrapped
            unsafe copy.initialize(repeating: 0, count: 16)
            unsafe copy.update(from: start + Int(entry.offset), count: entry.count)
            return unsafe words.isText(at: copy)
        }
    }

    // MARK: Duplicate keys

    /// Whether two keys of an object, all of them plain ASCII, are equal. After too many probes it returns true without being sure.
    private func hasDuplicates(_ head: Int, _ members: Int) -> Bool {
        unsafe keySlots.begin(members)
        let seed = KeyHash.seed
        var member = head &+ 2
        for _ in 0..<members {
            let entry = unsafe entries[member]
            // Safe: the entry's key lies in the text.
            var slot = unsafe KeyHash.full(start + Int(entry.offset), entry.count, seed)
            var probes = 0
            while let other = unsafe keySlots.occupant(of: slot) {
                probes &+= 1
                if probes > 64 || isEqual(entry, other) { return true }
                slot = slot &+ 1
            }
            unsafe keySlots.occupy(slot, member)
            member = index(after: member &+ 1)
        }
        return false
    }

    @inline(__always)
    private func isEqual(_ entry: TapeEntry, _ other: Int) -> Bool {
        let other = unsafe entries[other]
        guard entry.count == other.count else { return false }
        return unsafe equalBytes(start + Int(entry.offset), start + Int(other.offset), entry.count)
    }
}
