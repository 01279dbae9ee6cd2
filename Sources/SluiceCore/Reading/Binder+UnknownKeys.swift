// A key that no property has, in a model that says what becomes of it; and values that no property has where keys lead on.

extension Binder {
    /// Deals with such a key as the model says.
    @inline(never)
    mutating func unknownKeyOfRule(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ isASCII: Bool) -> Bool {
        // Safe: a table with this rule has a row for what is collected.
        if frame.level.unknownKeys == .collect, let row = frame.level.collector {
            return unsafe collect(bytes, count, by: row)
        }
        frame.row = ignoredRow
        hasUnboundValue = true
        switch frame.level.unknownKeys {
        case .report:
            guard unsafe countUnknownKey(bytes, count, as: .report) else { return false }
        case .reject:
            guard unsafe countUnknownKey(bytes, count, as: .reject) else { return false }
        case .asReader, .ignore, .collect: break
        }
        if unsafe yajl != nil { unsafe noteUnknownKey(bytes, count) }
        return unsafe isASCII || validateIgnored(bytes, count)
    }

    /// A scalar stands where a key path leads through an object: the path's end is absent, and no property has the value. False if it
    /// is refused.
    @inline(never)
    mutating func scalarOnPath(_ scalar: JSONScalar) -> Bool {
        hasUnboundValue = true
        switch ruleForUnboundValues {
        case .ignore: return true
        case .report: return nameValueOnPath()
        case .reject:
            return mismatchOnPath(found: isSensitive ? scalar.kind.words : scalar.summary, isText: scalar.kind == .string)
        }
    }

    /// The same for an array, which is skipped.
    @inline(never)
    mutating func openArrayOnPath() -> Bool {
        hasUnboundValue = true
        let rule = ruleForUnboundValues
        if rule == .reject { return mismatchOnPath(found: "an array", isText: false) }
        if rule == .report, !nameValueOnPath() { return false }
        skipDepth = 1
        frame.row = ReaderRows.ignored
        return true
    }

    private mutating func nameValueOnPath() -> Bool {
        let row = frame.row
        return unsafe countUnknownKey(row.key, row.keyCount, as: .report)
    }

    private mutating func mismatchOnPath(found: String, isText: Bool) -> Bool {
        unsafe raise(.typeMismatch, expected: "an object", found: found, at: token.start, isText: isText)
    }

    /// What becomes of values that no property has in the object at hand.
    private var ruleForUnboundValues: JSONReader.Options.UnknownKeys {
        switch frame.level.unknownKeys {
        case .asReader: options.unknownKeys
        case .ignore, .collect: .ignore
        case .report: .report
        case .reject: .reject
        }
    }

    /// Adds a member to the object that the draft collects; its value, null so far, is where the value to come goes.
    private mutating func collect(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, by row: RowHandle
    ) -> Bool {
        guard let key = unsafe makeString(bytes, count) else { return failUnicode() }
        // Safe: the table was compiled with a field of this type at the row's offset; drafts begin with nils there.
        let object = unsafe (frame.base + row.offset).assumingMemoryBound(to: JSONObject?.self)
        if unsafe object.pointee == nil { unsafe object.pointee = JSONObject() }
        let slot = Int(row.slot)
        // Safe: the block has a presence bit for every slot.
        unsafe frame.block.assumingMemoryBound(to: UInt64.self)[slot >> 6] |= 1 << UInt64(slot & 63)
        if frame.isPrefilled { noteAssignment(row, of: key) }
        // Safe: nothing touches the draft's object until the next key of this frame, so the member stays where it is.
        guard let place = unsafe object.pointee?.placeOfValue(forKey: key, replacing: frame.isPrefilled) else { return false }
        frame.row = row
        unsafe frame.address = UnsafeMutableRawPointer(place)
        frame.isReplacing = true
        return true
    }

    /// Counts a key of the model at hand that no property has; false if it is refused.
    @inline(never)
    mutating func countUnknownKey(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, as rule: JSONReader.Options.UnknownKeys
    ) -> Bool {
        report.unknownKeyCount += 1
        let key = unsafe UnsafeBufferPointer(start: bytes, count: count)
        switch rule {
        case .ignore: break
        case .report:
            if unsafe !unknownKeyCounts.count(key, of: frame.level) {
                unsafe unknownKeyCounts.add(key, of: frame.level, path: pathOfContainer(), at: chunk.position(of: token.start))
            }
        case .reject:
            let name = unsafe String(decoding: key, as: UTF8.self)
            error = unsafe JSONError(
                .unknownKey, path: path(), position: chunk.position(of: token.start), expected: "a key that a property has",
                keys: [name], excerpt: chunk.excerpt(at: token.start))
            return false
        }
        return true
    }

    /// Notes a key of the model at hand that no property has.
    @inline(never)
    mutating func noteUnknownKey(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        guard frame.kind == .model else { return }
        // Safe: only addresses in the chunk are told apart.
        let hasRoom = unsafe chunk.contains(bytes) && chunk.end - bytes >= UnknownKeys.maximumLength
        unsafe unknownKeys.note(
            UnsafeBufferPointer(start: bytes, count: count), at: stackCount, isFirst: !frame.hasUnknownKeys, hasRoom: hasRoom)
        frame.hasUnknownKeys = true
    }
}

extension JSONObject {
    /// The address of a member's value, which stands there until the object is changed or freed.
    ///
    /// - Parameter replaces: Whether the last member of that key gets another value, instead of a new member.
    fileprivate mutating func placeOfValue(forKey key: String, replacing replaces: Bool) -> UnsafeMutablePointer<JSONValue>? {
        let index = replaces ? lastIndex(ofKey: key) ?? appendNull(forKey: key) : appendNull(forKey: key)
        return unsafe withPlace(ofValueAt: index) { unsafe $0 }
    }
}

extension JSONReader {
    /// How often the document read last had unknown keys, named or not.
    package var unknownKeyCount: Int { unsafe binder.pointee.report.unknownKeyCount }

    /// Counts the unknown keys of the document read last among those of all documents; their places are seen from where it stands.
    package mutating func acceptUnknownKeys(at base: SourcePosition) {
        unsafe binder.pointee.unknownKeyCounts.accept(at: base)
    }

    /// The unknown keys of all documents that were accepted.
    package var acceptedUnknownKeys: [JSONUnknownKey] { unsafe binder.pointee.unknownKeyCounts.ofAll }

    /// The same, which are forgotten then.
    package mutating func takeUnknownKeys() -> [JSONUnknownKey] { unsafe binder.pointee.unknownKeyCounts.takeAll() }
}
