// A value of a property with constraints is checked when it has been stored. The row of such a property is a special one: when its key comes,
// the frame's limit is set to the property's address. A model's frame has a stride of 0, so after the value the address is at its limit, and
// `reachLimit` calls the check. Other properties are stored as ever.

extension Binder {
    /// The value that a constrained property had before the current one, where the current one may have to be taken back.
    struct HeldValue {
        let level: Int
        let slot: UInt32
        let value: Any
    }

    /// Prepares for the value of a constrained property, whose key has come.
    @inline(never)
    mutating func expectConstrained(_ row: RowHandle) {
        // A repeated key may have been left out.
        guard document.frame.row == row else { return }
        unsafe document.frame.limit = document.frame.address
        guard document.frame.isReplacing, mismatchPolicy(row) != .throw || row.isWorseAlternative else { return }
        let level = document.stackCount
        frames.held.removeAll { $0.level >= level }
        func open<Value: JSONReadable>(_ type: Value.Type) -> Any? { destination.load(type) }
        if let value = open(row.binding.type) { frames.held.append(HeldValue(level: level, slot: row.slot, value: value)) }
    }

    /// Checks the value that has just been stored in a constrained property. If it does not meet a constraint, it is taken back, and an error
    /// is raised.
    ///
    /// - Returns: Nil if the value meets all; otherwise whether a tolerant frame has dropped it, so that reading goes on.
    @inline(never)
    mutating func checkConstraints() -> Bool? {
        let row = document.frame.row
        // Null, and a value that was left out, have left the property as it was.
        guard let set = unsafe row.policy?.pointee.constraints, isGiven(row), let value = constrainedValue(row, set),
            let breach = set.breach(of: value, hides: isHidden)
        else { return nil }
        takeBack(row)
        // An array has ended: the error points to its closing bracket, as that of an object without a key does.
        let isArray = row.kind == .array
        return unsafe raise(
            .constraint, expected: breach.expected, found: breach.found, keys: [breach.keyword],
            at: isArray ? document.token.end - 1 : document.token.start)
    }

    /// Whether the property of a row has been given a value, and not null.
    private func isGiven(_ row: RowHandle) -> Bool {
        guard let layout = document.frame.modelLayout else { return false }
        // Safe: the block has a presence bit and a null bit for every slot.
        let word = unsafe document.frame.block.assumingMemoryBound(to: UInt64.self) + Int(row.slot &>> 6)
        return unsafe word.pointee & ~word[layout.wordCount] & row.bit != 0
    }

    private func constrainedValue(_ row: RowHandle, _ set: ConstraintSet) -> ConstrainedValue? {
        let stored = unsafe _Destination(address: document.frame.address, depth: row.depth, isInitialized: true)
        func integer<Value: BinaryInteger>(_ type: Value.Type) -> ConstrainedValue? {
            guard let value = stored.load(type) else { return nil }
            return Int128(exactly: value).map { .integer($0) } ?? .number("\(value)")
        }
        func open<Value: JSONReadable>(_ type: Value.Type) -> Any? { stored.load(type) }
        switch row.kind {
        case .int8: return integer(Int8.self)
        case .int16: return integer(Int16.self)
        case .int32: return integer(Int32.self)
        case .int64: return integer(Int.self)
        case .int128: return integer(Int128.self)
        case .uint8: return integer(UInt8.self)
        case .uint16: return integer(UInt16.self)
        case .uint32: return integer(UInt32.self)
        case .uint64: return integer(UInt64.self)
        case .uint128: return integer(UInt128.self)
        case .float: return stored.load(Float.self).map { .number("\($0)") }
        case .double: return stored.load(Double.self).map { .double($0) }
        case .string: return stored.load(String.self).map { .text($0) }
        case .substring: return stored.load(Substring.self).map { .text(String($0)) }
        case .modelText:
            // Safe: the table was compiled with a cell at this address.
            let cell = unsafe document.frame.address.assumingMemoryBound(to: Cell.self).pointee
            return unsafe cells.text.withUnsafeBytes { own in
                guard case .text(let bytes) = unsafe cell.value(input: cells.input, own: own) else { return nil }
                return unsafe .text(String(decoding: bytes, as: UTF8.self))
            }
        case .scalar: return open(row.binding.type).flatMap { ConstrainedValue.of(scalar: $0) }
        case .array: return open(row.binding.type).flatMap { ConstrainedValue.of(array: $0, findsTwins: set.areUnique) }
        default: return nil
        }
    }

    /// Gives the property the value that it had before the current one.
    private mutating func takeBack(_ row: RowHandle) {
        if document.frame.isReplacing {
            let level = document.stackCount
            guard let held = frames.held.last, held.level == level, held.slot == row.slot else { return }
            frames.held.removeLast()
            func open<Value: JSONReadable>(_ type: Value.Type) {
                if let value = held.value as? Value { destination.store(value) }
            }
            open(row.binding.type)
        } else {
            document.frame.isReplacing = true
            if !restoreTemplate(row) { row.binding.type._storeNil(at: destination) }
            document.frame.isReplacing = false
        }
    }
}
