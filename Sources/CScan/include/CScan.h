// Scans over bytes that are worth vector instructions. Plain C, no state, no allocation; the Swift side owns all memory.

#ifndef CSCAN_H
#define CSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// Whether one of `count` bytes is a vertical tab or a form feed.
bool cscan_contains_control_blank(const uint8_t *bytes, size_t count);

/// What a scan for the end of a container carries from one piece of text to the next.
///
/// Only quotes, backslashes and brackets are looked at; `{` and `[` count alike, and so do `}` and `]`. A backslash takes from the
/// byte behind it the power to begin or end a string, wherever it stands: JSON has no backslash outside strings, but damaged text
/// may, and then every way of reading must find the same end. A bracket counts unless it stands inside a string.
typedef struct {
    /// All ones inside a string, else 0.
    uint64_t in_string;
    /// 1 if the next byte is escaped, else 0.
    uint64_t escaped;
    /// Containers that are open.
    size_t depth;
    /// Containers that may be open.
    size_t limit;
} cscan_container;

/// Goes on in the next piece of text; the index of the bracket with which the last open container closes, or `count` if it does
/// not close there. The depth must be at least 1 and at most the limit. It is 0 behind the last bracket. Where more containers open
/// than may be open, the scan ends: the depth is then above the limit.
size_t cscan_container_scan(cscan_container *state, const uint8_t *bytes, size_t count);

/// The same by the implementation of a level, for tests: 0 portable, 1 the baseline's vectors, 2 AVX2; of the highest that the
/// machine has, if that is lower.
size_t cscan_container_scan_at_level(int level, cscan_container *state, const uint8_t *bytes, size_t count);

/// The index of the bracket that closes a container whose opening bracket precedes `bytes`, or `count` if it does not close
/// there, or if more than `limit` containers are open before it does: a scan of one piece.
size_t cscan_container_end(const uint8_t *bytes, size_t count, size_t limit);

/// `cscan_container_end` by the implementation of a level, for tests. A level that the machine lacks gives -1.
size_t cscan_container_end_at_level(int level, const uint8_t *bytes, size_t count, size_t limit);

/// Whether the bytes are valid UTF-8 (Unicode 15, table 3-7).
bool cscan_is_utf8(const uint8_t *bytes, size_t count);

/// The same by the implementation of a level, for tests; a level that the machine lacks is done by the portable one.
bool cscan_is_utf8_at_level(int level, const uint8_t *bytes, size_t count);

/// The highest level that this machine has.
int cscan_level(void);

/// 16 bytes of a string: bit n of the low half is set if byte n ends the plain run (a quote, a backslash or a control
/// character), bit n of the high half if it is not ASCII.
static inline uint32_t cscan_string16(const uint8_t *bytes) {
#if defined(__SSE2__)
    __m128i block = _mm_loadu_si128((const __m128i *)bytes);
    __m128i quote = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    __m128i backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    // Unsigned `block <= 0x1F`: the minimum of both is the block itself.
    __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    uint32_t special = (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control));
    return special | (uint32_t)_mm_movemask_epi8(block) << 16;
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t block = vld1q_u8(bytes);
    uint8x16_t special = vorrq_u8(
        vorrq_u8(vceqq_u8(block, vdupq_n_u8('"')), vceqq_u8(block, vdupq_n_u8('\\'))), vcltq_u8(block, vdupq_n_u8(0x20)));
    uint8x16_t high = vcgeq_u8(block, vdupq_n_u8(0x80));
    uint8x16_t pair = vpaddq_u8(vandq_u8(special, weights), vandq_u8(high, weights));
    pair = vpaddq_u8(pair, pair);
    pair = vpaddq_u8(pair, pair);
    return vgetq_lane_u32(vreinterpretq_u32_u8(pair), 0);
#else
    uint32_t mask = 0;
    for (int index = 0; index < 16; index++) {
        uint8_t byte = bytes[index];
        mask |= (uint32_t)(byte == '"' || byte == '\\' || byte < 0x20) << index;
        mask |= (uint32_t)(byte >> 7) << (16 + index);
    }
    return mask;
#endif
}

/// 16 bytes of text: bit n is set if byte n is not JSON white space.
static inline uint32_t cscan_nonblank16(const uint8_t *bytes) {
#if defined(__SSE2__)
    __m128i block = _mm_loadu_si128((const __m128i *)bytes);
    __m128i space = _mm_cmpeq_epi8(block, _mm_set1_epi8(' '));
    __m128i tab = _mm_cmpeq_epi8(block, _mm_set1_epi8('\t'));
    __m128i feed = _mm_cmpeq_epi8(block, _mm_set1_epi8('\n'));
    __m128i carriage = _mm_cmpeq_epi8(block, _mm_set1_epi8('\r'));
    __m128i blank = _mm_or_si128(_mm_or_si128(space, tab), _mm_or_si128(feed, carriage));
    return ~(uint32_t)_mm_movemask_epi8(blank) & 0xFFFF;
#else
    uint32_t mask = 0;
    for (int index = 0; index < 16; index++) {
        uint8_t byte = bytes[index];
        mask |= (uint32_t)(byte != ' ' && byte != '\t' && byte != '\n' && byte != '\r') << index;
    }
    return mask;
#endif
}

#endif
