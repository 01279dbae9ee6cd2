// What a reader does with a scalar of another JSON type than its property has.

/// Which values of one JSON type are taken for another, and how.
///
/// ```swift
/// @JSONModel
/// struct Item {
///     var price: Double                                // lenient, the default: 12.5 and "12.5"
///     @JSONConvert(.strict) var count: Int             // 3, not "3"
///     @JSONConvert(.truncating) var stars: Int         // 4.7 → 4
/// }
/// ```
///
/// | value | `Int` | `Bool` | `Double` | `String` |
/// |---|---|---|---|---|
/// | `true` | 1 | true | 1 | `"true"` |
/// | `7` | 7 | only 0 and 1 | 7 | `"7"` |
/// | `7.50` | mismatch | mismatch | 7.5 | `"7.50"`, as written |
/// | `" 42 "` | 42 | mismatch | 42 | itself |
/// | `"Yes"` | 1 | true | 1 | itself |
/// | `"12abc"` | mismatch | mismatch | mismatch | itself |
/// | `"(null)"` | as null | as null | as null | itself |
public struct JSONConversions: Sendable, Hashable {
    /// The set of rules.
    public enum Profile: Sendable, Hashable {
        /// Nothing is converted: what Foundation's `JSONDecoder` accepts.
        case strict
        /// What converts without a loss is converted.
        case lenient
        /// YYModel's own rules, losses included: integers wrap, text is read as far as it is a number, and text that is not a number becomes 0.
        /// That holds for properties; text among elements converts as in ``lenient``, and elements that do not fit are left out.
        case yyModel
    }

    /// What becomes of an integer that its type has no room for.
    public enum Overflow: Sendable, Hashable {
        /// It is a mismatch.
        case mismatch
        /// It becomes the nearest value that the type has.
        case clamp
        /// Its bits are cut off: 300 becomes 44 in an `Int8`.
        case wrap
    }

    /// The set of rules.
    public var profile: Profile
    /// What becomes of an integer that its type has no room for; of a floating-point number beyond the finite ones, where it is
    /// ``Overflow/clamp``. YYModel's profile always wraps.
    public var overflow: Overflow
    /// Whether a fraction becomes an integer by cutting it off towards zero; otherwise only `7.0` does.
    public var truncatesFractions: Bool
    /// Whether `""` counts as null, except for strings. Strings of white space do too, unless the profile is strict.
    public var emptyStringIsNull: Bool
    /// Whether `y n t f on off 1 0` are booleans as well as `true false yes no`.
    public var extendedBooleans: Bool
    /// Whether the strings `"NaN"`, `"Infinity"` and `"-Infinity"` are numbers for `Float` and `Double`; the writer's
    /// ``JSONWriter/Options/NonFinite/strings`` writes them.
    public var nonFiniteStrings: Bool
    /// Whether a number is a date: seconds, milliseconds or microseconds since 1970, told apart by their magnitude.
    public var detectsEpochs: Bool

    /// Rules that differ from a profile in what is named.
    public init(
        _ profile: Profile = .lenient, overflow: Overflow = .mismatch, truncatesFractions: Bool = false,
        emptyStringIsNull: Bool = false, extendedBooleans: Bool = false, nonFiniteStrings: Bool = false,
        detectsEpochs: Bool = false
    ) {
        self.profile = profile
        self.overflow = overflow
        self.truncatesFractions = truncatesFractions
        self.emptyStringIsNull = emptyStringIsNull
        self.extendedBooleans = extendedBooleans
        self.nonFiniteStrings = nonFiniteStrings
        self.detectsEpochs = detectsEpochs
    }

    /// Nothing is converted.
    public static let strict = JSONConversions(.strict)
    /// What converts without a loss is converted.
    public static let lenient = JSONConversions(.lenient)
    /// YYModel's own rules.
    public static let yyModel = JSONConversions(.yyModel)
    /// Lenient, and fractions are cut off for integers.
    public static let truncating = JSONConversions(truncatesFractions: true)
    /// Lenient, and integers become the nearest that their type has.
    public static let clamping = JSONConversions(overflow: .clamp)
    /// Lenient, and integers keep the bits that their type has room for.
    public static let wrapping = JSONConversions(overflow: .wrap)
}
