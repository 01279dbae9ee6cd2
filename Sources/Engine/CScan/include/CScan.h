// Scans over bytes, and the writing of digits, where vector instructions pay off; and the powers of ten. Plain C, no state that
// changes, no allocation; the Swift side owns all memory.

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

/// Makes an object of a Swift class: a function of Swift's runtime, whose ABI is stable (docs/Runtime.md of Swift).
void *swift_allocObject(const void *type, size_t size, size_t alignment_mask);

/// Whether one of `count` bytes is a vertical tab or a form feed.
bool cscan_contains_control_blank(const uint8_t *bytes, size_t count);

/// How many of `count` bytes are line feeds.
size_t cscan_count_line_feeds(const uint8_t *bytes, size_t count);

/// What a scan for the end of a container carries from one piece of text to the next.
///
/// Only quotes, backslashes and brackets are looked at; `{` and `[` count alike, and so do `}` and `]`. A quote after a backslash
/// never begins or ends a string, not even outside strings: JSON has no backslash there, but damaged text may, and then every way of
/// reading must find the same end. A bracket counts unless it is inside a string.
typedef struct {
    /// All ones inside a string, else 0.
    uint64_t in_string;
    /// 1 if the next byte is escaped, else 0.
    uint64_t escaped;
    /// How many containers are open.
    size_t depth;
    /// How many containers may be open.
    size_t limit;
} cscan_container;

/// Scans the next piece of text. Returns the index of the bracket that closes the last open container, or `count` if it does not
/// close there. The depth must be at least 1 and at most the limit; it is 0 after the last bracket. If more containers open than the
/// limit allows, the scan ends with a depth above the limit, and returns `count`.
size_t cscan_container_scan(cscan_container *state, const uint8_t *bytes, size_t count);

/// `cscan_container_scan` with the implementation of a level, for tests: 0 portable, 1 the baseline's vectors, 2 AVX2. Instead of a
/// level that the machine lacks, its highest is used.
size_t cscan_container_scan_at_level(int level, cscan_container *state, const uint8_t *bytes, size_t count);

/// The index of the bracket that closes a container whose opening bracket precedes `bytes`, or `count` if it does not close
/// there, or if more than `limit` containers are open before it does: a scan of one piece.
size_t cscan_container_end(const uint8_t *bytes, size_t count, size_t limit);

/// The index of the first white space between two tokens of a JSON text, or `count` if there is none. Quotes and backslashes count as
/// for `cscan_container`.
size_t cscan_first_blank(const uint8_t *bytes, size_t count);

/// Copies a JSON text without the white space between its tokens. Returns how many bytes were written; there must be room for
/// `CSCAN_COMPACT_SLACK` bytes more than `count`.
size_t cscan_compact(uint8_t *to, const uint8_t *bytes, size_t count);

enum { CSCAN_COMPACT_SLACK = 64 };

/// Both with the implementation of a level, for tests.
size_t cscan_first_blank_at_level(int level, const uint8_t *bytes, size_t count);
size_t cscan_compact_at_level(int level, uint8_t *to, const uint8_t *bytes, size_t count);

/// Whether the bytes are valid UTF-8 (Unicode 15, table 3-7).
bool cscan_is_utf8(const uint8_t *bytes, size_t count);

/// `cscan_is_utf8` with the implementation of a level, for tests. For a level that has none here, the portable one is used.
bool cscan_is_utf8_at_level(int level, const uint8_t *bytes, size_t count);

/// The highest level that this machine has: 0, 1 or 2.
int cscan_level(void);

/// Masks of 16 bytes of a string: bit n of the low half is set if byte n ends the plain run (a quote, a backslash or a control
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

/// Whether the first `count` bytes of a text are those of a pattern; `count` is at least 1, and both have 16 readable bytes.
static inline bool cscan_begins_with(const uint8_t *text, const uint8_t *pattern, size_t count) {
#if defined(__SSE2__)
    uint32_t differing = ~(uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)text), _mm_loadu_si128((const __m128i *)pattern)));
    if (count <= 16) return (differing & ((1u << count) - 1)) == 0;
    if ((differing & 0xFFFF) != 0) return false;
    // The last 16 bytes overlap those before them.
    for (size_t offset = 16; offset < count; offset += 16) {
        size_t start = offset + 16 <= count ? offset : count - 16;
        __m128i block = _mm_loadu_si128((const __m128i *)(text + start));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_loadu_si128((const __m128i *)(pattern + start)))) != 0xFFFF) return false;
    }
    return true;
#elif defined(__aarch64__) && defined(__ARM_NEON)
    uint8x16_t differing = veorq_u8(vld1q_u8(text), vld1q_u8(pattern));
    if (count <= 16) {
        const uint8x16_t places = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
        return vmaxvq_u8(vandq_u8(differing, vcltq_u8(places, vdupq_n_u8((uint8_t)count)))) == 0;
    }
    // The last 16 bytes overlap those before them.
    for (size_t offset = 16; offset < count; offset += 16) {
        size_t start = offset + 16 <= count ? offset : count - 16;
        differing = vorrq_u8(differing, veorq_u8(vld1q_u8(text + start), vld1q_u8(pattern + start)));
    }
    return vmaxvq_u8(differing) == 0;
#else
    for (size_t index = 0; index < count; index++) {
        if (text[index] != pattern[index]) return false;
    }
    return true;
#endif
}

/// The same, if bit n of `free` is set where byte n of the first 16 need not be equal: from `count` on, and from 16 on.
static inline bool cscan_begins_with_key(const uint8_t *text, const uint8_t *pattern, size_t count, uint32_t free) {
#if defined(__SSE2__)
    uint32_t equal = (uint32_t)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)text), _mm_loadu_si128((const __m128i *)pattern)));
    return (equal | free) == UINT32_MAX && (count <= 16 || cscan_begins_with(text, pattern, count));
#else
    (void)free;
    return cscan_begins_with(text, pattern, count);
#endif
}

/// A mask of 16 bytes of text: bit n is set if byte n is neither a space nor a line feed, which make up most white space.
static inline uint32_t cscan_nonspace16(const uint8_t *bytes) {
#if defined(__SSE2__)
    __m128i block = _mm_loadu_si128((const __m128i *)bytes);
    __m128i space = _mm_cmpeq_epi8(block, _mm_set1_epi8(' '));
    __m128i feed = _mm_cmpeq_epi8(block, _mm_set1_epi8('\n'));
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(space, feed)) ^ 0xFFFF;
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t block = vld1q_u8(bytes);
    uint8x16_t blank = vorrq_u8(vceqq_u8(block, vdupq_n_u8(' ')), vceqq_u8(block, vdupq_n_u8('\n')));
    uint8x16_t sums = vandq_u8(vmvnq_u8(blank), weights);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
#else
    uint32_t mask = 0;
    for (int index = 0; index < 16; index++) mask |= (uint32_t)(bytes[index] != ' ' && bytes[index] != '\n') << index;
    return mask;
#endif
}

/// Marks in a word of eight bytes: the result is not 0 if, and only if, one of the bytes needs an escape in a JSON string.
static inline uint64_t cscan_escape_marks(uint64_t word) {
    const uint64_t ones = 0x0101010101010101;
    // A byte below n borrows from its top bit when n is subtracted; bytes above 127 are excluded by `~word`.
    uint64_t control = (word - ones * 0x20) & ~word;
    uint64_t quote = word ^ ones * '"';
    uint64_t backslash = word ^ ones * '\\';
    return (control | ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash)) & ones << 7;
}

#if defined(__SSE2__)
/// All ones in each byte that needs no escape in a JSON string. XOR with 2 exchanges blank and quote, so that the bytes up to the blank are
/// then the quote and the control characters; XOR with 128 makes the signed comparison an unsigned one.
static inline __m128i cscan_plain_bytes(__m128i block) {
    __m128i others = _mm_cmpgt_epi8(_mm_xor_si128(block, _mm_set1_epi8(2 - 128)), _mm_set1_epi8(0x20 - 128));
    return _mm_andnot_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('\\')), others);
}
#endif

/// Copies 8 to 15 bytes as two words, which may overlap. Returns `count`, or 0 if one of the bytes needs an escape.
static inline size_t cscan_copy_words(uint8_t *to, const uint8_t *from, size_t count) {
    uint64_t first, last;
    __builtin_memcpy(&first, from, 8);
    __builtin_memcpy(&last, from + count - 8, 8);
    if ((cscan_escape_marks(first) | cscan_escape_marks(last)) != 0) return 0;
    __builtin_memcpy(to, &first, 8);
    __builtin_memcpy(to + count - 8, &last, 8);
    return count;
}

/// Whether one of the first `count` bytes of 16 needs an escape in a JSON string; `count` is below 16, and the first byte is the
/// lowest one of `first`.
static inline bool cscan_needs_escape(uint64_t first, uint64_t second, size_t count) {
#if defined(__SSE2__)
    __m128i block = _mm_set_epi64x((int64_t)second, (int64_t)first);
    // The bits from `count` on do not matter. A shift by `count` would need their inverse.
    return (((uint32_t)_mm_movemask_epi8(cscan_plain_bytes(block)) ^ 0xFFFF) & ((1u << count) - 1)) != 0;
#else
    // Bytes after the end count as blanks.
    const uint64_t blanks = 0x2020202020202020;
    if (count < 8) {
        first |= blanks << 8 * count;
        second = blanks;
    } else {
        second |= blanks << 8 * (count - 8);
    }
    return (cscan_escape_marks(first) | cscan_escape_marks(second)) != 0;
#endif
}

/// A mask of 16 bytes of a string: bit n is set if byte n needs an escape in JSON.
static inline uint32_t cscan_escapes16(const uint8_t *bytes) {
#if defined(__SSE2__)
    __m128i block = _mm_loadu_si128((const __m128i *)bytes);
    return (uint32_t)_mm_movemask_epi8(cscan_plain_bytes(block)) ^ 0xFFFF;
#else
    return cscan_string16(bytes) & 0xFFFF;
#endif
}

/// Copies two blocks of 16 bytes of a string, which may overlap. Returns whether one of the bytes needs an escape in JSON.
static inline bool cscan_copy_blocks(uint8_t *to, const uint8_t *from, uint8_t *to_last, const uint8_t *from_last) {
#if defined(__SSE2__)
    __m128i first = _mm_loadu_si128((const __m128i *)from), last = _mm_loadu_si128((const __m128i *)from_last);
    _mm_storeu_si128((__m128i *)to, first);
    _mm_storeu_si128((__m128i *)to_last, last);
    return _mm_movemask_epi8(_mm_and_si128(cscan_plain_bytes(first), cscan_plain_bytes(last))) != 0xFFFF;
#else
    __builtin_memcpy(to, from, 16);
    __builtin_memcpy(to_last, from_last, 16);
    return (cscan_escapes16(from) | cscan_escapes16(from_last)) != 0;
#endif
}

/// Copies a string's bytes up to the first that needs an escape in JSON (a quote, a backslash or a control character), and returns
/// how many those are: `count` if none needs one. From a string of fewer than 16 bytes with such a byte nothing is copied: 0.
/// Reads `count` bytes, and writes none after `to + count`.
static inline size_t cscan_copy_plain(uint8_t *restrict to, const uint8_t *restrict from, size_t count) {
    if (count >= 16) {
        size_t index = 0, last = count - 16;
        // In each round the next 32 bytes; in the last one the rest, some of which may have been copied before, and were plain.
        while (index + 16 < last && !cscan_copy_blocks(to + index, from + index, to + index + 16, from + index + 16)) index += 32;
        if (index + 16 >= last) {
            if (index > last) index = last;
            if (!cscan_copy_blocks(to + index, from + index, to + last, from + last)) return count;
        }
        uint32_t special = cscan_escapes16(from + index);
        if (special != 0) return index + (size_t)__builtin_ctz(special);
        index = index + 16 < last ? index + 16 : last;
        return index + (size_t)__builtin_ctz(cscan_escapes16(from + index));
    }
    if (count >= 8) return cscan_copy_words(to, from, count);
    if (count >= 4) {
        // Two halves, which may overlap.
        uint32_t first, last;
        __builtin_memcpy(&first, from, 4);
        __builtin_memcpy(&last, from + count - 4, 4);
        if (cscan_escape_marks((uint64_t)first | (uint64_t)last << 32) != 0) return 0;
        __builtin_memcpy(to, &first, 4);
        __builtin_memcpy(to + count - 4, &last, 4);
        return count;
    }
    for (size_t index = 0; index < count; index++) {
        if (from[index] < 0x20 || from[index] == '"' || from[index] == '\\') return 0;
        to[index] = from[index];
    }
    return count;
}

/// A mask of 16 bytes of a string: bit n is set if byte n is a slash.
static inline uint32_t cscan_slashes16(const uint8_t *bytes) {
#if defined(__SSE2__)
    __m128i block = _mm_loadu_si128((const __m128i *)bytes);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('/')));
#elif defined(__aarch64__) && defined(__ARM_NEON)
    const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t sums = vandq_u8(vceqq_u8(vld1q_u8(bytes), vdupq_n_u8('/')), weights);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
#else
    uint32_t mask = 0;
    for (int index = 0; index < 16; index++) mask |= (uint32_t)(bytes[index] == '/') << index;
    return mask;
#endif
}

/// How many bytes have been read, and how many written.
typedef struct {
    size_t read;
    size_t written;
} cscan_copied;

/// Copies fewer than 16 bytes as `cscan_copy_slashed` does; the `before` bytes in front of them are readable.
static inline cscan_copied cscan_copy_slashed_end(
    uint8_t *restrict to, const uint8_t *restrict from, size_t count, size_t before) {
    const uint8_t *source = from, *end = from + count;
    uint8_t *out = to;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101;
    while (source < end && count + before >= 8) {
        size_t left = (size_t)(end - source), size = left < 8 ? left : 8;
        uint64_t word;
        __builtin_memcpy(&word, left < 8 ? end - 8 : source, 8);
        // Bytes in front of the text are shifted out, and blanks come in after its end.
        if (left < 8) word = word >> 8 * (8 - left) | (ones * 0x20) << 8 * left;
        uint64_t slash = word ^ ones * '/';
        uint64_t marks = cscan_escape_marks(word) | ((slash - ones) & ~slash & ones << 7);
        __builtin_memcpy(out, &word, 8);
        // Only the first mark is certain.
        size_t plain = marks == 0 ? size : (size_t)__builtin_ctzll(marks) >> 3;
        source += plain;
        out += plain;
        if (marks == 0) continue;
        if (*source != '/') break;
        *out++ = '\\';
        *out++ = *source++;
    }
    if (count + before >= 8) return (cscan_copied){(size_t)(source - from), (size_t)(out - to)};
#else
    (void)before;
#endif
    for (; source < end; source++) {
        if (*source < 0x20 || *source == '"' || *source == '\\') break;
        if (*source == '/') *out++ = '\\';
        *out++ = *source;
    }
    return (cscan_copied){(size_t)(source - from), (size_t)(out - to)};
}

/// Copies a string's bytes up to the first that needs an escape in JSON, with a backslash in front of each slash. Reads `count`
/// bytes. Up to 32 bytes after `to + 2 * count` are overwritten.
static inline cscan_copied cscan_copy_slashed(uint8_t *restrict to, const uint8_t *restrict from, size_t count) {
    const uint8_t *source = from, *end = from + count;
    uint8_t *out = to;
    while (end - source >= 16) {
        uint32_t special = cscan_string16(source) & 0xFFFF;
        uint32_t marks = special | cscan_slashes16(source);
        __builtin_memcpy(out, source, 16);
        // Byte n of the block belongs to `out + n`, which each slash moves by one.
        for (; marks != 0; marks &= marks - 1) {
            size_t place = (size_t)__builtin_ctz(marks);
            if ((special >> place & 1) != 0) return (cscan_copied){(size_t)(source - from) + place, (size_t)(out - to) + place};
            if ((size_t)(end - source) - place < 16) break;
            __builtin_memcpy(out + place + 1, source + place, 16);
            out[place] = '\\';
            out++;
        }
        // If fewer than 16 bytes are left from a slash on, they are copied below.
        size_t done = marks == 0 ? 16 : (size_t)__builtin_ctz(marks);
        source += done;
        out += done;
        if (marks != 0) break;
    }
    cscan_copied rest = cscan_copy_slashed_end(out, source, (size_t)(end - source), (size_t)(source - from));
    return (cscan_copied){(size_t)(source - from) + rest.read, (size_t)(out - to) + rest.written};
}

/// A mask of 16 bytes of text: bit n is set if byte n is not JSON white space.
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

// MARK: Digits

/// The first 128 bits of a power of ten, of which the highest is set.
typedef struct {
    uint64_t high;
    uint64_t low;
} cscan_power;

enum { CSCAN_SMALLEST_POWER = -342, CSCAN_LARGEST_POWER = 324 };

/// One for each exponent; `powers.c` makes them before the program's first line runs.
extern cscan_power cscan_powers[CSCAN_LARGEST_POWER - CSCAN_SMALLEST_POWER + 1];

/// The power of ten with an exponent of the table.
static inline cscan_power cscan_power_of_ten(ptrdiff_t exponent) { return cscan_powers[exponent - CSCAN_SMALLEST_POWER]; }

/// Chooses one of two values without a branch, for a condition that a processor cannot predict.
static inline uint64_t cscan_select(bool condition, uint64_t yes, uint64_t no) {
#if defined(__clang__)
    return __builtin_unpredictable(condition) ? yes : no;
#else
    return condition ? yes : no;
#endif
}

enum { CSCAN_SMALL_INTEGERS = 1000 };

/// The integers below 1000: up to three digits, the first in the lowest byte, and their count in the highest byte. Made with the powers.
extern uint32_t cscan_small_integers[CSCAN_SMALL_INTEGERS];

/// The digits of an integer below 1000, see `cscan_small_integers`.
static inline uint32_t cscan_small_integer(uint64_t value) { return cscan_small_integers[value]; }

/// A number below 10^8 as eight digit values, the last in the lowest byte.
///
/// Eight digits are split into fours, fours into pairs, pairs into digits: in each lane n becomes q × 2^bits + (n - q × 10^i), which is
/// n + q × (2^bits - 10^i). The quotients by 100 and by 10 are exact over their ranges (0...9999 and 0...99).
static inline uint64_t cscan_digits8(uint64_t value) {
    uint64_t fours = value + value / 10000 * ((1ull << 32) - 10000);
    uint64_t hundreds = fours * 10486 >> 20 & 0x0000007F0000007F;
    uint64_t pairs = fours + hundreds * ((1 << 16) - 100);
    uint64_t tens = pairs * 103 >> 10 & 0x000F000F000F000F;
    return pairs + tens * ((1 << 8) - 10);
}

/// The text of 16 digits, for little-endian stores.
typedef struct {
    /// The first eight, the first digit in the lowest byte, and the last eight.
    uint64_t first, second;
    /// Bit n is set if digit n is not 0.
    uint32_t nonzero;
} cscan_digits;

/// The text of 16 digits: eight of `high` and eight of `low`, both below 10^8.
static inline cscan_digits cscan_digits16(uint32_t high, uint32_t low) {
#if defined(__SSE2__)
    // The same steps as in `cscan_digits8`. Quotients are the upper halves of products: all are exact over their ranges.
    __m128i numbers = _mm_unpacklo_epi64(_mm_cvtsi32_si128((int)high), _mm_cvtsi32_si128((int)low));
    __m128i myriads = _mm_srli_epi64(_mm_mul_epu32(numbers, _mm_set1_epi64x(109951163)), 40);
    __m128i fours = _mm_add_epi64(numbers, _mm_mul_epu32(myriads, _mm_set1_epi64x((1ll << 32) - 10000)));
    __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi32(5243)), 3);
    __m128i rests = _mm_sub_epi16(fours, _mm_mullo_epi16(hundreds, _mm_set1_epi32(100)));
    __m128i pairs = _mm_or_si128(rests, _mm_slli_epi32(hundreds, 16));
    // Here the quotient goes into the lower byte: it is the earlier digit, n × 2^8 + q × (1 - 10 × 2^8).
    __m128i tens = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554));
    __m128i turned = _mm_add_epi16(_mm_slli_epi16(pairs, 8), _mm_mullo_epi16(tens, _mm_set1_epi16(1 - (10 << 8))));
    // In each half the last pair comes first: the order is turned round.
    __m128i digits = _mm_shufflehi_epi16(_mm_shufflelo_epi16(turned, 0x1B), 0x1B);
    __m128i text = _mm_or_si128(digits, _mm_set1_epi8('0'));
    uint64_t halves[2];
    _mm_storeu_si128((__m128i *)halves, text);
    uint32_t nonzero = (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(digits, _mm_setzero_si128()));
    return (cscan_digits){halves[0], halves[1], nonzero};
#else
    uint64_t halves[2] = {__builtin_bswap64(cscan_digits8(high)), __builtin_bswap64(cscan_digits8(low))};
    cscan_digits result = {halves[0] | 0x3030303030303030, halves[1] | 0x3030303030303030, 0};
    for (int half = 0; half < 2; half++) {
        // A digit is below 16, so that adding 0x7F carries nothing; the product gathers the eighth bits.
        uint64_t marks = (halves[half] + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101;
        result.nonzero |= (uint32_t)(marks * 0x0102040810204080 >> 56) << (8 * half);
    }
    return result;
#endif
}

/// One more than the number of the highest bit that is set; one is.
static inline uint32_t cscan_bit_width(uint32_t bits) { return 32 - (uint32_t)__builtin_clz(bits); }

#endif
