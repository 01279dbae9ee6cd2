// What Sluice uses of yajl, and what Swift cannot reach in it.
//
// This is yajl's documented interface (the same since 2.0), declared here because its own headers are not found everywhere: they include
// <yajl/yajl_common.h>, while Homebrew's pkg-config file names the folder `yajl` itself. Where they are found, the types are theirs, and
// the compiler compares the declarations and assertions below with them. CYAJL_WITHOUT_HEADERS leaves them out, for a test of that.

#ifndef CYAJL_H
#define CYAJL_H

#include <stddef.h>
#include <stdint.h>

// An `Int` shares its storage with an `Int64` (PropertyKind), and sizes of text are not checked against 32 bits.
#if UINTPTR_MAX < 0xFFFFFFFFFFFFFFFF
#error "Sluice needs a 64-bit processor"
#endif

#if defined(__has_include) && !defined(CYAJL_WITHOUT_HEADERS)
#if __has_include(<yajl/yajl_parse.h>) && __has_include(<yajl/yajl_gen.h>) && __has_include(<yajl/yajl_version.h>)
#define CYAJL_HAS_HEADERS 1
#endif
#endif

#ifdef CYAJL_HAS_HEADERS
#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>
#else
typedef struct {
    void *(*malloc)(void *context, size_t size);
    void *(*realloc)(void *context, void *memory, size_t size);
    void (*free)(void *context, void *memory);
    void *ctx;
} yajl_alloc_funcs;

typedef enum { yajl_status_ok, yajl_status_client_canceled, yajl_status_error } yajl_status;

typedef enum { yajl_dont_validate_strings = 0x02, yajl_allow_multiple_values = 0x08 } yajl_option;

typedef struct yajl_handle_t *yajl_handle;

typedef struct {
    int (*yajl_null)(void *context);
    int (*yajl_boolean)(void *context, int value);
    int (*yajl_integer)(void *context, long long value);
    int (*yajl_double)(void *context, double value);
    int (*yajl_number)(void *context, const char *text, size_t count);
    int (*yajl_string)(void *context, const unsigned char *text, size_t count);
    int (*yajl_start_map)(void *context);
    int (*yajl_map_key)(void *context, const unsigned char *text, size_t count);
    int (*yajl_end_map)(void *context);
    int (*yajl_start_array)(void *context);
    int (*yajl_end_array)(void *context);
} yajl_callbacks;

typedef enum {
    yajl_gen_status_ok,
    yajl_gen_keys_must_be_strings,
    yajl_max_depth_exceeded,
    yajl_gen_in_error_state,
    yajl_gen_generation_complete,
    yajl_gen_invalid_number,
    yajl_gen_no_buf,
    yajl_gen_invalid_string
} yajl_gen_status;

typedef enum { yajl_gen_beautify = 0x01, yajl_gen_indent_string = 0x02, yajl_gen_print_callback = 0x04 } yajl_gen_option;

typedef struct yajl_gen_t *yajl_gen;

typedef void (*yajl_print_t)(void *context, const char *text, size_t count);
#endif

// Of the library's own headers, each declaration is the second: another type is an error.
int yajl_version(void);

yajl_handle yajl_alloc(const yajl_callbacks *callbacks, yajl_alloc_funcs *functions, void *context);
void yajl_free(yajl_handle handle);
int yajl_config(yajl_handle handle, yajl_option option, ...);
yajl_status yajl_parse(yajl_handle handle, const unsigned char *text, size_t count);
yajl_status yajl_complete_parse(yajl_handle handle);
size_t yajl_get_bytes_consumed(yajl_handle handle);
unsigned char *yajl_get_error(yajl_handle handle, int verbose, const unsigned char *text, size_t count);
void yajl_free_error(yajl_handle handle, unsigned char *text);

yajl_gen yajl_gen_alloc(const yajl_alloc_funcs *functions);
void yajl_gen_free(yajl_gen generator);
int yajl_gen_config(yajl_gen generator, yajl_gen_option option, ...);
yajl_gen_status yajl_gen_number(yajl_gen generator, const char *text, size_t count);
yajl_gen_status yajl_gen_array_open(yajl_gen generator);
yajl_gen_status yajl_gen_array_close(yajl_gen generator);
void yajl_gen_reset(yajl_gen generator, const char *separator);

#define CYAJL_ASSERT(fact) _Static_assert(fact, "this is not the interface of yajl 2: " #fact)
#define CYAJL_ASSERT_PLACE(type, member, index) CYAJL_ASSERT(offsetof(type, member) == (index) * sizeof(void *))

CYAJL_ASSERT(sizeof(yajl_alloc_funcs) == 4 * sizeof(void *));
CYAJL_ASSERT_PLACE(yajl_alloc_funcs, malloc, 0);
CYAJL_ASSERT_PLACE(yajl_alloc_funcs, realloc, 1);
CYAJL_ASSERT_PLACE(yajl_alloc_funcs, free, 2);
CYAJL_ASSERT_PLACE(yajl_alloc_funcs, ctx, 3);

CYAJL_ASSERT(sizeof(yajl_callbacks) == 11 * sizeof(void *));
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_null, 0);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_boolean, 1);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_integer, 2);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_double, 3);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_number, 4);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_string, 5);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_start_map, 6);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_map_key, 7);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_end_map, 8);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_start_array, 9);
CYAJL_ASSERT_PLACE(yajl_callbacks, yajl_end_array, 10);

CYAJL_ASSERT(sizeof(yajl_status) == sizeof(int) && sizeof(yajl_gen_status) == sizeof(int));
CYAJL_ASSERT(sizeof(yajl_option) == sizeof(int) && sizeof(yajl_gen_option) == sizeof(int));
CYAJL_ASSERT(yajl_status_ok == 0 && yajl_status_client_canceled == 1 && yajl_status_error == 2);
CYAJL_ASSERT(yajl_dont_validate_strings == 2 && yajl_allow_multiple_values == 8);
CYAJL_ASSERT(yajl_gen_status_ok == 0 && yajl_gen_keys_must_be_strings == 1 && yajl_max_depth_exceeded == 2);
CYAJL_ASSERT(yajl_gen_in_error_state == 3 && yajl_gen_generation_complete == 4 && yajl_gen_invalid_number == 5);
CYAJL_ASSERT(yajl_gen_no_buf == 6 && yajl_gen_invalid_string == 7);
CYAJL_ASSERT(yajl_gen_beautify == 1 && yajl_gen_indent_string == 2 && yajl_gen_print_callback == 4);

// yajl_config and yajl_gen_config are C variadic functions, which Swift does not import. Each wrapper below fixes one
// option's argument type, so that a call from Swift is checked by the compiler. None of them adds behaviour.

// Our own UTF-8 validator is stricter than yajl's (which accepts overlong forms and surrogates), so yajl's is turned off
// rather than paid for twice.
static inline int cyajl_dont_validate_strings(yajl_handle handle, int enabled) {
    return yajl_config(handle, yajl_dont_validate_strings, enabled);
}

// A handle that accepts several documents in a row survives the end of one, and is reused without a new allocation.
static inline int cyajl_allow_multiple_values(yajl_handle handle, int enabled) {
    return yajl_config(handle, yajl_allow_multiple_values, enabled);
}

// Only the first call after yajl_gen_alloc is safe: each later one frees the previous context as if it were a yajl buffer.
static inline int cyajl_gen_print_callback(yajl_gen generator, yajl_print_t print, void *context) {
    return yajl_gen_config(generator, yajl_gen_print_callback, print, context);
}

static inline int cyajl_gen_beautify(yajl_gen generator, int enabled) {
    return yajl_gen_config(generator, yajl_gen_beautify, enabled);
}

// yajl keeps the pointer, so the text must outlive the generator.
static inline int cyajl_gen_indent(yajl_gen generator, const char *blanks) {
    return yajl_gen_config(generator, yajl_gen_indent_string, blanks);
}

#endif
