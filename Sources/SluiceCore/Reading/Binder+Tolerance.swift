// A value does not fit. The innermost place whose policy tolerates that takes the loss: an array leaves the element out, a
// property keeps what it has. What was half made inside is destroyed, what is left of the value's text is skipped, and the loss
// is counted. If no place tolerates it, the error ends the reading.

extension Binder {
    /// Raises an error that a tolerant place may take; true if one did.
    ///
    /// - Parameters:
    ///   - isInside: Whether the value has the right JSON type, and something inside it is wrong.
    ///   - isText: Whether the value is a string.
    @inline(never)
    mutating func raise(
        _ kind: JSONError.Kind, expected: String, found: String, keys: [String] = [], hint: String = "",
        at place: UnsafePointer<UInt8>, isNull: Bool = false, isInside: Bool = false, isText: Bool = false
    ) -> Bool {
        let level =
            kind == .rejected
            ? rejectingLevel : tolerantLevel(isNull: isNull, isMistyped: kind == .typeMismatch && !isInside)
        // Of an object that lacks keys, the properties that have them are counted.
        if countsProperties, kind != .missingKeys { countValue(.failed) }
        guard let level else {
            // An attempt only asks whether the value fits.
            if trials.depth > 0 {
                error = JSONError.misfit
            } else {
                error = unsafe describe(kind, expected: expected, found: found, keys: keys, hint: hint, at: place)
            }
            return false
        }
        if postpones(at: level) {
            unsafe postpone(
                describe(kind, expected: expected, found: found, keys: keys, hint: hint, at: place), at: level)
        } else {
            report.droppedCount += 1
            // Beyond the limit they are only counted.
            if report.issues.count < options.reportLimit {
                unsafe report.issues.append(describe(kind, expected: expected, found: found, keys: keys, hint: hint, at: place))
            }
        }
        return give(up: level, isText: isText)
    }

    /// Raises an error that was described before, of a model that ends without a value for a property.
    mutating func raise(_ described: JSONError) -> Bool {
        guard let level = tolerantLevel(isNull: false, isMistyped: false) else {
            error = trials.depth > 0 ? JSONError.misfit : described
            return false
        }
        if postpones(at: level) { postpone(described, at: level) } else { count(described) }
        return give(up: level, isText: false)
    }

    /// Counts a value that is left out.
    mutating func count(_ issue: JSONError) {
        report.droppedCount += 1
        if report.issues.count < options.reportLimit { report.issues.append(issue) }
    }

    private mutating func describe(
        _ kind: JSONError.Kind, expected: String, found: String, keys: [String], hint: String, at place: UnsafePointer<UInt8>
    ) -> JSONError {
        // Of an object that lacks something, the caret stands under the bracket that ends it, not behind that.
        let caret = unsafe kind == .missingKeys || kind == .rejected ? place - 1 : place
        return unsafe JSONError(
            kind, path: path(), position: placeInOrder(at: place), expected: expected, found: found, keys: keys, hint: hint,
            excerpt: isSensitive ? nil : chunk.excerpt(at: caret))
    }

    /// Whether some place would take an error.
    func isTolerated(isNull: Bool, isMistyped: Bool) -> Bool { tolerantLevel(isNull: isNull, isMistyped: isMistyped) != nil }

    /// Whether an error is built: of what is left out, only the first ones are, and the others counted.
    func isShown(_ kind: JSONError.Kind, isNull: Bool = false) -> Bool {
        report.issues.count < options.reportLimit || !isTolerated(isNull: isNull, isMistyped: kind == .typeMismatch)
    }

    /// Whether the value at hand is, or lies inside, one that errors must not show.
    var isSensitive: Bool {
        if unsafe frame.row.policy?.pointee.isSensitive == true { return true }
        // Safe: that many frames lie on the stack.
        return (0..<stackCount).contains { unsafe stack[$0].row.policy?.pointee.isSensitive == true }
    }

    /// The number of the innermost frame whose current value may be left out; nil if no value may.
    ///
    /// - Parameter isMistyped: Whether the value has another JSON type than it should, and is not just wrong inside.
    private func tolerantLevel(isNull: Bool, isMistyped: Bool) -> Int? {
        var level = stackCount
        while level >= 0 {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe level == stackCount ? frame : stack[level]
            switch open.kind {
            case .array, .dictionary:
                switch elementPolicy(open.binding.element) {
                case .strict: break
                case .skipInvalid: return level
                case .skipMistyped: if isMistyped, level == stackCount { return level }
                case .skipNull: if isNull, level == stackCount { return level }
                }
            case .model, .path:
                if open.row.kind != .path,
                    mismatchPolicy(open.row) != .throw || open.row.isWorseAlternative
                {
                    return level
                }
            case .nested:
                if open.isTrial { return nil }
            case .root:
                break
            }
            level -= 1
        }
        return nil
    }

    /// A hook's veto is honoured wherever the value is an element or a property, whatever the policies say.
    private var rejectingLevel: Int? {
        var level = stackCount
        while level >= 0 {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe level == stackCount ? frame : stack[level]
            if open.kind != .nested { return open.kind == .root ? nil : level }
            if open.isTrial { return nil }
            level -= 1
        }
        return nil
    }

    private func elementPolicy(_ row: RowHandle?) -> JSONElementPolicy {
        if let own = unsafe row?.policy?.pointee.elements ?? defaults.pointee.elements { return own }
        return switch unsafe conversions(of: row?.policy).profile {
        case .strict, .lenient: .strict
        case .yyModel: .skipInvalid
        }
    }

    func mismatchPolicy(_ row: RowHandle) -> JSONMismatchPolicy {
        if let own = unsafe row.policy?.pointee.mismatch ?? defaults.pointee.mismatch { return own }
        guard isOwnMismatchOfYYModel(row) else { return .throw }
        // YYModel sets numbers to nil, dates and URLs too where their text is wrong, and leaves everything else untouched.
        return row.kind.isNumeric || row.kind == .scalar ? .nil : .keep
    }

    /// Whether YYModel's own rules say what becomes of a property whose value does not fit.
    private func isOwnMismatchOfYYModel(_ row: RowHandle) -> Bool {
        unsafe conversions(of: row.policy).profile == .yyModel && row.policy?.pointee.mismatch == nil
            && defaults.pointee.mismatch == nil
    }

    /// Whether YYModel's rules leave a property untouched unless a string stands there: its dates, URLs and data. An enum goes by
    /// its raw value.
    private func keepsOtherTypes(_ row: RowHandle) -> Bool {
        row.kind == .scalar && isOwnMismatchOfYYModel(row)
            && !(row.binding.type is any RawRepresentable.Type)
    }

    /// How values convert under a policy.
    func conversions(of policy: UnsafePointer<JSONPropertyPolicy>?) -> JSONConversions {
        unsafe policy?.pointee.conversions ?? options.conversions
    }

    /// Leaves out the current value of a frame, and everything that is open inside it.
    private mutating func give(up level: Int, isText: Bool) -> Bool {
        unwind(to: level)
        capture.end()
        let row = frame.row
        switch frame.kind {
        case .dictionary:
            dropPendingKey()
        case .model, .path:
            drop(row, isText: isText)
        case .array:
            frame.droppedCount &+= 1
        case .root, .nested:
            break
        }
        // Every frame but the virtual ones is a container of the text; what is open beyond that belongs to the value that is left
        // out.
        skipDepth = nesting + virtualCount - stackCount
        resumedRow = row
        if skipDepth == 0 { return resume() }
        frame.row = ReaderRows.ignored
        return true
    }

    /// Goes on behind a value that has been left out.
    @inline(never)
    mutating func resume() -> Bool {
        guard let row = resumedRow else { return true }
        frame.row = row
        resumedRow = nil
        // A place in an array is passed like one that has its value.
        if frame.kind == .model, frame.modelLayout?.isPositional == true { return advance() }
        return true
    }

    /// Removes the key whose value is left out.
    mutating func dropPendingKey() {
        let contents = frame.contents
        guard contents.hasPendingKey else { return }
        unsafe contents.key(at: contents.count).deinitialize(count: 1)
        frame.keyCount &-= 1
    }

    /// A property's value is left out.
    private mutating func drop(_ row: RowHandle, isText: Bool) {
        switch mismatchPolicy(row) {
        case .nil where row.flags.contains(.nullable) && (isText || !keepsOtherTypes(row)):
            setNil(row)
        case .default:
            restoreInitialValue(row)
        case .throw, .keep, .nil:
            // What is no array is an empty set to YYModel.
            if isOwnMismatchOfYYModel(row), row.binding.type is any SetAlgebra.Type,
                restoreRank(row), row.binding.type._storeEmpty(at: destination)
            {
                return
            }
            keep(row)
        }
    }

    /// The property goes back to its initial value, unless another of its keys has given it one.
    private mutating func restoreInitialValue(_ row: RowHandle) {
        guard restoreRank(row) else { return }
        clearRank(row)
        if frame.isReplacing { row.binding.type._storeNil(at: destination) }
        clearPresence(row)
    }

    /// The property keeps what it has, as if this key had been absent.
    mutating func keep(_ row: RowHandle) {
        restoreRank(row)
        if !frame.isReplacing { clearPresence(row) }
    }

    private mutating func clearPresence(_ row: RowHandle) {
        let slot = Int(row.slot)
        // Safe: the block has a presence bit for every slot.
        unsafe frame.block.assumingMemoryBound(to: UInt64.self)[slot >> 6] &= ~(1 << UInt64(slot & 63))
    }

    /// The rank of an alternative that gave no value goes back to what it was; false if another alternative has given one before.
    @discardableResult
    mutating func restoreRank(_ row: RowHandle) -> Bool {
        guard let rank = unsafe rank(of: row) else { return true }
        unsafe rank.pointee = frame.previousRank
        // The same key may have come before: then the last one counts.
        return frame.previousRank == 255 || frame.previousRank == row.rank
    }

    /// No alternative has given a value.
    private mutating func clearRank(_ row: RowHandle) {
        if let rank = unsafe rank(of: row) { unsafe rank.pointee = 255 }
    }

    /// Where the rank of a property with alternative keys is kept.
    func rank(of row: RowHandle) -> UnsafeMutablePointer<UInt8>? {
        guard row.flags.contains(.ranked), let layout = frame.modelLayout else { return nil }
        // Safe: the block has a rank for every slot, and the row's slot is one of them.
        return unsafe frame.block.assumingMemoryBound(to: UInt8.self) + (layout.rankOffset + Int(row.slot))
    }

    /// The property has an explicit nil.
    mutating func setNil(_ row: RowHandle) {
        guard restoreRank(row), let layout = frame.modelLayout else { return }
        clearRank(row)
        if frame.isReplacing || row.flags.contains(.renamedOptional) {
            row.binding.type._storeNil(at: destination)
        }
        let slot = Int(row.slot)
        let words = unsafe frame.block.assumingMemoryBound(to: UInt64.self)
        unsafe words[layout.wordCount + slot >> 6] |= 1 << UInt64(slot & 63)
    }

    // MARK: Null

    /// Null for a property whose policy is not the usual one.
    @inline(never)
    mutating func nullProperty(_ row: RowHandle, as policy: JSONNullPolicy) -> Bool {
        switch policy {
        case .asNil:
            setNilOrKeep(row)
        case .keep:
            keep(row)
        case .default:
            restoreInitialValue(row)
        case .empty:
            // Only where no other key has given a value; and one that is still to come may.
            guard restoreRank(row) else { break }
            clearRank(row)
            if !row.binding.type._storeEmpty(at: destination) {
                row.flags.contains(.nullable) ? setNil(row) : restoreInitialValue(row)
            }
        case .error:
            let expected = row.binding.expectation
            return unsafe raise(.typeMismatch, expected: expected, found: "null", at: token.start, isNull: true)
        }
        return advance()
    }

    /// What null means for a property; nil for the usual.
    func nullPolicy(_ row: RowHandle) -> JSONNullPolicy? {
        if let own = unsafe row.policy?.pointee.nulls ?? defaults.pointee.nulls { return own }
        // YYModel overwrites numbers with 0.
        guard unsafe conversions(of: row.policy).profile == .yyModel else { return nil }
        return row.kind.isNumeric && !row.flags.contains(.nullable) ? .empty : nil
    }
}

extension JSONError.Kind {
    /// Whether an error says that a value does not fit, and not that the text is no JSON.
    var isTolerable: Bool { self == .typeMismatch || self == .invalidValue || self == .missingKeys || self == .rejected }
}
