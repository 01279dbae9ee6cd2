// A key arrives, and the frame learns where the value behind it goes.

extension Binder {
    /// A key, unescaped.
    @inline(__always)
    mutating func key(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool = false) -> Bool {
        if skipDepth != 0 { return unsafe validatesEverything ? validateIgnored(bytes, count) : true }
        guard frame.kind != .dictionary else { return unsafe dictionaryKey(bytes, count, isASCII) }

        var row = unsafe frame.expected
        if unsafe row.pointee.keyCount != count || !equalBytes(row.pointee.key, bytes, count) {
            guard let found = unsafe frame.level.pointee.row(forKey: bytes, count) else {
                if unsafe frame.level.pointee.unknownKeys != .asReader { return unsafe unknownKeyOfRule(bytes, count, isASCII) }
                unsafe frame.row = unsafe ignoredRow
                hasUnboundValue = true
                if countsUnknownKeys, unsafe !countUnknownKey(bytes, count, as: options.unknownKeys) { return false }
                if unsafe yajl != nil { unsafe noteUnknownKey(bytes, count) }
                // Whatever stands in an object that is looked at is text, or the key may be a damaged one that a property has.
                return unsafe isASCII || validateIgnored(bytes, count)
            }
            unsafe row = unsafe found
        }
        unsafe frame.expected = unsafe row + 1
        if unsafe row.pointee.flags.contains(.special) { return unsafe specialKey(row, bytes, count) }
        return unsafe bind(row)
    }

    /// The key of the expected row, recognised by ``DocumentScanner``.
    @inline(__always)
    mutating func expectedKey(_ row: UnsafePointer<PropertyRow>) -> Bool {
        unsafe frame.expected = unsafe row + 1
        if unsafe row.pointee.flags.contains(.special) {
            return unsafe specialKey(row, row.pointee.key, row.pointee.keyCount)
        }
        return unsafe bind(row)
    }

    /// Points the frame at the row's place.
    @inline(__always)
    mutating func bind(_ row: UnsafePointer<PropertyRow>) -> Bool {
        unsafe frame.row = unsafe row
        unsafe frame.address = unsafe frame.base + row.pointee.offset
        frame.isReplacing = false
        let slot = unsafe Int(row.pointee.slot)
        let word = unsafe frame.block.assumingMemoryBound(to: UInt64.self) + (slot &>> 6)
        let bit: UInt64 = 1 &<< UInt64(slot & 63)
        if unsafe word.pointee & bit != 0 {
            return unsafe bindAgain(row, word, bit)
        }
        unsafe word.pointee |= bit
        return true
    }

    /// The property was bound before: by the same key, or by an alternative.
    @inline(never)
    private mutating func bindAgain(
        _ row: UnsafePointer<PropertyRow>, _ word: UnsafeMutablePointer<UInt64>, _ bit: UInt64
    ) -> Bool {
        if frame.isPrefilled {
            unsafe noteAssignment(row)
        } else if options.duplicateKeys != .last, unsafe !row.pointee.flags.contains(.ranked) {
            if options.duplicateKeys == .error {
                return unsafe failDuplicate(row.pointee.keyText)
            }
            unsafe frame.row = unsafe ReaderRows.ignored
            return true
        }
        frame.isReplacing = true
        // Safe: the null bits are as many words behind the presence bits as the table says.
        let nulls = unsafe word + (frame.modelLayout?.pointee.wordCount ?? 0)
        unsafe nulls.pointee &= ~bit
        return true
    }

    @inline(never)
    mutating func specialKey(
        _ row: UnsafePointer<PropertyRow>, _ bytes: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        if unsafe row.pointee.flags.contains(.suspectKey), unsafe hasBrokenEscape(bytes, count) {
            return failUnicode()
        }
        if unsafe row.pointee.kind == .path {
            unsafe frame.row = unsafe row
            return true
        }
        if unsafe row.pointee.kind == .sharedKey {
            unsafe frame.row = unsafe row
            return true
        }
        if unsafe row.pointee.flags.contains(.ranked) {
            let layout = unsafe frame.modelLayout.unsafelyUnwrapped
            // Safe: the block has a rank for every slot, and the row's slot is one of them.
            let rank =
                unsafe frame.block.assumingMemoryBound(to: UInt8.self)
                + (layout.pointee.rankOffset + Int(row.pointee.slot))
            if unsafe rank.pointee < row.pointee.rank {
                // A better alternative has already given a value.
                unsafe frame.row = unsafe ReaderRows.ignored
                return true
            }
            if options.duplicateKeys != .last, unsafe rank.pointee == row.pointee.rank {
                // The very same key once more, not another alternative.
                if options.duplicateKeys == .error { return unsafe failDuplicate(row.pointee.keyText) }
                unsafe frame.row = unsafe ReaderRows.ignored
                return true
            }
            frame.previousRank = unsafe rank.pointee
            guard unsafe bind(row) else { return false }
            unsafe rank.pointee = unsafe row.pointee.rank
        } else {
            guard unsafe bind(row) else { return false }
        }
        return true
    }

    /// A key of a dictionary becomes the first half of a pair.
    @inline(never)
    private mutating func dictionaryKey(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ isASCII: Bool) -> Bool {
        guard let key = unsafe isASCII ? asciiString(bytes, count) : makeString(bytes, count) else { return failUnicode() }
        let place = unsafe frame.address - frame.binding.pointee.valueOffset
        // Safe: the memory of the next pair is reserved, and nothing is in it yet.
        unsafe place.assumingMemoryBound(to: String.self).initialize(to: key)
        frame.keyCount &+= 1
        if unsafe frame.binding.pointee.checksKeys {
            // The value before may have been passed over.
            unsafe frame.row = unsafe frame.binding.pointee.element ?? frame.row
            if let problem = unsafe frame.binding.pointee.type._problem(ofKey: key) { return refuseKey(problem) }
        }
        return true
    }

    /// A dictionary's type does not have a key: where that is tolerated, its value is passed over.
    private mutating func refuseKey(_ problem: JSONError) -> Bool {
        let level = stackCount
        let found = isSensitive ? "another key" : problem.found
        guard unsafe raise(problem.kind, expected: problem.expected, found: found, at: token.start) else { return false }
        if stackCount == level, skipDepth == 0 { unsafe frame.row = unsafe ReaderRows.ignored }
        return true
    }
}

extension Frame {
    /// The layout of the model whose draft this frame fills.
    var modelLayout: UnsafePointer<ModelLayout>? { unsafe binding.pointee.model }
}
