// See CISAL.h. The layout of the state comes from ISA-L's header, the functions from the library with the same ABI (soname 2).

#include "CISAL.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_include)
#if __has_include(<isa-l/igzip_lib.h>) && (defined(__linux__) || defined(__APPLE__))
#define CISAL_HAS_HEADER 1
#endif
#endif

#ifdef CISAL_HAS_HEADER

#include <dlfcn.h>
#include <isa-l/igzip_lib.h>
#include <pthread.h>

#ifdef __APPLE__
#define CISAL_LIBRARY "libisal.2.dylib"
#else
#define CISAL_LIBRARY "libisal.so.2"
#endif

struct cisal_inflater {
    struct inflate_state state;
};

static void (*inflate_init)(struct inflate_state *);
static int (*inflate_step)(struct inflate_state *);
static bool is_usable = false;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The text "a" 64 times, as zlib deflates it.
static const uint8_t known_data[] = {0x4b, 0x4c, 0xa4, 0x0c, 0x00, 0x00};

static bool inflates_known_data(void) {
    cisal_inflater *inflater = malloc(sizeof *inflater);
    if (!inflater) return false;
    cisal_reset(inflater);
    uint8_t text[65];
    size_t consumed = 0, produced = 0;
    enum cisal_status status =
        cisal_inflate(inflater, known_data, sizeof known_data, &consumed, text, sizeof text, &produced);
    bool is_right = status == CISAL_END && produced == 64;
    for (size_t index = 0; is_right && index < 64; index++) is_right = text[index] == 'a';
    free(inflater);
    return is_right;
}

static void open_library(void) {
    // The handle stays open: the functions are used as long as the process lives.
    void *library = dlopen(CISAL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    *(void **)&inflate_init = dlsym(library, "isal_inflate_init");
    *(void **)&inflate_step = dlsym(library, "isal_inflate");
    is_usable = inflate_init && inflate_step && inflates_known_data();
}

cisal_inflater *cisal_make(void) {
    pthread_once(&once, open_library);
    if (!is_usable) return NULL;
    cisal_inflater *inflater = malloc(sizeof *inflater);
    if (inflater) cisal_reset(inflater);
    return inflater;
}

void cisal_free(cisal_inflater *inflater) { free(inflater); }

void cisal_reset(cisal_inflater *inflater) {
    // A lookback that reaches in front of the data is refused by ISA-L; zeros make sure that it could show nothing else.
    memset(&inflater->state, 0, sizeof inflater->state);
    inflate_init(&inflater->state);
    inflater->state.crc_flag = ISAL_GZIP_NO_HDR;
}

enum cisal_status cisal_inflate(cisal_inflater *inflater, const uint8_t *input, size_t input_count, size_t *consumed,
                                uint8_t *output, size_t output_count, size_t *produced) {
    struct inflate_state *state = &inflater->state;
    const size_t limit = (size_t)1 << 30;
    state->next_in = (uint8_t *)input;
    state->avail_in = (uint32_t)(input_count < limit ? input_count : limit);
    state->next_out = output;
    state->avail_out = (uint32_t)(output_count < limit ? output_count : limit);
    int status = inflate_step(state);
    *consumed = (size_t)(state->next_in - input);
    *produced = (size_t)(state->next_out - output);
    if (status < 0 || status == ISAL_NEED_DICT) return CISAL_DAMAGED;
    return state->block_state == ISAL_BLOCK_FINISH ? CISAL_END : CISAL_GOES_ON;
}

uint32_t cisal_checksum(const cisal_inflater *inflater) { return inflater->state.crc; }

size_t cisal_rest(const cisal_inflater *inflater, uint8_t rest[8]) {
    // The lowest bits are what is left of the last byte of the data. They are shifted out.
    int32_t length = inflater->state.read_in_length;
    if (length < 8) return 0;
    uint64_t bits = inflater->state.read_in >> (length % 8);
    size_t count = (size_t)length / 8;
    if (count > 8) count = 8;
    for (size_t index = 0; index < count; index++) rest[index] = (uint8_t)(bits >> (8 * index));
    return count;
}

#else

cisal_inflater *cisal_make(void) { return NULL; }
void cisal_free(cisal_inflater *inflater) { (void)inflater; }
void cisal_reset(cisal_inflater *inflater) { (void)inflater; }
enum cisal_status cisal_inflate(cisal_inflater *inflater, const uint8_t *input, size_t input_count, size_t *consumed,
                                uint8_t *output, size_t output_count, size_t *produced) {
    (void)inflater, (void)input, (void)input_count, (void)output, (void)output_count;
    *consumed = *produced = 0;
    return CISAL_DAMAGED;
}
uint32_t cisal_checksum(const cisal_inflater *inflater) { (void)inflater; return 0; }
size_t cisal_rest(const cisal_inflater *inflater, uint8_t rest[8]) { (void)inflater, (void)rest; return 0; }

#endif
