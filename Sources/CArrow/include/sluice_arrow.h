// Sluice for programs in other languages: a feed goes in, an Arrow stream comes out. The structs are those of the Arrow C data and stream
// interfaces: https://arrow.apache.org/docs/format/CDataInterface.html

#ifndef SLUICE_ARROW_H
#define SLUICE_ARROW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

// Opens a feed and gives its records as a stream of record batches. `options` is JSON text in UTF-8, or NULL.
// 0 on success, otherwise a number as in errno; sluice_last_error() then says what was wrong (in this thread, valid until the next call).
int sluice_open(const char *path, const char *options, struct ArrowArrayStream *out);

// What was wrong with the last call of sluice_open() in this thread; empty if nothing was.
const char *sluice_last_error(void);

// The version of the library, such as "0.1.0".
const char *sluice_version(void);

#ifdef __cplusplus
}
#endif

#endif
