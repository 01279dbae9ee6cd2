// What is wrong becomes a JSONError, built only here: path from the frames, position from the chunk.

extension ReaderState {
    /// Parks an error, so that the callback can return 0 and the reader throw it when yajl has returned.
    mutating func park(_ raised: JSONError, isInside: Bool = false) -> Bool {
        if raised.path.isEmpty, raised.kind.isTolerable {
            return raise(
                raised.kind, expected: raised.expected, found: raised.found, keys: raised.keys, at: tokenOffset,
                isInside: isInside)
        }
        let place = unsafe position(of: tokenEnd)
        error = JSONError(
            raised.kind, path: raised.path.isEmpty ? path() : raised.path, position: place.position,
            expected: raised.expected, found: raised.found, keys: raised.keys, excerpt: place.excerpt)
        return false
    }

    @inline(never)
    mutating func fail(_ kind: JSONError.Kind, expected: String, found: String, at index: Int? = nil) -> Bool {
        let place = position(at: index ?? tokenOffset)
        error = JSONError(
            kind, path: path(), position: place.position, expected: expected, found: found, excerpt: place.excerpt)
        return false
    }

    @inline(never)
    mutating func failDuplicate(_ key: String) -> Bool {
        let place = unsafe position(of: tokenEnd)
        error = JSONError(
            .duplicateKey, path: path(), position: place.position, found: "a second value", keys: [key],
            excerpt: place.excerpt)
        return false
    }

    @inline(never)
    mutating func failDepth() -> Bool {
        fail(.depthLimit, expected: ReaderState.depthExpectation(maximumDepth), found: "more")
    }

    static func depthExpectation(_ maximumDepth: Int) -> String { "at most \(maximumDepth) levels (maximumDepth)" }

    /// A scalar of a JSON type that the row's type is not made of.
    @inline(never)
    mutating func mismatch(_ scalar: JSONScalar) -> Bool {
        if unsafe frame.row.pointee.kind == .none {
            return fail(
                .trailingContent, expected: "the end of the input", found: scalar.summary, at: start(of: scalar))
        }
        return convert(scalar, orRaise: .typeMismatch)
    }

    mutating func mismatch(found: String) -> Bool {
        // A bracket is one byte, which is always of this chunk.
        let start = tokenOffset - 1
        if unsafe frame.row.pointee.kind == .none {
            return fail(.trailingContent, expected: "the end of the input", found: found, at: start)
        }
        if openConvertible(found) { return true }
        return raise(.typeMismatch, expected: expectation, found: found, at: start)
    }

    /// A number that its type has no room for.
    @inline(never)
    mutating func failNumber(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe convert(JSONScalar(kind: .number, start: bytes, count: count), orRaise: .invalidValue)
    }

    /// A scalar that its type does not convert.
    @inline(never)
    mutating func failScalar(_ scalar: JSONScalar) -> Bool {
        convert(scalar, orRaise: .invalidValue)
    }

    /// Where a scalar's token starts, counted from the chunk's first byte: below 0 if it began in an earlier chunk.
    func start(of scalar: JSONScalar) -> Int {
        let end = tokenOffset
        guard let bytes = unsafe scalar.start else {
            // `null` and the booleans have no bytes of their own; they end with the token.
            return end - (scalar.boolean == false ? 5 : 4)
        }
        if unsafe isInChunk(bytes) { return unsafe bytes - chunkStart - (scalar.kind == .string ? 1 : 0) }
        guard scalar.kind == .string else { return end - scalar.count }
        // A string with an escape, or one in pieces, lies in yajl's own memory: its quote is looked for in the text.
        let read = unsafe UnsafeRawBufferPointer(start: chunkStart, count: end)
        let quote = unsafe (tokenHead + read).withUnsafeBytes { unsafe UnicodeValidation.openingQuote(ofStringAtEndOf: $0) }
        return quote.map { $0 - tokenHead.count } ?? end
    }

    /// A container's contents did not make a value: usually because keys are missing.
    @inline(never)
    mutating func failCompletion(of finished: Frame, _ raised: JSONError) -> Bool {
        arena.release(to: finished.mark)
        guard raised.kind == .missingKeys, raised.keys.isEmpty, let layout = unsafe finished.modelLayout else {
            return park(raised, isInside: true)
        }
        let bound = finished.contents.bound
        let table = unsafe layout.pointee.table.takeUnretainedValue()
        var keys: [String] = []
        for (slot, property) in table.properties.enumerated()
        where unsafe property.presence == .required && property.direction != .writing && !isOptional(slot, layout) {
            let key = property.keys.map(\.description).joined(separator: "' or '")
            if !bound.contains(slot) {
                keys.append(key)
            } else if bound.isNull(slot) {
                keys.append(key + " (null)")
            }
        }
        return raise(
            .missingKeys, expected: "an object of \(table.modelName)", found: "one without them", keys: keys,
            at: tokenOffset, isInside: true)
    }

    private func isOptional(_ slot: Int, _ layout: UnsafePointer<ModelLayout>) -> Bool {
        unsafe layout.pointee.firstRows[slot].flags.contains(.nullable)
    }

    var expectation: String {
        let text = unsafe frame.row.pointee.binding.pointee.expectation
        return unsafe frame.row.pointee.flags.contains(.nullable) ? text + " or null" : text
    }

    // MARK: Where

    /// The place of a byte of the chunk in the document, and the line around it.
    func position(of place: UnsafePointer<UInt8>) -> (position: SourcePosition, excerpt: SourceExcerpt?) {
        unsafe position(at: place - chunkStart)
    }

    /// The same by index; below 0 lies the part of the current token that came with earlier chunks.
    func position(at place: Int) -> (position: SourcePosition, excerpt: SourceExcerpt?) {
        let index = unsafe min(max(place, 0), chunkEnd - chunkStart)
        let chunk = unsafe UnsafeRawBufferPointer(start: chunkStart, count: chunkEnd - chunkStart)
        var position = unsafe chunkPosition.advanced(over: UnsafeRawBufferPointer(rebasing: chunk[..<index]))
        // No token holds a line break.
        position.offset += min(place, 0)
        position.column += min(place, 0)
        return unsafe (position, SourceExcerpt(of: chunk, at: index))
    }

    /// The way from the root to the value that is being bound.
    func path() -> String {
        var path = ""
        for index in 0..<stackCount { unsafe append(stack[index], to: &path) }
        append(frame, to: &path)
        return path
    }

    /// The way from the root to the innermost open container.
    func pathOfContainer() -> String {
        // Of what is skipped there are no frames.
        if skipDepth > 0 { return path() }
        var path = ""
        for index in 0..<stackCount { unsafe append(stack[index], to: &path) }
        return path
    }

    private func append(_ frame: Frame, to path: inout String) {
        switch frame.kind {
        case .root, .nested:
            break
        case .model, .path:
            guard unsafe frame.row.pointee.kind != .ignored else { return }
            if !path.isEmpty { path += "." }
            unsafe path += frame.row.pointee.keyText
        case .array:
            path += "[\(frame.count + Int(frame.droppedCount))]"
        case .dictionary:
            let contents = frame.contents
            guard contents.hasPendingKey else { return }
            if !path.isEmpty { path += "." }
            unsafe path += contents.key(at: contents.count).pointee
        }
    }
}
