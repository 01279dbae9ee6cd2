// Errors are built here, and only when they are raised: the path comes from the frames, the position from the chunk.

extension Binder {
    /// Parks an error, so that the callback can return 0 and the reader throw it when yajl has returned.
    mutating func park(_ raised: JSONError, isInside: Bool = false) -> Bool {
        let isQuoting = isSensitive || !raised.kind.isTolerable && raised.kind != .invalidModel && mayHoldSensitive
        let raised = isQuoting ? raised.withoutWords() : raised
        if raised.path.isEmpty, raised.kind.isTolerable {
            return unsafe raise(
                raised.kind, expected: raised.expected, found: raised.found, keys: raised.keys, keyWords: raised.keyWords,
                hint: raised.hint ?? "", at: document.token.end, isInside: isInside)
        }
        document.error = unsafe JSONError(
            raised.kind, path: raised.path.isEmpty ? path() : raised.path,
            position: document.chunk.position(of: document.token.end),
            expected: raised.expected, found: raised.found, keys: raised.keys, keyWords: raised.keyWords,
            hint: raised.hint, excerpt: excerpt(at: document.token.end), hidesText: raised.hidesText || mayHoldSensitive)
        return false
    }

    @inline(never)
    mutating func fail(
        _ kind: JSONError.Kind, expected: String, found: String, hint: String = "", at address: UnsafePointer<UInt8>? = nil
    ) -> Bool {
        document.error = unsafe error(kind, expected: expected, found: found, hint: hint, at: address)
        return false
    }

    @inline(never)
    mutating func failDuplicate(_ key: String, path: String? = nil) -> Bool {
        document.error = unsafe error(.duplicateKey, path: path, found: "a second value", keys: [key])
        return false
    }

    /// An error with the path, the position and the excerpt that belong to a position, by default the token's end.
    func error(
        _ kind: JSONError.Kind, path: String? = nil, expected: String = "", found: String = "", keys: [String] = [],
        hint: String = "", at address: UnsafePointer<UInt8>? = nil
    ) -> JSONError {
        let address = unsafe address ?? document.token.end
        return unsafe JSONError(
            kind, path: path ?? self.path(), position: document.chunk.position(of: address), expected: expected, found: found,
            keys: keys, hint: hint, excerpt: excerpt(at: address), hidesText: mayHoldSensitive)
    }

    @inline(never)
    mutating func failDepth() -> Bool {
        unsafe fail(.depthLimit, expected: Binder.depthExpectation(policy.maximumDepth), found: "more")
    }

    static func depthExpectation(_ maximumDepth: Int) -> String { "at most \(maximumDepth) levels (maximumDepth)" }

    /// Handles a scalar of a JSON type that the row's type does not accept.
    @inline(never)
    mutating func mismatch(_ scalar: JSONScalar) -> Bool {
        if document.frame.row.kind == .none {
            return unsafe fail(
                .trailingContent, expected: "the end of the input", found: words(for: scalar), at: document.token.start)
        }
        return convert(scalar, orRaise: .typeMismatch)
    }

    mutating func mismatch(found: String) -> Bool {
        if document.frame.row.kind == .none {
            return unsafe fail(.trailingContent, expected: "the end of the input", found: found, at: document.token.start)
        }
        if openConvertible(found) {
            if policy.countsProperties { countValue(.converted) }
            return true
        }
        return unsafe raise(.typeMismatch, expected: expectation, found: found, at: document.token.start)
    }

    /// Handles a number that its type has no room for.
    @inline(never)
    mutating func failNumber(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        unsafe convert(JSONScalar(kind: .number, start: bytes, count: count), orRaise: .invalidValue)
    }

    /// Handles a scalar that its type has refused.
    @inline(never)
    mutating func failScalar(_ scalar: JSONScalar) -> Bool {
        convert(scalar, orRaise: .invalidValue)
    }

    /// Handles the contents of a container that could not become a value, usually because keys are missing.
    @inline(never)
    mutating func failCompletion(of finished: Frame, _ raised: JSONError) -> Bool {
        frames.arena.release(to: finished.mark)
        // The object has ended, and the error's path leads to the property inside it.
        if let conflict = update.objects?.conflict, conflict == raised {
            return unsafe failInside(conflict, at: document.token.end)
        }
        guard raised.kind == .missingKeys, raised.keys.isEmpty, let layout = finished.modelLayout else {
            return park(raised, isInside: true)
        }
        let bound = finished.contents.bound
        let table = layout.table
        var keys: [String] = []
        var words: [String] = []
        var missing: [[JSONKeyPath]] = []
        for (slot, property) in table.properties.enumerated()
        where property.presence == .required && property.direction != .writing && !isOptional(slot, layout) {
            if !bound.contains(slot) {
                let names = property.keys.isEmpty ? [property.name] : property.keys.map(\.description)
                keys += names
                words.append(names.map { "'\($0)'" }.joined(separator: " or "))
                missing.append(property.keys)
                if policy.countsProperties { document.findings.propertyCounts.count(.failed, of: table, slot) }
            } else if bound.isNull(slot) {
                let key = nullKey(of: property, slot, finished).description
                keys.append(key)
                words.append("'\(key)' (null)")
                if policy.countsProperties { document.findings.propertyCounts.count(.failed, of: table, slot) }
            }
        }
        var help = ""
        if !isTolerated(isNull: false, isMistyped: false) {
            // A value that is left out gets no hint: the scanner, which may be reading it, does not note unknown keys.
            help = isSensitive ? "" : hint(forMissing: missing, of: finished, in: table)
            if help.isEmpty, missing.isEmpty { help = "only an optional takes null" }
        }
        return unsafe raise(
            .missingKeys, expected: "an object of \(table.modelName)", found: "one without them", keys: keys,
            keyWords: words, hint: help, at: document.token.end, isInside: true)
    }

    /// The key that was null in the object that has just ended.
    private func nullKey(of property: JSONProperty, _ slot: Int, _ finished: Frame) -> JSONKeyPath {
        // The frame of that object has been popped.
        let wanted = NullAlternative(level: document.stackCount + 1, binding: finished.binding, slot: slot, rank: 0)
        let noted = frames.nulls.last { wanted.replaces($0) }
        let rank = noted.map { Int($0.rank) } ?? 0
        return property.keys.indices.contains(rank) ? property.keys[rank] : JSONKeyPath(property.name)
    }

    private func isOptional(_ slot: Int, _ layout: LayoutHandle) -> Bool {
        layout.row(ofSlot: slot).flags.contains(.nullable)
    }

    /// What the current property or element accepts: its type as written in Swift, or what the type says about itself.
    var expectation: String {
        let binding = document.frame.row.binding
        let text = binding.expectation
        guard document.frame.row.flags.contains(.nullable) else { return text }
        return text == TypeSpelling.of(binding.spelledType) ? text + "?" : text + " or null"
    }

    /// The same for a value of the right JSON type, with the range of the type if it is a number.
    var expectedContent: String {
        guard let range = document.frame.row.kind.range else { return expectation }
        return "\(expectation) (\(range))"
    }

    /// The path from the root to the value that is being bound.
    func path() -> String {
        var path = pathOfFrames()
        append(document.frame, at: document.stackCount, to: &path)
        return path
    }

    /// The path from the root to the innermost open container.
    func pathOfContainer() -> String {
        // Skipped containers have no frames.
        document.skipDepth > 0 ? path() : pathOfFrames()
    }

    func pathOfFrames() -> String {
        var path = ""
        // Safe: `stackCount` frames lie on the stack.
        for index in 0..<document.stackCount { unsafe append(frames.stack[index], at: index, to: &path) }
        return path
    }

    private func append(_ frame: Frame, at level: Int, to path: inout String) {
        switch frame.kind {
        case .root:
            break
        case .nested:
            for key in frames.parts.first(where: { $0.level == level })?.keys ?? [] { PathSyntax.append(key, to: &path) }
        case .model, .path:
            guard frame.row.kind != .ignored, !frame.row.flags.contains(.inlined) else { return }
            if frame.kind == .model, frame.modelLayout?.isPositional == true { return path += "[\(frame.row.slot)]" }
            PathSyntax.append(frame.row.keyText, to: &path)
        case .array:
            path += "[\(frame.count + Int(frame.droppedCount))]"
        case .dictionary:
            let contents = frame.contents
            guard contents.hasPendingKey else { return }
            // The keys of a sensitive dictionary are as sensitive as its values.
            if hidesKeys(at: level) {
                path += path.isEmpty ? JSONError.redacted : "." + JSONError.redacted
            } else {
                unsafe PathSyntax.append(contents.key(at: contents.count).pointee, to: &path)
            }
        }
    }
}
