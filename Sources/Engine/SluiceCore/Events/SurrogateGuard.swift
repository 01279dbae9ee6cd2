// Upstream yajl 2.1.0 skips the byte after an escaped high surrogate without its other half. It may then take plain text for an
// escape, fail an assertion, or read past the end of the string (CVE-2017-16516; YAJL.md, P5). Distributions fixed this without a
// new version number, so the version does not show which yajl is loaded. Therefore this guard completes such a surrogate with
// another half before any yajl gets it. The text that yajl then decodes is never used, because Sluice checks the token's own text
// first.

/// Follows the escapes of a text that comes in pieces, and completes surrogate pairs.
///
/// Every backslash escapes the byte after it. That is true inside strings, and a backslash anywhere else ends the text with an error.
struct SurrogateGuard {
    /// Where in an escape the text ends that has been seen so far.
    private enum Phase {
        case text
        /// After a backslash.
        case escape
        /// Inside the four digits of a `\u`.
        case digits
        /// After an escaped high surrogate.
        case high
        /// After a backslash that follows an escaped high surrogate.
        case highEscape
    }

    private var phase = Phase.text
    /// The digits of the `\u` that are still to come.
    private var digitsLeft = 0
    /// Whether the digits so far are those of a high surrogate; never for the second half of a pair.
    private var isHigh = false
    private var beginsLikeSurrogate = false
    /// Whether an escape so far was a surrogate. If none was, no string has half a pair.
    private(set) var hasSurrogate = false

    private static let backslash = UInt8(ascii: "\\")

    /// Passes the next piece of a text to `body` in parts, until `body` returns something other than `.ok`. Each part comes with
    /// the range of the piece that it replaces, and with ``hasSurrogate``.
    ///
    /// A part is a range of the piece itself, or a copy with longer text that ends at the same byte.
    mutating func forEachPart(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Range<Int>, Bool) -> YajlStatus
    ) -> YajlStatus {
        var index = 0
        while let surrogate = unsafe firstLoneSurrogate(in: text, from: index) {
            let before = unsafe pass(text, index..<surrogate, body)
            guard before == .ok else { return before }
            // No more than the string is copied: in smaller parts, the parser would scan it again for each surrogate.
            var string: [UInt8] = []
            unsafe index = complete(text, from: surrogate, into: &string)
            let status = unsafe string.withUnsafeBytes { unsafe body($0, surrogate..<index, hasSurrogate) }
            guard status == .ok else { return status }
        }
        return unsafe pass(text, index..<text.count, body)
    }

    private func pass(
        _ text: UnsafeRawBufferPointer, _ part: Range<Int>, _ body: (UnsafeRawBufferPointer, Range<Int>, Bool) -> YajlStatus
    ) -> YajlStatus {
        unsafe part.isEmpty ? .ok : body(UnsafeRawBufferPointer(rebasing: text[part]), part, hasSurrogate)
    }

    /// Takes the text from `start` on. Returns the index of the first byte that shows that a high surrogate stands alone, or nil.
    private mutating func firstLoneSurrogate(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var index = start
        while index < text.count {
            if phase == .text {
                unsafe index = UnicodeValidation.firstBackslash(in: text, from: index)
                guard index < text.count else { return nil }
            }
            guard unsafe take(text[index]) else { return index }
            index += 1
        }
        return nil
    }

    /// Copies the text from a byte that `firstLoneSurrogate` has returned up to the end of its string, or of the text. In the
    /// copy, each high surrogate that stands alone is followed by an escaped question mark. Returns the index after the copied text.
    private mutating func complete(_ text: UnsafeRawBufferPointer, from start: Int, into copy: inout [UInt8]) -> Int {
        var index = start
        while index < text.count {
            let byte = unsafe text[index]
            if phase == .text, byte == UInt8(ascii: "\"") {
                copy.append(byte)
                return index + 1
            }
            if !take(byte) {
                // A backslash that yajl has already seen becomes that of the other half, and is then repeated.
                copy.append(contentsOf: Array((phase == .highEscape ? #"u003f\"# : #"\u003f"#).utf8))
                phase = phase == .highEscape ? .escape : .text
                continue
            }
            copy.append(byte)
            index += 1
        }
        return index
    }

    /// Takes one byte. If it shows that a high surrogate stands alone, returns false and changes nothing.
    @inline(__always)
    private mutating func take(_ byte: UInt8) -> Bool {
        switch phase {
        case .text:
            if byte == Self.backslash { phase = .escape }
        case .escape:
            beginDigits(after: byte, mayBeHigh: true)
        case .digits:
            takeDigit(byte)
        case .high:
            guard byte == Self.backslash else { return false }
            phase = .highEscape
        case .highEscape:
            guard byte == UInt8(ascii: "u") else { return false }
            // yajl joins the surrogate with any escape of this kind.
            beginDigits(after: byte, mayBeHigh: false)
        }
        return true
    }

    @inline(__always)
    private mutating func beginDigits(after byte: UInt8, mayBeHigh: Bool) {
        phase = byte == UInt8(ascii: "u") ? .digits : .text
        digitsLeft = 4
        isHigh = mayBeHigh
    }

    @inline(__always)
    private mutating func takeDigit(_ byte: UInt8) {
        // A byte that is not a digit is an error, and the text after it is not parsed.
        if digitsLeft == 4 { beginsLikeSurrogate = byte | 0x20 == UInt8(ascii: "d") }
        if digitsLeft == 3 {
            // Surrogates are D800 to DFFF, and the high ones among them end at DBFF.
            if beginsLikeSurrogate, byte >= UInt8(ascii: "8") { hasSurrogate = true }
            isHigh =
                isHigh && beginsLikeSurrogate && (byte == UInt8(ascii: "8") || byte == UInt8(ascii: "9") || Self.isAOrB(byte))
        }
        digitsLeft &-= 1
        if digitsLeft == 0 { phase = isHigh ? .high : .text }
    }

    private static func isAOrB(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "b")).contains(byte | 0x20) }
}
