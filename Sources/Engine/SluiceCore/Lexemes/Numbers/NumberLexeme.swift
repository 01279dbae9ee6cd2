// Finds the end of a number in the text (RFC 8259, section 6).

extension NumberParsing {
    /// The position after the number that starts at a position; nil if the text there is not a number. At least one byte must lie before `end`.
    static func lexemeEnd(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var address = unsafe start
        if unsafe address.pointee == UInt8(ascii: "-") { unsafe address += 1 }
        // Safe: a byte is read only after a check that it lies before `end`.
        guard unsafe address < end else { return nil }
        if unsafe address.pointee == UInt8(ascii: "0") {
            unsafe address += 1
        } else {
            guard let next = unsafe skipDigits(address, end) else { return nil }
            unsafe address = unsafe next
        }
        if unsafe address < end, unsafe address.pointee == UInt8(ascii: ".") {
            guard let next = unsafe skipDigits(address + 1, end) else { return nil }
            unsafe address = unsafe next
        }
        guard unsafe address < end, unsafe address.pointee | 0x20 == UInt8(ascii: "e") else { return unsafe address }
        unsafe address += 1
        guard unsafe address < end else { return nil }
        if unsafe address.pointee == UInt8(ascii: "+") || address.pointee == UInt8(ascii: "-") { unsafe address += 1 }
        return unsafe skipDigits(address, end)
    }

    /// The position after a run of digits; nil if there are none.
    @inline(__always)
    private static func skipDigits(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var address = unsafe start
        while unsafe end - address >= 8 {
            let digits = unsafe DigitWord(address).leadingDigits
            unsafe address += digits
            if digits < 8 { return unsafe address == start ? nil : address }
        }
        while unsafe address < end, unsafe address.pointee &- UInt8(ascii: "0") < 10 { unsafe address += 1 }
        return unsafe address == start ? nil : address
    }
}
