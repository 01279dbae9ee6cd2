// Scans over bytes that are worth vector instructions. Plain C, no state, no allocation; the Swift side owns all memory.

#ifndef CSCAN_H
#define CSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether one of `count` bytes is a vertical tab or a form feed.
bool cscan_contains_control_blank(const uint8_t *bytes, size_t count);

#endif
