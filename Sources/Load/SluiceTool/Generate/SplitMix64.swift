// Random numbers from a seed: the same on every platform and with every release of Swift, which the standard library's generators
// do not promise.

#if CommandLine

/// SplitMix64: a counter and a mixing function. https://prng.di.unimi.it/splitmix64.c
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// 64 random bits.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    /// A number from 0 up to, but not including, `bound`. The bias of the one multiplication is below 2⁻³², too small to matter
    /// in a feed.
    mutating func next(below bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// True in `count` out of `outOf` cases on average.
    mutating func happens(_ count: Int, outOf: Int) -> Bool { next(below: outOf) < count }
}
#endif
