// Sluice for programs in other languages: a feed goes in, and an Arrow stream comes out. The structs are those of the Arrow C data and
// stream interfaces: https://arrow.apache.org/docs/format/CDataInterface.html

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

// Opens a feed, and sets `out` to a stream of record batches, which the caller must release. `options` is JSON text in UTF-8, or NULL.
// Returns 0 on success, otherwise an errno number; then sluice_last_error() has the message.
int sluice_open(const char *path, const char *options, struct ArrowArrayStream *out);

// The error message of the last sluice_open() in this thread, valid until the next call; empty if it succeeded.
const char *sluice_last_error(void);

// The version of the library, such as "0.1.0".
const char *sluice_version(void);

#ifdef __cplusplus
}
#endif

#endif
