// The powers of ten to 128 bits, made once when the program is loaded: 300,000 instructions instead of 10 kB of numbers in the source. And
// the digits of small integers.
//
// - exponent >= 0: the first 128 bits of the power, truncated (exact up to 10^55);
// - exponent < 0: floor(2^b / 10^-exponent) + 1, with the b that puts the result into 2^127 ..< 2^128: rounded up, never exact.
//
// A power of ten has the digits of the power of five, whose numbers are smaller. So 5^n is made by multiplication, which is exact, and
// 2^992 / 5^n by division. There, the floor of a floor is the floor of the whole, so nothing is lost from one step to the next.

#include "CScan.h"

cscan_power cscan_powers[CSCAN_LARGEST_POWER - CSCAN_SMALLEST_POWER + 1];
uint32_t cscan_small_integers[CSCAN_SMALL_INTEGERS];

__attribute__((constructor)) static void make_small_integers(void) {
    for (uint32_t value = 0; value < CSCAN_SMALL_INTEGERS; value++) {
        uint32_t digits = 0, count = 0, rest = value;
        do {
            digits = digits << 8 | '0' | rest % 10;
            count++;
        } while ((rest /= 10) > 0);
        cscan_small_integers[value] = digits | count << 24;
    }
}

// A number of 1024 bits, the lowest 32 first: 5^342 has 795 bits, and 2^992 / 5^342 still has 198.
enum { LIMBS = 32 };

static uint64_t limb(const uint32_t *limbs, int index) { return index < 0 ? 0 : limbs[index]; }

// The first 128 bits of a number that is not 0.
static cscan_power leading_bits(const uint32_t *limbs) {
    int top = LIMBS - 1;
    while (limbs[top] == 0) top--;
    int zeros = __builtin_clz(limbs[top]);
    uint64_t words[2];
    for (int word = 0; word < 2; word++, top -= 2) {
        words[word] = (limb(limbs, top) << 32 | limb(limbs, top - 1)) << zeros | limb(limbs, top - 2) << zeros >> 32;
    }
    return (cscan_power){words[0], words[1]};
}

__attribute__((constructor)) static void make_powers(void) {
    uint32_t power[LIMBS] = {1}, inverse[LIMBS] = {[LIMBS - 1] = 1};
    for (int exponent = 0; exponent <= -CSCAN_SMALLEST_POWER; exponent++) {
        if (exponent <= CSCAN_LARGEST_POWER) cscan_powers[exponent - CSCAN_SMALLEST_POWER] = leading_bits(power);
        if (exponent > 0) {
            cscan_power floor = leading_bits(inverse);
            cscan_powers[-exponent - CSCAN_SMALLEST_POWER] = (cscan_power){floor.high + (floor.low == UINT64_MAX), floor.low + 1};
        }
        uint64_t carry = 0, rest = 0;
        for (int index = 0; index < LIMBS; index++) {
            carry += (uint64_t)power[index] * 5;
            power[index] = (uint32_t)carry;
            carry >>= 32;
            rest = rest << 32 | inverse[LIMBS - 1 - index];
            inverse[LIMBS - 1 - index] = (uint32_t)(rest / 5);
            rest %= 5;
        }
    }
}
