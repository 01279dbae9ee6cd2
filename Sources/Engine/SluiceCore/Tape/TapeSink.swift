// Takes the tokens of a text, and records where each value begins and ends.
//
// The walk checks as much as Foundation's scanner, and as strictly: brackets, commas and colons must be right, and so must `true`,
// `false` and `null`. The inside of a string or a number is checked only when it is decoded. A comma after the last element is
// allowed. Numbers of the common shapes are parsed at once, which costs no more than finding their end.

/// Writes the tape of one text.
@safe
struct TapeSink: ValueSink {
    typealias Address = UnsafePointer<UInt8>

    static var stringRule: StringRule { .measured }
    static var allowsTrailingComma: Bool { true }

    private let start: Address
    private(set) var entries: UnsafeMutablePointer<TapeEntry>
    /// The address of the next entry, and the end of the memory.
    private var next: UnsafeMutablePointer<TapeEntry>
    private var limit: UnsafeMutablePointer<TapeEntry>
    /// The most entries that the tape may have.
    private let entryLimit: Int
    /// Whether the text has more values than that.
    private(set) var isTooLong = false
    /// Whether the text is nested too deeply.
    private(set) var isTooDeep = false
    /// Whether the last number was a double: then the next one probably is, too.
    private var expectsDouble = false

    /// - Parameters:
    ///   - entries: Allocated memory. It may be replaced as it grows; the caller takes back `entries` after the scan.
    ///   - capacity: The entries that the memory has room for: at least 3, and at most `entryLimit`.
    init(_ start: Address, _ entries: UnsafeMutablePointer<TapeEntry>, capacity: Int, entryLimit: Int) {
        self.entryLimit = entryLimit
        unsafe self.start = unsafe start
        unsafe self.entries = unsafe entries
        unsafe next = unsafe entries
        unsafe limit = unsafe entries + capacity
    }

    private var count: Int { unsafe next - entries }
    var capacity: Int { unsafe limit - entries }

    /// Scans the value and the white space around it; false if the text is not valid.
    ///
    /// - Parameter isBare: Whether the text may be the members of an object without its braces.
    mutating func scan(_ text: TextCursor, isBare: Bool) -> Bool {
        // The first entry is the null that stands for absent values.
        append(TapeEntry(.null, offset: 0))
        let walk = ValueWalk<TapeSink>(text: text)
        let levels = NestingLimit.greatest
        if isBare, unsafe text.skipBlanks(start).map({ unsafe $0.pointee != UInt8(ascii: "{") }) ?? true {
            return unsafe walk.readMembers(start, levels: levels, &self) && !isTooLong
        }
        return unsafe walk.read(start, levels: levels, &self) && !isTooLong
    }

    /// Scans the value and the white space around it; false if the text is not JSON in any respect.
    mutating func scanChecked(_ text: TextCursor, levels: Int) -> Bool {
        append(TapeEntry(.null, offset: 0))
        var sink = CheckedTapeSink(tape: self)
        let isRight = unsafe ValueWalk<CheckedTapeSink>(text: text).read(start, levels: levels, &sink)
        self = sink.tape
        return isRight && !isTooLong
    }

    // MARK: Containers

    /// The index of an open container's head, and for an object the flags of all its keys together.
    typealias Container = (head: Int, flags: UInt8)

    @inline(__always)
    mutating func open() -> Container? {
        let head = count
        append(TapeEntry(.bounds, offset: 0))
        append(TapeEntry(.bounds, offset: 0))
        // A container whose entries may lie outside of the memory is never closed.
        return isTooLong ? nil : (head, 0)
    }

    @inline(__always)
    mutating func close(_ container: Container, isObject: Bool, from opening: Address, to end: Address, count size: Int) {
        let head = container.head
        let bits = TapeEntry.halves(size, count)
        // Safe: both entries were appended when the container opened.
        unsafe entries[head] = TapeEntry(
            isObject ? .object : .array, flags: container.flags, offset: opening - start, bits: bits)
        unsafe entries[head &+ 1] = TapeEntry(.bounds, offset: end - start, bits: TapeEntry.halves(head &+ 2, head &+ 2))
    }

    mutating func openTooDeep() { isTooDeep = true }

    // MARK: Strings and literals

    @inline(__always)
    mutating func key(_ key: TextString, of container: inout Container) {
        container.flags |= key.flags
        string(key)
    }

    @inline(__always)
    mutating func string(_ string: TextString) {
        unsafe append(
            TapeEntry(
                .string, flags: string.flags, offset: string.start - start, bits: UInt64(truncatingIfNeeded: string.count)))
    }

    @inline(__always)
    mutating func literal(_ literal: ValueLiteral, at address: Address) {
        let kind: TapeEntry.Kind =
            switch literal {
            case .null: .null
            case .false: .false
            case .true: .true
            }
        unsafe append(TapeEntry(kind, offset: address - start))
    }

    // MARK: Numbers

    @inline(__always)
    mutating func number(at address: Address, _ text: TextCursor) -> Address? {
        if expectsDouble {
            if let next = unsafe scanDouble(address, text.end) { return unsafe next }
            if let next = unsafe scanInteger(address, text.end) { return unsafe next }
        } else {
            if let next = unsafe scanInteger(address, text.end) { return unsafe next }
            if let next = unsafe scanDouble(address, text.end) { return unsafe next }
        }
        return unsafe scanOtherNumber(address, text.end)
    }

    @inline(__always)
    private mutating func scanInteger(_ address: Address, _ end: Address) -> Address? {
        guard let number = unsafe NumberParsing.leadingInt64(address, end), unsafe !TapeSink.continuesNumber(number.end.pointee)
        else { return nil }
        // Negative zero differs from zero as a double.
        if unsafe number.value == 0, unsafe address.pointee == .minus { return nil }
        expectsDouble = false
        unsafe append(TapeEntry(.integer, offset: address - start, bits: UInt64(bitPattern: number.value)))
        return unsafe number.end
    }

    @inline(__always)
    private mutating func scanDouble(_ address: Address, _ end: Address) -> Address? {
        guard let number = unsafe NumberParsing.leadingDouble(address, end), unsafe !TapeSink.continuesNumber(number.end.pointee)
        else { return nil }
        // Stored as an integer, so that decoding one needs no second look at the text. Zero may have a sign, and stays a double.
        let value = unsafe number.value
        let integer = value.magnitude < 0x1p53 ? Int64(value) : 0
        expectsDouble = integer == 0 || Double(integer) != value
        if expectsDouble {
            unsafe append(TapeEntry(.double, offset: address - start, bits: value.bitPattern))
        } else {
            unsafe append(
                TapeEntry(
                    .integer, flags: TapeEntry.isRounded, offset: address - start, bits: UInt64(bitPattern: integer)))
        }
        return unsafe number.end
    }

    @inline(__always)
    static func continuesNumber(_ byte: UInt8) -> Bool {
        byte &- .digitZero <= 9 || byte == .minus || byte == .plus || byte == .point || byte | 0x20 == .e
    }

    @inline(never)
    private mutating func scanOtherNumber(_ first: Address, _ end: Address) -> Address? {
        let next = unsafe TapeSink.numberEnd(first, end)
        let size = unsafe next - first
        // A short integer near the end of the text, where words cannot be loaded freely.
        if size < 16, unsafe NumberParsing.lexemeEnd(first, next) == next, let value = unsafe NumberParsing.int64(first, size),
            unsafe value != 0 || first.pointee != .minus
        {
            unsafe append(TapeEntry(.integer, offset: first - start, bits: UInt64(bitPattern: value)))
        } else {
            unsafe append(TapeEntry(.number, offset: first - start, bits: UInt64(truncatingIfNeeded: size)))
        }
        return unsafe next
    }

    /// Whether the last entry is a number whose text has not been checked: only its end was found.
    @inline(__always)
    var endsWithUncheckedNumber: Bool { unsafe (next - 1).pointee.kind == .number }

    /// The position after all bytes that can be part of a number.
    static func numberEnd(_ first: Address, _ end: Address) -> Address {
        var address = unsafe first + 1
        while unsafe address < end, unsafe continuesNumber(address.pointee) { unsafe address += 1 }
        return unsafe address
    }

    // MARK: Memory

    @inline(__always)
    private mutating func append(_ entry: TapeEntry) {
        if unsafe next == limit { grow() }
        // Safe: there is room for one more entry.
        unsafe next.initialize(to: entry)
        unsafe next += 1
    }

    @inline(never)
    private mutating func grow() {
        let count = self.count
        let size = min(capacity * 2, entryLimit)
        if size == count {
            // The entries are not used, so the last ones may overwrite the first. The walk ends where the next container opens.
            isTooLong = true
            return unsafe next = unsafe entries
        }
        unsafe entries.grow(to: size, keeping: count)
        unsafe next = unsafe entries + count
        unsafe limit = unsafe entries + size
    }
}
