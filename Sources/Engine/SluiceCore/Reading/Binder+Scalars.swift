// A scalar arrives and is stored by kind and address. The common case of each event is short; everything else is a separate
// function that is never inlined.

extension Binder {
    // MARK: Events

    /// Takes a string, already unescaped.
    @inline(__always)
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        switch document.frame.row.kind {
        case .string:
            guard let text = unsafe makeString(bytes, count) else { return failUnicode() }
            store(text)
            return advance()
        case .substring:
            guard let text = unsafe makeSubstring(bytes, count, isASCII: false) else { return failUnicode() }
            store(text)
            return advance()
        case .modelText:
            guard unsafe isUnicode(bytes, count) else { return failUnicode() }
            unsafe storeTextCell(bytes, count, at: document.frame.address)
            return advance()
        case .ignored:
            return unsafe checksIgnored() ? validateIgnored(bytes, count) : true
        default:
            return unsafe otherString(bytes, count)
        }
    }

    /// Takes a string from ``DocumentScanner``: already unescaped, and known to be ASCII or not.
    @inline(__always)
    mutating func string(_ bytes: UnsafePointer<UInt8>, _ count: Int, isASCII: Bool) -> Bool {
        switch document.frame.row.kind {
        case .string:
            guard let text = unsafe isASCII ? asciiString(bytes, count) : String.validated(bytes, count, isASCII: false)
            else { return failUnicode() }
            store(text)
            return advance()
        case .substring:
            guard let text = unsafe makeSubstring(bytes, count, isASCII: isASCII) else { return failUnicode() }
            store(text)
            return advance()
        case .modelText:
            guard unsafe isASCII || UnicodeValidation.isUTF8(bytes, count) else { return failUnicode() }
            unsafe storeTextCell(bytes, count, at: document.frame.address)
            return advance()
        case .ignored where isASCII || !checksIgnored():
            return true
        case .value where isASCII && document.skipDepth == 0:
            guard let text = unsafe asciiString(bytes, count) else { return failUnicode() }
            destination.store(JSONValue.string(text))
            return advance()
        case .scalar where isASCII && document.skipDepth == 0:
            return unsafe storeScalar(JSONScalar(kind: .string, start: bytes, count: count))
        case let kind where isASCII && kind.isCell && document.skipDepth == 0:
            return unsafe storeCell(JSONScalar(kind: .string, start: bytes, count: count), isASCII: true)
        default:
            return unsafe string(bytes, count)
        }
    }

    /// Takes a number, as its lexeme.
    @inline(__always)
    mutating func number(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        switch document.frame.row.kind {
        case .ignored:
            return true
        case .double:
            guard let value = unsafe NumberParsing.double(bytes, count), value.isFinite else {
                return unsafe failNumber(bytes, count)
            }
            store(value)
            return advance()
        case .int64:
            guard let value = unsafe NumberParsing.int64(bytes, count) else { return unsafe otherNumber(bytes, count) }
            // `Int` and `Int64` have the same layout on every platform that Sluice supports.
            store(value)
            return advance()
        default:
            return unsafe otherNumber(bytes, count)
        }
    }

    /// Takes `true` or `false`.
    @inline(__always)
    mutating func boolean(_ value: Bool) -> Bool {
        switch document.frame.row.kind {
        case .bool:
            store(value)
            return advance()
        case .ignored:
            return true
        default:
            return otherBoolean(value)
        }
    }

    /// Takes `null`.
    @inline(__always)
    mutating func null() -> Bool {
        if document.frame.row.kind == .ignored { return true }
        return boundNull()
    }

    // MARK: Storing

    /// Stores a value at the frame's address, inside as many optionals as the row says.
    @inline(__always)
    mutating func store<Value>(_ value: consuming Value) {
        // Safe: the table was compiled with this type at this depth.
        switch document.frame.row.depth {
        case 0:
            let address = unsafe document.frame.address.assumingMemoryBound(to: Value.self)
            if document.frame.isReplacing { unsafe address.pointee = value } else { unsafe address.initialize(to: value) }
        case 1:
            let address = unsafe document.frame.address.assumingMemoryBound(to: Value?.self)
            if document.frame.isReplacing { unsafe address.pointee = value } else { unsafe address.initialize(to: value) }
        default:
            destination.store(value)
        }
    }

    /// Where the current value goes, for types that store their values themselves.
    @inline(__always)
    var destination: _Destination {
        // A property that has no value yet holds nil or a placeholder, which may be overwritten like memory that is not initialised. The root may
        // already hold a value, from an attempt that failed later in the text.
        unsafe _Destination(
            address: document.frame.address, depth: document.frame.row.depth,
            isInitialized: document.frame.isReplacing || document.frame.kind == .root)
    }

    /// Moves on to the next element, in a container that has elements.
    @inline(__always)
    mutating func advance() -> Bool {
        unsafe document.frame.address += document.frame.stride
        return unsafe document.frame.address == document.frame.limit ? reachLimit() : true
    }

    // MARK: The rest

    @inline(never)
    private mutating func otherString(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if document.skipDepth != 0 { return unsafe checksIgnored() ? validateIgnored(bytes, count) : true }
        switch document.frame.row.kind {
        case .scalar, .captured:
            guard unsafe isUnicode(bytes, count) else { return failUnicode() }
            return unsafe storeScalar(JSONScalar(kind: .string, start: bytes, count: count))
        case .value:
            guard let text = unsafe makeString(bytes, count) else { return failUnicode() }
            destination.store(JSONValue.string(text))
            return advance()
        case .raw, .jsonCell, .sharedKey:
            return captureScalar()
        case .path:
            guard unsafe !policy.validatesEverything || validateIgnored(bytes, count) else { return false }
            return unsafe scalarOnPath(JSONScalar(kind: .string, start: bytes, count: count))
        case .checked:
            return unsafe validateIgnored(bytes, count) && closeChecked()
        case let kind where kind.isCell:
            if unsafe hasBrokenEscape(bytes, count) { return failUnicode() }
            return unsafe storeCell(JSONScalar(kind: .string, start: bytes, count: count))
        default:
            return unsafe mismatch(JSONScalar(kind: .string, start: bytes, count: count))
        }
    }

    @inline(never)
    private mutating func otherNumber(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if document.skipDepth != 0 { return true }
        @inline(__always) func put<Value: FixedWidthInteger>(_ type: Value.Type) -> Bool {
            // The plain lexeme first; `1.0` and `1e3` are integers too, only rarer.
            var wide = unsafe NumberParsing.int64(bytes, count).map { Int128($0) }
            if wide == nil { wide = unsafe NumberParsing.exactInteger(bytes, count) }
            guard let wide, let value = Value(exactly: wide) else { return unsafe failNumber(bytes, count) }
            store(value)
            return advance()
        }
        switch document.frame.row.kind {
        case .int8: return put(Int8.self)
        case .int16: return put(Int16.self)
        case .int32: return put(Int32.self)
        case .int64: return put(Int64.self)
        case .uint8: return put(UInt8.self)
        case .uint16: return put(UInt16.self)
        case .uint32: return put(UInt32.self)
        case .uint64: return put(UInt64.self)
        case .int128: return put(Int128.self)
        case .uint128:
            guard let value = unsafe NumberParsing.uint128(bytes, count) else { return put(UInt128.self) }
            store(value)
            return advance()
        case .float:
            guard let value = unsafe NumberParsing.float(bytes, count), value.isFinite else {
                return unsafe failNumber(bytes, count)
            }
            store(value)
            return advance()
        case .scalar:
            return unsafe storeScalar(JSONScalar(kind: .number, start: bytes, count: count))
        case .value:
            // Safe: a number that lies in the chunk is ASCII; one that yajl has put together lies elsewhere.
            let small = unsafe document.chunk.contains(bytes) && count <= SmallString.capacity ? asciiString(bytes, count) : nil
            let number = unsafe small.map { JSONNumber(validated: $0) } ?? JSONNumber(validated: bytes, count)
            destination.store(JSONValue.number(number))
            return advance()
        case .raw, .jsonCell, .sharedKey:
            return captureScalar()
        case .captured:
            return unsafe storeScalar(JSONScalar(kind: .number, start: bytes, count: count))
        case .path:
            return unsafe scalarOnPath(JSONScalar(kind: .number, start: bytes, count: count))
        case .checked:
            return closeChecked()
        case let kind where kind.isCell:
            return unsafe storeCell(JSONScalar(kind: .number, start: bytes, count: count))
        default:
            return unsafe mismatch(JSONScalar(kind: .number, start: bytes, count: count))
        }
    }

    @inline(never)
    private mutating func otherBoolean(_ value: Bool) -> Bool {
        if document.skipDepth != 0 { return true }
        switch document.frame.row.kind {
        case .scalar, .captured:
            return storeScalar(JSONScalar(value))
        case .value:
            destination.store(JSONValue.bool(value))
            return advance()
        case .raw, .jsonCell, .sharedKey:
            return captureScalar()
        case .path:
            return scalarOnPath(JSONScalar(value))
        case .checked:
            return closeChecked()
        case let kind where kind.isCell:
            return storeCell(JSONScalar(value))
        default:
            return mismatch(JSONScalar(value))
        }
    }

    private mutating func storeScalar(_ plain: JSONScalar) -> Bool {
        let scalar = withPolicy(plain)
        if document.frame.row.binding.isUntagged { return storeFirst(scalar) }
        if document.frame.row.binding.adapter != .none { return storeAdapted(scalar) }
        do throws(JSONError) {
            guard try document.frame.row.binding.type._store(scalar, at: destination) else {
                if scalar.kind == .string, let start = unsafe scalar.start, unsafe !UnicodeValidation.isUTF8(start, scalar.count)
                {
                    return failUnicode()
                }
                return mayBeOfType(scalar) ? failScalar(scalar) : mismatch(scalar)
            }
            return advance()
        } catch {
            return park(error)
        }
    }

    /// Whether the type of the current value has values that are scalars of this JSON type. An object with a tag is none; with an external
    /// one, a string is the name of a variant without a value.
    private func mayBeOfType(_ scalar: JSONScalar) -> Bool {
        guard scalar.kind == .string || scalar.kind == .number else { return false }
        guard document.frame.row.kind == .captured else { return true }
        guard scalar.kind == .string, case .external? = document.frame.row.binding.variantTypes?.form else { return false }
        return true
    }

    /// The scalar together with the policy of its property.
    func withPolicy(_ plain: JSONScalar) -> JSONScalar {
        var scalar = plain
        unsafe scalar.policy = unsafe document.frame.row.policy
        unsafe scalar.defaults = unsafe UnsafePointer(defaults)
        return scalar
    }

    @inline(never)
    mutating func boundNull() -> Bool {
        if document.skipDepth != 0 { return true }
        let row = document.frame.row
        switch row.kind {
        case .raw where !row.flags.contains(.nullable), .jsonCell, .sharedKey:
            return captureScalar()
        case .value where !row.flags.contains(.nullable):
            destination.store(JSONValue.null)
            return advance()
        case let kind where kind.isCell:
            return storeCell(JSONScalar())
        case .checked:
            return closeChecked()
        case .none:
            return mismatch(JSONScalar())
        default:
            break
        }
        switch document.frame.kind {
        case .model, .path:
            return nullProperty(row)
        case .root, .array, .dictionary, .nested:
            guard row.flags.contains(.nullable) else { return mismatch(JSONScalar()) }
            row.binding.type._storeNil(at: destination)
            return advance()
        }
    }

    /// Null for a property: an optional becomes nil; another type keeps the value it has, or is missing if it has none.
    private mutating func nullProperty(_ row: RowHandle) -> Bool {
        guard row.kind != .path else {
            document.hasGapOnPath = true
            return true
        }
        if let policy = nullPolicy(row), policy != .asNil { return nullProperty(row, as: policy) }
        setNilOrKeep(row)
        return advance()
    }

    /// Gives null its usual meaning.
    mutating func setNilOrKeep(_ row: RowHandle) {
        if document.frame.isPrefilled, !row.flags.contains(.nullable) {
            // An update with null does not change a property that cannot be nil.
            keep(row)
        } else {
            setNil(row)
        }
    }
}
