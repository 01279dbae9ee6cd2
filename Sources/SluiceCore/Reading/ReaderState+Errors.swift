// What is wrong becomes a JSONError, built only here: path from the frames, position from the chunk.

extension ReaderState {
    /// Parks an error, so that the callback can return 0 and the reader throw it when yajl has returned.
    mutating func park(_ raised: JSONError) -> Bool {
        let place = unsafe position(of: tokenEnd)
        error = JSONError(
            raised.kind, path: raised.path.isEmpty ? path() : raised.path, position: place.position,
            expected: raised.expected, found: raised.found, keys: raised.keys, excerpt: place.excerpt)
        return false
    }

    @inline(never)
    mutating func fail(_ kind: JSONError.Kind, expected: String, found: String, at index: UnsafePointer<UInt8>? = nil) -> Bool {
        let place = unsafe position(of: index ?? tokenEnd)
        error = JSONError(
            kind, path: path(), position: place.position, expected: expected, found: found, excerpt: place.excerpt)
        return false
    }

    @inline(never)
    mutating func failDepth() -> Bool {
        unsafe fail(.depthLimit, expected: "at most \(maximumDepth) levels", found: "more")
    }

    /// A scalar of a JSON type that the row's type is not made of.
    @inline(never)
    mutating func mismatch(_ scalar: JSONScalar) -> Bool {
        let start = unsafe start(of: scalar)
        if unsafe frame.row.pointee.kind == .none {
            return unsafe fail(.trailingContent, expected: "the end of the input", found: scalar.summary, at: start)
        }
        return unsafe fail(.typeMismatch, expected: expectation, found: scalar.summary, at: start)
    }

    mutating func mismatch(found: String) -> Bool {
        let end = unsafe tokenEnd
        let start = unsafe end > chunkStart ? end - 1 : end
        if unsafe frame.row.pointee.kind == .none {
            return unsafe fail(.trailingContent, expected: "the end of the input", found: found, at: start)
        }
        return unsafe fail(.typeMismatch, expected: expectation, found: found, at: start)
    }

    /// A number that its type has no room for.
    @inline(never)
    mutating func failNumber(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let scalar = unsafe JSONScalar(kind: .number, start: bytes, count: count)
        return unsafe fail(.invalidValue, expected: expectation, found: scalar.summary, at: isInChunk(bytes) ? bytes : nil)
    }

    /// A scalar that its type does not convert.
    @inline(never)
    mutating func failScalar(_ scalar: JSONScalar) -> Bool {
        let start = unsafe start(of: scalar)
        return unsafe fail(.invalidValue, expected: expectation, found: scalar.summary, at: start)
    }

    /// Where a scalar's token starts, as far as that lies in this chunk.
    private func start(of scalar: JSONScalar) -> UnsafePointer<UInt8>? {
        let end = unsafe tokenEnd
        guard let bytes = unsafe scalar.start else {
            // `null` and the booleans have no bytes of their own; they end with the token.
            let length = scalar.boolean == false ? 5 : 4
            return unsafe end - chunkStart >= length ? end - length : nil
        }
        if unsafe isInChunk(bytes) { return unsafe scalar.kind == .string ? bytes - 1 : bytes }
        // A string with an escape lies in yajl's own memory.
        let read = unsafe UnsafeRawBufferPointer(start: chunkStart, count: end - chunkStart)
        let quote = unsafe scalar.kind == .string ? UnicodeValidation.openingQuote(ofStringAtEndOf: read) : nil
        return unsafe quote.map { unsafe chunkStart + $0 }
    }

    /// A container's contents did not make a value: usually because keys are missing.
    @inline(never)
    mutating func failCompletion(of finished: Frame, _ raised: JSONError) -> Bool {
        arena.release(to: finished.mark)
        guard raised.kind == .missingKeys, raised.keys.isEmpty, let layout = unsafe finished.modelLayout else {
            return park(raised)
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
        let place = unsafe position(of: tokenEnd)
        error = JSONError(
            .missingKeys, path: path(), position: place.position, expected: "an object of \(table.modelName)",
            found: "one without them", keys: keys, excerpt: place.excerpt)
        return false
    }

    private func isOptional(_ slot: Int, _ layout: UnsafePointer<ModelLayout>) -> Bool {
        unsafe layout.pointee.firstRows[slot].flags.contains(.nullable)
    }

    private var expectation: String {
        let text = unsafe frame.row.pointee.binding.pointee.expectation
        return unsafe frame.row.pointee.flags.contains(.nullable) ? text + " or null" : text
    }

    // MARK: Where

    /// The place of a byte of the chunk in the document, and the line around it.
    func position(of place: UnsafePointer<UInt8>) -> (position: SourcePosition, excerpt: SourceExcerpt?) {
        let index = unsafe min(max(place - chunkStart, 0), chunkEnd - chunkStart)
        let chunk = unsafe UnsafeRawBufferPointer(start: chunkStart, count: chunkEnd - chunkStart)
        return unsafe (
            chunkPosition.advanced(over: UnsafeRawBufferPointer(rebasing: chunk[..<index])),
            SourceExcerpt(of: chunk, at: index)
        )
    }

    /// The way from the root to the value that is being bound.
    func path() -> String {
        var path = ""
        for index in 0..<stackCount { unsafe append(stack[index], to: &path) }
        append(frame, to: &path)
        return path
    }

    private func append(_ frame: Frame, to path: inout String) {
        switch frame.kind {
        case .root:
            break
        case .model, .path:
            guard unsafe frame.row.pointee.kind != .ignored else { return }
            if !path.isEmpty { path += "." }
            unsafe path += frame.row.pointee.keyText
        case .array:
            path += "[\(frame.count)]"
        case .dictionary:
            let contents = frame.contents
            guard contents.hasPendingKey else { return }
            if !path.isEmpty { path += "." }
            unsafe path += contents.key(at: contents.count).pointee
        }
    }
}
