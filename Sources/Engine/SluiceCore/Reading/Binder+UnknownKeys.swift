// Handles the unknown keys of a model that has its own rule for them, and values that are not objects where a key path needs an
// object.

extension Binder {
    /// Handles an unknown key by the model's own rule.
    @inline(never)
    mutating func unknownKeyOfRule(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ isASCII: Bool) -> Bool {
        // Safe: a table with this rule has a row for the collected keys.
        if document.frame.level.table.unknownKeys == .collect, let row = document.frame.level.table.collector {
            return unsafe collect(bytes, count, by: row)
        }
        ignoreUnknownValue()
        switch document.frame.level.table.unknownKeys {
        case .report:
            guard unsafe countUnknownKey(bytes, count, as: .report) else { return false }
        case .reject:
            guard unsafe countUnknownKey(bytes, count, as: .reject) else { return false }
        case .asReader, .ignore, .collect: break
        }
        if unsafe document.yajl != nil { unsafe noteUnknownKey(bytes, count) }
        return unsafe isASCII || validateIgnored(bytes, count)
    }

    /// Handles a scalar where a key path needs an object: the scalar is not bound, and the property at the end of the path counts
    /// as absent. False if the rule for unbound values refuses the scalar.
    @inline(never)
    mutating func scalarOnPath(_ scalar: JSONScalar) -> Bool {
        document.hasUnknownValue = true
        document.hasGapOnPath = true
        switch ruleForUnboundValues {
        case .ignore: return true
        case .report: return nameValueOnPath()
        case .reject:
            if scalar.kind == .string, !isWhole(scalar) { return failUnicode() }
            return mismatchOnPath(found: words(for: scalar), isText: scalar.kind == .string)
        }
    }

    /// Handles an array where a key path needs an object: the array is skipped. False if the rule for unbound values refuses it.
    @inline(never)
    mutating func openArrayOnPath() -> Bool {
        document.hasUnknownValue = true
        document.hasGapOnPath = true
        let rule = ruleForUnboundValues
        if rule == .reject { return mismatchOnPath(found: "an array", isText: false) }
        if rule == .report, !nameValueOnPath() { return false }
        document.skipDepth = 1
        document.frame.row = ReaderRows.ignored
        return true
    }

    private mutating func nameValueOnPath() -> Bool {
        let row = document.frame.row
        return unsafe countUnknownKey(row.key, row.keyCount, as: .report)
    }

    private mutating func mismatchOnPath(found: String, isText: Bool) -> Bool {
        unsafe raise(.typeMismatch, expected: "an object", found: found, at: document.token.start, isText: isText)
    }

    /// The rule for unbound values in the current object.
    private var ruleForUnboundValues: JSONReader.Options.UnknownKeys {
        switch document.frame.level.table.unknownKeys {
        case .asReader: policy.options.unknownKeys
        case .ignore, .collect: .ignore
        case .report: .report
        case .reject: .reject
        }
    }

    /// Adds a member to the draft's object of unknown keys. Its value is null for now; the next value is stored in its place.
    private mutating func collect(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, by row: RowHandle
    ) -> Bool {
        guard let key = unsafe makeString(bytes, count) else { return failUnicode() }
        if policy.options.duplicateKeys != .last,
            document.frame.isPrefilled ? isAssigned(row, of: key) : hasCome(key, merges: false)
        {
            guard policy.options.duplicateKeys == .first else {
                let shown = shown(key)
                var path = pathOfFrames()
                if shown == key { PathSyntax.append(key, to: &path) } else { path += path.isEmpty ? shown : "." + shown }
                return failDuplicate(shown, path: path)
            }
            document.frame.row = policy.leftOutRow
            return true
        }
        // Safe: the table was compiled with a field of this type at the row's offset; drafts begin with nils there.
        let object = unsafe (document.frame.base + row.offset).assumingMemoryBound(to: JSONObject?.self)
        if unsafe object.pointee == nil { unsafe object.pointee = JSONObject() }
        let slot = Int(row.slot)
        // Safe: the block has a presence bit for every slot.
        unsafe document.frame.block.assumingMemoryBound(to: UInt64.self)[slot >> 6] |= 1 << UInt64(slot & 63)
        if document.frame.isPrefilled { noteAssignment(row, of: key) }
        // Safe: nothing touches the draft's object until the next key of this frame, so the member stays where it is.
        guard let address = unsafe object.pointee?.addressOfValue(forKey: key, replacing: document.frame.isPrefilled) else {
            return false
        }
        document.frame.row = row
        unsafe document.frame.address = UnsafeMutableRawPointer(address)
        document.frame.isReplacing = true
        return true
    }

    /// Counts an unknown key of the current model; false if it is refused.
    @inline(never)
    mutating func countUnknownKey(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, as rule: JSONReader.Options.UnknownKeys
    ) -> Bool {
        var key = unsafe UnsafeBufferPointer(start: bytes, count: count)
        if unsafe isInlinedObject || isTag(key) { return true }
        document.findings.countUnknownKey()
        switch rule {
        case .ignore: break
        case .report:
            if hidesKeys {
                // Safe: a static string of ASCII, which lives for ever.
                let words: StaticString = "<redacted>"
                unsafe key = UnsafeBufferPointer(start: words.utf8Start, count: words.utf8CodeUnitCount)
            }
            if unsafe !document.findings.count(key, of: document.frame.level.table) { unsafe addUnknownKey(key) }
        case .reject:
            return unsafe refuseUnknownKey(key)
        }
        return true
    }

    /// Whether a key is the tag by which the model that is open was chosen among variants.
    private func isTag(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard document.frame.kind == .model, document.stackCount >= 2 else { return false }
        // Safe: the frames below the current one lie on the stack, `stackCount` of them.
        let isVariant = unsafe frames.stack[document.stackCount - 1].kind == .nested
        guard isVariant, case .key(let tag)? = unsafe frames.stack[document.stackCount - 2].row.binding.variantTypes?.form else {
            return false
        }
        return unsafe tag.utf8.elementsEqual(key)
    }

    /// Adds a key to the report for which it is new.
    @inline(never)
    private mutating func addUnknownKey(_ key: UnsafeBufferPointer<UInt8>) {
        unsafe document.findings.unknownKeyCounts.add(
            key, of: document.frame.level.table, path: pathOfContainer(), at: document.chunk.position(of: document.token.start))
    }

    @inline(never)
    private mutating func refuseUnknownKey(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard document.attemptDepth == 0 else {
            // Another type may have this key.
            document.error = JSONError.misfit
            return false
        }
        let name = unsafe String(decoding: key, as: UTF8.self)
        document.error = unsafe error(
            .unknownKey, expected: "a key that a property has", keys: [shown(name)], at: document.token.start)
        return false
    }

    /// Notes an unknown key of the current model, for the hint of an error about missing keys.
    @inline(never)
    mutating func noteUnknownKey(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        guard document.frame.kind == .model else { return }
        // Safe: the distance to the chunk's end is only taken for an address in the chunk.
        let hasRoom = unsafe document.chunk.contains(bytes) && document.chunk.end - bytes >= UnknownKeyNotes.maximumLength
        unsafe frames.unknownKeys.note(
            UnsafeBufferPointer(start: bytes, count: count), at: document.stackCount, isFirst: !document.frame.hasUnknownKeys,
            hasRoom: hasRoom)
        document.frame.hasUnknownKeys = true
    }
}

extension JSONReader {
    /// How many unknown keys the last document had, including those that no report names.
    package var unknownKeyCount: Int { binder.state.document.findings.unknownKeyCount }

    /// Adds the unknown keys of the last document to those of all documents; `base` is the position where that document begins.
    package mutating func acceptUnknownKeys(at base: SourcePosition) {
        binder.state.document.findings.acceptUnknownKeys(at: base)
    }

    /// The unknown keys of all documents that were accepted.
    package var acceptedUnknownKeys: [JSONUnknownKey] { binder.state.document.findings.unknownKeyCounts.ofAll }

    /// Returns the unknown keys of all documents that were accepted, and forgets them.
    package mutating func takeUnknownKeys() -> [JSONUnknownKey] { binder.state.document.findings.unknownKeyCounts.takeAll() }
}
