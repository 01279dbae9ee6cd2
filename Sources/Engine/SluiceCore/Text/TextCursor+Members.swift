// How a container continues: its members or elements, the commas between them, and its closing bracket.

internal import CScan

extension TextCursor {
    /// What follows the opening bracket of a container, or one of its values.
    @safe
    enum Turn {
        /// A member or element begins here, or something that may be one.
        case item(Address)
        /// The container ends before this position.
        case end(Address)
    }

    /// What follows the opening bracket; nil at the end of the text.
    @inline(__always)
    func first(after bracket: Address, closing: UInt8) -> Turn? {
        guard let address = unsafe skipBlanks(bracket + 1) else { return nil }
        return unsafe address.pointee == closing ? .end(address + 1) : .item(address)
    }

    /// What follows a value; nil unless it is a comma or the closing bracket.
    @inline(__always)
    func next(after value: Address, closing: UInt8) -> Turn? {
        guard let separator = unsafe skipBlanks(value) else { return nil }
        if unsafe separator.pointee == closing { return unsafe .end(separator + 1) }
        guard unsafe separator.pointee == UInt8(ascii: ","), let item = unsafe skipBlanks(separator + 1) else { return nil }
        return unsafe .item(item)
    }

    /// The key at a position, and the position of its value.
    @inline(__always)
    func key(at address: Address, _ rule: StringRule = .loose) -> (key: TextString, value: Address)? {
        guard unsafe address.pointee == UInt8(ascii: "\""), let key = unsafe string(at: address, rule),
            let colon = unsafe skipBlanks(key.end), unsafe colon.pointee == UInt8(ascii: ":"),
            let value = unsafe skipBlank(colon + 1)
        else { return nil }
        return unsafe (key, value)
    }

    // MARK: Values that are passed over

    /// The position after a value that is found by its quotes and brackets alone; nil if it does not end in the text.
    @inline(__always)
    package func valueEnd(_ address: Address) -> Address? {
        switch unsafe address.pointee {
        case UInt8(ascii: "\""): return unsafe string(at: address)?.end
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let count = unsafe end - address - 1
            let closing = unsafe cscan_container_end(address + 1, count, .max)
            return unsafe closing < count ? address + (closing + 2) : nil
        default:
            let next = unsafe scalarEnd(address)
            return unsafe next == address ? nil : next
        }
    }

    /// The position after the bracket that closes the outermost of `depth` open containers, found in the same way.
    func end(of depth: Int, from address: Address) -> Address? {
        var state = cscan_container(in_string: 0, escaped: 0, depth: depth, limit: .max)
        let closing = unsafe cscan_container_scan(&state, address, end - address)
        return unsafe closing < end - address ? address + (closing + 1) : nil
    }

    /// The position after the bytes of a number or literal: white space, a bracket, a separator, a quote or the end of the text follows.
    @inline(__always)
    func scalarEnd(_ start: Address) -> Address {
        var address = unsafe start
        while unsafe address < end, unsafe !TextCursor.endsScalar(address.pointee) { unsafe address += 1 }
        return unsafe address
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
