// A key arrives, and the frame learns where its value goes.

extension Binder {
    /// Takes a key from yajl. If the object is bound, its escapes are checked before anything compares or notes the key.
    @inline(__always)
    mutating func checkedKey(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if document.skipDepth == 0, unsafe hasBrokenEscape(bytes, count) { return failKey() }
        return unsafe key(bytes, count)
    }

    @inline(never)
    private mutating func failKey() -> Bool {
        // The path of the error must not end with the property of the previous key.
        if document.frame.kind == .model || document.frame.kind == .path { document.frame.row = policy.ignoredRow }
        return failUnicode()
    }

    /// Takes a key, already unescaped.
    @inline(__always)
    mutating func key(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool = false) -> Bool {
        if document.skipDepth != 0 { return unsafe checksIgnored() ? validateIgnored(bytes, count) : true }
        guard document.frame.kind != .dictionary else { return unsafe dictionaryKey(bytes, count, isASCII) }

        let last = document.frame.lastKey
        var key = last.next
        if unsafe !key.equals(bytes, count) {
            key = last.other
            if unsafe !key.equals(bytes, count) {
                guard let found = unsafe document.frame.level.find(bytes, count) else {
                    return unsafe unknownKey(bytes, count, isASCII)
                }
                key = found
            }
            last.expect(key)
        }
        document.frame.lastKey = key
        let row = key.row
        if row == policy.ignoredRow {
            passUnboundKey(key)
            if unsafe document.yajl != nil { unsafe noteUnknownKey(bytes, count) }
            return true
        }
        return knownKey(row)
    }

    /// Takes a key that is not known yet, and that no property has.
    @inline(never)
    private mutating func unknownKey(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ isASCII: Bool) -> Bool {
        let level = document.frame.level
        if level.table.unknownKeys != .asReader { return unsafe unknownKeyOfRule(bytes, count, isASCII) }
        ignoreUnknownValue()
        if policy.countsUnknownKeys, unsafe !countUnknownKey(bytes, count, as: policy.options.unknownKeys) { return false }
        if unsafe document.yajl != nil { unsafe noteUnknownKey(bytes, count) }
        // The keys of a bound object must be valid Unicode: this one may be the damaged key of a property.
        guard unsafe isASCII || validateIgnored(bytes, count) else { return false }
        // A key that is rejected is not remembered, because it must come here each time.
        if policy.options.unknownKeys != .reject, let key = unsafe level.addUnbound(bytes, count, row: policy.ignoredRow) {
            document.frame.lastKey.insert(key)
            document.frame.lastKey = key
        }
        return true
    }

    /// Makes the frame ignore the next value, which no property has.
    @inline(__always)
    mutating func ignoreUnknownValue() {
        document.frame.row = policy.ignoredRow
        document.hasUnknownValue = true
    }

    /// Takes a known key that no property has: its value is ignored. If keys are reported, the token is the key.
    @inline(__always)
    mutating func passUnboundKey(_ key: ExpectedKeyHandle) {
        ignoreUnknownValue()
        if policy.countsUnknownKeys { countPassedKey(key) }
    }

    @inline(never)
    private mutating func countPassedKey(_ key: ExpectedKeyHandle) {
        // Safe: an unbound key's bytes begin after the quote of its pattern. Only keys that are rejected make the result false.
        _ = unsafe countUnknownKey(key.pattern + 1, key.count, as: policy.options.unknownKeys)
    }

    /// Ignores the value of a column that no property has, and that has no key of its own.
    mutating func passUnboundColumn() {
        ignoreUnknownValue()
        if policy.countsUnknownKeys, !isInlinedObject { document.findings.countUnknownKey() }
    }

    /// Takes a key that is known by its row.
    @inline(__always)
    mutating func knownKey(_ row: RowHandle) -> Bool {
        row.flags.contains(.special) ? specialKey(row) : bind(row)
    }

    /// Makes the frame store the next value at the row's position.
    @inline(__always)
    mutating func bind(_ row: RowHandle) -> Bool {
        document.frame.row = row
        unsafe document.frame.address = unsafe document.frame.base + row.offset
        document.frame.isReplacing = false
        let word = unsafe document.frame.block.assumingMemoryBound(to: UInt64.self) + Int(row.slot &>> 6)
        let bit = row.bit
        if unsafe word.pointee & bit != 0 {
            return unsafe bindAgain(row, word, bit)
        }
        unsafe word.pointee |= bit
        return true
    }

    /// The property was bound before: by the same key, or by an alternative.
    @inline(never)
    private mutating func bindAgain(
        _ row: RowHandle, _ word: UnsafeMutablePointer<UInt64>, _ bit: UInt64
    ) -> Bool {
        // In an update, every property has a value before the document gives it one.
        if policy.options.duplicateKeys != .last, !row.flags.contains(.ranked), !document.frame.isPrefilled || isAssigned(row) {
            if policy.options.duplicateKeys == .error {
                return failDuplicate(row.keyText)
            }
            document.frame.row = policy.leftOutRow
            return true
        }
        if document.frame.isPrefilled { noteAssignment(row) }
        document.frame.isReplacing = true
        // Safe: the null bits follow the presence bits, and the table says how many words those have.
        let nulls = unsafe word + (document.frame.modelLayout?.wordCount ?? 0)
        document.frame.wasNull = unsafe nulls.pointee & bit != 0
        unsafe nulls.pointee &= ~bit
        return true
    }

    @inline(never)
    mutating func specialKey(_ row: RowHandle) -> Bool {
        if row.kind == .path || row.kind == .sharedKey {
            document.frame.row = row
            return policy.options.duplicateKeys != .error || !hasCome(row.keyText, merges: false) || failDuplicate(row.keyText)
        }
        if row.kind == .ignored {
            // An inlined property has read the value.
            ignoreUnknownValue()
            return true
        }
        if row.flags.contains(.ranked) {
            let layout = unsafe document.frame.modelLayout.unsafelyUnwrapped
            // Safe: the block has a rank for every slot, and the row's slot is one of them.
            let rank =
                unsafe document.frame.block.assumingMemoryBound(to: UInt8.self)
                + (layout.rankOffset + Int(row.slot))
            if unsafe rank.pointee < row.rank {
                // A better alternative has already given a value.
                document.frame.row = policy.leftOutRow
                return true
            }
            if policy.options.duplicateKeys != .last, unsafe rank.pointee == row.rank {
                // The same key has come twice: another alternative would have another rank.
                if policy.options.duplicateKeys == .error { return failDuplicate(row.keyText) }
                document.frame.row = policy.leftOutRow
                return true
            }
            document.frame.previousRank = unsafe rank.pointee
            guard bind(row) else { return false }
            unsafe rank.pointee = row.rank
        } else {
            guard bind(row) else { return false }
        }
        if row.flags.contains(.constrained) { expectConstrained(row) }
        return true
    }

    /// A key of a dictionary becomes the first half of a pair.
    @inline(never)
    private mutating func dictionaryKey(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ isASCII: Bool) -> Bool {
        guard let key = unsafe isASCII ? asciiString(bytes, count) : makeString(bytes, count) else { return failUnicode() }
        let address = unsafe document.frame.address - document.frame.binding.valueOffset
        // Safe: the memory of the next pair is reserved, and nothing is in it yet.
        unsafe address.assumingMemoryBound(to: String.self).initialize(to: key)
        document.frame.keyCount &+= 1
        let isASCII = unsafe isASCII || UnicodeValidation.isASCII(bytes, count)
        if isASCII, !document.frame.notesKeys, !document.frame.binding.checksKeys, policy.options.duplicateKeys == .last {
            return true
        }
        return checkKey(key, isASCII: isASCII)
    }

    /// The dictionary's type does not accept a key: if that is tolerated, its value is skipped.
    mutating func refuseKey(_ problem: JSONError) -> Bool {
        let level = document.stackCount
        // Its colon has not come yet, so the string may still be a value, and a sensitive one.
        let found = mayHoldSensitive ? "another key" : problem.found
        guard unsafe raise(problem.kind, expected: problem.expected, found: found, at: document.token.start) else { return false }
        if document.stackCount == level, document.skipDepth == 0 { document.frame.row = policy.leftOutRow }
        return true
    }
}

extension Frame {
    /// The layout of the model whose draft this frame fills.
    var modelLayout: LayoutHandle? { binding.model }
}
