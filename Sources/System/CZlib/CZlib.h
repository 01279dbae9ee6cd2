// zlib's header, and the calls that it hides in macros.

#ifndef CZLIB_H
#define CZLIB_H

#include <zlib.h>

// Deflate data without a wrapper.
static inline int czlib_inflate_init_raw(z_stream *stream) { return inflateInit2(stream, -MAX_WBITS); }

// Deflate data in a gzip wrapper.
static inline int czlib_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
