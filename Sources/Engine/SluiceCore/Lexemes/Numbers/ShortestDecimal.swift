// Computes the shortest decimal digits of a float from its significand and exponent.

internal import CScan

/// The shortest decimal between the midpoints to a float's two neighbours; among the shortest, the one closest to the float.
///
/// Let the float be v and 10^k the power of ten just below the distance to its neighbour. Multiples of 10^(k+1) are farther
/// apart than that, so at most one lies in the interval; if one does, it is the shortest, its trailing zeros dropped.
/// Otherwise the result is v, rounded to a multiple of 10^k (Giulietti, "The Schubfach way to render doubles",
/// https://drive.google.com/file/d/1IEeATSVnEE6TkrHlCYNY2GjaraBjOT4f).
///
/// One multiplication gives v / 10^k, its integer part in one word and 64 bits of fraction in another. Half the neighbour
/// distance in the same unit is the power of ten itself, shifted. Comparing these decides all cases except those where two
/// sides agree to 60 bits, mostly exact ties. Those go to Schubfach proper, whose three products are rounded so that
/// comparisons are exact.
///
/// The result keeps the last digit apart from those before it, as the computation does. If a multiple of ten is chosen, `last` is 0.
struct ShortestDecimal {
    /// All digits but the last: 15 or 16 for a normal `Double`, 6 to 8 for a `Float`.
    var leading: UInt64
    /// The last digit.
    var last: UInt64
    /// The power of ten that the last digit counts.
    var exponent: Int

    /// The shortest decimal of binarySignificand × 2^binaryExponent; nil if only `init(exactly:)` can decide it. The significand is not a
    /// power of two.
    @inline(__always)
    init?(_ binarySignificand: UInt64, _ binaryExponent: Int) {
        // ⌊log10(2^e)⌋; holds for every exponent of a double.
        let k = (binaryExponent &* 315_653) &>> 20
        let power = PowersOfTen.significand(0 &- k)
        // 0...3, as 2^e / 10^k is in 1 ..< 10.
        let shift = UInt64(truncatingIfNeeded: binaryExponent &+ PowersOfTen.binaryExponent(0 &- k))
        let scaled = binarySignificand &<< (shift &+ 1)
        let product = scaled.multipliedFullWidth(by: power.high)
        let (fraction, carry) = product.low.addingReportingOverflow(scaled.multipliedFullWidth(by: power.low).high)
        let whole = product.high &+ (carry ? 1 : 0)

        // Distances in units of 2^-60, each less than two units off: from v to the multiple of ten below, to the one above, and half
        // the distance to a neighbour.
        let tenth = whole / 10
        let unit = whole &- tenth &* 10
        let below = unit &<< 60 | fraction &>> 4
        let above = 10 &<< 60 &- below
        let half = power.high &>> (4 &- shift)
        let nearer = min(below, above)
        let middle: UInt64 = 1 &<< 63
        if nearer &- half &+ 2 <= 4 || fraction &- middle &+ 4 <= 8 { return nil }
        // No branch, because the condition cannot be predicted. Rounding up a 9 never happens: the multiple above would be near enough.
        let isTens = nearer < half
        leading = cscan_select(isTens, tenth &+ (above < below ? 1 : 0), tenth)
        last = cscan_select(isTens, 0, unit &+ fraction &>> 63)
        exponent = k
    }

    /// Schubfach: all values in quarters, products rounded to odd (sections 9.4 to 9.9 of the paper).
    @inline(never)
    init(exactly binarySignificand: UInt64, _ binaryExponent: Int, isUneven: Bool) {
        // ⌊log10(2^e)⌋, or ⌊log10(3/4 × 2^e)⌋ where the interval is that much narrower.
        let k = (binaryExponent &* 1_262_611 &- (isUneven ? 524_031 : 0)) &>> 22
        let power = PowersOfTen.significand(0 &- k)
        // The proof needs the power always rounded up; the table does that only for negative exponents. Safe: no positive entry
        // ends in all ones.
        let low = power.low &+ (k <= 0 ? 1 : 0)
        let shift = UInt64(truncatingIfNeeded: binaryExponent &+ PowersOfTen.binaryExponent(0 &- k) &+ 1)

        func product(_ quarters: UInt64) -> UInt64 {
            let scaled = quarters &<< shift
            let high = scaled.multipliedFullWidth(by: power.high)
            let (rest, carry) = high.low.addingReportingOverflow(scaled.multipliedFullWidth(by: low).high)
            return (high.high &+ (carry ? 1 : 0)) | (rest > 1 ? 1 : 0)
        }
        let quarters = binarySignificand &<< 2
        // A bound is a tie, and ties read back as the even neighbour: so an odd significand excludes its bounds.
        let open = binarySignificand & 1
        let lower = product(quarters &- (isUneven ? 1 : 2)) &+ open
        let upper = product(quarters &+ 2) &- open
        let value = product(quarters)

        exponent = k
        let whole = value &>> 2
        let (tenth, unit) = whole.quotientAndRemainder(dividingBy: 10)
        let hasTensBelow = lower <= (tenth &* 10) &<< 2
        if hasTensBelow != ((tenth &* 10 &+ 10) &<< 2 <= upper) {
            (leading, last) = (hasTensBelow ? tenth : tenth &+ 1, 0)
            return
        }
        let hasBelow = lower <= whole &<< 2
        // If both or neither lie in the interval: the closer one, or the even one of two equally close.
        let middle = whole &<< 2 &+ 2
        let isUp =
            hasBelow != ((whole &+ 1) &<< 2 <= upper)
            ? !hasBelow : value > middle || (value == middle && whole & 1 == 1)
        (leading, last) = isUp && unit == 9 ? (tenth &+ 1, 0) : (tenth, isUp ? unit &+ 1 : unit)
    }
}
