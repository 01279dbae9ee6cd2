// Turns a scalar into a cell of a record whose columns are known only at run time.

extension Binder {
    /// Stores a scalar in its column's cell, converted to the column's type.
    mutating func storeCell(_ scalar: JSONScalar, isASCII: Bool = false) -> Bool {
        var cell = Cell()
        let isCounted = document.frame.row.binding.isCounted
        switch (document.frame.row.kind, scalar.kind) {
        case (_, .null):
            if isMissing() { return advance() }
        case (.integerCell, .number):
            guard let value = scalar.integer(as: Int64.self) else {
                return isTolerant ? storeOffType(scalar) : failScalar(scalar)
            }
            cell.tag = .integer
            cell.integer = value
        case (.boolCell, .boolean),
            (.integerCell, .boolean) where !isTolerant:
            cell.tag = .integer
            cell.integer = scalar.boolean == true ? 1 : 0
        case (.realCell, .number):
            guard let value = scalar.double else { return isTolerant ? storeOffType(scalar) : failScalar(scalar) }
            if isCounted {
                if scalar.mayLoseDigits(as: value), scalar.losesDigits(as: value) {
                    if value.magnitude >= 0x1p53 { return failDigits(scalar) }
                    cells.losses.digits &+= 1
                }
            } else if scalar.mayLoseDigits(as: value),
                isTolerant ? scalar.isOffType(as: value) : scalar.isOtherNumber(than: value)
            {
                // The column keeps a number that a double cannot hold: as an integer, or as its digits. The sink counts it, if its
                // column changes the digits.
                return storeOffType(scalar)
            }
            cell.tag = .real
            cell.real = value
        case (.textCell, .string), (.textCell, .number):
            // Safe: strings and numbers have a start.
            let start = unsafe scalar.start.unsafelyUnwrapped
            guard unsafe isASCII || UnicodeValidation.isUTF8(start, scalar.count) else { return failUnicode() }
            unsafe setText(of: &cell, UnsafeBufferPointer(start: start, count: scalar.count))
        case (.textCell, .boolean):
            setOwnText(of: &cell, scalar.boolean == true ? "true" : "false")
            cell.isWord = true
        case (.momentCell, .string) where !isCounted:
            guard let moment = withDateFormat(scalar).timestamp else {
                return isTolerant ? storeOffType(scalar) : failScalar(scalar)
            }
            guard !scalar.hasDigitsBelowNanoseconds else { return isTolerant ? storeOffType(scalar) : failFraction(scalar) }
            setDateText(of: &cell, moment)
        case (.momentCell, .string):
            guard let moment = withDateFormat(scalar).timestamp, let microseconds = moment.microseconds else {
                return failScalar(scalar)
            }
            if moment.nanoseconds % 1000 != 0 || scalar.hasDigitsBelowNanoseconds { cells.losses.fractions &+= 1 }
            cell.tag = .integer
            cell.integer = microseconds
        case (.momentCell, .number) where hasDateFormat, (.dayCell, .number) where hasDateFormat,
            (.dayCell, .string) where !isCounted:
            guard setDate(of: &cell, scalar) else { return isTolerant ? storeOffType(scalar) : failScalar(scalar) }
        case (.int32Cell, .number), (.int32Cell, .boolean), (.dayCell, .string), (.decimalCell, .number), (.decimalCell, .string):
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
    private mutating func narrowInteger(_ scalar: JSONScalar) -> Int64? {
        let row = document.frame.row
        switch row.kind {
        case .int32Cell:
            if let truth = scalar.boolean { return truth ? 1 : 0 }
            return scalar.integer(as: Int32.self).map(Int64.init)
        case .dayCell:
            let day: Int64 = 86_400_000_000
            let dated = withDateFormat(scalar)
            guard let microseconds = dated.timestamp?.microseconds, microseconds % day == 0, !dated.hasLeapSecond else {
                return nil
            }
            return microseconds / day
        default:
            guard let start = unsafe scalar.start else { return nil }
            let binding = row.binding
            return unsafe DecimalLexeme(start, scalar.count)?.decimal(precision: binding.precision, scale: binding.scale)
        }
    }

    /// Whether the current column says which form its dates have.
    var hasDateFormat: Bool { unsafe document.frame.row.policy?.pointee.date != nil }

    /// The scalar, read in the form that the column says.
    func withDateFormat(_ scalar: JSONScalar) -> JSONScalar { hasDateFormat ? withPolicy(scalar) : scalar }

    /// Makes the cell of a day, or of a moment that is a number. Returns false if the scalar is neither.
    @inline(never)
    private mutating func setDate(of cell: inout Cell, _ scalar: JSONScalar) -> Bool {
        let dated = withDateFormat(scalar)
        guard let moment = dated.timestamp else { return false }
        let isCounted = document.frame.row.binding.isCounted
        let isDay = moment.seconds % 86_400 == 0 && moment.nanoseconds == 0
        switch (document.frame.row.kind == .dayCell, isCounted) {
        case (true, _):
            // A leap second is a time of day, although its moment is the next midnight.
            guard isDay, !dated.hasLeapSecond, moment.microseconds != nil || !isCounted else { return false }
            if isCounted {
                (cell.tag, cell.integer) = (.integer, moment.seconds / 86_400)
            } else {
                setDateText(of: &cell, moment, cutting: DateFormatting.midnight.utf8.count)
            }
        case (false, false): setDateText(of: &cell, moment)
        case (false, true):
            guard let microseconds = moment.microseconds else { return false }
            if moment.nanoseconds % 1000 != 0 { cells.losses.fractions &+= 1 }
            (cell.tag, cell.integer) = (.integer, microseconds)
        }
        return true
    }

    /// Stores a moment in ISO 8601, without the bytes that are cut off its end.
    private mutating func setDateText(of cell: inout Cell, _ moment: JSONTimestamp, cutting end: Int = 0) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: DateFormatting.maximumLength) { buffer in
            // Safe: the buffer has a capacity above 0.
            let count = unsafe DateFormatting.writeISO8601(moment, to: buffer.baseAddress.unsafelyUnwrapped)
            unsafe setOwnText(of: &cell, buffer[..<max(0, count - end)])
        }
    }

    @inline(never)
    private mutating func failDigits(_ scalar: JSONScalar) -> Bool {
        unsafe raise(
            .invalidValue, expected: "a number that a double can hold", found: scalar.summary,
            hint: "its digits would change; read the column as string or json", at: document.token.start)
    }

    @inline(never)
    private mutating func failFraction(_ scalar: JSONScalar) -> Bool {
        unsafe raise(
            .invalidValue, expected: "at most nine digits of a fraction of a second", found: scalar.summary,
            hint: "further ones would get lost; read the column as string", at: document.token.start)
    }

    /// Opens a container in place of a scalar: a tolerant column keeps its bytes, any other reports a mismatch.
    @inline(never)
    mutating func openCellContainer(_ found: String) -> Bool {
        guard isTolerant else { return mismatch(found: found) }
        return openCapture()
    }

    /// Whether null counts as a missing value, because the column is required. Then the value of another key of the column stays.
    private mutating func isMissing() -> Bool {
        let row = document.frame.row
        guard !row.flags.contains(.nullable) else { return false }
        setNil(row)
        return true
    }

    /// Stores the bytes of a value, without the white space between its tokens.
    mutating func storeRawCell(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let isNull = unsafe bytes.elementsEqual("null".utf8)
        if isNull, isMissing() { return true }
        var cell = Cell()
        cell.isOffType = document.frame.row.kind.isCell
        cell.isContainer = cell.isOffType
        if !isNull {
            if unsafe TextLayout.firstBlank(in: UnsafeRawBufferPointer(bytes)) == nil {
                unsafe setText(of: &cell, bytes)
            } else {
                cell.tag = .ownText
                cell.offset = cells.text.count
                unsafe TextLayout.appendCompact(UnsafeRawBufferPointer(bytes), to: &cells.text)
                cell.count = cells.text.count - cell.offset
            }
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

    /// Stores a scalar that does not have the type of its tolerant column, or an integer that a column of doubles cannot hold.
    @inline(never)
    private mutating func storeOffType(_ scalar: JSONScalar) -> Bool {
        var cell = Cell()
        // An integer has the type that a declared column asks for.
        cell.isOffType = isTolerant
        if let value = scalar.boolean {
            // 1 could not be told from the number.
            setOwnText(of: &cell, value ? "true" : "false")
            cell.isWord = true
        } else if let value = scalar.integer(as: Int64.self) {
            cell.tag = .integer
            cell.integer = value
        } else if let value = scalar.double, !scalar.mayLoseDigits(as: value) || !scalar.losesDigits(as: value) {
            cell.tag = .real
            cell.real = value
        } else if let start = unsafe scalar.start {
            // A string, or a number that no double holds: beyond their range, or with more digits. The sink decides what its
            // column makes of the digits, and tells if they change.
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

    /// Stores the text of a string, which is valid Unicode, for a property that is a text cell.
    mutating func storeTextCell(_ bytes: UnsafePointer<UInt8>, _ count: Int, at address: UnsafeMutableRawPointer) {
        var cell = Cell()
        unsafe setText(of: &cell, UnsafeBufferPointer(start: bytes, count: count))
        // Safe: the address is that of a cell, and cells are plain bytes.
        unsafe address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
    }

    /// Stores a text that a value has been converted to, for a property that is a text cell.
    mutating func storeTextCell(_ text: String) {
        var cell = Cell()
        setOwnText(of: &cell, text)
        // Safe: as above.
        unsafe document.frame.address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
    }

    /// Keeps in the frame of an array that has just opened where its text begins.
    @inline(never)
    mutating func noteArrayText(from start: UnsafePointer<UInt8>) {
        // An array counts no keys.
        document.frame.keyCount = unsafe start - document.chunk.start
    }

    /// Stores the text of an array that ends with the current token, and that began in the same chunk: records lie in memory as a whole.
    mutating func storeArrayText(of finished: Frame) {
        var cell = Cell()
        // Safe: the chunk has not changed since the array was opened, because what is captured inside it is read as a whole.
        let start = unsafe document.chunk.start + finished.keyCount
        unsafe setText(of: &cell, UnsafeBufferPointer(start: start, count: max(0, document.token.end - start)))
        // Safe: the address is that of a cell, and cells are plain bytes.
        unsafe document.frame.address.assumingMemoryBound(to: Cell.self).initialize(to: cell)
    }

    /// Makes a cell the text of bytes, which are valid Unicode.
    @inline(__always)
    mutating func setText(of cell: inout Cell, _ bytes: UnsafeBufferPointer<UInt8>) {
        let offset = unsafe Int(bitPattern: bytes.baseAddress) &- Int(bitPattern: cells.input.baseAddress)
        // Text elsewhere, decoded or copied, is gone before the cell is read.
        guard unsafe UInt(bitPattern: offset) < UInt(bitPattern: cells.input.count) else {
            return unsafe setOwnText(of: &cell, bytes)
        }
        cell.tag = .inputText
        cell.offset = offset
        cell.count = bytes.count
    }

    @inline(never)
    mutating func setOwnText(of cell: inout Cell, _ bytes: some Sequence<UInt8>) {
        cell.tag = .ownText
        cell.offset = cells.text.count
        cells.text.append(contentsOf: bytes)
        cell.count = cells.text.count - cell.offset
    }

    private mutating func setOwnText(of cell: inout Cell, _ text: String) { setOwnText(of: &cell, text.utf8) }
}

extension JSONScalar {
    /// Whether the text of a moment has digits below the nanoseconds that are not 0.
    fileprivate var hasDigitsBelowNanoseconds: Bool {
        guard let start = unsafe start else { return false }
        // Safe: the string has `count` bytes.
        return unsafe JSONTimestamp.hasDigitsBelowNanoseconds(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Whether the second of a moment is 60. The moment is the first second of the next minute.
    fileprivate var hasLeapSecond: Bool {
        guard let start = unsafe start else { return false }
        if case .format(let pattern)? = dateFormat {
            return unsafe (try? DatePattern.compiled(pattern))?.hasLeapSecond(start, count) == true
        }
        // Safe: the scalar has `count` bytes.
        return unsafe JSONTimestamp.hasLeapSecond(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Whether a number that was read as this double is not of the type of a tolerant column of doubles.
    fileprivate func isOffType(as value: Double) -> Bool {
        value.magnitude >= 0x1p53 && integer(as: Int64.self) != Int64(exactly: value) || losesDigits(as: value)
    }

    /// Whether a number is another one than this double.
    fileprivate func isOtherNumber(than value: Double) -> Bool {
        integer(as: Int64.self).map { $0 != Int64(exactly: value) } ?? losesDigits(as: value)
    }

    /// Whether a number has so many digits, or is so small, that a double may not hold it.
    @inline(__always)
    fileprivate func mayLoseDigits(as value: Double) -> Bool { JSONScalar.mayLoseDigits(count, as: value) }

    /// The same for the count of a number's bytes.
    @inline(__always)
    static func mayLoseDigits(_ count: Int, as value: Double) -> Bool {
        // A double keeps 15 digits. No number of five bytes is that small.
        count > 16 || value.magnitude >= 0x1p53 || value.magnitude < .leastNormalMagnitude && count > 5
    }

    /// Whether a double does not keep the digits of a number: it is not equal to an integer, or it is another number when it is written
    /// with as many digits. So 1.10 and 0.1 are kept, and so is what a program wrote with the 17 digits of a double.
    @inline(never)
    fileprivate func losesDigits(as value: Double) -> Bool {
        guard let start = unsafe start else { return false }
        // Safe: the number has `count` bytes.
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
        let isInteger = unsafe bytes.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
        // An integer beyond 128 bits has more digits than a double in any case that a person would write.
        if isInteger { return integer(as: Int128.self).map { $0 != Int128(exactly: value) } ?? true }
        return unsafe DecimalLexeme(start, count)?.isKept(by: value) == false
    }
}
