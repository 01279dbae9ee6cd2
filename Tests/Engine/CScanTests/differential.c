#include "differential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CScan.h"

// MARK: The plain reference

// What follows an opening bracket, read one byte at a time.
typedef struct {
    // The index of the closing bracket; the count if it is missing, or if more containers than the limit are open before it.
    size_t end;
    // The most containers that are open at once on the way there.
    size_t depth;
} container;

static container plain_container(const uint8_t *bytes, size_t count, size_t limit) {
    container found = {count, 1};
    size_t depth = 1;
    bool in_string = false, is_escaped = false;
    for (size_t index = 0; index < count; index++) {
        uint8_t byte = bytes[index];
        bool was_escaped = is_escaped;
        is_escaped = byte == '\\' && !was_escaped;
        if (byte == '"' && !was_escaped) in_string = !in_string;
        if (in_string) continue;
        if (byte == '[' || byte == '{') {
            depth++;
            if (depth > found.depth) found.depth = depth;
            if (depth > limit) return found;
        } else if ((byte == ']' || byte == '}') && --depth == 0) {
            found.end = index;
            return found;
        }
    }
    return found;
}

// RFC 3629, section 4: the code point is worked out, and must need as many bytes as it has.
static bool plain_is_utf8(const uint8_t *bytes, size_t count) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    for (size_t index = 0; index < count;) {
        uint8_t lead = bytes[index];
        size_t length = lead < 0x80 ? 1 : (lead & 0xE0) == 0xC0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : (lead & 0xF8) == 0xF0 ? 4 : 0;
        if (length == 0 || count - index < length) return false;
        uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
        for (size_t tail = 1; tail < length; tail++) {
            if ((bytes[index + tail] & 0xC0) != 0x80) return false;
            code = code << 6 | (bytes[index + tail] & 0x3FU);
        }
        if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
        index += length;
    }
    return true;
}

static bool plain_contains_control_blank(const uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) {
        if (bytes[index] == 0x0B || bytes[index] == 0x0C) return true;
    }
    return false;
}

// The text without the white space between its tokens, and the index of the first such byte.
static size_t plain_compact(uint8_t *to, const uint8_t *bytes, size_t count, size_t *first_blank) {
    size_t size = 0;
    bool in_string = false, is_escaped = false;
    *first_blank = count;
    for (size_t index = 0; index < count; index++) {
        uint8_t byte = bytes[index];
        bool was_escaped = is_escaped;
        is_escaped = byte == '\\' && !was_escaped;
        if (byte == '"' && !was_escaped) in_string = !in_string;
        bool is_blank = byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
        if (in_string || !is_blank) {
            to[size++] = byte;
        } else if (*first_blank == count) {
            *first_blank = index;
        }
    }
    return size;
}

static uint32_t plain_string16(const uint8_t *bytes) {
    uint32_t mask = 0;
    for (unsigned index = 0; index < 16; index++) {
        uint8_t byte = bytes[index];
        if (byte == '"' || byte == '\\' || byte < 0x20) mask |= 1U << index;
        if (byte >= 0x80) mask |= 1U << (16 + index);
    }
    return mask;
}

// MARK: Comparing

static void disagree(const char *scan, int level, const uint8_t *bytes, size_t count, size_t found, size_t expected) {
    fprintf(stderr, "%s at level %d: %zu, plain: %zu, of %zu bytes:\n", scan, level, found, expected, count);
    for (size_t index = 0; index < count; index++) fprintf(stderr, "%02x%s", bytes[index], index % 32 == 31 ? "\n" : " ");
    fprintf(stderr, "\n");
    abort();
}

static void check_container(int level, const uint8_t *bytes, size_t count, size_t limit) {
    size_t expected = plain_container(bytes, count, limit).end;
    cscan_container state = {0, 0, 1, limit};
    size_t end = cscan_container_scan_at_level(level, &state, bytes, count);
    if (end != expected) disagree("cscan_container_end", level, bytes, count, end, expected);
}

// With no limit, and with limits around the depth that the text has.
static void check_containers(int level, const uint8_t *bytes, size_t count) {
    size_t depth = plain_container(bytes, count, SIZE_MAX).depth;
    check_container(level, bytes, count, SIZE_MAX);
    check_container(level, bytes, count, depth);
    if (depth > 1) check_container(level, bytes, count, depth - 1);
    check_container(level, bytes, count, 1 + depth / 2);
}

// The same text in pieces of some sizes ends at the same bracket.
static void check_pieces(int level, const uint8_t *bytes, size_t count, size_t limit) {
    static const size_t sizes[] = {13, 64, 65};
    size_t expected = plain_container(bytes, count, limit).end;
    for (size_t choice = 0; choice < sizeof sizes / sizeof sizes[0]; choice++) {
        cscan_container state = {0, 0, 1, limit};
        size_t end = count;
        for (size_t offset = 0; offset < count; offset += sizes[choice]) {
            size_t piece = count - offset < sizes[choice] ? count - offset : sizes[choice];
            size_t found = cscan_container_scan_at_level(level, &state, bytes + offset, piece);
            if (found < piece) end = offset + found;
            if (found < piece || state.depth > limit) break;
        }
        if (end != expected) disagree("cscan_container_scan in pieces", level, bytes, count, end, expected);
    }
}

static void check_compact(const uint8_t *bytes, size_t count) {
    // Memory of exactly the promised size, so that AddressSanitizer sees every byte too many.
    uint8_t *expected = malloc(count + 1), *found = malloc(count + CSCAN_COMPACT_SLACK);
    if (expected == NULL || found == NULL) abort();
    size_t first_blank, size = plain_compact(expected, bytes, count, &first_blank);
    for (int level = 0; level <= cscan_level(); level++) {
        size_t written = cscan_compact_at_level(level, found, bytes, count);
        if (written != size || memcmp(found, expected, size) != 0) disagree("cscan_compact", level, bytes, count, written, size);
        size_t blank = cscan_first_blank_at_level(level, bytes, count);
        if (blank != first_blank) disagree("cscan_first_blank", level, bytes, count, blank, first_blank);
    }
    free(expected);
    free(found);
}

void check_all_scans(const uint8_t *bytes, size_t count) {
    check_compact(bytes, count);
    bool is_utf8 = plain_is_utf8(bytes, count);
    for (int level = 0; level <= cscan_level(); level++) {
        check_containers(level, bytes, count);
        check_pieces(level, bytes, count, SIZE_MAX);
        check_pieces(level, bytes, count, 3);
        bool found = cscan_is_utf8_at_level(level, bytes, count);
        if (found != is_utf8) disagree("cscan_is_utf8", level, bytes, count, found, is_utf8);
    }
    int own = cscan_level();
    size_t end = cscan_container_end(bytes, count, SIZE_MAX), expected = plain_container(bytes, count, SIZE_MAX).end;
    if (end != expected) disagree("cscan_container_end", own, bytes, count, end, expected);
    if (cscan_is_utf8(bytes, count) != is_utf8) disagree("cscan_is_utf8", own, bytes, count, !is_utf8, is_utf8);
    bool blank = plain_contains_control_blank(bytes, count);
    if (cscan_contains_control_blank(bytes, count) != blank) {
        disagree("cscan_contains_control_blank", own, bytes, count, !blank, blank);
    }
    for (size_t index = 0; index + 16 <= count; index++) {
        uint32_t mask = cscan_string16(bytes + index), plain = plain_string16(bytes + index);
        if (mask != plain) disagree("cscan_string16", own, bytes + index, 16, mask, plain);
    }
}
