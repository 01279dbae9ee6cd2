// Whether a label of a host name, decoded, may be registered: the rules of IDNA 2008, computed from Unicode's properties.

enum InternationalLabel {
    static func isValid(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first, let last = label.last, first != "-", last != "-", !isMark(first) else { return false }
        // RFC 5891, section 4.2.3.1.
        if label.count >= 4, label[2] == "-", label[3] == "-" { return false }
        return label.indices.allSatisfy { isAllowed(label, at: $0) } && hasOneDirection(label)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    // MARK: Characters (RFC 5892)

    private static func isAllowed(_ label: [Unicode.Scalar], at index: Int) -> Bool {
        let scalar = label[index]
        let properties = scalar.properties
        switch scalar.value {
        // Section 2.6, exceptions.
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: return true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        // Appendix A: those that need certain neighbours.
        case 0xB7:
            return index > 0 && label[index - 1] == "l" && index + 1 < label.count && label[index + 1] == "l"
        case 0x375: return index + 1 < label.count && ScriptRanges.greek.contains(label[index + 1].value)
        case 0x5F3, 0x5F4: return index > 0 && ScriptRanges.hebrew.contains(label[index - 1].value)
        case 0x30FB: return label.contains { ScriptRanges.japanese.contains($0.value) }
        case 0x660...0x669: return !label.contains { (0x6F0...0x6F9).contains($0.value) }
        case 0x6F0...0x6F9: return !label.contains { (0x660...0x669).contains($0.value) }
        case 0x200C, 0x200D:
            guard index > 0 else { return false }
            if label[index - 1].properties.canonicalCombiningClass == .virama { return true }
            return scalar.value == 0x200C && joins(label[..<index].reversed()) && joins(label[(index + 1)...])
        // Sections 2.4 and 2.9: blocks of signs, and letters of Old Hangul.
        case 0x20D0...0x20FF, 0x1D100...0x1D24F, 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: return false
        case 0x2D, 0x30...0x39, 0x61...0x7A: return true
        default: break
        }
        // Sections 2.2 and 2.3.
        if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint || properties.isWhitespace {
            return false
        }
        // Section 2.1.
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .decimalNumber, .modifierLetter, .nonspacingMark, .spacingMark:
            return true
        default: return false
        }
    }

    /// Whether the nearest scalar that is not a mark is an Arabic letter. Swift does not know Joining_Type, which decides.
    private static func joins(_ neighbours: some Sequence<Unicode.Scalar>) -> Bool {
        neighbours.first { !isMark($0) }.map { ScriptRanges.arabic.contains($0.value) && $0.properties.isAlphabetic } ?? false
    }

    // MARK: Direction (RFC 5893, section 2)

    /// What is written from right to left: Hebrew, Arabic and their neighbours.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            scalar.properties.isAlphabetic && !isMark(scalar)
        default: false
        }
    }

    /// Whether a label with letters of one direction has none of the other one, and begins and ends as the rule says.
    private static func hasOneDirection(_ label: [Unicode.Scalar]) -> Bool {
        guard label.contains(where: isRightToLeft) else { return true }
        guard let first = label.first, isRightToLeft(first), let last = label.last(where: { !isMark($0) }) else { return false }
        let hasOther = label.contains { $0.properties.isAlphabetic && !isRightToLeft($0) && !isMark($0) }
        // Digits of Europe and of Arabia do not meet. The extended ones of Arabic count as Europe's.
        let hasArabicDigits = label.contains { (0x660...0x669).contains($0.value) }
        let hasOtherDigits = label.contains { (0x30...0x39).contains($0.value) || (0x6F0...0x6F9).contains($0.value) }
        return !hasOther && !(hasArabicDigits && hasOtherDigits) && (isRightToLeft(last) || last.properties.numericType != nil)
    }
}
