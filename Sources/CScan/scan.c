#include "CScan.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

bool cscan_contains_control_blank(const uint8_t *bytes, size_t count) {
    // Without an exit the compiler turns the loop into vector instructions; 0x0B and 0x0C become 0 and 1.
    uint8_t found = 0;
    for (size_t index = 0; index < count; index++) {
        found |= (uint8_t)(bytes[index] - 0x0B) < 2;
    }
    return found != 0;
}

// What 64 bytes contain, a bit for each.
typedef struct {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t opening;
    uint64_t closing;
} block_masks;

// What one block tells the next.
typedef struct {
    // All ones while the text is inside a string.
    uint64_t in_string;
    // 1 if the block's first byte is escaped.
    uint64_t escaped;
    // Containers open inside the one that is skipped, and that one itself.
    size_t depth;
} skip_state;

// The bits of bytes that a backslash escapes (Langdale and Lemire, "Parsing Gigabytes of JSON per Second", section 3.1.1:
// runs of backslashes are told apart by whether they start at an even or an odd place).
static inline uint64_t escaped_bits(uint64_t backslashes, uint64_t *carry) {
    if (backslashes == 0) {
        uint64_t escaped = *carry;
        *carry = 0;
        return escaped;
    }
    const uint64_t even = 0x5555555555555555ULL;
    backslashes &= ~*carry;
    uint64_t follows = backslashes << 1 | *carry;
    uint64_t odd_starts = backslashes & ~even & ~follows;
    uint64_t sequences_on_even;
    *carry = __builtin_add_overflow(odd_starts, backslashes, &sequences_on_even);
    return (even ^ (sequences_on_even << 1)) & follows;
}

// Bit n becomes the parity of bits 0 to n: between an opening quote and its closing one, all are set.
static inline uint64_t prefix_parity(uint64_t bits) {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

// The index in the block of the bracket that brings the depth to 0, or 64.
static inline unsigned skip_block(block_masks masks, skip_state *state) {
    uint64_t quotes = masks.quotes & ~escaped_bits(masks.backslashes, &state->escaped);
    uint64_t inside = prefix_parity(quotes) ^ state->in_string;
    state->in_string = (uint64_t)((int64_t)inside >> 63);
    uint64_t opening = masks.opening & ~inside;
    uint64_t closing = masks.closing & ~inside;
    size_t closings = (size_t)__builtin_popcountll(closing);
    if (closings < state->depth) {
        // Even if no container opened here, those that close could not be the last.
        state->depth += (size_t)__builtin_popcountll(opening) - closings;
        return 64;
    }
    uint64_t brackets = opening | closing;
    while (brackets != 0) {
        unsigned index = (unsigned)__builtin_ctzll(brackets);
        if (opening >> index & 1) {
            state->depth++;
        } else if (--state->depth == 0) {
            return index;
        }
        brackets &= brackets - 1;
    }
    return 64;
}

// Whether the container closes soon and holds no deep ones. The depth is looked at once a block, which has room for a few more.
#define DEFINE_IS_SMALL(name, make_masks, attributes)                                                                  \
    attributes static bool name(const uint8_t *bytes, size_t count, size_t depth) {                                    \
        skip_state state = {0, 0, 1};                                                                                  \
        size_t offset = 0;                                                                                             \
        for (; count - offset >= 64; offset += 64) {                                                                   \
            if (skip_block(make_masks(bytes + offset), &state) < 64) return true;                                      \
            if (state.depth > depth) return false;                                                                     \
        }                                                                                                              \
        if (count == offset) return false;                                                                             \
        uint8_t tail[64];                                                                                              \
        memset(tail, ' ', sizeof tail);                                                                                \
        memcpy(tail, bytes + offset, count - offset);                                                                  \
        return skip_block(make_masks(tail), &state) < 64;                                                              \
    }

// The loop over blocks, the same for all ways of making masks. The last block is padded with blanks.
#define DEFINE_CONTAINER_END(name, make_masks, attributes)                                                             \
    attributes static size_t name(const uint8_t *bytes, size_t count) {                                                \
        skip_state state = {0, 0, 1};                                                                                  \
        size_t offset = 0;                                                                                             \
        for (; count - offset >= 64; offset += 64) {                                                                   \
            unsigned index = skip_block(make_masks(bytes + offset), &state);                                           \
            if (index < 64) return offset + index;                                                                     \
        }                                                                                                              \
        uint8_t tail[64];                                                                                              \
        memset(tail, ' ', sizeof tail);                                                                                \
        memcpy(tail, bytes + offset, count - offset);                                                                  \
        unsigned index = skip_block(make_masks(tail), &state);                                                         \
        return index < 64 ? offset + index : count;                                                                    \
    }

static inline block_masks portable_masks(const uint8_t *bytes) {
    block_masks masks = {0, 0, 0, 0};
    for (int index = 0; index < 64; index++) {
        uint8_t byte = bytes[index];
        masks.quotes |= (uint64_t)(byte == '"') << index;
        masks.backslashes |= (uint64_t)(byte == '\\') << index;
        // `[` and `{`, `]` and `}` differ in one bit only.
        masks.opening |= (uint64_t)((byte | 0x20) == '{') << index;
        masks.closing |= (uint64_t)((byte | 0x20) == '}') << index;
    }
    return masks;
}
DEFINE_CONTAINER_END(container_end_portable, portable_masks, )
DEFINE_IS_SMALL(is_small_portable, portable_masks, )

#if defined(__x86_64__)

static inline uint64_t equal64(const __m128i block[4], char value) {
    __m128i wanted = _mm_set1_epi8(value);
    uint64_t mask = 0;
    for (int part = 0; part < 4; part++) {
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block[part], wanted)) << (16 * part);
    }
    return mask;
}

static inline block_masks sse2_masks(const uint8_t *bytes) {
    __m128i block[4], folded[4];
    for (int part = 0; part < 4; part++) {
        block[part] = _mm_loadu_si128((const __m128i *)(bytes + 16 * part));
        folded[part] = _mm_or_si128(block[part], _mm_set1_epi8(0x20));
    }
    block_masks masks = {equal64(block, '"'), equal64(block, '\\'), equal64(folded, '{'), equal64(folded, '}')};
    return masks;
}
DEFINE_CONTAINER_END(container_end_baseline, sse2_masks, )
DEFINE_IS_SMALL(is_small_baseline, sse2_masks, )

#define AVX2 __attribute__((target("avx2,popcnt,bmi")))

AVX2 static inline uint64_t equal64_avx2(__m256i low, __m256i high, char value) {
    __m256i wanted = _mm256_set1_epi8(value);
    uint32_t first = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
    uint32_t second = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));
    return first | (uint64_t)second << 32;
}

AVX2 static inline block_masks avx2_masks(const uint8_t *bytes) {
    __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
    __m256i fold = _mm256_set1_epi8(0x20);
    __m256i folded_low = _mm256_or_si256(low, fold), folded_high = _mm256_or_si256(high, fold);
    block_masks masks = {
        equal64_avx2(low, high, '"'), equal64_avx2(low, high, '\\'), equal64_avx2(folded_low, folded_high, '{'),
        equal64_avx2(folded_low, folded_high, '}')};
    return masks;
}
DEFINE_CONTAINER_END(container_end_avx2, avx2_masks, AVX2)
DEFINE_IS_SMALL(is_small_avx2, avx2_masks, AVX2)

int cscan_level(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? 2 : 1; }

#elif defined(__aarch64__) && defined(__ARM_NEON)

static inline uint64_t equal64(const uint8x16_t block[4], uint8_t value) {
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t wanted = vdupq_n_u8(value);
    uint8x16_t first = vpaddq_u8(
        vandq_u8(vceqq_u8(block[0], wanted), weights), vandq_u8(vceqq_u8(block[1], wanted), weights));
    uint8x16_t second = vpaddq_u8(
        vandq_u8(vceqq_u8(block[2], wanted), weights), vandq_u8(vceqq_u8(block[3], wanted), weights));
    first = vpaddq_u8(first, second);
    first = vpaddq_u8(first, first);
    return vgetq_lane_u64(vreinterpretq_u64_u8(first), 0);
}

static inline block_masks neon_masks(const uint8_t *bytes) {
    uint8x16_t block[4], folded[4];
    for (int part = 0; part < 4; part++) {
        block[part] = vld1q_u8(bytes + 16 * part);
        folded[part] = vorrq_u8(block[part], vdupq_n_u8(0x20));
    }
    block_masks masks = {equal64(block, '"'), equal64(block, '\\'), equal64(folded, '{'), equal64(folded, '}')};
    return masks;
}
DEFINE_CONTAINER_END(container_end_baseline, neon_masks, )
DEFINE_IS_SMALL(is_small_baseline, neon_masks, )

int cscan_level(void) { return 1; }

#else

int cscan_level(void) { return 0; }

#endif

size_t cscan_container_end_at_level(int level, const uint8_t *bytes, size_t count) {
    if (level > cscan_level()) return (size_t)-1;
    switch (level) {
#if defined(__x86_64__)
    case 2: return container_end_avx2(bytes, count);
#endif
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__ARM_NEON))
    case 1: return container_end_baseline(bytes, count);
#endif
    default: return container_end_portable(bytes, count);
    }
}

size_t cscan_container_end(const uint8_t *bytes, size_t count) {
    return cscan_container_end_at_level(cscan_level(), bytes, count);
}

bool cscan_is_small(const uint8_t *bytes, size_t count, size_t depth) {
#if defined(__x86_64__)
    return cscan_level() == 2 ? is_small_avx2(bytes, count, depth) : is_small_baseline(bytes, count, depth);
#elif defined(__aarch64__) && defined(__ARM_NEON)
    return is_small_baseline(bytes, count, depth);
#else
    return is_small_portable(bytes, count, depth);
#endif
}
