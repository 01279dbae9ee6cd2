// What every walk over JSON text in memory is made of: where white space ends, where a literal ends, where a string ends and what kind of
// bytes it has. A position in the text goes in, and a position further on comes out.

internal import CScan

/// Text that lies in memory.
///
/// Positions are passed and returned as values, so they stay in registers. A cursor only stores the end of the text. A function
/// returns nil if there is no such position; a walk over unchecked text then ends.
@safe
package struct TextCursor {
    package typealias Address = UnsafePointer<UInt8>

    package let end: Address

    @inline(__always)
    package init(end: Address) { unsafe self.end = unsafe end }

    // MARK: White space

    /// The first byte that is not white space; nil at the end of the text, and at a control character.
    @inline(__always)
    package func skipBlanks(_ address: Address) -> Address? {
        assert(unsafe address <= end)
        guard unsafe address < end else { return nil }
        if unsafe address.pointee > UInt8(ascii: " ") { return unsafe address }
        return unsafe skipNearBlanks(address)
    }

    /// The same after a colon, where most texts have one space.
    @inline(__always)
    func skipBlank(_ address: Address) -> Address? {
        assert(unsafe address <= end)
        guard unsafe address < end else { return nil }
        if unsafe address.pointee > UInt8(ascii: " ") { return unsafe address }
        let next = unsafe address + 1
        if unsafe next < end, unsafe address.pointee == UInt8(ascii: " "), unsafe next.pointee > UInt8(ascii: " ") {
            return unsafe next
        }
        return unsafe skipSomeBlanks(address)
    }

    /// The same, faster where fewer than 16 spaces and line feeds come first, as in most indented text.
    @inline(__always)
    private func skipNearBlanks(_ address: Address) -> Address? {
        if unsafe end - address >= 16 {
            let others = unsafe cscan_nonspace16(address)
            if others == 0 { return unsafe skipSomeBlanks(address + 16) }
            let next = unsafe address + others.trailingZeroBitCount
            if unsafe next.pointee > UInt8(ascii: " ") { return unsafe next }
        }
        return unsafe skipSomeBlanks(address)
    }

    /// The same for any number of blanks.
    @inline(__always)
    func skipSomeBlanks(_ start: Address) -> Address? {
        assert(unsafe start <= end)
        guard let address = unsafe firstOther(start), unsafe address.pointee > UInt8(ascii: " ") else { return nil }
        return unsafe address
    }

    /// The first byte that is not white space, whatever it is; nil at the end of the text.
    @inline(__always)
    func skipAllBlanks(_ address: Address) -> Address? {
        assert(unsafe address <= end)
        if unsafe address < end, unsafe address.pointee > UInt8(ascii: " ") { return unsafe address }
        return unsafe firstOther(address)
    }

    @inline(never)
    private func firstOther(_ start: Address) -> Address? {
        var address = unsafe start
        while unsafe end - address >= 16 {
            let others = unsafe cscan_nonblank16(address)
            if others != 0 { return unsafe address + others.trailingZeroBitCount }
            unsafe address += 16
        }
        while unsafe address < end {
            if unsafe !JSONWhiteSpace.contains(address.pointee) { return unsafe address }
            unsafe address += 1
        }
        return nil
    }

    /// Whether nothing but white space follows.
    @inline(__always)
    package func isBlank(from address: Address) -> Bool {
        assert(unsafe address <= end)
        return unsafe address >= end || firstOther(address) == nil
    }

    // MARK: Tokens

    /// The position after a literal; nil if the literal is not at `address`.
    @inline(__always)
    func skip(_ literal: StaticString, at address: Address) -> Address? {
        let count = literal.utf8CodeUnitCount
        // Safe: compared only when that many bytes are left.
        guard unsafe end - address >= count, unsafe equalBytes(literal.utf8Start, address, count) else { return nil }
        return unsafe address + count
    }

    /// Moves a position inside a string to the next quote, backslash or control character; false, if fewer than 16 bytes are left from the
    /// position on that is set then.
    ///
    /// - Parameter high: Not 0 after a byte that is not ASCII.
    @inline(__always)
    func skipPlain(_ address: inout Address, _ high: inout UInt32) -> Bool {
        assert(unsafe address <= end)
        while unsafe end - address >= 16 {
            let masks = unsafe cscan_string16(address)
            let special = masks & 0xFFFF
            if special != 0 {
                // Of the special bytes, none is above 127. So the bits before the first one are all that is left.
                high |= masks &>> 16 & (special &- 1)
                unsafe address += special.trailingZeroBitCount
                return true
            }
            high |= masks &>> 16
            unsafe address += 16
        }
        return false
    }
}
