// Finds the end of a number in the text (RFC 8259, section 6).

extension NumberParsing {
    /// The place after the number that starts at a place; nil if the text there is not a number. At least one byte must lie before `end`.
    static func lexemeEnd(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var place = unsafe start
        if unsafe place.pointee == UInt8(ascii: "-") { unsafe place += 1 }
        // Safe: a byte is read only after a check that it lies before `end`.
        guard unsafe place < end else { return nil }
        if unsafe place.pointee == UInt8(ascii: "0") {
            unsafe place += 1
        } else {
            guard let next = unsafe skipDigits(place, end) else { return nil }
            unsafe place = unsafe next
        }
        if unsafe place < end, unsafe place.pointee == UInt8(ascii: ".") {
            guard let next = unsafe skipDigits(place + 1, end) else { return nil }
            unsafe place = unsafe next
        }
        guard unsafe place < end, unsafe place.pointee | 0x20 == UInt8(ascii: "e") else { return unsafe place }
        unsafe place += 1
        guard unsafe place < end else { return nil }
        if unsafe place.pointee == UInt8(ascii: "+") || place.pointee == UInt8(ascii: "-") { unsafe place += 1 }
        return unsafe skipDigits(place, end)
    }

    /// The place after a run of digits; nil if there are none.
    @inline(__always)
    private static func skipDigits(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var place = unsafe start
        while unsafe end - place >= 8 {
            let digits = unsafe DigitWord(place).leadingDigits
            unsafe place += digits
            if digits < 8 { return unsafe place == start ? nil : place }
        }
        while unsafe place < end, unsafe place.pointee &- UInt8(ascii: "0") < 10 { unsafe place += 1 }
        return unsafe place == start ? nil : place
    }
}
