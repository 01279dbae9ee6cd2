#include "CBaselines.h"
#include "../CYajlSystem/CYajlSystem.h"

#include <stdlib.h>
#include <string.h>

// An event on the tape: one byte that says which, and for text four bytes of length and the text itself.
enum event { EVENT_NULL, EVENT_FALSE, EVENT_TRUE, EVENT_NUMBER, EVENT_STRING, EVENT_MAP, EVENT_MAP_END, EVENT_ARRAY, EVENT_ARRAY_END };

struct baseline_writer {
    uint8_t *tape;
    size_t count;
    size_t capacity;
    yajl_gen generator;
};

static int append(baseline_writer *writer, enum event event) {
    if (writer->count == writer->capacity) {
        writer->capacity *= 2;
        writer->tape = realloc(writer->tape, writer->capacity);
    }
    writer->tape[writer->count++] = (uint8_t)event;
    return 1;
}

static int append_text(baseline_writer *writer, enum event event, const void *text, size_t length) {
    append(writer, event);
    while (writer->capacity - writer->count < length + 4) {
        writer->capacity *= 2;
        writer->tape = realloc(writer->tape, writer->capacity);
    }
    uint32_t stored = (uint32_t)length;
    memcpy(writer->tape + writer->count, &stored, 4);
    memcpy(writer->tape + writer->count + 4, text, length);
    writer->count += length + 4;
    return 1;
}

static int on_null(void *context) { return append(context, EVENT_NULL); }
static int on_boolean(void *context, int value) { return append(context, value ? EVENT_TRUE : EVENT_FALSE); }
static int on_number(void *context, const char *text, size_t length) { return append_text(context, EVENT_NUMBER, text, length); }
static int on_string(void *context, const unsigned char *text, size_t length) { return append_text(context, EVENT_STRING, text, length); }
static int on_map(void *context) { return append(context, EVENT_MAP); }
static int on_map_end(void *context) { return append(context, EVENT_MAP_END); }
static int on_array(void *context) { return append(context, EVENT_ARRAY); }
static int on_array_end(void *context) { return append(context, EVENT_ARRAY_END); }

static const yajl_callbacks recording = {
    on_null, on_boolean, NULL, NULL, on_number, on_string, on_map, on_string, on_map_end, on_array, on_array_end,
};

baseline_writer *baseline_writer_make(const uint8_t *text, size_t length) {
    baseline_writer *writer = calloc(1, sizeof *writer);
    writer->capacity = 1 << 16;
    writer->tape = malloc(writer->capacity);
    writer->generator = yajl_gen_alloc(NULL);
    yajl_handle handle = yajl_alloc(&recording, NULL, writer);
    bool is_read = yajl_parse(handle, text, length) == yajl_status_ok && yajl_complete_parse(handle) == yajl_status_ok;
    yajl_free(handle);
    if (is_read) return writer;
    baseline_writer_free(writer);
    return NULL;
}

void baseline_writer_free(baseline_writer *writer) {
    yajl_gen_free(writer->generator);
    free(writer->tape);
    free(writer);
}

static bool replay(const baseline_writer *writer) {
    yajl_gen generator = writer->generator;
    const uint8_t *place = writer->tape;
    const uint8_t *end = place + writer->count;
    while (place < end) {
        yajl_gen_status status = yajl_gen_status_ok;
        uint32_t length = 0;
        enum event event = (enum event)*place++;
        switch (event) {
        case EVENT_NULL: status = yajl_gen_null(generator); break;
        case EVENT_FALSE: status = yajl_gen_bool(generator, 0); break;
        case EVENT_TRUE: status = yajl_gen_bool(generator, 1); break;
        case EVENT_MAP: status = yajl_gen_map_open(generator); break;
        case EVENT_MAP_END: status = yajl_gen_map_close(generator); break;
        case EVENT_ARRAY: status = yajl_gen_array_open(generator); break;
        case EVENT_ARRAY_END: status = yajl_gen_array_close(generator); break;
        case EVENT_NUMBER:
            memcpy(&length, place, 4);
            status = yajl_gen_number(generator, (const char *)place + 4, length);
            place += length + 4;
            break;
        case EVENT_STRING:
            memcpy(&length, place, 4);
            status = yajl_gen_string(generator, place + 4, length);
            place += length + 4;
            break;
        }
        if (status != yajl_gen_status_ok) return false;
    }
    return true;
}

bool baseline_write(baseline_writer *writer, size_t iterations) {
    for (size_t index = 0; index < iterations; index++) {
        yajl_gen_clear(writer->generator);
        yajl_gen_reset(writer->generator, NULL);
        if (!replay(writer)) return false;
    }
    return true;
}

const uint8_t *baseline_written(baseline_writer *writer, size_t *length) {
    const unsigned char *text = NULL;
    yajl_gen_get_buf(writer->generator, &text, length);
    return text;
}
