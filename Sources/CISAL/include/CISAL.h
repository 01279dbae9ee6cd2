// Inflating with Intel's ISA-L, where it is installed. The header is needed when this is compiled, the library when it runs:
// it is opened by name, so that nothing that is built here depends on it. Without either, cisal_make gives NULL.

#ifndef CISAL_H
#define CISAL_H

#include <stddef.h>
#include <stdint.h>

typedef struct cisal_inflater cisal_inflater;

// What a step of inflating comes to.
enum cisal_status { CISAL_GOES_ON = 0, CISAL_END = 1, CISAL_DAMAGED = 2 };

// An inflater for deflate data without a wrapper, or NULL where ISA-L is not there or does not work as expected.
cisal_inflater *cisal_make(void);
void cisal_free(cisal_inflater *inflater);

// Makes an inflater ready for the next data.
void cisal_reset(cisal_inflater *inflater);

// Inflates as much as there is input for and room for.
enum cisal_status cisal_inflate(cisal_inflater *inflater, const uint8_t *input, size_t input_count, size_t *consumed,
                                uint8_t *output, size_t output_count, size_t *produced);

// At the end of the data: the CRC-32 of what was inflated.
uint32_t cisal_checksum(const cisal_inflater *inflater);

// At the end of the data: the bytes behind it that were consumed, at most 8; says how many they are.
size_t cisal_rest(const cisal_inflater *inflater, uint8_t rest[8]);

#endif
