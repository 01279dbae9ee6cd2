// How a container continues: its members or elements, the commas between them, and its closing bracket.

internal import CScan

extension TextCursor {
    /// What follows the opening bracket of a container, or one of its values.
    @safe
    enum Turn {
        /// A member or element begins here, or something that may be one.
        case item(Place)
        /// The container ends before this place.
        case end(Place)
    }

    /// What follows the opening bracket; nil at the end of the text.
    @inline(__always)
    func first(after bracket: Place, closing: UInt8) -> Turn? {
        guard let place = unsafe skipBlanks(bracket + 1) else { return nil }
        return unsafe place.pointee == closing ? .end(place + 1) : .item(place)
    }

    /// What follows a value; nil unless it is a comma or the closing bracket.
    @inline(__always)
    func next(after value: Place, closing: UInt8) -> Turn? {
        guard let separator = unsafe skipBlanks(value) else { return nil }
        if unsafe separator.pointee == closing { return unsafe .end(separator + 1) }
        guard unsafe separator.pointee == UInt8(ascii: ","), let item = unsafe skipBlanks(separator + 1) else { return nil }
        return unsafe .item(item)
    }

    /// The key at a place, and the place of its value.
    @inline(__always)
    func key(at place: Place, _ rule: StringRule = .loose) -> (key: TextString, value: Place)? {
        guard unsafe place.pointee == UInt8(ascii: "\""), let key = unsafe string(at: place, rule),
            let colon = unsafe skipBlanks(key.end), unsafe colon.pointee == UInt8(ascii: ":"),
            let value = unsafe skipBlank(colon + 1)
        else { return nil }
        return unsafe (key, value)
    }

    // MARK: Values that are passed over

    /// The place after a value that is found by its quotes and brackets alone; nil if it does not end in the text.
    @inline(__always)
    package func valueEnd(_ place: Place) -> Place? {
        switch unsafe place.pointee {
        case UInt8(ascii: "\""): return unsafe string(at: place)?.end
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let count = unsafe end - place - 1
            let closing = unsafe cscan_container_end(place + 1, count, .max)
            return unsafe closing < count ? place + (closing + 2) : nil
        default:
            let next = unsafe scalarEnd(place)
            return unsafe next == place ? nil : next
        }
    }

    /// The place after the bracket that closes the outermost of `depth` open containers, found in the same way.
    func end(of depth: Int, from place: Place) -> Place? {
        var state = cscan_container(in_string: 0, escaped: 0, depth: depth, limit: .max)
        let closing = unsafe cscan_container_scan(&state, place, end - place)
        return unsafe closing < end - place ? place + (closing + 1) : nil
    }

    /// The place after the bytes of a number or literal: white space, a bracket, a separator, a quote or the end of the text follows.
    @inline(__always)
    func scalarEnd(_ start: Place) -> Place {
        var place = unsafe start
        while unsafe place < end, unsafe !TextCursor.endsScalar(place.pointee) { unsafe place += 1 }
        return unsafe place
    }

    @inline(__always)
    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: JSONWhiteSpace.contains(byte)
        }
    }
}
