// One pass over a text in memory that records where each value begins and ends.
//
// It checks as much as Foundation's scanner, and as strictly: brackets, commas and colons must be right, and so must `true`,
// `false` and `null`. The inside of a string or a number is checked only when it is decoded. A comma behind the last element is
// allowed. Numbers of the common shapes are parsed at once, which costs no more than finding their end.

internal import CScan

/// Writes the tape of one text.
///
/// Places are passed and returned as values, so they live in registers. A nil place ends the pass: the text is damaged, and yajl must
/// find the error. A nested container is a nested call, at most ``NestingLimit/greatest`` levels deep.
@safe
struct TapeScanner {
    typealias Place = UnsafePointer<UInt8>

    private let start: Place
    private var end: Place
    private(set) var entries: UnsafeMutablePointer<TapeEntry>
    /// The address of the next entry, and the end of the memory.
    private var next: UnsafeMutablePointer<TapeEntry>
    private var limit: UnsafeMutablePointer<TapeEntry>
    /// The most entries that the tape may have.
    private let entryLimit: Int
    /// Whether the text has more values than that.
    private(set) var isTooLong = false
    private var levelsLeft = NestingLimit.greatest
    /// Whether the text is nested too deeply.
    private(set) var isTooDeep = false
    /// Whether the last number was a double: then the next one probably is, too.
    private var expectsDouble = false

    /// - Parameters:
    ///   - entries: Allocated memory. It may be replaced as it grows; the caller takes back `entries` after the scan.
    ///   - capacity: The entries that the memory has room for: at least 3, and at most `entryLimit`.
    init(_ text: UnsafeRawBufferPointer, _ entries: UnsafeMutablePointer<TapeEntry>, capacity: Int, entryLimit: Int) {
        self.entryLimit = entryLimit
        // Safe: an empty text gets a valid address, from which no byte is read.
        unsafe start = unsafe text.baseAddress.map { unsafe $0.assumingMemoryBound(to: UInt8.self) } ?? NoBytes.address
        unsafe end = unsafe start + text.count
        unsafe self.entries = unsafe entries
        unsafe next = unsafe entries
        unsafe limit = unsafe entries + capacity
    }

    private var count: Int { unsafe next - entries }
    var capacity: Int { unsafe limit - entries }

    /// Scans the value and the white space around it; false if the text is not valid.
    ///
    /// - Parameter isBare: Whether the text may be the members of an object without its braces.
    mutating func scan(isBare: Bool) -> Bool {
        // The first entry is the null that stands for absent values.
        append(TapeEntry(.null, offset: 0))
        if isBare, unsafe skipBlanks(start).map({ unsafe $0.pointee != UInt8(ascii: "{") }) ?? true { return scanBare() }
        guard let first = unsafe skipBlanks(start), let next = unsafe scanValue(first) else { return false }
        return unsafe skipBlanks(next) == nil && !isTooLong
    }

    // MARK: Values

    @inline(__always)
    private mutating func scanValue(_ place: Place) -> Place? {
        switch unsafe place.pointee {
        case UInt8(ascii: "\""): unsafe scanString(place).map { unsafe $0.end }
        case UInt8(ascii: "{"): unsafe scanObject(place)
        case UInt8(ascii: "["): unsafe scanArray(place)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): unsafe scanNumber(place)
        case UInt8(ascii: "t"): unsafe scanLiteral(place, "true", .true)
        case UInt8(ascii: "f"): unsafe scanLiteral(place, "false", .false)
        case UInt8(ascii: "n"): unsafe scanLiteral(place, "null", .null)
        default: nil
        }
    }

    @inline(__always)
    private mutating func scanLiteral(_ place: Place, _ literal: StaticString, _ kind: TapeEntry.Kind) -> Place? {
        let size = literal.utf8CodeUnitCount
        // Safe: the bytes are compared only if that many are left.
        guard unsafe end - place >= size, unsafe equalBytes(literal.utf8Start, place, size) else { return nil }
        unsafe append(TapeEntry(kind, offset: place - start))
        return unsafe place + size
    }

    // MARK: Containers

    private mutating func scanObject(_ opening: Place) -> Place? {
        guard enter() else { return nil }
        let head = openContainer()
        guard var place = unsafe skipBlanks(opening + 1) else { return nil }
        var members = 0
        var flags: UInt8 = 0
        while unsafe place.pointee != UInt8(ascii: "}") {
            guard let next = unsafe scanMember(place, &flags), let separator = unsafe skipBlanks(next) else { return nil }
            members &+= 1
            unsafe place = unsafe separator
            if unsafe separator.pointee == UInt8(ascii: "}") { break }
            guard unsafe separator.pointee == UInt8(ascii: ","), let key = unsafe skipBlanks(separator + 1) else { return nil }
            unsafe place = unsafe key
        }
        unsafe closeContainer(.object, head, opening - start, place + 1 - start, members, flags)
        return unsafe place + 1
    }

    /// Scans a key and its value, and returns the place behind the value.
    @inline(__always)
    private mutating func scanMember(_ place: Place, _ flags: inout UInt8) -> Place? {
        guard unsafe place.pointee == UInt8(ascii: "\""), let key = unsafe scanString(place) else { return nil }
        unsafe flags |= key.flags
        // Mostly there is only a colon here, and at most one blank.
        guard let colon = unsafe skipBlanks(key.end), unsafe colon.pointee == UInt8(ascii: ":"),
            let value = unsafe skipBlanks(colon + 1)
        else { return nil }
        return unsafe scanValue(value)
    }

    private mutating func scanArray(_ opening: Place) -> Place? {
        guard enter() else { return nil }
        let head = openContainer()
        guard var place = unsafe skipBlanks(opening + 1) else { return nil }
        var elements = 0
        while unsafe place.pointee != UInt8(ascii: "]") {
            guard let next = unsafe scanValue(place), let separator = unsafe skipBlanks(next) else { return nil }
            elements &+= 1
            unsafe place = unsafe separator
            if unsafe separator.pointee == UInt8(ascii: "]") { break }
            guard unsafe separator.pointee == UInt8(ascii: ","), let element = unsafe skipBlanks(separator + 1) else {
                return nil
            }
            unsafe place = unsafe element
        }
        unsafe closeContainer(.array, head, opening - start, place + 1 - start, elements, 0)
        return unsafe place + 1
    }

    /// Scans members up to the end of the text.
    @inline(never)
    private mutating func scanBare() -> Bool {
        let head = openContainer()
        levelsLeft &-= 1
        var members = 0
        var flags: UInt8 = 0
        var place = unsafe skipBlanks(start)
        while let key = unsafe place {
            guard let next = unsafe scanMember(key, &flags) else { return false }
            members &+= 1
            guard let separator = unsafe skipBlanks(next) else { break }
            guard unsafe separator.pointee == UInt8(ascii: ",") else { return false }
            unsafe place = unsafe skipBlanks(separator + 1)
        }
        unsafe closeContainer(.object, head, 0, end - start, members, flags)
        return !isTooLong
    }

    @inline(__always)
    private mutating func enter() -> Bool {
        guard levelsLeft > 0 else {
            isTooDeep = true
            return false
        }
        levelsLeft &-= 1
        return true
    }

    @inline(__always)
    private mutating func openContainer() -> Int {
        let head = count
        append(TapeEntry(.bounds, offset: 0))
        append(TapeEntry(.bounds, offset: 0))
        return head
    }

    @inline(__always)
    private mutating func closeContainer(
        _ kind: TapeEntry.Kind, _ head: Int, _ offset: Int, _ endOffset: Int, _ size: Int, _ flags: UInt8
    ) {
        levelsLeft &+= 1
        // Safe: both entries were appended when the container opened.
        unsafe entries[head] = TapeEntry(kind, flags: flags, offset: offset, bits: TapeEntry.halves(size, count))
        unsafe entries[head &+ 1] = TapeEntry(.bounds, offset: endOffset, bits: TapeEntry.halves(head &+ 2, head &+ 2))
    }

    // MARK: Strings

    /// The place behind a string, and the flags for its bytes.
    private typealias StringEnd = (end: Place, flags: UInt8)

    @inline(__always)
    private mutating func scanString(_ quote: Place) -> StringEnd? {
        let first = unsafe quote + 1
        var place = unsafe first
        var high: UInt32 = 0
        while unsafe end - place >= 16 {
            let masks = unsafe cscan_string16(place)
            let special = masks & 0xFFFF
            if special != 0 {
                let index = special.trailingZeroBitCount
                high |= masks &>> 16 & ((1 &<< UInt32(truncatingIfNeeded: index)) &- 1)
                unsafe place += index
                guard unsafe place.pointee == UInt8(ascii: "\"") else { break }
                let flags: UInt8 = high == 0 ? 0 : TapeEntry.isNotASCII
                unsafe append(
                    TapeEntry(.string, flags: flags, offset: first - start, bits: UInt64(truncatingIfNeeded: place - first)))
                return unsafe (place + 1, flags)
            }
            high |= masks &>> 16
            unsafe place += 16
        }
        return unsafe scanRestOfString(first, place, isASCII: high == 0)
    }

    /// Scans the rest of a string from a special byte on, or from where fewer than 16 bytes are left.
    @inline(never)
    private mutating func scanRestOfString(_ first: Place, _ special: Place, isASCII: Bool) -> StringEnd? {
        var flags: UInt8 = isASCII ? 0 : TapeEntry.isNotASCII
        var place = unsafe special
        while unsafe place < end {
            let byte = unsafe place.pointee
            if byte == UInt8(ascii: "\"") {
                unsafe append(
                    TapeEntry(.string, flags: flags, offset: first - start, bits: UInt64(truncatingIfNeeded: place - first)))
                return unsafe (place + 1, flags)
            }
            if byte == UInt8(ascii: "\\") {
                flags |= TapeEntry.isNotPlain
                guard let next = unsafe skipEscape(place) else { return nil }
                unsafe place = unsafe next
            } else {
                // A control character is reported as an error when the string is decoded.
                if byte < 0x20 { flags |= TapeEntry.isNotPlain }
                if byte >= 0x80 { flags |= TapeEntry.isNotASCII }
                unsafe place += 1
            }
            while unsafe end - place >= 16 {
                let masks = unsafe cscan_string16(place)
                let plain = masks & 0xFFFF == 0 ? 16 : (masks & 0xFFFF).trailingZeroBitCount
                if masks &>> 16 & ((1 &<< UInt32(truncatingIfNeeded: plain)) &- 1) != 0 { flags |= TapeEntry.isNotASCII }
                unsafe place += plain
                if plain < 16 { break }
            }
        }
        return nil
    }

    /// The place behind an escape. The escape is checked when the string is decoded; here its quote must not end the string.
    private func skipEscape(_ backslash: Place) -> Place? {
        guard unsafe end - backslash >= 2 else { return nil }
        guard unsafe backslash[1] == UInt8(ascii: "u") else { return unsafe backslash + 2 }
        guard unsafe end - backslash >= 6 else { return nil }
        for index in 2..<6 where unsafe backslash[index] == UInt8(ascii: "\"") { return nil }
        return unsafe backslash + 6
    }

    // MARK: Numbers

    @inline(__always)
    private mutating func scanNumber(_ place: Place) -> Place? {
        if expectsDouble {
            if let next = unsafe scanDouble(place) { return unsafe next }
            if let next = unsafe scanInteger(place) { return unsafe next }
        } else {
            if let next = unsafe scanInteger(place) { return unsafe next }
            if let next = unsafe scanDouble(place) { return unsafe next }
        }
        return unsafe scanOtherNumber(place)
    }

    @inline(__always)
    private mutating func scanInteger(_ place: Place) -> Place? {
        guard let number = unsafe NumberParsing.leadingInt64(place, end), unsafe !TapeScanner.continuesNumber(number.end.pointee)
        else { return nil }
        // Negative zero differs from zero as a double.
        if unsafe number.value == 0, unsafe place.pointee == .minus { return nil }
        expectsDouble = false
        unsafe append(TapeEntry(.integer, offset: place - start, bits: UInt64(bitPattern: number.value)))
        return unsafe number.end
    }

    @inline(__always)
    private mutating func scanDouble(_ place: Place) -> Place? {
        guard let number = unsafe NumberParsing.leadingDouble(place, end), unsafe !TapeScanner.continuesNumber(number.end.pointee)
        else { return nil }
        // Stored as an integer, so that decoding one needs no second look at the text. Zero may have a sign, and stays a double.
        let value = unsafe number.value
        let integer = value.magnitude < 0x1p53 ? Int64(value) : 0
        expectsDouble = integer == 0 || Double(integer) != value
        if expectsDouble {
            unsafe append(TapeEntry(.double, offset: place - start, bits: value.bitPattern))
        } else {
            unsafe append(TapeEntry(.integer, offset: place - start, bits: UInt64(bitPattern: integer)))
        }
        return unsafe number.end
    }

    @inline(__always)
    static func continuesNumber(_ byte: UInt8) -> Bool {
        byte &- .digitZero <= 9 || byte == .minus || byte == .plus || byte == .point || byte | 0x20 == .e
    }

    @inline(never)
    private mutating func scanOtherNumber(_ first: Place) -> Place? {
        let next = unsafe TapeScanner.numberEnd(first, end)
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

    /// The place behind all bytes that can be part of a number.
    static func numberEnd(_ first: Place, _ end: Place) -> Place {
        var place = unsafe first + 1
        while unsafe place < end, unsafe continuesNumber(place.pointee) { unsafe place += 1 }
        return unsafe place
    }

    // MARK: White space

    /// The place of the first byte that is not white space; nil at the end of the text.
    @inline(__always)
    private func skipBlanks(_ place: Place) -> Place? {
        guard unsafe place < end else { return nil }
        if unsafe place.pointee > UInt8(ascii: " ") { return unsafe place }
        let next = unsafe place + 1
        if unsafe next < end, unsafe place.pointee == UInt8(ascii: " "), unsafe next.pointee > UInt8(ascii: " ") {
            return unsafe next
        }
        return unsafe TapeScanner.skipSomeBlanks(place, end)
    }

    /// Also stops at control characters, with which no token begins. Static, because as a method it would copy the scanner at each call.
    @inline(never)
    private static func skipSomeBlanks(_ first: Place, _ end: Place) -> Place? {
        var place = unsafe first
        while unsafe end - place >= 16 {
            let others = unsafe cscan_nonblank16(place)
            if others != 0 { return unsafe place + others.trailingZeroBitCount }
            unsafe place += 16
        }
        while unsafe place < end {
            if unsafe !JSONWhiteSpace.contains(place.pointee) { return unsafe place }
            unsafe place += 1
        }
        return nil
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
            // The pass ends, because there is no text left, and its entries are not used: the last ones may overwrite the first.
            isTooLong = true
            unsafe end = unsafe start
            return unsafe next = unsafe entries
        }
        let grown = UnsafeMutablePointer<TapeEntry>.allocate(capacity: size)
        unsafe grown.update(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = unsafe grown
        unsafe next = unsafe grown + count
        unsafe limit = unsafe grown + size
    }
}
