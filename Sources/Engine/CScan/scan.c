#include "CScan.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Without an exit the compiler turns the loop into vector instructions; 0x0B and 0x0C become 0 and 1.
static inline __attribute__((always_inline)) bool contains_control_blank(const uint8_t *bytes, size_t count) {
    uint8_t found = 0;
    for (size_t index = 0; index < count; index++) {
        found |= (uint8_t)(bytes[index] - 0x0B) < 2 ? 0xFF : 0;
    }
    return found != 0;
}

static inline __attribute__((always_inline)) size_t count_line_feeds(const uint8_t *bytes, size_t count) {
    size_t total = 0;
    // The lanes of a vector count in a byte each, so up to 255.
    typedef uint8_t lanes __attribute__((vector_size(32)));
    for (size_t vectors; (vectors = count / sizeof(lanes)) > 0; count -= vectors * sizeof(lanes)) {
        if (vectors > 255) vectors = 255;
        lanes found = {0};
        for (size_t left = vectors; left > 0; left--, bytes += sizeof(lanes)) {
            lanes block;
            memcpy(&block, bytes, sizeof block);
            found -= (lanes)(block == '\n');
        }
        for (size_t lane = 0; lane < sizeof(lanes); lane++) total += found[lane];
    }
    while (count > 0) total += bytes[--count] == '\n';
    return total;
}

#if defined(__x86_64__)
// The same loop in wider vectors, too.
#define DEFINE_WIDENED(type, name)                                                                                     \
    __attribute__((target("avx2"))) static type name##_avx2(const uint8_t *bytes, size_t count) {                      \
        return name(bytes, count);                                                                                     \
    }                                                                                                                  \
    type cscan_##name(const uint8_t *bytes, size_t count) {                                                            \
        return cscan_level() == 2 ? name##_avx2(bytes, count) : name(bytes, count);                                    \
    }
#else
#define DEFINE_WIDENED(type, name)                                                                                     \
    type cscan_##name(const uint8_t *bytes, size_t count) { return name(bytes, count); }
#endif
DEFINE_WIDENED(bool, contains_control_blank)
DEFINE_WIDENED(size_t, count_line_feeds)

// What 64 bytes contain, a bit for each.
typedef struct {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t opening;
    uint64_t closing;
} block_masks;

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

// What a block is to the scan if it does not end there, and if it opens more containers than may be open.
enum { GOES_ON = 64, TOO_DEEP = 65 };

// The quotes of a block that are not escaped. Only the first `count` bytes are text, blanks follow.
static inline uint64_t plain_quotes(block_masks masks, unsigned count, cscan_container *state) {
    uint64_t escaped = escaped_bits(masks.backslashes, &state->escaped);
    // The byte that the text's last backslash escapes is a blank here, and the first byte of the next piece.
    if (count < 64) state->escaped = escaped >> count & 1;
    return masks.quotes & ~escaped;
}

// The index in the block of the bracket that brings the depth to 0, or one of those. `parity` is the prefix parity of its quotes.
static inline unsigned skip_block(block_masks masks, uint64_t parity, cscan_container *state) {
    uint64_t inside = parity ^ state->in_string;
    state->in_string = (uint64_t)((int64_t)inside >> 63);
    uint64_t opening = masks.opening & ~inside;
    uint64_t closing = masks.closing & ~inside;
    size_t closings = (size_t)__builtin_popcountll(closing), openings = (size_t)__builtin_popcountll(opening);
    if (closings < state->depth && openings <= state->limit - state->depth) {
        // Even if no container opened here, those that close could not be the last; even if none closed, it would not be too deep.
        state->depth += openings - closings;
        return GOES_ON;
    }
    uint64_t brackets = opening | closing;
    while (brackets != 0) {
        unsigned index = (unsigned)__builtin_ctzll(brackets);
        if (opening >> index & 1) {
            if (++state->depth > state->limit) return TOO_DEEP;
        } else if (--state->depth == 0) {
            return index;
        }
        brackets &= brackets - 1;
    }
    return GOES_ON;
}

// The loop over blocks, the same for all ways of making masks and parities. The last block is padded with blanks.
#define DEFINE_CONTAINER_SCAN(name, make_masks, parity, attributes)                                                    \
    attributes static size_t name(cscan_container *carried, const uint8_t *bytes, size_t count) {                      \
        cscan_container state = *carried;                                                                              \
        size_t offset = 0, found = count;                                                                              \
        unsigned index = GOES_ON;                                                                                      \
        for (; count - offset >= 64; offset += 64) {                                                                   \
            block_masks masks = make_masks(bytes + offset);                                                            \
            index = skip_block(masks, parity(plain_quotes(masks, 64, &state)), &state);                                \
            if (index != GOES_ON) break;                                                                               \
        }                                                                                                              \
        if (index == GOES_ON && offset < count) {                                                                      \
            uint8_t tail[64];                                                                                          \
            memset(tail, ' ', sizeof tail);                                                                            \
            memcpy(tail, bytes + offset, count - offset);                                                              \
            block_masks masks = make_masks(tail);                                                                      \
            index = skip_block(masks, parity(plain_quotes(masks, (unsigned)(count - offset), &state)), &state);        \
        }                                                                                                              \
        if (index < 64) found = offset + index;                                                                        \
        *carried = state;                                                                                              \
        return found;                                                                                                  \
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
DEFINE_CONTAINER_SCAN(container_scan_portable, portable_masks, prefix_parity, )

// MARK: White space between tokens

// What 64 bytes contain, for the scans that look for white space.
typedef struct {
    uint64_t quotes;
    uint64_t backslashes;
    uint64_t blanks;
} blank_masks;

// The white space of a block outside of strings.
static inline uint64_t blanks_between(blank_masks masks, uint64_t parity(uint64_t), uint64_t *in_string, uint64_t *escaped) {
    uint64_t inside = parity(masks.quotes & ~escaped_bits(masks.backslashes, escaped)) ^ *in_string;
    *in_string = (uint64_t)((int64_t)inside >> 63);
    return masks.blanks & ~inside;
}

// Copies up to 64 bytes in steps of 16; both sides have 15 bytes more than are copied.
static inline void copy_run(uint8_t *to, const uint8_t *from, size_t count) {
    for (size_t offset = 0; offset < count; offset += 16) memcpy(to + offset, from + offset, 16);
}

// Copies those of the first `count` bytes of a block that `blanks` has no bit for. Returns the end of the copy.
static inline uint8_t *copy_kept(uint8_t *to, const uint8_t *block, uint64_t blanks, unsigned count) {
    uint64_t kept = count < 64 ? ~blanks & ((1ULL << count) - 1) : ~blanks;
    while (kept != 0) {
        unsigned start = (unsigned)__builtin_ctzll(kept);
        uint64_t run = ~(kept >> start);
        unsigned size = run == 0 ? 64 : (unsigned)__builtin_ctzll(run);
        copy_run(to, block + start, size);
        to += size;
        // The carry clears the run.
        kept &= kept + (1ULL << start);
    }
    return to;
}

// Both loops over blocks, the same for all ways of making masks and parities. The last blocks lie in a copy, after which are blanks.
#define DEFINE_BLANK_SCANS(level, make_masks, parity, attributes)                                                      \
    attributes static size_t first_blank_##level(const uint8_t *bytes, size_t count) {                                 \
        uint64_t in_string = 0, escaped = 0;                                                                           \
        size_t offset = 0;                                                                                             \
        for (; count - offset >= 64; offset += 64) {                                                                   \
            uint64_t blanks = blanks_between(make_masks(bytes + offset), parity, &in_string, &escaped);                \
            if (blanks != 0) return offset + (size_t)__builtin_ctzll(blanks);                                          \
        }                                                                                                              \
        if (offset == count) return count;                                                                             \
        uint8_t tail[64];                                                                                              \
        memset(tail, 0, sizeof tail);                                                                                  \
        memcpy(tail, bytes + offset, count - offset);                                                                  \
        uint64_t blanks = blanks_between(make_masks(tail), parity, &in_string, &escaped);                              \
        return blanks == 0 ? count : offset + (size_t)__builtin_ctzll(blanks);                                         \
    }                                                                                                                  \
    attributes static size_t compact_##level(uint8_t *to, const uint8_t *bytes, size_t count) {                        \
        uint64_t in_string = 0, escaped = 0;                                                                           \
        uint8_t *end = to;                                                                                             \
        size_t offset = 0;                                                                                             \
        /* The steps of a copy read up to 15 bytes after their block. */                                              \
        for (; count - offset >= 80; offset += 64) {                                                                   \
            uint64_t blanks = blanks_between(make_masks(bytes + offset), parity, &in_string, &escaped);                \
            end = copy_kept(end, bytes + offset, blanks, 64);                                                          \
        }                                                                                                              \
        uint8_t tail[144];                                                                                             \
        memset(tail, 0, sizeof tail);                                                                                  \
        memcpy(tail, bytes + offset, count - offset);                                                                  \
        for (size_t place = 0; place < count - offset; place += 64) {                                                  \
            size_t left = count - offset - place;                                                                      \
            uint64_t blanks = blanks_between(make_masks(tail + place), parity, &in_string, &escaped);                  \
            end = copy_kept(end, tail + place, blanks, left < 64 ? (unsigned)left : 64);                               \
        }                                                                                                              \
        return (size_t)(end - to);                                                                                     \
    }

static inline blank_masks portable_blank_masks(const uint8_t *bytes) {
    blank_masks masks = {0, 0, 0};
    for (int index = 0; index < 64; index++) {
        uint8_t byte = bytes[index];
        masks.quotes |= (uint64_t)(byte == '"') << index;
        masks.backslashes |= (uint64_t)(byte == '\\') << index;
        masks.blanks |= (uint64_t)(byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t') << index;
    }
    return masks;
}
DEFINE_BLANK_SCANS(portable, portable_blank_masks, prefix_parity, )

// MARK: UTF-8

// Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
static bool is_utf8_portable(const uint8_t *bytes, size_t count) {
    size_t index = 0;
    while (index < count) {
        uint8_t lead = bytes[index];
        if (lead < 0x80) {
            index++;
            continue;
        }
        size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || count - index < length) return false;
        uint8_t second = bytes[index + 1];
        uint8_t lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < lowest || second > highest) return false;
        for (size_t tail = 2; tail < length; tail++) {
            if ((bytes[index + tail] & 0xC0) != 0x80) return false;
        }
        index += length;
    }
    return true;
}

// The vectors' way (Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte", 2020): what is wrong with two
// neighbouring bytes is a bit that all three tables give for their half bytes.
enum {
    TOO_SHORT = 1 << 0,
    TOO_LONG = 1 << 1,
    OVERLONG_3 = 1 << 2,
    TOO_LARGE = 1 << 3,
    SURROGATE = 1 << 4,
    OVERLONG_2 = 1 << 5,
    // Never wrong for the same first byte.
    TOO_LARGE_1000 = 1 << 6,
    OVERLONG_4 = 1 << 6,
    TWO_TAILS = 1 << 7,
    // What the first byte's low half has nothing to do with.
    ANY_LOW = TOO_SHORT | TOO_LONG | TWO_TAILS,
    LARGE_LOW = ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    TAIL = TOO_LONG | OVERLONG_2 | TWO_TAILS,
};

static const uint8_t first_high[16] = {
    TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TWO_TAILS, TWO_TAILS, TWO_TAILS,
    TWO_TAILS, TOO_SHORT | OVERLONG_2, TOO_SHORT, TOO_SHORT | OVERLONG_3 | SURROGATE,
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
};
static const uint8_t first_low[16] = {
    ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4, ANY_LOW | OVERLONG_2, ANY_LOW, ANY_LOW, ANY_LOW | TOO_LARGE,
    LARGE_LOW, LARGE_LOW, LARGE_LOW, LARGE_LOW, LARGE_LOW, LARGE_LOW, LARGE_LOW, LARGE_LOW, LARGE_LOW | SURROGATE,
    LARGE_LOW, LARGE_LOW,
};
static const uint8_t second_high[16] = {
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
    TAIL | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4, TAIL | OVERLONG_3 | TOO_LARGE, TAIL | SURROGATE | TOO_LARGE,
    TAIL | SURROGATE | TOO_LARGE, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
};

// The loop over blocks. The last block is padded with zeros, of which there is at least one, so that nothing ends incomplete.
#define DEFINE_IS_UTF8(name, width, vector, load, zero, errors, is_zero, or, attributes)                               \
    attributes static bool name(const uint8_t *bytes, size_t count) {                                                  \
        vector previous = zero, wrong = zero;                                                                          \
        size_t offset = 0;                                                                                             \
        for (; count - offset >= width; offset += width) {                                                             \
            vector block = load(bytes + offset);                                                                       \
            wrong = or(wrong, errors(block, previous));                                                                \
            previous = block;                                                                                          \
        }                                                                                                              \
        uint8_t tail[width] = {0};                                                                                     \
        memcpy(tail, bytes + offset, count - offset);                                                                  \
        return is_zero(or(wrong, errors(load(tail), previous)));                                                       \
    }

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
DEFINE_CONTAINER_SCAN(container_scan_baseline, sse2_masks, prefix_parity, )

static inline blank_masks sse2_blank_masks(const uint8_t *bytes) {
    __m128i block[4];
    for (int part = 0; part < 4; part++) block[part] = _mm_loadu_si128((const __m128i *)(bytes + 16 * part));
    uint64_t blanks = equal64(block, ' ') | equal64(block, '\n') | equal64(block, '\r') | equal64(block, '\t');
    blank_masks masks = {equal64(block, '"'), equal64(block, '\\'), blanks};
    return masks;
}
DEFINE_BLANK_SCANS(baseline, sse2_blank_masks, prefix_parity, )

#define AVX2 __attribute__((target("avx2,popcnt,bmi,pclmul")))

// The carry-less product with all bits set is the prefix parity.
__attribute__((target("pclmul"))) static inline uint64_t prefix_parity_pclmul(uint64_t bits) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), _mm_set1_epi8((char)0xFF), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

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
DEFINE_CONTAINER_SCAN(container_scan_avx2, avx2_masks, prefix_parity_pclmul, AVX2)

// Each white space character is in the table at the index of its low four bits (simdjson's way).
AVX2 static inline __m256i blanks_avx2(__m256i block) {
    const __m256i table = _mm256_setr_epi8(
        ' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1, ' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1,
        '\r', -1, -1);
    return _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, block), block);
}

AVX2 static inline blank_masks avx2_blank_masks(const uint8_t *bytes) {
    __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
    uint32_t first = (uint32_t)_mm256_movemask_epi8(blanks_avx2(low));
    uint32_t second = (uint32_t)_mm256_movemask_epi8(blanks_avx2(high));
    blank_masks masks = {
        equal64_avx2(low, high, '"'), equal64_avx2(low, high, '\\'), first | (uint64_t)second << 32};
    return masks;
}
DEFINE_BLANK_SCANS(avx2, avx2_blank_masks, prefix_parity_pclmul, AVX2)

AVX2 static inline __m256i utf8_load_avx2(const uint8_t *bytes) { return _mm256_loadu_si256((const __m256i *)bytes); }
AVX2 static inline bool utf8_is_zero_avx2(__m256i bits) { return _mm256_testz_si256(bits, bits); }

AVX2 static inline __m256i utf8_table_avx2(const uint8_t table[16]) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

AVX2 static inline __m256i utf8_errors_avx2(__m256i block, __m256i previous) {
    const __m256i low_half = _mm256_set1_epi8(0x0F);
    __m256i across = _mm256_permute2x128_si256(previous, block, 0x21);
    __m256i before = _mm256_alignr_epi8(block, across, 15);
    __m256i special = _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(utf8_table_avx2(first_high), _mm256_and_si256(_mm256_srli_epi16(before, 4), low_half)),
            _mm256_shuffle_epi8(utf8_table_avx2(first_low), _mm256_and_si256(before, low_half))),
        _mm256_shuffle_epi8(utf8_table_avx2(second_high), _mm256_and_si256(_mm256_srli_epi16(block, 4), low_half)));
    // Only after the lead of three or four bytes may two tails follow each other, and there they must.
    __m256i third = _mm256_subs_epu8(_mm256_alignr_epi8(block, across, 14), _mm256_set1_epi8((char)(0xE0 - 0x80)));
    __m256i fourth = _mm256_subs_epu8(_mm256_alignr_epi8(block, across, 13), _mm256_set1_epi8((char)(0xF0 - 0x80)));
    __m256i tails = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(tails, special);
}
DEFINE_IS_UTF8(
    is_utf8_avx2, 32, __m256i, utf8_load_avx2, _mm256_setzero_si256(), utf8_errors_avx2, utf8_is_zero_avx2, _mm256_or_si256,
    AVX2)

int cscan_level(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul") ? 2 : 1;
}

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
DEFINE_CONTAINER_SCAN(container_scan_baseline, neon_masks, prefix_parity, )

static inline blank_masks neon_blank_masks(const uint8_t *bytes) {
    uint8x16_t block[4];
    for (int part = 0; part < 4; part++) block[part] = vld1q_u8(bytes + 16 * part);
    uint64_t blanks = equal64(block, ' ') | equal64(block, '\n') | equal64(block, '\r') | equal64(block, '\t');
    blank_masks masks = {equal64(block, '"'), equal64(block, '\\'), blanks};
    return masks;
}
DEFINE_BLANK_SCANS(baseline, neon_blank_masks, prefix_parity, )

static inline bool utf8_is_zero_neon(uint8x16_t bits) { return vmaxvq_u8(bits) == 0; }

static inline uint8x16_t utf8_errors_neon(uint8x16_t block, uint8x16_t previous) {
    uint8x16_t before = vextq_u8(previous, block, 15);
    uint8x16_t special = vandq_u8(
        vandq_u8(vqtbl1q_u8(vld1q_u8(first_high), vshrq_n_u8(before, 4)), vqtbl1q_u8(vld1q_u8(first_low), vandq_u8(before, vdupq_n_u8(0x0F)))),
        vqtbl1q_u8(vld1q_u8(second_high), vshrq_n_u8(block, 4)));
    // Only after the lead of three or four bytes may two tails follow each other, and there they must.
    uint8x16_t third = vqsubq_u8(vextq_u8(previous, block, 14), vdupq_n_u8(0xE0 - 0x80));
    uint8x16_t fourth = vqsubq_u8(vextq_u8(previous, block, 13), vdupq_n_u8(0xF0 - 0x80));
    return veorq_u8(vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)), special);
}
DEFINE_IS_UTF8(
    is_utf8_neon, 16, uint8x16_t, vld1q_u8, vdupq_n_u8(0), utf8_errors_neon, utf8_is_zero_neon, vorrq_u8, )

int cscan_level(void) { return 1; }

#else

int cscan_level(void) { return 0; }

#endif

size_t cscan_container_scan_at_level(int level, cscan_container *state, const uint8_t *bytes, size_t count) {
    switch (level < cscan_level() ? level : cscan_level()) {
#if defined(__x86_64__)
    case 2: return container_scan_avx2(state, bytes, count);
#endif
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__ARM_NEON))
    case 1: return container_scan_baseline(state, bytes, count);
#endif
    default: return container_scan_portable(state, bytes, count);
    }
}

size_t cscan_container_scan(cscan_container *state, const uint8_t *bytes, size_t count) {
    return cscan_container_scan_at_level(cscan_level(), state, bytes, count);
}

size_t cscan_container_end(const uint8_t *bytes, size_t count, size_t limit) {
    cscan_container state = {0, 0, 1, limit};
    return cscan_container_scan(&state, bytes, count);
}

size_t cscan_first_blank_at_level(int level, const uint8_t *bytes, size_t count) {
    switch (level < cscan_level() ? level : cscan_level()) {
#if defined(__x86_64__)
    case 2: return first_blank_avx2(bytes, count);
#endif
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__ARM_NEON))
    case 1: return first_blank_baseline(bytes, count);
#endif
    default: return first_blank_portable(bytes, count);
    }
}

size_t cscan_first_blank(const uint8_t *bytes, size_t count) { return cscan_first_blank_at_level(cscan_level(), bytes, count); }

size_t cscan_compact_at_level(int level, uint8_t *to, const uint8_t *bytes, size_t count) {
    switch (level < cscan_level() ? level : cscan_level()) {
#if defined(__x86_64__)
    case 2: return compact_avx2(to, bytes, count);
#endif
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__ARM_NEON))
    case 1: return compact_baseline(to, bytes, count);
#endif
    default: return compact_portable(to, bytes, count);
    }
}

size_t cscan_compact(uint8_t *to, const uint8_t *bytes, size_t count) { return cscan_compact_at_level(cscan_level(), to, bytes, count); }

bool cscan_is_utf8_at_level(int level, const uint8_t *bytes, size_t count) {
#if defined(__x86_64__)
    // SSE2 has no shuffle to look half bytes up with.
    if (level == 2 && cscan_level() == 2) return is_utf8_avx2(bytes, count);
#elif defined(__aarch64__) && defined(__ARM_NEON)
    if (level == 1) return is_utf8_neon(bytes, count);
#endif
    return is_utf8_portable(bytes, count);
}

bool cscan_is_utf8(const uint8_t *bytes, size_t count) { return cscan_is_utf8_at_level(cscan_level(), bytes, count); }
