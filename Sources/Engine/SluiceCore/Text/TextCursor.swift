// What every walk over JSON text in memory is made of: where white space ends, where a literal ends, where a string ends and what kind of
// bytes it has. A place in the text goes in, and a place further on comes out.

internal import CScan

/// Text that lies in memory.
///
/// Places are passed and returned as values, so they stay in registers. A cursor only stores the end of the text. A function
/// returns nil if there is no such place; a walk over unchecked text then ends.
@safe
package struct TextCursor {
    package typealias Place = UnsafePointer<UInt8>

    package let end: Place

    @inline(__always)
    package init(end: Place) { unsafe self.end = unsafe end }

    // MARK: White space

    /// The first byte that is not white space; nil at the end of the text, and at a control character.
    @inline(__always)
    package func skipBlanks(_ place: Place) -> Place? {
        assert(unsafe place <= end)
        guard unsafe place < end else { return nil }
        if unsafe place.pointee > UInt8(ascii: " ") { return unsafe place }
        return unsafe skipNearBlanks(place)
    }

    /// The same after a colon, where most texts have one space.
    @inline(__always)
    func skipBlank(_ place: Place) -> Place? {
        assert(unsafe place <= end)
        guard unsafe place < end else { return nil }
        if unsafe place.pointee > UInt8(ascii: " ") { return unsafe place }
        let next = unsafe place + 1
        if unsafe next < end, unsafe place.pointee == UInt8(ascii: " "), unsafe next.pointee > UInt8(ascii: " ") {
            return unsafe next
        }
        return unsafe skipSomeBlanks(place)
    }

    /// The same, faster where fewer than 16 spaces and line feeds come first, as in most indented text.
    @inline(__always)
    private func skipNearBlanks(_ place: Place) -> Place? {
        if unsafe end - place >= 16 {
            let others = unsafe cscan_nonspace16(place)
            if others != 0 {
                let next = unsafe place + others.trailingZeroBitCount
                if unsafe next.pointee > UInt8(ascii: " ") { return unsafe next }
            }
        }
        return unsafe skipSomeBlanks(place)
    }

    /// The same for any number of blanks.
    @inline(__always)
    func skipSomeBlanks(_ start: Place) -> Place? {
        assert(unsafe start <= end)
        guard let place = unsafe firstOther(start), unsafe place.pointee > UInt8(ascii: " ") else { return nil }
        return unsafe place
    }

    /// The first byte that is not white space, whatever it is; nil at the end of the text.
    @inline(__always)
    func skipAllBlanks(_ place: Place) -> Place? {
        assert(unsafe place <= end)
        if unsafe place < end, unsafe place.pointee > UInt8(ascii: " ") { return unsafe place }
        return unsafe firstOther(place)
    }

    @inline(never)
    private func firstOther(_ start: Place) -> Place? {
        var place = unsafe start
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

    /// Whether nothing but white space follows.
    @inline(__always)
    package func isBlank(from place: Place) -> Bool {
        assert(unsafe place <= end)
        return unsafe place >= end || firstOther(place) == nil
    }

    // MARK: Tokens

    /// The place after a literal; nil if the literal is not at `place`.
    @inline(__always)
    func skip(_ literal: StaticString, at place: Place) -> Place? {
        let count = literal.utf8CodeUnitCount
        // Safe: compared only when that many bytes are left.
        guard unsafe end - place >= count, unsafe equalBytes(literal.utf8Start, place, count) else { return nil }
        return unsafe place + count
    }

    /// Moves a place inside a string to the next quote, backslash or control character; false, if fewer than 16 bytes are left from the
    /// place on that is set then.
    ///
    /// - Parameter high: Not 0 after a byte that is not ASCII.
    @inline(__always)
    func skipPlain(_ place: inout Place, _ high: inout UInt32) -> Bool {
        assert(unsafe place <= end)
        while unsafe end - place >= 16 {
            let masks = unsafe cscan_string16(place)
            let special = masks & 0xFFFF
            if special != 0 {
                let index = special.trailingZeroBitCount
                high |= masks &>> 16 & ((1 &<< UInt32(truncatingIfNeeded: index)) &- 1)
                unsafe place += index
                return true
            }
            high |= masks &>> 16
            unsafe place += 16
        }
        return false
    }
}
