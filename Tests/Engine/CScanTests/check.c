// Runs CScan over texts made here, each in memory that ends where a page ends, so that a read after it is a crash with or
// without a sanitizer. `check [ROUNDS]`; natively by `Scripts/net scan`, for the other processor by `Scripts/net arm`.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CScan.h"
#include "differential.h"

enum { ROOM = 4096 };
static uint8_t *room_end;
static unsigned long cases;

// Checks a copy that ends right before a page that must not be read.
static void check(const uint8_t *bytes, size_t count) {
    memcpy(room_end - count, bytes, count);
    check_all_scans(room_end - count, count);
    cases++;
}

static bool make_room(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t size = (ROOM + page - 1) / page * page;
    uint8_t *room = mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED || mprotect(room + size, page, PROT_NONE) != 0) return false;
    room_end = room + size;
    return true;
}

// Sebastiano Vigna's SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
static uint64_t state = 1;
static uint64_t next(void) {
    uint64_t mixed = state += 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}
static size_t below(size_t limit) { return (size_t)(next() % limit); }

// MARK: Texts

// All texts of up to six of the bytes that a container's end hangs on, after as many blanks as bring them to a block's edge.
static void check_short_containers(void) {
    static const char alphabet[] = "\"\\[}a";
    static const size_t starts[] = {0, 57, 61};
    for (size_t length = 0; length <= 6; length++) {
        size_t combinations = 1;
        for (size_t index = 0; index < length; index++) combinations *= 5;
        for (size_t number = 0; number < combinations; number++) {
            uint8_t text[80];
            memset(text, ' ', sizeof text);
            for (size_t start = 0; start < sizeof starts / sizeof *starts; start++) {
                size_t rest = number;
                for (size_t index = 0; index < length; index++, rest /= 5) {
                    text[starts[start] + index] = (uint8_t)alphabet[rest % 5];
                }
                check(text, starts[start] + length);
            }
        }
    }
}

// Each pair of first bytes, with tails that are right, wrong or missing, at places around the vectors' edges.
static void check_unicode(void) {
    static const uint8_t seconds[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
    static const uint8_t others[] = {0x41, 0x80, 0xBF, 0xC2};
    static const size_t starts[] = {0, 13, 15, 29, 31, 62};
    uint8_t text[80];
    for (unsigned lead = 0x7F; lead <= 0xFF; lead++) {
        for (size_t second = 0; second < sizeof seconds; second++) {
            for (size_t other = 0; other < 16; other++) {
                for (size_t start = 0; start < sizeof starts / sizeof *starts; start++) {
                    memset(text, 'a', sizeof text);
                    uint8_t sequence[4] = {(uint8_t)lead, seconds[second], others[other / 4], others[other % 4]};
                    memcpy(text + starts[start], sequence, sizeof sequence);
                    for (size_t length = 1; length <= 5; length++) check(text, starts[start] + length);
                }
            }
        }
    }
}

// Any text: bytes of all kinds, with runs of backslashes and of brackets that go on across blocks.
static void check_random(void) {
    static const char special[] = "\"\\[]{}\"\\ a\x0B\x0C\n";
    uint8_t text[ROOM];
    size_t limit = below(4) == 0 ? 1000 : 200, count = 0, length = below(limit);
    unsigned plain = (unsigned)below(20);
    while (count < length) {
        size_t kind = below(24 + plain);
        uint8_t byte = kind < 20 ? (uint8_t)special[below(sizeof special - 1)] : kind < 24 ? (uint8_t)next() : 'x';
        size_t run = below(12) == 0 ? below(90) : 1;
        while (run-- > 0 && count < length) text[count++] = byte;
    }
    check(text, length);
}

// Characters of one to four bytes, and now and then one byte of them changed.
static void check_random_unicode(void) {
    uint8_t text[400];
    size_t count = 0, length = below(300);
    while (count < length) {
        static const char *const characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xED\x9F\xBF", "\xEE\x80\x80",
                                                  "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xE0\xA0\x80", "\xF0\x90\x80\x80"};
        const char *character = characters[below(9)];
        size_t size = strlen(character);
        memcpy(text + count, character, size);
        count += size;
    }
    if (count > 0 && below(2) == 0) text[below(count)] = (uint8_t)next();
    check(text, below(3) == 0 ? below(count + 1) : count);
}

// Sixteen digits against the C library's, with zeros at both ends and inside.
static void check_digits(uint32_t high, uint32_t low) {
    char expected[17];
    snprintf(expected, sizeof expected, "%08u%08u", high, low);
    uint32_t nonzero = 0;
    for (int index = 0; index < 16; index++) nonzero |= (uint32_t)(expected[index] != '0') << index;
    cscan_digits digits = cscan_digits16(high, low);
    if (memcmp(&digits, expected, 16) || digits.nonzero != nonzero) {
        fprintf(stderr, "%s is written as %.16s, digits that are not 0: %x\n", expected, (char *)&digits, digits.nonzero);
        exit(1);
    }
    cases++;
}

static void check_random_digits(void) {
    uint32_t halves[2];
    for (int half = 0; half < 2; half++) {
        static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
        uint32_t power = powers[below(9)];
        halves[half] = (uint32_t)(next() % 100000000) / power * powers[below(2) * 4] % 100000000;
    }
    check_digits(halves[0], halves[1]);
}

// Copies a text up to the first byte that needs an escape: a few such bytes are put into it. Both blocks have the text's size, so that
// AddressSanitizer finds reads and writes beyond their ends.
static void check_random_copy(void) {
    size_t count = below(150), plain = 0;
    uint8_t *text = malloc(count), *copy = malloc(count);
    for (size_t index = 0; index < count; index++) text[index] = (uint8_t)("aZ !#[]\x7F\x80\xFF"[below(10)]);
    for (size_t left = count == 0 ? 0 : below(3); left > 0; left--) text[below(count)] = (uint8_t)"\0\x1F\"\\"[below(4)];
    while (plain < count && text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\') plain++;
    // A short text is copied whole or not at all.
    if (count < 16 && plain < count) plain = 0;
    size_t copied = cscan_copy_plain(copy, text, count);
    if (copied != plain || memcmp(copy, text, plain)) {
        fprintf(stderr, "of %zu bytes, %zu are plain, and %zu are copied\n", count, plain, copied);
        exit(1);
    }
    free(text);
    free(copy);
    cases++;
}

int main(int argument_count, char **arguments) {
    long rounds = argument_count > 1 ? strtol(arguments[1], NULL, 10) : 200000;
    if (!make_room()) {
        perror("memory for the texts");
        return 1;
    }
    check_short_containers();
    check_unicode();
    // Every group of four digits in every place.
    for (uint32_t four = 0; four < 10000; four++) {
        check_digits(four * 10000 + 9999 - four, four);
        check_digits(four, four * 10000 + 9999 - four);
    }
    for (long round = 0; round < rounds; round++) {
        check_random();
        check_random_unicode();
        check_random_digits();
        check_random_copy();
    }
    printf("%lu texts: levels 0 to %d agree with the plain reference\n", cases, cscan_level());
    return 0;
}
