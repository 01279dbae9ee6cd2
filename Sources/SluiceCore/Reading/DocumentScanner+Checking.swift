// A value that is only checked: the same grammar, without events to the binder. Nothing is decoded and nothing is kept, so this is
// the fastest way through a text that must be JSON from its first byte to its last.

internal import CScan

extension DocumentScanner {
    /// Whether the text is one value and white space around it, with valid Unicode in its strings. If not, yajl must say what is wrong.
    @inline(never)
    func check() -> Bool {
        guard let first = unsafe text.skipBlanks(start),
            let next = unsafe checkValue(first, binder.state.maximumDepth), unsafe text.isBlank(from: next)
        else { return false }
        return binder.state.closeChecked()
    }

    /// The place behind the value that starts at a place; nil if the value may be wrong.
    @inline(__always)
    private func checkValue(_ place: Place, _ levels: Int) -> Place? {
        switch unsafe place.pointee {
        case UInt8(ascii: "\""): unsafe checkString(place)
        case UInt8(ascii: "{"): unsafe checkObject(place, levels)
        case UInt8(ascii: "["): unsafe checkArray(place, levels)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): unsafe NumberParsing.lexemeEnd(place, end)
        case UInt8(ascii: "t"): unsafe text.skip("true", at: place)
        case UInt8(ascii: "f"): unsafe text.skip("false", at: place)
        case UInt8(ascii: "n"): unsafe text.skip("null", at: place)
        default: nil
        }
    }

    // MARK: Containers

    private func checkObject(_ opening: Place, _ levels: Int) -> Place? {
        guard levels > 0, var place = unsafe text.skipBlanks(opening + 1) else { return nil }
        if unsafe place.pointee == UInt8(ascii: "}") { return unsafe place + 1 }
        while true {
            guard unsafe place.pointee == UInt8(ascii: "\""), let keyEnd = unsafe checkString(place),
                let colon = unsafe text.skipBlanks(keyEnd), unsafe colon.pointee == UInt8(ascii: ":"),
                let value = unsafe text.skipBlank(colon + 1), let next = unsafe checkValue(value, levels - 1),
                let separator = unsafe text.skipBlanks(next)
            else { return nil }
            if unsafe separator.pointee == UInt8(ascii: "}") { return unsafe separator + 1 }
            guard unsafe separator.pointee == UInt8(ascii: ","), let key = unsafe text.skipBlanks(separator + 1) else {
                return nil
            }
            unsafe place = unsafe key
        }
    }

    private func checkArray(_ opening: Place, _ levels: Int) -> Place? {
        guard levels > 0, var place = unsafe text.skipBlanks(opening + 1) else { return nil }
        if unsafe place.pointee == UInt8(ascii: "]") { return unsafe place + 1 }
        while true {
            guard let next = unsafe checkValue(place, levels - 1), let separator = unsafe text.skipBlanks(next) else {
                return nil
            }
            if unsafe separator.pointee == UInt8(ascii: "]") { return unsafe separator + 1 }
            guard unsafe separator.pointee == UInt8(ascii: ","), let element = unsafe text.skipBlanks(separator + 1) else {
                return nil
            }
            unsafe place = unsafe element
        }
    }

    // MARK: Strings

    /// The place behind the string whose opening quote stands at a place.
    @inline(__always)
    private func checkString(_ quote: Place) -> Place? {
        let start = unsafe quote + 1
        var place = unsafe start
        var high: UInt32 = 0
        while unsafe text.skipPlain(&place, &high) {
            if unsafe place.pointee == UInt8(ascii: "\"") {
                return unsafe high == 0 || cscan_is_utf8(start, place - start) ? place + 1 : nil
            }
            guard let next = unsafe checkEscape(place) else { return nil }
            unsafe place = unsafe next
        }
        return unsafe checkStringTail(start, place)
    }

    /// The same near the end of the text, where fewer than 16 bytes are left.
    @inline(never)
    private func checkStringTail(_ start: Place, _ scanned: Place) -> Place? {
        var place = unsafe scanned
        while unsafe place < end {
            switch unsafe place.pointee {
            case UInt8(ascii: "\""):
                // Escapes are ASCII, and so never a part of another character: UTF-8 can be checked without decoding them.
                return unsafe cscan_is_utf8(start, place - start) ? place + 1 : nil
            case UInt8(ascii: "\\"):
                guard let next = unsafe checkEscape(place) else { return nil }
                unsafe place = unsafe next
            case 0..<0x20:
                return nil
            default:
                unsafe place += 1
            }
        }
        return nil
    }

    /// The place behind the escape that starts at a place; nil if it is invalid, and for a control character.
    @inline(__always)
    private func checkEscape(_ place: Place) -> Place? {
        // Safe: the second byte is looked at only where there is one.
        guard unsafe place.pointee == UInt8(ascii: "\\"), unsafe end - place >= 2 else { return nil }
        switch unsafe place[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            return unsafe place + 2
        case UInt8(ascii: "u"):
            return unsafe checkUnicodeEscape(place)
        default:
            return nil
        }
    }

    @inline(never)
    private func checkUnicodeEscape(_ place: Place) -> Place? {
        // Safe: the buffer has no more bytes than are left.
        let text = unsafe UnsafeRawBufferPointer(start: place, count: min(end - place, 12))
        guard let unit = unsafe UnicodeValidation.escapedUnit(text, at: 0) else { return nil }
        guard unit & 0xF800 == 0xD800 else { return unsafe place + 6 }
        guard unit < 0xDC00, let low = unsafe UnicodeValidation.escapedUnit(text, at: 6), low & 0xFC00 == 0xDC00 else {
            return nil
        }
        return unsafe place + 12
    }
}
