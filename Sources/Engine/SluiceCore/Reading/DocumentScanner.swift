// A value that lies in memory as a whole is read here in one pass, 16 to 64 bytes at a time, and goes straight to the binder.
//
//     text        {"id": 7, "user": {"login": "y"}, "extra": { … 3 KB … }, "n": 1}
//     events      {  id  7   user  {  login  y  }    (passed over)          n  1 }
//
// A container that no property binds is passed over by its brackets and quotes. The first byte that may be wrong ends the pass:
// yajl then reads the value again from its start, and says what is wrong and where. The scanner reports no syntax errors, so the two
// cannot disagree about them.

internal import CScan

/// Reads one value from bytes that lie in memory.
///
/// Positions are passed and returned as values, so they stay in registers. A returned nil ends the pass: either the binder has an
/// error, because a value does not fit its property, or yajl must read the text. Nested containers are nested calls; the binder
/// refuses more levels than ``JSONReader/Options/greatestDepth``.
@safe
struct DocumentScanner {
    typealias Address = UnsafePointer<UInt8>

    let binder: BinderHandle
    let text: TextCursor
    let start: Address
    /// Whether containers that no property binds are passed over.
    private let skipsUnbound: Bool

    init(_ binder: BinderHandle, _ bytes: UnsafeRawBufferPointer) {
        self.binder = binder
        // Safe: the reader never scans an empty text.
        unsafe start = unsafe bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
        text = unsafe TextCursor(end: start + bytes.count)
        skipsUnbound = !binder.state.policy.validatesEverything
    }

    /// Reads the value and the white space around it; false if the binder has an error or yajl must read the text.
    func read() -> Bool {
        if binder.state.document.frame.row.kind == .checked { return check() }
        guard let first = unsafe text.skipBlanks(start) else { return false }
        guard let next = unsafe readValue(first) else { return false }
        // Most values end with the text; the spaces that may follow it in memory need not be read.
        return unsafe next >= binder.state.document.chunk.end || text.isBlank(from: next)
    }

    /// Reads the object that the text begins with, which ``Binder/beginModel(_:at:_:)`` or ``Binder/beginAgain(_:at:_:)`` has opened, and the
    /// white space after it.
    func readModel() -> Bool {
        guard let closing = unsafe readMembers(start + 1), unsafe closing.pointee == UInt8(ascii: "}") else { return false }
        binder.state.document.token = unsafe TokenRange(closing, closing + 1)
        guard binder.state.closeRootModel() else { return false }
        return unsafe closing + 1 >= binder.state.document.chunk.end || text.isBlank(from: closing + 1)
    }

    /// Whether the text is one value and white space around it, with valid Unicode in its strings. If not, yajl must say what is wrong.
    @inline(never)
    private func check() -> Bool {
        var nothing = NoSink()
        guard unsafe ValueWalk<NoSink>(text: text).read(start, levels: binder.state.policy.maximumDepth, &nothing) else {
            return false
        }
        return binder.state.closeChecked()
    }

    /// Reads a captured value; false unless it ends with the last byte of the text.
    func readWhole() -> Bool { unsafe readValue(start) == end }

    @inline(__always)
    var end: Address { unsafe text.end }

    // MARK: Values

    @inline(__always)
    private func readValue(_ address: Address) -> Address? {
        switch unsafe address.pointee {
        case UInt8(ascii: "\""): unsafe readString(address)
        case UInt8(ascii: "{"): unsafe readObject(address)
        case UInt8(ascii: "["): unsafe readArray(address)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): unsafe readNumber(address)
        case UInt8(ascii: "t"): unsafe readLiteral(address, "true") { $0.state.boolean(true) }
        case UInt8(ascii: "f"): unsafe readLiteral(address, "false") { $0.state.boolean(false) }
        case UInt8(ascii: "n"): unsafe readLiteral(address, "null") { $0.state.null() }
        default: nil
        }
    }

    @inline(__always)
    private func readLiteral(
        _ address: Address, _ literal: StaticString, _ deliver: (BinderHandle) -> Bool
    ) -> Address? {
        guard let next = unsafe text.skip(literal, at: address) else { return nil }
        binder.state.document.token = unsafe TokenRange(address, next)
        return unsafe deliver(binder) ? next : nil
    }

    // MARK: Containers

    /// Reads the object that opens at a position; returns the position after it.
    ///
    /// It is inlined, so that a level of a deep model is one call: processors predict the returns of 16 to 32 calls.
    @inline(__always)
    private func readObject(_ opening: Address) -> Address? {
        if let next = unsafe passOver(opening, closing: UInt8(ascii: "}")) { return unsafe next }
        if binder.state.document.frame.row.kind == .value, let tree = unsafe readTree(opening) { return unsafe tree }
        binder.state.document.token = unsafe TokenRange(opening, opening + 1)
        guard binder.state.openObject(),
            let closing = unsafe passOverCaptured(opening) ?? readMembers(opening + 1),
            unsafe closing.pointee == UInt8(ascii: "}")
        else { return nil }
        binder.state.document.token = unsafe TokenRange(closing, closing + 1)
        return unsafe binder.state.closeObject() ? closing + 1 : nil
    }

    /// Reads the array that opens at a position; returns the position after it.
    private func readArray(_ opening: Address) -> Address? {
        if let next = unsafe passOver(opening, closing: UInt8(ascii: "]")) { return unsafe next }
        if let shortcut = unsafe readPlainArray(opening) { return unsafe shortcut }
        binder.state.document.token = unsafe TokenRange(opening, opening + 1)
        guard binder.state.openArray(),
            let closing = unsafe passOverCaptured(opening) ?? readElements(opening + 1),
            unsafe closing.pointee == UInt8(ascii: "]")
        else { return nil }
        binder.state.document.token = unsafe TokenRange(closing, closing + 1)
        return unsafe binder.state.closeArray() ? closing + 1 : nil
    }

    /// Reads the object that opens at a position, and the objects that follow it as elements of an array of models; returns the position
    /// after the last one.
    private func readModels(_ first: Address) -> Address? {
        binder.state.document.token = unsafe TokenRange(first, first + 1)
        guard binder.state.openObject() else { return nil }
        var opening = unsafe first
        while true {
            guard let closing = unsafe passOverCaptured(opening) ?? readMembers(opening + 1),
                unsafe closing.pointee == UInt8(ascii: "}")
            else { return nil }
            if let comma = unsafe text.skipBlanks(closing + 1), unsafe comma.pointee == UInt8(ascii: ","),
                let next = unsafe text.skipBlanks(comma + 1), unsafe next.pointee == UInt8(ascii: "{"),
                binder.state.beginNextModel()
            {
                unsafe opening = unsafe next
                continue
            }
            binder.state.document.token = unsafe TokenRange(closing, closing + 1)
            return unsafe binder.state.closeObject() ? closing + 1 : nil
        }
    }

    /// Containers with fewer bytes inside are cheaper to read than to pass over.
    private static let tinySize = 64

    /// Passes over a container that no property binds, without an event to the binder; nil if it must be read.
    @inline(__always)
    private func passOver(_ opening: Address, closing: UInt8) -> Address? {
        guard skipsUnbound, binder.state.document.frame.row == binder.state.policy.ignoredRow,
            binder.state.document.skipDepth == 0 && binder.state.document.nesting < binder.state.policy.maximumDepth,
            binder.state.document.frame.stride == 0,
            let address = unsafe closingBracket(of: opening, levels: levelsLeft, unlessBelow: DocumentScanner.tinySize),
            unsafe address.pointee == closing
        else { return nil }
        return unsafe address + 1
    }

    /// Passes over the inside of a container that has just opened, if it is unbound or captured to be read again; returns the position of
    /// its closing bracket, or nil if the inside must be read.
    @inline(__always)
    private func passOverCaptured(_ opening: Address) -> Address? {
        guard binder.state.document.skipDepth == 1 else { return nil }
        return unsafe passOverSkipped(opening)
    }

    /// How many levels of containers may still open.
    @inline(__always)
    var levelsLeft: Int { binder.state.policy.maximumDepth - binder.state.document.nesting }

    @inline(never)
    private func passOverSkipped(_ opening: Address) -> Address? {
        // Raw JSON must be valid, and leaving a value out must not hide damage in its text: such text is read.
        guard skipsUnbound, binder.state.document.resumedRow == nil,
            binder.state.document.frame.row != binder.state.policy.leftOutRow
        else { return nil }
        let isCaptured = binder.state.capture.isActive
        // Asked of the kind: a property of the binder that is computed would copy the binder.
        if isCaptured, !binder.state.document.frame.row.kind.isReadAgain { return nil }
        let size = isCaptured ? 0 : DocumentScanner.tinySize
        // `nesting` already counts the container itself.
        return unsafe closingBracket(of: opening, levels: levelsLeft + 1, unlessBelow: size)
    }

    /// The position of the bracket that closes a container; nil if the text has no such bracket, or if fewer than `size` bytes lie inside.
    ///
    /// - Parameter levels: How many levels of containers are allowed, this one included. For more it returns nil: the container is then
    ///   read, and the binder reports its depth.
    @inline(never)
    private func closingBracket(of opening: Address, levels: Int, unlessBelow size: Int) -> Address? {
        let inside = unsafe opening + 1
        let index = unsafe cscan_container_end(inside, end - inside, levels)
        guard index >= size, unsafe index < end - inside else { return nil }
        binder.state.document.hasUncheckedText = true
        return unsafe inside + index
    }

    /// Reads the members of an object; returns the position after the last, where the closing bracket must be.
    ///
    /// Everything that a member needs is inlined here, so that a level of a deep model is one call.
    @inline(never)
    private func readMembers(_ inside: Address) -> Address? {
        guard var address = unsafe text.skipBlanks(inside) else { return nil }
        if unsafe address.pointee == UInt8(ascii: "}") { return unsafe address }
        if binder.state.document.frame.kind == .dictionary { return unsafe readPairs(address) }
        while true {
            guard unsafe address.pointee == UInt8(ascii: "\""), let next = unsafe readMember(address),
                let separator = unsafe text.skipBlanks(next)
            else { return nil }
            if unsafe separator.pointee != UInt8(ascii: ",") { return unsafe separator }
            guard let key = unsafe text.skipBlanks(separator + 1) else { return nil }
            unsafe address = unsafe key
        }
    }

    /// Reads the members of a dictionary or a tree, in which no key is expected.
    private func readPairs(_ first: Address) -> Address? {
        var address = unsafe first
        while true {
            guard unsafe address.pointee == UInt8(ascii: "\""), let value = unsafe readKey(address),
                let next = unsafe readValue(value), let separator = unsafe text.skipBlanks(next)
            else { return nil }
            if unsafe separator.pointee != UInt8(ascii: ",") { return unsafe separator }
            guard let key = unsafe text.skipBlanks(separator + 1) else { return nil }
            unsafe address = unsafe key
        }
    }

    /// Reads the elements of an array; returns the position after the last, where the closing bracket must be.
    private func readElements(_ inside: Address) -> Address? {
        guard var address = unsafe text.skipBlanks(inside) else { return nil }
        if unsafe address.pointee == UInt8(ascii: "]") { return unsafe address }
        while true {
            let isModel = unsafe address.pointee == UInt8(ascii: "{") && binder.state.document.frame.row.kind == .model
            guard let next = unsafe isModel ? readModels(address) : readValue(address),
                let separator = unsafe text.skipBlanks(next)
            else { return nil }
            if unsafe separator.pointee != UInt8(ascii: ",") { return unsafe separator }
            guard let element = unsafe text.skipBlanks(separator + 1) else { return nil }
            unsafe address = unsafe element
        }
    }

    // MARK: Keys

    /// Reads the key at a position and its value; returns the position after the value.
    @inline(__always)
    func readMember(_ quote: Address) -> Address? {
        let key = binder.state.document.frame.lastKey.next
        guard let colon = unsafe isNext(key, quote) ? quote + (key.count &+ 3) : colonApart(from: key, quote) else {
            return unsafe readOtherMember(quote)
        }
        return unsafe readMember(quote, of: key, after: colon)
    }

    /// Whether the text at a position has this key. False near the end of the text, and while values are skipped.
    @inline(__always)
    private func isNext(_ key: ExpectedKeyHandle, _ quote: Address) -> Bool {
        // Safe: 16 bytes of the key's own memory follow it, and more than that of the text.
        unsafe key.count < end - quote &- 24 && binder.state.document.skipDepth == 0 && key.matches(quote)
    }

    /// The position after the colon of a key, if the text at a position has the key with white space before the colon; nil otherwise. Some
    /// serialisers write so: `"id" : 7`.
    @inline(__always)
    private func colonApart(from key: ExpectedKeyHandle, _ quote: Address) -> Address? {
        // Safe: as in `isNext`.
        guard unsafe key.count < end - quote - 24, binder.state.document.skipDepth == 0, unsafe key.matchesWithoutColon(quote)
        else {
            return nil
        }
        let colon = unsafe quote + (key.count &+ 3)
        if unsafe colon.pointee == UInt8(ascii: ":") && colon[-1] == UInt8(ascii: " ") { return unsafe colon + 1 }
        return unsafe colonFurtherApart(colon)
    }

    /// The same for any white space.
    ///
    /// - Parameter colon: The position two bytes after the quote that ends the key.
    @inline(never)
    private func colonFurtherApart(_ colon: Address) -> Address? {
        // A value is read without asking whether the text ends at the colon.
        guard let colon = unsafe text.skipBlanks(colon - 1), unsafe end - colon > 24 && colon.pointee == UInt8(ascii: ":") else {
            return nil
        }
        return unsafe colon + 1
    }

    /// Reads the value of a key, which the text has at a position.
    ///
    /// - Parameter colon: The position after the colon.
    @inline(__always)
    private func readMember(_ quote: Address, of key: ExpectedKeyHandle, after colon: Address) -> Address? {
        let count = key.count
        var value = unsafe colon
        if unsafe value.pointee <= UInt8(ascii: " ") {
            // Most texts have one space here.
            if unsafe value[0] == UInt8(ascii: " ") && value[1] > UInt8(ascii: " ") {
                unsafe value += 1
            } else {
                guard let next = unsafe text.skipSomeBlanks(value) else { return nil }
                unsafe value = unsafe next
            }
        }
        binder.state.document.frame.lastKey = key
        let row = key.row
        if let next = unsafe storeScalar(row, value) { return unsafe next }
        if row == binder.state.policy.ignoredRow {
            if binder.state.policy.countsUnknownKeys {
                binder.state.endRepetition()
                binder.state.document.token = unsafe TokenRange(quote, quote + (count &+ 2))
            }
            binder.state.passUnboundKey(key)
            return unsafe passOverUnbound(value)
        }
        if unsafe value.pointee == UInt8(ascii: "n"), let next = unsafe storeNull(row, value) { return unsafe next }
        binder.state.endRepetition()
        if unsafe value.pointee == UInt8(ascii: "{"), binder.state.openNested(row) {
            guard let closing = unsafe readMembers(value + 1), unsafe closing.pointee == UInt8(ascii: "}") else { return nil }
            binder.state.document.token = unsafe TokenRange(closing, closing + 1)
            return unsafe binder.state.closeNested() ? closing + 1 : nil
        }
        binder.state.document.token = unsafe TokenRange(quote, quote + (count &+ 2))
        guard binder.state.knownKey(row) else { return nil }
        return unsafe readValue(value)
    }

    /// Reads the value at a position as that of a key which the text does not have; returns the position after it.
    @inline(__always)
    func readValue(_ value: Address, of row: RowHandle) -> Address? {
        if let next = unsafe storeScalar(row, value) { return unsafe next }
        return unsafe readOtherValue(value, of: row)
    }

    @inline(never)
    private func readOtherValue(_ value: Address, of row: RowHandle) -> Address? {
        binder.state.endRepetition()
        if row == binder.state.policy.ignoredRow {
            binder.state.passUnboundColumn()
            return unsafe passOverUnbound(value)
        }
        binder.state.document.token = unsafe TokenRange(value, value)
        guard binder.state.knownKey(row) else { return nil }
        return unsafe readValue(value)
    }

    /// Reads a member whose key is not the one that is expected first.
    @inline(never)
    private func readOtherMember(_ quote: Address) -> Address? {
        let last = binder.state.document.frame.lastKey
        let key = last.other
        if let colon = unsafe isNext(key, quote) ? quote + (key.count &+ 3) : colonApart(from: key, quote) {
            last.expect(key)
            return unsafe readMember(quote, of: key, after: colon)
        }
        binder.state.endRepetition()
        guard let value = unsafe readKey(quote) else { return nil }
        let isUnbound = binder.state.document.frame.row == binder.state.policy.ignoredRow
        return unsafe isUnbound ? passOverUnbound(value) : readValue(value)
    }

    /// Reads a key; returns the position of its value.
    @inline(__always)
    private func readKey(_ quote: Address) -> Address? {
        guard let string = unsafe string(at: quote) else { return nil }
        binder.state.document.token = unsafe TokenRange(quote, string.end)
        guard unsafe binder.state.key(string.start, string.count, isASCII: string.isASCII),
            let colon = unsafe text.skipBlanks(string.end), unsafe colon.pointee == UInt8(ascii: ":")
        else { return nil }
        return unsafe text.skipBlank(colon + 1)
    }

    /// Passes over the value of a key that no property has; returns the position after it. The binder does nothing with its scalars.
    @inline(__always)
    private func passOverUnbound(_ value: Address) -> Address? {
        guard skipsUnbound else {
            binder.state.endRepetition()
            return unsafe readValue(value)
        }
        switch unsafe value.pointee {
        case .quote: return unsafe string(at: value)?.end
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return unsafe NumberParsing.lexemeEnd(value, end)
        default:
            binder.state.endRepetition()
            return unsafe readValue(value)
        }
    }
}
