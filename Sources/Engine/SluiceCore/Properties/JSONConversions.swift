// What a reader does if a scalar has another JSON type than its property.

/// The values of one JSON type that are accepted for another, and how they convert.
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
        /// Nothing is converted: accepts what Foundation's `JSONDecoder` accepts.
        case strict
        /// Values that convert without a loss are converted.
        case lenient
        /// YYModel's own rules, losses included: integers wrap, a string becomes the number that it begins with, or else 0.
        /// They apply to properties. Strings among elements convert as in ``lenient``, and elements that do not fit are left out.
        case yyModel
    }

    /// What happens to an integer that is out of its type's range.
    public enum Overflow: Sendable, Hashable {
        /// It is a mismatch.
        case mismatch
        /// It becomes the nearest value of the type.
        case clamp
        /// Its bits are cut off: 300 becomes 44 in an `Int8`.
        case wrap
    }

    /// The set of rules.
    public var profile: Profile
    /// What happens to an integer that is out of its type's range. With ``Overflow/clamp``, a floating-point number out of range also
    /// becomes the nearest finite one. YYModel's profile always wraps.
    public var overflow: Overflow
    /// Whether a number with a fraction becomes an integer by cutting the fraction off; otherwise only numbers like `7.0` do.
    public var truncatesFractions: Bool
    /// Whether `""` counts as null, except for strings. So do strings of white space, unless the profile is strict.
    public var emptyStringIsNull: Bool
    /// Whether `y n t f on off 1 0` are booleans as well as `true false yes no`.
    public var extendedBooleans: Bool
    /// Whether the strings `"NaN"`, `"Infinity"` and `"-Infinity"` are numbers for `Float` and `Double`; the writer's
    /// ``JSONWriter/Options/NonFinite/strings`` writes them.
    public var nonFiniteStrings: Bool
    /// Whether a number can be a date: seconds, milliseconds or microseconds since 1970, distinguished by their magnitude.
    public var detectsEpochs: Bool

    /// Makes rules from a profile, with the given changes.
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
    /// Values that convert without a loss are converted.
    public static let lenient = JSONConversions(.lenient)
    /// YYModel's own rules.
    public static let yyModel = JSONConversions(.yyModel)
    /// Lenient, and fractions are cut off for integers.
    public static let truncating = JSONConversions(truncatesFractions: true)
}
