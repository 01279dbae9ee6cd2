import Testing

@testable import SluiceCore

@Suite struct PowersOfTenTests {
    /// A number without a sign, of any size: the lowest 32 bits first, and no 0 at the end.
    private struct Natural: Comparable {
        var limbs: [UInt32]

        init(_ value: UInt128) {
            limbs = (0..<4).map { UInt32(truncatingIfNeeded: value >> (32 * $0)) }
            trim()
        }

        var bitWidth: Int { limbs.count * 32 - (limbs.last?.leadingZeroBitCount ?? 0) }

        mutating func trim() { while limbs.last == 0 { limbs.removeLast() } }

        static func * (left: Natural, right: Natural) -> Natural {
            var product = Natural(0)
            product.limbs = Array(repeating: 0, count: left.limbs.count + right.limbs.count)
            for (index, limb) in left.limbs.enumerated() {
                var carry: UInt64 = 0
                for (otherIndex, other) in right.limbs.enumerated() {
                    carry += UInt64(limb) * UInt64(other) + UInt64(product.limbs[index + otherIndex])
                    product.limbs[index + otherIndex] = UInt32(truncatingIfNeeded: carry)
                    carry >>= 32
                }
                product.limbs[index + right.limbs.count] = UInt32(carry)
            }
            product.trim()
            return product
        }

        func adding(_ other: Natural) -> Natural {
            var (sum, carry) = (self, 0 as UInt64)
            for index in 0..<max(limbs.count, other.limbs.count) + 1 {
                carry +=
                    UInt64(index < limbs.count ? limbs[index] : 0) + UInt64(index < other.limbs.count ? other.limbs[index] : 0)
                if index == sum.limbs.count { sum.limbs.append(0) }
                sum.limbs[index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
            sum.trim()
            return sum
        }

        static func powerOfTwo(_ exponent: Int) -> Natural {
            var power = Natural(1 << (exponent % 32))
            power.limbs.insert(contentsOf: repeatElement(0, count: exponent / 32), at: 0)
            return power
        }

        static func < (left: Natural, right: Natural) -> Bool {
            left.limbs.count == right.limbs.count
                ? left.limbs.reversed().lexicographicallyPrecedes(right.limbs.reversed()) : left.limbs.count < right.limbs.count
        }
    }

    @Test func everyPowerOfTheTableIsTheNearestOneOnItsSide() {
        var power = Natural(1)
        for exponent in 0...342 {
            let width = power.bitWidth
            for sign in exponent == 0 ? [1] : [1, -1] where PowersOfTen.exponents.contains(sign * exponent) {
                let (high, low) = PowersOfTen.significand(sign * exponent)
                let significand = UInt128(high) << 64 | UInt128(low)
                #expect(high >> 63 == 1, "\(sign * exponent)")
                if sign > 0 {
                    // significand <= power / 2^(width - 128) < significand + 1, with both sides times 2^128.
                    let scaled = power * .powerOfTwo(128)
                    let unit = Natural.powerOfTwo(width)
                    #expect(Natural(significand) * unit <= scaled, "\(exponent)")
                    #expect(scaled < (Natural(significand) * unit).adding(unit), "\(exponent)")
                } else {
                    // significand - 1 <= 2^(width + 127) / power < significand
                    let scaled = Natural.powerOfTwo(width + 127)
                    #expect(Natural(significand - 1) * power <= scaled && scaled < Natural(significand) * power, "-\(exponent)")
                }
            }
            power = power * Natural(10)
        }
    }
}
