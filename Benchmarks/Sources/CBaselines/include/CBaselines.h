// What all ratios are taken against: yajl doing nothing but its own work.
//
// Reading: the whole buffer, callbacks that do nothing, one handle for all documents, yajl's default options (so its UTF-8
// validation is on) and several values in a row. Numbers go to `yajl_number`, which spares yajl their conversion: the faster baseline.
//
// Writing: the events of a document lie on a flat tape, recorded beforehand; they are replayed into one generator, which is cleared
// and used again. Numbers are written as they stand on the tape, so no double is formatted: the faster baseline.

#ifndef C_BASELINES_H
#define C_BASELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct baseline_reader baseline_reader;
typedef struct baseline_writer baseline_writer;

/// A parser whose callbacks do nothing.
baseline_reader *baseline_reader_make(void);
void baseline_reader_free(baseline_reader *reader);

/// Parses the text `iterations` times; false if yajl rejects it.
bool baseline_read(baseline_reader *reader, const uint8_t *text, size_t length, size_t iterations);

/// The number of events in the text; 0 if yajl rejects it.
uint64_t baseline_count_events(const uint8_t *text, size_t length);

/// Records the events of the text; NULL if yajl rejects it.
baseline_writer *baseline_writer_make(const uint8_t *text, size_t length);
void baseline_writer_free(baseline_writer *writer);

/// Replays the tape `iterations` times; false if yajl refuses an event.
bool baseline_write(baseline_writer *writer, size_t iterations);

/// What the last replay wrote; valid until the next.
const uint8_t *baseline_written(baseline_writer *writer, size_t *length);

/// Keeps this process, and those that it starts, on the processor that it runs on; does nothing where the system has no call for it.
void baseline_stay_on_this_processor(void);

/// Returns free memory to the system, so that a peak is measured from below; does nothing where the C library has no call for it.
void baseline_release_free_memory(void);

/// yajl's version, as in 20100 for 2.1.0.
int baseline_yajl_version(void);

#endif
