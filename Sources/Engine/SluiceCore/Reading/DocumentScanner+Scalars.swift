// Strings and numbers of a text in memory.

internal import CScan

extension DocumentScanner {
    // MARK: Strings

    /// A string of the text, decoded: it lies in the text, or, if it has escapes, in `capture.decoded`.
    @safe
    struct ScannedString {
        let start: Address
        let count: Int
        let isASCII: Bool
        /// The position after the closing quote.
        let end: Address
    }

    /// Reads the string at a position and passes it to the binder; returns the position after it.
    @inline(__always)
    func readString(_ quote: Address) -> Address? {
        guard let string = unsafe string(at: quote) else { return nil }
        binder.state.document.token = unsafe TokenRange(quote, string.end)
        return unsafe binder.state.string(string.start, string.count, isASCII: string.isASCII) ? string.end : nil
    }

    /// The string whose opening quote is at a position; nil if it is damaged.
    @inline(__always)
    func string(at quote: Address) -> ScannedString? {
        let start = unsafe quote + 1
        var address = unsafe start
        var high: UInt32 = 0
        guard unsafe text.skipPlain(&address, &high) else { return unsafe stringTail(start, address, isASCII: high == 0) }
        guard unsafe address.pointee == UInt8(ascii: "\"") else { return unsafe escapedString(start, address) }
        return unsafe ScannedString(start: start, count: address - start, isASCII: high == 0, end: address + 1)
    }

    /// The same near the end of the text, where fewer than 16 bytes are left.
    @inline(never)
    private func stringTail(_ start: Address, _ scanned: Address, isASCII: Bool) -> ScannedString? {
        var isASCII = isASCII
        var address = unsafe scanned
        while unsafe address < end {
            let byte = unsafe address.pointee
            if byte == UInt8(ascii: "\"") {
                return unsafe ScannedString(start: start, count: address - start, isASCII: isASCII, end: address + 1)
            }
            if byte == UInt8(ascii: "\\") { return unsafe escapedString(start, address) }
            if byte < 0x20 { return nil }
            if byte >= 0x80 { isASCII = false }
            unsafe address += 1
        }
        return nil
    }

    /// Decodes a string with an escape at `special`; nil if an escape is invalid, or if there is a control character.
    @inline(never)
    private func escapedString(_ start: Address, _ special: Address) -> ScannedString? {
        binder.state.endRepetition()
        guard unsafe special.pointee == UInt8(ascii: "\\"),
            let next = unsafe binder.state.capture.decoded.decodeString(from: start, end: end)
        else { return nil }
        let text = binder.state.capture.decoded
        return unsafe ScannedString(start: Address(text.start), count: text.count, isASCII: text.isASCII, end: next)
    }

    // MARK: Properties

    /// Stores a string, number or boolean of exactly the property's type, without an event to the binder; returns the position after it.
    /// For any other value it returns nil, and nothing has happened.
    @inline(__always)
    func storeScalar(_ row: RowHandle, _ value: Address) -> Address? {
        guard row.isDirect else { return nil }
        // Safe: a direct row belongs to a model's table, in whose block there is a bit for each slot.
        let word = unsafe binder.state.document.frame.block.assumingMemoryBound(to: UInt64.self) + Int(row.slot &>> 6)
        let bit = row.bit
        guard unsafe word.pointee & bit == 0 else { return nil }
        let address = unsafe binder.state.document.frame.base + row.offset
        let next: Address
        // Safe: the table was compiled with this type or an optional of it at this address, and it holds nil or a placeholder.
        switch row.kind {
        case .string:
            // An optional string that is not nil has the bits of the string.
            guard unsafe value.pointee == UInt8(ascii: "\""),
                let end = unsafe storeString(value, at: address.assumingMemoryBound(to: String?.self), { $0 })
            else { return nil }
            unsafe next = unsafe end
        case .substring:
            // An optional substring that is not nil has the bits of the substring.
            guard unsafe value.pointee == UInt8(ascii: "\""), let string = unsafe string(at: value),
                let text = unsafe binder.state.makeSubstring(string.start, string.count, isASCII: string.isASCII)
            else { return nil }
            unsafe address.assumingMemoryBound(to: Substring.self).initialize(to: text)
            unsafe next = unsafe string.end
        case .int64:
            guard let number = unsafe NumberParsing.leadingInt64(value, end) else { return nil }
            if row.depth == 0 {
                unsafe address.assumingMemoryBound(to: Int.self).initialize(to: Int(number.value))
            } else {
                unsafe address.assumingMemoryBound(to: Int?.self).initialize(to: Int(number.value))
            }
            unsafe next = unsafe number.end
        case .double:
            guard let number = unsafe NumberParsing.leadingDouble(value, end) else { return nil }
            if row.depth == 0 {
                unsafe address.assumingMemoryBound(to: Double.self).initialize(to: number.value)
            } else {
                unsafe address.assumingMemoryBound(to: Double?.self).initialize(to: number.value)
            }
            unsafe next = unsafe number.end
        case .bool:
            guard unsafe end - value >= 8 else { return nil }
            let text = unsafe UInt64(littleEndian: UnsafeRawPointer(value).loadUnaligned(as: UInt64.self))
            // `true` and `false`, with the first letter in the lowest byte.
            // An optional boolean that is not nil has the bits of the boolean.
            let isTrue = text & 0xFFFF_FFFF == 0x6575_7274
            guard isTrue || text & 0xFF_FFFF_FFFF == 0x65_736C_6166 else { return nil }
            unsafe address.assumingMemoryBound(to: Bool.self).initialize(to: isTrue)
            unsafe next = unsafe value + (isTrue ? 4 : 5)
        case .modelText, .integerCell, .realCell, .boolCell, .textCell:
            guard let end = unsafe storeCell(row, value, at: address) else { return nil }
            unsafe next = unsafe end
        default:
            return nil
        }
        unsafe word.pointee |= bit
        return unsafe next
    }

    /// Notes that a property is null, without an event to the binder; returns the position after the null. It returns nil, and nothing
    /// has happened, for any other value, and if more has to be done than to set the bits of a property that may be nil.
    @inline(never)
    func storeNull(_ row: RowHandle, _ value: Address) -> Address? {
        guard row.isDirect, !row.flags.contains(.renamedOptional), row.flags.contains(.nullable), unsafe row.policy == nil,
            binder.state.policy.leavesNulls, !row.kind.isCell, row.kind != .checked,
            let layout = binder.state.document.frame.modelLayout, unsafe end - value >= 4,
            unsafe UInt32(littleEndian: UnsafeRawPointer(value).loadUnaligned(as: UInt32.self)) == 0x6C6C_756E
        else { return nil }
        // Safe: as in `storeScalar`; the null bits follow the words of presence bits.
        let word = unsafe binder.state.document.frame.block.assumingMemoryBound(to: UInt64.self) + Int(row.slot &>> 6)
        guard unsafe word.pointee & row.bit == 0 else { return nil }
        unsafe word.pointee |= row.bit
        unsafe word[layout.wordCount] |= row.bit
        return unsafe value + 4
    }

    /// Stores a value of exactly its column's type as a cell; returns the position after it. For any other value it returns nil, and nothing has
    /// happened: ``Binder/storeCell(_:isASCII:)`` takes it.
    ///
    /// It is a call of its own, so that models without cells have short code.
    @inline(never)
    private func storeCell(_ row: RowHandle, _ value: Address, at address: UnsafeMutableRawPointer) -> Address? {
        var cell = Cell()
        let next: Address
        switch row.kind {
        case .textCell, .modelText:
            guard unsafe value.pointee == UInt8(ascii: "\"") else { return unsafe storeNullCell(row, value, at: address) }
            guard let string = unsafe string(at: value),
                unsafe string.isASCII || UnicodeValidation.isUTF8(string.start, string.count)
            else { return nil }
            unsafe binder.state.setText(of: &cell, UnsafeBufferPointer(start: string.start, count: string.count))
            unsafe next = unsafe string.end
        case .integerCell:
            guard let number = unsafe NumberParsing.leadingInt64(value, end) else {
                return unsafe storeNullCell(row, value, at: address)
            }
            cell.tag = .integer
            cell.integer = unsafe number.value
            unsafe next = unsafe number.end
        case .realCell:
            guard let number = unsafe NumberParsing.leadingDouble(value, end) else {
                return unsafe storeNullCell(row, value, at: address)
            }
            guard unsafe !JSONScalar.mayLoseDigits(number.end - value, as: number.value) else { return nil }
            cell.tag = .real
            cell.real = unsafe number.value
            unsafe next = unsafe number.end
        case .boolCell:
            guard unsafe end - value >= 8 else { return nil }
            let text = unsafe UInt64(littleEndian: UnsafeRawPointer(value).loadUnaligned(as: UInt64.self))
            let isTrue = text & 0xFFFF_FFFF == 0x6575_7274
            guard isTrue || text & 0xFF_FFFF_FFFF == 0x65_736C_6166 else { return unsafe storeNullCell(row, value, at: address) }
            cell.tag = .integer
            cell.integer = isTrue ? 1 : 0
            unsafe next = unsafe value + (isTrue ? 4 : 5)
        default:
            return nil
        }
        // Safe: the table was compiled with a cell at this address, and cells are plain bytes.
        unsafe address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
        return unsafe next
    }

    /// Stores null, if the column accepts it. A property of a model has its own rules for null.
    @inline(__always)
    private func storeNullCell(_ row: RowHandle, _ value: Address, at address: UnsafeMutableRawPointer) -> Address? {
        guard row.flags.contains(.nullable), row.kind != .modelText, unsafe end - value >= 4,
            unsafe UInt32(littleEndian: UnsafeRawPointer(value).loadUnaligned(as: UInt32.self)) == 0x6C6C_756E
        else { return nil }
        // Safe: as above.
        unsafe address.assumingMemoryBound(to: Cell.self).initialize(to: Cell())
        return unsafe value + 4
    }

    /// Stores the string whose opening quote is at a position, as a `String` or `String?`; nil if it is not valid.
    @inline(__always)
    func storeString<Stored>(
        _ quote: Address, at address: UnsafeMutablePointer<Stored>, _ wrapped: (consuming String) -> Stored
    ) -> Address? {
        guard let string = unsafe string(at: quote) else { return nil }
        if string.isASCII, string.count <= SmallString.capacity, unsafe binder.state.hasBlock(at: string.start, before: end),
            binder.state.policy.makesSmallStrings
        {
            // Safe: 16 bytes are readable.
            unsafe SmallString.store(string.start, string.count, at: address)
        } else {
            guard let text = unsafe String.validated(string.start, string.count, isASCII: string.isASCII) else { return nil }
            unsafe address.initialize(to: wrapped(text))
        }
        return unsafe string.end
    }

    // MARK: Numbers

    /// Reads the number at a position and passes it to the binder; returns the position after it.
    @inline(__always)
    func readNumber(_ address: Address) -> Address? {
        let kind = binder.state.document.frame.row.kind
        if kind == .double, let number = unsafe NumberParsing.leadingDouble(address, end) {
            binder.state.document.token = unsafe TokenRange(address, number.end)
            unsafe binder.state.store(number.value)
            return unsafe binder.state.advance() ? number.end : nil
        }
        if kind == .int64, let number = unsafe NumberParsing.leadingInt64(address, end) {
            binder.state.document.token = unsafe TokenRange(address, number.end)
            unsafe binder.state.store(number.value)
            return unsafe binder.state.advance() ? number.end : nil
        }
        return unsafe readOtherNumber(address)
    }

    @inline(never)
    private func readOtherNumber(_ address: Address) -> Address? {
        guard let next = unsafe NumberParsing.lexemeEnd(address, end) else { return nil }
        binder.state.document.token = unsafe TokenRange(address, next)
        return unsafe binder.state.number(address, next - address) ? next : nil
    }
}
