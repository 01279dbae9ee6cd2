// Turns a scalar into a cell of a record whose columns are known only at run time.

extension Binder {
    /// Stores a scalar in its column's cell, converted to the column's type.
    mutating func storeCell(_ scalar: JSONScalar, isASCII: Bool = false) -> Bool {
        var cell = Cell()
        switch (document.frame.row.binding.cellType, scalar.kind) {
        case (_, .null):
            // For a required column, null counts as a missing value.
            if !document.frame.row.flags.contains(.nullable) { setNil(document.frame.row) }
        case (.integer, .number):
            guard let value = scalar.integer(as: Int64.self) else {
                return isTolerant ? storeOffType(scalar) : failScalar(scalar)
            }
            cell.tag = .integer
            cell.integer = value
        case (.bool, .boolean),
            (.integer, .boolean) where !isTolerant:
            cell.tag = .integer
            cell.integer = scalar.boolean == true ? 1 : 0
        case (.real, .number):
            guard let value = scalar.double else { return isTolerant ? storeOffType(scalar) : failScalar(scalar) }
            // A tolerant column keeps an integer that a double cannot hold as an integer.
            if isTolerant, value.magnitude >= 0x1p53, scalar.integer(as: Int64.self) != Int64(exactly: value) {
                return storeOffType(scalar)
            }
            cell.tag = .real
            cell.real = value
        case (.double, .number):
            guard let value = scalar.double else { return failScalar(scalar) }
            if value.magnitude >= 0x1p53, scalar.losesDigits(as: value) { return failDigits(scalar) }
            cell.tag = .real
            cell.real = value
        case (.text, .string), (.text, .number):
            // Safe: strings and numbers have a start.
            let start = unsafe scalar.start.unsafelyUnwrapped
            guard unsafe isASCII || UnicodeValidation.isUTF8(start, scalar.count) else { return failUnicode() }
            unsafe setText(of: &cell, UnsafeBufferPointer(start: start, count: scalar.count))
        case (.text, .boolean):
            setOwnText(of: &cell, scalar.boolean == true ? "true" : "false")
        case (.date, .string):
            guard let moment = scalar.timestamp else { return isTolerant ? storeOffType(scalar) : failScalar(scalar) }
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DateFormatting.maximumLength) { buffer in
                // Safe: the buffer has a capacity above 0.
                let count = unsafe DateFormatting.writeISO8601(moment, to: buffer.baseAddress.unsafelyUnwrapped)
                unsafe setOwnText(of: &cell, buffer[..<count])
            }
        case (.timestamp, .string):
            guard let microseconds = scalar.timestamp?.microseconds else { return failScalar(scalar) }
            cell.tag = .integer
            cell.integer = microseconds
        case (.int32, .number), (.int32, .boolean), (.day, .string), (.decimal, .number), (.decimal, .string):
            guard let value = narrowInteger(scalar) else { return failScalar(scalar) }
            cell.tag = .integer
            cell.integer = value
        default:
            return isTolerant ? storeOffType(scalar) : mismatch(scalar)
        }
        return put(cell)
    }

    /// The integer that stands for a value of 32 bits, a date or a decimal; nil if the scalar does not fit.
    @inline(never)
    private func narrowInteger(_ scalar: JSONScalar) -> Int64? {
        let binding = document.frame.row.binding
        switch binding.cellType {
        case .int32:
            if let truth = scalar.boolean { return truth ? 1 : 0 }
            return scalar.integer(as: Int32.self).map(Int64.init)
        case .day:
            let day: Int64 = 86_400_000_000
            guard let microseconds = scalar.timestamp?.microseconds, microseconds % day == 0 else { return nil }
            return microseconds / day
        default:
            guard let start = unsafe scalar.start else { return nil }
            let text = unsafe UnsafeBufferPointer(start: start, count: scalar.count)
            return unsafe DecimalDigits.value(of: text, precision: binding.precision, scale: binding.scale)
        }
    }

    @inline(never)
    private mutating func failDigits(_ scalar: JSONScalar) -> Bool {
        unsafe raise(
            .invalidValue, expected: "a number that a double can hold", found: scalar.summary,
            hint: "its digits would change; read the column as string or json", at: document.token.start)
    }

    /// Opens a container in place of a scalar: a tolerant column keeps its bytes, any other reports a mismatch.
    @inline(never)
    mutating func openCellContainer(_ found: String) -> Bool {
        guard isTolerant else { return mismatch(found: found) }
        return openCapture()
    }

    /// Stores the bytes of a value, without the white space between its tokens.
    mutating func storeRawCell(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var cell = Cell()
        cell.isOffType = document.frame.row.kind == .cell
        if unsafe !bytes.elementsEqual("null".utf8) {
            if unsafe TextLayout.firstBlank(in: UnsafeRawBufferPointer(bytes)) == nil {
                unsafe setText(of: &cell, bytes)
            } else {
                cell.tag = .ownText
                cell.offset = cells.text.count
                unsafe TextLayout.appendCompact(UnsafeRawBufferPointer(bytes), to: &cells.text)
                cell.count = cells.text.count - cell.offset
            }
        } else if !document.frame.row.flags.contains(.nullable) {
            setNil(document.frame.row)
        }
        unsafe document.frame.address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
        return true
    }

    /// Stores a list. Its elements are cells.
    mutating func storeList(of finished: Frame) {
        let contents = finished.contents
        var cell = Cell()
        cell.tag = .list
        cell.offset = cells.elements.count
        cell.count = contents.count
        // Safe: the elements are cells, which are plain bytes, and `count` of them are initialised.
        unsafe cells.elements.append(
            contentsOf: UnsafeRawBufferPointer(start: contents.base, count: contents.count * contents.stride))
        unsafe document.frame.address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
    }

    /// Stores a scalar that does not have the type of its tolerant column.
    @inline(never)
    private mutating func storeOffType(_ scalar: JSONScalar) -> Bool {
        var cell = Cell()
        cell.isOffType = true
        if let value = scalar.boolean {
            cell.tag = .integer
            cell.integer = value ? 1 : 0
        } else if let value = scalar.integer(as: Int64.self) {
            cell.tag = .integer
            cell.integer = value
        } else if let value = scalar.double {
            cell.tag = .real
            cell.real = value
        } else if let start = unsafe scalar.start {
            // A string, or a number beyond the range of finite doubles.
            guard unsafe UnicodeValidation.isUTF8(start, scalar.count) else { return failUnicode() }
            unsafe setText(of: &cell, UnsafeBufferPointer(start: start, count: scalar.count))
        }
        return put(cell)
    }

    /// Whether the current column keeps values of other types.
    private var isTolerant: Bool { document.frame.row.binding.isTolerant }

    private mutating func put(_ cell: Cell) -> Bool {
        // Safe: the address is that of a column's cell, and cells are plain bytes.
        unsafe document.frame.address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
        return advance()
    }

    private mutating func setText(of cell: inout Cell, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, unsafe document.chunk.contains(start) else {
            return unsafe setOwnText(of: &cell, bytes)
        }
        cell.tag = .inputText
        unsafe cell.start = unsafe start
        cell.count = bytes.count
    }

    private mutating func setOwnText(of cell: inout Cell, _ bytes: some Sequence<UInt8>) {
        cell.tag = .ownText
        cell.offset = cells.text.count
        cells.text.append(contentsOf: bytes)
        cell.count = cells.text.count - cell.offset
    }

    private mutating func setOwnText(of cell: inout Cell, _ text: String) { setOwnText(of: &cell, text.utf8) }
}

extension JSONScalar {
    /// Whether a number is an integer, written as one, that this double does not equal.
    fileprivate func losesDigits(as value: Double) -> Bool {
        guard let start = unsafe start else { return false }
        // Safe: the number has `count` bytes.
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
        let isInteger = unsafe bytes.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
        // An integer beyond 128 bits has more digits than a double in any case that a person would write.
        return isInteger && (integer(as: Int128.self).map { $0 != Int128(exactly: value) } ?? true)
    }
}
