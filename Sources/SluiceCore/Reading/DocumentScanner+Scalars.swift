// Strings and numbers of a text in memory.

internal import CScan

extension DocumentScanner {
    // MARK: Strings

    /// A string of the text, decoded.
    @safe
    struct ScannedString {
        let start: Place
        let count: Int
        let isASCII: Bool
        /// The place behind the closing quote.
        let end: Place
    }

    /// Reads the string at a place into the binder; the place behind it.
    @inline(__always)
    func readString(_ quote: Place) -> Place? {
        guard let string = unsafe string(at: quote) else { return nil }
        unsafe binder.pointee.token = unsafe TokenPlace(quote, string.end)
        return unsafe binder.pointee.string(string.start, string.count, isASCII: string.isASCII) ? string.end : nil
    }

    /// The string whose opening quote stands at a place; nil if it is damaged.
    @inline(__always)
    func string(at quote: Place) -> ScannedString? {
        let start = unsafe quote + 1
        var place = unsafe start
        var high: UInt32 = 0
        while unsafe end - place >= 16 {
            let masks = unsafe cscan_string16(place)
            let special = masks & 0xFFFF
            if special != 0 {
                let index = special.trailingZeroBitCount
                high |= masks &>> 16 & ((1 &<< UInt32(truncatingIfNeeded: index)) &- 1)
                unsafe place += index
                guard unsafe place.pointee == UInt8(ascii: "\"") else { return unsafe escapedString(start, place) }
                return unsafe ScannedString(start: start, count: place - start, isASCII: high == 0, end: place + 1)
            }
            high |= masks &>> 16
            unsafe place += 16
        }
        return unsafe stringTail(start, place, isASCII: high == 0)
    }

    /// The same near the end of the text, where no 16 bytes are left.
    @inline(never)
    private func stringTail(_ start: Place, _ scanned: Place, isASCII: Bool) -> ScannedString? {
        var isASCII = isASCII
        var place = unsafe scanned
        while unsafe place < end {
            let byte = unsafe place.pointee
            if byte == UInt8(ascii: "\"") {
                return unsafe ScannedString(start: start, count: place - start, isASCII: isASCII, end: place + 1)
            }
            if byte == UInt8(ascii: "\\") { return unsafe escapedString(start, place) }
            if byte < 0x20 { return nil }
            if byte >= 0x80 { isASCII = false }
            unsafe place += 1
        }
        return nil
    }

    /// A string of which the first byte that is not plain stands at `special`: an escape, or a control character.
    @inline(never)
    private func escapedString(_ start: Place, _ special: Place) -> ScannedString? {
        guard unsafe special.pointee == UInt8(ascii: "\\"),
            let next = unsafe binder.pointee.decodeString(from: start, firstEscape: special, end: end)
        else { return nil }
        let text = unsafe binder.pointee.decoded
        return unsafe ScannedString(start: Place(text.start), count: text.count, isASCII: false, end: next)
    }

    // MARK: Numbers

    /// Reads the number at a place into the binder; the place behind it.
    @inline(__always)
    func readNumber(_ place: Place) -> Place? {
        let kind = unsafe binder.pointee.frame.row.pointee.kind
        if kind == .double, let number = unsafe NumberParsing.leadingDouble(place, end) {
            unsafe binder.pointee.token = unsafe TokenPlace(place, number.end)
            unsafe binder.pointee.store(number.value)
            return unsafe binder.pointee.advance() ? number.end : nil
        }
        if kind == .int64, let number = unsafe NumberParsing.leadingInt64(place, end) {
            unsafe binder.pointee.token = unsafe TokenPlace(place, number.end)
            unsafe binder.pointee.store(number.value)
            return unsafe binder.pointee.advance() ? number.end : nil
        }
        return unsafe readOtherNumber(place)
    }

    @inline(never)
    private func readOtherNumber(_ place: Place) -> Place? {
        guard let next = unsafe NumberParsing.lexemeEnd(place, end) else { return nil }
        unsafe binder.pointee.token = unsafe TokenPlace(place, next)
        return unsafe binder.pointee.number(place, next - place) ? next : nil
    }
}
