// What `\p{…}` means: the name of a property goes in, and a set of code points comes out. The properties are those that Swift's
// standard library knows, in its version of Unicode.

/// Sets of code points by the names that ECMA-262 gives to properties of Unicode.
enum UnicodeProperties {
    enum Lookup {
        case set(ScalarSet)
        /// The property exists, or may exist, but Swift does not know it.
        case unsupported(String)
        case unknown(String)
    }

    /// The set of `\p{text}`.
    static func lookUp(_ text: String) -> Lookup {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2 {
            let (key, value) = (parts[0], parts[1])
            switch key {
            case "General_Category", "gc":
                if let set = category(value) { return .set(set) }
                return .unknown("there is no general category '\(value)'" + meant(value, among: categoryNames))
            case "Script", "sc":
                if let set = ScriptRanges.sets[value] { return .set(set) }
                return .unsupported(
                    "the script '\(value)' is not known here" + meant(value, among: Array(ScriptRanges.sets.keys)))
            case "Script_Extensions", "scx":
                return .unsupported("the property Script_Extensions is not supported; Script is")
            default:
                return .unknown(
                    "there is no property '\(key)' with values" + meant(key, among: ["General_Category", "Script"]))
            }
        }
        if let set = category(text) { return .set(set) }
        if let set = binary(text) { return .set(set) }
        if unsupported.contains(text[...]) { return .unsupported("the property '\(text)' is not supported") }
        if ScriptRanges.sets[text] != nil { return .unknown("a script is written 'Script=\(text)'") }
        return .unknown("there is no property '\(text)'" + meant(text, among: categoryNames + binaryNames))
    }

    private static func meant(_ name: String, among names: [String]) -> String {
        // Short names are too alike to guess.
        KeyLikeness.closest(to: name, among: names.filter { $0.utf8.count > 4 }.sorted()).map { "; did you mean '\($0)'?" } ?? ""
    }

    // MARK: General categories

    private static let categories: [(category: Unicode.GeneralCategory, names: [String])] = [
        (.uppercaseLetter, ["Lu", "Uppercase_Letter"]), (.lowercaseLetter, ["Ll", "Lowercase_Letter"]),
        (.titlecaseLetter, ["Lt", "Titlecase_Letter"]), (.modifierLetter, ["Lm", "Modifier_Letter"]),
        (.otherLetter, ["Lo", "Other_Letter"]), (.nonspacingMark, ["Mn", "Nonspacing_Mark"]),
        (.spacingMark, ["Mc", "Spacing_Mark"]), (.enclosingMark, ["Me", "Enclosing_Mark"]),
        (.decimalNumber, ["Nd", "Decimal_Number", "digit"]), (.letterNumber, ["Nl", "Letter_Number"]),
        (.otherNumber, ["No", "Other_Number"]), (.connectorPunctuation, ["Pc", "Connector_Punctuation"]),
        (.dashPunctuation, ["Pd", "Dash_Punctuation"]), (.openPunctuation, ["Ps", "Open_Punctuation"]),
        (.closePunctuation, ["Pe", "Close_Punctuation"]), (.initialPunctuation, ["Pi", "Initial_Punctuation"]),
        (.finalPunctuation, ["Pf", "Final_Punctuation"]), (.otherPunctuation, ["Po", "Other_Punctuation"]),
        (.mathSymbol, ["Sm", "Math_Symbol"]), (.currencySymbol, ["Sc", "Currency_Symbol"]),
        (.modifierSymbol, ["Sk", "Modifier_Symbol"]), (.otherSymbol, ["So", "Other_Symbol"]),
        (.spaceSeparator, ["Zs", "Space_Separator"]), (.lineSeparator, ["Zl", "Line_Separator"]),
        (.paragraphSeparator, ["Zp", "Paragraph_Separator"]), (.control, ["Cc", "Control", "cntrl"]),
        (.format, ["Cf", "Format"]), (.surrogate, ["Cs", "Surrogate"]), (.privateUse, ["Co", "Private_Use"]),
        (.unassigned, ["Cn", "Unassigned"]),
    ]

    /// The names that stand for several categories. The short name of each of these begins with the given letter.
    private static let groups: [(letter: Character, names: [String])] = [
        ("L", ["L", "Letter"]), ("M", ["M", "Mark", "Combining_Mark"]), ("N", ["N", "Number"]),
        ("P", ["P", "Punctuation", "punct"]), ("S", ["S", "Symbol"]), ("Z", ["Z", "Separator"]), ("C", ["C", "Other"]),
    ]

    private static let categoryNames = categories.flatMap(\.names) + groups.flatMap(\.names) + ["LC", "Cased_Letter"]

    private static func category(_ name: String) -> ScalarSet? {
        var wanted = categories.filter { $0.names.contains(name) }
        if let group = groups.first(where: { $0.names.contains(name) }) {
            wanted = categories.filter { $0.names[0].first == group.letter }
        } else if name == "LC" || name == "Cased_Letter" {
            wanted = categories.filter { ["Lu", "Ll", "Lt"].contains($0.names[0]) }
        }
        guard !wanted.isEmpty else { return nil }
        var set = scalars(named: name) { properties in wanted.contains { $0.category == properties.generalCategory } }
        // Surrogates are no scalars, so Swift has no properties of them.
        if wanted.contains(where: { $0.category == .surrogate }) { set = ScalarSet(set.ranges + [0xD800...0xDFFF]) }
        return set
    }

    // MARK: Properties that are true or false

    private typealias Test = @Sendable (Unicode.Scalar.Properties) -> Bool

    private static let tests: [(names: [String], test: Test)] = [
        (["Alphabetic", "Alpha"], { $0.isAlphabetic }), (["ASCII_Hex_Digit", "AHex"], { $0.isASCIIHexDigit }),
        (["Cased"], { $0.isCased }), (["Dash"], { $0.isDash }), (["Emoji"], { $0.isEmoji }),
        (["Default_Ignorable_Code_Point", "DI"], { $0.isDefaultIgnorableCodePoint }),
        (["Emoji_Presentation", "EPres"], { $0.isEmojiPresentation }), (["Hex_Digit", "Hex"], { $0.isHexDigit }),
        (["ID_Continue", "IDC"], { $0.isIDContinue }), (["ID_Start", "IDS"], { $0.isIDStart }),
        (["Ideographic", "Ideo"], { $0.isIdeographic }), (["Lowercase", "Lower"], { $0.isLowercase }),
        (["Math"], { $0.isMath }), (["Noncharacter_Code_Point", "NChar"], { $0.isNoncharacterCodePoint }),
        (["Unified_Ideograph", "UIdeo"], { $0.isUnifiedIdeograph }), (["Uppercase", "Upper"], { $0.isUppercase }),
        (["Variation_Selector", "VS"], { $0.isVariationSelector }), (["White_Space", "space"], { $0.isWhitespace }),
        (["XID_Continue", "XIDC"], { $0.isXIDContinue }), (["XID_Start", "XIDS"], { $0.isXIDStart }),
    ]

    private static let binaryNames = tests.flatMap(\.names) + ["Any", "ASCII", "Assigned"]

    /// The other ones of ECMA-262, table 67: Swift does not know them, or hardly any pattern asks for them.
    private static let unsupported = """
        Bidi_C Bidi_Control Bidi_M Bidi_Mirrored CI CWCF CWCM CWKCF CWL CWT CWU Case_Ignorable Changes_When_Casefolded
        Changes_When_Casemapped Changes_When_Lowercased Changes_When_NFKC_Casefolded Changes_When_Titlecased Changes_When_Uppercased
        Dep Deprecated Dia Diacritic EBase EComp EMod Emoji_Component Emoji_Modifier Emoji_Modifier_Base ExtPict
        Extended_Pictographic Ext Extender Gr_Base Grapheme_Base Gr_Ext Grapheme_Extend IDSB IDST IDS_Binary_Operator
        IDS_Trinary_Operator Join_C Join_Control LOE Logical_Order_Exception Pat_Syn Pat_WS Pattern_Syntax Pattern_White_Space
        QMark Quotation_Mark RI Radical Regional_Indicator SD STerm Sentence_Terminal Soft_Dotted Term Terminal_Punctuation
        """.split { $0 == " " || $0 == "\n" }

    private static func binary(_ name: String) -> ScalarSet? {
        switch name {
        case "Any": return .any
        case "ASCII": return ScalarSet([0...0x7F])
        case "Assigned": return category("Cn")?.inverted
        default:
            guard let test = tests.first(where: { $0.names.contains(name) })?.test else { return nil }
            return scalars(named: name, where: test)
        }
    }

    // MARK: Sets

    private static let lock = Lock()
    /// The sets made so far; their number is limited, because only names of the tables above get in.
    nonisolated(unsafe) private static var made: [String: ScalarSet] = [:]

    /// The scalars for which a test is true. Each set is made once, in a few milliseconds.
    private static func scalars(named name: String, where test: (Unicode.Scalar.Properties) -> Bool) -> ScalarSet {
        // Safe: the dictionary is used only while the lock is held.
        if let set = lock.withLock({ unsafe made[name] }) { return set }
        var ranges: [ScalarSet.Range] = []
        var next: UInt32 = 0
        while next <= ScalarSet.last {
            // In planes 4 to 13, 15 and 16, Unicode tells only the last two code points of a plane from the others.
            let (plane, low) = (next >> 16, next & 0xFFFF)
            let isUniform = plane >= 4 && plane != 14 && low < 0xFFFE
            let end = isUniform ? plane << 16 | 0xFFFD : next
            if let scalar = Unicode.Scalar(next), test(scalar.properties) { ranges.append(next...end) }
            next = end + 1
        }
        let set = ScalarSet(ranges)
        lock.withLock { unsafe made[name] = set }
        return set
    }
}
