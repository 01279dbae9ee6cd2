// Three of yajl's public headers, and what Swift cannot reach in them.
//
// yajl_config and yajl_gen_config are C variadic functions, which Swift does not import. Each wrapper below fixes one
// option's argument type, so that a call from Swift is checked by the compiler. None of them adds behaviour.

#ifndef CYAJL_H
#define CYAJL_H

#include <yajl/yajl_gen.h>
#include <yajl/yajl_parse.h>
#include <yajl/yajl_version.h>

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
