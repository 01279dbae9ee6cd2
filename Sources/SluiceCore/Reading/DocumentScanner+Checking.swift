// A value that is only checked: the same grammar, without events to the binder. Nothing is decoded and nothing is kept, so this is
// the fastest way through a text that must be JSON from its first byte to its last.

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
        case UInt8(ascii: "\""): unsafe text.string(at: place, .checked)?.end
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
            guard unsafe place.pointee == UInt8(ascii: "\""), let keyEnd = unsafe text.string(at: place, .checked)?.end,
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
}
