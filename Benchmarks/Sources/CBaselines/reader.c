#include "CBaselines.h"
#include "../CYajlSystem/CYajlSystem.h"

#include <stdlib.h>

struct baseline_reader {
    yajl_handle handle;
};

static int on_null(void *context) { (void)context; return 1; }
static int on_boolean(void *context, int value) { (void)context; (void)value; return 1; }
static int on_number(void *context, const char *text, size_t length) { (void)context; (void)text; (void)length; return 1; }
static int on_bytes(void *context, const unsigned char *text, size_t length) { (void)context; (void)text; (void)length; return 1; }

static const yajl_callbacks silent = {
    on_null, on_boolean, NULL, NULL, on_number, on_bytes, on_null, on_bytes, on_null, on_null, on_null,
};

baseline_reader *baseline_reader_make(void) {
    baseline_reader *reader = malloc(sizeof *reader);
    if (reader == NULL) return NULL;
    reader->handle = yajl_alloc(&silent, NULL, NULL);
    yajl_config(reader->handle, yajl_allow_multiple_values, 1);
    return reader;
}

void baseline_reader_free(baseline_reader *reader) {
    yajl_free(reader->handle);
    free(reader);
}

bool baseline_read(baseline_reader *reader, const uint8_t *text, size_t length, size_t iterations) {
    for (size_t index = 0; index < iterations; index++) {
        if (yajl_parse(reader->handle, text, length) != yajl_status_ok) return false;
    }
    return true;
}

static int count(void *context) { ++*(uint64_t *)context; return 1; }
static int count_boolean(void *context, int value) { (void)value; return count(context); }
static int count_number(void *context, const char *text, size_t length) { (void)text; (void)length; return count(context); }
static int count_bytes(void *context, const unsigned char *text, size_t length) { (void)text; (void)length; return count(context); }

static const yajl_callbacks counting = {
    count, count_boolean, NULL, NULL, count_number, count_bytes, count, count_bytes, count, count, count,
};

uint64_t baseline_count_events(const uint8_t *text, size_t length) {
    uint64_t events = 0;
    yajl_handle handle = yajl_alloc(&counting, NULL, &events);
    yajl_config(handle, yajl_allow_multiple_values, 1);
    bool is_read = yajl_parse(handle, text, length) == yajl_status_ok && yajl_complete_parse(handle) == yajl_status_ok;
    yajl_free(handle);
    return is_read ? events : 0;
}

int baseline_yajl_version(void) { return yajl_version(); }
