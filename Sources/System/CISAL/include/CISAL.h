// Inflating with Intel's ISA-L, if it is installed. Its header is needed when this is compiled, its library when this runs: the library
// is opened by name, so the binary does not depend on it. If one of the two is missing, cisal_make returns NULL.

#ifndef CISAL_H
#define CISAL_H

#include <stddef.h>
#include <stdint.h>

typedef struct cisal_inflater cisal_inflater;

// The result of one inflating step.
enum cisal_status { CISAL_GOES_ON = 0, CISAL_END = 1, CISAL_DAMAGED = 2 };

// An inflater for raw deflate data (without a wrapper); NULL if ISA-L is missing or does not work as expected.
cisal_inflater *cisal_make(void);
void cisal_free(cisal_inflater *inflater);

// Resets an inflater for the next data.
void cisal_reset(cisal_inflater *inflater);

// Inflates until the input is used up, the output is full, or the data end.
enum cisal_status cisal_inflate(cisal_inflater *inflater, const uint8_t *input, size_t input_count, size_t *consumed,
                                uint8_t *output, size_t output_count, size_t *produced);

// The CRC-32 of the inflated bytes; valid at the end of the data.
uint32_t cisal_checksum(const cisal_inflater *inflater);

// Copies the bytes after the data that were already consumed, at most 8, and returns their number; valid at the end of the data.
size_t cisal_rest(const cisal_inflater *inflater, uint8_t rest[8]);

#endif
