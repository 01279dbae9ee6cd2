// Finds the elements of an array by quotes and brackets alone.

/// Finds the elements of an array, one after the other, without parsing them.
///
/// It trusts the text to be an array, and ends where the text shows that it is not one. The code that parses the text reports the error.
@safe
package struct ElementCursor {
    private let text: TextCursor
    /// What comes next; nil where the text is damaged.
    private var turn: TextCursor.Turn?

    /// - Parameter text: The array, from its opening bracket on; more text may follow.
    package init(_ text: UnsafeBufferPointer<UInt8>) {
        // Safe: an empty text gets a valid address, from which no byte is read.
        let start = unsafe text.baseAddress ?? NoBytes.address
        self.text = unsafe TextCursor(end: start + text.count)
        turn = unsafe text.first == UInt8(ascii: "[") ? self.text.first(after: start, closing: UInt8(ascii: "]")) : nil
    }

    /// - Parameter address: The position of the array's opening bracket.
    package init(_ text: TextCursor, at address: TextCursor.Address) {
        self.text = text
        turn = unsafe text.first(after: address, closing: UInt8(ascii: "]"))
    }

    /// The position after the array, if all its elements have been found.
    package var end: TextCursor.Address? { if case .end(let address) = turn { unsafe address } else { nil } }

    /// The first byte of the next element; nil at the end.
    package var nextByte: UInt8? { if case .item(let address) = turn { unsafe address.pointee } else { nil } }

    /// The next element; nil at the end, and for one that has no end.
    package mutating func next() -> UnsafeBufferPointer<UInt8>? {
        guard case .item(let address) = turn else { return nil }
        turn = nil
        guard let end = unsafe text.valueEnd(address) else { return nil }
        turn = unsafe text.next(after: end, closing: UInt8(ascii: "]"))
        return unsafe UnsafeBufferPointer(start: address, count: end - address)
    }
}
