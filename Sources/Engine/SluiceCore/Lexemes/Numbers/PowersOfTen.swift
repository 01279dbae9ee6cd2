internal import CScan

/// Powers of ten to 128 bits: takes a decimal exponent, returns the significand by which parsing and formatting a double multiply.
///
/// Worked example: 10^-1 is 0.8 × 2^-3, so its significand, with the first bit at position 127, is 0.8 × 2^128 =
/// `CCCC…CCCD`.
///
/// CScan makes the table when the program is loaded: `powers.c` says how. Powers from 10^0 on are truncated, those below it are rounded
/// up. With these two roundings Eisel–Lemire needs no fallback (Lemire 2021, "Number Parsing at a Gigabyte per
/// Second", https://arxiv.org/abs/2101.11408; Mushtak and Lemire 2022, "Fast Number Parsing Without Fallback",
/// https://arxiv.org/abs/2212.06644). The range covers both directions: -342 is the least exponent at which 19
/// digits still reach a double, 324 is the exponent that the least subnormal is scaled by when it is written.
enum PowersOfTen {
    static let exponents = -342...324

    /// ⌊log2(10^exponent)⌋, verified for every exponent of the table.
    @inline(__always)
    static func binaryExponent(_ exponent: Int) -> Int {
        // Safe: callers pass an exponent of the table, so the product is below 2^28.
        (exponent &* 217_706) &>> 16
    }

    /// The significand of 10^exponent, its highest bit set; `exponent` is in `exponents`.
    @inline(__always)
    static func significand(_ exponent: Int) -> (high: UInt64, low: UInt64) {
        assert(exponents.contains(exponent))
        // The table has these exponents, and no longer changes.
        let power = cscan_power_of_ten(exponent)
        return (power.high, power.low)
    }

    /// 10^exponent where it fits 64 bits; `exponent` is in 0...19.
    @inline(__always)
    static func small(_ exponent: Int) -> UInt64 {
        assert((0...19).contains(exponent))
        // Safe: callers pass a count of digits whose value fits 64 bits, which is below smallPowers.count.
        return unsafe smallPowers.withUnsafeBufferPointer { unsafe $0.baseAddress.unsafelyUnwrapped[exponent] }
    }

    // A literal array of integers becomes constant data in -O builds: no initialiser runs and no swift_once guards an
    // access (checked in the assembly). A tuple would do the same and take the type checker longer;
    // InlineArray needs macOS 26.
    private static let smallPowers: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000,
        1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000, 10_000_000_000_000_000,
        100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]
}
