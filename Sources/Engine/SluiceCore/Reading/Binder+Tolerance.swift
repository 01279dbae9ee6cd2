// A value does not fit. The innermost frame whose policy tolerates that drops its current value: an array leaves the element out, a
// property keeps the value it has. What was half made inside is destroyed, the rest of the dropped value's text is skipped, and the
// loss is counted. If no frame tolerates it, the error ends the reading.

extension Binder {
    /// Raises an error for a value that does not fit; true if a tolerant frame has dropped its value, so that reading goes on.
    ///
    /// - Parameters:
    ///   - isInside: Whether the value has the right JSON type, and something inside it is wrong.
    ///   - isText: Whether the value is a string.
    @inline(never)
    mutating func raise(
        _ kind: JSONError.Kind, expected: String, found: String, keys: [String] = [], keyWords: [String] = [],
        hint: String = "", at address: UnsafePointer<UInt8>, isNull: Bool = false, isInside: Bool = false, isText: Bool = false
    ) -> Bool {
        let level =
            kind == .rejected
            ? rejectingLevel : tolerantLevel(isNull: isNull, isMistyped: kind == .typeMismatch && !isInside)
        // Missing keys have already been counted, each for its own property.
        if policy.countsProperties, kind != .missingKeys { countValue(.failed) }
        func described() -> JSONError {
            // For an object that lacks keys, or was rejected, the caret stands under its closing bracket, not after it.
            let caret = unsafe kind == .missingKeys || kind == .rejected ? address - 1 : address
            return unsafe JSONError(
                kind, path: path(), position: positionInOrder(at: address), expected: expected, found: found, keys: keys,
                keyWords: keyWords, hint: hint, excerpt: excerpt(at: caret), hidesText: mayHoldSensitive)
        }
        guard let level else {
            // An attempt only asks whether the value fits.
            if document.attemptDepth > 0 {
                document.error = JSONError.misfit
            } else {
                document.error = described()
            }
            return false
        }
        if postpones(at: level) {
            postpone(described(), at: level)
        } else {
            document.findings.report.droppedCount += 1
            // Beyond the limit, dropped values are only counted.
            if document.findings.issueCount < policy.options.reportLimit {
                let issue = described()
                document.findings.report.issues.append(issue)
            }
        }
        return give(up: level, isText: isText)
    }

    /// Raises an error that was built before, such as a postponed one.
    mutating func raise(_ described: JSONError) -> Bool {
        guard let level = tolerantLevel(isNull: false, isMistyped: false) else {
            document.error = document.attemptDepth > 0 ? JSONError.misfit : described
            return false
        }
        if postpones(at: level) { postpone(described, at: level) } else { count(described) }
        return give(up: level, isText: false)
    }

    /// Counts a value that is left out.
    mutating func count(_ issue: JSONError) {
        document.findings.report.droppedCount += 1
        if document.findings.issueCount < policy.options.reportLimit { document.findings.report.issues.append(issue) }
    }

    /// Whether some frame would drop its value instead of failing.
    func isTolerated(isNull: Bool, isMistyped: Bool) -> Bool { tolerantLevel(isNull: isNull, isMistyped: isMistyped) != nil }

    /// Whether an error will be seen: beyond the limit of the report, dropped values are only counted.
    func isShown(_ kind: JSONError.Kind, isNull: Bool = false) -> Bool {
        document.findings.issueCount < policy.options.reportLimit
            || !isTolerated(isNull: isNull, isMistyped: kind == .typeMismatch)
    }

    /// The level of the innermost frame that may drop its current value; nil if none may.
    ///
    /// - Parameter isMistyped: Whether the value itself has the wrong JSON type, and not only something inside it is wrong.
    private func tolerantLevel(isNull: Bool, isMistyped: Bool) -> Int? {
        var level = document.stackCount
        while level >= 0 {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe level == document.stackCount ? document.frame : frames.stack[level]
            switch open.kind {
            case .array, .dictionary:
                switch elementPolicy(open.binding.element) {
                case .strict: break
                case .skipInvalid: return level
                case .skipMistyped: if isMistyped, level == document.stackCount { return level }
                case .skipNull: if isNull, level == document.stackCount { return level }
                }
            case .model, .path:
                if open.row.kind != .path,
                    mismatchPolicy(open.row) != .throw || open.row.isWorseAlternative
                {
                    return level
                }
            case .nested:
                if open.isAttempt { return nil }
            case .root:
                break
            }
            level -= 1
        }
        return nil
    }

    /// The level of the frame that drops a value which a hook has refused. It is the innermost frame, whatever the policies say.
    /// Nil at the root, and in an attempt.
    private var rejectingLevel: Int? {
        var level = document.stackCount
        while level >= 0 {
            // Safe: frames below the current one lie on the stack, `stackCount` of them.
            let open = unsafe level == document.stackCount ? document.frame : frames.stack[level]
            if open.kind != .nested { return open.kind == .root ? nil : level }
            if open.isAttempt { return nil }
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
        // YYModel sets numbers to nil, and dates and URLs whose text is wrong. It leaves everything else untouched.
        return row.kind.isNumeric || row.kind == .scalar ? .nil : .keep
    }

    /// Whether YYModel's own rules decide what happens to a property whose value does not fit.
    private func isOwnMismatchOfYYModel(_ row: RowHandle) -> Bool {
        unsafe conversions(of: row.policy).profile == .yyModel && row.policy?.pointee.mismatch == nil
            && defaults.pointee.mismatch == nil
    }

    /// Whether YYModel's rules leave a property untouched if the value is not a string: dates, URLs and data. An enum follows its
    /// raw value.
    private func keepsOtherTypes(_ row: RowHandle) -> Bool {
        row.kind == .scalar && isOwnMismatchOfYYModel(row)
            && !(row.binding.type is any RawRepresentable.Type)
    }

    /// The conversions of a property's policy, or those that hold where it has none.
    func conversions(of own: UnsafePointer<JSONPropertyPolicy>?) -> JSONConversions {
        unsafe own?.pointee.conversions ?? defaults.pointee.conversions ?? policy.options.conversions
    }

    /// The policy that fills the gaps of a property's own policy.
    var defaults: UnsafePointer<JSONPropertyPolicy> { unsafe policy.rules(inAttempt: document.attemptDepth > 0) }

    /// Drops the current value of a frame, and everything that is open inside it.
    private mutating func give(up level: Int, isText: Bool) -> Bool {
        unwind(to: level)
        let row = document.frame.row
        switch document.frame.kind {
        case .dictionary:
            dropPendingKey()
        case .model, .path:
            drop(row, isText: isText)
        case .array:
            document.frame.droppedCount &+= 1
        case .root, .nested:
            break
        }
        // Each frame above the root's is an open container of the text, except the virtual ones. The other open containers belong to the
        // value that is dropped.
        document.skipDepth = document.nesting + document.virtualCount - document.stackCount
        document.resumedRow = row
        if document.skipDepth == 0 { return resume() }
        document.frame.row = policy.leftOutRow
        return true
    }

    /// Goes on after a value that has been dropped.
    @inline(never)
    mutating func resume() -> Bool {
        guard let row = document.resumedRow else { return true }
        document.frame.row = row
        document.resumedRow = nil
        // If the model is written as an array, the next element is that of the next property.
        if document.frame.kind == .model, document.frame.modelLayout?.isPositional == true {
            return unsafe bindAddress(document.frame.row + 1)
        }
        return true
    }

    /// Removes the key whose value is dropped.
    mutating func dropPendingKey() {
        if document.frame.notesKeys { forgetLatestKey() }
        removePendingKey()
    }

    mutating func removePendingKey() {
        let contents = document.frame.contents
        guard contents.hasPendingKey else { return }
        unsafe contents.key(at: contents.count).deinitialize(count: 1)
        document.frame.keyCount &-= 1
    }

    /// Drops a property's value, as its policy says.
    private mutating func drop(_ row: RowHandle, isText: Bool) {
        switch mismatchPolicy(row) {
        case .nil where row.flags.contains(.nullable) && (isText || !keepsOtherTypes(row)):
            setNil(row)
        case .default:
            restoreInitialValue(row)
        case .throw, .keep, .nil:
            // YYModel turns a value that is not an array into an empty set.
            if isOwnMismatchOfYYModel(row), row.binding.type is any SetAlgebra.Type,
                restoreRank(row), row.binding.assembly.storeEmpty(at: destination)
            {
                return
            }
            keep(row)
        }
    }

    /// The property goes back to its initial value, unless another of its keys has given it a value.
    private mutating func restoreInitialValue(_ row: RowHandle) {
        guard restoreRank(row) else { return }
        clearRank(row)
        if document.frame.isReplacing, !restoreTemplate(row) { row.binding.type._storeNil(at: destination) }
        clearPresence(row)
    }

    /// The property keeps the value it has, as if this key had been absent.
    mutating func keep(_ row: RowHandle) {
        restoreRank(row)
        if !document.frame.isReplacing {
            clearPresence(row)
        } else if document.frame.wasNull, let layout = document.frame.modelLayout {
            setNullBit(row, layout)
        }
    }

    private mutating func setNullBit(_ row: RowHandle, _ layout: LayoutHandle) {
        let slot = Int(row.slot)
        // Safe: the block has a null bit for every slot, after the words of presence bits.
        unsafe document.frame.block.assumingMemoryBound(to: UInt64.self)[layout.wordCount + slot >> 6] |= 1 << UInt64(slot & 63)
    }

    /// In a model without a draft, gives a property the value that it has in the template. False if the property begins as nil
    /// instead: in a draft, or if it is gathered aside.
    mutating func restoreTemplate(_ row: RowHandle) -> Bool {
        guard let layout = document.frame.modelLayout, let fields = layout.fields else { return false }
        let template = unsafe layout.template + layout.draftOffset
        return unsafe fields.restore(Int(row.slot), in: document.frame.base, from: template)
    }

    private mutating func clearPresence(_ row: RowHandle) {
        let slot = Int(row.slot)
        // Safe: the block has a presence bit for every slot.
        unsafe document.frame.block.assumingMemoryBound(to: UInt64.self)[slot >> 6] &= ~(1 << UInt64(slot & 63))
    }

    /// Restores the rank that the property had before the current key, because this key gives it no value. False if another
    /// alternative key has given it a value.
    @discardableResult
    mutating func restoreRank(_ row: RowHandle) -> Bool {
        guard let rank = unsafe rank(of: row) else { return true }
        unsafe rank.pointee = document.frame.previousRank
        // If the earlier value came from the same key, the last occurrence of the key counts.
        return document.frame.previousRank == 255 || document.frame.previousRank == row.rank
    }

    /// Notes that no alternative has given a value.
    private mutating func clearRank(_ row: RowHandle) {
        if let rank = unsafe rank(of: row) { unsafe rank.pointee = 255 }
    }

    /// Where the rank of a property with alternative keys is kept.
    func rank(of row: RowHandle) -> UnsafeMutablePointer<UInt8>? {
        guard row.flags.contains(.ranked), let layout = document.frame.modelLayout else { return nil }
        // Safe: the block has a rank for every slot, and the row's slot is one of them.
        return unsafe document.frame.block.assumingMemoryBound(to: UInt8.self) + (layout.rankOffset + Int(row.slot))
    }

    /// Notes that the property is explicitly nil.
    mutating func setNil(_ row: RowHandle) {
        guard restoreRank(row), let layout = document.frame.modelLayout else { return }
        clearRank(row)
        if row.flags.contains(.ranked), !row.flags.contains(.nullable) { noteNull(row) }
        if document.frame.isReplacing || row.flags.contains(.renamedOptional) {
            let isNil = row.flags.contains(.nullable) || !restoreTemplate(row)
            if isNil { row.binding.type._storeNil(at: destination) }
        }
        setNullBit(row, layout)
    }

    // MARK: Null

    /// Remembers which of the alternative keys of a required property was null, for the error if no other gives a value.
    private mutating func noteNull(_ row: RowHandle) {
        let null = NullAlternative(
            level: modelLevel(of: document.stackCount), binding: document.frame.binding, slot: Int(row.slot), rank: row.rank)
        if let known = frames.nulls.firstIndex(where: { null.replaces($0) }) {
            frames.nulls[known] = null
        } else {
            frames.nulls.append(null)
        }
    }

    /// Handles null for a property as a null policy says.
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
            // The empty value is stored only if no other key has given a value. A key that comes later may still replace it.
            guard restoreRank(row) else { break }
            clearRank(row)
            if !row.binding.assembly.storeEmpty(at: destination) {
                row.flags.contains(.nullable) ? setNil(row) : restoreInitialValue(row)
            }
        case .error:
            let expected = row.binding.expectation
            return unsafe raise(.typeMismatch, expected: expected, found: "null", at: document.token.start, isNull: true)
        }
        return advance()
    }

    /// What null means for a property; nil for the usual meaning.
    // It is asked for each null: a function that is not mutating would copy the binder.
    mutating func nullPolicy(_ row: RowHandle) -> JSONNullPolicy? {
        let defaults = unsafe policy.rules(inAttempt: document.attemptDepth > 0)
        if let own = unsafe row.policy?.pointee.nulls ?? defaults.pointee.nulls { return own }
        // YYModel overwrites numbers with 0.
        let conversions = unsafe row.policy?.pointee.conversions ?? defaults.pointee.conversions ?? policy.options.conversions
        guard conversions.profile == .yyModel else { return nil }
        return row.kind.isNumeric && !row.flags.contains(.nullable) ? .empty : nil
    }
}

extension JSONError.Kind {
    /// Whether an error says that a value does not fit, and not that the text is not JSON.
    var isTolerable: Bool {
        switch self {
        case .typeMismatch, .invalidValue, .constraint, .missingKeys, .rejected: true
        default: false
        }
    }
}
