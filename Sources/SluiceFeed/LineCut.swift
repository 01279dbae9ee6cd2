// A record that breaks off must not swallow the one on the next line. Text goes in, and the first line break comes out that stands
// inside a value although no JSON has one there: inside a string, or before a bracket where no value may begin.

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif
internal import SluiceCore

/// Looks for the place where a damaged value ends and another begins; may be given the text in pieces.
///
/// Only line breaks with `{` or `[` right behind them are looked at: there a record may begin. Text that is JSON is never cut.
@safe
struct LineCut {
    /// The containers that are open, and whether each is an object.
    private var areObjects: [Bool] = []
    private var isInString = false
    private var isEscaped = false
    /// The last byte outside of strings that is no white space.
    private var last: UInt8 = 0
    /// Bytes of the text that the above is known of, and those that were searched for line breaks.
    private var scanned = 0
    private var searched = 0

    /// The index of the line break at which the value must be cut, or nil if the text so far has no such break.
    ///
    /// - Parameter text: The value from its beginning, or from where it was passed over; all that was given before, and more.
    mutating func first(in text: UnsafeRawBufferPointer) -> Int? {
        guard let base = text.baseAddress else { return nil }
        // Safe: the search ends with the text.
        while searched < text.count,
            let found = unsafe memchr(base + searched, Int32(UInt8(ascii: "\n")), text.count - searched)
        {
            let index = unsafe UnsafeRawPointer(found) - base
            // What stands behind it must be seen.
            guard index + 1 < text.count else {
                searched = index
                return nil
            }
            searched = index + 1
            guard unsafe RecordSplitter.opensContainer(text[index + 1]) else { continue }
            unsafe scan(text, to: index)
            if isDamage { return index }
        }
        searched = text.count
        return nil
    }

    /// The text is passed over; how many of its bytes may go. White space at its end stays: it may stand between two values.
    mutating func pass(over text: UnsafeRawBufferPointer) -> Int {
        let length = unsafe LineCut.lengthWithoutBlanks(text)
        let count = length == 0 && text.count > LineCut.keptBlanks ? text.count - 1 : length
        guard count > 0 else { return 0 }
        unsafe scan(text, to: count)
        scanned = 0
        searched = 0
        return count
    }

    /// White space that is kept.
    private static let keptBlanks = 64 << 10

    /// How many bytes there are before the white space at the end of a text.
    static func lengthWithoutBlanks(_ text: UnsafeRawBufferPointer) -> Int {
        unsafe (text.lastIndex { !JSONWhiteSpace.contains($0) } ?? -1) + 1
    }

    /// Whether no value may begin here.
    private var isDamage: Bool {
        if isInString { return true }
        switch last {
        case UInt8(ascii: "["), UInt8(ascii: ":"): return false
        case UInt8(ascii: ","): return areObjects.last == true
        default: return !areObjects.isEmpty
        }
    }

    private mutating func scan(_ text: UnsafeRawBufferPointer, to end: Int) {
        while scanned < end {
            let byte = unsafe text[scanned]
            scanned += 1
            // The same rule as that of the scan for brackets: a backslash counts wherever it stands.
            if isEscaped {
                isEscaped = false
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { continue }
            }
            switch byte {
            case UInt8(ascii: "\\"):
                isEscaped = true
                continue
            case UInt8(ascii: "\""): isInString.toggle()
            case _ where isInString, UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): areObjects.append(byte == UInt8(ascii: "{"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = areObjects.popLast()
            default: break
            }
            last = byte
        }
    }
}
