#include "SwiftString.h"

#include <string.h>

/// The runtime's own entry (RuntimeFunctions.def): an object with a reference count of one.
extern void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask);

void *cscan_make_string(const void *metadata, const uint8_t *bytes, size_t count, uint64_t description) {
    enum { HEAD = 32 };
    size_t capacity = (count + 16) & ~(size_t)15;
    uint8_t *object = swift_allocObject(metadata, HEAD + capacity, 7);
    uint64_t words[2] = {capacity, description};
    memcpy(object + 16, words, sizeof words);
    uint8_t *text = object + HEAD;
    size_t offset = 0;
    do {
        memcpy(text + offset, bytes + offset, 16);
        offset += 16;
    } while (offset + 16 <= count);
    // The last 16 bytes overlap those before them.
    memcpy(text + count - 16, bytes + count - 16, 16);
    text[count] = 0;
    return object;
}
