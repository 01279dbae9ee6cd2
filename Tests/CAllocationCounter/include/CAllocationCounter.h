// Counts the allocations of one thread, for tests that prove that a path makes none and for the benchmark.
//
// On glibc, malloc and its kin are interposed by this very executable and forward to the C library; elsewhere, and under a
// sanitizer (which interposes them itself), nothing is counted and `allocation_counter_is_available` says so.

#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted in this process.
bool allocation_counter_is_available(void);

/// Allocations of the calling thread so far: malloc, calloc, realloc, posix_memalign, aligned_alloc.
uint64_t allocation_counter_value(void);

/// Whether a sanitizer watches this process. It has an allocator of its own, and makes stack frames larger.
bool allocation_counter_is_under_sanitizer(void);

#endif
